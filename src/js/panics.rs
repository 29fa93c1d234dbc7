//! What a panic said: each file keeps its own first one.
#![allow(unreachable_pub, reason = "wasm-bindgen exports these, whatever Rust sees of them")]

use std::cell::RefCell;
use wasm_bindgen::prelude::*;

thread_local! {
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the message of the first panic, which the trap that follows it does not carry.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| {
        PANIC.with(|panic| {
            if let Ok(mut panic) = panic.try_borrow_mut() {
                panic.get_or_insert_with(|| info.to_string());
            }
        });
    }));
}

/// The message of the first panic.
#[wasm_bindgen(js_name = panicMessage)]
pub fn panic_message() -> Option<String> {
    PANIC.with(|panic| panic.try_borrow().ok()?.clone())
}
