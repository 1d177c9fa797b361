//! The calls of JavaScript, mapped method by method. Failures are exceptions with `kind`, and where they have
//! them `file`, `offset` \[bytes\] and `blocked`: the file to open before the same call is made again.

use crate::core::Core;
use crate::cursor::Page;
use crate::files::Files;
use js_sys::Reflect;
use levelscope::storage::Storage;
use levelscope::{Error, ErrorKind, OpenPolicy, Result};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

type Thrown<T> = std::result::Result<T, JsValue>;

/// The exception for `error`.
pub(crate) fn thrown(error: &Error) -> JsValue {
    let exception = js_sys::Error::new(&error.to_string());
    let set = |field: &str, value: JsValue| {
        // Only a frozen object refuses, and this one is new.
        let _ = Reflect::set(&exception, &JsValue::from_str(field), &value);
    };
    set("kind", JsValue::from_str(error.kind().name()));
    if let Some(file) = error.file() {
        set("file", JsValue::from_str(&file.to_string()));
    }
    if let Some(offset) = error.offset() {
        #[expect(clippy::cast_precision_loss, reason = "no file has 2^53 bytes")]
        set("offset", JsValue::from_f64(offset as f64));
    }
    if let Some(file) = error.blocked_on() {
        set("blocked", JsValue::from_str(&file.to_string()));
    }
    exception.into()
}

fn thrown_by<T>(outcome: Result<T>) -> Thrown<T> {
    outcome.map_err(|error| thrown(&error))
}

/// Count of a page, doubled, and 1 where it is the last one.
fn packed_page(page: Page) -> u32 {
    page.count.saturating_mul(2) | u32::from(page.ended)
}

/// An open database. Its calls are described at [`Core`].
#[wasm_bindgen]
pub struct Database {
    core: Core,
    #[cfg(feature = "inspect")]
    events: std::sync::Arc<crate::inspect::EventQueue>,
}

