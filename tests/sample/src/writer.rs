//! Writes entries: ids, parents, times, and the usage that a provider would report.

use std::collections::HashSet;

use crate::clock::Clock;
use crate::json::{Json, object};
use crate::rng::Rng;

/// Tokens of the system prompt and the tools.
const FIXED_TOKENS: u64 = 9_050;

/// A place in the tree that the story can come back to.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) id: String,
    context: u64,
}

/// The session so far.
pub(crate) struct Writer {
    pub(crate) clock: Clock,
    lines: Vec<String>,
    ids: HashSet<String>,
    chance: Rng,
    leaf: Option<String>,
    /// Tokens of the messages on the path.
    context: u64,
    /// Tokens that the provider has cached from the last request.
    cached: u64,
    model: &'static str,
}

impl Writer {
    pub(crate) fn new(seed: u64) -> Self {
        let mut chance = Rng::new(seed);
        let clock = Clock::starting_at(7, 52);
        let id =
            format!("{}-{}-7{}-8{}-{}", chance.hex(8), chance.hex(4), chance.hex(3), chance.hex(3), chance.hex(12));
        let header = object([
            ("type", "session".into()),
            ("version", 3.into()),
            ("id", id.into()),
            ("timestamp", clock.iso().into()),
            ("cwd", "/home/dev/harbor".into()),
            // Neither key is known to the engine; both must survive.
            ("client", object([("name", "quayside".into()), ("build", Json::Raw("1.40e2".into()))])),
            ("terminal", object([("columns", 118.into()), ("locale", "da_DK.UTF-8".into())])),
        ]);
        Self {
            clock,
            lines: vec![header.to_string()],
            ids: HashSet::new(),
            chance,
            leaf: None,
            context: 0,
            cached: 0,
            model: "",
        }
    }

    pub(crate) fn finish(self) -> String {
        let mut text = self.lines.join("\n");
        text.push('\n');
        text
    }

