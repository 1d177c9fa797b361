//! Verifies a table: checksums of all blocks, and with `deep` entries, their order and their number.

use super::entries::BlockCursor;
use super::index::Target;
use super::reader::BlockTable;
use super::source::{TRAILER, TRAILER_BYTES};
use super::window::Window;
use crate::entry::{BlockHandle, TableReader};
use crate::examined::Course;
use crate::key::{Kind, split};
use crate::problem::{Problem, Severity, bounds};
use crate::{Error, ErrorKind, Examined, Gap, Result};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Checks `table` and returns how far it came.
pub(super) fn check(table: &BlockTable, deep: bool, report: &mut dyn FnMut(Problem)) -> Examined {
    let mut check = Check {
        table,
        course: Course::new(report, table.is_metaindex_unread().then_some(Gap::Metaindex)),
        deep,
        read: 0,
        compressions: BTreeSet::new(),
        before: Vec::new(),
        counts: Counts::default(),
    };
    check.named_blocks();
    check.data_blocks();
    if deep {
        check.range_deletions();
        check.compare_counts();
    }
    let is_over = check.is_over();
    check.course.examined(check.read, is_over)
}

/// Counts of entries, to compare with the properties.
#[derive(Default)]
struct Counts {
    entries: u64,
    deletions: u64,
    merges: u64,
    range_deletions: u64,
}

struct Check<'c, 'f> {
    table: &'c BlockTable<'f>,
    course: Course<'c>,
    deep: bool,
    read: u64,
    /// Compressions that were reported as not supported, once each.
    compressions: BTreeSet<String>,
    /// The last internal key, to compare the order.
    before: Vec<u8>,
    counts: Counts,
}

impl Check<'_, '_> {
    fn report(&mut self, error: &Error, keys: Option<(Vec<u8>, Vec<u8>)>) {
        self.course.undecoded |= error.kind() == ErrorKind::NotRead;
        if error.kind() == ErrorKind::NotRead
            && !self.compressions.insert(error.message().to_owned())
        {
            return;
        }
        let mut problem = Problem::of(error, self.table.name());
        problem.keys = keys.map(|(first, last)| bounds(&first, &last));
        self.course.report(problem);
    }

    fn is_over(&self) -> bool {
        self.course.is_over(self.read, self.table.source().end())
    }

    fn verify(&mut self, handle: BlockHandle) {
        match self.table.source().read(handle) {
            Ok(stored) => self.read += stored.bytes.len() as u64,
            Err(error) => self.report(&error, None),
        }
    }

    fn named_blocks(&mut self) {
        let table = self.table;
        // The footer was read to open the table.
        self.read += table.footer().bytes as u64;
        self.bytes_before_footer();
        self.verify(table.footer().metaindex);
        if table.is_metaindex_unread()
            && let Err(error) = super::reader::names(table.source(), table.footer().metaindex)
            && error.kind() == ErrorKind::NotRead
        {
            self.report(&error, None);
        }
        let names = table.metaindex().0.keys().filter(|name| *name != "rocksdb.index");
        for (name, handle) in names.filter_map(|name| Some((name, table.metaindex().handle(name)?)))
        {
            if self.is_over() {
                return;
            }
            self.verify(handle);
            if name.starts_with("partitionedfilter.") {
                self.filter_partitions(handle);
            }
        }
    }

    /// The metaindex or the index is the last block: bytes after both are of something else, such as another table.
    fn bytes_before_footer(&mut self) {
        let footer = self.table.footer();
        let blocks = [Some(footer.metaindex), footer.index].into_iter().flatten();
        let end = |block: BlockHandle| block.offset.saturating_add(block.bytes);
        let end = blocks.map(end).max().unwrap_or(0).saturating_add(TRAILER_BYTES);
        if let Some(more) = footer.offset.checked_sub(end).filter(|more| *more > 0) {
            let more = crate::text::count(more, "byte");
            let message =
                format!("{more} between the last block and the footer belong to no block");
            self.report(&Error::damaged(end, message), None);
        }
    }

    fn filter_partitions(&mut self, handle: BlockHandle) {
        let mut rows = match self.table.index_block(handle) {
            Ok(rows) => rows,
            Err(error) => {
                self.course.miss(Gap::Metaindex);
                // Damage has been reported, a block that cannot be decompressed has not.
                if error.kind() == ErrorKind::NotRead {
                    self.report(&error, None);
                }
                return;
            }
        };
        while !self.is_over() {
            match rows.advance() {
                Ok(true) => self.verify(rows.handle()),
                Ok(false) => return,
                Err(error) => {
                    self.course.miss(Gap::Metaindex);
                    return self.report(&error, None);
                }
            }
        }
    }

