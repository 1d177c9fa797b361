//! The lock of a database directory: an exclusive `flock` on the file `LOCK`, freed by the system when its holder dies.
//!
//! A program in Node that finds no means to lock a file holds a lease instead, which is text in `LOCK` (decision 74).
//! Such programs exist on Linux only.
#![expect(
    clippy::disallowed_types,
    reason = "a file of storage/native.rs, which touches the file system"
)]

use super::LockGuard;
use crate::{Error, ErrorKind, Result};
use std::fs::{File, TryLockError};
use std::io;

/// The locked file. There is none in a directory without a lock file that may only be read.
#[derive(Debug, Default)]
pub(super) struct NativeLock(Option<File>);

impl LockGuard for NativeLock {}

impl NativeLock {
    /// Locks the open file `LOCK`. Where a lease is held, it first waits for up to [`lease::WATCH`].
    ///
    /// # Errors
    /// `Locked` when another handle or program holds it; `Io`, made by `failed` from the system's error.
    pub(super) fn take(file: File, failed: impl Fn(io::Error) -> Error) -> Result<Self> {
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(locked()),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let lock = Self(Some(file));
        #[cfg(target_os = "linux")]
        if let Some(file) = &lock.0
            && lease::is_alive(file, lease::WATCH).map_err(failed)?
        {
            return Err(locked());
        }
        Ok(lock)
    }
}

#[cfg(target_os = "linux")]
impl Drop for NativeLock {
    fn drop(&mut self) {
        self.0.iter().for_each(lease::release);
    }
}

/// The text in `LOCK`: in slot 0 whether the file is locked, in slot 1 the lease.
#[cfg(target_os = "linux")]
mod lease {
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::FileExt;
    use std::time::Duration;

    const SLOT_BYTES: usize = 64;
    /// How long a lease that does not change is watched. Its holder changes it every second.
    pub(super) const WATCH: Duration = Duration::from_secs(5);
    /// Time between two looks at a lease.
    const PAUSE: Duration = Duration::from_millis(100);

    type Slot = [u8; SLOT_BYTES];

    fn lease(file: &File) -> io::Result<Slot> {
        let mut slot = [0; SLOT_BYTES];
        let mut done = 0;
        while let Some(rest) = slot.get_mut(done..).filter(|rest| !rest.is_empty()) {
            match file.read_at(rest, (SLOT_BYTES + done) as u64) {
                Ok(0) => break,
                Ok(count) => done += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(slot)
    }

    /// Writes a slot. A directory that is only read has no marks, and a full disk must not refuse an opening.
    fn mark(file: &File, slot: usize, text: &str) {
        let line = format!("{text:<width$}\n", width = SLOT_BYTES - 1);
        let _ = file.write_all_at(line.as_bytes(), (slot * SLOT_BYTES) as u64);
    }

    /// Marks the file as locked, then looks for a lease: `true` when its holder changes it within `watch`. A lease that
    /// does not change is ended.
    ///
    /// # Errors
    /// Those of reading the file.
    pub(super) fn is_alive(file: &File, watch: Duration) -> io::Result<bool> {
        mark(file, 0, "locked");
        let first = lease(file)?;
        let mut watched = Duration::ZERO;
        while is_held(&first) && watched < watch {
            std::thread::sleep(PAUSE);
            watched += PAUSE;
            let now = lease(file)?;
            if now != first {
                return Ok(is_held(&now));
            }
        }
        if is_held(&first) {
            mark(file, 1, "free");
        }
        Ok(false)
    }

    fn is_held(slot: &Slot) -> bool {
        slot.starts_with(b"leased ")
    }

    /// Removes the mark, and nothing of a lease. Where there was never a lease, the file is empty again.
    pub(super) fn release(file: &File) {
        match file.metadata() {
            Ok(metadata) if metadata.len() <= SLOT_BYTES as u64 => {
                let _ = file.set_len(0);
            }
            _ => mark(file, 0, "free"),
        }
    }

    #[cfg(test)]
    #[expect(clippy::disallowed_methods, reason = "a lease is a file")]
    mod tests {
        use super::*;

        #[test]
        fn a_lease_that_changes_is_alive_and_one_that_does_not_is_ended() {
            let path =
                std::env::temp_dir().join(format!("levelscope-lease-{}", std::process::id()));
            let file =
                File::options().read(true).write(true).create(true).truncate(true).open(&path);
            let file = file.unwrap();
            let watch = Duration::from_millis(600);
            assert!(!is_alive(&file, watch).unwrap(), "an empty file has no lease");
            mark(&file, 1, "leased abc 0");
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(200));
                    mark(&file, 1, "leased abc 1");
                });
                assert!(is_alive(&file, watch).unwrap());
            });
            assert!(!is_alive(&file, watch).unwrap(), "its holder is dead");
            assert!(!is_held(&lease(&file).unwrap()));
            assert!(std::fs::read_to_string(&path).unwrap().starts_with("locked "));
            release(&file);
            assert!(std::fs::read_to_string(&path).unwrap().starts_with("free "));
            std::fs::remove_file(&path).unwrap();
        }
    }
}

fn locked() -> Error {
    let message = "this database is open already, perhaps in another program; close it there first";
    Error::new(ErrorKind::Locked, message)
}
