//! Who lies where along the quay.

use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Metre(pub u32);

#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error("{vessel} is {length} long, but only {free} are free")]
    TooLong { vessel: String, length: Metre, free: Metre },
    #[error("the quay is closed until {0}")]
    Closed(u64),
}

impl fmt::Display for Metre {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} m", self.0)
    }
}

#[derive(Default)]
pub struct Quay {
    length: u32,
    placed: BTreeMap<u32, (String, u32)>,
}

impl Quay {
    pub fn with_length(length: u32) -> Self {
        Self { length, ..Self::default() }
    }

    /// The first gap that is long enough, or why there is none.
    pub fn place(&mut self, vessel: &str, length: Metre) -> Result<u32, Refused> {
        let mut at = 0;
        let mut longest = 0;
        for (&start, &(_, taken)) in &self.placed {
            let gap = start.saturating_sub(at);
            longest = longest.max(gap);
            if gap >= length.0 {
                break;
            }
            at = start + taken;
        }
        let free = self.length.saturating_sub(at).max(longest);
        if free < length.0 {
            return Err(Refused::TooLong { vessel: vessel.to_owned(), length, free: Metre(free) });
        }
        self.placed.insert(at, (vessel.to_owned(), length.0));
        Ok(at)
    }
}
