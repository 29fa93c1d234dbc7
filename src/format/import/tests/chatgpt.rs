use super::*;

fn node(id: &str, parent: &str, role: &str, rest: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("{parent:?}") };
    format!(
        "\"{id}\": {{\n \"id\":\"{id}\",\"parent\":{parent},\"children\":[],\"message\":{{\"id\":\"{id}\",\"author\":{{\"role\":\"{role}\",\"name\":\"tool\"}},\"create_time\":1704067200.5,{rest}}}}}"
    )
}

fn said(text: &str) -> String {
    format!(
        r#""content":{{"content_type":"text","parts":["{text}"]}},"recipient":"all","metadata":{{"model_slug":"gpt-4"}}"#
    )
}

fn conversation(id: &str, updated: u32, current: &str, nodes: &[String]) -> String {
    format!(
        r#"{{"id":"{id}","title":"Title {id}","create_time":1,"update_time":{updated},"current_node":"{current}","mapping":{{{}}}}}"#,
        nodes.join(",")
    )
}

#[test]
fn branches_stay_and_the_current_node_is_the_leaf() {
    let tree = [
        r#""n0":{"id":"n0","parent":null,"children":["n1"],"message":null}"#.to_owned(),
        node("n1", "n0", "system", &said("")),
        node("n4", "n3", "assistant", &said("Old answer")),
        node("n2", "n1", "user", &said("First")),
        node("n3", "n2", "assistant", &said("Answer")),
        node("n5", "n2", "assistant", &said("Other answer")),
        node("n6", "n5", "user", &said("Later, not shown")),
    ];
    let (session, report) = import(&format!("[{}]", conversation("c1", 5, "n4", &tree)), None);
    assert_eq!(view(&session), ["user: First", "assistant: Answer", "assistant: Old answer"]);
    assert_eq!((report.format, counts(&session), roots(&session)), ("chatgpt", [5, 0, 0, 1, 0, 0], 1));
    assert_eq!(kept(&report), ["conversation 1", "node 1", "text 1"]);
    assert_eq!(session.entry(session.leaf().unwrap()).unwrap().id.as_ref(), "n4");
    assert_eq!(json(&session, "n4")["message"]["model"], "gpt-4");
    assert_eq!(&*entry(&session, "n4").timestamp, "2024-01-01T00:00:00.500Z");
}

#[test]
fn what_goes_to_a_tool_is_a_call_and_what_comes_back_its_result() {
    let tree = [
        node("n1", "", "user", &said("Search")),
        node(
            "n2",
            "n1",
            "assistant",
            r#""recipient":"browser","content":{"content_type":"code","language":"unknown","text":"search(\"x\")"}"#,
        ),
        node(
            "n3",
            "n2",
            "tool",
            r#""content":{"content_type":"tether_browsing_display","result":"Found","summary":""}"#,
        ),
        node("n4", "n3", "tool", r#""content":{"content_type":"tether_quote","url":"https://x.test","text":"Quoted"}"#),
        node(
            "n5",
            "n4",
            "assistant",
            r#""content":{"content_type":"thoughts","thoughts":[{"summary":"s","content":"hm"}]}"#,
        ),
        node("n6", "n5", "assistant", r#""content":{"content_type":"reasoning_recap","content":"Thought for 5s"}"#),
        node("n7", "n6", "assistant", &said("Here")),
        node(
            "n8",
            "n7",
            "user",
            r#""content":{"content_type":"multimodal_text","parts":[{"content_type":"image_asset_pointer","asset_pointer":"file-service://f1","width":2},"What is it?"]}"#,
        ),
        node(
            "n9",
            "n8",
            "assistant",
            r#""recipient":"python","content":{"content_type":"code","text":"{\"code\":1}"}"#,
        ),
        node("n10", "n9", "tool", r#""content":{"content_type":"system_error","name":"e","text":"Broken"}"#),
        node("n11", "n10", "assistant", &said("Sorry")),
        node("n12", "n11", "tool", r#""content":{"content_type":"text","parts":["Unasked"]}"#),
    ];
    let (session, report) = import(&conversation("c1", 5, "n12", &tree), None);
    assert_eq!(
        view(&session),
        [
            "user: Search",
            r#"assistant: n2 browser{"input":"search(\"x\")"}"#,
            "result n2 tool: Found | Quoted",
            // Reasoning alone is no message for a provider.
            "assistant: Here",
            "user: [image_asset_pointer: file-service://f1] | What is it?",
            r#"assistant: n9 python{"code":1}"#,
            "error n9 tool: Broken",
            "assistant: Sorry",
            "custom: Unasked"
        ]
    );
    assert_eq!(
        (counts(&session), kept(&report)),
        ([10, 2, 2, 0, 0, 0], vec!["conversation 1".into(), "reasoning_recap 1".into()])
    );
    assert_eq!(json(&session, "n5")["message"]["content"][0]["thinking"], "hm");
    assert_eq!(json(&session, "n8")["message"]["content"][0]["chatgpt"]["is"]["width"], 2);
}

#[test]
fn each_conversation_is_a_root_and_the_newest_is_opened() {
    let one = conversation(
        "c1",
        9,
        "a2",
        &[
            node("a1", "", "user", &said("New")),
            node("a2", "a1", "assistant", &said("Yes")),
            node("a3", "a2", "user", &said("Unsent")),
        ],
    );
    let two = conversation(
        "c2",
        5,
        "b1",
        &[node("b1", "", "user", &said("Old")), node("a1", "b1", "user", &said("Same id"))],
    );
    let (session, report) = import(&format!("[{one},{two}]"), None);
    assert_eq!((roots(&session), view(&session)), (2, vec!["user: New".to_owned(), "assistant: Yes".into()]));
    assert_eq!((session.id(), faults(&report)), (Some("c1"), vec![(Some(2), "duplicate-id")]));
    let leaf = json(&session, &session.entry(session.leaf().unwrap()).unwrap().id.clone());
    assert_eq!([&leaf["type"], &leaf["parentId"], &leaf["name"]], ["session_info", "a2", "Title c1"]);
}

#[test]
fn nodes_that_lead_nowhere_or_in_a_circle_are_kept_below_their_conversation() {
    let tree = [
        node("n1", "gone", "user", &said("Astray")),
        node("n2", "n4", "user", &said("Circle")),
        node("n3", "n2", "assistant", &said("of")),
        node("n4", "n3", "user", &said("three")),
        node("n5", "n5", "user", &said("Own parent")),
    ];
    let (session, report) = import(&conversation("c1", 5, "n1", &tree), None);
    assert_eq!((session.counts().messages, roots(&session), faults(&report).len()), (5, 1, 3));
    assert_eq!(view(&session), ["user: Astray"]);
}
