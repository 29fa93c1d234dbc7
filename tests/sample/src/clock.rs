//! The time of the invented day: it starts in the morning and only moves forward.

/// 17 March 2026, midnight UTC, in milliseconds.
const MIDNIGHT: u64 = 1_773_705_600_000;

/// A clock that stands still until it is moved.
pub(crate) struct Clock {
    since_midnight: u64,
}

impl Clock {
    pub(crate) fn starting_at(hour: u64, minute: u64) -> Self {
        Self { since_midnight: (hour * 60 + minute) * 60_000 }
    }

    pub(crate) fn pass(&mut self, milliseconds: u64) {
        self.since_midnight += milliseconds;
    }

    /// Moves to this time of day, unless it is later already.
    pub(crate) fn at_least(&mut self, hour: u64, minute: u64) {
        self.since_midnight = self.since_midnight.max((hour * 60 + minute) * 60_000);
    }

    pub(crate) fn millis(&self) -> u64 {
        MIDNIGHT + self.since_midnight
    }

    pub(crate) fn iso(&self) -> String {
        iso(self.since_midnight)
    }
}

/// A moment of the day as ISO 8601, from milliseconds since its midnight.
pub(crate) fn iso(since_midnight: u64) -> String {
    let (day, rest) = (17 + since_midnight / 86_400_000, since_midnight % 86_400_000);
    let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60);
    let (second, milli) = (rest / 1000 % 60, rest % 1000);
    format!("2026-03-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_forward_only() {
        let mut clock = Clock::starting_at(8, 5);
        clock.pass(61_007);
        assert_eq!(clock.iso(), "2026-03-17T08:06:01.007Z");
        clock.at_least(8, 0);
        assert_eq!(clock.millis(), MIDNIGHT + 8 * 3_600_000 + 6 * 60_000 + 1_007);
    }
}
