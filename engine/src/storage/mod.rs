//! Where bytes live: two small traits for the only effects of the engine.
//!
//! Contract, the same for every implementation and checked by one conformance suite
//! (`testing::conformance`, of the feature `testing`):
//!
//! - A directory is flat and holds files named by [`FileName`]; foreign names may lie beside them.
//! - Bytes appended are visible to `read_at` at once, on every handle of the file, and are *durable*
//!   only after [`File::sync`] returned `Ok`. A file *created or deleted* is durably so only after
//!   [`Storage::sync_directory`] returned `Ok`.
//! - An append is all or nothing as far as the caller may rely on it: after an error the file may end
//!   in any part of the bytes, and the caller must not append to it again.
//! - After a failed `sync`, it is unknown which bytes are durable. A failed sync is never retried.
//! - Calls never block on anything but the medium. A host that can open files only asynchronously
//!   answers [`crate::ErrorKind::WouldBlock`] from `create`, `open`, `prepare` and `read_at`, having
//!   changed nothing; it then opens the file and the engine calls again.

mod memory;
mod name;
#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(not(target_arch = "wasm32"))]
mod native_directory;
#[cfg(not(target_arch = "wasm32"))]
mod native_lock;
#[cfg(not(target_arch = "wasm32"))]
mod native_process;
mod part;

#[cfg(any(test, feature = "testing"))]
pub mod blocking;
#[cfg(any(test, feature = "testing"))]
pub mod fault;
#[cfg(any(test, feature = "testing"))]
pub mod trace;

pub use memory::{Crash, MemoryStorage, Random};
pub use name::{FileName, FileNumber};
#[cfg(not(target_arch = "wasm32"))]
pub use native::NativeStorage;
#[doc(hidden)]
pub use part::FilePart;

use crate::identity::Identity;
use crate::text;
use crate::{Error, ErrorKind, Result};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A flat directory of database files.
pub trait Storage: Send + Sync + fmt::Debug {
    /// Creates `name`, empty, for reading and writing.
    ///
    /// # Errors
    /// `InvalidArgument` when the file exists already; `OutOfSpace`, `Io`; `WouldBlock`.
    fn create(&self, name: FileName) -> Result<Arc<dyn File>>;

    /// Opens an existing file for reading; [`FileName::Current`] also for `write_at`, and
    /// [`FileName::Other`] also for `append` and `truncate`.
    ///
    /// # Errors
    /// `NotFound`; `Io`; `WouldBlock`.
    fn open(&self, name: FileName) -> Result<Arc<dyn File>>;

    /// Removes `name`. Handles that are still open keep reading the removed bytes.
    ///
    /// # Errors
    /// `NotFound`; `Io`.
    fn delete(&self, name: FileName) -> Result<()>;

    /// The names in the directory, foreign ones included, sorted bytewise.
    ///
    /// # Errors
    /// `Io`.
    fn list(&self) -> Result<Vec<String>>;

    /// Makes every creation and deletion so far durable.
    ///
    /// # Errors
    /// `Io`, `OutOfSpace`.
    fn sync_directory(&self) -> Result<()>;

    /// Takes the database for this process (tab); released when the guard is dropped.
    ///
    /// # Errors
    /// `Locked` when another process (tab) has it.
    fn lock(&self) -> Result<Box<dyn LockGuard>>;

    /// The identity of a database that is created here, the same at every call; an older database without
    /// one gets it at its next opening.
    ///
    /// Storage that outlives the program gives a random one, so that no two databases share it. Storage that
    /// is compared, or replayed, gives one that is known.
    fn identity(&self) -> Identity;

    /// Whether a database in it has background threads unless its options choose otherwise
    /// ([`Maintenance::Auto`](crate::Maintenance::Auto)). Calls then come from several threads at once, in an order
    /// that differs each time. By default it has none.
    fn has_threads(&self) -> bool {
        false
    }

    /// Makes sure that a later `create(name)` cannot answer `WouldBlock`.
    ///
    /// The engine calls it before the first step of an operation that must not stop in the middle.
    /// Hosts that open synchronously have nothing to do.
    ///
    /// # Errors
    /// `WouldBlock`.
    fn prepare(&self, name: FileName) -> Result<()> {
        let _ = name;
        Ok(())
    }

    /// Gives the file `name` a second name in `into`, the same one, without copying its bytes; `false` when that is not
    /// possible: the caller copies the bytes then.
    ///
    /// Only tables are linked: no file that is written to later. The new name is durable after
    /// [`Storage::sync_directory`] of `into`. By default it is not possible.
    ///
    /// # Errors
    /// `InvalidArgument` when `into` has the file already.
    fn link(&self, name: FileName, into: &dyn Storage) -> Result<bool> {
        let _ = (name, into);
        Ok(false)
    }

    /// Whether bytes reach the medium file by file in the order in which they were synced. Where they gather and are
    /// written later in an order of the storage, a manifest cannot record where a log ended: it may be written first.
    fn writes_in_order(&self) -> bool {
        true
    }

    /// How many files the program may have open at once; `None`: no limit is known. The engine keeps at most half as
    /// many tables open, so that logs, new tables and the rest of the program find room.
    // Decision 61.
    fn open_files_max(&self) -> Option<usize> {
        None
    }

    /// The directory of the operating system that holds the files; `None` for storage of another kind.
    fn directory(&self) -> Option<&Path> {
        None
    }
}

