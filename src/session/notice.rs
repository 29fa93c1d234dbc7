//! The text that a model reads in place of a pruned tool output. It says how much was there, which
//! a later load reads again.

use super::jsonl::json_string;
use crate::entry::{Block, Content, ToolResult};

const BEFORE: &str = "[Output truncated - ";
const BEHIND: &str = " tokens]";

/// The notice for an output of so many tokens.
pub(super) fn notice(tokens: u64) -> String {
    format!("{BEFORE}{tokens}{BEHIND}")
}

/// The same as the JSON of a message's content.
pub(super) fn notice_json(tokens: u64) -> String {
    format!(r#"[{{"type":"text","text":{}}}]"#, json_string(&notice(tokens)))
}

/// How many tokens were there before; none where the content is no notice.
pub(super) fn noticed_tokens(content: &Content) -> Option<u64> {
    let mut texts = content.texts();
    let text = texts.next()?;
    text.strip_prefix(BEFORE)?.strip_suffix(BEHIND)?.parse().ok().filter(|_| texts.next().is_none())
}

/// A result of so many tokens with its notice for content.
pub(super) fn pruned_result(result: &ToolResult, tokens: u64, pruned_at: Option<i64>) -> ToolResult {
    ToolResult {
        tool_call_id: result.tool_call_id.clone(),
        tool_name: result.tool_name.clone(),
        content: Content::Blocks(vec![Block::Text(notice(tokens))]),
        is_error: result.is_error,
        pruned: true,
        pruned_at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_says_how_much_was_there() {
        assert_eq!(notice(9_000), "[Output truncated - 9000 tokens]");
        assert_eq!(notice_json(7), r#"[{"type":"text","text":"[Output truncated - 7 tokens]"}]"#);
        for tokens in [0, 1, 9_000, u64::MAX] {
            assert_eq!(noticed_tokens(&Content::Text(notice(tokens))), Some(tokens));
        }
        for other in ["", "[Output truncated - ", "[Output truncated - many tokens]", "[Output truncated - -1 tokens]"]
        {
            assert_eq!(noticed_tokens(&Content::Text(other.to_owned())), None, "{other}");
        }
    }
}
