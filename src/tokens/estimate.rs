//! Token estimates of texts and messages.

use super::script::{BLOB_RATE, LATIN_RATE, blob_length, rate};
use crate::entry::{Block, Content, Execution, Image, Message, PixelSize};

/// Tokens of an image whose size is unknown, and of every image by the historical rule.
pub const IMAGE_TOKENS: u64 = 1_200;

/// What Anthropic's guide to images states (docs.claude.com, "Vision", read in 2025): an image takes
/// its width times its height, in pixels, divided by 750; before that it is made smaller until its
/// long side has at most 1 568 pixels and its area about 1.15 megapixels. Other providers count the
/// same images in tiles, with figures of the same order.
const PIXELS_PER_TOKEN: u64 = 750;
const LONGEST_SIDE: u64 = 1_568;
const LARGEST_AREA: u64 = 1_150_000;

/// What an image takes, in tokens: by its size, never by the length of its data.
fn image_tokens(image: &Image) -> u64 {
    let Some(PixelSize { width, height }) = image.size else { return IMAGE_TOKENS };
    let long = u64::from(width.max(height));
    let short = u64::from(width.min(height));
    // Both sides shrink by the same factor, so the area shrinks by its square.
    let area = if long > LONGEST_SIDE { short * LONGEST_SIDE * LONGEST_SIDE / long } else { short * long };
    area.min(LARGEST_AREA).div_ceil(PIXELS_PER_TOKEN).max(1)
}

/// How tokens are estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EstimateRule {
    /// By script and content; every role that the model sees counts.
    ByScript,
    /// UTF-16 units / 4, with the zeros of the historical rule: code executions, file mentions and
    /// images of users count nothing.
    Classic,
}

/// What a message is estimated to take, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TokenEstimate {
    /// All of it.
    pub tokens: u64,
    /// The part that is reasoning, which a provider may not see again.
    pub reasoning: u64,
}

/// Estimates a text, in tokens.
pub fn estimate_text(text: &str, rule: EstimateRule) -> u64 {
    hundredths(text, rule).div_ceil(100)
}

/// The same in hundredths of a token, so that parts can be added before they are rounded.
fn hundredths(text: &str, rule: EstimateRule) -> u64 {
    let blob_surplus = |text: &str| blob_length(text) as u64 * (BLOB_RATE - LATIN_RATE);
    match rule {
        EstimateRule::Classic => utf16_length(text) * LATIN_RATE,
        EstimateRule::ByScript => script_rates(text) + blob_surplus(text),
    }
}

/// The rates of all characters. Nearly all text is ASCII with a few other characters in it, so what
/// is ASCII is only counted.
fn script_rates(text: &str) -> u64 {
    let mut sum = 0;
    let mut rest = text;
    loop {
        let latin = ascii_length(rest.as_bytes());
        sum += latin as u64 * LATIN_RATE;
        let mut others = rest.get(latin..).unwrap_or_default().chars();
        let Some(other) = others.next() else { return sum };
        sum += rate(other);
        rest = others.as_str();
    }
}

/// The bit of each byte in eight that no ASCII has.
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// How many bytes of ASCII some bytes begin with, counted 32 at a time.
fn ascii_length(bytes: &[u8]) -> usize {
    let (words, _) = bytes.as_chunks::<8>();
    let (groups, _) = words.as_chunks::<4>();
    let high_bits = |words: &[[u8; 8]; 4]| {
        let [a, b, c, d] = words.map(u64::from_le_bytes);
        (a | b | c | d) & HIGH_BITS
    };
    let whole = 32 * groups.iter().take_while(|group| high_bits(group) == 0).count();
    whole + bytes.iter().skip(whole).take_while(|byte| byte.is_ascii()).count()
}

