//! The third step: the offsets of all entries follow the entries.

use super::coding::{Coding, Content};
use super::names::{self, Role};
use super::search::walk;
use super::{Step, TableSettings, entry, plain};
use crate::{Entries, Entry, Format, FormatInfo, Likeness, SearchMethod, unreadable};
use levelscope::event::ShownKey;
use levelscope::inspect::{Node, Scope};
use levelscope::internals::coding::Reader;
use levelscope::internals::probe::{Among, Probe};
use levelscope::text;
use levelscope::{Error, Result};
use std::borrow::Cow;
use std::cmp::Ordering;

/// The format.
#[derive(Debug)]
pub(crate) struct Indexed;

/// Bytes of an offset, and of their count at the end of the file.
const NUMBER_BYTES: usize = 4;

/// The offsets after the entries.
#[derive(Debug, Clone, Copy)]
pub(super) struct EntryIndex<'a> {
    file: &'a [u8],
    begin: usize,
    pub(super) count: usize,
}

impl<'a> EntryIndex<'a> {
    pub(super) fn open(file: &'a [u8]) -> Result<Self> {
        let footer_at = file.len().saturating_sub(NUMBER_BYTES);
        let damaged = |what: &str| Error::damaged_at(footer_at as u64, what);
        let count = Reader::new(file.get(footer_at..).unwrap_or_default()).u32();
        let count = count.ok_or_else(|| damaged("the file is too short for a count of entries"))?;
        let count = usize::try_from(count).ok();
        let begin = count.and_then(|count| {
            let begin = footer_at.checked_sub(count.checked_mul(NUMBER_BYTES)?)?;
            Some(Self { file, begin, count })
        });
        begin.ok_or_else(|| damaged("there is no room for the offsets of so many entries"))
    }

    /// End of the entries and start of the index.
    pub(super) fn begin(&self) -> usize {
        self.begin
    }

    /// Offset of entry number `index`.
    fn offset(&self, index: usize) -> Result<usize> {
        let at = self.begin.saturating_add(index.saturating_mul(NUMBER_BYTES));
        let offset = Reader::new(self.file.get(at..).unwrap_or_default()).u32();
        let offset = offset.and_then(|offset| usize::try_from(offset).ok());
        let found = offset.filter(|offset| index < self.count && *offset < self.begin);
        found.ok_or_else(|| Error::damaged_at(at as u64, "this offset leads to no entry"))
    }

    /// Whether the offsets lead to consecutive entries, up to the index.
    fn check(&self) -> Result<()> {
        let mut at = 0;
        for index in 0..self.count {
            let offset = self.offset(index)?;
            if offset != at {
                let what = "the offset of this entry is not in the index";
                return Err(Error::damaged_at(at as u64, what));
            }
            at = self.raw(at)?.next();
        }
        if at == self.begin {
            return Ok(());
        }
        Err(Error::damaged_at(at as u64, "these bytes belong to no entry of the index"))
    }

    fn raw(&self, at: usize) -> Result<super::coding::Raw> {
        let raw = Coding::Varint.read(self.file.get(..self.begin).unwrap_or_default(), at);
        raw.ok_or_else(|| {
            Error::damaged_at(at as u64, "this entry does not end in front of the index")
        })
    }

    /// The entry of `key`, by binary search; it ends at the key.
    fn find<P: Probe>(&self, key: &[u8], probe: &mut P) -> Result<Option<Entry<'a>>> {
        probe.search(Among::Entries, self.count);
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            let raw = self.raw(self.offset(middle)?)?;
            let found = self.file.get(raw.suffix.clone()).unwrap_or_default();
            let order = found.cmp(key);
            probe.compared(order.is_lt(), || (middle, ShownKey::new(found)));
            match order {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => {
                    probe.narrow(middle..middle);
                    let stored = self.file.get(raw.stored.clone()).unwrap_or_default();
                    let (key, stored) = (Cow::Borrowed(found), Cow::Borrowed(stored));
                    return entry(key, stored, raw.at as u64).map(Some);
                }
            }
        }
        Ok(None)
    }
}

fn search<'a, P: Probe>(
    file: &'a [u8],
    key: &[u8],
    method: SearchMethod,
    probe: &mut P,
) -> Result<Option<Entry<'a>>> {
    probe.access("file", 0, file.len() as u64);
    let index = EntryIndex::open(file)?;
    match method {
        SearchMethod::Binary => index.find(key, probe),
        SearchMethod::Sequential => {
            let content = Content::stored(file, 0);
            Ok(walk(&content, Coding::Varint, 0..index.begin, key, probe)?.0)
        }
    }
}

impl Format for Indexed {
    fn info(&self) -> &'static FormatInfo {
        Step::Indexed.info()
    }

    fn recognize(&self, _: &str, file: &[u8]) -> Likeness {
        let Ok(index) = EntryIndex::open(file) else { return Likeness::None };
        if index.check().is_err() {
            return Likeness::None;
        }
        match plain::scan(Coding::Varint, file, index.begin).find(Result::is_err) {
            Some(_) => Likeness::Perhaps,
            None if index.count == 0 => Likeness::Perhaps,
            None => Likeness::Likely,
        }
    }

    fn annotate(&self, name: &str, file: &[u8], scope: Scope) -> Node {
        let index = match EntryIndex::open(file) {
            Ok(index) => index,
            Err(error) => return unreadable(name, file, &error),
        };
        let content = Content::stored(file, 0);
        let (mut parts, count) =
            names::entries(Role::Data, Coding::Varint, &content, (index.begin, &[]), scope);
        let bytes = file.get(index.begin..).unwrap_or_default();
        parts.push(names::entry_index(bytes, index.begin as u64, scope));
        let value = format!("{}, {}", text::counted(count, "entry"), text::bytes(file.len()));
        Node::branch(name, "table", 0, value, parts)
    }

    fn scan<'a>(&self, file: &'a [u8]) -> Entries<'a> {
        match EntryIndex::open(file) {
            Ok(index) => {
                let mut entries = plain::scan(Coding::Varint, file, index.begin);
                // A damaged entry names its own damage.
                let mut wrong = index.check().err().map(Err);
                Box::new(std::iter::from_fn(move || {
                    let entry = entries.next().or_else(|| wrong.take())?;
                    if entry.is_err() {
                        wrong = None;
                    }
                    Some(entry)
                }))
            }
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    }

    searched_by!(search);

    fn write(&self, entries: &[Entry<'_>]) -> Result<Vec<u8>> {
        TableSettings::new(Step::Indexed).write(entries)
    }
}
