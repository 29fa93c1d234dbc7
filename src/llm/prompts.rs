//! Every text of `prompts/compaction/`, included at compile time. A text that nothing uses is a
//! compiler warning here; a file that is not listed fails a test.

/// Around the summary of earlier history.
pub(crate) const COMPACTION_SUMMARY_CONTEXT: &str =
    include_str!("../../prompts/compaction/compaction-summary-context.md");
/// Around the summary of an abandoned branch.
pub(crate) const BRANCH_SUMMARY_CONTEXT: &str = include_str!("../../prompts/compaction/branch-summary-context.md");
/// The system prompt of every summary request.
pub(crate) const SUMMARIZATION_SYSTEM: &str = include_str!("../../prompts/compaction/summarization-system.md");
/// Asks for the first summary.
pub(crate) const COMPACTION_SUMMARY: &str = include_str!("../../prompts/compaction/compaction-summary.md");
/// Asks for a previous summary brought up to date.
pub(crate) const COMPACTION_UPDATE_SUMMARY: &str =
    include_str!("../../prompts/compaction/compaction-update-summary.md");
/// Asks for the beginning of a turn whose end is kept.
pub(crate) const COMPACTION_TURN_PREFIX: &str = include_str!("../../prompts/compaction/compaction-turn-prefix.md");
/// Asks for the summary of a branch that was left.
pub(crate) const BRANCH_SUMMARY: &str = include_str!("../../prompts/compaction/branch-summary.md");
/// Stands before the stored summary of a branch.
pub(crate) const BRANCH_SUMMARY_PREAMBLE: &str = include_str!("../../prompts/compaction/branch-summary-preamble.md");
/// Follows the instructions where the beginning of a turn, or a branch, comes in parts.
pub(crate) const SUMMARY_PART: &str = include_str!("../../prompts/compaction/summary-part.md");
/// Asks for two or three sentences for a screen.
pub(crate) const COMPACTION_SHORT_SUMMARY: &str = include_str!("../../prompts/compaction/compaction-short-summary.md");
/// Asks again after a reply that could not be used.
pub(crate) const SUMMARY_RETRY: &str = include_str!("../../prompts/compaction/summary-retry.md");
/// The file lists at the end of a summary.
pub(crate) const FILE_OPERATIONS: &str = include_str!("../../prompts/compaction/file-operations.md");

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [(&str, &str, &[&str]); 12] = [
        ("compaction-summary-context.md", COMPACTION_SUMMARY_CONTEXT, &["summary"]),
        ("branch-summary-context.md", BRANCH_SUMMARY_CONTEXT, &["summary"]),
        ("summarization-system.md", SUMMARIZATION_SYSTEM, &[]),
        ("compaction-summary.md", COMPACTION_SUMMARY, &[]),
        ("compaction-update-summary.md", COMPACTION_UPDATE_SUMMARY, &[]),
        ("compaction-turn-prefix.md", COMPACTION_TURN_PREFIX, &[]),
        ("branch-summary.md", BRANCH_SUMMARY, &[]),
        ("branch-summary-preamble.md", BRANCH_SUMMARY_PREAMBLE, &[]),
        ("summary-part.md", SUMMARY_PART, &[]),
        ("compaction-short-summary.md", COMPACTION_SHORT_SUMMARY, &[]),
        ("summary-retry.md", SUMMARY_RETRY, &["reason"]),
        ("file-operations.md", FILE_OPERATIONS, &["read-files", "modified-files"]),
    ];

    #[test]
    fn every_file_is_included() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/prompts/compaction");
        let mut files: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        files.sort();
        let mut included: Vec<&str> = ALL.iter().map(|(name, ..)| *name).collect();
        included.sort_unstable();
        assert_eq!(files, included);
    }

    #[test]
    fn every_placeholder_is_known_and_used_once() {
        for (name, text, placeholders) in ALL {
            assert_eq!(text.matches("{{").count(), placeholders.len(), "{name}");
            for placeholder in placeholders {
                assert_eq!(text.matches(&format!("{{{{{placeholder}}}}}")).count(), 1, "{name}: {placeholder}");
            }
            assert!(!text.trim().is_empty() && text.ends_with('\n') && !text.contains('\r'), "{name}");
        }
    }

    #[test]
    fn instructions_name_no_tag_so_that_each_stands_once_in_a_request() {
        for (name, text, placeholders) in ALL {
            if placeholders.is_empty() || name == "summary-retry.md" {
                assert_eq!(crate::llm::escape_tags(text), text, "{name}");
            }
        }
    }

    #[test]
    fn summaries_ask_for_every_heading_in_order() {
        for text in [COMPACTION_SUMMARY, COMPACTION_UPDATE_SUMMARY, BRANCH_SUMMARY] {
            let mut rest = text;
            for heading in [
                "\n## Goal\n",
                "\n## Constraints & Preferences\n",
                "\n## Progress\n",
                "\n### Done\n",
                "\n### In Progress\n",
                "\n### Blocked\n",
                "\n## Key Decisions\n",
                "\n## Next Steps\n",
                "\n## Critical Context\n",
            ] {
                rest = rest.split_once(heading).unwrap_or_else(|| unreachable!("{heading:?} is missing")).1;
            }
            assert!(text.contains("verbatim"));
        }
    }
}