/// One open file. All methods take `&self`; one writer at a time is the engine's own rule.
pub trait File: Send + Sync + fmt::Debug {
    /// Appends all of `bytes`.
    ///
    /// # Errors
    /// `OutOfSpace`, `Io`. Afterwards the file may end in any part of `bytes`. `InvalidArgument` when
    /// the file was opened for reading.
    fn append(&self, bytes: &[u8]) -> Result<()>;

    /// Overwrites `bytes` at `offset` \[bytes\], extending the file when needed. Only `CURRENT` uses it.
    ///
    /// # Errors
    /// `OutOfSpace`, `Io`. Afterwards the range may hold any mixture of old and new bytes.
    /// `InvalidArgument` when the file was opened for reading.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()>;

    /// A hint: the next appends will end at about `end` \[bytes\].
    ///
    /// A storage on which growing a file makes syncs slow sets the file to that length now, with zeros after
    /// the appended bytes; the next append still follows the last appended byte. An `end` before the end of
    /// the file releases the rest. A storage may ignore the hint; this is no error.
    fn reserve(&self, end: u64) {
        let _ = end;
    }

    /// Cuts the file to `length` \[bytes\]. The engine never does this: its files only grow.
    ///
    /// # Errors
    /// `Io`; `InvalidArgument` when the file was opened for reading, and on storage that cannot.
    fn truncate(&self, length: u64) -> Result<()> {
        let _ = length;
        Err(Error::invalid("this storage cannot make files shorter"))
    }

    /// Fills `buffer` from `offset` \[bytes\]; returns fewer bytes only at the end of the file.
    ///
    /// # Errors
    /// `Io`; `WouldBlock`.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize>;

    /// Makes everything appended or written so far durable, through whichever handle it was written.
    ///
    /// # Errors
    /// `Io`, `OutOfSpace`. Never call it again afterwards: the caller must stop writing.
    fn sync(&self) -> Result<()>;

    /// Length of the file \[bytes\].
    ///
    /// # Errors
    /// `Io`.
    fn len(&self) -> Result<u64>;

    /// Whether the file has no bytes.
    ///
    /// # Errors
    /// `Io`.
    fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }
}

/// Holds the database lock until it is dropped.
pub trait LockGuard: Send + Sync + fmt::Debug {}

/// Reads exactly `length` bytes at `offset`; a short read inside the known length is an error.
///
/// # Errors
/// `Corruption` when the file ends too early; whatever `read_at` returns.
pub fn read_exactly(
    file: &dyn File,
    name: FileName,
    offset: u64,
    length: usize,
) -> Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    read_full(file, name, offset, &mut bytes)?;
    Ok(bytes)
}

/// How often a file may become shorter while it is read, before that is an error.
const CUTS_MAX: usize = 8;

/// All bytes of `file`, as long as it is while they are read.
///
/// A log becomes shorter when it is rotated, because the space that was reserved for it is given up. So a
/// read that ends early is only an error when the file has still the length that it had before.
///
/// # Errors
/// `Corruption` when fewer bytes can be read than the file has; `Io` when it does not fit the memory;
/// whatever `len` and `read_at` return.
pub fn read_whole(file: &dyn File, name: FileName) -> Result<Vec<u8>> {
    read_at_most(file, name, 0, u64::MAX)
}

/// As [`read_whole`], but only from `offset` on and at most `count` bytes: fewer at the end of the file.
///
/// # Errors
/// As [`read_whole`].
pub fn read_at_most(file: &dyn File, name: FileName, offset: u64, count: u64) -> Result<Vec<u8>> {
    let mut length = file.len()?;
    let mut bytes = Vec::new();
    for _ in 0..CUTS_MAX {
        let wanted = count.min(length.saturating_sub(offset));
        let too_large = || {
            let message = format!("{} of this file do not fit into memory", text::bytes(wanted));
            Error::in_file(ErrorKind::Io, name, message)
        };
        let wanted = usize::try_from(wanted).map_err(|_| too_large())?;
        bytes.try_reserve_exact(wanted.saturating_sub(bytes.len())).map_err(|_| too_large())?;
        bytes.resize(wanted, 0);
        let read = file.read_at(offset, &mut bytes)?;
        if read == wanted {
            return Ok(bytes);
        }
        let before = std::mem::replace(&mut length, file.len()?);
        if length >= before {
            let end = offset.saturating_add(read as u64);
            let message = format!(
                "the file has {}, but only {} could be read",
                text::bytes(length),
                text::count(end)
            );
            return Err(Error::corruption(name, end, message));
        }
    }
    let message = "the file became shorter again and again while it was read: try again later";
    Err(Error::in_file(ErrorKind::Io, name, message))
}

/// Fills `buffer` from `offset` \[bytes\]; a short read inside the known length is an error.
///
/// # Errors
/// As [`read_exactly`].
pub(crate) fn read_full(
    file: &dyn File,
    name: FileName,
    offset: u64,
    buffer: &mut [u8],
) -> Result<()> {
    let (count, length) = (file.read_at(offset, buffer)?, buffer.len());
    if count == length {
        return Ok(());
    }
    Err(Error::corruption(
        name,
        offset,
        format!(
            "{} should be here, but only {} could be read",
            text::bytes(length),
            text::count(count as u64)
        ),
    ))
}
