//! `CURRENT`: which manifest counts.
//!
//! ```text
//! slot 1 at 0, slot 2 at 4096, each of 4096 bytes; even epochs are written to slot 1, odd ones to slot 2
//!  0  magic "lvsc.cur"   8 bytes
//!  8  format version     u32
//! 12  epoch              u64
//! 20  manifest number    u64
//! 28  identity           16 bytes; zeros in format 1
//! 44  zeros              4048 bytes
//! 4092  checksum of 0..4092   u32
//! ```
//!
//! The slots are written in turn, so that a torn write spoils only the obsolete slot: no rename is
//! used, because some hosts have none. The valid slot with the highest epoch counts. The
//! checksum covers the zeros too, so every byte of the file is either checked or unused for now.

use crate::coding::{Reader, crc32};
use crate::flaw::{Flaws, pass};
use crate::identity::{IDENTITY_BYTES, Identity, mismatch};
use crate::limits::FILE_NUMBER_MAX;
use crate::storage::{FileName, FileNumber, Storage, read_exactly};
use crate::{Error, ErrorKind, Result};

/// Length of a slot \[bytes\]: file systems write that in one piece, if any length.
pub const SLOT_BYTES: usize = 4096;

/// First bytes of a slot.
pub(crate) const MAGIC: &[u8; 8] = b"lvsc.cur";

/// The format of slots with an identity.
pub(crate) const FORMAT_VERSION: u32 = 2;
/// That of older slots, which have none; it is read, and written only by tests.
pub(crate) const OLD_FORMAT_VERSION: u32 = 1;

/// Where the checksum of a slot stands, and the bytes that it covers \[bytes\].
pub(crate) const CHECKSUM_OFFSET: usize = SLOT_BYTES - 4;

/// Where the identity stands in a slot \[bytes\]; in format 1 the zeros begin here.
pub(crate) const IDENTITY_OFFSET: usize = 28;

/// One statement of which manifest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Number of the statement: 1, 2, 3 and so on.
    pub epoch: u64,
    /// The manifest that counts as of this epoch.
    pub manifest: FileNumber,
    /// The identity of the database; `None` in format 1.
    pub identity: Option<Identity>,
}

impl Slot {
    /// The slot that is written after this one.
    ///
    /// # Errors
    /// `Corruption`: only a forged epoch is the largest possible one.
    pub(crate) fn next(self, manifest: FileNumber) -> Result<Self> {
        let epoch = self.epoch.checked_add(1).ok_or_else(|| {
            let message = "its epoch is the largest that there is";
            Error::corruption(FileName::Current, slot_offset(self.epoch), message)
        })?;
        Ok(Self { epoch, manifest, ..self })
    }
}

/// The valid slots of `CURRENT`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Slots {
    /// The slot with the highest epoch. Without one nothing names a manifest; after a crash while a database
    /// was created that is to be expected, but then there is neither a log nor a table.
    pub(crate) newest: Option<Slot>,
    /// The other slot.
    pub(crate) previous: Option<Slot>,
}

impl Slots {
    /// The slots of a `CURRENT` with these bytes.
    ///
    /// # Errors
    /// Those of `flaws`, which hear of slots of a newer format and of another database.
    pub(crate) fn of(bytes: &[u8], flaws: &mut Flaws<'_>) -> Result<Self> {
        let even = pass(decode(bytes, 0), flaws)?.flatten();
        let odd = pass(decode(bytes, 1), flaws)?.flatten();
        let (newest, previous) = match (even, odd) {
            (Some(even), Some(odd)) if even.epoch < odd.epoch => (Some(odd), Some(even)),
            (Some(even), odd) => (Some(even), odd),
            (None, odd) => (odd, None),
        };
        if let (Some(newest), Some(previous)) = (newest, previous) {
            pass(require_one_identity(newest, previous), flaws)?;
        }
        Ok(Self { newest, previous })
    }
}

