//! The rules by which errors are told apart, in one table.
//!
//! To teach a new text: add a line to the patterns of its class, and a row to
//! `tests/fixtures/error-samples.tsv`. The first pattern that fits decides, so the order matters: what
//! throttles or charges comes before what overflows, and a phrase that names figures before one that
//! does not. A pattern is written in small words without punctuation; `Words::find` says what else may
//! stand in it.

use super::ErrorClass::{self, Auth, Other, Overflow, PayloadTooLarge, Quota, RateLimit, Transient};

/// Patterns, one a line: an error of these statuses in which one of them stands is of the class.
pub(super) struct Rules {
    pub(super) class: ErrorClass,
    /// The first and the last status; 0 stands for none.
    statuses: (u16, u16),
    patterns: &'static str,
}

impl Rules {
    /// The patterns for errors of a status.
    pub(super) fn patterns(&self, status: u16) -> impl Iterator<Item = &'static str> {
        let (first, last) = self.statuses;
        let patterns = if (first..=last).contains(&status) { self.patterns } else { "" };
        patterns.split('\n').map(str::trim_ascii).filter(|pattern| !pattern.is_empty())
    }
}

/// Every status, and none.
const ANY: (u16, u16) = (0, u16::MAX);

const fn rules(class: ErrorClass, statuses: (u16, u16), patterns: &'static str) -> Rules {
    Rules { class, statuses, patterns }
}

