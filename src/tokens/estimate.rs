//! Token estimates of texts and messages.

use super::attachment::attachment_tokens;
use super::image::image_tokens;
use super::rule::{TextRule, TokenRule};
use super::text::estimated_hundredths;
use crate::entry::{Block, Content, Execution, Image, Message};

/// Hundredths of a token for a UTF-16 unit by the historical rule.
const CLASSIC_RATE: u64 = 25;

/// What a message is estimated to take, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TokenEstimate {
    /// All of it.
    pub tokens: u64,
    /// The part that is reasoning, which a provider may not see again.
    pub reasoning: u64,
    /// The part that files take, as PDFs and audio, which no tokenizer counts.
    pub files: u64,
}

/// Estimates a text, in tokens.
pub fn estimate_text(text: &str, rule: TokenRule) -> u64 {
    hundredths(text, rule).div_ceil(100)
}

/// The same in hundredths of a token, so that parts can be added before they are rounded.
fn hundredths(text: &str, rule: TokenRule) -> u64 {
    match rule.text {
        TextRule::Classic => utf16_length(text) * CLASSIC_RATE,
        TextRule::ByScript => estimated_hundredths(text),
        TextRule::Exact(tokenizer) => 100 * tokenizer.count(text),
    }
}

/// Estimates a message, in tokens. What the model never sees counts nothing.
pub fn estimate_message(message: &Message, rule: TokenRule) -> TokenEstimate {
    estimate_message_by(message, rule, &mut |text| hundredths(text, rule))
}

/// The same with texts counted by someone else, in hundredths of a token, in the order of the message.
pub(crate) fn estimate_message_by(
    message: &Message,
    rule: TokenRule,
    text: &mut dyn FnMut(&str) -> u64,
) -> TokenEstimate {
    let mut reasoning = 0;
    let classic = rule.text == TextRule::Classic;
    let image = |image: &Image| 100 * image_tokens(image, rule.images);
    let content = |content: &Content, with_images: bool, text: &mut dyn FnMut(&str) -> u64| {
        let images = content.images().filter(|_| with_images).map(image).sum::<u64>();
        content.texts().map(text).sum::<u64>() + images
    };
    let execution =
        |execution: &Execution, text: &mut dyn FnMut(&str) -> u64| text(&execution.source) + text(&execution.output);
    let sum: u64 = match message {
        Message::User { content: blocks } => content(blocks, !classic, text),
        Message::Assistant(assistant) => assistant
            .content
            .iter()
            .map(|block| match block {
                Block::Text(part) => text(part),
                Block::Thinking(thinking) => {
                    let tokens = text(&thinking.text);
                    reasoning += tokens;
                    tokens
                }
                Block::ToolCall(call) if classic => {
                    text(&call.name) + stringified_length(&call.arguments) * CLASSIC_RATE
                }
                Block::ToolCall(call) => text(&call.name) + text(&call.arguments),
                Block::Image(part) if !classic => image(part),
                Block::Image(_) | Block::Attachment(_) | Block::Unknown => 0,
            })
            .sum(),
        Message::ToolResult(result) => content(&result.content, true, text),
        Message::Custom { content: blocks, .. } => content(blocks, true, text),
        Message::BashExecution(run) if classic => execution(run, text),
        Message::BashExecution(run) | Message::PythonExecution(run) => {
            if classic || run.exclude_from_context {
                0
            } else {
                execution(run, text)
            }
        }
        Message::FileMention { .. } if classic => 0,
        Message::FileMention { files } => {
            files.iter().map(|file| text(&file.path) + text(&file.content) + file.image.as_ref().map_or(0, image)).sum()
        }
        Message::BranchSummary { summary } | Message::CompactionSummary { summary } => text(summary),
        Message::Unknown => 0,
    };
    let blocks = match message {
        Message::User { content } | Message::Custom { content } => content.blocks(),
        Message::Assistant(assistant) => &assistant.content,
        Message::ToolResult(result) => result.content.blocks(),
        _ => &[],
    };
    let files = blocks.iter().map(|block| match block {
        // The historical rule knows no files.
        Block::Attachment(file) if !classic => attachment_tokens(file, rule.images),
        _ => 0,
    });
    let files = files.sum::<u64>();
    let sum = sum + 100 * files;
    TokenEstimate { tokens: sum.div_ceil(100), reasoning: reasoning.div_ceil(100), files }
}