    fn data_blocks(&mut self) {
        self.read += self.table.index_handle().bytes;
        let mut index = match self.table.index() {
            Ok(index) => index,
            Err(error) => {
                self.course.miss(Gap::Index);
                return self.report(&error, None);
            }
        };
        let (mut window, mut separator, mut partition) = (Window::new(), Vec::new(), None);
        while !self.is_over() {
            match index.advance() {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    self.course.miss(Gap::Index);
                    self.report(&error, None);
                    continue;
                }
            }
            if index.partition() != partition {
                partition = index.partition();
                self.read += partition.map_or(0, |handle| handle.bytes);
            }
            if let Err(error) = self.data_block(&mut window, index.handle(), index.separator()) {
                let table = self.table;
                let keys = (table.separator(&separator), table.separator(index.separator()));
                self.report(&error, Some(keys));
            }
            separator.clear();
            separator.extend_from_slice(index.separator());
        }
    }

    fn data_block(
        &mut self,
        window: &mut Window,
        handle: BlockHandle,
        separator: &[u8],
    ) -> Result<()> {
        let source = self.table.source();
        let (bytes, read) = window.block(source, handle)?;
        self.read += read;
        let compression = source.verify(handle, bytes)?;
        if !self.deep {
            return Ok(());
        }
        let length = bytes.len().saturating_sub(TRAILER);
        let stored = bytes.get(..length).unwrap_or_default();
        let data = self.table.decode_data(handle, compression, stored)?;
        self.entries(data, separator)
    }

    fn entries(&mut self, mut data: BlockCursor, separator: &[u8]) -> Result<()> {
        let order = self.table.order();
        while data.advance()? {
            let key = data.key();
            let (user_key, sequence, kind) = split(key)?;
            if order.is_known() && !self.before.is_empty() {
                let (last, last_sequence, last_kind) = split(&self.before)?;
                let ascends = order
                    .compare(last, user_key)
                    .then((sequence, kind).cmp(&(last_sequence, last_kind)));
                if ascends != Ordering::Less {
                    let at = data.entry_range().start;
                    return Err(data.block().damaged(at, "a key is not after the one before it"));
                }
            }
            self.before.clear();
            self.before.extend_from_slice(key);
            self.counts.entries += 1;
            let kind = Kind::of(self.table.engine(), kind);
            self.counts.deletions += u64::from(kind.is_delete());
            self.counts.merges += u64::from(kind == Kind::Merge);
        }
        if !data.restarts_agree() {
            return Err(data.block().damaged(0, "a restart point is not the start of an entry"));
        }
        self.compare_separator(&data, separator)
    }

    /// The separator of a block must not be less than its keys, or searches miss them.
    fn compare_separator(&self, data: &BlockCursor, separator: &[u8]) -> Result<()> {
        let order = self.table.order();
        if !order.is_known() || self.before.is_empty() {
            return Ok(());
        }
        let (user_key, sequence, _) = split(&self.before)?;
        let last = Target { user_key, sequence };
        if last.is_after(order, self.table.index_layout(), separator) {
            let message = "the index has a separator that is less than the last key of the block";
            return Err(data.block().damaged(0, message));
        }
        Ok(())
    }

    fn range_deletions(&mut self) {
        match self.table.range_deletions() {
            Ok(deletions) => self.counts.range_deletions = deletions.len() as u64,
            // A wrong checksum has been reported already.
            Err(error) => {
                if self.course.findings == 0 {
                    self.report(&error, None);
                }
            }
        }
    }

    /// Compares the counts with the properties. After damage that would report the same finding twice.
    fn compare_counts(&mut self) {
        if self.course.findings > 0 || self.is_over() {
            return;
        }
        let (counts, stated) = (&self.counts, self.table.summary());
        let ranges = counts.range_deletions;
        let pairs = [
            ("entries", counts.entries + ranges, stated.entries),
            ("deletions", counts.deletions + ranges, stated.deletions),
            ("merge operands", counts.merges, stated.merge_operands),
            ("range deletions", ranges, stated.range_deletions),
        ];
        for (what, counted, stated) in pairs {
            if stated.is_some_and(|stated| stated != counted) {
                let stated = stated.unwrap_or_default();
                let message =
                    format!("the properties count {stated} {what}, the blocks have {counted}");
                self.course.report(Problem::new(Severity::Error, self.table.name(), message));
            }
        }
    }
}
