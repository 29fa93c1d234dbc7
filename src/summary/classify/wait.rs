//! The wait that an error text asks for.

use super::words::{Figures, Words, is_one_of, part_of, whole};

/// The longest wait that is told, in milliseconds: the longest delay that timers take.
const LONGEST_MS: u64 = 2_147_483_647;

/// What stands before a wait, as patterns.
const CUES: [&str; 4] = ["try again in|after", "retry in|after|delay", "wait", "reset|resets in|after"];

/// What may stand between, beside a unit: "in about 20 seconds", "retry_delay { seconds: 20 }".
const BETWEEN: &str = "about|approximately|at|least|another|for|the|next";

/// Units, in milliseconds.
const UNITS: [(u64, &str); 5] = [
    (1, "ms|millis|millisecond|milliseconds"),
    (1_000, "s|sec|secs|second|seconds"),
    (60_000, "m|min|mins|minute|minutes"),
    (3_600_000, "h|hr|hrs|hour|hours"),
    (86_400_000, "d|day|days"),
];

impl Words<'_> {
    /// The first wait that the text names, in milliseconds. A number without a unit is in seconds.
    pub(super) fn wait_ms(&self) -> Option<u64> {
        (0..)
            .take_while(|at| self.get(*at).is_some())
            .find_map(|at| CUES.iter().find_map(|cue| self.wait_at(self.match_at(cue, at, &mut Figures::default())?)))
    }

    fn wait_at(&self, mut at: usize) -> Option<u64> {
        let mut unit = 1_000;
        while let Some(word) = self.get(at) {
            match unit_ms(word) {
                Some(ms) => unit = ms,
                None if is_one_of(BETWEEN, word) => {}
                None => break,
            }
            at += 1;
        }
        let mut sum: Option<u64> = None;
        while let Some(word) = self.get(at) {
            if sum.is_none() || word != "and" {
                let Some((ms, next)) = self.part_at(word, at + 1, unit) else { break };
                sum = Some(sum.unwrap_or(0).saturating_add(ms).min(LONGEST_MS));
                at = next;
            } else {
                at += 1;
            }
        }
        sum
    }

    /// A part of a wait: `2m10.5s`, `20 seconds`, or a bare number; and the place behind it.
    fn part_at(&self, mut rest: &str, mut next: usize, default_unit: u64) -> Option<(u64, usize)> {
        let mut sum = 0_u64;
        while !rest.is_empty() {
            let (digits, behind) = split_where(rest, |byte| !byte.is_ascii_digit());
            let (fraction, behind) = match behind.strip_prefix('.') {
                Some(behind) => split_where(behind, |byte| !byte.is_ascii_digit()),
                None => ("", behind),
            };
            let (letters, behind) = split_where(behind, |byte| !byte.is_ascii_lowercase());
            let unit = if !letters.is_empty() {
                unit_ms(letters)?
            } else if behind.is_empty() {
                let named = self.get(next).and_then(unit_ms);
                next += usize::from(named.is_some());
                named.unwrap_or(default_unit)
            } else {
                return None;
            };
            // More digits than a number takes is a very long wait.
            let number = if digits.is_empty() { return None } else { whole(digits).unwrap_or(u64::MAX) };
            sum = sum.saturating_add(number.saturating_mul(unit)).saturating_add(part_of(unit, fraction));
            rest = behind;
        }
        Some((sum, next))
    }
}

/// A text before and from the first byte of a kind.
fn split_where(text: &str, is: fn(&u8) -> bool) -> (&str, &str) {
    let end = text.bytes().position(|byte| is(&byte)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

fn unit_ms(word: &str) -> Option<u64> {
    UNITS.iter().find(|(_, names)| is_one_of(names, word)).map(|(ms, _)| *ms)
}