    /// Writes an entry behind the leaf; gives its id.
    pub(crate) fn entry<const N: usize>(&mut self, kind: &str, members: [(&'static str, Json); N]) -> String {
        let id = loop {
            let id = self.chance.hex(8);
            if self.ids.insert(id.clone()) {
                break id;
            }
        };
        let mut entry = object([
            ("type", kind.into()),
            ("id", id.clone().into()),
            ("parentId", self.leaf.take().map_or(Json::Null, Json::Text)),
            ("timestamp", self.clock.iso().into()),
        ]);
        for (key, value) in members {
            entry.push(key, value);
        }
        self.lines.push(entry.to_string());
        self.leaf = Some(id.clone());
        id
    }

    /// Writes a message that the model sees; its role and content are given.
    pub(crate) fn message(&mut self, mut message: Json, weight: u64) -> String {
        self.context += weight;
        message.push("timestamp", self.clock.millis());
        self.entry("message", [("message", message)])
    }

    /// The same for an assistant turn: the usage is that of a request with everything before it.
    pub(crate) fn assistant(&mut self, content: Vec<Json>, output: u64, stop: &str) -> String {
        let prompt = FIXED_TOKENS + self.context;
        let input = self.chance.between(3, 11);
        let read = self.cached.min(prompt - input);
        self.cached = prompt;
        self.context += output;
        let usage = usage(input, output, read, prompt - input - read);
        let mut message = self.turn(content, usage, stop);
        message.push("responseId", format!("msg_{}", self.chance.token(24)));
        message.push("timestamp", self.clock.millis());
        self.entry("message", [("message", message)])
    }

    /// An assistant turn that went wrong: nothing is billed and the model never sees it again.
    pub(crate) fn lost_turn(&mut self, content: Vec<Json>, stop: &str, error: &str) -> String {
        let mut message = self.turn(content, usage(0, 0, 0, 0), stop);
        message.push("errorMessage", error);
        message.push("timestamp", self.clock.millis());
        self.entry("message", [("message", message)])
    }

    fn turn(&self, content: Vec<Json>, usage: Json, stop: &str) -> Json {
        object([
            ("role", "assistant".into()),
            ("content", content.into()),
            ("api", "messages".into()),
            ("provider", "northlight".into()),
            ("model", self.model.into()),
            ("usage", usage),
            ("stopReason", stop.into()),
        ])
    }

    /// From here on another model answers, whose cache is empty.
    pub(crate) fn change_model(&mut self, model: &'static str) {
        self.model = model;
        self.cached = 0;
        self.entry("model_change", [("provider", "northlight".into()), ("modelId", model.into())]);
    }

    /// The provider has forgotten the prefix, as after a long break.
    pub(crate) fn cool_down(&mut self) {
        self.cached = 0;
    }

    pub(crate) fn place(&self) -> Place {
        Place { id: self.leaf.clone().unwrap_or_default(), context: self.context }
    }

    pub(crate) fn go_back(&mut self, place: &Place) {
        self.leaf = Some(place.id.clone());
        self.context = place.context;
        self.cached = self.cached.min(FIXED_TOKENS + place.context);
    }

    /// Writes a compaction that keeps what came behind a place, the entry `first_kept` being the first of it.
    pub(crate) fn fold(&mut self, first_kept: &str, before: &Place, summary: &str, short: &str) {
        let size = FIXED_TOKENS + self.context;
        self.entry(
            "compaction",
            [
                ("summary", summary.into()),
                ("shortSummary", short.into()),
                ("firstKeptEntryId", first_kept.into()),
                ("tokensBefore", size.into()),
                ("details", object([("readFiles", Json::List(vec![])), ("modifiedFiles", Json::List(vec![]))])),
            ],
        );
        self.context = tokens(summary) + 60 + (self.context - before.context);
        self.cached = 0;
    }

    /// Adds text that reaches the model by another way than a message entry.
    pub(crate) fn weigh(&mut self, tokens: u64) {
        self.context += tokens;
    }
}

fn usage(input: u64, output: u64, read: u64, write: u64) -> Json {
    // Prices in hundred-millionths of a dollar a token.
    let parts = [input * 300, output * 1_500, read * 30, write * 375];
    let [i, o, r, w] = parts.map(|part| Json::Raw(dollars(part)));
    object([
        ("input", input.into()),
        ("output", output.into()),
        ("cacheRead", read.into()),
        ("cacheWrite", write.into()),
        ("totalTokens", (input + output + read + write).into()),
        (
            "cost",
            object([
                ("input", i),
                ("output", o),
                ("cacheRead", r),
                ("cacheWrite", w),
                ("total", Json::Raw(dollars(parts.iter().sum()))),
            ]),
        ),
    ])
}

fn dollars(hundred_millionths: u64) -> String {
    if hundred_millionths == 0 {
        return "0".into();
    }
    let text = format!("{}.{:08}", hundred_millionths / 100_000_000, hundred_millionths % 100_000_000);
    text.trim_end_matches('0').trim_end_matches('.').into()
}

/// Tokens of a text as the provider counts: about 3.6 ASCII characters each, other scripts denser.
pub(crate) fn tokens(text: &str) -> u64 {
    let (ascii, other) = text.chars().fold((0, 0), |(a, o), c| if c.is_ascii() { (a + 1, o) } else { (a, o + 1) });
    ascii * 10 / 36 + other * 7 / 10 + 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_written_without_rounding() {
        assert_eq!((dollars(0), dollars(1), dollars(150_000_000)), ("0".into(), "0.00000001".into(), "1.5".into()));
    }

    #[test]
    fn going_back_takes_the_context_back() {
        let mut writer = Writer::new(1);
        writer.change_model("nl-coder-2");
        let place = writer.place();
        writer.message(object([("role", "user".into()), ("content", "hello".into())]), 500);
        writer.go_back(&place);
        writer.assistant(vec![], 10, "stop");
        let text = writer.finish();
        let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert_eq!(last["parentId"].as_str(), Some(place.id.as_str()));
        assert_eq!(last["message"]["usage"]["totalTokens"], FIXED_TOKENS + 10);
    }
}