/// Whether there may be a database, or must be.
fn policy(
    storage: &dyn Storage,
    create_if_missing: bool,
    error_if_exists: bool,
) -> Result<OpenPolicy> {
    if error_if_exists {
        match OpenPolicy::EXISTING.check(storage) {
            Ok(()) => return Err(Error::invalid("a database exists here already")),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    // A database is made in a directory of its own; later, files of other programs may lie beside its files.
    let beside_other_files = storage.list()?.iter().any(|name| name == "CURRENT");
    let policy = OpenPolicy::default().create_if_missing(create_if_missing);
    Ok(policy.beside_other_files(beside_other_files))
}

#[wasm_bindgen]
impl Database {
    /// Opens the database in `files`; see [`Core::open`].
    pub fn open(
        files: &Files,
        settings: &str,
        create_if_missing: bool,
        error_if_exists: bool,
    ) -> Thrown<Self> {
        let storage = files.storage();
        let policy = thrown_by(policy(&*storage, create_if_missing, error_if_exists))?;
        #[cfg(feature = "inspect")]
        {
            let events = std::sync::Arc::new(crate::inspect::EventQueue::default());
            let sink = std::sync::Arc::clone(&events);
            let core = thrown_by(Core::open(storage, settings, policy, Some(sink)))?;
            Ok(Self { core, events })
        }
        #[cfg(not(feature = "inspect"))]
        Ok(Self { core: thrown_by(Core::open(storage, settings, policy, None))? })
    }

    /// Refuses the directories that [`Self::open`] refuses because of their files; changes nothing.
    pub fn survey(files: &Files, create_if_missing: bool) -> Thrown<()> {
        let storage = files.storage();
        let policy = policy(&*storage, create_if_missing, false);
        thrown_by(policy.and_then(|policy| policy.check(&*storage)))
    }

    /// Address of the input area, with room for `bytes`.
    pub fn input(&mut self, bytes: usize) -> usize {
        self.core.input(bytes).as_ptr().addr()
    }

    /// Length of the input area \[bytes\].
    #[wasm_bindgen(js_name = inputBytes)]
    pub fn input_bytes(&self) -> usize {
        self.core.input_bytes()
    }

    /// Address of the output of the last call.
    pub fn output(&self) -> usize {
        self.core.output().as_ptr().addr()
    }

    /// See [`Core::write`].
    pub fn write(&mut self, bytes: usize) -> Thrown<()> {
        thrown_by(self.core.write(bytes))
    }

    /// See [`Core::write_out`].
    #[wasm_bindgen(js_name = writeOut)]
    pub fn write_out(&self) -> Thrown<()> {
        thrown_by(self.core.write_out())
    }

    /// See [`Core::sync`].
    pub fn sync(&self) -> Thrown<()> {
        thrown_by(self.core.sync())
    }

    /// Length of the value, or -1; see [`Core::get`].
    pub fn get(&mut self, bytes: usize, snapshot: u32) -> Thrown<i32> {
        let found = thrown_by(self.core.get(bytes, snapshot))?;
        Ok(found.map_or(-1, |bytes| i32::try_from(bytes).unwrap_or(i32::MAX)))
    }

    /// See [`Core::get_many`].
    #[wasm_bindgen(js_name = getMany)]
    pub fn get_many(&mut self, bytes: usize, snapshot: u32) -> Thrown<usize> {
        thrown_by(self.core.get_many(bytes, snapshot))
    }

    /// See [`Core::has_many`].
    #[wasm_bindgen(js_name = hasMany)]
    pub fn has_many(&mut self, bytes: usize, snapshot: u32) -> Thrown<usize> {
        thrown_by(self.core.has_many(bytes, snapshot))
    }

    /// See [`Core::take_snapshot`].
    #[wasm_bindgen(js_name = takeSnapshot)]
    pub fn take_snapshot(&mut self, number: u32) {
        self.core.take_snapshot(number);
    }

    /// See [`Core::release_snapshot`].
    #[wasm_bindgen(js_name = releaseSnapshot)]
    pub fn release_snapshot(&mut self, number: u32) {
        self.core.release_snapshot(number);
    }

    /// See [`Core::open_iterator`].
    #[wasm_bindgen(js_name = openIterator)]
    pub fn open_iterator(&mut self, number: u32, bytes: usize) -> Thrown<()> {
        thrown_by(self.core.open_iterator(number, bytes))
    }

    /// Twice the count, and 1 more where the page is the last one; see [`Core::next_page`].
    #[wasm_bindgen(js_name = nextPage)]
    pub fn next_page(&mut self, number: u32, count: u32, bytes_max: usize) -> Thrown<u32> {
        thrown_by(self.core.next_page(number, count, bytes_max)).map(packed_page)
    }

    /// As [`Database::next_page`]; see [`Core::delete_page`].
    #[wasm_bindgen(js_name = deletePage)]
    pub fn delete_page(&mut self, number: u32, count: u32) -> Thrown<u32> {
        thrown_by(self.core.delete_page(number, count)).map(packed_page)
    }

    /// See [`Core::clear_range`].
    #[wasm_bindgen(js_name = clearRange)]
    pub fn clear_range(&self, bytes: usize) -> Thrown<bool> {
        thrown_by(self.core.clear_range(bytes))
    }

    /// See [`Core::request_flush`].
    #[wasm_bindgen(js_name = requestFlush)]
    pub fn request_flush(&self) -> Thrown<bool> {
        thrown_by(self.core.request_flush())
    }

    /// See [`Core::request_compaction`].
    #[wasm_bindgen(js_name = requestCompaction)]
    pub fn request_compaction(&self, bytes: usize) -> Thrown<bool> {
        thrown_by(self.core.request_compaction(bytes))
    }

    /// See [`Core::approximate_size`].
    #[wasm_bindgen(js_name = approximateSize)]
    pub fn approximate_size(&self, bytes: usize) -> Thrown<f64> {
        #[expect(clippy::cast_precision_loss, reason = "no database has 2^53 bytes")]
        thrown_by(self.core.approximate_size(bytes)).map(|bytes| bytes as f64)
    }

    /// See [`Core::seek`].
    pub fn seek(&mut self, number: u32, bytes: usize) -> Thrown<()> {
        thrown_by(self.core.seek(number, bytes))
    }

    /// See [`Core::close_iterator`].
    #[wasm_bindgen(js_name = closeIterator)]
    pub fn close_iterator(&mut self, number: u32) {
        self.core.close_iterator(number);
    }

    /// Whether background work waits.
    #[wasm_bindgen(js_name = hasWork)]
    pub fn has_work(&self) -> bool {
        self.core.db().has_work()
    }

    /// See [`Core::step`].
    pub fn step(&self, entries: u32) -> Thrown<bool> {
        thrown_by(self.core.step(entries))
    }

    /// See [`Core::files_wanted_soon`].
    #[wasm_bindgen(js_name = filesWantedSoon)]
    pub fn files_wanted_soon(&self) -> Vec<String> {
        self.core.files_wanted_soon().iter().map(ToString::to_string).collect()
    }

    /// See [`Core::close`].
    pub fn close(&mut self) -> Thrown<()> {
        thrown_by(self.core.close())
    }
}

/// Calls of the module with inspection; each returns JSON.
#[cfg(feature = "inspect")]
#[wasm_bindgen]
impl Database {
    /// Whether events are kept from now on, and of the finest grain.
    pub fn listen(&self, wanted: bool, details: bool) {
        self.events.listen(wanted, details);
    }

    /// The newest `most` of the events since the last call, with the state after them where it is wanted or does
    /// not follow from them.
    #[wasm_bindgen(js_name = takeEvents)]
    pub fn take_events(&self, most: usize, view: bool) -> String {
        self.events.take(self.core.db(), most, view)
    }

    /// The newest entries of each memtable, at most `most` of each.
    pub fn recent(&self, most: usize) -> String {
        crate::inspect::recent(self.core.db(), most)
    }

    /// The whole state, as pictures show it.
    pub fn view(&self) -> String {
        crate::inspect::view(self.core.db())
    }

    /// Figures since opening.
    pub fn stats(&self) -> String {
        crate::inspect::stats(self.core.db())
    }

    /// Copies the database into the empty directory of `files`.
    pub fn checkpoint(&self, files: &Files) -> Thrown<String> {
        thrown_by(crate::inspect::checkpoint(self.core.db(), files.storage()))
    }

    /// Writes what can be proved good of the database in `source` into the empty directory of `target`. The report.
    pub fn repair(source: &Files, target: &Files) -> Thrown<String> {
        thrown_by(crate::inspect::repair(source.storage(), target.storage()))
    }

    /// The way to the value of the key of `bytes` in the input.
    pub fn explain(&self, bytes: usize) -> Thrown<String> {
        thrown_by(
            self.core.taken(bytes).and_then(|key| crate::inspect::explain(self.core.db(), key)),
        )
    }
}
