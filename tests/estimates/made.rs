//! Texts that are made, in other shapes and of other words than those that the rates were fitted to.

use fastrand::Rng;
use std::iter::repeat_with;

const WORDS: &str = "anchor ballast barge beacon berth bollard bowline bridge buoy cabin cargo captain channel charter \
    compass container crane crew current deck dinghy dock dredger ebb engine fender ferry fleet flood freight gangway \
    harbour hatch helm hull jetty keel knot ladder launch lock mast mooring pilot pier port propeller quay rigging \
    rope rudder sail salvage shore signal sluice starboard stern tanker tide tonnage towline trawler tug vessel wake \
    warehouse wharf winch";

fn word(rng: &mut Rng) -> &'static str {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    words[rng.usize(..words.len())]
}

fn lines(rng: &mut Rng, count: usize, line: impl Fn(&mut Rng) -> String) -> String {
    repeat_with(|| line(rng) + "\n").take(count).collect()
}

/// What a service of containers prints.
pub(crate) fn service_log(rng: &mut Rng) -> String {
    lines(rng, 90, |rng| {
        let level = ["info ", "warn ", "error", "trace"][rng.usize(..4)];
        let (first, second) = (word(rng), word(rng));
        match rng.u8(..4) {
            0 => format!(
                "[{:>9.3}] {level} {first}.{second}: moved {} containers in {:.1}s",
                rng.f64() * 9_999.0,
                rng.u8(..),
                rng.f64() * 40.0
            ),
            1 => format!(
                "Mar {:>2} {:02}:{:02}:{:02} quay-{} {first}d[{}]: {second} {} is late, waiting {} min",
                rng.u8(1..29),
                rng.u8(..24),
                rng.u8(..60),
                rng.u8(..60),
                rng.u8(1..9),
                rng.u16(..),
                rng.u32(..99_999),
                rng.u8(..)
            ),
            2 => format!(
                "{level}: {first}/{second}.rs:{}:{}: value `{}` is never read",
                rng.u16(..900),
                rng.u8(..),
                word(rng)
            ),
            _ => format!(
                "2026/03/{:02} {:02}:{:02}:{:02} {level} [{first}] peer 172.16.{}.{} said \"{second} {}\"",
                rng.u8(1..29),
                rng.u8(..24),
                rng.u8(..60),
                rng.u8(..60),
                rng.u8(..),
                rng.u8(..),
                rng.u16(..)
            ),
        }
    })
}

/// What a test runner prints.
pub(crate) fn test_log(rng: &mut Rng) -> String {
    lines(rng, 120, |rng| {
        let end = ["ok", "ok", "ok", "ignored", "FAILED"][rng.usize(..5)];
        format!("test {}::{}::{}_{}_the_{} ... {end}", word(rng), word(rng), word(rng), word(rng), word(rng))
    })
}

pub(crate) fn json(rng: &mut Rng) -> String {
    let object = |rng: &mut Rng| {
        format!(
            "  {{\n    \"vessel\": \"{} {}\",\n    \"imo\": {},\n    \"draft\": {:.1},\n    \"cargo\": [\"{}\", \"{}\"],\n    \"eta\": \"2026-03-{:02}T{:02}:00:00Z\",\n    \"pilot\": {},\n    \"position\": {{ \"lat\": {:.4}, \"lon\": {:.4} }}\n  }}",
            word(rng),
            word(rng),
            rng.u32(9_000_000..9_999_999),
            rng.f64() * 15.0,
            word(rng),
            word(rng),
            rng.u8(1..29),
            rng.u8(..24),
            rng.bool(),
            50.0 + rng.f64() * 10.0,
            rng.f64() * 10.0
        )
    };
    format!("[\n{}\n]", repeat_with(|| object(rng)).take(25).collect::<Vec<_>>().join(",\n"))
}

pub(crate) fn compact_json(rng: &mut Rng) -> String {
    lines(rng, 60, |rng| {
        format!(
            "{{\"type\":\"{}\",\"seq\":{},\"data\":{{\"from\":\"{}\",\"to\":\"{}-{}\",\"kg\":{},\"ok\":{}}},\"err\":null}}",
            word(rng),
            rng.u32(..999_999),
            word(rng),
            word(rng),
            rng.u8(..),
            rng.u32(..40_000),
            rng.bool()
        )
    })
}

pub(crate) fn csv(rng: &mut Rng) -> String {
    lines(rng, 120, |rng| {
        format!(
            "{};{:.2};{};{:02}.{:02}.2026;{}",
            word(rng),
            rng.f64() * 900.0,
            rng.u32(..99_999),
            rng.u8(1..29),
            rng.u8(1..13),
            word(rng)
        )
    })
}

pub(crate) fn markdown_table(rng: &mut Rng) -> String {
    let row = |rng: &mut Rng| {
        format!(
            "| {} | {} {} | {:.1} m | {}% | `{}` |",
            rng.u16(..),
            word(rng),
            word(rng),
            rng.f64() * 99.0,
            rng.u8(..100),
            word(rng)
        )
    };
    format!("| no. | vessel | length | loaded | berth |\n|---:|---|---:|---:|---|\n{}", lines(rng, 80, row))
}

/// A text as a patch to it, with every fourth line changed.
pub(crate) fn diff(rng: &mut Rng, path: &str, text: &str) -> String {
    let mut patch = format!(
        "diff --git a/{path} b/{path}\nindex {:07x}..{:07x} 100644\n--- a/{path}\n+++ b/{path}\n",
        rng.u32(..1 << 28),
        rng.u32(..1 << 28)
    );
    for (number, line) in text.lines().enumerate() {
        if number % 12 == 0 {
            patch += &format!("@@ -{0},12 +{0},12 @@\n", number + 1);
        }
        if number % 4 == 3 {
            patch += &format!("-{line}\n+{}\n", line.replace("name", word(rng)).replace("  ", " "));
        } else {
            patch += &format!(" {line}\n");
        }
    }
    patch
}

fn drawn(rng: &mut Rng, alphabet: &[u8], length: usize) -> String {
    repeat_with(|| char::from(alphabet[rng.usize(..alphabet.len())])).take(length).collect()
}

/// Base64 in lines, as certificates and mails have it.
pub(crate) fn base64(rng: &mut Rng) -> String {
    let alphabet = b"abcdefghijklmnopqrstuvwxyz0123456789+/ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    lines(rng, 60, |rng| drawn(rng, alphabet, 76)) + &drawn(rng, alphabet, 4_000)
}

pub(crate) fn hex(rng: &mut Rng) -> String {
    let digits = b"0123456789abcdef";
    lines(rng, 40, |rng| format!("{}  {}/{}", drawn(rng, digits, 40), word(rng), word(rng)))
        + &drawn(rng, digits, 3_000)
}
