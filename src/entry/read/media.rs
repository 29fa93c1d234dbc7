//! Images and other files in the blocks of a message, as the providers' formats and ours write them.

use super::super::attachment::{Attachment, AttachmentKind};
use super::super::base64::Base64;
use super::super::field::{Fields, Plain, Target};
use super::super::image_size::image_size;
use super::super::json::{List, Object, Scalar, Sink, Stop};
use super::super::object::{text, value};
use super::super::{Block, Image};
use super::boxed;
use super::message::BlockFields;
use std::borrow::Cow;

/// The types of blocks that are files.
const FILES: [&str; 10] =
    ["document", "file", "input_file", "input_audio", "audio", "video", "media", "file-data", "file-url", "file-id"];

/// Every known field of a file.
#[derive(Default)]
pub(super) struct MediaFields<'a> {
    /// How the data of a document is given, in its source.
    kind: Plain<'a>,
    mime_type: Plain<'a>,
    data: Plain<'a>,
    url: Plain<'a>,
    /// The JSON of the object that the block keeps the file in.
    inner: Option<&'a str>,
    /// The JSON of the blocks that a document is made of.
    content: Option<&'a str>,
    stands_for: StandsFor<'a>,
}

impl<'de> Fields<'de> for MediaFields<'de> {
    fn target(&mut self, key: &str) -> Target<'_, 'de> {
        match key {
            "type" => Target::Value(&mut self.kind),
            "mimeType" | "mediaType" | "media_type" | "mime_type" => Target::Value(&mut self.mime_type),
            "data" | "file_data" => Target::Value(&mut self.data),
            "url" => Target::Value(&mut self.url),
            "source" | "file" | "input_audio" | "inlineData" | "fileData" => Target::Raw(&mut self.inner),
            "content" => Target::Raw(&mut self.content),
            _ => Target::Value(&mut self.stands_for),
        }
    }
}

impl<'a> MediaFields<'a> {
    /// The image that these fields say.
    pub(super) fn image(self, wrong: &mut Vec<&'static str>) -> Image {
        let fields = self.inner.and_then(value).unwrap_or(self);
        let data = fields.data.text("data", wrong).unwrap_or_default();
        image_of(fields.mime_type.text("mimeType", wrong), &data)
    }

    /// Adds what a block of a type that only providers have says as a file: a text, an image, an attachment, or the
    /// blocks of a document. Answers whether it is a file.
    pub(super) fn push_file(self, block: &str, within: Within, blocks: &mut Vec<Block>) -> bool {
        let inner: Option<Self> = self.inner.and_then(value);
        // Gemini's parts have no type.
        let of_gemini = block.is_empty() && inner.is_some();
        if !(of_gemini || FILES.contains(&block)) {
            return false;
        }
        let fields = inner.unwrap_or(self);
        let mut ignored = Vec::new();
        let mut string = |field: Plain<'_>| field.string("", &mut ignored);
        let (data, url) = (string(fields.data), string(fields.url));
        match (string(fields.kind).as_deref(), fields.content, within) {
            (Some("text"), _, _) => blocks.push(Block::Text(data.unwrap_or_default())),
            (Some("content"), Some(content), Within::Message) => push_content(content, blocks),
            _ => {
                // A link says nothing of what it leads to.
                let is_data = |data: &String| data.starts_with("data:") || !data.contains(':');
                let data = data.or(url).filter(is_data).unwrap_or_default();
                let mime_type = string(fields.mime_type).unwrap_or_default();
                let of_url = data.strip_prefix("data:").filter(|_| mime_type.is_empty());
                blocks.push(file_of(block, of_url.unwrap_or(&mime_type), &data));
            }
        }
        true
    }

    /// The JSON of the part that a text stands for, which its format keeps beside it.
    pub(super) fn stands_for(&self) -> Option<&'a str> {
        self.stands_for.0
    }
}

/// Where a block stands. Documents are made of texts and images, so that reading them ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    Message,
    Document,
}

/// The part that a text stands for: under the key `is`, beside the text under the name of a format.
#[derive(Default)]
struct StandsFor<'a>(Option<&'a str>);

impl<'de> Sink<'de> for StandsFor<'de> {
    fn scalar(&mut self, _: Option<Scalar<'de>>) {}

    fn list(&mut self, list: &mut dyn List<'de>) -> Result<(), Stop> {
        list.skip()
    }

    fn object(&mut self, object: &mut dyn Object<'de>) -> Result<(), Stop> {
        while let Some(key) = object.key()? {
            if key == "is" {
                self.0 = Some(object.raw()?);
            } else {
                object.skip()?;
            }
        }
        Ok(())
    }
}

/// A file by what its media type begins with, or where that says nothing by the type of its block.
fn file_of(block: &str, mime_type: &str, data: &str) -> Block {
    let is = |kind: &str| mime_type.starts_with(kind);
    if is("image/") {
        let length = mime_type.bytes().take_while(|byte| !matches!(byte, b';' | b',')).count();
        return Block::Image(image_of(mime_type.get(..length).map(Cow::Borrowed), data));
    }
    let kind = if is("audio/") || block.ends_with("audio") {
        AttachmentKind::Audio
    } else if is("video/") || block == "video" {
        AttachmentKind::Video
    } else if is("text/") {
        AttachmentKind::Text
    } else {
        AttachmentKind::Document
    };
    Block::Attachment(Attachment::new(kind, data))
}

/// An image with this data.
fn image_of(mime_type: Option<Cow<'_, str>>, data: &str) -> Image {
    let data = Base64::of(data);
    Image { mime_type: boxed(mime_type), data_length: data.length(), size: image_size(&data) }
}

/// Adds what a document is made of: a string, or blocks.
fn push_content(content: &str, blocks: &mut Vec<Block>) {
    match text(content) {
        Some(text) => blocks.push(Block::Text(text)),
        None => {
            let parts: Vec<BlockFields<'_>> = value(content).unwrap_or_default();
            for part in parts {
                part.push_to(blocks, Within::Document, &mut false);
            }
        }
    }
}
