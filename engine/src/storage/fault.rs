//! Storage that fails on purpose: the k-th operation, once or for ever, or when it is full.

use super::{File, FileName, LockGuard, MemoryStorage, Storage};
use crate::identity::Identity;
use crate::{Error, ErrorKind, Result};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// In which way an operation fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Any operation answers `Io` and does nothing.
    Io,
    /// Creations, writes and syncs answer `OutOfSpace` and do nothing.
    OutOfSpace,
    /// A write keeps the first half of its bytes, then answers `Io`.
    ShortWrite,
    /// A read answers `Io`.
    ReadError,
    /// A read inside the file answers `Ok` with half of the bytes that are there.
    ShortRead,
    /// A sync answers `Io`; over memory it also drops the unsynced bytes, and later syncs answer `Ok` without bringing
    /// it back.
    SyncError,
    /// A sync makes everything durable and answers `Io` all the same.
    LateSyncError,
}

impl Fault {
    /// All ways to fail.
    pub const ALL: [Self; 7] = [
        Self::Io,
        Self::OutOfSpace,
        Self::ShortWrite,
        Self::ReadError,
        Self::ShortRead,
        Self::SyncError,
        Self::LateSyncError,
    ];

    fn concerns(self, operation: Operation) -> bool {
        use Operation::{Create, Other, Read, Sync, Write};
        match self {
            Self::Io => matches!(operation, Create | Write | Read | Sync | Other),
            Self::OutOfSpace => matches!(operation, Create | Write | Sync),
            Self::ShortWrite => operation == Write,
            Self::ReadError | Self::ShortRead => operation == Read,
            Self::SyncError | Self::LateSyncError => operation == Sync,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    Create,
    Write,
    Read,
    Sync,
    Other,
}

/// Which of the operations that a fault concerns fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// How they fail.
    pub fault: Fault,
    /// The first that fails; counts from 1 since the plan was made.
    pub at: u64,
    /// Whether all later ones fail too.
    pub forever: bool,
}

/// Decorates a storage with planned failures; transparent until a plan or a capacity is set.
#[derive(Debug, Clone)]
pub struct FaultStorage {
    inner: Arc<dyn Storage>,
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    memory: Option<MemoryStorage>,
    numbers: Mutex<Numbers>,
}

#[derive(Debug, Default)]
struct Numbers {
    plan: Option<Plan>,
    /// Operations that the plan's fault concerns (without a plan: all of them).
    operations: u64,
    injected: u64,
    capacity_bytes: Option<u64>,
    used_bytes: u64,
}

impl FaultStorage {
    /// Decorates any storage; it must be empty if a capacity is to be set.
    pub fn new(inner: Arc<dyn Storage>) -> Self {
        let state = State { memory: None, numbers: Mutex::default() };
        Self { inner, state: Arc::new(state) }
    }

    /// Decorates a memory disk: a failed sync loses data there, as it does in life.
    pub fn over_memory(memory: &MemoryStorage) -> Self {
        let numbers = Numbers { used_bytes: memory.total_bytes(), ..Numbers::default() };
        let state = State { memory: Some(memory.clone()), numbers: Mutex::new(numbers) };
        Self { inner: Arc::new(memory.clone()), state: Arc::new(state) }
    }

    /// Makes a plan; both counters begin again.
    pub fn inject(&self, fault: Fault, at: u64, forever: bool) {
        let mut numbers = self.state.numbers();
        numbers.plan = Some(Plan { fault, at, forever });
        (numbers.operations, numbers.injected) = (0, 0);
    }

    /// Ends the plan and the limit of the capacity; the counters stay.
    pub fn heal(&self) {
        let mut numbers = self.state.numbers();
        (numbers.plan, numbers.capacity_bytes) = (None, None);
    }

    /// Operations since [`FaultStorage::inject`] that its fault concerns, failed ones included.
    pub fn operations(&self) -> u64 {
        self.state.numbers().operations
    }

    /// Failures since [`FaultStorage::inject`], those of the capacity included.
    pub fn injected(&self) -> u64 {
        self.state.numbers().injected
    }

    /// Lets the files grow to `bytes` in all; a write that does not fit keeps the part that fits and answers
    /// `OutOfSpace`. `None`: no limit.
    pub fn set_capacity(&self, bytes: Option<u64>) {
        self.state.numbers().capacity_bytes = bytes;
    }

    /// Bytes in all files, as far as they went through this decorator.
    pub fn used_bytes(&self) -> u64 {
        self.state.numbers().used_bytes
    }

    fn handle(&self, name: FileName, inner: Arc<dyn File>) -> Arc<dyn File> {
        Arc::new(FaultFile { inner, name, state: Arc::clone(&self.state) })
    }
}

impl State {
    fn numbers(&self) -> MutexGuard<'_, Numbers> {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts one operation; the fault if it is to fail.
    fn strike(&self, operation: Operation) -> Option<Fault> {
        let mut numbers = self.numbers();
        let plan = numbers.plan;
        if !plan.is_none_or(|plan| plan.fault.concerns(operation)) {
            return None;
        }
        numbers.operations += 1;
        let count = numbers.operations;
        let struck = plan.filter(|plan| count == plan.at || (plan.forever && count > plan.at))?;
        numbers.injected += 1;
        Some(struck.fault)
    }

    /// For operations that fail without a trace.
    fn check(&self, operation: Operation, name: Option<FileName>) -> Result<()> {
        self.strike(operation).map_or(Ok(()), |fault| Err(injected(fault, name)))
    }

