//! The data blocks of a table, found by its index.

use super::block::{self, Role};
use super::sink::{Inner, Sink, named, parts};
use super::table::Table;
use super::{Scene, view::View};
use crate::key::split;
use crate::pebble::columns::{Header, Strings, Uints};
use crate::pebble::values;
use crate::table::{BlockCursor, Layout, Source, TRAILER_BYTES};
use crate::text::key;
use crate::{BlockHandle, Error, ErrorKind, Result};
use std::rc::Rc;

/// Partitions of an index or a filter that are listed. A table of a terabyte has fewer.
pub(super) const PARTITIONS_MAX: usize = 1 << 20;

/// The offset after a block and its trailer.
pub(super) fn end(handle: BlockHandle) -> Option<u64> {
    handle.offset.checked_add(handle.bytes)?.checked_add(TRAILER_BYTES)
}

/// The blocks that an index names, in its order.
pub(super) enum Handles {
    /// An index in rows.
    Rows(Box<BlockCursor>),
    /// An index in columns.
    Columns {
        view: View,
        separators: Strings,
        offsets: Uints,
        lengths: Uints,
        next: usize,
        rows: usize,
    },
    /// A list.
    List(std::vec::IntoIter<BlockHandle>),
}

impl Handles {
    /// Those of the index block at `handle`.
    pub(super) fn of(
        scene: &Scene<'_>,
        table: &Table,
        role: &Role,
        handle: BlockHandle,
    ) -> Result<Self> {
        let view = block::content(scene, table, handle)?;
        if table.columns(role).is_none() {
            return Ok(Self::Rows(Box::new(table.rows(role, &view)?)));
        }
        let bytes = view.bytes();
        let header = Header::decode(bytes, 0)?;
        let separators = header.strings(bytes, 0, header.rows)?;
        let offsets = header.uints(bytes, 1, header.rows)?;
        let lengths = header.uints(bytes, 2, header.rows)?;
        let rows = header.rows;
        Ok(Self::Columns { view, separators, offsets, lengths, next: 0, rows })
    }

    /// Pebble's value blocks.
    pub(super) fn of_values(source: &Source<'_>, entry: &[u8]) -> Result<Self> {
        Ok(Self::List(values::handles(source, entry)?.into_iter()))
    }

    /// The next block.
    pub(super) fn next(&mut self) -> Result<Option<BlockHandle>> {
        match self {
            Self::Rows(rows) => Ok(rows.advance()?.then(|| rows.handle())),
            Self::Columns { view, offsets, lengths, next, rows, .. } => {
                if *next >= *rows {
                    return Ok(None);
                }
                let offset = offsets.get(view.bytes(), *next)?;
                let bytes = lengths.get(view.bytes(), *next)?;
                *next += 1;
                Ok(Some(BlockHandle { offset, bytes }))
            }
            Self::List(list) => Ok(list.next()),
        }
    }

    /// The separator of the block that was returned last, in words.
    fn separator(&self, layout: Layout) -> String {
        let words = |separator: &[u8]| format!("keys up to {}", key(separator));
        match self {
            Self::Rows(rows) if layout.has_internal_keys() => {
                words(split(rows.key()).map_or(rows.key(), |(user_key, ..)| user_key))
            }
            Self::Rows(rows) => words(rows.key()),
            Self::Columns { view, separators, next, .. } => {
                let row = next.saturating_sub(1);
                separators.get(view.bytes(), row).map_or_else(|_| String::new(), words)
            }
            Self::List(_) => String::new(),
        }
    }
}

/// The data blocks of a table; of an index with two levels in groups, one for each partition.
pub(super) fn data(table: &Rc<Table>) -> Inner {
    let table = Rc::clone(table);
    parts(move |scene, sink| {
        let Some(index) = table.index() else {
            return Err(Error::damaged(sink.position(), "no index leads to these bytes"));
        };
        if table.is_two_level() {
            groups(scene, &table, index, sink)
        } else {
            blocks(scene, &table, &Role::Index, index, sink)
        }
    })
}

