//! The lock of a database directory: held by one program, freed by the system when that program dies.
//!
//! The file `LOCK` is locked, which every program can do that asks the system for locks on files. A runtime such
//! as Node cannot. On Linux the holder therefore also takes names for sockets, made from the device and the
//! inode of the file: such names vanish with their program, too, and both kinds of programs see them. They do
//! not reach into another network namespace, such as that of a container.
#![expect(
    clippy::disallowed_types,
    reason = "a file of storage/native.rs, which touches the file system"
)]

use super::LockGuard;
use crate::{Error, ErrorKind, Result};
use std::fs::{File, TryLockError};
use std::io;

/// What holds the lock. None is held of a directory without a lock file that may only be read.
#[derive(Debug, Default)]
pub(super) struct NativeLock {
    _file: Option<File>,
    #[cfg(target_os = "linux")]
    _names: Vec<std::os::unix::net::UnixListener>,
}

impl LockGuard for NativeLock {}

impl NativeLock {
    /// Locks the open file `LOCK`.
    ///
    /// # Errors
    /// `Locked` when another handle or program holds it; `Io` with what `failed` makes of the system's error.
    pub(super) fn take(file: File, failed: impl Fn(io::Error) -> Error) -> Result<Self> {
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(locked()),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        Ok(Self {
            #[cfg(target_os = "linux")]
            _names: take_names(&file)?,
            _file: Some(file),
        })
    }
}

/// Length of the longest name of a socket \[bytes\].
#[cfg(target_os = "linux")]
const NAME_BYTES: usize = 107;

/// Takes the names for sockets, as far as the system gives sockets. There are two because some runtimes make
/// short names longer, and others cannot have the longest one.
#[cfg(target_os = "linux")]
fn take_names(file: &File) -> Result<Vec<std::os::unix::net::UnixListener>> {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::net::{SocketAddr, UnixListener};

    let Ok(metadata) = file.metadata() else { return Ok(Vec::new()) };
    let short = format!("levelscope-{:x}-{:x}-", metadata.dev(), metadata.ino());
    let long = format!("{short:.<NAME_BYTES$}");
    let mut held = Vec::new();
    for name in [short, long] {
        let taken = SocketAddr::from_abstract_name(name)
            .and_then(|address| UnixListener::bind_addr(&address));
        match taken {
            Ok(name) => held.push(name),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => return Err(locked()),
            // The lock on the file is held all the same.
            Err(_) => {}
        }
    }
    Ok(held)
}

fn locked() -> Error {
    let message = "this database is open already, perhaps in another program; close it there first";
    Error::new(ErrorKind::Locked, message)
}
