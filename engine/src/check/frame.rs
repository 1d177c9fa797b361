//! `CURRENT`, the manifests and the set of files: what says which tables and logs there should be.

use super::current::read_current;
use super::report::{Found, Severity};
use super::source::Evidence;
use crate::identity::{Identity, Owner};
use crate::manifest::current::{self, Slot};
use crate::manifest::{self, ManifestState, VersionEdit};
use crate::storage::{FileName, FileNumber, Storage, read_whole};
use crate::survey::{self, Spare};
use crate::text;
use crate::wal::file::Log;
use crate::wal::record::RecordKind;
use crate::wal::salvage::{Piece, pieces};
use crate::{Error, ErrorKind, Result};
use std::collections::BTreeMap;

/// What `CURRENT` and the manifest that it names say.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    /// Names in the directory.
    pub(crate) names: Vec<FileName>,
    /// Whose the files have to be.
    pub(crate) belonging: Belonging,
    /// The slot that counts.
    pub(crate) slot: Option<Slot>,
    /// The other slot.
    pub(crate) previous: Option<Slot>,
    /// What the manifest that counts adds up to; `None` when that cannot be known.
    pub(crate) state: Option<ManifestState>,
    /// What follows the last whole edit of the manifest that counts \[bytes\].
    pub(crate) torn_bytes: u64,
    /// The oldest log that the manifest needs should be there, and is not.
    pub(crate) missing_log: bool,
    /// The database is open and a slot of `CURRENT` is damaged: no file is called obsolete.
    pub(crate) damaged_while_open: bool,
    /// A crash cut its creation short: nothing was in it, and opening begins anew.
    pub(crate) unfinished: bool,
}

/// Whose the logs and tables have to be, as far as it is known.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Belonging {
    pub(crate) owner: Owner,
    /// No manifest says from which number on files carry the identity, so those without one may be older.
    pub(crate) older_allowed: bool,
}

impl Belonging {
    /// What file `number` has to carry, when it says of itself that it carries `found`.
    pub(crate) fn expected(self, number: FileNumber, found: Option<Identity>) -> Option<Identity> {
        if found.is_none() && self.older_allowed { None } else { self.owner.of(number) }
    }

    /// The log `number`, whose bytes are `file`.
    pub(crate) fn wal(self, number: FileNumber, file: &[u8]) -> Log {
        let claimed = Log::claims(file);
        let expected = claimed.map(|(_, found)| self.expected(number, found));
        Log::wal(number, expected.unwrap_or_else(|| self.owner.of(number)))
    }

    /// What most of the files in `names` carry, for want of anything that says it.
    ///
    /// # Errors
    /// `WouldBlock`.
    pub(crate) fn of_most(storage: &dyn Storage, names: &[FileName]) -> Result<Self> {
        let mut counts: BTreeMap<Identity, usize> = BTreeMap::new();
        for name in names {
            match manifest::claims(storage, *name) {
                Ok(Some((_, Some(identity)))) => *counts.entry(identity).or_default() += 1,
                Err(error) if error.blocked_on().is_some() => return Err(error),
                _ => {}
            }
        }
        let most = counts.into_iter().max_by_key(|(identity, count)| (*count, *identity));
        let owner = Owner { identity: most.map(|(identity, _)| identity), from: 0 };
        Ok(Self { owner, older_allowed: true })
    }
}

