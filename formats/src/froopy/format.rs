//! The table as a format.

use super::table::{Frame, Table};
use super::{TableNumber, names};
use crate::recognize::has_extension;
use crate::{Entries, Entry, Format, FormatInfo, Holds, Likeness, SearchMethod};
use levelscope::Result;
use levelscope::inspect::{Node, Scope};
use levelscope::internals::probe::Probe;
use levelscope::storage::FileName;

/// The format.
#[derive(Debug)]
pub(crate) struct TableFormat;

pub(super) static INFO: FormatInfo = FormatInfo {
    id: "froopy-table",
    name: "table with times in its keys",
    purpose: "Values, an index with the time of each version, a filter, and where they are.",
    holds: Holds::Table,
    searches: &[SearchMethod::Binary, SearchMethod::Sequential],
};

/// A table out of order is searched by a linear scan, also when a binary search was requested.
fn search<'a, P: Probe>(
    file: &'a [u8],
    key: &[u8],
    method: SearchMethod,
    probe: &mut P,
) -> Result<Option<Entry<'a>>> {
    let table = Table::open(file)?;
    let binary = table.is_sorted() && method == SearchMethod::Binary;
    table.search(key, u64::MAX, binary, probe)
}

impl Format for TableFormat {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn recognize(&self, name: &str, file: &[u8]) -> Likeness {
        let Ok(frame) = Frame::read(file) else { return Likeness::None };
        // Tables of the engine end in the same extension.
        let named = has_extension(name, "sst") && FileName::parse(name).is_none();
        if frame.keys == 0 {
            let is_empty = frame.items_at == 0 && frame.filter_at == frame.metadata_at();
            return if is_empty && named { Likeness::Perhaps } else { Likeness::None };
        }
        if Table::open(file).is_ok() && self.scan(file).all(|entry| entry.is_ok()) {
            return Likeness::Likely;
        }
        // Damage in one place leaves the others as they were.
        let linked = frame.linked_items();
        if named && linked > frame.keys / 2 { Likeness::Perhaps } else { Likeness::None }
    }

    fn annotate(&self, name: &str, file: &[u8], scope: Scope) -> Node {
        names::table(name, file, scope)
    }

    fn scan<'a>(&self, file: &'a [u8]) -> Entries<'a> {
        let frame = match Frame::read(file) {
            Ok(frame) => frame,
            Err(error) => return Box::new(std::iter::once(Err(error))),
        };
        let (mut left, mut at) = (frame.keys, frame.items_at);
        Box::new(std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let item = match frame.item(at) {
                Ok(item) => item,
                Err(error) => {
                    left = 0; // Without lengths to trust, there is no next item to find.
                    return Some(Err(error));
                }
            };
            at = item.next;
            Some(frame.entry(&item))
        }))
    }

    searched_by!(search);

    fn write(&self, entries: &[Entry<'_>]) -> Result<Vec<u8>> {
        TableNumber { level: 0, increment: 0 }.write(entries)
    }
}
