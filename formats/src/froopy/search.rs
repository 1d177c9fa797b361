//! Searches a table for a version of a key.

use super::stamped;
use super::table::{FilterState, Item, Table};
use crate::trail::passed;
use crate::{Entry, halve};
use levelscope::Result;
use levelscope::internals::probe::{Among, NoProbe, Probe};

impl<'a> Table<'a> {
    /// The newest version of `key` that is not newer than `time`, which may be a tombstone.
    ///
    /// # Errors
    /// `Corruption` with the offset, when its value is damaged.
    pub fn get(&self, key: &[u8], time: u64) -> Result<Option<Entry<'a>>> {
        self.search(key, time, self.sorted, &mut NoProbe)
    }

    /// As [`Table::get`]; `binary` needs a table in order.
    pub(super) fn search<P: Probe>(
        &self,
        key: &[u8],
        time: u64,
        binary: bool,
        probe: &mut P,
    ) -> Result<Option<Entry<'a>>> {
        let frame = &self.frame;
        let access = |probe: &mut P, what, from: usize, to: usize| {
            probe.access(what, from as u64, to.saturating_sub(from) as u64);
        };
        access(probe, "metadata", frame.metadata_at(), frame.file.len());
        if self.filter == FilterState::Good {
            access(probe, "filter", frame.filter_at, frame.metadata_at());
            if !frame.filter().may_contain(key) {
                return Ok(None);
            }
        }
        access(probe, "index", frame.items_at, frame.filter_at);
        let found =
            if binary { self.binary(key, time, probe)? } else { self.walk(key, time, probe)? };
        let Some(item) = found else { return Ok(None) };
        let (_, end) = frame.stored(item.value_at)?;
        access(probe, "value", item.value_at, end);
        frame.entry(&item).map(Some)
    }

    /// The last item that is not after key and time. Longer keys that begin with `key` may lie between
    /// its versions.
    fn binary<P: Probe>(&self, key: &[u8], time: u64, probe: &mut P) -> Result<Option<Item<'a>>> {
        let (first, last) = (stamped(key, 0), stamped(key, time));
        let item = |index| self.frame.item(self.frame.start(index)?);
        let key_at = |index| Ok(item(index)?.stamped);
        let mut index =
            halve(Among::Entries, self.frame.keys, key_at, |found| found <= &last[..], probe)?;
        while let Some(before) = index.checked_sub(1) {
            index = before;
            let item = item(index)?;
            probe.comparison();
            if item.key == key {
                return Ok(Some(item));
            }
            if item.stamped < &first[..] {
                break;
            }
        }
        Ok(None)
    }

    /// The newest of all items with this key that are not too new.
    fn walk<P: Probe>(&self, key: &[u8], time: u64, probe: &mut P) -> Result<Option<Item<'a>>> {
        let (mut at, mut newest) = (self.frame.items_at, None::<Item<'a>>);
        for _ in 0..self.frame.keys {
            let item = self.frame.item(at)?;
            at = item.next;
            probe.comparison();
            let is_it = item.key == key && item.stamp <= time;
            probe.walked(|| passed(item.at, item.key, item.stamp, is_it));
            if is_it && newest.is_none_or(|newest| newest.stamp <= item.stamp) {
                newest = Some(item);
            }
        }
        Ok(newest)
    }
}
