//! The four kinds of files as formats.

use super::batch::{BatchEntries, encode};
use super::block_nodes::Role;
use super::builder::{TableBuilder, TableStyle};
use super::cursor::{Cursor, Order, level_kinds};
use super::frame::{Footer, LEVEL_MAGIC};
use super::index::{Index, IndexLayout, metas};
use super::likeness::{begins_as_current, is_digits, likeness};
use super::log::{LogBuilder, LogItem, records};
use super::log_nodes::{Body, annotate_current, annotate_log, manifest_named};
use super::nodes::{Known, Rest, annotate_table, readable};
use super::salvage::{Salvage, nowhere};
use super::search::Table;
use crate::unknown::is_of_another_kind;
use crate::{Entries, Entry, Format, FormatInfo, Holds, Likeness, SearchMethod, newest_in_log};
use levelscope::inspect::{Node, Scope};
use levelscope::internals::probe::Probe;
use levelscope::internals::table::Handle;
use levelscope::{Error, ErrorKind, Result};

/// Tables.
#[derive(Debug)]
pub(crate) struct TableFormat;
/// Write-ahead logs.
#[derive(Debug)]
pub(crate) struct LogFile;
/// Manifests.
#[derive(Debug)]
pub(crate) struct ManifestFile;
/// `CURRENT`.
#[derive(Debug)]
pub(crate) struct CurrentFile;

/// What proves the framing of logs and manifests.
const PROOF: &str = "the checksum of a record is right";

pub(super) static TABLE: FormatInfo = FormatInfo {
    id: "leveldb-table",
    name: "table of LevelDB",
    purpose: "Blocks of entries that share prefixes, with an index, filters and checksums.",
    holds: Holds::Table,
    searches: &[SearchMethod::Binary, SearchMethod::Sequential],
    writable: true,
    proof: "it has the magic number or a block checksum of such a table",
    shared: None,
};

pub(super) static LOG: FormatInfo = FormatInfo {
    id: "leveldb-log",
    name: "log of LevelDB or RocksDB",
    purpose: "Write batches in the order of their sequence numbers, cut into fragments at each 32 KiB.",
    holds: Holds::Log,
    searches: &[SearchMethod::Sequential],
    writable: true,
    proof: PROOF,
    shared: Some("log"),
};

pub(super) static MANIFEST: FormatInfo = FormatInfo {
    id: "leveldb-manifest",
    name: "manifest of LevelDB or RocksDB",
    purpose: "Which tables and logs count: one version edit after the other, framed as in a log.",
    holds: Holds::Metadata,
    searches: &[],
    writable: false,
    proof: PROOF,
    shared: Some("manifest"),
};

pub(super) static CURRENT: FormatInfo = FormatInfo {
    id: "leveldb-current",
    name: "CURRENT of LevelDB or RocksDB",
    purpose: "The name of the manifest that counts.",
    holds: Holds::Metadata,
    searches: &[],
    writable: false,
    proof: "",
    shared: Some("CURRENT"),
};

/// The table `file`, ready to be searched.
fn open(file: &[u8]) -> Result<Table<'_>> {
    let footer = Footer::of(file).map_err(|error| match error.kind() {
        ErrorKind::Corruption => cut_at(file).unwrap_or(error),
        _ => error,
    })?;
    if !footer.is_level() {
        let magic_at = file.len().saturating_sub(LEVEL_MAGIC.len());
        return Err(Error::damaged_at(magic_at as u64, "this is no table of LevelDB"));
    }
    let metas = metas(file, &footer)?;
    let index = Index::read(file, &footer, IndexLayout::default())?;
    Ok(Table { file, footer, metas, index, kinds: level_kinds, order: Order::Unknown })
}

/// A cursor over the entries of the table `file`, whose keys are in this `order`.
///
/// # Errors
/// `Corruption` with the offset; `UnsupportedFormat`.
pub(super) fn cursor(file: &[u8], order: Order) -> Result<Cursor> {
    let Table { footer, index, .. } = open(file)?;
    Ok(Cursor::new(footer, index, level_kinds, order))
}

