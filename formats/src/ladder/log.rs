//! The log before the tables, as the article continues with them.

use super::coding::Content;
use super::pieces::{BLOCK_BYTES, HEADER_BYTES, Part, Piece, pieces};
use super::{entry, names, stored_value};
use crate::recognize::has_extension;
use crate::{Entries, Entry, Format, FormatInfo, Holds, Likeness, SearchMethod, last_in_log};
use levelscope::inspect::{Node, Scope};
use levelscope::internals::coding::{Reader, put_varint};
use levelscope::internals::probe::Probe;
use levelscope::{Error, Result};
use std::borrow::Cow;

/// The format.
#[derive(Debug)]
pub(crate) struct Log;

pub(super) static INFO: FormatInfo = FormatInfo {
    id: "ladder-log",
    name: "log in blocks of 4 KiB",
    purpose: "Writes in their order, cut where a block ends, without checksums.",
    holds: Holds::Log,
    searches: &[SearchMethod::Sequential],
};

/// Offsets of key, stored value and end of a record, from its lengths.
fn lengths(payload: &[u8]) -> Option<[usize; 3]> {
    let mut reader = Reader::new(payload);
    let (key_bytes, value_bytes) = (reader.varint()?, reader.varint()?);
    let key_at = reader.position();
    let value_at = usize::try_from(key_bytes).ok().and_then(|bytes| key_at.checked_add(bytes))?;
    let end = usize::try_from(value_bytes).ok().and_then(|bytes| value_at.checked_add(bytes))?;
    Some([key_at, value_at, end])
}

/// Whether nothing of a record is missing.
fn is_whole(payload: &[u8]) -> bool {
    lengths(payload).is_some_and(|[.., end]| end <= payload.len())
}

/// The record whose bytes are `payload`, which begins at `offset` \[bytes\].
fn record(payload: Cow<'_, [u8]>, offset: u64) -> Result<Entry<'_>> {
    let payload = Content { bytes: payload, offset };
    match lengths(&payload.bytes) {
        Some([key, value, end]) if end == payload.bytes.len() => {
            entry(payload.cut(key..value), payload.cut(value..end), offset)
        }
        _ => Err(payload.damaged(0, "the lengths of this record do not match its bytes")),
    }
}

/// Items of a log.
#[derive(Debug)]
enum Item<'a> {
    Entry(Entry<'a>),
    /// The last record is not there as a whole.
    Torn(Error),
    Damaged(Error),
}

/// A record whose end has not come yet.
#[derive(Debug)]
struct Pending {
    offset: u64,
    payload: Vec<u8>,
}

/// Puts the chunks of records together.
#[derive(Debug, Default)]
struct Assembly {
    pending: Option<Pending>,
    /// Whether the bytes that follow may be the rest of a lost record, which has been reported.
    lost: bool,
}

impl Assembly {
    /// Takes a chunk; returns the items that it completes, in order.
    fn take<'a>(&mut self, at: usize, part: Part, payload: &'a [u8]) -> Vec<Item<'a>> {
        let mut items = Vec::new();
        if matches!(part, Part::Full | Part::First) {
            items.extend(self.unfinished().map(Item::Damaged));
            self.lost = false;
        }
        let offset = at as u64;
        match (part, self.pending.take()) {
            (Part::Full, _) => items.push(self.item(record(Cow::Borrowed(payload), offset))),
            // A record that ends with its block is sometimes labelled as if it went on.
            (Part::First, _) if is_whole(payload) => {
                items.push(self.item(record(Cow::Borrowed(payload), offset)));
            }
            (Part::First, _) => self.pending = Some(Pending { offset, payload: payload.to_vec() }),
            (_, None) if self.lost => {}
            (_, None) => {
                let what = "this is the rest of a record that begins nowhere";
                items.push(self.item(Err(Error::damaged_at(offset, what))));
            }
            (part, Some(mut pending)) => {
                pending.payload.extend_from_slice(payload);
                if part == Part::Last || is_whole(&pending.payload) {
                    let whole = record(Cow::Owned(pending.payload), pending.offset);
                    items.push(self.item(whole));
                } else {
                    self.pending = Some(pending);
                }
            }
        }
        items
    }

    fn item<'a>(&mut self, record: Result<Entry<'a>>) -> Item<'a> {
        self.lost = record.is_err();
        match record {
            Ok(entry) => Item::Entry(entry),
            Err(error) => Item::Damaged(error),
        }
    }

    /// The error of a record that does not go on.
    fn unfinished(&mut self) -> Option<Error> {
        let pending = self.pending.take()?;
        Some(Error::damaged_at(pending.offset, "the rest of this record is missing"))
    }

    /// The last item, at the end of the file.
    fn end<'a>(&mut self, torn_at: Option<usize>) -> Option<Item<'a>> {
        let pending = self.pending.take().map(|pending| pending.offset);
        let offset = pending.or(torn_at.filter(|_| !self.lost).map(|at| at as u64))?;
        let what = "a torn tail: the file ends within this record";
        Some(Item::Torn(Error::damaged_at(offset, what)))
    }
}

