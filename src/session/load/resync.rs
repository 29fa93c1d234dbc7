//! Where reading goes on behind a torn record on the same line.

use super::lenient::{may_help, rewrite};
use super::torn;
use crate::entry::{RECORD_TYPES, Read, Record, read_record};

/// How many times its length a line may cost where records are searched for behind torn ones; then
/// its rest is given up. What torn records really cost is their own length and the next one's.
pub(super) const COST: usize = 16;

/// Where the next readable record of a known type begins behind a torn one. `budget` is how many
/// bytes may be read for that.
pub(super) fn next_record(text: &str, budget: &mut usize) -> Option<usize> {
    let mut from = 1;
    while let Some(found) = memchr::memchr(b'{', text.as_bytes().get(from..)?) {
        let position = from + found;
        from = position + 1;
        let rest = text.get(position..)?;
        if !may_be_record(rest) {
            continue;
        }
        let mut cost = 0;
        let known = starts_with_known(rest, &mut cost);
        *budget = budget.checked_sub(cost)?;
        if known {
            return Some(position);
        }
    }
    None
}

/// Whether a text starts with a record of a known type; adds what it cost to see that.
fn starts_with_known(text: &str, cost: &mut usize) -> bool {
    let mut read = |text: &str| match read_record(text) {
        Ok((read, length)) => {
            *cost += length;
            Ok(matches!(read, Read::Header(_) | Read::Entry(Record { known_type: true, .. })))
        }
        Err(error) => {
            *cost += error.column();
            Err(error)
        }
    };
    match read(text) {
        Ok(known) => known,
        Err(error) if may_help(text, &error) => {
            let known = rewrite(text).is_some_and(|lenient| read(&lenient.text).unwrap_or(false));
            *cost += text.len();
            known
        }
        Err(_) => false,
    }
}

/// Whether an object begins like a record, and not like the blocks and arguments inside of one.
fn may_be_record(text: &str) -> bool {
    let Some((key, rest)) = torn::string(text.get(1..).unwrap_or_default()) else { return false };
    match &*key {
        "type" => rest
            .trim_start()
            .strip_prefix(':')
            .and_then(torn::string)
            .is_some_and(|(name, _)| RECORD_TYPES.contains(&&*name)),
        // What a migration splices in comes first where the type does not.
        "id" | "parentId" | "timestamp" | "version" | "firstKeptEntryId" => true,
        _ => false,
    }
}
