//! Sentences of a text, and the words that say what a sentence is about.

use crate::llm::{shorten, utf16_length};
use crate::summary::lower::lower;

/// No text is looked at further than this, in bytes.
const LOOKED_AT: usize = 20_000;

/// The sentences of a text, each on one line; code blocks are passed over.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = String> {
    let text = start(text, LOOKED_AT);
    let mut fenced = false;
    text.lines().flat_map(move |line| {
        let line = line.trim();
        let fence = line.starts_with("```") || line.starts_with("~~~");
        fenced ^= fence;
        let prose = if fenced || fence { "" } else { without_list_mark(line) };
        split(prose).map(|sentence| sentence.split_whitespace().collect::<Vec<_>>().join(" "))
    })
}

/// A line without the mark of a list, a quote or a heading before it.
fn without_list_mark(line: &str) -> &str {
    let text = line.trim_start_matches(['-', '*', '+', '>', '#', '•', ' ']);
    let text = if line.starts_with("**") { line } else { text };
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    match text.get(digits..).and_then(|rest| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))) {
        Some(rest) if (1..=2).contains(&digits) => rest.trim_start(),
        _ => text,
    }
}

/// Splits one line behind the marks that end a sentence.
fn split(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let text = rest.trim_start();
        if text.is_empty() {
            return None;
        }
        let mut characters = text.char_indices().peekable();
        while let Some((place, character)) = characters.next() {
            let wide = matches!(character, '。' | '！' | '？' | '।' | '؟');
            let narrow = matches!(character, '.' | '!' | '?')
                && characters.peek().is_none_or(|(_, next)| next.is_whitespace())
                && !ends_in_abbreviation(text.get(..place).unwrap_or_default());
            let end = place + character.len_utf8();
            if (wide || narrow) && characters.peek().is_none_or(|(_, next)| !matches!(next, '！' | '？' | '!' | '?'))
            {
                rest = text.get(end..).unwrap_or_default();
                return text.get(..end);
            }
        }
        rest = "";
        Some(text)
    })
}

fn ends_in_abbreviation(before: &str) -> bool {
    let word =
        before.rsplit(|character: char| character.is_whitespace() || character == '(').next().unwrap_or_default();
    matches!(word, "e.g" | "i.e" | "etc" | "vs" | "cf" | "z.B" | "d.h" | "bzw" | "ca")
}

/// The start of a text in characters, with `…` where it was cut.
pub(super) fn clip(text: &str, characters: usize) -> String {
    let (all, left_out) = shorten(text, characters);
    if left_out == 0 {
        return all.to_owned();
    }
    let (kept, _) = shorten(text, characters.saturating_sub(1));
    // A word is kept whole where one ends near the cut.
    let kept = match kept.rfind(char::is_whitespace) {
        Some(place) if utf16_length(kept.get(place..).unwrap_or_default()) < characters / 4 => {
            kept.get(..place).unwrap_or(kept)
        }
        _ => kept,
    };
    format!("{}…", kept.trim_end())
}

/// At most that many bytes of the start of a text.
pub(super) fn start(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// At most that many bytes of the end of a text.
pub(super) fn end(text: &str, bytes: usize) -> &str {
    let mut start = text.len().saturating_sub(bytes);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..).unwrap_or_default()
}

/// The words of a text that could name what it is about, in lower case.
pub(super) fn words(text: &str) -> Vec<String> {
    text.split(|character: char| !(character.is_alphanumeric() || character == '_'))
        .filter(|word| if word.is_ascii() { word.len() >= 4 } else { word.chars().count() >= 2 })
        .map(lower)
        .collect()
}

/// Words of a demand, a ban or a wish. Those of Latin script count as whole words.
const DEMANDS: [&str; 42] = [
    "must",
    "mustn't",
    "never",
    "always",
    "don't",
    "dont",
    "do not",
    "should",
    "shouldn't",
    "only",
    "avoid",
    "prefer",
    "preferably",
    "make sure",
    "ensure",
    "without",
    "required",
    "require",
    "use",
    "keep",
    "no need",
    "not allowed",
    "at most",
    "at least",
    "instead of",
    "important",
    "muss",
    "müssen",
    "nie",
    "niemals",
    "immer",
    "nicht",
    "nur",
    "jamais",
    "toujours",
    "doit",
    "nunca",
    "siempre",
    "debe",
    "sempre",
    "deve",
    "mai",
];

/// The same in scripts that are not Latin, found anywhere in a sentence.
const DEMANDS_ANYWHERE: [&str; 36] = [
    "必须",
    "必須",
    "不要",
    "不能",
    "不得",
    "禁止",
    "总是",
    "總是",
    "请使用",
    "請使用",
    "使用",
    "只能",
    "务必",
    "避免",
    "必ず",
    "ないで",
    "ください",
    "常に",
    "のみ",
    "使って",
    "반드시",
    "마세요",
    "항상",
    "하지 마",
    "должен",
    "должна",
    "нельзя",
    "никогда",
    "всегда",
    "только",
    "يجب",
    "دائما",
    "فقط",
    "चाहिए",
    "हमेशा",
    "कभी नहीं",
];

