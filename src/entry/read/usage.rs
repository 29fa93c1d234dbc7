//! From the JSON of a usage to a usage.

use super::super::Usage;
use super::super::field::{Fields, Plain, Target};
use super::whole;

/// Every known field of a usage.
#[derive(Default)]
pub(super) struct UsageFields<'a> {
    input: Plain<'a>,
    output: Plain<'a>,
    cache_read: Plain<'a>,
    cache_write: Plain<'a>,
    total_tokens: Plain<'a>,
}

impl<'de> Fields<'de> for UsageFields<'de> {
    fn target(&mut self, key: &str) -> Target<'_, 'de> {
        match key {
            "input" => Target::Value(&mut self.input),
            "output" => Target::Value(&mut self.output),
            "cacheRead" => Target::Value(&mut self.cache_read),
            "cacheWrite" => Target::Value(&mut self.cache_write),
            "totalTokens" => Target::Value(&mut self.total_tokens),
            _ => Target::Nowhere,
        }
    }
}

impl UsageFields<'_> {
    /// The usage, noting its name once where a part of it has a wrong type and counts as absent.
    pub(super) fn usage(self, wrong: &mut Vec<&'static str>) -> Usage {
        let mut wrong_parts = Vec::new();
        let mut part = |part: Plain<'_>| part.number("message.usage", &mut wrong_parts).map_or(0, whole);
        let usage = Usage {
            input: part(self.input),
            output: part(self.output),
            cache_read: part(self.cache_read),
            cache_write: part(self.cache_write),
            total_tokens: part(self.total_tokens),
        };
        wrong.extend(wrong_parts.first());
        usage
    }
}

#[cfg(test)]
mod tests {
    use crate::entry::{EntryKind, Message, Usage, read_record};

    fn check(json: &str, usage: Usage, wrong: &[&str]) {
        let text = format!(r#"{{"type":"message","message":{{"role":"assistant","content":[],"usage":{json}}}}}"#);
        let (crate::entry::Read::Entry(record), _) = read_record(&text).unwrap() else { panic!("a header") };
        let EntryKind::Message(Message::Assistant(message)) = record.kind else { panic!("another kind") };
        assert_eq!((message.usage, record.wrong_shape.as_slice()), (Some(usage), wrong), "{json}");
    }

    #[test]
    fn a_part_of_a_wrong_type_is_0_and_reported_once() {
        let usage = Usage { output: 3, ..Usage::default() };
        check(r#"{"input":"x","output":3.7,"cacheRead":[],"cacheWrite":-1,"cost":{}}"#, usage, &["message.usage"]);
        check(r#"{"output":3,"input":null}"#, usage, &[]);
    }

    #[test]
    fn the_last_of_a_duplicate_key_counts() {
        check(r#"{"input":"x","input":5}"#, Usage { input: 5, ..Usage::default() }, &[]);
        check(r#"{"input":5,"input":"x"}"#, Usage::default(), &["message.usage"]);
    }
}
