//! What a transcript holds, counted over its JSON by other means than the importers'.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use threadfold::format::ImportReport;
use threadfold::session::Session;

/// What a transcript holds, counted over its JSON.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) messages: usize,
    pub(crate) calls: usize,
    pub(crate) results: usize,
    pub(crate) branches: usize,
    pub(crate) compactions: usize,
    pub(crate) images: usize,
    pub(crate) kept: usize,
}

impl Counts {
    pub(crate) fn of(session: &Session, report: &ImportReport) -> Self {
        let counts = session.counts();
        Self {
            messages: counts.messages as usize,
            calls: counts.calls as usize,
            results: counts.results as usize,
            branches: counts.branches as usize,
            compactions: counts.compactions as usize,
            images: counts.images as usize,
            kept: report.custom.iter().map(|kept| kept.count as usize).sum(),
        }
    }
}

pub(crate) fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

pub(crate) fn records(bytes: &[u8]) -> Vec<Value> {
    let lines = std::str::from_utf8(bytes).unwrap().lines();
    lines.filter(|line| !line.trim().is_empty()).map(|line| serde_json::from_str(line).unwrap_or_default()).collect()
}

pub(crate) fn of_type<'v>(blocks: &'v [Value], kind: &str) -> impl Iterator<Item = &'v Value> {
    blocks.iter().filter(move |block| text(block, "type") == kind)
}

/// Counts the content of an Anthropic message.
fn count_blocks(content: &Value, counts: &mut Counts) {
    let blocks = list(content);
    counts.calls += of_type(blocks, "tool_use").count();
    counts.results += of_type(blocks, "tool_result").count();
    let in_results = of_type(blocks, "tool_result").flat_map(|result| of_type(list(&result["content"]), "image"));
    let is_image = |image: &&Value| text(&image["source"], "media_type").starts_with("image/");
    counts.images += of_type(blocks, "image").chain(in_results).filter(is_image).count();
}

/// Of a message of the user: one of each result, and one of all else.
fn user_messages(content: &Value) -> usize {
    let results = of_type(list(content), "tool_result").count();
    results + usize::from(content.is_string() || list(content).len() > results)
}

pub(crate) fn claude_code(bytes: &[u8]) -> Counts {
    let mut counts = Counts::default();
    let mut answers: BTreeMap<String, String> = BTreeMap::new();
    // What a record belongs to: records of one answer and its results are one.
    let mut groups: BTreeMap<String, String> = BTreeMap::new();
    let mut owners: BTreeMap<String, String> = BTreeMap::new();
    let mut children: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (number, record) in records(bytes).iter().enumerate() {
        let content = &record["message"]["content"];
        let kind = text(record, "type");
        let parent = groups.get(text(record, "parentUuid")).or_else(|| groups.get(text(record, "logicalParentUuid")));
        let parent = parent.cloned().unwrap_or_default();
        let boundary = text(record, "subtype") == "compact_boundary";
        let speaks = matches!(kind, "user" | "assistant") && (content.is_string() || !list(content).is_empty());
        let uuid = text(record, "uuid").to_owned();
        let own = format!("{number}");
        let group = if record["isCompactSummary"] == true {
            counts.compactions += 1;
            // The mark above it is half of the same entry.
            counts.kept -= usize::from(parent.starts_with("boundary"));
            if parent.starts_with("boundary") { parent.clone() } else { own }
        } else if !speaks {
            counts.kept += 1;
            // What no message stands above hangs together all the same.
            match parent.as_str() {
                _ if boundary => format!("boundary {number}"),
                "" => "records".to_owned(),
                parent => parent.to_owned(),
            }
        } else {
            count_blocks(content, &mut counts);
            if kind == "assistant" {
                let id = text(&record["message"], "id");
                // What somebody says in between parts an answer in two.
                let goes_on = !id.is_empty() && answers.get(id) == Some(&parent);
                counts.messages += usize::from(!goes_on);
                let group = if goes_on { parent.clone() } else { own };
                answers.insert(id.to_owned(), group.clone());
                for call in of_type(list(content), "tool_use").filter(|call| call["id"].is_string()) {
                    owners.insert(text(call, "id").to_owned(), group.clone());
                }
                group
            } else {
                counts.messages += user_messages(content);
                let result = of_type(list(content), "tool_result").next();
                let owner = result.and_then(|result| owners.remove(text(result, "tool_use_id")));
                owner.filter(|owner| *owner == parent).unwrap_or(own)
            }
        };
        if group != parent && !parent.is_empty() {
            children.entry(parent).or_default().insert(group.clone());
        }
        if !uuid.is_empty() {
            groups.entry(uuid).or_insert(group);
        }
    }
    counts.branches = children.values().filter(|children| children.len() > 1).count();
    counts
}