#[rustfmt::skip]
pub(super) const RULES: &[Rules] = &[
    // Used up for a day or longer: waiting a little does not help.
    rules(Quota, ANY, "
        token|tokens|request|requests per day|week|month ... limit {limit} .. requested {requested}
        token|tokens|request|requests .. per day|week|month
    "),
    // Too much within a short time, however it is put. Some call it a quota.
    rules(RateLimit, ANY, "
        per min|minute ... limit {limit} .. requested {requested}
        limit {limit} .. requested {requested} .. per min|minute
        limit of {limit} .. token|tokens|request|requests per min|minute
        token|tokens|request|requests .. per min|minute|second|hour
        current quota ... please retry in
    "),
    // Money and allotments.
    rules(Quota, ANY, "
        insufficient .. quota|credit|credits|balance|funds
        exceeded .. quota
        exceeded .. monthly|daily|weekly
        quota .. exceeded|exhausted|reached
        credit|credits balance .. too low
        requires more credits
        out of credits
        higher monthly limit
        credits .. exhausted|depleted
        billing hard|not
        reached|exceeded|exceed .. usage|spend|spending limit|limits
        usage|spend|spending|monthly|daily|weekly limit .. reached|exceeded
        extra usage is required
        payment required
        account is not active
        hit your limit .. resets
    "),
    // What throttles.
    rules(PayloadTooLarge, ANY, "
        received message larger than max {requested} vs {limit}
        total message size {requested} exceeds limit {limit}
    "),
    rules(RateLimit, ANY, "
        rate limit|limits|limited|limiting
        ratelimit
        too many requests
        throttled|throttling
        resource .. exhausted
    "),
    // Prompt and answer together do not fit the window; then a limit of the answer alone, which no
    // compaction heals.
    rules(Overflow, ANY, "
        is too large {requested} .. maximum context length is {limit} .. request has {requested} input
        max tokens must be at least 1 got
        inputs tokens .. must be {limit} given {requested} inputs tokens and {requested}
    "),
    rules(Other, ANY, "
        max|maximum .. tokens .. is too large
        max|maximum .. tokens must be|not
        invalid max tokens
        number of output tokens
        at most # completion|output tokens
    "),
    // A parameter that is only named like the window.
    rules(Other, ANY, "parameter|argument|field context length|window|size"),
    // More tokens than the window takes, with figures.
    rules(Overflow, ANY, "
        prompt is too long {requested} tokens {limit}
        prompt is too long {requested} .. maximum context length {limit}
        exceed context limit {requested} {requested} {limit}
        maximum context length is {limit} ... total of at least {requested}
        maximum context length is {limit} .. requested|in|has|contains {requested}
        maximum context length is {limit} .. requested about {requested}
        maximum context length is {limit}
        {requested} .. exceed|exceeds .. maximum context length of|is {limit}
        exceed|exceeds|exceeded .. maximum context length of|is {limit}
        maximum prompt length is {limit} .. contains {requested}
        contains {requested} tokens .. too large for model with {limit}
        token count {requested} exceeds .. tokens allowed {limit}
        token count of {requested} exceeds the limit of {limit}
        {requested} tokens is longer than the .. context length {limit}
        length {requested} is longer than the maximum model length of {limit}
        input length {requested} .. exceeds .. maximum .. length .. {limit}
        request {requested} tokens exceeds .. context size {limit}
        context size ... prompt tokens {requested} n ctx {limit}
        requested tokens {requested} exceed context window of {limit}
        input tokens exceed .. limit of {limit} tokens .. resulted in {requested}
        first {requested} tokens ... context length of only {limit} tokens
        model token limit {limit} requested {requested}
        range of input length should be # {limit}
        inputs must have less than {limit} tokens given {requested}
        cannot exceed {limit} received {requested}
        too many tokens .. exceeds the limit of {limit}
        too many tokens size limit exceeded ... model is {limit} tokens
    "),
    // The same without.
    rules(Overflow, ANY, "
        prompt is too long
        prompt too long|large
        prompt exceeds .. max|maximum|context|limit
        prompt tokens exceeded
        input is too long for
        input tokens|length exceed|exceeds
        exceed|exceeds|exceeded|exceeding .. context window|length|size|limit
        context window|length|size|limit .. exceeds|exceeded
        longer|greater|larger than the .. context window|length|size
        too large|long|big for .. context window|length|size
        length of all messages is too long
        context overflow|overflows|overflowed
    "),
    // More bytes than the server takes, or an image that is too large: the recovery drops images first.
    rules(PayloadTooLarge, ANY, "
        image exceeds .. maximum {requested} bytes {limit} bytes
        image .. exceeds|exceed|exceeded .. mb|bytes|size|pixels
        request too large
        entity|content|payload|body .. too large
        payload|request size exceeds
        request exceeds the maximum size
    "),
    // A 400 without a word: so at least one provider says that a prompt is too long.
    rules(Overflow, (400, 400), "
        status code no body
        ^ $
    "),
    // No valid key; some say so with a 400.
    rules(Auth, ANY, "
        incorrect|invalid|missing .. api key
        api key .. invalid|not valid|expired|missing
        incorrect|invalid|missing .. bearer|access token
        authentication|authorization|credentials .. expired|failed|missing|invalid|required
        access|auth|bearer|oauth|security|session token .. expired|missing|invalid|required
        invalid|incorrect|missing|no .. authentication|credentials|auth
    "),
    // What the status alone says, where it is sure.
    rules(Auth, (401, 401), "^"),
    rules(Auth, (403, 403), "^"),
    rules(Quota, (402, 402), "^"),
    rules(Transient, (408, 408), "^"),
    rules(Transient, (425, 425), "^"),
    rules(RateLimit, (429, 429), "^"),
    // Phrases that under another status than 429 mean the window.
    rules(Overflow, ANY, "
        too many .. tokens
        token limit exceeded
        input is too long
        reduce the length of the messages|prompt|input
    "),
    // What the status says of the rest.
    rules(PayloadTooLarge, (413, 413), "^"),
    rules(Other, (400, 499), "^"),
    rules(Other, (501, 501), "^"),
    rules(Other, (505, 505), "^"),
    rules(Transient, (500, 599), "^"),
    // Without a status.
    rules(Auth, ANY, "
        unauthorized|unauthenticated|forbidden
        permission|access denied
        authentication|permission error
    "),
    rules(Transient, ANY, "
        overloaded
        at|over|exceeded|insufficient capacity
        internal server error|exception
        internal error
        server error
        server had an error
        bad gateway
        upstream connect error
        gateway time|timeout
        service .. unavailable
        temporarily unavailable
        currently loading|overloaded|unavailable
        timed out
        timeout .. error|exceeded
        deadline exceeded
        timeout
        fetch failed
        failed to fetch
        load failed
        network .. error|lost|changed|offline
        socket .. hang|closed|error|timeout
        other side closed
        und err
        connection .. error|reset|refused|closed|lost|aborted|terminated|interrupted
        econnreset|econnrefused|econnaborted|etimedout|enotfound|epipe|ehostunreach|enetunreach|enetdown
        eai again
        premature close
        stream ended|closed|disconnected|interrupted
        unexpected end of|eof
        ^ terminated $
        error terminated
    "),
];