fn search<'a, P: Probe>(
    file: &'a [u8],
    key: &[u8],
    method: SearchMethod,
    probe: &mut P,
) -> Result<Option<Entry<'a>>> {
    probe.access("footer", file.len().saturating_sub(48) as u64, 48);
    let table = open(file)?;
    match method {
        SearchMethod::Binary => table.binary(key, probe),
        SearchMethod::Sequential => table.sequential(key, probe),
        SearchMethod::PrefixHash => Err(Error::invalid("a table of LevelDB has no prefix index")),
    }
}

impl Format for TableFormat {
    fn info(&self) -> &'static FormatInfo {
        &TABLE
    }

    fn recognize(&self, name: &str, file: &[u8]) -> Likeness {
        if !file.ends_with(&LEVEL_MAGIC) {
            // The end is damaged or missing. A block that its checksum proves is as good where the name is LevelDB's own:
            // RocksDB seals its blocks in the same way.
            let found = !is_of_another_kind(file) && !Salvage::of(file).data.is_empty();
            return match found {
                true if name.strip_suffix(".ldb").is_some() => Likeness::Certain,
                true => Likeness::Perhaps,
                false => Likeness::None,
            };
        }
        // Old tables of RocksDB end in the same magic.
        let metas = readable(Footer::of(file).and_then(|footer| metas(file, &footer)));
        let rocks = metas.iter().any(|(name, _)| name.starts_with(b"rocksdb."));
        if rocks { Likeness::Perhaps } else { Likeness::Certain }
    }

    fn annotate(&self, name: &str, file: &[u8], scope: Scope) -> Node {
        annotate_table(name, file, scope, |footer| {
            let layout = IndexLayout::default();
            let metas = metas(file, footer);
            let data = Index::read(file, footer, layout).map(|index| index.places);
            let is_unread = |error: &Error| error.kind() == ErrorKind::UnsupportedFormat;
            if data.as_ref().is_err_and(is_unread) {
                // Blocks that are not read have checksums all the same.
                return Known::by_checksums(file);
            }
            Known {
                rest: Rest::of(metas.as_ref().err().or(data.as_ref().err())),
                // Blocks that the index does not tell are told by their checksums.
                data: data.unwrap_or_else(|_| Salvage::of(file).data),
                metas: readable(metas)
                    .into_iter()
                    .map(|(name, handle)| (handle, Role::of_level(&name)))
                    .collect(),
                index: Role::Index(layout),
            }
        })
    }

    fn scan<'a>(&self, file: &'a [u8]) -> Entries<'a> {
        match cursor(file, Order::Unknown) {
            Ok(mut cursor) => Box::new(std::iter::from_fn(move || cursor.next(file))),
            Err(error) => {
                // Without an index, the blocks that their checksums prove, up to the first damaged one.
                let (places, layout) = (Salvage::of(file).data, IndexLayout::default());
                let body = Footer::of(file).map_or(0, |footer| footer.meta_index.offset);
                let index = Index { places, layout };
                let mut cursor = Cursor::new(nowhere(), index, level_kinds, Order::Bytewise);
                let found = std::iter::from_fn(move || cursor.next(file));
                let cut = cut_at(file).filter(|cut| cut.offset().is_some_and(|end| end < body));
                let cut = cut.map(Err);
                Box::new(std::iter::once(Err(error)).chain(found).chain(cut))
            }
        }
    }

    fn other_order(&self, file: &[u8]) -> Option<u64> {
        let mut cursor = cursor(file, Order::Unknown).ok()?;
        while cursor.next(file).is_some() {}
        cursor.other_order()
    }

    searched_by!(search);

    fn write(&self, entries: &[Entry<'_>]) -> Result<Vec<u8>> {
        write_table(entries, TableStyle::default())
    }
}