/// Words with which a model says what it settled on, and why.
const DECISIONS: [&str; 19] = [
    "decided",
    "decision",
    "chose",
    "choose",
    "going with",
    "settled on",
    "instead of",
    "rather than",
    "root cause",
    "turns out",
    "the fix is",
    "the reason",
    "because",
    "trade-off",
    "决定",
    "原因",
    "決め",
    "решил",
    "결정",
];

/// Words with which a model says what comes next.
const NEXT: [&str; 8] =
    ["next step", "todo", "still need", "still to do", "left to do", "remains to", "下一步", "次は"];

/// Whether a sentence of the user demands, forbids or prefers something.
pub(super) fn is_demand(sentence: &str) -> bool {
    let lower = lower(sentence).replace('’', "'");
    DEMANDS.iter().any(|cue| has_word(&lower, cue)) || DEMANDS_ANYWHERE.iter().any(|cue| lower.contains(cue))
}

/// Whether a sentence of the model says what it settled on.
pub(super) fn is_decision(sentence: &str) -> bool {
    let lower = lower(sentence);
    DECISIONS.iter().any(|cue| lower.contains(cue)) && !is_question(sentence)
}

/// Whether a sentence of the model says what comes next.
pub(super) fn is_next_step(sentence: &str) -> bool {
    let lower = lower(sentence);
    (lower.starts_with("next ") || lower.starts_with("next, ") || NEXT.iter().any(|cue| lower.contains(cue)))
        && !is_question(sentence)
}

fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(place, _)| {
        let letter = |character: char| character.is_alphanumeric() || character == '_';
        let before = text.get(..place).and_then(|before| before.chars().next_back());
        let after = text.get(place + word.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(letter) && !after.is_some_and(letter)
    })
}

/// Whether a text ends with a question.
pub(super) fn is_question(text: &str) -> bool {
    let text =
        text.trim_end_matches(|mark: char| mark.is_whitespace() || matches!(mark, '*' | '_' | '"' | ')' | '”' | '」'));
    text.ends_with(['?', '？', '؟'])
}

/// Whether a line of output looks like an error.
pub(super) fn is_error_line(line: &str) -> bool {
    let mut lower = lower(start(line, 400));
    // A report that nothing went wrong is no error.
    for none in ["0 failed", "0 failures", "0 errors", "no errors", "no failures"] {
        let counted = |at: usize| lower.get(..at).is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit()));
        if lower.find(none).is_some_and(|at| !counted(at)) {
            lower = lower.replacen(none, "", 1);
        }
    }
    [
        "error:",
        "error[",
        "error ",
        "exception",
        "panicked at",
        "fatal:",
        "failed",
        "failure",
        "traceback",
        "cannot ",
        "not found",
        "no such file",
        "permission denied",
        "undefined reference",
        "assertion",
        "ошибка",
        "错误",
        "エラー",
    ]
    .iter()
    .any(|cue| lower.contains(cue))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(sentences(text).collect::<Vec<_>>(), expected, "{text:?}");
    }

    #[test]
    fn a_report_that_nothing_failed_is_no_error() {
        for (line, is_error) in [
            ("19 passed, 0 failed", false),
            ("19 passed, 10 failed", true),
            ("finished with no errors", false),
            ("0 failures, 1 error: x", true),
            ("test a ... FAILED", true),
        ] {
            assert_eq!(is_error_line(line), is_error, "{line}");
        }
    }

    #[test]
    fn sentences_in_several_scripts() {
        check("Fix a.ts now. Then  test!\n\nOk?", &["Fix a.ts now.", "Then test!", "Ok?"]);
        check("修复解析器。不要改词法分析器！", &["修复解析器。", "不要改词法分析器！"]);
        check("ठीक करो। फिर जाँचो", &["ठीक करो।", "फिर जाँचो"]);
        check("- one\n2. two\n> three\n# Four", &["one", "two", "three", "Four"]);
        check("Use e.g. this. Done", &["Use e.g. this.", "Done"]);
        check("a\n```\ncode. x\n```\nb", &["a", "b"]);
        check("What?! Yes", &["What?!", "Yes"]);
        check(" \n ", &[]);
    }

    #[test]
    fn demands_are_whole_words() {
        for text in
            ["You must not.", "Never!", "please don’t", "use tabs", "必须用中文", "Нельзя менять", "Nutze nie npm"]
        {
            assert!(is_demand(text), "{text}");
        }
        for text in ["The mustard is user-made", "Fix it", "reuse of parts", "修复它"] {
            assert!(!is_demand(text), "{text}");
        }
    }

    #[test]
    fn questions_in_several_scripts() {
        for text in ["Ok?", "**Ok?**\n", "好吗？", "حسنا؟", "(Really?)"] {
            assert!(is_question(text), "{text}");
        }
        assert!(!is_question("Ok. Really? Yes."));
        assert!(!is_question("let a;"));
    }

    #[test]
    fn a_clip_keeps_words_and_clusters() {
        assert_eq!(clip("one two three", 9), "one two…");
        assert_eq!(clip("one", 3), "one");
        assert_eq!(clip("ab👨‍👩‍👧‍👦", 6), "ab…");
        assert_eq!(clip("中文中文", 3), "中文…");
    }
}
