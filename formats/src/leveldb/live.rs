//! The live entries of a directory: its tables and logs merged, the newest entry of each key.

use super::cursor::{Cursor, Order};
use super::directory::{Damage, Table};
use super::files::Files;
use super::format::{cursor, log_entries};
use super::log::{LogItem, records};
use crate::Entry;
use levelscope::internals::key::user_key;
use levelscope::text;
use levelscope::{Error, ErrorKind, Result};
use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap, btree_map};

/// Entries of memory: newest sequence number and value of each key.
type Memory = BTreeMap<Vec<u8>, Newest>;
/// Sequence number and value, which a tombstone has not.
type Newest = (u64, Option<Vec<u8>>);

/// Tables that follow each other in the order of their keys.
pub(super) struct Source<'a> {
    tables: std::vec::IntoIter<Table>,
    open: Option<Open<'a>>,
    memory: Option<btree_map::IntoIter<Vec<u8>, Newest>>,
    /// Tables that have given an entry since the source was asked last.
    newly_read: u64,
}

/// The table that is being read.
struct Open<'a> {
    table: Table,
    /// Whether it has given an entry.
    is_read: bool,
    file: Cow<'a, [u8]>,
    cursor: Cursor,
}

impl<'a> Source<'a> {
    /// These tables, which are sorted and do not overlap.
    pub(super) fn new(tables: Vec<Table>) -> Self {
        Self { tables: tables.into_iter(), open: None, memory: None, newly_read: 0 }
    }

    fn of_memory(memory: Memory) -> Self {
        Self { memory: Some(memory.into_iter()), ..Self::new(Vec::new()) }
    }

    /// The next entry; an error costs a block or a table, and the next call continues after it.
    fn next(&mut self, files: &'a dyn Files) -> Option<Result<Entry<'static>>> {
        if let Some(memory) = &mut self.memory {
            let (key, (sequence, value)) = memory.next()?;
            let (key, value) = (Cow::Owned(key), value.map(Cow::Owned));
            return Some(Ok(Entry { key, value, sequence: Some(sequence), offset: 0 }));
        }
        loop {
            let Some(open) = &mut self.open else {
                match open_table(files, self.tables.next()?) {
                    Ok((open, shorter)) => {
                        self.open = Some(open);
                        if let Some(error) = shorter {
                            return Some(Err(error));
                        }
                    }
                    Err(error) => return Some(Err(error)),
                }
                continue;
            };
            let named = |error: Error| error.in_foreign(&open.table.name);
            match open.cursor.next(&open.file) {
                Some(Ok(entry)) if is_inside(&open.table, &entry.key) => {
                    self.newly_read += u64::from(!std::mem::replace(&mut open.is_read, true));
                    return Some(Ok(entry));
                }
                Some(Ok(entry)) => {
                    let what = "a key is outside the range that the manifest says of the table";
                    return Some(Err(named(Error::damaged_at(entry.offset, what))));
                }
                Some(Err(error)) => return Some(Err(named(error))),
                None => self.open = None,
            }
        }
    }
}

/// The opened table, and an error when it does not have the length that the manifest says.
fn open_table(files: &dyn Files, table: Table) -> Result<(Open<'_>, Option<Error>)> {
    let file = files.read(&table.name)?;
    let cursor = cursor(&file, Order::Bytewise).map_err(|error| error.in_foreign(&table.name))?;
    let length = file.len() as u64;
    let said = table.known.as_ref().map_or(length, |known| known.bytes);
    let wrong = (said != length).then(|| {
        let what = format!("the manifest says that this table has {}", text::bytes(said));
        let error = if said > length {
            Error::ends_at(length, what)
        } else {
            Error::damaged_at(said, what)
        };
        error.in_foreign(&table.name)
    });
    Ok((Open { table, is_read: false, file, cursor }, wrong))
}

fn is_inside(table: &Table, key: &[u8]) -> bool {
    table
        .known
        .as_ref()
        .is_none_or(|known| (user_key(&known.smallest)..=user_key(&known.largest)).contains(&key))
}

/// The next entry of a source: smallest key first, of equal keys the newest.
struct Head {
    entry: Entry<'static>,
    source: usize,
}

impl Head {
    fn order(&self) -> (&[u8], Reverse<Option<u64>>, usize) {
        (&self.entry.key, Reverse(self.entry.sequence), self.source)
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.order() == other.order()
    }
}

impl Eq for Head {}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Head {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order().cmp(&other.order())
    }
}

