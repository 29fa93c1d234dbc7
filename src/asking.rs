//! Asking for summaries: of one candidate after the other, in as many parts as it takes, until there is
//! an answer that may be stored. What is asked for, and what becomes of the answer, is the run's matter.

use crate::error::{Error, ErrorCode};
use crate::event::Event;
use crate::session::Session;
use crate::settings::{Fallback, Settings};
use crate::step::{Fetch, Never, Reply, Step, Summarize};
use crate::summary::{
    Candidate, Candidates, Failure, Fold, Next, NoRoom, Refusal, RequestKind, RequestOptions, Summarizer,
    SummaryRequest, check_reply, read_response, usable,
};
use std::sync::Arc;

/// What a run asks for.
pub(crate) trait Inquiry {
    /// The settings.
    fn settings(&self) -> &Settings;

    /// The reserve in the session's window, in tokens, from which the output limits follow.
    fn reserve_tokens(&self) -> u64;

    /// The session's window, in tokens, where it is known.
    fn context_window(&self) -> Option<u64>;

    /// Completes what all requests of the run share.
    fn options<'a>(&'a self, options: RequestOptions<'a>) -> RequestOptions<'a>;

    /// The request for the whole; `None` where nothing is asked for.
    fn whole(&self, session: &Session, options: &RequestOptions<'_>) -> Option<SummaryRequest>;

    /// The record to be asked for in parts, with the kind of its last part. `None` where it is left out
    /// instead.
    fn record(&self, session: &Session) -> Option<(RequestKind, Fold)>;

    /// The size of what the summary replaces, in tokens, below which it has to stay.
    fn replaced_tokens(&self, session: &Session) -> Option<u64>;

    /// What the local summariser answers.
    fn answer_locally(&self, session: &Session, request: &SummaryRequest, replaced_tokens: Option<u64>) -> String;

    /// Whether the run can do without it.
    fn is_optional(&self) -> bool;

    /// How many requests come behind it.
    fn requests_behind(&self) -> u32;
}

/// What came of asking.
#[derive(Debug)]
pub(crate) enum Asked {
    /// Something is to be done outside first.
    Out(Step<Never>),
    /// An answer that may be stored, and who gave it.
    Answered(String, Summarizer),
    /// Nothing was asked for, or the run has to do without it.
    LeftOut,
    /// Nobody could answer.
    GaveUp(Error),
    /// The run is to end.
    Aborted,
}

/// The requests of a run.
#[derive(Debug)]
pub(crate) struct Asking {
    candidates: Candidates,
    /// The request that is out, or that waits to be sent again.
    request: Option<Arc<SummaryRequest>>,
    /// Whether it waits.
    waits: bool,
    /// The record that is asked for, where it is too long for one request.
    fold: Option<Fold>,
    /// The record with the kind of its last part.
    fold_kind: RequestKind,
    /// How many requests are settled.
    settled: u32,
    warnings: Vec<&'static str>,
    events: Vec<Event>,
}

impl Asking {
    /// Nobody in the list is the local summariser; `fallback` adds it behind the others.
    pub(crate) fn new(mut candidates: Vec<Candidate>, fallback: Fallback) -> Self {
        if fallback == Fallback::Local {
            candidates.push(Candidate::LOCAL);
        }
        Self {
            candidates: Candidates::new(candidates),
            request: None,
            waits: false,
            fold: None,
            fold_kind: RequestKind::History,
            settled: 0,
            warnings: Vec::new(),
            events: Vec::new(),
        }
    }

    /// What was odd about accepted replies.
    pub(crate) fn warnings(&self) -> &[&'static str] {
        &self.warnings
    }

    /// Notes an event among those of the requests.
    pub(crate) fn note(&mut self, event: Event) {
        self.events.push(event);
    }

    /// The events since the last call.
    pub(crate) fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Asks for what the run wants next. The local summariser answers on the spot.
    pub(crate) fn ask(&mut self, inquiry: &dyn Inquiry, session: &Session) -> Asked {
        loop {
            let next = match self.next_request(inquiry, session) {
                None => {
                    self.turn_to_the_next();
                    return Asked::LeftOut;
                }
                Some(Ok(request)) if self.candidates.current().summarizer == Summarizer::Local => {
                    match self.serve_locally(inquiry, session, &request) {
                        Ok(Some(asked)) => return asked,
                        Ok(None) => continue,
                        Err(next) => next,
                    }
                }
                Some(Ok(request)) => return self.send(inquiry, Arc::new(request)),
                Some(Err(no_room)) => self.candidates.give_up(no_room.into()),
            };
            if let Next::GiveUp(error) = next {
                return Asked::GaveUp(error);
            }
        }
    }

