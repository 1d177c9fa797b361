//! The manifest in use: edits go in, and when it has grown too long a new one takes its place.
//!
//! ```text
//! sync old → create new with a snapshot → sync → sync directory → switch CURRENT, sync → delete the one before the old
//! ```
//!
//! The old manifest stays until the next switch but one, because the older slot of `CURRENT` names it.

use super::current::{self, Slot};
use super::edit::VersionEdit;
use super::reader::ManifestState;
use super::writer::ManifestWriter;
use crate::identity::Owner;
use crate::key::SeqNo;
use crate::storage::{FileName, FileNumber, Storage};
use crate::view::{EditView, View};
use crate::wal::file::Log;
use crate::{Error, ErrorKind, Result};

/// How many times longer than its own snapshot a manifest may become: so much is written anew for
/// each edit in the long run, whatever the size of the database.
const GROWTH_MAX: u64 = 4;

/// The manifest in use and the state after all its edits.
#[derive(Debug)]
pub(crate) struct ManifestLog {
    /// None when the database is only read.
    writer: Option<ManifestWriter>,
    state: ManifestState,
    slot: Slot,
    /// The manifest in the other slot of `CURRENT`.
    previous: Option<FileNumber>,
    /// Length when it held nothing but its snapshot \[bytes\].
    snapshot_bytes: u64,
    /// Number of the manifest that is to take its place: a host may create the file ahead.
    reserved: Option<FileNumber>,
    /// The newest edits.
    recent: Vec<EditView>,
    failure: Option<Error>,
}

/// The manifests that a new one has replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rolled {
    /// The slot of `CURRENT` that names the new one.
    pub(crate) slot: Slot,
    /// Length of the new one \[bytes\].
    pub(crate) bytes: u64,
    /// A manifest that no slot names any more.
    pub(crate) obsolete: Option<FileNumber>,
}

/// Counters that may have grown since the newest edit of the manifest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Latest {
    /// Every number below is taken.
    pub(crate) next_file: FileNumber,
    /// No sequence number above was given out.
    pub(crate) last_sequence: SeqNo,
}

impl ManifestLog {
    /// The manifest that `slot` names, which so far has one edit, the snapshot `state`.
    pub(crate) fn new(
        writer: ManifestWriter,
        state: ManifestState,
        slot: Slot,
        previous: Option<FileNumber>,
    ) -> Self {
        let snapshot_bytes = writer.bytes();
        let (writer, recent) = (Some(writer), vec![of_snapshot()]);
        Self {
            writer,
            state,
            slot,
            previous,
            snapshot_bytes,
            reserved: None,
            recent,
            failure: None,
        }
    }

    /// The manifest that `slot` names, for a database that is only read: it takes no edit.
    pub(crate) fn for_reading(state: ManifestState, slot: Slot) -> Self {
        let snapshot_bytes = state.valid_bytes;
        let (writer, previous, reserved, failure) = (None, None, None, None);
        let recent = Vec::new();
        Self { writer, state, slot, previous, snapshot_bytes, reserved, recent, failure }
    }

    /// The state after all edits so far.
    pub(crate) fn state(&self) -> &ManifestState {
        &self.state
    }

    /// Whose the files of the database have to be.
    pub(crate) fn owner(&self) -> Owner {
        Owner { identity: self.slot.identity, from: self.state.identified_from }
    }

    /// Number in the file name.
    pub(crate) fn number(&self) -> FileNumber {
        self.slot.manifest
    }

    /// Length of the file \[bytes\].
    pub(crate) fn bytes(&self) -> u64 {
        self.writer.as_ref().map_or(self.snapshot_bytes, ManifestWriter::bytes)
    }

    /// How much of the file was synced \[bytes\]: not the mark that proves it.
    pub(crate) fn synced_bytes(&self) -> u64 {
        self.writer.as_ref().map_or(self.snapshot_bytes, ManifestWriter::synced_bytes)
    }

    /// Fills in the fields of `view` about the manifest.
    pub(crate) fn fill(&self, view: &mut View) {
        view.manifest = self.number();
        view.manifest_bytes = self.bytes();
        view.manifest_edits.clone_from(&self.recent);
        view.manifest_unsynced = self.writer.as_ref().map_or(0, ManifestWriter::unsynced_edits);
        view.current = self.number();
    }

    /// Appends `edit`. It is durable only after [`Self::sync`] returned `Ok`.
    ///
    /// # Errors
    /// `InvalidArgument` when the edit contradicts those before it, or is too long: nothing was
    /// changed. Those of [`ManifestWriter::append`].
    pub(crate) fn append(&mut self, edit: &VersionEdit) -> Result<()> {
        let version = self.state.version.apply(edit)?;
        self.writer()?.append(edit)?;
        self.state.version = version;
        self.state.count(edit);
        let shown = EditView {
            snapshot: false,
            added: edit.added.iter().map(|(_, meta)| meta.number).collect(),
            removed: edit.removed.iter().map(|(_, number)| *number).collect(),
        };
        EditView::append(&mut self.recent, shown);
        Ok(())
    }

