//! Stored blocks: read from the file, checked and decompressed.

use super::block::{Block, Damage};
use super::format::{Handle, fresh, unseal, unseal_into};
use super::spare;
use crate::filter::Filter;
use crate::storage::{File, FileName, read_exactly, read_full};
use crate::{Error, Result};
use std::cell::RefCell;

/// The error for damage in the (decompressed) block that is stored at `offset`.
pub fn corrupt(name: FileName, offset: u64, damage: Damage) -> Error {
    let message = format!("{} (at byte {} of the decoded block)", damage.what, damage.at);
    Error::corruption(name, offset, message)
}

/// Blocks up to this stored length \[bytes\] are read into memory that is used again.
const SCRATCH_BYTES: usize = 64 << 10;

thread_local! {
    /// Where blocks are read before they are decompressed.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The decompressed bytes of the block at `handle`, in memory that `take` gives.
fn read_sealed(
    file: &dyn File,
    name: FileName,
    handle: Handle,
    take: fn(usize) -> Vec<u8>,
) -> Result<Vec<u8>> {
    let bytes = handle.sealed_bytes().ok_or_else(|| {
        Error::corruption(name, handle.offset, "a block is larger than a block can be")
    })?;
    let damaged = |what| Error::corruption(name, handle.offset, what);
    if bytes > SCRATCH_BYTES {
        // A forged length must not get more memory than the file has bytes.
        let length = file.len()?;
        if handle.offset.checked_add(bytes as u64).is_none_or(|end| end > length) {
            return Err(damaged("the block ends after the end of the file"));
        }
        let sealed = read_exactly(file, name, handle.offset, bytes)?;
        return unseal(sealed).map_err(damaged);
    }
    // Taken out while it is used: storage that looks into tables itself finds an empty one.
    let mut scratch = SCRATCH.take();
    if scratch.len() < bytes {
        scratch.resize(bytes, 0);
    }
    let place = scratch.get_mut(..bytes).unwrap_or_default();
    let unsealed = read_full(file, name, handle.offset, place)
        .and_then(|()| unseal_into(place, take).map_err(damaged));
    SCRATCH.set(scratch);
    unsealed
}

/// A block that is kept as long as its table is open.
pub fn read_block(file: &dyn File, name: FileName, handle: Handle) -> Result<Block> {
    Block::new(read_sealed(file, name, handle, fresh)?)
        .map_err(|damage| corrupt(name, handle.offset, damage))
}

/// An index block, which has no entry in a table without data blocks.
pub(super) fn read_index_block(file: &dyn File, name: FileName, handle: Handle) -> Result<Block> {
    Block::new_or_empty(read_sealed(file, name, handle, fresh)?)
        .map_err(|damage| corrupt(name, handle.offset, damage))
}

/// A data block, of which many come and go.
pub fn read_data_block(file: &dyn File, name: FileName, handle: Handle) -> Result<Block> {
    Block::new(read_sealed(file, name, handle, spare::take)?)
        .map_err(|damage| corrupt(name, handle.offset, damage))
}

/// The data block that is `sealed`.
pub(super) fn unseal_data_block(sealed: &[u8], name: FileName, handle: Handle) -> Result<Block> {
    let bytes = unseal_into(sealed, spare::take)
        .map_err(|what| Error::corruption(name, handle.offset, what))?;
    Block::new(bytes).map_err(|damage| corrupt(name, handle.offset, damage))
}

/// Reads the filter at `handle`.
///
/// # Errors
/// `Corruption` with the offset, and those of reading.
pub fn read_filter(file: &dyn File, name: FileName, handle: Handle) -> Result<Filter> {
    Filter::decode(read_sealed(file, name, handle, fresh)?)
        .ok_or_else(|| Error::corruption(name, handle.offset, "the filter is malformed"))
}
