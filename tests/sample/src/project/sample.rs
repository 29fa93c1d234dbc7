//! Sample values of fields: the same field and number give the same value.

use super::entity::{Entity, Field, Kind};
use crate::clock;
use crate::rng::Rng;

/// Whose literals are wanted.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Language {
    TypeScript,
    Json,
}

const NAMES: &[&str] = &[
    "Havlund",
    "Чайка",
    "Marstal Express",
    "さくら丸",
    "Одеса",
    "Nordre Rose",
    "Zofia K",
    "はまなす",
    "Дніпро",
    "Ebba Trader",
    "Lyø",
    "Ocean Quill",
    "Северный ветер",
    "Kestrel Bay",
    "Mistral",
    "第八海王丸",
];
const TEXTS: &[&str] = &[
    "",
    "fragile, keep dry",
    "хранить в тени ☀️",
    "agent asks for a call before lifting",
    "⚠️ leaking drum last time",
    "上積み禁止",
    "stow near the lashing bridge",
    "не кантовать",
    "top tier only 📦",
    "customs seal checked",
];

/// Whole and tenth parts of metres, by field: lowest and highest, in tenths.
const METRES: &[(&str, u64, u64)] = &[
    ("lengthM", 900, 3_660),
    ("maxLengthM", 1_200, 4_000),
    ("depthM", 78, 164),
    ("draftM", 61, 148),
    ("beamM", 154, 590),
    ("windLimitMs", 180, 260),
];

const COUNTS: &[(&str, u64, u64)] = &[
    ("moves", 60, 2_400),
    ("movesPerHour", 21, 34),
    ("weightKg", 2_140, 30_480),
    ("bollardPullT", 32, 85),
    ("reeferPlugs", 0, 640),
    ("breakMinutes", 30, 60),
    ("reachRows", 13, 24),
    ("capacity", 40, 72),
    ("booked", 0, 75),
    ("rows", 6, 12),
];

/// A literal of the field for row `n`.
pub(crate) fn literal(field: &Field, n: u64, language: Language) -> String {
    let name = field.0;
    let spelling: u64 = name.bytes().map(u64::from).sum();
    let mut rng = Rng::new(n * 100_003 + spelling);
    let within = |table: &[(&str, u64, u64)], low: u64, high: u64| {
        let known = table.iter().find(|(known, _, _)| *known == name);
        known.map_or((low, high), |(_, low, high)| (*low, *high))
    };
    match field.1 {
        Kind::Code("IMO") => format!("\"IMO{}\"", rng.between(9_100_000, 9_899_999)),
        Kind::Code(prefix) if name == "id" => format!("\"{prefix}{n}\""),
        Kind::Code(prefix) => format!("\"{prefix}{}\"", rng.between(1, 9)),
        Kind::Text => format!("\"{}\"", text(name, &mut rng)),
        Kind::Metres if name == "heightM" || name == "surgeM" => {
            format!("{}0.{:02}", rng.pick(&["-", ""]), rng.between(2, 98))
        }
        Kind::Metres => {
            let (low, high) = within(METRES, 20, 400);
            let tenths = rng.between(low, high);
            format!("{}.{}", tenths / 10, tenths % 10)
        }
        Kind::Count => {
            let (low, high) = within(COUNTS, 0, 9);
            rng.between(low, high).to_string()
        }
        Kind::Ratio => format!("0.{:02}", rng.between(4, 97)),
        Kind::Flag => rng.chance(50).to_string(),
        Kind::Choice(options) => format!("\"{}\"", rng.pick(options)),
        Kind::Moment => moment(name, n, language),
    }
}

fn text(name: &str, rng: &mut Rng) -> String {
    match name {
        "container" => format!("HRBU{:07}", rng.between(0, 9_999_999)),
        "name" | "foreman" => rng.pick(NAMES).to_owned(),
        "imdg" => rng.pick(&["", "", "", "3", "5.1", "8", "9"]).to_owned(),
        "remark" => rng.pick(TEXTS).to_owned(),
        _ => rng.pick(&["", "east run 06", "table 2026", "standby"]).to_owned(),
    }
}

/// Spans of a row belong together: their ends lie some hours behind their starts.
fn moment(name: &str, n: u64, language: Language) -> String {
    let mut rng = Rng::new(n);
    let start = rng.between(0, 5 * 96) * 900_000;
    let length = rng.between(8, 80) * 900_000;
    let ends = ["etd", "until", "closedUntil", "serviceUntil", "onDutyUntil", "endsAt"].contains(&name);
    let text = clock::iso(if ends { start + length } else { start });
    match language {
        Language::TypeScript => format!("\"{}\"", text.replace(".000Z", "Z")),
        Language::Json => format!("\"{text}\""),
    }
}

/// A row as one line of JSON.
pub(crate) fn json_row(entity: &Entity, n: u64) -> String {
    let members: Vec<String> =
        entity.fields.iter().map(|f| format!("\"{}\": {}", f.0, literal(f, n, Language::Json))).collect();
    format!("{{ {} }}", members.join(", "))
}

/// A name of a ship, also in scripts other than Latin.
pub(crate) fn ship(n: u64) -> &'static str {
    NAMES.get(n as usize % NAMES.len()).copied().unwrap_or("Havlund")
}
