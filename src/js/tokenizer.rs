//! Exact counts, for texts alone.
#![allow(unreachable_pub, reason = "wasm-bindgen exports these, whatever Rust sees of them")]

use std::cell::RefCell;

use super::errors::to_js_error;
use crate::error::{Error, ErrorCode, Quoted};
use js_sys::{Uint8Array, WebAssembly::Memory};
use tokenizer::{Encoding, Feed, Tokenizer, VocabularyError};
use wasm_bindgen::prelude::*;

/// A loaded vocabulary. It stays as long as the engine does, since sessions count by it.
#[wasm_bindgen]
pub struct TokenizerHandle {
    pub(super) tokenizer: &'static Tokenizer,
    /// Where the texts that are counted come in.
    crossing: RefCell<Vec<u8>>,
    /// What has come so far of a text that is handed in by parts.
    feed: RefCell<Feed>,
}

/// So many bytes of a text come in at once, so that a large one is never in memory twice.
const CROSSING: usize = 65_536;

#[wasm_bindgen]
impl TokenizerHandle {
    /// Reads the vocabulary file of an encoding, which must have the hash by which the package knows it.
    pub fn load(file: Vec<u8>, name: &str, hash: &str) -> Result<TokenizerHandle, JsValue> {
        let tokenizer = load(file, name, hash).map_err(to_js_error)?;
        Ok(Self {
            tokenizer: Box::leak(Box::new(tokenizer)),
            crossing: RefCell::new(vec![0; CROSSING]),
            feed: RefCell::default(),
        })
    }

    /// Where a text is written for [`TokenizerHandle::feed`]: a view of the engine's memory, which is of no length
    /// any more once that has grown.
    pub fn crossing(&self) -> Uint8Array {
        let memory: Memory = wasm_bindgen::memory().unchecked_into();
        let at = self.crossing.borrow_mut().as_mut_ptr().expose_provenance();
        Uint8Array::new_with_byte_offset_and_length(&memory.buffer(), at as u32, CROSSING as u32)
    }

    /// Takes a part of a text: so many bytes of [`TokenizerHandle::crossing`], in UTF-8, which end between two
    /// characters. Behind the last part, the tokens of the text; before it, 0.
    pub fn feed(&self, length: usize, last: bool) -> f64 {
        let crossing = self.crossing.borrow();
        let part = crossing.get(..length).unwrap_or_default();
        if last {
            self.feed.take().finish(self.tokenizer, part) as f64
        } else {
            self.feed.borrow_mut().add(self.tokenizer, part);
            0.0
        }
    }
}

fn load(file: Vec<u8>, name: &str, hash: &str) -> Result<Tokenizer, Error> {
    let invalid = |message: String| Error::new(ErrorCode::InvalidVocabulary, message);
    let Some(encoding) = Encoding::named(name) else {
        return Err(invalid(format!("there is no encoding {}", Quoted(name))));
    };
    let of_file = |error: VocabularyError| invalid(format!("{name}: {error}"));
    // Only a file of this package is read: another one might be made to be slow.
    if tokenizer::hash(&file).as_deref() != Some(hash) {
        let found = tokenizer::encoding_of(&file).map_err(of_file)?;
        return Err(invalid(if found == encoding.vocabulary() {
            format!("{name}: the vocabulary file is of another version: take the one of this package")
        } else {
            format!("{name}: this is the vocabulary file of {}", found.name())
        }));
    }
    Tokenizer::load(file).map_err(of_file)
}