/// The damage after the blocks whose checksums are right; `None` when there is no such block.
fn cut_at(file: &[u8]) -> Option<Error> {
    let Salvage { data, others } = Salvage::of(file);
    let places = data.iter().map(|place| place.handle).chain(others);
    let end = places.filter_map(Handle::end).max()?;
    if end >= file.len() as u64 {
        return Some(Error::ends_at(end, "the rest of a table is missing"));
    }
    Some(Error::damaged_at(end, "no block begins here whose checksum is right"))
}

/// A table with these entries, which ascend by key and descend by sequence number; an entry without one
/// gets 1.
///
/// # Errors
/// `InvalidArgument` when the order is wrong.
pub fn write_table(entries: &[Entry<'_>], style: TableStyle) -> Result<Vec<u8>> {
    let mut builder = TableBuilder::new(style);
    for entry in entries {
        builder.add(&entry.key, entry.sequence.unwrap_or(1), entry.value.as_deref())?;
    }
    Ok(builder.finish(0).0)
}

/// The entries of the log `file`; a torn end is where they end.
pub(super) fn log_entries(file: &[u8]) -> impl Iterator<Item = Result<Entry<'_>>> {
    records(file).flat_map(|found| {
        let entries = match found {
            LogItem::Record(record) => BatchEntries::new(record).map(Some),
            LogItem::Damage(error) | LogItem::Unread(error) => Err(error),
            LogItem::Torn(_) => Ok(None),
        };
        let (entries, error) = match entries {
            Ok(entries) => (entries, None),
            Err(error) => (None, Some(Err(error))),
        };
        entries.into_iter().flatten().map(Ok).chain(error)
    })
}

fn search_log<'a, P: Probe>(
    file: &'a [u8],
    key: &[u8],
    method: SearchMethod,
    probe: &mut P,
) -> Result<Option<Entry<'a>>> {
    newest_in_log(log_entries(file), file.len(), key, method, probe)
}

impl Format for LogFile {
    fn info(&self) -> &'static FormatInfo {
        &LOG
    }

    fn recognize(&self, name: &str, file: &[u8]) -> Likeness {
        let named = name.strip_suffix(".log").is_some_and(is_digits);
        likeness(file, Body::Batches, named)
    }

    fn annotate(&self, name: &str, file: &[u8], scope: Scope) -> Node {
        annotate_log(name, file, Body::Batches, scope)
    }

    fn scan<'a>(&self, file: &'a [u8]) -> Entries<'a> {
        Box::new(log_entries(file))
    }

    searched_by!(search_log);

    /// One batch for each entry; an entry without a sequence number gets the next one.
    fn write(&self, entries: &[Entry<'_>]) -> Result<Vec<u8>> {
        let mut log = LogBuilder::default();
        let mut next = 1;
        for entry in entries {
            let sequence = entry.sequence.unwrap_or(next);
            next = sequence.saturating_add(1);
            log.add(&encode(sequence, (&entry.key, entry.value.as_deref())));
        }
        Ok(log.finish())
    }
}

impl Format for ManifestFile {
    fn info(&self) -> &'static FormatInfo {
        &MANIFEST
    }

    fn recognize(&self, name: &str, file: &[u8]) -> Likeness {
        let named = name.strip_prefix("MANIFEST-").is_some_and(is_digits);
        likeness(file, Body::Edits, named)
    }

    fn annotate(&self, name: &str, file: &[u8], scope: Scope) -> Node {
        annotate_log(name, file, Body::Edits, scope)
    }

    without_entries!();
}

impl Format for CurrentFile {
    fn info(&self) -> &'static FormatInfo {
        &CURRENT
    }

    fn recognize(&self, name: &str, file: &[u8]) -> Likeness {
        match manifest_named(file) {
            // It has neither a magic number nor a checksum.
            Some(_) => Likeness::Likely,
            None if name == "CURRENT" && begins_as_current(file) => Likeness::Perhaps,
            None => Likeness::None,
        }
    }

    fn annotate(&self, name: &str, file: &[u8], _: Scope) -> Node {
        annotate_current(name, file)
    }

    without_entries!();
}
