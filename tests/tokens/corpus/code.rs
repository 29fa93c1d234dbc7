//! Code of ten languages and more, written for this, and the sources of the engine.

use super::Sample;
use std::path::Path;

macro_rules! pieces {
    ($($file:literal),* $(,)?) => {
        [$(($file, include_str!(concat!("code/", $file)))),*]
    };
}

pub(crate) const PIECES: [(&str, &str); 14] = pieces![
    "harbour.c.txt",
    "harbour.cpp.txt",
    "harbour.cs.txt",
    "harbour.css.txt",
    "harbour.go.txt",
    "harbour.html.txt",
    "harbour.java.txt",
    "harbour.js.txt",
    "harbour.kt.txt",
    "harbour.php.txt",
    "harbour.py.txt",
    "harbour.rb.txt",
    "harbour.sh.txt",
    "harbour.sql.txt",
];

pub(crate) fn samples() -> Vec<Sample> {
    let mut samples: Vec<Sample> = PIECES.iter().map(|(name, text)| Sample::new(*name, *text)).collect();
    // Windows' line ends, and tabs.
    samples
        .extend(PIECES.iter().map(|(name, text)| Sample::new(format!("{name} with CRLF"), text.replace('\n', "\r\n"))));
    samples
        .extend(PIECES.iter().map(|(name, text)| Sample::new(format!("{name} with tabs"), text.replace("  ", "\t"))));
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/session");
    samples.extend(super::files::texts(&engine, "rs"));
    samples
}
