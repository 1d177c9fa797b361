//! Single files of the experiments: recognized, read, searched, explained byte by byte and, where it helps to compare,
//! written.
//!
//! Each kind of file is one [`Format`] in [`FORMATS`]. A format works on the whole content of a file,
//! because that is what a page, a test and a laboratory have at hand. No content, however damaged or
//! hostile, makes one panic, hang, or allocate more than a small multiple of the file: damage is an
//! error with its offset in [`Format::scan`] and a leaf of kind `damaged` in [`Format::annotate`].
//!
//! The bytes are described in docs/FORMATS.md.

/// [`Format::get`] and [`Format::explain`] by one search, which takes a probe: the first compiles it away.
macro_rules! searched_by {
    (self.$search:ident) => {
        searched_by!(@ self, self.$search);
    };
    ($search:path) => {
        searched_by!(@ self, $search);
    };
    (@ $this:ident, $($search:tt)+) => {
        fn get<'a>(
            &$this,
            file: &'a [u8],
            key: &[u8],
            method: $crate::SearchMethod,
        ) -> levelscope::Result<Option<$crate::Entry<'a>>> {
            $($search)+(file, key, method, &mut levelscope::internals::probe::NoProbe)
        }

        fn explain<'a>(
            &$this,
            file: &'a [u8],
            key: &[u8],
            method: $crate::SearchMethod,
            trail: &mut $crate::Trail,
        ) -> levelscope::Result<Option<$crate::Entry<'a>>> {
            $($search)+(file, key, method, trail)
        }
    };
}

mod binary;
mod entry;
pub mod exchange;
pub mod froopy;
pub mod kvdb;
pub mod ladder;
mod leveldb;
mod other_programs;
mod recognize;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod trail;
mod unknown;

pub use entry::{Entries, Entry};
pub use leveldb::TableStyle;
pub use recognize::{Likeness, Recognized, recognize};
use trail::passed;
pub use trail::{Access, Trail};
pub use unknown::judge_unknown;

use binary::halve;
use levelscope::inspect::{Node, Scope};
use levelscope::internals::probe::Probe;
use levelscope::{Error, Result};

/// Every format, families together, in the order in which a list shows them.
pub static FORMATS: &[&dyn Format] = &[
    &ladder::Plain(ladder::Step::Fixed),
    &ladder::Plain(ladder::Step::Varint),
    &ladder::Indexed,
    &ladder::Blocks(ladder::Step::Blocks),
    &ladder::Blocks(ladder::Step::Snappy),
    &ladder::Blocks(ladder::Step::Incremental),
    &ladder::Blocks(ladder::Step::IncrementalRaw),
    &ladder::Log,
    &kvdb::Log,
    &froopy::TableFormat,
    &froopy::Log,
];

/// Content of the files of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Entries in the order of their keys.
    Table,
    /// Entries in the order in which they were written.
    Log,
}

/// Method of a search in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchMethod {
    /// By a linear scan.
    Sequential,
    /// By binary search: in the index, and in the blocks where the format allows it.
    Binary,
}

/// Description of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormatInfo {
    /// The word that commands use, such as `ladder-varint`: its family comes first.
    pub id: &'static str,
    /// Its name in a sentence, such as `table with varint lengths`.
    pub name: &'static str,
    /// Its special property, in one sentence.
    pub purpose: &'static str,
    /// Content of its files.
    pub holds: Holds,
    /// Its searches, the usual one first.
    pub searches: &'static [SearchMethod],
}

/// One kind of file.
pub trait Format: Sync {
    /// Its description.
    fn info(&self) -> &'static FormatInfo;

    /// Likeness of `file` to one: by its content; `name`, without directories, only decides when the content cannot.
    /// Cost: at most a pass over the file.
    fn recognize(&self, name: &str, file: &[u8]) -> Likeness;

    /// Names every byte of `file` in `scope`; `name` is the name of the root.
    fn annotate(&self, name: &str, file: &[u8], scope: Scope) -> Node;

