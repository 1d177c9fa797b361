//! `CURRENT`, the manifest that counts, and its demands: which tables and logs there should be.

use super::Belonging;
use crate::flaw::{Flaws, pass};
use crate::identity::Owner;
use crate::manifest::current::{self, Slot, Slots};
use crate::manifest::{self, ManifestState};
use crate::storage::{FileName, FileNumber, Storage, read_whole};
use crate::wal::file::Log;
use crate::{Error, ErrorKind, Result};

/// The sentence about a creation that was cut short.
pub(crate) const BEGUN: &str =
    "a crash interrupted the creation of this database; nothing was in it, and opening begins anew";

/// The content of `CURRENT` and of the manifest that counts.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    /// Names in the directory.
    pub(crate) names: Vec<FileName>,
    /// Whose the files have to be.
    pub(crate) belonging: Belonging,
    /// The bytes of `CURRENT`, no more than its slots and one; `None` when there is no such file.
    pub(crate) current: Option<Vec<u8>>,
    /// Its valid slots.
    pub(crate) slots: Slots,
    /// The slot that counts; `None` when none does.
    pub(crate) slot: Option<Slot>,
    /// The manifest of that slot. When none counts it is the newest one: an older one would be out of date.
    pub(crate) manifest: Option<ManifestFile>,
    /// The state after the edits of that manifest; `None` when it cannot be known.
    pub(crate) state: Option<ManifestState>,
    /// That a log that the manifest needs should be there, and is not.
    pub(crate) missing_log: Option<Error>,
    /// A crash cut the creation of the database short, or there never was one: opening begins anew.
    pub(crate) begun: bool,
}

/// A manifest that was read.
#[derive(Debug)]
pub(crate) struct ManifestFile {
    pub(crate) log: Log,
    pub(crate) bytes: Vec<u8>,
    /// Where it is damaged \[bytes\]; 0 when that has no place.
    pub(crate) damaged_at: Option<u64>,
}

impl Frame {
    /// Reads `CURRENT` and the manifest that counts among the files `names`, and looks whether the tables that it
    /// names are there.
    ///
    /// # Errors
    /// `WouldBlock`; those of `flaws`.
    pub(crate) fn read(
        storage: &dyn Storage,
        names: Vec<FileName>,
        flaws: &mut Flaws<'_>,
    ) -> Result<Self> {
        let mut frame = Self { names, ..Self::default() };
        frame.read_current(storage, flaws)?;
        frame.read_manifest(storage, flaws)?;
        if frame.state.is_none() && !frame.begun {
            frame.belonging = Belonging::of_most(storage, &frame.names)?;
        }
        frame.require_tables(flaws)?;
        Ok(frame)
    }

    /// Finds the slot that counts.
    fn read_current(&mut self, storage: &dyn Storage, flaws: &mut Flaws<'_>) -> Result<()> {
        let Some(bytes) = pass(current::read(storage), flaws)? else { return Ok(()) };
        let mut flawed = false;
        self.slots = Slots::of(bytes.as_deref().unwrap_or_default(), &mut |flaw| {
            flawed = true;
            flaws(flaw)
        })?;
        self.slot = self.slots.newest;
        self.current = bytes;
        if let Some(slot) = self.slot {
            let is_fresh = self.slots.previous.is_some()
                || pass(self.refuse_stale(storage, slot), flaws)?.is_some();
            self.slot = self.slot.filter(|_| is_fresh);
        } else if !flawed {
            // A crash while the database was made leaves manifests and empty files at most; a slot of a newer
            // version names a manifest.
            match pass(data_file(storage, &self.names, 0), flaws)? {
                Some(data @ Some(_)) => flaws(no_manifest(self.current.as_deref(), data))?,
                data => self.begun = data.is_some(),
            }
        }
        Ok(())
    }

