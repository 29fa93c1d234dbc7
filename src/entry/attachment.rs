//! Files that a message carries beside its text: PDFs, recordings, films. What of them can be told cheaply is how
//! many pages they have, or how long they play.

use super::base64::Base64;
use super::pdf_pages::pdf_pages;
use super::playing_time::playing_time;

/// A file beside the text of a message. Its data stays in the stored line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// What it is.
    pub kind: AttachmentKind,
    /// The length of its data, in characters of base64; 0 where the data lies elsewhere.
    pub data_length: usize,
    /// Its pages, or the seconds that it plays, where its data says them and may be believed.
    pub extent: Option<u32>,
}

/// What an attachment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttachmentKind {
    /// A PDF, or a file of an unknown type.
    Document,
    /// A recording.
    Audio,
    /// A film.
    Video,
    /// A text that is not in the message as one.
    Text,
}

/// The most pages that a provider takes: Gemini, by ai.google.dev, Document understanding.
pub(crate) const MOST_PAGES: u32 = 1_000;
/// The most seconds that a provider takes: nine and a half hours of audio, by ai.google.dev, Audio understanding.
pub(crate) const MOST_SECONDS: u32 = 34_200;
/// What a page takes at least, in bytes: its name in the list of pages, and a packed object.
const LEAST_OF_PAGE: u64 = 32;
/// What a second takes at least, in bytes: the narrowest codecs of speech need 2 kbit.
const LEAST_OF_SECOND: u64 = 250;

impl Attachment {
    /// The attachment of a kind with this data.
    pub(super) fn new(kind: AttachmentKind, data: &str) -> Self {
        let data = Base64::of(data);
        let (found, most, least) = match kind {
            AttachmentKind::Document => (pdf_pages(&data), MOST_PAGES, LEAST_OF_PAGE),
            AttachmentKind::Audio | AttachmentKind::Video => (playing_time(&data), MOST_SECONDS, LEAST_OF_SECOND),
            AttachmentKind::Text => (None, 0, 0),
        };
        let is_credible = |extent: &u32| (1..=most).contains(extent) && u64::from(*extent) * least <= data.bytes();
        Self { kind, data_length: data.length(), extent: found.filter(is_credible) }
    }
}

#[cfg(test)]
#[path = "attachment_tests.rs"]
mod tests;
