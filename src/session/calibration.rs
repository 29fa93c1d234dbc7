//! What usages teach of the model that was asked last: the part of its prompts that no entry shows, and
//! how its tokens compare to the estimate.

use crate::tokens::Margin;

/// Growth of less than this, in tokens by the estimate, teaches nothing: what frames a message
/// outweighs it.
const LEAST_GROWTH: u64 = 50;
/// Growth after which the ratio counts, in tokens by the estimate.
const ENOUGH: u32 = 1_000;
/// Growth after which what was learned counts half, in tokens by the estimate.
const MEMORY: u32 = 40_000;
/// The ratios that tokenizers have to the estimate, in thousandths. What lies far outside of them is no
/// growth: a cache that was counted twice, a proxy that sends less than is stored, reasoning that is
/// not sent again.
const LEAST_RATIO: u64 = 600;
const MOST_RATIO: u64 = 1_800;

/// Of a model that was learned.
const CALIBRATED: Margin = Margin { below: 100, above: 100 };
/// How many times the usual error of a step nine of ten steps stay below.
const STEP_MARGIN: u64 = 3;
/// The share of the newest step in the usual error, and how many times that error one step may count:
/// one that is far off is an exception, but several in a row are none.
const STEP_SHARE: u64 = 8;
const LARGEST_STEP_ERROR: u64 = 8;

/// What was learned of a model on a path.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Calibration {
    /// The fixed overhead (system prompt and tools), in tokens.
    pub(crate) overhead: Option<u64>,
    /// How much the context grew between usages, in tokens by the estimate.
    estimated: u32,
    /// The same as the provider counted it.
    counted: u32,
    /// What the calibrated estimate usually misses from one usage to the next, in tokens: what frames
    /// messages, what a host adds and no entry shows. Unknown before the first step.
    step_error: Option<u32>,
}

impl Calibration {
    /// How many tokens the model takes for 1 000 of the estimate.
    fn ratio(&self) -> u64 {
        if self.estimated < ENOUGH {
            return 1_000;
        }
        // What nothing was learned of counts like the least growth that teaches: small sessions lean to it.
        let (counted, estimated) = (u64::from(self.counted + ENOUGH), u64::from(self.estimated + ENOUGH));
        (1_000 * counted / estimated).clamp(LEAST_RATIO, MOST_RATIO)
    }

    /// An estimate, in tokens of the model.
    pub(crate) fn applied(&self, estimate: u64) -> u64 {
        match self.ratio() {
            1_000 => estimate,
            ratio => estimate.saturating_mul(ratio).div_ceil(1_000),
        }
    }

    /// How far off an applied estimate is in nine of ten cases, once that was learned.
    pub(crate) fn margin(&self) -> Option<Margin> {
        (self.estimated >= ENOUGH).then_some(CALIBRATED)
    }

    /// Whether a prediction was compared with a usage.
    pub(super) fn has_stepped(&self) -> bool {
        self.step_error.is_some()
    }

    /// How far off the size of the next request is beyond that in nine of ten cases, in tokens.
    pub(super) fn step_margin(&self) -> u64 {
        STEP_MARGIN * u64::from(self.step_error.unwrap_or_default())
    }

    /// Learns how far off a prediction was: what one usage counted and what came behind it, by the
    /// estimate, beside the prompt of the next, all in tokens.
    pub(super) fn learn_step(&mut self, counted: u64, after: u64, prompt: u64) {
        let error = counted.saturating_add(self.applied(after)).abs_diff(prompt);
        let usual = u64::from(self.step_error.unwrap_or(u32::MAX));
        let error = error.min(LARGEST_STEP_ERROR * usual.max(STEP_SHARE));
        let known = self.step_error.map_or(error, u64::from);
        let learned = (known * (STEP_SHARE - 1) + error) / STEP_SHARE;
        self.step_error = Some(u32::try_from(learned).unwrap_or(u32::MAX));
    }