    /// Goes on with what the outside world says.
    pub(crate) fn resume(&mut self, inquiry: &dyn Inquiry, session: &Session, reply: Reply) -> Asked {
        let Some(request) = self.request.take() else {
            return not_asked();
        };
        match reply {
            Reply::Aborted => Asked::Aborted,
            Reply::Slept if std::mem::take(&mut self.waits) => self.send(inquiry, request),
            Reply::Summary(reply) if !self.waits => self.replied(inquiry, session, &request, &reply),
            Reply::Responded(response) if !self.waits => match read_response(&response) {
                Ok(reply) => self.replied(inquiry, session, &request, &reply),
                Err(failure) => self.failed(inquiry, session, request, &failure.into(), ErrorCode::RemoteFailed),
            },
            Reply::Failed(failure) if !self.waits => {
                let code = match self.candidates.current().summarizer {
                    Summarizer::Remote => ErrorCode::RemoteFailed,
                    _ => ErrorCode::SummarizerFailed,
                };
                self.failed(inquiry, session, request, &failure, code)
            }
            _ => not_asked(),
        }
    }

    /// The next request, for the candidate whose turn it is; `None` where nothing is asked for.
    fn next_request(&mut self, inquiry: &dyn Inquiry, session: &Session) -> Option<Result<SummaryRequest, NoRoom>> {
        let candidate = self.candidates.current();
        let rule = session.token_rule();
        // A model other than the session's has a reserve of its own, if it is smaller.
        let reserve_tokens = match candidate.context_window {
            Some(window) if Some(window) != inquiry.context_window() => inquiry.reserve_tokens().min(window / 4),
            _ => inquiry.reserve_tokens(),
        };
        let options = inquiry.options(RequestOptions::new(reserve_tokens, rule));
        if candidate.summarizer == Summarizer::Local {
            // It reads the messages, of any number.
            self.fold = None;
        }
        if self.fold.is_none() {
            let whole = inquiry.whole(session, &options)?;
            let needed = whole.prompt_tokens + whole.max_tokens;
            if candidate.context_window.is_none_or(|window| needed <= usable(window)) {
                return Some(Ok(whole));
            }
            let (kind, fold) = inquiry.record(session)?;
            self.fold_kind = kind;
            self.fold = Some(fold);
        }
        let fold = self.fold.as_mut()?;
        Some(fold.request(self.fold_kind, candidate.context_window, &options))
    }

    /// Hands a request to the candidate whose turn it is.
    fn send(&mut self, inquiry: &dyn Inquiry, request: Arc<SummaryRequest>) -> Asked {
        self.note_request(inquiry, request.kind, None);
        self.request = Some(Arc::clone(&request));
        let settings = inquiry.settings();
        let candidate = self.candidates.current();
        Asked::Out(match (candidate.summarizer, &settings.compaction.remote_endpoint) {
            (Summarizer::Remote, Some(url)) => {
                Step::Fetch(Fetch { url: url.clone(), request, timeout_ms: settings.remote.timeout_ms })
            }
            _ => Step::Summarize(Summarize {
                request,
                model: candidate.model,
                attempt: self.candidates.attempt(),
                timeout_ms: settings.request_timeout_ms,
            }),
        })
    }

    /// A reply came.
    fn replied(
        &mut self,
        inquiry: &dyn Inquiry,
        session: &Session,
        request: &SummaryRequest,
        reply: &crate::summary::Reply,
    ) -> Asked {
        let refusal = match self.check(reply, request, self.replaced_tokens(inquiry, session), session) {
            Ok(text) => return self.accept(text).unwrap_or_else(|| self.ask(inquiry, session)),
            Err(_) if inquiry.is_optional() => return self.leave_out(),
            Err(refusal) => refusal,
        };
        let message = format!("the {} summary was refused: {refusal}", request.kind.as_str());
        match self.candidates.refused(Error::new(ErrorCode::SummaryRefused, message)) {
            Next::Again { .. } => {
                let again = request.with_refusal(&refusal, session.token_rule());
                self.send(inquiry, Arc::new(again))
            }
            Next::MoveOn => self.ask(inquiry, session),
            Next::GiveUp(error) => Asked::GaveUp(error),
        }
    }