/// Counts an item of Responses; `answers` while the model goes on.
fn count_item(item: &Value, answers: &mut bool, counts: &mut Counts) {
    const SERVER: [&str; 2] = ["web_search_call", "image_generation_call"];
    let kind = text(item, "type");
    let is_output = kind.ends_with("call_output") || kind == "tool_search_output";
    let is_models = !is_output && (kind != "message" || item["role"] == "assistant");
    counts.messages += usize::from(!(is_models && *answers));
    *answers = is_models;
    counts.results += usize::from(is_output);
    counts.calls += usize::from(kind.ends_with("_call") && !SERVER.contains(&kind));
    let parts = if is_output { list(&item["output"]) } else { list(&item["content"]) };
    counts.images += of_type(parts, "input_image").count();
}

pub(crate) fn codex(bytes: &[u8]) -> Counts {
    let mut counts = Counts::default();
    let mut answers = false;
    for record in records(bytes) {
        let payload = &record["payload"];
        match text(&record, "type") {
            "response_item" if payload["type"] != "ghost_snapshot" => count_item(payload, &mut answers, &mut counts),
            "compacted" => {
                counts.compactions += 1;
                answers = false;
                let summary = text(payload, "message");
                for old in list(&payload["replacement_history"]) {
                    let parts = list(&old["content"]);
                    let repeats = !summary.is_empty()
                        && old["type"] == "message"
                        && parts.len() == 1
                        && text(&parts[0], "text").ends_with(summary);
                    if repeats || old["type"] == "ghost_snapshot" {
                        counts.kept += 1;
                    } else {
                        count_item(old, &mut answers, &mut counts);
                    }
                }
                answers = false;
            }
            _ if payload.is_null() && record["type"].is_string() => count_item(&record, &mut answers, &mut counts),
            _ => counts.kept += 1,
        }
    }
    counts
}

pub(crate) fn chatgpt(bytes: &[u8]) -> Counts {
    let mut counts = Counts::default();
    let file: Value = serde_json::from_slice(bytes).unwrap();
    for conversation in list(&file) {
        counts.kept += 1;
        let nodes = conversation["mapping"].as_object().unwrap();
        for node in nodes.values() {
            let message = &node["message"];
            let parts = list(&message["content"]["parts"]).iter().any(|part| part.is_object() || part != "");
            let role = text(&message["author"], "role");
            let says = parts || ["text", "result"].iter().any(|key| !text(&message["content"], key).is_empty());
            counts.branches += usize::from(list(&node["children"]).len() > 1);
            let above = &nodes.get(text(node, "parent")).map(|parent| &parent["message"]["author"]["role"]);
            if !says {
                counts.kept += 1;
            } else if role != "tool" || *above != Some(&Value::from("tool")) {
                counts.messages += 1;
                counts.results += usize::from(role == "tool");
                counts.calls += usize::from(role == "assistant" && message["recipient"] != "all");
            }
        }
    }
    counts
}

pub(crate) fn anthropic(bytes: &[u8]) -> Counts {
    let file: Value = serde_json::from_slice(bytes).unwrap();
    // The system prompt is a message, and what else stands around the messages is kept.
    let mut counts = Counts { kept: 1, messages: 1, ..Counts::default() };
    for message in list(&file["messages"]) {
        count_blocks(&message["content"], &mut counts);
        counts.messages += if message["role"] == "user" { user_messages(&message["content"]) } else { 1 };
    }
    counts
}

pub(crate) fn openai_chat(bytes: &[u8]) -> Counts {
    let file: Value = serde_json::from_slice(bytes).unwrap();
    let messages = list(&file["messages"]);
    let calls = messages.iter().map(|message| list(&message["tool_calls"]).len()).sum();
    let results = messages.iter().filter(|message| message["role"] == "tool").count();
    Counts { kept: 1, messages: messages.len(), calls, results, ..Counts::default() }
}

/// TanStack's parts: what the assistant says between results is a message each.
pub(crate) fn tanstack(bytes: &[u8]) -> Counts {
    let file: Value = serde_json::from_slice(bytes).unwrap();
    let mut counts = Counts { kept: 1, ..Counts::default() };
    for message in list(&file["messages"]) {
        let mut speaking = false;
        for part in list(&message["parts"]) {
            let is_result = part["type"] == "tool-result";
            counts.messages += usize::from(is_result || !speaking);
            counts.results += usize::from(is_result);
            counts.calls += usize::from(part["type"] == "tool-call");
            speaking = !is_result;
        }
    }
    counts
}