    /// Reads the manifest of the slot that counts, or the newest one.
    fn read_manifest(&mut self, storage: &dyn Storage, flaws: &mut Flaws<'_>) -> Result<()> {
        let counts = self.slot.map(|slot| Log::manifest(slot.manifest, slot.identity));
        let manifests = self.names.iter().filter(|name| matches!(name, FileName::Manifest(_)));
        let newest = manifests.max().copied().filter(|_| !self.begun);
        let Some(name) = counts.map(Log::name).or(newest) else { return Ok(()) };
        let opened = storage.open(name).map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                let what = "CURRENT names this manifest, but it does not exist";
                Error::in_file(ErrorKind::Corruption, name, what)
            }
            _ => error,
        });
        let bytes = pass(opened.and_then(|file| read_whole(&*file, name)), flaws)?;
        let Some(bytes) = bytes else { return Ok(()) };
        let log = counts.map_or_else(|| Log::claimed(name, &bytes), Ok)?;
        self.replay(log, bytes, flaws)
    }

    /// Goes by the manifest `log`, whose bytes are `bytes`.
    ///
    /// # Errors
    /// Those of `flaws`.
    pub(crate) fn replay(&mut self, log: Log, bytes: Vec<u8>, flaws: &mut Flaws<'_>) -> Result<()> {
        let replayed = manifest::replay_bytes(&bytes, log);
        let damaged_at = replayed.as_ref().err().map(|error| error.offset().unwrap_or(0));
        self.manifest = Some(ManifestFile { log, bytes, damaged_at });
        self.state = pass(replayed, flaws)?;
        let from = self.state.as_ref().map_or(0, |state| state.identified_from);
        self.belonging.owner = Owner { identity: log.identity(), from };
        Ok(())
    }

    /// Length of the rest after the last whole edit of the manifest that counts \[bytes\].
    pub(crate) fn torn_bytes(&self) -> u64 {
        let length = self.manifest.as_ref().map_or(0, |manifest| manifest.bytes.len() as u64);
        self.state.as_ref().map_or(0, |state| length.saturating_sub(state.valid_bytes))
    }

    /// Number of the manifest that counts; no file has a larger one when there is none.
    pub(crate) fn manifest_number(&self) -> FileNumber {
        self.slot.map_or(FileNumber::MAX, |slot| slot.manifest)
    }

    /// A number above that of every file, whatever it is.
    pub(crate) fn next_number(&self) -> FileNumber {
        self.names.iter().filter_map(|name| name.number()).max().unwrap_or(0) + 1
    }

    /// Whether the file is there.
    pub(crate) fn has(&self, name: FileName) -> bool {
        self.names.contains(&name)
    }

    /// Reports the tables of the manifest that are missing.
    ///
    /// # Errors
    /// Those of `flaws`.
    pub(crate) fn require_tables(&self, flaws: &mut Flaws<'_>) -> Result<()> {
        for (level, meta) in self.state.iter().flat_map(|state| state.version.tables()) {
            if !self.has(FileName::Table(meta.number)) {
                flaws(missing_table(level, meta.number))?;
            }
        }
        Ok(())
    }

    /// Looks whether the oldest log that the manifest needs is there, and those that it names as live.
    ///
    /// # Errors
    /// `WouldBlock`; those of `flaws`.
    pub(crate) fn require_log(
        &mut self,
        storage: &dyn Storage,
        flaws: &mut Flaws<'_>,
    ) -> Result<()> {
        let (Some(slot), Some(state)) = (self.slot, &self.state) else { return Ok(()) };
        let looked = self.look_for_log(storage, slot, state);
        self.missing_log = looked.as_ref().err().cloned();
        pass(looked, flaws).map(drop)
    }

    /// Every edit names logs that exist. Only in older manifests the snapshot of an opening may name a log that was
    /// to be created right afterwards; then nothing newer is there either. If something is, the last edit of
    /// the manifest is gone: the one after which the log was deleted.
    fn look_for_log(&self, storage: &dyn Storage, slot: Slot, state: &ManifestState) -> Result<()> {
        let missing = |log: FileNumber, why: &str| {
            let message = format!("the manifest needs this log; {why}");
            Err(Error::corruption(FileName::Wal(log), 0, message))
        };
        let oldest =
            (state.was_used() || state.log_number < slot.manifest).then_some(state.log_number);
        let mut live = oldest.into_iter().chain(state.live_logs.keys().copied());
        if let Some(log) = live.find(|log| !self.has(FileName::Wal(*log))) {
            return missing(log, "it existed, and does not any more");
        }
        if self.has(FileName::Wal(state.log_number)) {
            return Ok(());
        }
        match data_file(storage, &self.names, state.log_number)? {
            Some(newer) => {
                missing(state.log_number, &format!("it does not exist, although {newer} does"))
            }
            None => Ok(()),
        }
    }

    /// Refuses to go by `slot`, the only valid one of `CURRENT`, when it is older than the database.
    ///
    /// A torn switch leaves the old slot, and new manifests with nothing but their snapshots: edits are
    /// appended only once `CURRENT` names a manifest. So a newer one that has any proves that the other
    /// slot was good once. (Should that manifest be damaged too: tables and logs that went since then
    /// are missed by [`Self::require_log`] and by the manifest that `slot` names.)
    fn refuse_stale(&self, storage: &dyn Storage, slot: Slot) -> Result<()> {
        let owner =
            Belonging { owner: Owner { identity: slot.identity, from: 0 }, older_allowed: false };
        for name in &self.names {
            if !matches!(name, FileName::Manifest(number) if *number > slot.manifest) {
                continue;
            }
            let bytes = read_whole(&*storage.open(*name)?, *name)?;
            let log = Log::claimed(*name, &bytes)?;
            if owner.stranger(log.identity()).is_some() {
                continue;
            }
            match manifest::replay_bytes(&bytes, log) {
                Ok(state) if state.was_used() => {
                    let at = current::slot_offset(slot.epoch.wrapping_add(1));
                    return Err(Error::corruption(FileName::Current, at, out_of_date(*name)));
                }
                Err(error) if error.kind() != ErrorKind::Corruption => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

/// `CURRENT`, whose bytes are `bytes`, leads to no manifest, and the directory may have the data file
/// `data`. Only a file with bytes has an offset at which it is damaged.
pub(crate) fn no_manifest(bytes: Option<&[u8]>, data: Option<FileName>) -> Error {
    let what = match bytes {
        None => "it does not exist",
        Some([]) => "it is empty",
        Some(_) => "neither of its slots is valid, so it names no manifest",
    };
    let data = data.map(|data| format!(", but the database has data, for example {data}"));
    let message = format!("{what}{}", data.unwrap_or_default());
    match bytes {
        None | Some([]) => Error::in_file(ErrorKind::Corruption, FileName::Current, message),
        Some(_) => Error::corruption(FileName::Current, 0, message),
    }
}

/// The only valid slot of `CURRENT` is older than `manifest`, which was in use.
pub(crate) fn out_of_date(manifest: FileName) -> String {
    format!("the slot that named {manifest} is damaged, and the older slot is out of date")
}

/// The manifest has table `number` in `level`, and the directory has not.
pub(crate) fn missing_table(level: usize, number: FileNumber) -> Error {
    let message = format!("the manifest has it in L{level}, but it does not exist");
    Error::in_file(ErrorKind::Corruption, FileName::Table(number), message)
}

/// A log or table with bytes in it and a number above `above`.
///
/// # Errors
/// Those of the storage.
fn data_file(
    storage: &dyn Storage,
    names: &[FileName],
    above: FileNumber,
) -> Result<Option<FileName>> {
    for name in names {
        if let FileName::Wal(number) | FileName::Table(number) = name
            && *number > above
            && !storage.open(*name)?.is_empty()?
        {
            return Ok(Some(*name));
        }
    }
    Ok(None)
}