    /// No reply came.
    fn failed(
        &mut self,
        inquiry: &dyn Inquiry,
        session: &Session,
        request: Arc<SummaryRequest>,
        failure: &Failure,
        code: ErrorCode,
    ) -> Asked {
        if inquiry.is_optional() {
            return self.leave_out();
        }
        match self.candidates.failed(failure, code, &inquiry.settings().retry) {
            // Also for no time at all: the host's other work, an abort too, gets its turn in between.
            Next::Again { wait_ms } => {
                self.note_request(inquiry, request.kind, Some(wait_ms));
                self.request = Some(request);
                self.waits = true;
                Asked::Out(Step::Sleep { wait_ms })
            }
            Next::MoveOn => self.ask(inquiry, session),
            Next::GiveUp(error) => Asked::GaveUp(error),
        }
    }

    /// Lets the local summariser answer; nothing yet where more parts follow.
    fn serve_locally(
        &mut self,
        inquiry: &dyn Inquiry,
        session: &Session,
        request: &SummaryRequest,
    ) -> Result<Option<Asked>, Next> {
        self.note_request(inquiry, request.kind, None);
        let replaced = self.replaced_tokens(inquiry, session);
        let reply = crate::summary::Reply::text(inquiry.answer_locally(session, request, replaced));
        match self.check(&reply, request, replaced, session) {
            Ok(text) => Ok(self.accept(text)),
            Err(_) if inquiry.is_optional() => Ok(Some(self.leave_out())),
            Err(refusal) => {
                let message = format!("the local {} summary was refused: {refusal}", request.kind.as_str());
                Err(self.candidates.give_up(Error::new(ErrorCode::SummaryRefused, message)))
            }
        }
    }

    fn check(
        &mut self,
        reply: &crate::summary::Reply,
        request: &SummaryRequest,
        replaced_tokens: Option<u64>,
        session: &Session,
    ) -> Result<String, Refusal> {
        let accepted = check_reply(reply, request, replaced_tokens, session.token_rule())?;
        for warning in accepted.warnings.into_iter().map(|warning| warning.as_str()) {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        Ok(accepted.text)
    }

    /// Takes an accepted text: of a part, or of all that is asked for.
    fn accept(&mut self, text: String) -> Option<Asked> {
        let whole = match &mut self.fold {
            Some(fold) => fold.accept(text),
            None => Some(text),
        };
        let summarizer = self.candidates.current().summarizer;
        self.settled += 1;
        if whole.is_none() {
            self.candidates.next_request();
        } else {
            self.turn_to_the_next();
        }
        Some(Asked::Answered(whole?, summarizer))
    }

    /// Goes on without what was asked for.
    fn leave_out(&mut self) -> Asked {
        self.settled += 1;
        self.turn_to_the_next();
        Asked::LeftOut
    }

    fn turn_to_the_next(&mut self) {
        self.fold = None;
        self.candidates.next_request();
    }

    fn replaced_tokens(&self, inquiry: &dyn Inquiry, session: &Session) -> Option<u64> {
        let rule = session.token_rule();
        self.fold.as_ref().and_then(|fold| fold.replaced_tokens(rule)).or_else(|| inquiry.replaced_tokens(session))
    }

    /// Tells that a request is about to be sent, or waits to be sent again.
    fn note_request(&mut self, inquiry: &dyn Inquiry, kind: RequestKind, wait_ms: Option<u64>) {
        let request = self.settled + 1;
        let parts_left = self.fold.as_ref().map_or(0, Fold::parts_left);
        self.note_progress(kind.as_str(), request, request + parts_left + inquiry.requests_behind(), wait_ms);
    }

    /// Tells that the result is about to be saved, and who made it.
    pub(crate) fn note_save(&mut self, served_by: Option<Summarizer>) {
        self.note_progress("save", self.settled, self.settled, None);
        if let (Some(Event::CompactionProgress { summarizer, .. }), Some(served_by)) =
            (self.events.last_mut(), served_by)
        {
            *summarizer = served_by.as_str();
        }
    }

    fn note_progress(&mut self, phase: &'static str, request: u32, requests: u32, wait_ms: Option<u64>) {
        self.events.push(Event::CompactionProgress {
            phase,
            request,
            requests,
            summarizer: self.candidates.current().summarizer.as_str(),
            candidate: self.candidates.number(),
            attempt: self.candidates.attempt(),
            wait_ms,
        });
    }
}

/// A reply that answers nothing the run has asked.
fn not_asked() -> Asked {
    Asked::GaveUp(Error::new(ErrorCode::Internal, "a run was told what it did not ask for"))
}