    /// Learns what the context grew by, by the estimate and as counted, in tokens.
    pub(super) fn learn_growth(&mut self, estimated: u64, counted: u64) {
        let limits = estimated.saturating_mul(LEAST_RATIO / 2)..=estimated.saturating_mul(2 * MOST_RATIO);
        if estimated < LEAST_GROWTH || !limits.contains(&counted.saturating_mul(1_000)) {
            return;
        }
        if self.estimated > MEMORY {
            self.estimated /= 2;
            self.counted /= 2;
        }
        // One step weighs no more than half of what is remembered.
        let most = u64::from(MEMORY / 2);
        let counted = if estimated > most { counted / (estimated / most) } else { counted };
        self.estimated += estimated.min(most) as u32;
        self.counted += counted as u32;
    }

    /// Learns the overhead from a prompt, as counted, and the view that it was made of, by the estimate.
    pub(super) fn learn_overhead(&mut self, prompt: u64, view: u64) {
        let overhead = prompt.saturating_sub(self.applied(view));
        // What the estimate misses grows with the session, the overhead does not: the smallest
        // difference lies closest to it.
        self.overhead = Some(self.overhead.map_or(overhead, |known| known.min(overhead)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taught(growths: &[(u64, u64)]) -> Calibration {
        let mut calibration = Calibration::default();
        for &(estimated, counted) in growths {
            calibration.learn_growth(estimated, counted);
        }
        calibration
    }

    #[test]
    fn the_ratio_is_that_of_the_growth_once_there_was_enough_of_it() {
        assert_eq!(taught(&[]).applied(1_000), 1_000);
        assert_eq!(taught(&[(900, 1_200)]).applied(1_000), 1_000);
        let learned = taught(&[(2_000, 2_600); 10]);
        assert!((1_280..1_300).contains(&learned.applied(1_000)), "{learned:?}");
        // Short growths are framing, mostly.
        assert_eq!(taught(&[(40, 80); 100]), Calibration::default());
    }

    #[test]
    fn what_cannot_be_a_growth_teaches_nothing() {
        let good = taught(&[(2_000, 2_600); 10]);
        for odd in [(5_000, 0), (5_000, 1_000), (5_000, 50_000), (u64::MAX, 1), (5_000, u64::MAX)] {
            let mut again = good;
            again.learn_growth(odd.0, odd.1);
            assert_eq!(again, good, "{odd:?}");
        }
    }

    #[test]
    fn the_ratio_stays_within_its_limits_and_follows_a_change() {
        assert_eq!(taught(&[(20_000, 70_000); 10]).applied(1_000), MOST_RATIO);
        assert_eq!(taught(&[(20_000, 6_500); 10]).applied(1_000), LEAST_RATIO);
        let mut changed = taught(&[(2_000, 2_600); 100]);
        for _ in 0..60 {
            changed.learn_growth(2_000, 2_000);
        }
        assert!((1_000..1_080).contains(&changed.applied(1_000)), "{changed:?}");
        // Growths of any size neither overflow nor stop the learning.
        let huge = taught(&[(u64::MAX / 4_000, u64::MAX / 4_000); 50]);
        assert!((990..=1_010).contains(&huge.applied(1_000)), "{huge:?}");
    }

    #[test]
    fn the_margin_narrows_once_the_ratio_is_learned_and_follows_the_errors_of_the_steps() {
        assert_eq!((taught(&[]).margin(), taught(&[]).step_margin()), (None, 0));
        let mut calibration = Calibration::default();
        for step in 0..50 {
            calibration.learn_step(1_000 * step, 2_000, 1_000 * step + 2_600 + 40);
            calibration.learn_growth(2_000, 2_600 + 40);
        }
        assert_eq!(calibration.margin(), Some(CALIBRATED));
        assert!((0..60).contains(&calibration.step_margin()), "{calibration:?}");
        let before = calibration.step_margin();
        calibration.learn_step(50_000, 100, 9_000_000);
        assert!(calibration.step_margin() <= 2 * before + 32, "one step is an exception: {calibration:?}");
        for _ in 0..40 {
            calibration.learn_step(50_000, 10, 51_000);
        }
        assert!((2_800..3_000).contains(&calibration.step_margin()), "several are none: {calibration:?}");
        calibration.learn_step(u64::MAX, u64::MAX, 0);
    }
}
