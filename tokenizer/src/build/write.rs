//! Writes a vocabulary file; [`crate::file`] tells its layout.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use xxhash_rust::xxh64::xxh64;

use crate::class::Class;
use crate::encoding::Encoding;
use crate::file::{ESCAPE, MAGIC};
use crate::variant::stem_of;
use crate::vocabulary::Level;

/// The file of an encoding: of the classes of all code points, and of all tokens with their levels.
pub(crate) fn write(encoding: Encoding, classes: &[(Class, u32)], levels: &BTreeMap<Vec<u8>, Level>) -> Vec<u8> {
    let mut body = Vec::new();
    bytes(&mut body, encoding.name().as_bytes());
    number(&mut body, classes.len());
    for &(class, length) in classes {
        body.push(class);
        number(&mut body, length as usize);
    }
    tokens(&mut body, levels);
    [&MAGIC[..], &xxh64(&body, 0).to_le_bytes(), &body].concat()
}

fn tokens(file: &mut Vec<u8>, levels: &BTreeMap<Vec<u8>, Level>) {
    let by_frequency = by_frequency(levels);
    number(file, by_frequency.len());
    for &level in &by_frequency {
        number(file, usize::from(level));
    }
    let mut lengths = Vec::new();
    // Tokens of one byte are not told: each byte is one.
    for token in levels.keys().filter(|token| token.len() > 1) {
        if lengths.len() <= token.len() {
            lengths.resize(token.len() + 1, 0);
        }
        if let Some(count) = lengths.get_mut(token.len()) {
            *count += 1;
        }
    }
    number(file, lengths.len());
    for &count in &lengths {
        number(file, count);
    }
    let stems = stems(levels);
    let place_of: BTreeMap<Level, usize> =
        by_frequency.iter().enumerate().map(|(place, &level)| (level, place)).collect();
    let [mut shared, mut unshared, mut spellings, mut text] = [(); 4].map(|()| Vec::new());
    let mut places = vec![(Vec::new(), Vec::new()); lengths.len()];
    let mut before: &[u8] = &[];
    for (stem, variants) in &stems {
        let common = stem.iter().zip(before).take_while(|(a, b)| a == b).count();
        let own = stem.get(common..).unwrap_or_default();
        shared.push(common as u8);
        unshared.push(own.len() as u8);
        text.extend_from_slice(own);
        spellings.push(variants.keys().fold(0, |bits, variant| bits | 1 << variant));
        before = stem;
        for &(length, level) in variants.values() {
            if let (Some((low, high)), Some(&place)) = (places.get_mut(length), place_of.get(&level)) {
                match place.checked_sub(usize::from(ESCAPE)) {
                    None => low.push(place as u8),
                    Some(escaped) => {
                        low.push(ESCAPE + (escaped >> 8) as u8);
                        high.push(escaped as u8);
                    }
                }
            }
        }
    }
    number(file, stems.len());
    for stream in [shared, unshared, spellings, text] {
        bytes(file, &stream);
    }
    let (low, high): (Vec<_>, Vec<_>) = places.into_iter().unzip();
    bytes(file, &low.concat());
    bytes(file, &high.concat());
}

/// The stems of all tokens of more than one byte, and for each spelling the length and level of the token.
fn stems(levels: &BTreeMap<Vec<u8>, Level>) -> BTreeMap<Vec<u8>, BTreeMap<u8, (usize, Level)>> {
    let mut stems: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
    for (token, &level) in levels.iter().filter(|(token, _)| token.len() > 1) {
        let (stem, variant) = stem_of(token);
        stems.entry(stem).or_default().insert(variant, (token.len(), level));
    }
    stems
}

/// The levels, the most frequent first.
fn by_frequency(levels: &BTreeMap<Vec<u8>, Level>) -> Vec<Level> {
    let mut counts = BTreeMap::new();
    for (_, &level) in levels.iter().filter(|(token, _)| token.len() > 1) {
        *counts.entry(level).or_insert(0_usize) += 1;
    }
    let mut by_frequency: Vec<_> = counts.into_iter().collect();
    by_frequency.sort_by_key(|&(level, count)| (Reverse(count), level));
    by_frequency.into_iter().map(|(level, _)| level).collect()
}

fn bytes(file: &mut Vec<u8>, bytes: &[u8]) {
    number(file, bytes.len());
    file.extend_from_slice(bytes);
}

fn number(file: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        file.push(number as u8 | 0x80);
        number >>= 7;
    }
    file.push(number as u8);
}