/// The live entries of a directory, in the order of their keys.
pub struct Live<'a> {
    files: &'a dyn Files,
    damage: Damage,
    sources: Vec<Source<'a>>,
    heads: BinaryHeap<Reverse<Head>>,
    memory: Memory,
    last: Option<Vec<u8>>,
    failed: bool,
    skipped: Vec<Error>,
    lost: bool,
    tables_read: u64,
    logs_read: u64,
}

impl<'a> Live<'a> {
    pub(super) fn new(
        files: &'a dyn Files,
        damage: Damage,
        skipped: Vec<Error>,
        lost: bool,
    ) -> Self {
        Self {
            files,
            damage,
            sources: Vec::new(),
            heads: BinaryHeap::new(),
            memory: Memory::new(),
            last: None,
            failed: false,
            skipped,
            lost,
            tables_read: 0,
            logs_read: 0,
        }
    }

    /// Tables of which an entry was read so far.
    pub fn tables_read(&self) -> u64 {
        self.tables_read
    }

    /// Logs of which an entry was read.
    pub fn logs_read(&self) -> u64 {
        self.logs_read
    }

    /// Whether damage was left out so far: keys may have older values, and deleted keys may be back.
    pub fn has_lost(&self) -> bool {
        self.lost
    }

    /// The parts left out so far, in the order in which they were met: each names its file. A torn record at
    /// the end of a log is listed too, although it is no damage.
    pub fn skipped(&self) -> &[Error] {
        &self.skipped
    }

    /// Notes damage, or makes it the error of the call.
    pub(super) fn meet(&mut self, error: Error) -> Result<()> {
        if self.damage == Damage::Refuse {
            return Err(error);
        }
        self.skipped.push(error);
        self.lost = true;
        Ok(())
    }

    fn remember(&mut self, entry: Entry<'_>) {
        let sequence = entry.sequence.unwrap_or(0);
        let value = entry.value.map(Cow::into_owned);
        match self.memory.get_mut(entry.key.as_ref()) {
            Some(newest) if newest.0 > sequence => {}
            Some(newest) => *newest = (sequence, value),
            None => drop(self.memory.insert(entry.key.into_owned(), (sequence, value))),
        }
    }

    /// Reads a log into memory.
    pub(super) fn take_log(&mut self, name: &str) -> Result<()> {
        let file = self.files.read(name)?;
        let mut is_read = false;
        for entry in log_entries(&file) {
            match entry {
                Ok(entry) => {
                    is_read = true;
                    self.remember(entry);
                }
                Err(error) => self.meet(error.in_foreign(name))?,
            }
        }
        self.logs_read += u64::from(is_read);
        let torn = records(&file).find_map(|found| match found {
            LogItem::Torn(offset) => Some(offset),
            LogItem::Record(_) | LogItem::Unread(_) | LogItem::Damage(_) => None,
        });
        if let Some(offset) = torn {
            let what = format!(
                "the record at offset {} was cut off by a crash: it does not count",
                text::count(offset as u64)
            );
            self.skipped.push(Error::new(ErrorKind::Corruption, what).in_foreign(name));
        }
        Ok(())
    }

    /// Merges what is in memory.
    pub(super) fn take_memory(&mut self) -> Result<()> {
        let memory = std::mem::take(&mut self.memory);
        self.add(Source::of_memory(memory))
    }

    /// Merges a source.
    pub(super) fn add(&mut self, source: Source<'a>) -> Result<()> {
        self.sources.push(source);
        self.refill(self.sources.len() - 1)
    }

    /// Puts the next entry of a source among the heads.
    fn refill(&mut self, index: usize) -> Result<()> {
        while let Some(source) = self.sources.get_mut(index) {
            let Some(entry) = source.next(self.files) else { break };
            self.tables_read += std::mem::take(&mut source.newly_read);
            match entry {
                Ok(entry) => {
                    self.heads.push(Reverse(Head { entry, source: index }));
                    return Ok(());
                }
                Err(error) => self.meet(error)?,
            }
        }
        Ok(())
    }

    fn step(&mut self) -> Result<Option<Entry<'static>>> {
        while let Some(Reverse(Head { entry, source })) = self.heads.pop() {
            self.refill(source)?;
            if self.last.as_deref() == Some(&*entry.key) {
                continue;
            }
            self.last = Some(entry.key.to_vec());
            if entry.value.is_some() {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }
}

impl Iterator for Live<'_> {
    type Item = Result<Entry<'static>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let entry = self.step();
        self.failed = entry.is_err();
        entry.transpose()
    }
}
