//! Tells the day: each call here is one thing that a person or the agent does.

use crate::json::{Json, object};
use crate::project::Repository;
use crate::rng::Rng;
use crate::tools::{self, Do};
use crate::writer::{Writer, tokens};

/// The day as far as it has been told.
pub(crate) struct Day {
    pub(crate) repository: Repository,
    pub(crate) rng: Rng,
    pub(crate) out: Writer,
}

impl Day {
    pub(crate) fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        Self { repository: Repository::at_start(&mut rng), out: Writer::new(seed ^ 0xb0a7), rng }
    }

    /// The developer writes.
    pub(crate) fn user(&mut self, text: &str) -> String {
        self.pause(70_000, 560_000);
        // Both forms of content are in use.
        let content = if self.rng.chance(35) { Json::from(text) } else { vec![block(text)].into() };
        self.out.message(object([("role", "user".into()), ("content", content)]), tokens(text))
    }

    /// The developer writes and adds a picture.
    pub(crate) fn user_with_picture(&mut self, text: &str, png: String) {
        self.pause(60_000, 240_000);
        let image = object([("type", "image".into()), ("data", png.into()), ("mimeType", "image/png".into())]);
        self.out.message(
            object([("role", "user".into()), ("content", vec![block(text), image].into())]),
            tokens(text) + 90,
        );
    }

    /// The agent thinks, says something, makes calls; each call is answered.
    pub(crate) fn step<const N: usize>(&mut self, thinking: &str, say: &str, calls: [Do; N]) {
        self.steps(thinking, say, calls.into());
    }

    /// The same for calls whose number the story computes.
    pub(crate) fn steps(&mut self, thinking: &str, say: &str, calls: Vec<Do>) {
        let done: Vec<(String, tools::Done)> = calls
            .iter()
            .map(|call| {
                let id = format!("call_{}", self.rng.token(20));
                (id, tools::perform(&mut self.repository, &mut self.rng, call))
            })
            .collect();
        let (mut content, mut output) = self.words(thinking, say);
        for (id, call) in &done {
            output += tokens(&call.arguments.to_string()) + 12;
            content.push(object([
                ("type", "toolCall".into()),
                ("id", id.as_str().into()),
                ("name", call.tool.into()),
                ("arguments", call.arguments.clone()),
            ]));
        }
        self.pause(1_200, 4_000 + output * 11);
        self.out.assistant(content, output, "toolUse");
        self.answer(done);
    }

    /// Results come in as the tools finish, which is often not the order of the calls.
    fn answer(&mut self, mut done: Vec<(String, tools::Done)>) {
        if done.len() > 1 && self.rng.chance(60) {
            let places = self.rng.between(1, done.len() as u64 - 1) as usize;
            done.rotate_left(places);
        }
        for (id, call) in done {
            let slow = if call.tool == "bash" { 9_000 } else { 160 };
            self.pause(15, slow);
            let mut message = object([
                ("role", "toolResult".into()),
                ("toolCallId", id.into()),
                ("toolName", call.tool.into()),
                ("content", vec![block(&call.text)].into()),
            ]);
            if let Some(details) = call.details {
                message.push("details", details);
            }
            message.push("isError", call.failed);
            let weight = tokens(&call.text);
            self.out.message(message, weight);
        }
    }

    /// The agent answers and stops.
    pub(crate) fn close(&mut self, thinking: &str, say: &str) {
        let (content, output) = self.words(thinking, say);
        self.pause(2_000, 5_000 + output * 12);
        self.out.assistant(content, output, "stop");
    }

    /// A turn that the provider or the developer broke off.
    pub(crate) fn broken(&mut self, say: &str, stop: &str, error: &str) {
        self.pause(900, 9_000);
        let content = if say.is_empty() { vec![] } else { vec![block(say)] };
        self.out.lost_turn(content, stop, error);
    }

    /// The developer runs a command in the agent's window.
    pub(crate) fn shell(&mut self, command: &str, output: &str, exit_code: u64, hidden: bool) {
        self.pause(20_000, 90_000);
        let mut message = object([
            ("role", "bashExecution".into()),
            ("command", command.into()),
            ("output", output.into()),
            ("exitCode", exit_code.into()),
            ("cancelled", false.into()),
            ("truncated", false.into()),
        ]);
        if hidden {
            message.push("excludeFromContext", true);
        }
        let weight = if hidden { 0 } else { tokens(command) + tokens(output) };
        self.out.message(message, weight);
    }

    fn words(&mut self, thinking: &str, say: &str) -> (Vec<Json>, u64) {
        let mut content = Vec::new();
        let mut output = 6;
        if !thinking.is_empty() {
            output += tokens(thinking);
            let signature = self.rng.token(96);
            content.push(object([
                ("type", "thinking".into()),
                ("thinking", thinking.into()),
                ("thinkingSignature", signature.into()),
            ]));
        }
        if !say.is_empty() {
            output += tokens(say);
            content.push(block(say));
        }
        (content, output)
    }

    pub(crate) fn pause(&mut self, low: u64, high: u64) {
        let length = self.rng.between(low, high);
        self.out.clock.pass(length);
    }
}

/// A text block.
pub(crate) fn block(text: &str) -> Json {
    object([("type", "text".into()), ("text", text.into())])
}