    /// Reserves `growth` bytes; otherwise the bytes that still fit.
    fn reserve(&self, growth: u64) -> std::result::Result<(), u64> {
        let mut numbers = self.numbers();
        let wanted = numbers.used_bytes.saturating_add(growth);
        if let Some(capacity) = numbers.capacity_bytes.filter(|capacity| wanted > *capacity)
            && growth > 0
        {
            let fits = capacity.saturating_sub(numbers.used_bytes);
            numbers.used_bytes += fits;
            numbers.injected += 1;
            return Err(fits);
        }
        numbers.used_bytes = wanted;
        Ok(())
    }
}

fn injected(fault: Fault, name: Option<FileName>) -> Error {
    let (kind, message) = match fault {
        Fault::OutOfSpace => (ErrorKind::OutOfSpace, "there is no space left (injected)"),
        Fault::SyncError | Fault::LateSyncError => (ErrorKind::Io, "the sync failed (injected)"),
        Fault::ShortWrite => (ErrorKind::Io, "only a part could be written (injected)"),
        Fault::Io | Fault::ReadError | Fault::ShortRead => {
            (ErrorKind::Io, "the device failed (injected)")
        }
    };
    name.map_or_else(|| Error::new(kind, message), |name| Error::in_file(kind, name, message))
}

impl Storage for FaultStorage {
    fn create(&self, name: FileName) -> Result<Arc<dyn File>> {
        self.state.check(Operation::Create, Some(name))?;
        Ok(self.handle(name, self.inner.create(name)?))
    }

    fn open(&self, name: FileName) -> Result<Arc<dyn File>> {
        self.state.check(Operation::Other, Some(name))?;
        Ok(self.handle(name, self.inner.open(name)?))
    }

    fn delete(&self, name: FileName) -> Result<()> {
        self.state.check(Operation::Other, Some(name))?;
        let length = self.inner.open(name).and_then(|file| file.len()).unwrap_or(0);
        self.inner.delete(name)?;
        let mut numbers = self.state.numbers();
        numbers.used_bytes = numbers.used_bytes.saturating_sub(length);
        Ok(())
    }

    fn list(&self) -> Result<Vec<String>> {
        self.state.check(Operation::Other, None)?;
        self.inner.list()
    }

    fn sync_directory(&self) -> Result<()> {
        if let Some(fault) = self.state.strike(Operation::Sync) {
            if let (Fault::SyncError, Some(memory)) = (fault, &self.state.memory) {
                memory.drop_unsynced_names();
            }
            if fault == Fault::LateSyncError {
                self.inner.sync_directory()?;
            }
            return Err(injected(fault, None));
        }
        self.inner.sync_directory()
    }

    fn identity(&self) -> Identity {
        self.inner.identity()
    }

    fn has_threads(&self) -> bool {
        self.inner.has_threads()
    }

    fn lock(&self) -> Result<Box<dyn LockGuard>> {
        self.state.check(Operation::Other, Some(FileName::Lock))?;
        self.inner.lock()
    }

    fn prepare(&self, name: FileName) -> Result<()> {
        self.inner.prepare(name)
    }
}

#[derive(Debug)]
struct FaultFile {
    inner: Arc<dyn File>,
    name: FileName,
    state: Arc<State>,
}

impl FaultFile {
    fn write(&self, growth: u64, bytes: &[u8], write: impl Fn(&[u8]) -> Result<()>) -> Result<()> {
        let part = |length: usize| bytes.get(..length).unwrap_or(bytes);
        match self.state.strike(Operation::Write) {
            None => {}
            Some(Fault::ShortWrite) => {
                self.state.numbers().used_bytes += growth / 2;
                write(part(bytes.len() / 2))?;
                return Err(injected(Fault::ShortWrite, Some(self.name)));
            }
            Some(fault) => return Err(injected(fault, Some(self.name))),
        }
        let Err(fits) = self.state.reserve(growth) else { return write(bytes) };
        let overwritten = bytes.len() as u64 - growth.min(bytes.len() as u64);
        let length = usize::try_from(overwritten.saturating_add(fits)).unwrap_or(bytes.len());
        write(part(length))?;
        Err(injected(Fault::OutOfSpace, Some(self.name)))
    }
}

impl File for FaultFile {
    fn append(&self, bytes: &[u8]) -> Result<()> {
        self.write(bytes.len() as u64, bytes, |part| self.inner.append(part))
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let end = offset.saturating_add(bytes.len() as u64);
        let growth = end.saturating_sub(self.inner.len()?);
        self.write(growth, bytes, |part| self.inner.write_at(offset, part))
    }

    fn reserve(&self, end: u64) {
        self.inner.reserve(end);
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let fault = self.state.strike(Operation::Read);
        if let Some(fault) = fault.filter(|fault| *fault != Fault::ShortRead) {
            return Err(injected(fault, Some(self.name)));
        }
        let count = self.inner.read_at(offset, buffer)?;
        Ok(if fault.is_some() { count / 2 } else { count })
    }

    fn sync(&self) -> Result<()> {
        if let Some(fault) = self.state.strike(Operation::Sync) {
            if let (Fault::SyncError, Some(memory)) = (fault, &self.state.memory) {
                memory.drop_unsynced(self.name);
            }
            if fault == Fault::LateSyncError {
                self.inner.sync()?;
            }
            return Err(injected(fault, Some(self.name)));
        }
        self.inner.sync()
    }

    fn len(&self) -> Result<u64> {
        self.state.check(Operation::Other, Some(self.name))?;
        self.inner.len()
    }
}
