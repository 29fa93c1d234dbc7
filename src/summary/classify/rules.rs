//! The rules by which errors are told apart, in one table.
//!
//! To teach a new text: add a line at the end of its section, and a row to
//! `tests/fixtures/error-samples.tsv`. The first rule that fits decides, so the order matters: what
//! throttles or charges comes before what overflows, and a phrase that names figures before one that
//! does not. A pattern is written in small words without punctuation; `Words::find` says what else may
//! stand in it.

use super::ErrorClass::{self, Auth, Other, Overflow, PayloadTooLarge, Quota, RateLimit, Transient};
use super::words::{Figures, Words};

/// One rule: an error of these statuses in which the pattern stands is of the class.
pub(super) struct Rule {
    pub(super) class: ErrorClass,
    /// The first and the last status; 0 stands for none.
    pub(super) statuses: (u16, u16),
    pub(super) pattern: &'static str,
}

impl Rule {
    /// The numbers that the text names, if the rule fits it.
    pub(super) fn fits(&self, words: &Words, status: u16) -> Option<Figures> {
        let (first, last) = self.statuses;
        if (first..=last).contains(&status) { words.find(self.pattern) } else { None }
    }
}

const fn text(class: ErrorClass, pattern: &'static str) -> Rule {
    Rule { class, statuses: (0, u16::MAX), pattern }
}

const fn status(class: ErrorClass, first: u16, last: u16) -> Rule {
    Rule { class, statuses: (first, last), pattern: "" }
}

const fn both(class: ErrorClass, status: u16, pattern: &'static str) -> Rule {
    Rule { class, statuses: (status, status), pattern }
}