/// The bytes of `CURRENT`, no more than its slots and one; `None` when there is no such file.
///
/// # Errors
/// Those of the storage. A short read inside the file is a failure of the medium, not a missing slot.
pub(crate) fn read(storage: &dyn Storage) -> Result<Option<Vec<u8>>> {
    let file = match storage.open(FileName::Current) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let length = usize::try_from(file.len()?).unwrap_or(usize::MAX).min(2 * SLOT_BYTES + 1);
    read_exactly(&*file, FileName::Current, 0, length).map(Some)
}

/// Checks that both slots are of one database; the older one may be of the time before it had an identity.
///
/// # Errors
/// `Corruption` at the older slot.
fn require_one_identity(newest: Slot, previous: Slot) -> Result<()> {
    let differs = previous.identity.and_then(|older| mismatch(newest.identity, Some(older)));
    if differs.is_none() {
        return Ok(());
    }
    let message = "its two slots belong to different databases";
    Err(Error::corruption(FileName::Current, slot_offset(previous.epoch), message))
}

/// Writes `slot` to its place and makes it durable; the file is created at first use.
///
/// The manifest it names must be durable. Epochs must grow by one from call to call, else the slot that
/// still counts would be overwritten.
///
/// # Errors
/// `InvalidArgument` for epoch or manifest 0; those of the storage: `WouldBlock` has changed nothing,
/// after any other it is unknown which of the two slots counts.
pub(crate) fn write(storage: &dyn Storage, slot: Slot) -> Result<()> {
    if slot.epoch == 0 || !(1..=FILE_NUMBER_MAX).contains(&slot.manifest) {
        return Err(Error::invalid("CURRENT needs an epoch and a manifest number from 1 on"));
    }
    let encoded = encode(slot);
    let (file, created) = match storage.open(FileName::Current) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            (storage.create(FileName::Current)?, true)
        }
        opened => (opened?, false),
    };
    if created {
        // Both slots at once, so that the file has its full length from the beginning.
        let empty = vec![0; SLOT_BYTES];
        let both = if index(slot.epoch) == 0 { [encoded, empty] } else { [empty, encoded] };
        file.write_at(0, &both.concat())?;
    } else {
        file.write_at(slot_offset(slot.epoch), &encoded)?;
    }
    file.sync()?;
    if created {
        storage.sync_directory()?;
    }
    Ok(())
}

/// Where the slot of `epoch` begins \[bytes\].
pub(crate) fn slot_offset(epoch: u64) -> u64 {
    index(epoch) * SLOT_BYTES as u64
}

/// The index of the slot in which `epoch` stands: 0 of slot 1, 1 of slot 2.
fn index(epoch: u64) -> u64 {
    epoch & 1
}

fn encode(slot: Slot) -> Vec<u8> {
    let mut out = Vec::with_capacity(SLOT_BYTES);
    out.extend_from_slice(MAGIC);
    let version = if slot.identity.is_some() { FORMAT_VERSION } else { OLD_FORMAT_VERSION };
    out.extend_from_slice(&version.to_le_bytes());
    out.extend_from_slice(&slot.epoch.to_le_bytes());
    out.extend_from_slice(&slot.manifest.to_le_bytes());
    if let Some(identity) = slot.identity {
        out.extend_from_slice(&identity.bytes());
    }
    out.resize(CHECKSUM_OFFSET, 0);
    let checksum = crc32(&[&out]);
    out.extend_from_slice(&checksum.to_le_bytes());
    out
}

