//! What sessions hold besides prose and code: base64, hexadecimal, random bytes, JSON, logs, tables, addresses.

use super::{Sample, drawn};
use base64::{Engine as _, engine::general_purpose};

const BYTES: usize = 30_000;

pub(crate) fn samples() -> Vec<Sample> {
    let bytes: Vec<u8> = {
        let mut chance = drawn("bytes");
        (0..BYTES).map(|_| chance.u8(..)).collect()
    };
    let base64 = general_purpose::STANDARD.encode(&bytes);
    let lines: Vec<&str> = base64.as_bytes().chunks(76).map(|line| std::str::from_utf8(line).expect("ASCII")).collect();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    vec![
        Sample::new("base64 in one line", base64.clone()),
        Sample::new("base64 in lines", lines.join("\r\n")),
        Sample::new("base64 for addresses", general_purpose::URL_SAFE_NO_PAD.encode(&bytes)),
        Sample::new("hexadecimal", hex.clone()),
        Sample::new("hexadecimal in capitals", hex.to_uppercase()),
        Sample::new("bytes with replacement characters", String::from_utf8_lossy(&bytes)),
        Sample::new("bytes as Latin-1", bytes.iter().map(|&byte| char::from(byte)).collect::<String>()),
        Sample::new("JSON", json()),
        Sample::new("a log", log()),
        Sample::new("a table", table()),
    ]
}

fn json() -> String {
    let mut chance = drawn("json");
    let rows = (0..200).map(|id| {
        format!(
            r#"{{"id":{id},"name":"node-{}","load":{:.4},"tags":["eu-west","a\"b"],"seen":null,"up":{}}}"#,
            chance.u32(..),
            chance.f64(),
            chance.bool()
        )
    });
    format!("[\n  {}\n]\n", rows.collect::<Vec<_>>().join(",\n  "))
}

fn log() -> String {
    let mut chance = drawn("log");
    let line = |number: usize| {
        let level = ["INFO ", "WARN ", "ERROR", "DEBUG"][chance.usize(..4)];
        let (seconds, client, took) = (number % 60, chance.u8(..), chance.u32(..90_000));
        format!(
            "2026-03-17T08:{:02}:{seconds:02}.{took:06}Z {level} [worker-{}] GET /api/v2/items?id={client} -> 200 in {took}us\n",
            number / 60,
            number % 7
        )
    };
    (0..300).map(line).collect()
}

fn table() -> String {
    let mut chance = drawn("table");
    let mut text = String::from("| name      |   size | share |\n|-----------|-------:|------:|\n");
    for number in 0..200 {
        let share = chance.f64() * 100.0;
        text.push_str(&format!("| berth {number:<3} | {:>6} | {share:>4.1}% |\n", chance.u16(..)));
    }
    text
}
