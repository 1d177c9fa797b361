//! The functions for the worker: a mapping, method by method.

use crate::session::Session;
use levelscope::Identity;
use levelscope_console::protocol::StorageKind;
use levelscope_origin::{Directory, OriginStorage, Refusal};
use std::cell::RefCell;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::FileSystemSyncAccessHandle;

thread_local! {
    static LAST_PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the message of a panic for [`last_panic`]: the error that JavaScript catches contains only `unreachable`.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| {
        LAST_PANIC.with(|last| {
            if let Ok(mut last) = last.try_borrow_mut() {
                *last = Some(info.to_string());
            }
        });
    }));
}

/// The message of the panic that stopped the engine.
#[wasm_bindgen(js_name = lastPanic)]
pub fn last_panic() -> Option<String> {
    LAST_PANIC.with(|last| last.try_borrow().ok().and_then(|last| last.clone()))
}

/// Starts over with the names found in the directory.
#[wasm_bindgen(js_name = beginDirectory)]
pub fn begin_directory(names: Vec<String>, identity: &[u8]) {
    OriginStorage::ONLY.with(|directory| {
        directory.begin(names);
        if let Ok(bytes) = identity.try_into() {
            directory.identify(Identity::from_bytes(bytes));
        }
    });
}

/// Lets the files of the engine wait in memory for [`settle`].
#[wasm_bindgen(js_name = stageFiles)]
pub fn stage_files() {
    OriginStorage::ONLY.with(Directory::stage);
}

/// Deleted files in whose place there are others now, their handles closed: to be removed before the next [`settle`].
#[wasm_bindgen(js_name = filesToReplace)]
pub fn files_to_replace() -> Vec<String> {
    OriginStorage::ONLY.with(Directory::take_replaced)
}

/// Files that have to be opened before the next [`settle`].
#[wasm_bindgen(js_name = filesToSettle)]
pub fn files_to_settle() -> Vec<String> {
    OriginStorage::ONLY.with(|directory| directory.files_to_settle())
}

/// Whether [`settle`] has to come before the next file.
#[wasm_bindgen(js_name = isFull)]
pub fn is_full() -> bool {
    OriginStorage::ONLY.with(|directory| directory.is_full())
}

/// Writes waiting data, a few files in each call, unless the browser has `refused` to open a file: the name and the
/// message of its exception. Answers with a [`CallState`](levelscope_console::protocol::CallState).
#[wasm_bindgen]
pub fn settle(refused: Option<String>, message: Option<String>) -> String {
    crate::wire::settled(OriginStorage::ONLY.with(|directory| match refused {
        Some(name) => {
            directory.settle_refused(&Refusal { name, message: message.unwrap_or_default() })
        }
        None => directory.settle(),
    }))
}

/// Hands over the open handle of a file.
///
/// # Errors
/// A sentence: a foreign name, a file that is open already, or the browser's error.
#[wasm_bindgen]
pub fn register(name: &str, handle: FileSystemSyncAccessHandle) -> Result<(), JsError> {
    OriginStorage::ONLY
        .with(|directory| directory.register(name, Box::new(handle)))
        .map_err(|error| JsError::new(&error.to_string()))
}

/// Whether the engine could use a handle of `name` that it does not have.
#[wasm_bindgen(js_name = isWanted)]
pub fn is_wanted(name: &str) -> bool {
    OriginStorage::ONLY.with(|directory| directory.is_wanted(name))
}

/// Deleted files, their handles closed: to be removed now.
#[wasm_bindgen(js_name = takeRemoved)]
pub fn take_removed() -> Vec<String> {
    OriginStorage::ONLY.with(Directory::take_removed)
}

/// Closes all but the `cap` tables read last; returns the names of those closed.
#[wasm_bindgen(js_name = closeCold)]
pub fn close_cold(cap: usize) -> Vec<String> {
    OriginStorage::ONLY.with(|directory| directory.close_cold(cap))
}

/// Closes every handle; returns empty files that were opened ahead for nothing: to be removed.
#[wasm_bindgen(js_name = closeAll)]
pub fn close_all() -> Vec<String> {
    OriginStorage::ONLY.with(Directory::close_all)
}

/// A file of the database, read for the outside.
#[wasm_bindgen(getter_with_clone)]
pub struct ExportedFile {
    /// Its name.
    pub name: String,
    /// All bytes of the file.
    pub bytes: Vec<u8>,
}

