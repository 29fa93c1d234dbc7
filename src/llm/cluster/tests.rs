//! The boundaries, held against unicode-segmentation.

mod classes;

use super::*;
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::LazyLock;
use unicode_segmentation::GraphemeCursor;

/// The characters of each class.
static MEMBERS: LazyLock<Vec<Vec<char>>> = LazyLock::new(classes::members);

fn is_boundary(text: &str, place: usize) -> bool {
    GraphemeCursor::new(place, text.len(), true).is_boundary(text, 0).unwrap()
}

/// Holds [`last_boundary`] at every place of a text against what the authority says there.
fn check(text: &str) {
    let mut last = 0;
    for place in text.char_indices().map(|(place, _)| place).chain([text.len()]) {
        if is_boundary(text, place) {
            last = place;
        }
        assert_eq!(last_boundary(text, place), last, "at {place} of {text:?}");
    }
}

#[test]
fn clusters_of_many_scripts_stay_whole() {
    for text in [
        "",
        "plain, with a tab\tand an end\r\nof line\n\r\n\r",
        "\r\u{301}\n\u{200d}\u{301}",
        // Letters with marks, to excess.
        "e\u{301}\u{302} Z\u{351}\u{36b}\u{343}a\u{36a}\u{302}\u{36b}l\u{33d}\u{34f}\u{321}\u{301}g\u{332}o\u{0488}",
        "بِسْمِ ٱللَّهِ \u{600}١٢ \u{6dd}٣",
        "שָׁלוֹם",
        // Families, skin tones, keycaps, flags of countries and, by tags, of parts of one.
        "👨‍👩‍👧‍👦👍🏽👩🏾‍🚀❤️‍🔥1️⃣🏳️‍🌈🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}x",
        "👩\u{301}\u{200c}\u{200d}👩 a\u{200d}👩 👩\u{200d}\u{200d}👩 👩\u{903}\u{200d}👩 👩\u{200d}a ©\u{200d}®",
        "🇩🇪🇫🇷🇮🇹🇪 a🇩🇪🇫 \u{600}🇩🇪🇫🇷 🇩\u{301}🇪🇫\u{200d}🇷",
        // Conjuncts, with and without a joiner or a non-joiner.
        "क्षि क्\u{200d}ष क्\u{200c}ष क\u{200c}्ष स्त्री क्a a्क क\u{93c}्\u{93c}क क्\u{903}क क\u{94d}\u{94d}क",
        "ক্ষ ક્ષ ଓଡ଼ିଆ తెలుగు క్ష മലയാളം ക്ഷ ಕ್ಷ தமிழ் க்ஷ ක්ෂ မြန်မာ ခ္မ ភាសាខ្មែរ ᬓ᭄ᬓ ꦏ꧀ꦏ 𑄇𑄳𑄇",
        // The vowels that Thai and Lao write before the consonant, and the signs behind it.
        "เกี่ยวกับ แก้ ไทย น้ำ ເກົ່າ ແລະ ນ້ຳ",
        "བོད་ཡིག རྒྱ",
        // Hangul as syllables and as parts.
        "한국어 \u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8} 가\u{11a8}각\u{11a8}각\u{1161}가\u{1161}\u{1100}각 \u{11a8}가 \u{a960}\u{d7b0}\u{d7cb} \u{16d63}\u{16d67}",
        "日本語が\u{3099}ﾊ\u{ff9e}〰\u{fe0f}",
        "\u{feff}\u{ad}\u{200b}\u{2028}a\u{2060}\u{600}\u{ad}\u{e0001}\u{fff0}\u{110bd}𑂃\u{111c2}\u{0d4e}ക",
    ] {
        check(text);
    }
}

#[test]
fn every_pair_of_classes_is_parted_as_the_rules_say() {
    let samples: Vec<char> = MEMBERS.iter().flat_map(|members| [members[0], members[members.len() - 1]]).collect();
    for first in &samples {
        for second in &samples {
            check(&String::from_iter([*first, *second]));
        }
    }
}

#[test]
fn a_place_inside_a_character_or_behind_the_text_gives_the_beginning() {
    assert_eq!(last_boundary("aé", 2), 0);
    assert_eq!(last_boundary("aé", 4), 0);
}

/// Walks that began anew at each character would take hours here.
#[test]
fn a_long_text_that_is_one_cluster_is_walked_once() {
    const TIMES: usize = 200_000;
    for (part, end) in [
        ("\u{301}", ""),
        ("\u{e0100}\u{301}", ""),
        ("क\u{94d}", "क"),
        ("👩\u{301}\u{200d}", "👩"),
        ("\u{600}", "x"),
        ("\u{1100}", "\u{1161}"),
    ] {
        let text = part.repeat(TIMES) + end;
        assert_eq!(last_boundary(&(text.clone() + "\u{301}"), text.len()), 0, "a row of {part:?}");
    }
    // Flags end at each second indicator, and marks without a consonant make no conjunct.
    let flags = "🇩".repeat(TIMES);
    assert_eq!(last_boundary(&(flags.clone() + "\u{301}"), flags.len()), flags.len() - "🇩🇩".len());
    let marks = "\u{94d}\u{200d}".repeat(TIMES);
    assert_eq!(last_boundary(&(marks.clone() + "क"), marks.len()), marks.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30_000))]
    #[test]
    fn random_texts_are_parted_as_the_rules_say(
        picks in proptest::collection::vec((0..MEMBERS.len(), any::<Index>()), 0..12),
    ) {
        let text: String = picks.iter().map(|(class, index)| *index.get(&MEMBERS[*class])).collect();
        check(&text);
    }
}