/// The items of the log `file`, in order.
fn items(file: &[u8]) -> impl Iterator<Item = Item<'_>> {
    let mut assembly = Assembly::default();
    let mut torn_at = None;
    pieces(file).map(Some).chain([None]).flat_map(move |piece| match piece {
        Some(Piece::Chunk { at, part, payload }) => {
            assembly.take(at, part, file.get(payload).unwrap_or_default())
        }
        Some(Piece::Padding(_)) => Vec::new(),
        Some(Piece::Torn(range)) => {
            torn_at = Some(range.start);
            Vec::new()
        }
        Some(Piece::Bad(range, what)) => {
            let unfinished = assembly.unfinished().map(Item::Damaged);
            assembly.lost = true;
            let bad = Item::Damaged(Error::damaged_at(range.start as u64, what));
            unfinished.into_iter().chain([bad]).collect()
        }
        None => assembly.end(torn_at).into_iter().collect(),
    })
}

fn search<'a, P: Probe>(
    file: &'a [u8],
    key: &[u8],
    method: SearchMethod,
    probe: &mut P,
) -> Result<Option<Entry<'a>>> {
    let entries = items(file).filter_map(|item| match item {
        Item::Torn(_) => None,
        Item::Entry(entry) => Some(Ok(entry)),
        Item::Damaged(error) => Some(Err(error)),
    });
    last_in_log(entries, file.len(), key, method, probe)
}

impl Format for Log {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn recognize(&self, name: &str, file: &[u8]) -> Likeness {
        let (mut good, mut torn, mut bad) = (0_u64, false, 0_u64);
        for item in items(file) {
            match item {
                Item::Entry(_) => good += 1,
                Item::Torn(_) => torn = true,
                Item::Damaged(_) => bad += 1,
            }
        }
        match (good, torn, bad, has_extension(name, "log")) {
            (0, false, 0, true) if file.is_empty() => Likeness::Perhaps,
            (1.., false, 0, _) if has_extension(name, "sst") => Likeness::Perhaps,
            (1.., false, 0, _) | (1.., true, 0, true) => Likeness::Likely,
            (1.., _, _, true) if good > bad => Likeness::Perhaps,
            _ => Likeness::None,
        }
    }

    fn annotate(&self, name: &str, file: &[u8], scope: Scope) -> Node {
        names::log(name, file, scope)
    }

    fn scan<'a>(&self, file: &'a [u8]) -> Entries<'a> {
        Box::new(items(file).map(|item| match item {
            Item::Entry(entry) => Ok(entry),
            Item::Torn(error) | Item::Damaged(error) => Err(error),
        }))
    }

    searched_by!(search);

    fn write(&self, entries: &[Entry<'_>]) -> Result<Vec<u8>> {
        let mut file = Vec::new();
        for entry in entries {
            let stored = stored_value(entry.value.as_deref());
            let mut payload = Vec::new();
            put_varint(&mut payload, entry.key.len() as u64);
            put_varint(&mut payload, stored.len() as u64);
            payload.extend_from_slice(&entry.key);
            payload.extend_from_slice(&stored);
            put_record(&mut file, &payload);
        }
        Ok(file)
    }
}

/// Appends a record, in as many chunks as blocks that it lies in.
fn put_record(file: &mut Vec<u8>, mut payload: &[u8]) {
    let mut first = true;
    loop {
        let left = BLOCK_BYTES - file.len() % BLOCK_BYTES;
        if left <= HEADER_BYTES {
            file.resize(file.len() + left, 0);
            continue;
        }
        let bytes = payload.len().min(left - HEADER_BYTES);
        let (head, rest) = payload.split_at_checked(bytes).unwrap_or((payload, &[]));
        let part = match (first, rest.is_empty()) {
            (true, true) => Part::Full,
            (true, false) => Part::First,
            (false, false) => Part::Middle,
            (false, true) => Part::Last,
        };
        // A block has less than 65,536 bytes.
        file.extend_from_slice(&u16::try_from(bytes).unwrap_or(u16::MAX).to_le_bytes());
        file.push(part.number());
        file.extend_from_slice(head);
        if rest.is_empty() {
            return;
        }
        (payload, first) = (rest, false);
    }
}