impl Frame {
    /// What there is, for those who go by it without telling what is wrong.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(crate) fn read_quietly(storage: &Evidence) -> Result<Self> {
        Self::read(storage, &storage.list()?, &mut Found::default())
    }

    /// Reads `CURRENT` and the manifests of a database that nobody has open.
    ///
    /// # Errors
    /// `NotFound` when there is no database; `WouldBlock`; those of listing the directory.
    pub(super) fn read(storage: &Evidence, listed: &[String], found: &mut Found) -> Result<Self> {
        let mut frame = Self::read_named(storage, listed, found)?;
        match (&frame.state, frame.slot) {
            (Some(state), _) => frame.belonging.owner.from = state.identified_from,
            (None, _) => frame.belonging = Belonging::of_most(storage, &frame.names)?,
        }
        Ok(frame)
    }

    /// [`Self::read`], before it is known whose logs and tables have to be.
    fn read_named(storage: &Evidence, listed: &[String], found: &mut Found) -> Result<Self> {
        let names: Vec<FileName> = listed.iter().filter_map(|name| FileName::parse(name)).collect();
        if !names.iter().any(|name| *name != FileName::Lock) {
            return Err(Error::new(ErrorKind::NotFound, "there is no database here"));
        }
        let mut frame = Self { names, ..Self::default() };
        let bytes = found.take(FileName::Current, read_current(storage))?;
        let Some(bytes) = bytes else { return Ok(frame) };
        if let Some(bytes) = &bytes {
            found.read_whole(FileName::Current, bytes.len() as u64);
        }
        let directory =
            manifest::Found { storage, names: frame.names.clone(), left_alone: Vec::new() };
        if found.take(FileName::Current, Self::is_unfinished(&directory, bytes.as_deref()))?
            == Some(true)
        {
            frame.unfinished = true;
            let what = "a crash interrupted the creation of this database: nothing was in it, and \
                        opening begins anew";
            found.say(Severity::Warning, &FileName::Current, None, what);
            return Ok(frame);
        }
        let Some(bytes) = bytes else {
            let what = "it does not exist, so nothing says which manifest counts";
            found.error(FileName::Current, None, what);
            frame.newest_manifest(storage, found)?;
            return Ok(frame);
        };
        frame.slots(&bytes, found);
        let Some(slot) = frame.slot else {
            found.error(FileName::Current, 0, super::current::NO_SLOT);
            frame.newest_manifest(storage, found)?;
            return Ok(frame);
        };
        if frame.previous.is_none() {
            if found.take(FileName::Current, directory.refuse_stale(slot))?.is_none() {
                frame.slot = None;
                frame.newest_manifest(storage, found)?;
                return Ok(frame);
            }
            let _ = super::current::lost_slot(&bytes, slot, found);
        }
        let name = FileName::Manifest(slot.manifest);
        let opened = storage.open(name).and_then(|file| read_whole(&*file, name));
        let Some(bytes) = found.take(name, opened)? else { return Ok(frame) };
        frame.manifest(Log::manifest(slot.manifest, slot.identity), &bytes, found);
        if let Some(state) = &frame.state {
            let log = FileName::Wal(state.log_number);
            frame.missing_log = found.take(log, directory.require_log(slot, state))?.is_none();
        }
        frame.fallback(storage, found)?;
        Ok(frame)
    }

    /// Whether opening takes this for a database that was being created, as [`manifest::Found`] has it:
    /// nothing names a manifest, and there is neither a log nor a table with content.
    ///
    /// # Errors
    /// `UnsupportedFormat`; those of the storage.
    fn is_unfinished(directory: &manifest::Found<'_>, current: Option<&[u8]>) -> Result<bool> {
        let named = |bytes: &[u8]| -> Result<bool> {
            Ok(current::decode(bytes, 0)?.is_some() || current::decode(bytes, 1)?.is_some())
        };
        let named = current.map_or(Ok(false), named);
        // A slot of a newer version is told where the slots are taken apart.
        Ok(matches!(named, Ok(false)) && directory.data_file(0)?.is_none())
    }

    /// Goes by the newest manifest, because nothing says which one counts. An older one would be out of
    /// date, so there is none when that one is damaged.
    fn newest_manifest(&mut self, storage: &Evidence, found: &mut Found) -> Result<()> {
        let manifests = self.names.iter().filter(|name| matches!(name, FileName::Manifest(_)));
        let Some(name) = manifests.max().copied() else { return Ok(()) };
        let opened = storage.open(name).and_then(|file| read_whole(&*file, name));
        if let Some(bytes) = found.take(name, opened)? {
            self.manifest(Log::claimed(name, &bytes)?, &bytes, found);
            found.say(
                Severity::Note,
                &name,
                None,
                "everything else is compared with this, the newest manifest",
            );
        }
        Ok(())
    }

    /// Numbers of the logs that the manifest needs, ascending; of all logs without a manifest.
    pub(crate) fn logs(&self) -> Vec<FileNumber> {
        let oldest = self.state.as_ref().map_or(0, |state| state.log_number);
        let logs = self.names.iter().filter_map(|name| match name {
            FileName::Wal(number) => Some(*number),
            _ => None,
        });
        let mut logs: Vec<FileNumber> = logs.filter(|number| *number >= oldest).collect();
        logs.sort_unstable();
        logs
    }

    /// Number of the manifest that counts; no file has a larger one when there is none.
    pub(super) fn manifest_number(&self) -> FileNumber {
        self.slot.map_or(FileNumber::MAX, |slot| slot.manifest)
    }

    /// Replays the manifest `log`, whose bytes are `bytes`.
    pub(super) fn manifest(&mut self, log: Log, bytes: &[u8], found: &mut Found) {
        let name = log.name();
        found.read_whole(name, bytes.len() as u64);
        self.belonging.owner.identity = log.identity();
        match manifest::replay_bytes(bytes, log) {
            Ok(state) => {
                self.torn_bytes = (bytes.len() as u64).saturating_sub(state.valid_bytes);
                if self.torn_bytes > 0 {
                    let what = format!("{}: they are ignored", torn(self.torn_bytes));
                    found.say(Severity::Warning, &name, state.valid_bytes, what);
                }
                numbers(log, bytes, found);
                self.state = Some(state);
            }
            Err(error) => {
                found.error(name, error.offset(), error.message());
                let offset = error.offset().unwrap_or(0);
                let later = pieces(bytes, log).filter(
                    |piece| matches!(piece, Piece::Record(record) if record.offset as u64 > offset),
                );
                let count = later.count();
                if count > 0 {
                    let what = format!("records after the damage that can still be read: {count}");
                    found.say(Severity::Note, &name, offset, what);
                }
            }
        }
    }

    /// The manifest of the older slot: it counts only when the newer slot is damaged.
    fn fallback(&self, storage: &Evidence, found: &mut Found) -> Result<()> {
        let Some(previous) = self.previous else { return Ok(()) };
        let log = Log::manifest(previous.manifest, previous.identity);
        let name = log.name();
        let opened = storage.open(name).and_then(|file| read_whole(&*file, name));
        let opened = opened.inspect(|bytes| found.read_whole(name, bytes.len() as u64));
        let replayed = opened.and_then(|bytes| Ok((manifest::replay_bytes(&bytes, log)?, bytes)));
        match replayed {
            Ok((state, bytes)) => {
                if state.valid_bytes < bytes.len() as u64 {
                    let what =
                        format!("an edit at its end is torn; {}", super::report::ONLY_FALLBACK);
                    found.say(Severity::Warning, &name, state.valid_bytes, what);
                }
                Ok(())
            }
            // A failure of the storage counts, whatever file it meets.
            Err(error) if !matches!(error.kind(), ErrorKind::Corruption | ErrorKind::NotFound) => {
                found.damage(name, &error)
            }
            Err(error) => {
                let what = format!("{}; {}", error.message(), super::report::ONLY_FALLBACK);
                found.say(Severity::Warning, &name, error.offset(), what);
                Ok(())
            }
        }
    }

    /// Tells which files are missing and, if `CURRENT` says what counts, which are obsolete. With `storage`, spare files are asked whose
    /// they are: opening refuses to delete those of another database.
    ///
    /// # Errors
    /// `WouldBlock`.
    pub(super) fn files(
        &self,
        listed: &[String],
        storage: Option<&Evidence>,
        is_known: &dyn Fn(FileName) -> bool,
        found: &mut Found,
    ) -> Result<()> {
        for name in listed.iter().filter(|name| FileName::parse(name).is_none()) {
            found.say(Severity::Note, name, None, "not a file of this database: it is left alone");
        }
        let Some(state) = &self.state else { return Ok(()) };
        for (level, meta) in state.version.tables() {
            let name = FileName::Table(meta.number);
            if !self.names.contains(&name) {
                let what = format!("the manifest has it in L{level}, but it does not exist");
                found.error(name, None, what);
            }
        }
        // An opening that fails deletes nothing.
        let opens = !found.has_errors();
        for name in &self.names {
            let needed = match name {
                FileName::Current | FileName::Lock | FileName::Other(_) => true,
                FileName::Manifest(number) => {
                    let slots = [self.slot, self.previous];
                    self.slot.is_none()
                        || slots.iter().flatten().any(|slot| slot.manifest == *number)
                }
                FileName::Wal(number) => *number >= state.log_number,
                FileName::Table(number) => {
                    state.version.tables().any(|(_, meta)| meta.number == *number)
                }
            };
            if needed || is_known(*name) {
                continue;
            }
            let claims = storage.map(|storage| manifest::claims(storage, *name));
            let claimed = found.take(*name, claims.unwrap_or(Ok(None)))?.flatten();
            let stranger =
                claimed.and_then(|(_, found)| manifest::stranger(self.belonging.owner, found));
            let whose = storage.map(|storage| survey::spare(storage, *name));
            let whose = found.take(*name, whose.unwrap_or(Ok(Spare::Own)))?;
            match (stranger, whose) {
                (Some(what), _) => {
                    found.error(*name, 0, format!("{what}; opening refuses to delete it"));
                }
                (None, Some(Spare::Of(program))) => {
                    let what = format!("it is a file of {program}; opening refuses to delete it");
                    found.error(*name, None, what);
                }
                (None, Some(Spare::Unknown)) => {
                    let what = "nothing in it says whose it is: it is left alone";
                    found.say(Severity::Note, name, None, what);
                }
                // Nothing says which manifest counts.
                (None, _) if self.slot.is_none() || self.damaged_while_open => {}
                (None, _) => {
                    let after = if opens { "" } else { " that succeeds" };
                    let what = format!("it is obsolete: the next opening{after} deletes it");
                    found.say(Severity::Warning, name, None, what);
                }
            }
        }
        Ok(())
    }
}

/// What can be said of bytes that follow the last whole record of a file, as a clause. A crash leaves such
/// bytes of a write that was never durable, but so does a file that was cut.
pub(super) fn torn(bytes: u64) -> String {
    if bytes == 1 {
        return "the last byte is no whole record; nothing in the file says that it was durable"
            .into();
    }
    let bytes = text::bytes(bytes);
    format!("the last {bytes} are no whole record; nothing in the file says that they were durable")
}

/// Checks that no edit adds a table whose number was still free when it was written.
fn numbers(log: Log, bytes: &[u8], found: &mut Found) {
    let mut next_file = 0;
    for piece in pieces(bytes, log) {
        let Piece::Record(record) = piece else { break };
        if record.header.kind != RecordKind::Edit {
            continue;
        }
        let Ok(edit) = VersionEdit::decode(record.body, log.name(), 0) else { break };
        next_file = next_file.max(edit.next_file.unwrap_or(0));
        if let Some((_, meta)) = edit.added.iter().find(|(_, meta)| meta.number >= next_file) {
            let number = meta.number;
            let what = format!("it adds table {number}, but numbers from {next_file} on are free");
            found.error(log.name(), record.offset as u64, what);
        }
    }
}
