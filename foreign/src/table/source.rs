//! Reads the blocks of one table and compares their checksums.

use super::footer::Footer;
use crate::checksum::{Checksum, agree, context};
use crate::compression::{self, BLOCK_BYTES_MAX, Form};
use crate::entry::BlockHandle;
use crate::{Error, Files, Result};
use std::borrow::Cow;

/// Bytes after each block: number of the compression, checksum.
pub const TRAILER_BYTES: u64 = 5;
/// The same as a length in memory.
pub(crate) const TRAILER: usize = 5;

/// The end of the name of the property that holds the sequence number of an ingested table; its value, a u64, follows
/// in the block. The prefix shared with the name before it may be missing.
const GLOBAL_SEQUENCE: &[u8] = b"_file.global_seqno";

/// The file of a table, with everything that is needed to read its blocks.
pub struct Source<'f> {
    files: &'f dyn Files,
    name: String,
    /// Offset of the footer: blocks end before it.
    end: u64,
    checksum: Checksum,
    base: u32,
    form: Form,
}

/// The stored bytes of a block, verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredBlock {
    /// Without the trailer.
    pub bytes: Vec<u8>,
    /// Number of the compression.
    pub compression: u8,
}

impl<'f> Source<'f> {
    /// The blocks of a table with this footer.
    pub(crate) fn new(files: &'f dyn Files, name: &str, footer: &Footer) -> Self {
        let form = match (footer.leveldb, footer.version) {
            (true, _) => Form::LevelDb,
            (false, 0 | 1) => Form::RocksDbOld,
            _ => Form::RocksDb,
        };
        Self {
            files,
            name: name.to_owned(),
            end: footer.offset,
            checksum: footer.checksum,
            base: footer.base,
            form,
        }
    }

    /// The blocks of a file of another layout, which end before `end` and have checksums without context.
    pub(crate) fn of_blocks(
        files: &'f dyn Files,
        name: &str,
        end: u64,
        checksum: Checksum,
        form: Form,
    ) -> Self {
        Self { files, name: name.to_owned(), end, checksum, base: 0, form }
    }

    /// Numbering of compressions.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The largest end of a block.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The `length` bytes at `offset`, which need not be a block.
    ///
    /// # Errors
    /// Those of [`Files::read`].
    pub(super) fn bytes(&self, offset: u64, length: usize) -> Result<Vec<u8>> {
        self.files.read(&self.name, offset, length)
    }

    /// Fills `buffer` with the `length` bytes at `offset`, so that one buffer serves many reads.
    pub(super) fn fill(&self, offset: u64, length: usize, buffer: &mut Vec<u8>) -> Result<()> {
        buffer.resize(length, 0);
        let read = self.files.read_at(&self.name, offset, buffer)?;
        if read == length {
            return Ok(());
        }
        buffer.truncate(read);
        let message = format!("{length} bytes are expected here, {read} could be read");
        Err(Error::damaged(offset, message))
    }

    /// Bytes of a block with its trailer, if it lies before the footer and is not too large.
    ///
    /// # Errors
    /// `Damaged` when it does not lie before the footer, `NotRead` when it is too large.
    pub fn extent(&self, handle: BlockHandle) -> Result<usize> {
        let with_trailer = handle.bytes.checked_add(TRAILER_BYTES);
        let end = with_trailer.and_then(|bytes| handle.offset.checked_add(bytes));
        let (Some(bytes), Some(end)) = (with_trailer, end) else {
            return Err(outside(handle, self.end));
        };
        if end > self.end {
            return Err(outside(handle, self.end));
        }
        match usize::try_from(bytes) {
            Ok(bytes) if bytes <= BLOCK_BYTES_MAX => Ok(bytes),
            _ => {
                let message = format!(
                    "not read: a block of {} bytes, the limit is {BLOCK_BYTES_MAX}",
                    handle.bytes
                );
                Err(Error::not_read(message).at(handle.offset))
            }
        }
    }

    /// Reads a block and compares its checksum.
    ///
    /// # Errors
    /// Those of [`Source::extent`] and of the files, `Damaged` when the checksum is wrong.
    pub fn read(&self, handle: BlockHandle) -> Result<StoredBlock> {
        let extent = self.extent(handle)?;
        let mut bytes = self.bytes(handle.offset, extent)?;
        let compression = self.verify(handle, &bytes)?;
        bytes.truncate(extent.saturating_sub(TRAILER));
        Ok(StoredBlock { bytes, compression })
    }

    /// Compares the checksum of `bytes`, a block with its trailer, and returns the number of the compression.
    ///
    /// # Errors
    /// `Damaged` at the block when it is wrong.
    pub fn verify(&self, handle: BlockHandle, bytes: &[u8]) -> Result<u8> {
        let Some((both, stored)) = bytes.split_last_chunk::<4>() else {
            return Err(Error::damaged(handle.offset, "the block has no trailer"));
        };
        let compression = both.last().copied().unwrap_or_default();
        let stored = u32::from_le_bytes(*stored);
        let counted = self.right_sum(handle, both, stored);
        if agree(counted, stored) {
            return Ok(compression);
        }
        let message = format!(
            "the block of {} bytes has a wrong {} checksum: {stored:08x} is stored, its bytes give {counted:08x}",
            handle.bytes,
            self.checksum.word()
        );
        Err(Error::damaged(handle.offset, message))
    }

    /// Whether blocks have a checksum.
    pub(crate) fn has_checksum(&self) -> bool {
        self.checksum != Checksum::None
    }

    /// The checksum that `both`, the block at `handle` and the number of its compression, should have, when `stored` is
    /// the one that it has.
    pub(crate) fn right_sum(&self, handle: BlockHandle, both: &[u8], stored: u32) -> u32 {
        let counted = self.sum(handle, both);
        if agree(counted, stored) {
            return counted;
        }
        let before = self.sum_before_ingestion(handle, both);
        before.filter(|before| agree(*before, stored)).unwrap_or(counted)
    }

    /// The checksum of a block of properties before an ingestion wrote its sequence number into it: `RocksDB` does that
    /// when `write_global_seqno` is set, and leaves the checksum as it was with zeros in that place.
    fn sum_before_ingestion(&self, handle: BlockHandle, both: &[u8]) -> Option<u32> {
        let found = both.windows(GLOBAL_SEQUENCE.len()).position(|part| part == GLOBAL_SEQUENCE)?;
        let number = found + GLOBAL_SEQUENCE.len();
        let mut before = both.to_vec();
        before.get_mut(number..number + size_of::<u64>())?.fill(0);
        Some(self.sum(handle, &before))
    }

    /// The checksum of `both`, the block at `handle` and the number of its compression.
    fn sum(&self, handle: BlockHandle, both: &[u8]) -> u32 {
        self.checksum.of(both).wrapping_add(context(self.base, handle.offset))
    }

    /// Decompresses a block that lies at `handle`.
    ///
    /// # Errors
    /// `NotRead` when its compression is not supported, `Damaged` when it does not decompress.
    pub fn decompress<'a>(
        &self,
        handle: BlockHandle,
        compression: u8,
        bytes: &'a [u8],
        dictionary: &[u8],
    ) -> Result<Cow<'a, [u8]>> {
        let bytes = compression::decompress(self.form, compression, bytes, dictionary);
        bytes.map_err(|error| error.shifted(handle.offset).at(handle.offset))
    }
}

fn outside(handle: BlockHandle, end: u64) -> Error {
    let message = format!(
        "a block of {} bytes at offset {} would reach over the footer at {end}",
        handle.bytes, handle.offset
    );
    Error::damaged(handle.offset.min(end), message)
}