/// The data blocks that the index block at `handle` names.
fn blocks(
    scene: &Scene<'_>,
    table: &Rc<Table>,
    role: &Role,
    handle: BlockHandle,
    sink: &mut Sink,
) -> Result<()> {
    let mut handles = Handles::of(scene, table, role, handle).map_err(|error| elsewhere(&error))?;
    while let Some(handle) = handles.next().map_err(|error| elsewhere(&error))? {
        // A list counts the blocks, which costs no more reads.
        if sink.has_all() && !sink.is_list() {
            sink.stop();
            return Ok(());
        }
        sink.gap(handle.offset, "the index leads to no block here")?;
        let bytes = handle.bytes.saturating_add(TRAILER_BYTES);
        sink.take(bytes, |sink| {
            let words = handles.separator(table.layout(role));
            let draft = named(format!("data block {}", sink.number()), "block")
                .value(words)
                .problem(block::glance(scene, table, handle, sink));
            (draft, Some(block::inner(table, Role::Data, handle)))
        })?;
    }
    Ok(())
}

/// Groups of data blocks, one for each partition of the index.
fn groups(scene: &Scene<'_>, table: &Rc<Table>, index: BlockHandle, sink: &mut Sink) -> Result<()> {
    let mut top =
        Handles::of(scene, table, &Role::Index, index).map_err(|error| elsewhere(&error))?;
    let (first, mut before) = (sink.first(), None);
    let mut place = 0;
    while let Some(partition) = top.next().map_err(|error| elsewhere(&error))? {
        let words = top.separator(table.layout(&Role::Index));
        // The group before this one ends where this one begins.
        if let Some((partition, words)) = before.replace((partition, words)) {
            if sink.has_all() {
                sink.stop();
                return Ok(());
            }
            place += 1;
            if place > first {
                let next = before.as_ref().map_or(index, |(next, _)| *next);
                let until = first_block(scene, table, next).unwrap_or(sink.position());
                group(table, partition, words, until, sink)?;
            } else if place == first {
                let start =
                    before.as_ref().and_then(|(next, _)| first_block(scene, table, *next).ok());
                sink.skip_to(place, start.unwrap_or(sink.position()));
            }
        }
    }
    if let Some((partition, words)) = before {
        let until = sink.end();
        if place < first {
            sink.skip_to(place + 1, until);
            return Ok(());
        }
        group(table, partition, words, until, sink)?;
    }
    Ok(())
}

fn group(
    table: &Rc<Table>,
    partition: BlockHandle,
    words: String,
    until: u64,
    sink: &mut Sink,
) -> Result<()> {
    let bytes = until.checked_sub(sink.position()).ok_or_else(|| {
        Error::damaged(sink.position(), "the partitions of the index are not in order")
    })?;
    let table = Rc::clone(table);
    sink.take(bytes, |sink| {
        let name = format!("data blocks of index partition {}", sink.number());
        let inner =
            parts(move |scene, sink| blocks(scene, &table, &Role::IndexPartition, partition, sink));
        (named(name, "blocks").value(words), Some(inner))
    })
}

/// Offset of the first data block of a partition.
fn first_block(scene: &Scene<'_>, table: &Table, partition: BlockHandle) -> Result<u64> {
    let mut handles = Handles::of(scene, table, &Role::IndexPartition, partition)?;
    let first = handles.next()?.map(|handle| handle.offset);
    first.ok_or_else(|| Error::damaged(partition.offset, "a partition of the index is empty"))
}

/// A failure in the index, which is not where the data blocks are.
pub(super) fn elsewhere(error: &Error) -> Error {
    let at = error.offset().map_or_else(String::new, |at| format!(" at offset {at}"));
    let state = if error.kind() == ErrorKind::NotRead { "is not read" } else { "is damaged" };
    let reason = error.message();
    let message = format!("the index{at} {state}, so the blocks here are not found: {reason}");
    Error::new(error.kind(), message)
}
