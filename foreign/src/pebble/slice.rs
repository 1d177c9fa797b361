//! A virtual table: the part of a table between two keys, with its own prefix or suffix.

use crate::{
    Comparator, DataBlock, EntryCursor, EntryRef, Examined, Problem, RangeDeletion, RangeKey,
    Result, TableFile, TableReader, TableSummary, Value,
};
use std::cmp::Ordering;

/// Bounds of a virtual table, and the bytes that are added to each key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bounds {
    /// The smallest user key.
    pub smallest: Vec<u8>,
    /// The largest user key.
    pub largest: Vec<u8>,
    /// Whether the largest key itself is not in it.
    pub exclusive: bool,
    /// Bytes before each key of the backing table.
    pub prefix: Vec<u8>,
    /// Bytes that replace the suffix of each key. The orders that are known have no suffixes, so it comes after the key.
    pub suffix: Vec<u8>,
}

impl Bounds {
    /// The bounds of a virtual table of the manifest. They hold for keys with prefix and suffix.
    pub fn of(table: &TableFile) -> Self {
        Self {
            smallest: table.smallest.user_key.clone(),
            largest: table.largest.user_key.clone(),
            exclusive: table.largest_is_exclusive(),
            prefix: table.synthetic_prefix.clone(),
            suffix: table.synthetic_suffix.clone(),
        }
    }

    /// A key of the backing table as a key of the virtual one.
    fn key(&self, backing: &[u8]) -> Vec<u8> {
        [self.prefix.as_slice(), backing, self.suffix.as_slice()].concat()
    }

    /// A boundary of a range, which has no suffix.
    fn boundary(&self, backing: &[u8]) -> Vec<u8> {
        [self.prefix.as_slice(), backing].concat()
    }
}

/// A part of a backing table. Counts and sizes in its summary are those of the whole backing table.
pub struct Slice<'f> {
    backing: Box<dyn TableReader + 'f>,
    bounds: Bounds,
    comparator: Comparator,
}

impl<'f> Slice<'f> {
    /// The part of `backing` inside of `bounds`; keys are compared by `comparator`. When that is not known, nothing is
    /// cut off.
    pub fn new(backing: Box<dyn TableReader + 'f>, bounds: Bounds, comparator: Comparator) -> Self {
        Self { backing, bounds, comparator }
    }

    /// Whether `key` comes before the first key.
    fn is_before(&self, key: &[u8]) -> bool {
        self.comparator.is_known()
            && self.comparator.compare(key, &self.bounds.smallest) == Ordering::Less
    }

    /// Whether `key` comes after the last key.
    fn is_after(&self, key: &[u8]) -> bool {
        self.comparator.is_known()
            && match self.comparator.compare(key, &self.bounds.largest) {
                Ordering::Less => false,
                Ordering::Equal => self.bounds.exclusive,
                Ordering::Greater => true,
            }
    }

    /// The part of [start, end) inside of the bounds, `None` when nothing is left.
    fn cut(&self, start: &[u8], end: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
        let (mut start, mut end) = (self.bounds.boundary(start), self.bounds.boundary(end));
        if self.comparator.is_known() {
            if self.is_before(&start) {
                start.clone_from(&self.bounds.smallest);
            }
            if self.is_after(&end) {
                end.clone_from(&self.bounds.largest);
                if !self.bounds.exclusive {
                    // The next key after the largest one.
                    end.push(0);
                }
            }
            if self.comparator.compare(&start, &end) != Ordering::Less {
                return None;
            }
        }
        Some((start, end))
    }
}

