//! The rules for a page: a bundle goes in, what became of each check comes out, as JSON on both ways.
//!
//! Plain exports, so that nothing has to generate a wrapper. A page asks [`alloc`] for room and writes the bundle there;
//! [`audit`] puts its report in the same place, [`report`] says where that is now. There is one room, and what is in it
//! is read once.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cardroom_core::audit::{Bundle, Report, verify_unsigned};
use serde::Serialize;

/// As much as the house checks: `POST /v1/audit/verify` has the same limits.
const MAX_BUNDLE: usize = 32 * 1024 * 1024;
const MAX_ENTRIES: usize = 100_000;

static ROOM: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// What is told of a text.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    /// It is a bundle, and this became of the checks.
    Report(Report),
    /// It is no bundle; why, in words.
    NoBundle(String),
}

/// Makes room for a bundle of `length` bytes and says where. Null where that is more than a bundle may have.
#[expect(unsafe_code, reason = "the name is exported; no other function of this module has it")]
#[unsafe(no_mangle)]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    let mut room = room();
    *room = Vec::new();
    if length > MAX_BUNDLE {
        return std::ptr::null_mut();
    }
    room.resize(length, 0);
    room.as_mut_ptr()
}

/// Checks the bundle in the room, all but its signature. The report takes its place; its length in bytes is returned.
#[expect(unsafe_code, reason = "the name is exported; no other function of this module has it")]
#[unsafe(no_mangle)]
pub extern "C" fn audit() -> usize {
    let mut room = room();
    let answer = judge(&std::mem::take(&mut *room));
    *room = serde_json::to_vec(&answer).unwrap_or_default();
    room.len()
}

/// Where the report is. It stays there until [`alloc`] or [`audit`] is called again.
#[expect(unsafe_code, reason = "the name is exported; no other function of this module has it")]
#[unsafe(no_mangle)]
pub extern "C" fn report() -> *const u8 {
    room().as_ptr()
}

fn room() -> MutexGuard<'static, Vec<u8>> {
    ROOM.lock().unwrap_or_else(PoisonError::into_inner)
}

fn judge(text: &[u8]) -> Answer {
    match Bundle::read(text, MAX_ENTRIES) {
        Ok(bundle) => Answer::Report(verify_unsigned(&bundle)),
        Err(error) => Answer::NoBundle(error.to_string()),
    }
}