/// The length of a text in UTF-16 units, which is what "characters" means throughout.
pub fn utf16_length(text: &str) -> u64 {
    if text.is_ascii() { text.len() as u64 } else { text.chars().map(|c| c.len_utf16() as u64).sum() }
}

/// The length in UTF-16 units that JSON text has once it is parsed and stringified again, without
/// white space and with the shortest escapes; numbers count as they are written.
fn stringified_length(json: &str) -> u64 {
    let mut length = 0;
    let mut in_string = false;
    let mut chars = json.chars();
    while let Some(c) = chars.next() {
        if !in_string {
            in_string = c == '"';
            length += u64::from(!c.is_ascii_whitespace());
            continue;
        }
        match c {
            '\\' => {
                let escaped = chars.next();
                length += match escaped {
                    Some('/') => 1,
                    Some('u') => unicode_escape_length(chars.by_ref().take(4)),
                    _ => 2,
                };
            }
            '"' => {
                in_string = false;
                length += 1;
            }
            c => length += c.len_utf16() as u64,
        }
    }
    length
}

fn unicode_escape_length(digits: impl Iterator<Item = char>) -> u64 {
    let unit = digits.fold(0, |unit, digit| unit * 16 + digit.to_digit(16).unwrap_or(0));
    match unit {
        0x08 | 0x09 | 0x0a | 0x0c | 0x0d | 0x22 | 0x5c => 2,
        0..0x20 => 6,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::super::ONE_TOKEN;
    use super::*;

    /// A PNG of 40 by 30 pixels, as far as it says so.
    const SMALL_PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAACgAAAAeCAYAAAA=";

    /// Holds the tokens of a message by both rules.
    fn check(json: &str, by_script: u64, classic: u64) {
        let message = Message::from_json(json).unwrap();
        let tokens = |rule| estimate_message(&message, rule).tokens;
        assert_eq!((tokens(TokenRule::BY_SCRIPT), tokens(TokenRule::CLASSIC)), (by_script, classic), "{json}");
    }

    #[test]
    fn images_count_by_size_wherever_they_stand_and_classic_knows_no_sizes() {
        let image = format!(r#"{{"type":"image","data":"{SMALL_PNG}","mimeType":"image/png"}}"#);
        check(&format!(r#"{{"role":"user","content":[{image},{image}]}}"#), 8, 0);
        check(&format!(r#"{{"role":"toolResult","content":[{image}]}}"#), 4, 1_200);
        check(&format!(r#"{{"role":"custom","content":[{image}]}}"#), 4, 1_200);
        check(&format!(r#"{{"role":"assistant","content":[{image}]}}"#), 4, 0);
        check(&format!(r#"{{"role":"fileMention","files":[{{"path":"","content":"","image":{image}}}]}}"#), 4, 0);
        let escaped = SMALL_PNG.replace('/', "\\/").replace("AAAN", "\\nAA\\u0041N");
        check(&format!(r#"{{"role":"user","content":[{{"type":"image","data":"{escaped}"}}]}}"#), 4, 0);
    }

    #[test]
    fn every_role_counts_and_classic_has_its_zeros() {
        check(r#"{"role":"user","content":"but but "}"#, 2, 2);
        check(
            r#"{"role":"user","content":[{"type":"text","text":"but "},{"type":"image","data":"AAAA","mimeType":"image/png"}]}"#,
            1_201,
            1,
        );
        check(
            r#"{"role":"toolResult","content":[{"type":"text","text":"but "},{"type":"text","text":"but "},{"type":"image"}]}"#,
            1_202,
            1_202,
        );
        check(r#"{"role":"bashExecution","command":"but ","output":"but "}"#, 2, 2);
        check(r#"{"role":"bashExecution","command":"but ","output":"but ","excludeFromContext":true}"#, 0, 2);
        check(r#"{"role":"pythonExecution","code":"but ","output":"but "}"#, 2, 0);
        check(r#"{"role":"fileMention","files":[{"path":"but ","content":"but but "}]}"#, 3, 0);
        check(r#"{"role":"custom","content":"but "}"#, 1, 1);
        check(r#"{"role":"hookMessage","content":"but "}"#, 1, 1);
        check(r#"{"role":"branchSummary","summary":"but "}"#, 1, 1);
        check(r#"{"role":"compactionSummary","summary":"but "}"#, 1, 1);
        check(r#"{"role":"something","content":"but "}"#, 0, 0);
    }

    #[test]
    fn an_assistant_counts_texts_reasoning_and_calls() {
        let arguments = r#"{"p":"but "}"#;
        let json = format!(
            r#"{{"role":"assistant","content":[{{"type":"text","text":"but "}},{{"type":"thinking","thinking":"but but "}},{{"type":"toolCall","id":"a","name":"but ","arguments":{arguments}}}]}}"#
        );
        check(&json, 4 + estimate_text(arguments, TokenRule::BY_SCRIPT), 4 + 3);
        let estimate = estimate_message(&Message::from_json(&json).unwrap(), TokenRule::BY_SCRIPT);
        assert_eq!(estimate.reasoning, 2);
    }

    #[test]
    fn arguments_count_as_they_would_be_stringified() {
        for (json, length) in [
            (r#"{ "a" : 1 }"#, 7),
            (r#"{"a":"\u00e9\/"}"#, 10),
            (r#"{"a":"\u0007"}"#, 14),
            (r#"{"a":"\u000a"}"#, 10),
            (r#""é\n😀""#, 7),
            ("", 0),
        ] {
            assert_eq!(stringified_length(json), length, "{json}");
        }
    }

    #[test]
    fn estimates_stay_linear() {
        for length in [4, 200_000, 260_000, 4_000_000] {
            let text = ONE_TOKEN.repeat(length / 4);
            assert_eq!(estimate_text(&text, TokenRule::CLASSIC), length as u64 / 4);
            assert_eq!(estimate_text(&text, TokenRule::BY_SCRIPT), length as u64 / 4);
        }
    }

    #[test]
    fn an_estimate_of_real_scripts_lies_near_the_exact_count() {
        let exact = tiktoken_rs::o200k_base().unwrap();
        for (script, text) in [
            ("Han", "我们需要在下一次发布之前修复这个错误。请先阅读配置文件，然后检查数据库连接是否正常。"),
            ("Kana", "ひらがなだけでかかれたぶんしょうはすこしよみにくいです。コンピュータープログラムヲテストスル。"),
            ("Hangul", "다음 릴리스 전에 이 오류를 수정해야 합니다. 먼저 설정 파일을 읽고 연결을 확인해 주세요."),
            ("Devanagari", "हमें अगले संस्करण से पहले इस त्रुटि को ठीक करना होगा। कृपया पहले विन्यास फ़ाइल पढ़ें।"),
            ("Cyrillic", "Нам нужно исправить эту ошибку до следующего выпуска. Сначала прочитайте файл настроек."),
            ("Arabic", "يجب أن نصلح هذا الخطأ قبل الإصدار القادم. اقرأ ملف الإعدادات أولا ثم تحقق من الاتصال."),
            ("Thai", "เราต้องแก้ไขข้อผิดพลาดนี้ก่อนการเปิดตัวครั้งต่อไป กรุณาอ่านไฟล์การตั้งค่าก่อน"),
            ("emoji", "😀😃😄🎉🚀📥🔥💡🐛✅❌👍🏽🧪📦🤖🦀🥺"),
        ] {
            let text = text.repeat(20);
            let ratio = estimate_text(&text, TokenRule::BY_SCRIPT) as f64 / exact.count_ordinary(&text) as f64;
            assert!((0.8..=1.25).contains(&ratio), "{script}: {ratio:.2}");
        }
    }
}
