//! An order of a wasm file's functions that packs well.
//!
//! A packer looks back a few ten thousand bytes for what it has met before. So functions that look
//! alike shall stand close together. The optimiser can put functions in the order of their names;
//! here they get names that say the order.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet, VecDeque};

use anyhow::Result;
use wasm_encoder::{NameMap, NameSection, Section as _};
use wasmparser::{Parser, Payload, TypeRef};

/// What two functions share counts from this many equal bytes in a row: shorter runs are everywhere.
const RUN: usize = 6;

/// How many bytes before a place are looked at for what is alike. Farther back a packer finds it
/// too, but what is nearer costs it fewer bits.
const WINDOW: usize = 8_000;

/// Added to the length of each function, in bytes: otherwise the shortest, of which nearly all is
/// shared with any other, would all come first.
const SHORTEST: usize = 8;

/// A wasm file with names for its functions, in whose order it packs well.
pub fn with_names(module: &[u8]) -> Result<Vec<u8>> {
    let mut imported = 0;
    let mut bodies = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            _ => {}
        }
    }
    let mut names: Vec<(usize, usize)> =
        order(&bodies).into_iter().enumerate().map(|(place, function)| (function, place)).collect();
    names.sort_unstable();
    let mut map = NameMap::new();
    for (index, (_, place)) in (imported..).zip(names) {
        map.append(index, &format!("{place:06}"));
    }
    let mut section = NameSection::new();
    section.functions(&map);
    let mut named = module.to_vec();
    section.append_to(&mut named);
    Ok(named)
}

/// The numbers of the functions, each followed by the one that shares most, for its length, with
/// those before it.
fn order(bodies: &[&[u8]]) -> Vec<usize> {
    let Likeness { runs_of, functions_with } = Likeness::of(bodies);
    // For each run how often it occurs in the window; for each function how many of its runs do.
    let mut occurrences = vec![0_u32; functions_with.len()];
    let mut shared = vec![0_usize; bodies.len()];
    let (mut window, mut window_length) = (VecDeque::new(), 0);
    let mut left: Vec<usize> = (0..bodies.len()).collect();
    let mut order = Vec::with_capacity(bodies.len());
    let worth = |function: usize, shared: &[usize]| {
        // In millionths, so that whole numbers are compared.
        (shared[function] * 1_000_000 / (bodies[function].len() + SHORTEST), Reverse(function))
    };
    while let Some(place) = (0..left.len()).max_by_key(|&place| worth(left[place], &shared)) {
        let function = left.swap_remove(place);
        order.push(function);
        window.push_back(function);
        window_length += bodies[function].len();
        for &run in &runs_of[function] {
            occurrences[run] += 1;
            if occurrences[run] == 1 {
                functions_with[run].iter().for_each(|&other| shared[other] += 1);
            }
        }
        while window_length > WINDOW && window.len() > 1 {
            let Some(gone) = window.pop_front() else { break };
            window_length -= bodies[gone].len();
            for &run in &runs_of[gone] {
                occurrences[run] -= 1;
                if occurrences[run] == 0 {
                    functions_with[run].iter().for_each(|&other| shared[other] -= 1);
                }
            }
        }
    }
    order
}

/// The runs of bytes that functions share, by number.
struct Likeness {
    /// The runs in each function, each once.
    runs_of: Vec<Vec<usize>>,
    /// The functions with each run.
    functions_with: Vec<Vec<usize>>,
}

impl Likeness {
    fn of(bodies: &[&[u8]]) -> Self {
        let mut numbers = HashMap::new();
        let mut likeness = Self { runs_of: Vec::new(), functions_with: Vec::new() };
        for (function, body) in bodies.iter().enumerate() {
            let mut met = HashSet::new();
            let mut runs = Vec::new();
            for run in body.windows(RUN).filter(|run| met.insert(*run)) {
                let number = *numbers.entry(run).or_insert(likeness.functions_with.len());
                if number == likeness.functions_with.len() {
                    likeness.functions_with.push(Vec::new());
                }
                likeness.functions_with[number].push(function);
                runs.push(number);
            }
            likeness.runs_of.push(runs);
        }
        likeness
    }
}

#[cfg(test)]
mod tests {
    use super::{WINDOW, order};

    #[test]
    fn what_looks_alike_stands_together() {
        let bodies: [&[u8]; 3] = [b"a body of its own kind", b"something else entirely", b"A body of its own kind"];
        assert_eq!(order(&bodies), [0, 2, 1]);
    }

    #[test]
    fn what_shares_nothing_keeps_its_order_and_nothing_is_left_out() {
        let bodies: Vec<Vec<u8>> = (0..4_u8).map(|kind| vec![kind; 10 * usize::from(kind)]).collect();
        let bodies: Vec<&[u8]> = bodies.iter().map(Vec::as_slice).collect();
        assert_eq!(order(&bodies), [0, 1, 2, 3]);
        assert_eq!(order(&[]), [0; 0]);
    }

    #[test]
    fn what_lies_far_back_no_longer_counts() {
        let long: Vec<u8> = (0..WINDOW as u16).flat_map(u16::to_be_bytes).collect();
        let (most, little) = (&long[..100], &long[200..220]);
        // With `most` the window is full, and what `little` is like has left it.
        assert_eq!(order(&[&long, b"unlike the others", little, most]), [0, 3, 1, 2]);
        let short = &long[..WINDOW / 2];
        assert_eq!(order(&[short, b"unlike the others", little, most]), [0, 3, 2, 1]);
    }
}