/// Estimates a message, in tokens. What the model never sees counts nothing.
pub fn estimate_message(message: &Message, rule: EstimateRule) -> TokenEstimate {
    let mut reasoning = 0;
    let classic = rule == EstimateRule::Classic;
    let text = |text: &str| hundredths(text, rule);
    let image = |image: &Image| 100 * if classic { IMAGE_TOKENS } else { image_tokens(image) };
    let content = |content: &Content, with_images: bool| {
        let images = content.images().filter(|_| with_images).map(image).sum::<u64>();
        content.texts().map(text).sum::<u64>() + images
    };
    let execution = |execution: &Execution| text(&execution.source) + text(&execution.output);
    let sum = match message {
        Message::User { content: blocks } => content(blocks, !classic),
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
                Block::ToolCall(call) if classic => text(&call.name) + stringified_length(&call.arguments) * LATIN_RATE,
                Block::ToolCall(call) => text(&call.name) + text(&call.arguments),
                Block::Image(part) if !classic => image(part),
                Block::Image(_) | Block::Unknown => 0,
            })
            .sum(),
        Message::ToolResult(result) => content(&result.content, true),
        Message::Custom { content: blocks, .. } => content(blocks, true),
        Message::BashExecution(run) if classic => execution(run),
        Message::BashExecution(run) | Message::PythonExecution(run) => {
            if classic || run.exclude_from_context {
                0
            } else {
                execution(run)
            }
        }
        Message::FileMention { .. } if classic => 0,
        Message::FileMention { files } => {
            files.iter().map(|file| text(&file.path) + text(&file.content) + file.image.as_ref().map_or(0, image)).sum()
        }
        Message::BranchSummary { summary } | Message::CompactionSummary { summary } => text(summary),
        Message::Unknown => 0,
    };
    TokenEstimate { tokens: sum.div_ceil(100), reasoning: reasoning.div_ceil(100) }
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
    use super::*;

    #[test]
    fn an_image_counts_by_its_size() {
        let tokens = |width, height| {
            image_tokens(&Image { size: Some(PixelSize { width, height }), data_length: 3_600_000, ..Image::default() })
        };
        assert_eq!(tokens(1, 1), 1);
        assert_eq!(tokens(200, 200), 54);
        assert_eq!(tokens(1_000, 1_000), 1_334);
        // T44: 1 568 by 882 is still more than the largest area.
        assert_eq!(tokens(1_920, 1_080), 1_534);
        assert_eq!((tokens(4_000, 400), tokens(400, 4_000)), (328, 328));
        assert_eq!(tokens(1, 20_000), 1);
        assert_eq!((tokens(u32::MAX, u32::MAX), tokens(u32::MAX, 1)), (1_534, 1));
        assert_eq!(image_tokens(&Image { data_length: 3_600_000, ..Image::default() }), IMAGE_TOKENS);
    }

    /// A PNG of 40 by 30 pixels, as far as it says so.
    const SMALL_PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAACgAAAAeCAYAAAA=";

    #[test]
    fn images_count_by_size_wherever_they_stand_and_classic_knows_no_sizes() {
        let image = format!(r#"{{"type":"image","data":"{SMALL_PNG}","mimeType":"image/png"}}"#);
        check(&format!(r#"{{"role":"user","content":[{image},{image}]}}"#), 4, 0);
        check(&format!(r#"{{"role":"toolResult","content":[{image}]}}"#), 2, 1_200);
        check(&format!(r#"{{"role":"custom","content":[{image}]}}"#), 2, 1_200);
        check(&format!(r#"{{"role":"assistant","content":[{image}]}}"#), 2, 0);
        check(&format!(r#"{{"role":"fileMention","files":[{{"path":"","content":"","image":{image}}}]}}"#), 2, 0);
        let escaped = SMALL_PNG.replace('/', "\\/").replace("AAAN", "\\nAA\\u0041N");
        check(&format!(r#"{{"role":"user","content":[{{"type":"image","data":"{escaped}"}}]}}"#), 2, 0);
    }

    fn check(json: &str, by_script: u64, classic: u64) {
        let message = Message::from_json(json).unwrap();
        let tokens = |rule| estimate_message(&message, rule).tokens;
        assert_eq!((tokens(EstimateRule::ByScript), tokens(EstimateRule::Classic)), (by_script, classic), "{json}");
    }

    #[test]
    fn every_role_counts_and_classic_has_its_zeros() {
        check(r#"{"role":"user","content":"12345678"}"#, 2, 2);
        check(
            r#"{"role":"user","content":[{"type":"text","text":"1234"},{"type":"image","data":"AAAA","mimeType":"image/png"}]}"#,
            1_201,
            1,
        );
        check(
            r#"{"role":"toolResult","content":[{"type":"text","text":"1"},{"type":"text","text":"234"},{"type":"image"}]}"#,
            1_201,
            1_201,
        );
        check(r#"{"role":"bashExecution","command":"ls","output":"ab"}"#, 1, 1);
        check(r#"{"role":"bashExecution","command":"ls","output":"ab","excludeFromContext":true}"#, 0, 1);
        check(r#"{"role":"pythonExecution","code":"12","output":"34"}"#, 1, 0);
        check(r#"{"role":"fileMention","files":[{"path":"abcd","content":"12345678"}]}"#, 3, 0);
        check(r#"{"role":"custom","content":"1234"}"#, 1, 1);
        check(r#"{"role":"hookMessage","content":"1234"}"#, 1, 1);
        check(r#"{"role":"branchSummary","summary":"1234"}"#, 1, 1);
        check(r#"{"role":"compactionSummary","summary":"1234"}"#, 1, 1);
        check(r#"{"role":"something","content":"1234"}"#, 0, 0);
    }

    #[test]
    fn an_assistant_counts_texts_reasoning_and_calls() {
        check(
            r#"{"role":"assistant","content":[{"type":"text","text":"1234"},{"type":"thinking","thinking":"12345678"},{"type":"toolCall","id":"a","name":"read","arguments":{"p":"x"}}]}"#,
            7,
            7,
        );
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
    fn each_character_costs_its_rate_wherever_it_stands() {
        for text in ["", "a", "é", "abcdefgh", "abcdefghé", "abcdefg中hijklmnop😀", "中中abcdefghijklmnopqé"] {
            assert_eq!(script_rates(text), text.chars().map(rate).sum::<u64>(), "{text}");
        }
    }

    #[test]
    fn estimates_stay_linear() {
        for length in [4, 200_000, 260_000, 4_000_000] {
            assert_eq!(estimate_text(&"a".repeat(length), EstimateRule::Classic), length as u64 / 4);
            assert_eq!(estimate_text(&"a".repeat(length), EstimateRule::ByScript), length as u64 / 4);
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
            let ratio = estimate_text(&text, EstimateRule::ByScript) as f64 / exact.count_ordinary(&text) as f64;
            assert!((0.8..=1.25).contains(&ratio), "{script}: {ratio:.2}");
        }
    }
}