/// Bytes of history to be kept.
#[wasm_bindgen(getter_with_clone)]
pub struct KeptHistory {
    /// Whether they take the place of all that was kept; otherwise they are appended to it.
    pub anew: bool,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The part of an earlier session that is there again.
#[wasm_bindgen(getter_with_clone)]
pub struct ResumedHistory {
    /// Its last step.
    pub steps: f64,
    /// Branches that `beginReturning` brings back.
    pub branches: usize,
    /// Why the history begins anew, as a sentence.
    pub why: Option<String>,
}

/// One console and its database. Everything structured is JSON text.
#[wasm_bindgen]
pub struct Engine {
    session: Session,
}

#[wasm_bindgen]
impl Engine {
    /// `place` is `opfs` or `memory`.
    #[wasm_bindgen(constructor)]
    pub fn new(place: &str) -> Self {
        let place = if place == "opfs" { StorageKind::Opfs } else { StorageKind::Memory };
        Self { session: Session::new(place) }
    }

    /// See [`Session::open`].
    pub fn open(&mut self, request: &str) -> String {
        self.session.open(request)
    }

    /// See [`Session::keep_history`].
    #[wasm_bindgen(js_name = keepHistory)]
    pub fn keep_history(&mut self, version: &str, kept: &[u8]) -> ResumedHistory {
        let resumed = self.session.keep_history(version, kept);
        #[allow(clippy::cast_precision_loss, reason = "2^53 steps take centuries")]
        let steps = resumed.steps as f64;
        ResumedHistory { steps, branches: resumed.branches, why: resumed.why }
    }

    /// See [`Session::take_kept`].
    #[wasm_bindgen(js_name = takeKept)]
    pub fn take_kept(&mut self) -> Option<KeptHistory> {
        let kept = self.session.take_kept()?;
        Some(KeptHistory { anew: kept.anew, bytes: kept.bytes })
    }

    /// See [`Session::keeps_history`].
    #[wasm_bindgen(js_name = keepsHistory)]
    pub fn keeps_history(&self) -> bool {
        self.session.keeps_history()
    }

    /// See [`Session::begin_returning`].
    #[wasm_bindgen(js_name = beginReturning)]
    pub fn begin_returning(&mut self) {
        self.session.begin_returning();
    }

    /// See [`Session::settings`].
    pub fn settings(&self) -> String {
        self.session.settings()
    }

    /// See [`Session::begin`]. Returns its error.
    pub fn begin(&mut self, request: &str) -> Option<String> {
        self.session.begin(request).err()
    }

    /// See [`Session::offer_file`].
    #[wasm_bindgen(js_name = offerFile)]
    pub fn offer_file(&mut self, name: &str, bytes: Vec<u8>) {
        self.session.offer_file(name, bytes);
    }

    /// See [`Session::take_exported`].
    #[wasm_bindgen(js_name = takeExported)]
    pub fn take_exported(&mut self) -> Option<ExportedFile> {
        let file = self.session.take_exported()?;
        Some(ExportedFile { name: file.name, bytes: file.bytes })
    }

    /// See [`Session::take_window`].
    #[wasm_bindgen(js_name = takeWindow)]
    pub fn take_window(&mut self) -> Option<String> {
        self.session.take_window()
    }

    /// See [`Session::news`].
    pub fn news(&mut self) -> String {
        self.session.news()
    }

    /// See [`Session::advance`].
    pub fn advance(&mut self, units: u32) -> String {
        self.session.advance(units)
    }

    /// See [`Session::cancel`].
    pub fn cancel(&mut self) {
        self.session.cancel();
    }

    /// See [`Session::step`].
    pub fn step(&mut self, grain: &str, count: u32) -> String {
        self.session.step(grain, count)
    }

    /// See [`Session::events`].
    pub fn events(&mut self, checkpoint: bool) -> Option<String> {
        self.session.events(checkpoint)
    }

    /// See [`Session::newest_events`].
    #[wasm_bindgen(js_name = newestEvents)]
    pub fn newest_events(&mut self) -> Option<String> {
        self.session.newest_events()
    }

    /// See [`Session::has_work`].
    #[wasm_bindgen(js_name = hasWork)]
    pub fn has_work(&self) -> bool {
        self.session.has_work()
    }

    /// See [`Session::complete`].
    pub fn complete(&mut self, line: &str, cursor: usize) -> String {
        self.session.complete(line, cursor)
    }

    /// See [`Session::close`].
    pub fn close(&mut self) -> String {
        self.session.close()
    }
}