pub(super) const RULES: &[Rule] = &[
    // Used up for a day or longer: waiting a little does not help.
    text(Quota, "token|tokens|request|requests per day|week|month ... limit {limit} .. requested {requested}"),
    text(Quota, "token|tokens|request|requests .. per day|week|month"),
    // Too much within a short time, however it is put. Some call it a quota.
    text(RateLimit, "per min|minute ... limit {limit} .. requested {requested}"),
    text(RateLimit, "limit {limit} .. requested {requested} .. per min|minute"),
    text(RateLimit, "limit of {limit} .. token|tokens|request|requests per min|minute"),
    text(RateLimit, "token|tokens|request|requests .. per min|minute|second|hour"),
    text(RateLimit, "current quota ... please retry in"),
    // Money and allotments.
    text(Quota, "insufficient .. quota|credit|credits|balance|funds"),
    text(Quota, "exceeded .. quota"),
    text(Quota, "exceeded .. monthly|daily|weekly"),
    text(Quota, "quota .. exceeded|exhausted|reached"),
    text(Quota, "credit|credits balance .. too low"),
    text(Quota, "requires more credits"),
    text(Quota, "out of credits"),
    text(Quota, "higher monthly limit"),
    text(Quota, "credits .. exhausted|depleted"),
    text(Quota, "billing hard|not"),
    text(Quota, "reached|exceeded|exceed .. usage|spend|spending limit|limits"),
    text(Quota, "usage|spend|spending|monthly|daily|weekly limit .. reached|exceeded"),
    text(Quota, "extra usage is required"),
    text(Quota, "payment required"),
    // What throttles.
    text(PayloadTooLarge, "received message larger than max {requested} vs {limit}"),
    text(RateLimit, "rate limit|limits|limited|limiting"),
    text(RateLimit, "ratelimit"),
    text(RateLimit, "too many requests"),
    text(RateLimit, "throttled|throttling"),
    text(RateLimit, "resource .. exhausted"),
    // Prompt and answer together do not fit the window; then a limit of the answer alone, which no
    // compaction heals.
    text(Overflow, "is too large {requested} .. maximum context length is {limit} .. request has {requested} input"),
    text(Overflow, "max tokens must be at least 1 got"),
    text(Overflow, "inputs tokens .. must be {limit} given {requested} inputs tokens and {requested}"),
    text(Other, "max|maximum .. tokens .. is too large"),
    text(Other, "max|maximum .. tokens must be|not"),
    text(Other, "invalid max tokens"),
    text(Other, "number of output tokens"),
    text(Other, "at most # completion|output tokens"),
    // A parameter that is only named like the window.
    text(Other, "parameter|argument|field context length|window|size"),
    // More tokens than the window takes, with figures.
    text(Overflow, "prompt is too long {requested} tokens {limit}"),
    text(Overflow, "prompt is too long {requested} .. maximum context length {limit}"),
    text(Overflow, "exceed context limit {requested} {requested} {limit}"),
    text(Overflow, "maximum context length is {limit} ... total of at least {requested}"),
    text(Overflow, "maximum context length is {limit} .. requested|in|has|contains {requested}"),
    text(Overflow, "maximum context length is {limit} .. requested about {requested}"),
    text(Overflow, "maximum context length is {limit}"),
    text(Overflow, "{requested} .. exceed|exceeds .. maximum context length of|is {limit}"),
    text(Overflow, "exceed|exceeds|exceeded .. maximum context length of|is {limit}"),
    text(Overflow, "maximum prompt length is {limit} .. contains {requested}"),
    text(Overflow, "contains {requested} tokens .. too large for model with {limit}"),
    text(Overflow, "token count {requested} exceeds .. tokens allowed {limit}"),
    text(Overflow, "token count of {requested} exceeds the limit of {limit}"),
    text(Overflow, "{requested} tokens is longer than the .. context length {limit}"),
    text(Overflow, "length {requested} is longer than the maximum model length of {limit}"),
    text(Overflow, "input length {requested} .. exceeds .. maximum .. length .. {limit}"),
    text(Overflow, "request {requested} tokens exceeds .. context size {limit}"),
    text(Overflow, "context size ... prompt tokens {requested} n ctx {limit}"),
    text(Overflow, "requested tokens {requested} exceed context window of {limit}"),
    text(Overflow, "input tokens exceed .. limit of {limit} tokens .. resulted in {requested}"),
    text(Overflow, "first {requested} tokens ... context length of only {limit} tokens"),
    text(Overflow, "model token limit {limit} requested {requested}"),
    text(Overflow, "range of input length should be # {limit}"),
    text(Overflow, "inputs must have less than {limit} tokens given {requested}"),
    text(Overflow, "cannot exceed {limit} received {requested}"),
    text(Overflow, "too many tokens .. exceeds the limit of {limit}"),
    text(Overflow, "too many tokens size limit exceeded ... model is {limit} tokens"),
    // The same without.
    text(Overflow, "prompt is too long"),
    text(Overflow, "prompt too long|large"),
    text(Overflow, "prompt exceeds .. max|maximum|context|limit"),
    text(Overflow, "prompt tokens exceeded"),
    text(Overflow, "input is too long for"),
    text(Overflow, "input tokens|length exceed|exceeds"),
    text(Overflow, "exceed|exceeds|exceeded|exceeding .. context window|length|size|limit"),
    text(Overflow, "context window|length|size|limit .. exceeds|exceeded"),
    text(Overflow, "longer|greater|larger than the .. context window|length|size"),
    text(Overflow, "too large|long|big for .. context window|length|size"),
    text(Overflow, "length of all messages is too long"),
    text(Overflow, "context overflow|overflows|overflowed"),
    // More bytes than the server takes, or an image that is too large: the recovery drops images first.
    text(PayloadTooLarge, "image exceeds .. maximum {requested} bytes {limit} bytes"),
    text(PayloadTooLarge, "image .. exceeds|exceed|exceeded .. mb|bytes|size|pixels"),
    text(PayloadTooLarge, "request too large"),
    text(PayloadTooLarge, "entity|content|payload|body .. too large"),
    text(PayloadTooLarge, "payload|request size exceeds"),
    text(PayloadTooLarge, "request exceeds the maximum size"),
    // A 400 without a word: so at least one provider says that a prompt is too long.
    both(Overflow, 400, "status code no body"),
    both(Overflow, 400, "^ $"),
    // No valid key; some say so with a 400.
    text(Auth, "incorrect|invalid|missing .. api key"),
    text(Auth, "api key .. invalid|not valid|expired|missing"),
    text(Auth, "authentication|authorization|credentials .. expired|failed|missing|invalid|required"),
    text(Auth, "access|auth|bearer|oauth|security|session token .. expired|missing|invalid|required"),
    text(Auth, "invalid|incorrect|missing|no .. authentication|credentials|auth"),
    // What the status alone says, where it is sure.
    status(Auth, 401, 401),
    status(Auth, 403, 403),
    status(Quota, 402, 402),
    status(Transient, 408, 408),
    status(Transient, 425, 425),
    status(RateLimit, 429, 429),
    // Phrases that under another status than 429 mean the window.
    text(Overflow, "too many .. tokens"),
    text(Overflow, "token limit exceeded"),
    text(Overflow, "input is too long"),
    text(Overflow, "reduce the length of the messages|prompt|input"),
    // What the status says of the rest.
    status(PayloadTooLarge, 413, 413),
    status(Other, 400, 499),
    status(Other, 501, 501),
    status(Other, 505, 505),
    status(Transient, 500, 599),
    // Without a status.
    text(Auth, "unauthorized|unauthenticated|forbidden"),
    text(Auth, "permission|access denied"),
    text(Auth, "authentication|permission error"),
    text(Transient, "overloaded"),
    text(Transient, "at|over|exceeded|insufficient capacity"),
    text(Transient, "internal server error|exception"),
    text(Transient, "internal error"),
    text(Transient, "server error"),
    text(Transient, "server had an error"),
    text(Transient, "bad gateway"),
    text(Transient, "gateway time|timeout"),
    text(Transient, "service .. unavailable"),
    text(Transient, "temporarily unavailable"),
    text(Transient, "currently loading|overloaded|unavailable"),
    text(Transient, "timed out"),
    text(Transient, "timeout .. error|exceeded"),
    text(Transient, "deadline exceeded"),
    text(Transient, "timeout"),
    text(Transient, "fetch failed"),
    text(Transient, "failed to fetch"),
    text(Transient, "load failed"),
    text(Transient, "network .. error|lost|changed|offline"),
    text(Transient, "socket .. hang|closed|error|timeout"),
    text(Transient, "other side closed"),
    text(Transient, "und err"),
    text(Transient, "connection .. error|reset|refused|closed|lost|aborted|terminated|interrupted"),
    text(Transient, "econnreset|econnrefused|econnaborted|etimedout|enotfound|epipe|ehostunreach|enetunreach|enetdown"),
    text(Transient, "eai again"),
    text(Transient, "premature close"),
    text(Transient, "stream ended|closed|disconnected|interrupted"),
    text(Transient, "unexpected end of|eof"),
    text(Transient, "^ terminated $"),
    text(Transient, "error terminated"),
];
