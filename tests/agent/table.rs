//! ARCHITECTURE.md shows the states of a run as the engine has them.

use std::path::PathBuf;
use threadfold::agent::TRANSITIONS;

const BEGIN: &str = "<!-- agent states: written by THREADFOLD_WRITE=1 cargo test --test agent table -->\n";
const END: &str = "<!-- end of agent states -->\n";

fn table() -> String {
    let mut table = "| from | to | when |\n|---|---|---|\n".to_owned();
    for (from, to, when) in TRANSITIONS {
        table.push_str(&format!("| {from:?} | {to:?} | {when} |\n"));
    }
    table
}

#[test]
fn the_architecture_shows_the_table_of_states() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md");
    let text = std::fs::read_to_string(&path).expect("ARCHITECTURE.md");
    let (before, rest) = text.split_once(BEGIN).expect("the mark before the table");
    let (shown, after) = rest.split_once(END).expect("the mark behind the table");
    if std::env::var("THREADFOLD_WRITE").is_ok() {
        std::fs::write(&path, format!("{before}{BEGIN}{}{END}{after}", table())).expect("written");
        return;
    }
    assert_eq!(shown, table(), "write it anew with THREADFOLD_WRITE=1");
}