impl TableReader for Slice<'_> {
    fn summary(&self) -> &TableSummary {
        self.backing.summary()
    }

    fn cursor(&self) -> Result<Box<dyn EntryCursor + '_>> {
        let cursor = self.backing.cursor()?;
        Ok(Box::new(SliceCursor { slice: self, cursor, key: Vec::new(), stands: false }))
    }

    fn range_deletions(&self) -> Result<Vec<RangeDeletion>> {
        let cut = |deletion: RangeDeletion| {
            let (start, end) = self.cut(&deletion.start, deletion.end.as_deref()?)?;
            Some(RangeDeletion { start, end: Some(end), ..deletion })
        };
        Ok(self.backing.range_deletions()?.into_iter().filter_map(cut).collect())
    }

    fn range_keys(&self) -> Result<Vec<RangeKey>> {
        let cut = |key: RangeKey| {
            let (start, end) = self.cut(&key.start, &key.end)?;
            let mut suffix = key.suffix;
            if !suffix.is_empty() && !self.bounds.suffix.is_empty() {
                suffix.clone_from(&self.bounds.suffix);
            }
            Some(RangeKey { start, end, suffix, ..key })
        };
        Ok(self.backing.range_keys()?.into_iter().filter_map(cut).collect())
    }

    fn data_blocks(&self) -> Result<Vec<DataBlock>> {
        let mut kept = Vec::new();
        for mut block in self.backing.data_blocks()? {
            block.separator = self.bounds.key(&block.separator);
            if self.is_before(&block.separator) {
                continue;
            }
            // All keys of the next block are larger than this separator.
            let last = self.is_after(&block.separator);
            kept.push(block);
            if last {
                break;
            }
        }
        Ok(kept)
    }

    fn check(&self, deep: bool, report: &mut dyn FnMut(Problem)) -> Examined {
        self.backing.check(deep, report)
    }
}

struct SliceCursor<'s> {
    slice: &'s Slice<'s>,
    cursor: Box<dyn EntryCursor + 's>,
    /// The key with prefix and suffix.
    key: Vec<u8>,
    /// Whether it stands at an entry inside of the bounds.
    stands: bool,
}

impl SliceCursor<'_> {
    /// Takes over the entry of the backing cursor, if it is inside of the bounds.
    fn take(&mut self) {
        self.stands = false;
        if let Some(entry) = self.cursor.entry() {
            self.key = self.slice.bounds.key(entry.user_key);
            self.stands = !self.slice.is_after(&self.key);
        }
    }

    /// Goes on until the entry is not less than (`user_key`, `sequence`).
    fn advance_to(&mut self, user_key: &[u8], sequence: u64) -> Result<()> {
        self.take();
        while let Some(entry) = self.entry() {
            let order = self.slice.comparator.compare(entry.user_key, user_key);
            if order.then_with(|| sequence.cmp(&entry.sequence)) != Ordering::Less {
                return Ok(());
            }
            self.cursor.next()?;
            self.take();
        }
        Ok(())
    }

    fn go_to(&mut self, user_key: &[u8], sequence: u64) -> Result<()> {
        self.stands = false;
        let bounds = &self.slice.bounds;
        let rest = user_key.strip_prefix(bounds.prefix.as_slice());
        match rest {
            Some(rest) if bounds.suffix.is_empty() => self.cursor.seek(rest, sequence)?,
            // Another suffix may sort the keys before the sought one in another way.
            _ => self.cursor.first()?,
        }
        self.advance_to(user_key, sequence)
    }
}

impl EntryCursor for SliceCursor<'_> {
    fn first(&mut self) -> Result<()> {
        let slice = self.slice;
        if slice.comparator.is_known() {
            return self.go_to(&slice.bounds.smallest, crate::key::SEQUENCE_MAX);
        }
        self.stands = false;
        self.cursor.first()?;
        self.take();
        Ok(())
    }

    fn seek(&mut self, user_key: &[u8], sequence: u64) -> Result<()> {
        if self.slice.is_before(user_key) {
            return self.first();
        }
        self.go_to(user_key, sequence)
    }

    fn next(&mut self) -> Result<()> {
        if self.cursor.entry().is_some() && !self.stands {
            return Ok(());
        }
        self.stands = false;
        self.cursor.next()?;
        let first = self.slice.bounds.smallest.as_slice();
        if self.slice.comparator.is_known() {
            return self.advance_to(first, crate::key::SEQUENCE_MAX);
        }
        self.take();
        Ok(())
    }

    fn entry(&self) -> Option<EntryRef<'_>> {
        let entry = self.cursor.entry().filter(|_| self.stands)?;
        Some(EntryRef { user_key: &self.key, ..entry })
    }

    fn value(&mut self) -> Result<Value> {
        if !self.stands {
            let message = "the cursor stands at no entry";
            return Err(crate::Error::new(crate::ErrorKind::Invalid, message));
        }
        self.cursor.value()
    }
}
