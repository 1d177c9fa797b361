//! The bytes of one file, and which of them are durable.

use std::collections::BTreeMap;
use std::ops::Range;

/// The unit that a disk writes at once \[bytes\].
pub(super) const SECTOR_BYTES: usize = 512;

/// Current bytes, and the data to derive the durable ones from them.
///
/// ```text
/// 0 ......... durable_end ........ clean_end ........ len
///   durable*               lost               unsynced        (* except the old and lost sectors)
///
/// 0 ......... written_end ........ len
///   written               reserved: zeros
/// ```
///
/// `durable_end` and `clean_end` differ only after a sync that failed.
#[derive(Debug, Clone, Default)]
pub(super) struct Content {
    bytes: Vec<u8>,
    /// Where the next append goes.
    written_end: usize,
    durable_end: usize,
    clean_end: usize,
    /// Sectors below `clean_end` that were overwritten since the last sync, by index.
    old: BTreeMap<usize, Sector>,
    /// Sectors whose unsynced bytes a failed sync has dropped, by index.
    lost: BTreeMap<usize, Sector>,
}

/// The durable bytes of a sector whose current bytes differ in `changed`.
#[derive(Debug, Clone)]
struct Sector {
    bytes: Vec<u8>,
    changed: Range<usize>,
}

impl Content {
    /// A file that has all of `bytes` on disk.
    pub(super) fn durable(bytes: Vec<u8>) -> Self {
        let end = bytes.len();
        Self { bytes, written_end: end, durable_end: end, clean_end: end, ..Self::default() }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub(super) fn durable_len(&self) -> u64 {
        self.durable_end as u64
    }

    pub(super) fn append(&mut self, bytes: &[u8]) {
        if self.written_end < self.bytes.len() {
            // Into the reserved space, as far as it reaches.
            let _ = self.write_at(self.written_end as u64, bytes);
        } else {
            self.bytes.extend_from_slice(bytes);
            self.written_end = self.bytes.len();
        }
    }

    /// Gives the file the length `end`, but at least the written length. A file that gets shorter is so durably.
    pub(super) fn reserve(&mut self, end: usize) {
        let end = end.max(self.written_end);
        self.bytes.resize(end, 0);
        self.clean_end = self.clean_end.min(end);
        self.durable_end = self.durable_end.min(end);
        for sectors in [&mut self.old, &mut self.lost] {
            sectors.retain(|index, _| index * SECTOR_BYTES < end);
        }
    }

    /// Overwrites and extends; `None` when the end does not fit memory.
    pub(super) fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Option<()> {
        let start = usize::try_from(offset).ok()?;
        let end = start.checked_add(bytes.len()).filter(|end| isize::try_from(*end).is_ok())?;
        if bytes.is_empty() {
            return Some(()); // It extends nothing.
        }
        self.keep_old_sectors(start..end.min(self.clean_end));
        if self.bytes.len() < end {
            self.bytes.try_reserve(end - self.bytes.len()).ok()?;
            self.bytes.resize(end, 0);
        }
        self.bytes.get_mut(start..end)?.copy_from_slice(bytes);
        self.written_end = self.written_end.max(end);
        Some(())
    }

    /// Copies the bytes at `offset`; returns how much.
    pub(super) fn read_at(&self, offset: u64, buffer: &mut [u8]) -> usize {
        let rest = usize::try_from(offset).ok().and_then(|start| self.bytes.get(start..));
        let rest = rest.unwrap_or_default();
        let count = rest.len().min(buffer.len());
        if let (Some(target), Some(source)) = (buffer.get_mut(..count), rest.get(..count)) {
            target.copy_from_slice(source);
        }
        count
    }

    pub(super) fn sync(&mut self) {
        self.old.clear();
        self.clean_end = self.bytes.len();
        self.durable_end = self.clean_end;
    }

    /// Marks everything clean without making it durable.
    pub(super) fn drop_unsynced(&mut self) {
        self.lost.append(&mut self.old);
        for range in sectors(self.appended()) {
            let index = range.start / SECTOR_BYTES;
            let changed = range.start % SECTOR_BYTES..range.end - index * SECTOR_BYTES;
            let mut bytes = self.sector(index).to_vec();
            if let Some(dropped) = bytes.get_mut(changed.clone()) {
                dropped.fill(0);
            }
            let lost = self
                .lost
                .entry(index)
                .or_insert_with(|| Sector { bytes: Vec::new(), changed: changed.clone() });
            let known = lost.bytes.len().min(bytes.len());
            if let (Some(target), Some(source)) = (bytes.get_mut(..known), lost.bytes.get(..known))
            {
                target.copy_from_slice(source);
            }
            lost.bytes = bytes;
            lost.changed = hull(&lost.changed, &changed);
        }
        self.clean_end = self.bytes.len();
    }

    /// Damages one byte, also in its durable copy; `None` when there is none at `offset`.
    pub(super) fn corrupt(&mut self, offset: u64, mask: u8) -> Option<()> {
        let offset = usize::try_from(offset).ok()?;
        *self.bytes.get_mut(offset)? ^= mask;
        for sectors in [&mut self.old, &mut self.lost] {
            let sector = sectors.get_mut(&(offset / SECTOR_BYTES));
            if let Some(byte) =
                sector.and_then(|sector| sector.bytes.get_mut(offset % SECTOR_BYTES))
            {
                *byte ^= mask;
            }
        }
        Some(())
    }

    /// Cuts or extends the file; everything in it is durable afterwards.
    pub(super) fn truncate(&mut self, length: usize) {
        self.bytes.resize(length, 0);
        *self = Self::durable(std::mem::take(&mut self.bytes));
    }

    /// The bytes that every crash leaves.
    pub(super) fn durable_image(&self) -> Vec<u8> {
        let mut image = self.bytes.get(..self.durable_end).unwrap_or_default().to_vec();
        for (index, sector) in self.lost.iter().chain(&self.old) {
            let start = index * SECTOR_BYTES;
            let length = sector.changed.end.min(sector.bytes.len());
            for at in sector.changed.start..length {
                if let (Some(target), Some(byte)) =
                    (image.get_mut(start + at), sector.bytes.get(at))
                {
                    *target = *byte;
                }
            }
        }
        image
    }

    /// The ranges overwritten since the last sync, each inside one sector.
    pub(super) fn overwritten(&self) -> impl Iterator<Item = Range<usize>> {
        self.old.iter().map(|(index, sector)| {
            let start = index * SECTOR_BYTES;
            start + sector.changed.start..start + sector.changed.end
        })
    }

    /// The range appended since the last sync.
    pub(super) fn appended(&self) -> Range<usize> {
        self.clean_end..self.bytes.len()
    }

    /// Keeps the durable bytes of `range`, which is about to be overwritten.
    fn keep_old_sectors(&mut self, range: Range<usize>) {
        for part in sectors(range) {
            let index = part.start / SECTOR_BYTES;
            let start = index * SECTOR_BYTES;
            let changed = part.start - start..part.end - start;
            // Writing to a sector that was lost makes all of it reach the disk with the next sync.
            let lost = self.lost.remove(&index);
            let current = self.sector(index).to_vec();
            let old = self.old.entry(index).or_insert_with(|| {
                lost.unwrap_or_else(|| Sector { bytes: current, changed: changed.clone() })
            });
            old.changed = hull(&old.changed, &changed);
        }
    }

    fn sector(&self, index: usize) -> &[u8] {
        let start = index * SECTOR_BYTES;
        let end = self.bytes.len().min(start + SECTOR_BYTES);
        self.bytes.get(start..end).unwrap_or_default()
    }
}

/// Cuts `range` at the sector boundaries.
fn sectors(range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = range.start;
    std::iter::from_fn(move || {
        let next = range.end.min((start / SECTOR_BYTES + 1).saturating_mul(SECTOR_BYTES));
        let part = start..next;
        start = next;
        (part.start < part.end).then_some(part)
    })
}

fn hull(left: &Range<usize>, right: &Range<usize>) -> Range<usize> {
    left.start.min(right.start)..left.end.max(right.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_synced_bytes_are_durable() {
        let mut content = Content::default();
        content.append(b"one");
        content.sync();
        content.append(b"two");
        assert_eq!(content.durable_image(), b"one");
        assert_eq!(content.bytes(), b"onetwo");
    }

    #[test]
    fn an_overwrite_keeps_the_old_bytes_until_the_sync() {
        let mut content = Content::durable(vec![b'a'; 1024]);
        assert!(content.write_at(510, b"bbbb").is_some());
        assert!(content.write_at(100, b"c").is_some());
        assert_eq!(content.durable_image(), vec![b'a'; 1024]);
        assert_eq!(content.overwritten().collect::<Vec<_>>(), [100..512, 512..514]);
        content.sync();
        assert_eq!(content.durable_image(), content.bytes());
    }

    #[test]
    fn bytes_dropped_by_a_failed_sync_never_become_durable() {
        let mut content = Content::durable(b"keep".to_vec());
        assert!(content.write_at(0, b"K").is_some());
        content.append(b"lost");
        content.drop_unsynced();
        content.append(b"more");
        content.drop_unsynced();
        content.append(b"kept");
        assert_eq!(content.bytes(), b"Keeplostmorekept");
        assert_eq!(content.durable_image(), b"keep");
        content.sync();
        assert_eq!(content.durable_image(), b"keep\0\0\0\0\0\0\0\0kept");
        assert!(content.write_at(4, b"X").is_some());
        content.sync();
        assert_eq!(content.durable_image(), b"KeepXostmorekept");
    }

    #[test]
    fn a_write_that_ends_nowhere_is_refused() {
        let mut content = Content::default();
        assert!(content.write_at(u64::MAX, b"x").is_none());
        assert!(content.write_at(u64::MAX - 1, b"x").is_none());
        assert_eq!(content.len(), 0);
    }
}