/// The slot with `index` (0 or 1) of a `CURRENT` with these bytes; `None` when it is not valid.
///
/// # Errors
/// `UnsupportedFormat` when the slot is as it was written, but by a newer version.
pub fn decode(bytes: &[u8], index: u64) -> Result<Option<Slot>> {
    let start = if index == 0 { 0 } else { SLOT_BYTES };
    let Some(slot) = bytes.get(start..).and_then(|rest| rest.first_chunk::<SLOT_BYTES>()) else {
        return Ok(None);
    };
    let (covered, checksum) = slot.split_at(CHECKSUM_OFFSET);
    let mut reader = Reader::new(covered);
    if reader.bytes(MAGIC.len()) != Some(MAGIC.as_slice())
        || checksum != crc32(&[covered]).to_le_bytes()
    {
        return Ok(None);
    }
    let version = reader.u32();
    if version != Some(FORMAT_VERSION) && version != Some(OLD_FORMAT_VERSION) {
        return Err(Error::in_file(
            ErrorKind::UnsupportedFormat,
            FileName::Current,
            "this database was written by a newer version: use that version",
        ));
    }
    let (Some(epoch), Some(manifest)) = (reader.u64(), reader.u64()) else { return Ok(None) };
    // The last number is never used: there must always be a next epoch.
    let placed = (1..u64::MAX).contains(&epoch) && self::index(epoch) == index;
    let named = (1..=FILE_NUMBER_MAX).contains(&manifest);
    let identity = reader.bytes(IDENTITY_BYTES).filter(|_| version == Some(FORMAT_VERSION));
    let identity = identity.and_then(Identity::decode);
    Ok((placed && named).then_some(Slot { epoch, manifest, identity }))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::flaw::strict;
    use crate::storage::{Crash, MemoryStorage};

    const IDENTITY: Option<Identity> = Some(MemoryStorage::IDENTITY);
    const FIRST: Slot = Slot { epoch: 1, manifest: 4, identity: IDENTITY };
    const SECOND: Slot = Slot { epoch: 2, manifest: 9, identity: IDENTITY };
    const THIRD: Slot = Slot { epoch: 3, manifest: 12, identity: IDENTITY };

    fn written(slots: &[Slot]) -> MemoryStorage {
        let storage = MemoryStorage::new();
        for slot in slots {
            write(&storage, *slot).unwrap();
        }
        storage
    }

    fn bytes(slots: &[Slot]) -> Vec<u8> {
        written(slots).read(FileName::Current).unwrap()
    }

    fn slots(newest: Slot, previous: Option<Slot>) -> Slots {
        Slots { newest: Some(newest), previous }
    }

    fn state(bytes: &[u8]) -> Result<Slots> {
        Slots::of(bytes, &mut strict)
    }

    fn read(storage: &MemoryStorage) -> Result<Slots> {
        state(&super::read(storage)?.unwrap_or_default())
    }

    /// The file that docs/FORMAT.md shows.
    pub(crate) fn example() -> Vec<u8> {
        bytes(&[FIRST])
    }

    #[test]
    fn the_documented_example_is_what_is_written() {
        assert_eq!(crate::wal::tests::documented("CURRENT"), example());
    }

    #[test]
    fn the_newest_epoch_counts() {
        assert_eq!(read(&MemoryStorage::new()).unwrap(), Slots::default());
        assert_eq!(read(&written(&[FIRST])).unwrap(), slots(FIRST, None));
        assert_eq!(read(&written(&[SECOND])).unwrap(), slots(SECOND, None));
        assert_eq!(read(&written(&[FIRST, SECOND])).unwrap(), slots(SECOND, Some(FIRST)));
        let three = written(&[FIRST, SECOND, THIRD]);
        assert_eq!(read(&three).unwrap(), slots(THIRD, Some(SECOND)));
        assert_eq!(three.read(FileName::Current).unwrap().len(), 2 * SLOT_BYTES);
        for wrong in [Slot { epoch: 0, ..FIRST }, Slot { manifest: 0, ..FIRST }] {
            let error = write(&three, wrong).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        }
    }

    #[test]
    fn a_flipped_byte_spoils_one_slot_only() {
        let good = bytes(&[FIRST, SECOND]);
        for at in 0..good.len() {
            let mut damaged = good.clone();
            damaged[at] ^= 1 << (at % 8);
            let expected = if at < SLOT_BYTES { slots(FIRST, None) } else { slots(SECOND, None) };
            assert_eq!(state(&damaged).unwrap(), expected, "byte {at}");
        }
    }

    #[test]
    fn a_write_torn_anywhere_leaves_the_old_slot() {
        let (old, new) = (bytes(&[FIRST, SECOND]), bytes(&[FIRST, SECOND, THIRD]));
        for cut in 0..=SLOT_BYTES {
            let mut head = old.clone();
            head[SLOT_BYTES..SLOT_BYTES + cut].copy_from_slice(&new[SLOT_BYTES..SLOT_BYTES + cut]);
            let mut tail = new.clone();
            tail[SLOT_BYTES..SLOT_BYTES + cut].copy_from_slice(&old[SLOT_BYTES..SLOT_BYTES + cut]);
            for torn in [head, tail] {
                let found = state(&torn).unwrap();
                assert!(
                    found == slots(SECOND, Some(FIRST))
                        || found == slots(SECOND, None)
                        || found == slots(THIRD, Some(SECOND)),
                    "cut at {cut}: {found:?}"
                );
            }
        }
    }

    #[test]
    fn a_crash_leaves_the_old_or_the_new_slot() {
        for seed in 0..300 {
            let storage = written(&[FIRST, SECOND]);
            let file = storage.open(FileName::Current).unwrap();
            file.write_at(slot_offset(THIRD.epoch), &encode(THIRD)).unwrap();
            let newest = read(&storage.crash_image(Crash::Random(seed))).unwrap().newest;
            assert!(newest == Some(SECOND) || newest == Some(THIRD), "seed {seed}: {newest:?}");
        }
    }

    #[test]
    fn a_cut_file_has_the_slots_that_are_whole() {
        let good = bytes(&[FIRST, SECOND]);
        for cut in 0..=good.len() {
            let expected = match cut {
                ..SLOT_BYTES => Slots::default(),
                _ if cut < good.len() => slots(SECOND, None),
                _ => slots(SECOND, Some(FIRST)),
            };
            assert_eq!(state(&good[..cut]).unwrap(), expected, "cut to {cut}");
        }
    }

    /// A slot with any fields, at any place, with the right checksum.
    fn forged(change: impl FnOnce(&mut [u8]), index: usize) -> Vec<u8> {
        let mut slot = encode(SECOND);
        change(&mut slot);
        let checksum = crc32(&[&slot[..CHECKSUM_OFFSET]]);
        slot[CHECKSUM_OFFSET..].copy_from_slice(&checksum.to_le_bytes());
        let mut file = vec![0; index * SLOT_BYTES];
        file.extend_from_slice(&slot);
        file
    }

    #[test]
    fn impossible_slots_are_not_valid() {
        assert_eq!(state(&forged(|_| {}, 0)).unwrap(), slots(SECOND, None));
        assert_eq!(state(&forged(|_| {}, 1)).unwrap(), Slots::default());
        assert_eq!(state(&forged(|slot| slot[12] = 0, 0)).unwrap(), Slots::default());
        assert_eq!(state(&forged(|slot| slot[20] = 0, 0)).unwrap(), Slots::default());
        assert_eq!(state(&forged(|slot| slot[27] = 1, 0)).unwrap(), Slots::default());
        assert_eq!(state(&forged(|slot| slot[0] = 0, 0)).unwrap(), Slots::default());
        let newer = state(&forged(|slot| slot[8] = 3, 0)).unwrap_err();
        assert_eq!(newer.kind(), ErrorKind::UnsupportedFormat);
    }

    #[test]
    fn slots_of_two_databases_are_reported_and_older_ones_have_no_identity() {
        let older = Slot { identity: None, ..FIRST };
        assert_eq!(read(&written(&[older, SECOND])).unwrap(), slots(SECOND, Some(older)));
        let other = Slot { identity: Some(Identity::from_bytes([1; 16])), ..FIRST };
        let error = read(&written(&[other, SECOND])).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Corruption, Some(4096)), "{error}");
    }
}