    /// Makes every appended edit durable.
    ///
    /// # Errors
    /// Those of [`ManifestWriter::sync`].
    pub(crate) fn sync(&mut self) -> Result<()> {
        self.writer()?.sync()
    }

    /// Whether the file is longer than `limit_bytes` and than four times its own snapshot \[bytes\] (decision 6).
    pub(crate) fn is_long(&self, limit_bytes: u64) -> bool {
        self.bytes() > limit_bytes.max(self.snapshot_bytes.saturating_mul(GROWTH_MAX))
    }

    /// Number of the manifest that is to take its place; `None` while it is short enough.
    pub(crate) fn reserved(&self) -> Option<FileNumber> {
        self.reserved
    }

    /// Notes that `number` is to take its place at the next edit, unless another one is already.
    pub(crate) fn reserve(&mut self, number: FileNumber) {
        self.reserved.get_or_insert(number);
    }

    /// Writes everything to the manifest that was reserved, makes it durable and switches to it. Returns `None` if none
    /// was reserved.
    ///
    /// # Errors
    /// `WouldBlock` has changed nothing. After any other error it is unknown which of the two manifests counts; both
    /// have the same content, and neither takes another edit.
    pub(crate) fn roll(
        &mut self,
        storage: &dyn Storage,
        latest: Latest,
        sync_directory: &dyn Fn() -> Result<()>,
    ) -> Result<Option<Rolled>> {
        self.writer()?;
        let Some(number) = self.reserved else { return Ok(None) };
        // Asked before anything is changed: from here on there is no way back.
        storage.prepare(FileName::Manifest(number).usable()?)?;
        storage.open(FileName::Current)?;
        let rolled = self.replace(storage, number, latest, sync_directory);
        self.failure = rolled.as_ref().err().cloned();
        rolled.map(Some)
    }

    fn replace(
        &mut self,
        storage: &dyn Storage,
        number: FileNumber,
        latest: Latest,
        sync_directory: &dyn Fn() -> Result<()>,
    ) -> Result<Rolled> {
        let slot = self.slot.next(number)?;
        self.writer()?.sync()?;
        let snapshot = self.snapshot(latest);
        let log = Log::manifest(number, slot.identity);
        let mut writer = ManifestWriter::create(storage, log, &snapshot)?;
        writer.sync()?;
        sync_directory()?;
        current::write(storage, slot)?;
        let obsolete = self.previous.replace(self.slot.manifest);
        self.slot = slot;
        self.snapshot_bytes = writer.bytes();
        self.writer = Some(writer);
        self.reserved = None;
        self.state.sealed_logs = snapshot.sealed_logs;
        self.state.edits = 1;
        self.recent = vec![of_snapshot()];
        Ok(Rolled { slot, bytes: self.snapshot_bytes, obsolete })
    }

    /// One edit with the whole state of the manifest.
    fn snapshot(&self, latest: Latest) -> VersionEdit {
        let state = &self.state;
        let tables = state.version.tables();
        let sealed = state.sealed_logs.iter().filter(|(log, _)| *log >= state.log_number);
        VersionEdit {
            log_number: Some(state.log_number),
            next_file: Some(state.next_file.max(latest.next_file)),
            last_sequence: Some(state.last_sequence.max(latest.last_sequence)),
            sealed_logs: sealed.copied().collect(),
            removed: Vec::new(),
            added: tables.map(|(level, meta)| (level, meta.clone())).collect(),
            identified_from: (state.identified_from > 0).then_some(state.identified_from),
            live_logs: state.live_logs.iter().map(|(log, bytes)| (*log, *bytes)).collect(),
        }
    }

    /// The writer, unless a roll failed or there is none.
    fn writer(&mut self) -> Result<&mut ManifestWriter> {
        let name = FileName::Manifest(self.slot.manifest);
        let refuse = |message: String| Error::in_file(ErrorKind::ReadOnly, name, message);
        if let Some(failure) = &self.failure {
            let message = format!("nothing is written to a manifest after this failure: {failure}");
            return Err(refuse(message));
        }
        self.writer.as_mut().ok_or_else(|| refuse("it was opened for reading only".to_owned()))
    }
}

/// The first edit of a manifest.
fn of_snapshot() -> EditView {
    EditView { snapshot: true, added: Vec::new(), removed: Vec::new() }
}
