//! The wait that an error text asks for.

use super::words::{Words, fraction_of};

/// The longest wait that is told, in milliseconds: the longest delay that timers take.
const LONGEST_MS: u64 = 2_147_483_647;

/// What stands before a wait.
const CUES: [&[&str]; 9] = [
    &["try", "again", "in"],
    &["try", "again", "after"],
    &["retry", "after"],
    &["retry", "in"],
    &["retry", "delay"],
    &["wait"],
    &["reset", "after"],
    &["resets", "in"],
    &["reset", "in"],
];

impl Words {
    /// The first wait that the text names, in milliseconds. A number without a unit is in seconds.
    pub(super) fn wait_ms(&self) -> Option<u64> {
        (0..).take_while(|at| self.get(*at).is_some()).find_map(|at| {
            CUES.iter()
                .filter(|cue| cue.iter().enumerate().all(|(ahead, word)| self.get(at + ahead) == Some(word)))
                .find_map(|cue| self.wait_at(at + cue.len()))
        })
    }

    fn wait_at(&self, mut at: usize) -> Option<u64> {
        // What may stand between: "in about 20 seconds", "retry_after_ms: 500", "retry_delay { seconds: 20 }".
        let mut unit = None;
        while let Some(word) = self.get(at) {
            if let Some(ms) = unit_ms(word) {
                unit = Some(ms);
            } else if !matches!(word, "about" | "approximately" | "at" | "least" | "another" | "for" | "the" | "next") {
                break;
            }
            at += 1;
        }
        let mut sum: Option<u64> = None;
        while let Some(word) = self.get(at) {
            if sum.is_some() && word == "and" {
                at += 1;
                continue;
            }
            let Some((ms, next)) = self.part_at(at, unit) else { break };
            sum = Some(sum.unwrap_or(0).saturating_add(ms).min(LONGEST_MS));
            at = next;
        }
        sum
    }

    /// A part of a wait: `2m10.5s`, `20 seconds`, or a bare number.
    fn part_at(&self, at: usize, unit: Option<u64>) -> Option<(u64, usize)> {
        let mut rest = self.get(at)?;
        let mut sum = 0_u64;
        loop {
            let number = rest.find(|c: char| !c.is_ascii_digit() && c != '.').map_or(rest, |end| rest.split_at(end).0);
            let behind = rest.strip_prefix(number)?;
            let letters = behind.find(|c: char| !c.is_ascii_lowercase()).map_or(behind, |end| behind.split_at(end).0);
            let mut next = at + 1;
            let ms = if !letters.is_empty() {
                unit_ms(letters)?
            } else if let Some(ms) = self.get(next).and_then(unit_ms) {
                next += 1;
                ms
            } else {
                unit.unwrap_or(1_000)
            };
            let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
            // More digits than a number takes is a very long wait.
            let whole = if whole.len() > 18 { u64::MAX } else { whole.parse().ok()? };
            sum = sum.saturating_add(whole.saturating_mul(ms)).saturating_add(fraction_of(fraction, ms)?);
            rest = behind.strip_prefix(letters)?;
            if rest.is_empty() {
                return Some((sum, next));
            }
        }
    }
}

fn unit_ms(word: &str) -> Option<u64> {
    Some(match word {
        "ms" | "msec" | "millis" | "millisecond" | "milliseconds" => 1,
        "s" | "sec" | "secs" | "second" | "seconds" => 1_000,
        "m" | "min" | "mins" | "minute" | "minutes" => 60_000,
        "h" | "hr" | "hrs" | "hour" | "hours" => 3_600_000,
        "d" | "day" | "days" => 86_400_000,
        _ => return None,
    })
}