    /// The entries of `file` in the order of the file, damage as an error in its place. An iterator
    /// that can find the next good entry after damage goes on, otherwise it ends.
    fn scan<'a>(&self, file: &'a [u8]) -> Entries<'a>;

    /// The newest entry for `key`, which may be a tombstone; `None` when there is none.
    ///
    /// # Errors
    /// `Corruption` with the offset, when the bytes on the way are damaged; `InvalidArgument` for a
    /// search that the format or the file does not have.
    fn get<'a>(
        &self,
        file: &'a [u8],
        key: &[u8],
        search: SearchMethod,
    ) -> Result<Option<Entry<'a>>>;

    /// As [`Format::get`], and records in `trail` the reads and comparisons, also of a search that fails: the same code
    /// with a probe.
    ///
    /// # Errors
    /// Those of [`Format::get`].
    fn explain<'a>(
        &self,
        file: &'a [u8],
        key: &[u8],
        search: SearchMethod,
        trail: &mut Trail,
    ) -> Result<Option<Entry<'a>>>;

    /// A file with these entries, for tables in ascending order of their keys.
    ///
    /// # Errors
    /// `InvalidArgument` when the order is wrong or an entry does not fit the format.
    fn write(&self, entries: &[Entry<'_>]) -> Result<Vec<u8>>;
}

/// The descriptions of all formats, in the order of [`FORMATS`].
pub fn infos() -> impl Iterator<Item = &'static FormatInfo> {
    FORMATS.iter().map(|format| format.info())
}

/// The format called `id`.
pub fn find(id: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.info().id == id)
}

/// The newest of the `entries` for `key` of a log with so many `bytes`.
///
/// # Errors
/// Those of the entries; `InvalidArgument` for another search than the linear scan.
fn newest_in_log<'a, P: Probe>(
    entries: impl Iterator<Item = Result<Entry<'a>>>,
    bytes: usize,
    key: &[u8],
    method: SearchMethod,
    probe: &mut P,
) -> Result<Option<Entry<'a>>> {
    only_sequential(method)?;
    probe.access("file", 0, bytes as u64);
    let mut newest: Option<Entry<'a>> = None;
    for entry in entries {
        let entry = entry?;
        let is_it = meets(&entry, key, probe);
        if is_it && newest.as_ref().is_none_or(|newest| newest.sequence <= entry.sequence) {
            newest = Some(entry);
        }
    }
    Ok(newest)
}

/// The last of the `entries` for `key` of a log with so many `bytes`. Damage that may have hidden a later one makes the
/// answer an error; damage in front of the entry found does not.
///
/// # Errors
/// Those of the entries; `InvalidArgument` for another search than the linear scan.
fn last_in_log<'a, P: Probe>(
    entries: impl Iterator<Item = Result<Entry<'a>>>,
    bytes: usize,
    key: &[u8],
    method: SearchMethod,
    probe: &mut P,
) -> Result<Option<Entry<'a>>> {
    only_sequential(method)?;
    probe.access("file", 0, bytes as u64);
    let (mut found, mut doubt) = (None, None);
    for entry in entries {
        match entry {
            Ok(entry) if meets(&entry, key, probe) => (found, doubt) = (Some(entry), None),
            Ok(_) => {}
            Err(error) => doubt = Some(error),
        }
    }
    doubt.map_or(Ok(found), Err)
}

/// Whether `entry`, which a linear scan passes, has this key.
fn meets<P: Probe>(entry: &Entry<'_>, key: &[u8], probe: &mut P) -> bool {
    probe.comparison();
    let is_it = *entry.key == *key;
    probe.walked(|| {
        let offset = usize::try_from(entry.offset).unwrap_or(usize::MAX);
        passed(offset, &entry.key, entry.sequence.unwrap_or(0), is_it)
    });
    is_it
}

/// A length or an offset as tables have them.
fn u32_of(number: usize) -> Result<u32> {
    u32::try_from(number)
        .map_err(|_| Error::invalid("such a table cannot be longer than 4 GiB: split it"))
}

/// A table whose parts cannot be found.
fn unreadable(name: &str, file: &[u8], error: &Error) -> Node {
    let bytes = file.len() as u64;
    let damaged = (bytes > 0).then(|| Node::damaged(0, bytes, error.message()));
    Node::branch(name, "table", 0, error.message(), damaged.into_iter().collect())
}

/// The error of every log for a binary search: its entries are in the order of writing.
///
/// # Errors
/// `InvalidArgument` for any but the linear scan.
fn only_sequential(search: SearchMethod) -> Result<()> {
    if search == SearchMethod::Sequential {
        return Ok(());
    }
    Err(Error::invalid("a log can only be searched by a linear scan"))
}

#[cfg(test)]
mod tests {
    use super::{FORMATS, find};

    #[test]
    fn every_format_is_found_by_its_id() {
        for format in FORMATS {
            let found = find(format.info().id).map(super::Format::info);
            assert_eq!(found, Some(format.info()));
        }
    }
}
