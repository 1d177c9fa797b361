//! Storage that fails while a log is written.

use super::*;
use crate::Error;
use crate::storage::{File, LockGuard};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A disk whose files fail at the append or sync with a given number.
#[derive(Debug, Clone)]
pub(super) struct Failing {
    disk: MemoryStorage,
    calls: Arc<AtomicUsize>,
    fails_at: usize,
}

#[derive(Debug)]
struct FailingFile {
    file: Arc<dyn File>,
    storage: Failing,
}

impl Failing {
    /// A new disk, where the call with this number fails.
    pub(super) fn at(fails_at: usize) -> Self {
        Self { disk: MemoryStorage::new(), calls: Arc::default(), fails_at }
    }

    /// Appends and syncs so far.
    pub(super) fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    fn call(&self) -> Result<()> {
        if self.calls.fetch_add(1, Ordering::Relaxed) == self.fails_at {
            return Err(Error::new(ErrorKind::OutOfSpace, "the disk is full"));
        }
        Ok(())
    }
}

impl Storage for Failing {
    fn create(&self, name: FileName) -> Result<Arc<dyn File>> {
        Ok(Arc::new(FailingFile { file: self.disk.create(name)?, storage: self.clone() }))
    }
    fn open(&self, name: FileName) -> Result<Arc<dyn File>> {
        self.disk.open(name)
    }
    fn delete(&self, name: FileName) -> Result<()> {
        self.disk.delete(name)
    }
    fn list(&self) -> Result<Vec<String>> {
        self.disk.list()
    }
    fn sync_directory(&self) -> Result<()> {
        self.disk.sync_directory()
    }
    fn identity(&self) -> crate::Identity {
        self.disk.identity()
    }
    fn lock(&self) -> Result<Box<dyn LockGuard>> {
        self.disk.lock()
    }
}

impl File for FailingFile {
    fn append(&self, bytes: &[u8]) -> Result<()> {
        let failed = self.storage.call();
        self.file.append(if failed.is_ok() { bytes } else { &bytes[..bytes.len() / 2] })?;
        failed
    }
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.file.write_at(offset, bytes)
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.file.read_at(offset, buffer)
    }
    fn sync(&self) -> Result<()> {
        self.storage.call()?;
        self.file.sync()
    }
    fn len(&self) -> Result<u64> {
        self.file.len()
    }
}

#[test]
fn nothing_is_written_after_a_failure() {
    for failing_call in 0..12 {
        let storage = Failing::at(failing_call);
        let disk = storage.disk.clone();
        let Ok(mut writer) = WalWriter::create(&storage, NUMBER) else {
            assert_eq!(failing_call, 0);
            assert_eq!(replay_storage(&disk, LogEnd::Newest).unwrap().batches.len(), 0);
            continue;
        };
        let mut next = 1;
        let mut acknowledged = 0;
        let mut failures = Vec::new();
        for batch in small_batches() {
            let logged =
                writer.append(next, batch.len(), batch.body()).and_then(|()| writer.sync());
            match logged {
                Ok(()) => acknowledged += 1,
                Err(error) => failures.push(error.kind()),
            }
            next += u64::from(batch.len());
        }
        let closed = writer.close();
        if let Some((first, later)) = failures.split_first() {
            assert_eq!(*first, ErrorKind::OutOfSpace);
            assert!(later.iter().all(|kind| *kind == ErrorKind::ReadOnly), "{later:?}");
            assert_eq!(closed.unwrap_err().kind(), ErrorKind::ReadOnly);
        }
        let found = replay_storage(&disk, LogEnd::Newest).unwrap().batches.len();
        assert!((acknowledged..=acknowledged + 1).contains(&found), "call {failing_call}");
    }
}
