//! The usage a provider reports with an assistant message.

/// Tokens as the provider counted them. A part that was not reported is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Input tokens that no cache served.
    pub input: u64,
    /// Output tokens.
    pub output: u64,
    /// Input tokens read from a cache.
    pub cache_read: u64,
    /// Input tokens written to a cache.
    pub cache_write: u64,
    /// The provider's own sum, 0 where there is none.
    pub total_tokens: u64,
}

/// The context size that a usage tells, in tokens: the provider's own sum, or the sum of the parts.
pub fn calculate_context_tokens(usage: &Usage) -> u64 {
    if usage.total_tokens > 0 { usage.total_tokens } else { prompt(usage).saturating_add(usage.output) }
}

/// The size of the prompt that a usage tells, in tokens: all input parts, or the context size
/// where no input part was reported.
pub fn calculate_prompt_tokens(usage: &Usage) -> u64 {
    match prompt(usage) {
        0 => calculate_context_tokens(usage),
        prompt => prompt,
    }
}

fn prompt(usage: &Usage) -> u64 {
    usage.input.saturating_add(usage.cache_read).saturating_add(usage.cache_write)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(parts: [u64; 5], context: u64, prompt: u64) {
        let [input, output, cache_read, cache_write, total_tokens] = parts;
        let usage = Usage { input, output, cache_read, cache_write, total_tokens };
        assert_eq!((calculate_context_tokens(&usage), calculate_prompt_tokens(&usage)), (context, prompt));
    }

    #[test]
    fn the_own_sum_goes_first() {
        check([1, 2, 3, 4, 0], 10, 8);
        check([1, 2, 3, 4, 100], 100, 8);
        check([0, 2, 0, 0, 100], 100, 100);
        check([0, 2, 0, 0, 0], 2, 2);
        check([0; 5], 0, 0);
        check([u64::MAX, 1, 1, 1, 0], u64::MAX, u64::MAX);
    }
}
