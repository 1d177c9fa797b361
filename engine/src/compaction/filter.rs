//! The program's compaction filter: its rule for removing or changing entries in compactions.

use crate::event::ShownKey;
use crate::key::SeqNo;
use crate::limits::VALUE_BYTES_MAX;
use crate::{Error, ErrorKind, Result};
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Decides in compactions which values stay, which are removed and which get another value.
///
/// A compaction asks about each value that it would keep and that is *settled*:
///
/// - it is the newest version of its key among the inputs (a memtable or a level above may have a newer one),
/// - no snapshot and no open transaction reads it.
///
/// It does not ask about tombstones, about values that a range delete among the inputs hides, about versions
/// that are kept for a snapshot, about the entries of a trivial move, which reads nothing, and in flushes. So
/// a removal may come late, or not at all while the key's table lies in a level that is not compacted: [`crate::Db::compact`] rewrites all tables of a range. Until then readers find the entry as it was written.
///
/// A removal has the effect of a delete: older versions of the key stay hidden. A snapshot or transaction
/// reads the same for as long as it lives, also when it began during a compaction with a filter; then it
/// holds the memtables and tables of its beginning in memory and on disk, as an iterator does.
/// A removal or change is no write: it gets no sequence number, and no transaction conflicts with it.
///
/// The filter belongs to the open handle and is in no file: a database may be opened with another filter or
/// with none, and is whole each time. A crash leaves each entry either as it was or as the filter decided.
///
/// # Rules for a filter
/// - It must not call the database: the caller of [`crate::Db::step`], or the write that does background
///   work, would wait for itself. The engine holds none of the locks that readers and writers need.
/// - It may be asked by several threads at once, and about the same entry again in each later compaction. So
///   a change should be one that can be made twice.
/// - Its answer should depend only on the entry and on the filter's own settings. A clock inside is safe, but then the
///   same commands no longer give the same bytes.
/// - When it panics, or gives a value that is too long, the compaction fails: its inputs are kept, and the
///   database takes no more writes until it is reopened. (A program that is built to abort on a panic
///   ends.)
///
/// ```
/// use levelscope::storage::MemoryStorage;
/// use levelscope::{CompactionFilter, Db, FilterDecision, FilterEntry};
/// use std::sync::Arc;
///
/// struct WithoutDrafts;
///
/// impl CompactionFilter for WithoutDrafts {
///     fn decide(&self, entry: &FilterEntry<'_>) -> FilterDecision {
///         if entry.key.starts_with(b"draft/") { FilterDecision::Remove } else { FilterDecision::Keep }
///     }
/// }
///
/// let db = Db::builder()
///     .compaction_filter(Arc::new(WithoutDrafts))
///     .open_in(Arc::new(MemoryStorage::default()))?;
/// db.put("draft/1", "never finished")?;
/// db.put("final/1", "printed")?;
/// assert!(db.contains_key("draft/1")?); // until a compaction reads it
/// db.compact(..)?;
/// assert!(!db.contains_key("draft/1")?);
/// assert!(db.contains_key("final/1")?);
/// # Ok::<(), levelscope::Error>(())
/// ```
pub trait CompactionFilter: Send + Sync {
    /// Decides the fate of `entry`. Called once for each settled value that a compaction reads; with several threads,
    /// several compactions and several parts of one may call it at once.
    fn decide(&self, entry: &FilterEntry<'_>) -> FilterDecision;
}

/// The value that a [`CompactionFilter`] decides on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FilterEntry<'a> {
    /// Its key.
    pub key: &'a [u8],
    /// Its value.
    pub value: &'a [u8],
    /// The level that the compaction writes to.
    pub output_level: usize,
}

impl<'a> FilterEntry<'a> {
    /// An entry on its way to L1, for the tests of a filter.
    pub fn new(key: &'a [u8], value: &'a [u8]) -> Self {
        Self { key, value, output_level: 1 }
    }
}

/// The decision of a [`CompactionFilter`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FilterDecision {
    /// The entry stays as it is.
    Keep,
    /// The entry is deleted: it becomes a tombstone where an older version of its key may exist, and is
    /// dropped where none can.
    Remove,
    /// The entry gets this value, of at most [`crate::limits::VALUE_BYTES_MAX`] bytes. Its sequence number
    /// stays.
    Change(Vec<u8>),
}

/// The filter of an open database.
#[derive(Clone)]
pub(crate) struct FilterHandle(Arc<dyn CompactionFilter>);

impl fmt::Debug for FilterHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CompactionFilter")
    }
}

impl FilterHandle {
    pub(crate) fn new(filter: Arc<dyn CompactionFilter>) -> Self {
        Self(filter)
    }

    /// The filter's decision on the value of `key`.
    ///
    /// # Errors
    /// `InvalidArgument` when it panics or gives a value that is too long: the merge must stop.
    pub(crate) fn decide(
        &self,
        key: &[u8],
        value: &[u8],
        output_level: usize,
    ) -> Result<FilterDecision> {
        let entry = FilterEntry { key, value, output_level };
        // A panic must not end the background thread: callers would wait for it forever.
        let decided = catch_unwind(AssertUnwindSafe(|| self.0.decide(&entry)));
        let decision = decided
            .map_err(|panic| refused(key, &format!("panicked ({})", message_of(&*panic))))?;
        match &decision {
            FilterDecision::Change(value) if value.len() > VALUE_BYTES_MAX => Err(refused(
                key,
                &format!(
                    "gave a value of {} bytes, above the limit of {VALUE_BYTES_MAX}",
                    value.len()
                ),
            )),
            _ => Ok(decision),
        }
    }
}

/// The sequence number from which on no snapshot of `snapshots` (ascending) reads: a filter may decide on
/// these entries.
pub(super) fn settled_from(snapshots: &[SeqNo]) -> SeqNo {
    snapshots.last().map_or(0, |newest| newest.saturating_add(1))
}

fn refused(key: &[u8], what: &str) -> Error {
    let key = ShownKey::new(key);
    let message = format!(
        "the compaction filter {what} at key {key}: no input is deleted; mend the filter or open the \
         database without it"
    );
    Error::new(ErrorKind::InvalidArgument, message)
}

/// The message of a panic, if it is a text.
fn message_of(panic: &(dyn Any + Send)) -> &str {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}
