//! Findings about `CURRENT`, the manifests and the set of files, beside the errors of opening.

use super::report::{Severity, UnitReport};
use super::source::ReadOnlyStorage;
use super::{Live, LiveDisk};
use crate::manifest::current::{self, SLOT_BYTES, Slots};
use crate::manifest::{self, ManifestState, VersionEdit};
use crate::storage::{FileName, Storage, read_whole};
use crate::survey::{BEGUN, Belonging, Frame, ManifestFile, Role, no_manifest, out_of_date};
use crate::wal::file::Log;
use crate::wal::record::RecordKind;
use crate::wal::salvage::{Piece, pieces};
use crate::{ErrorKind, Result, text};

const CURRENT: FileName = FileName::Current;

/// Why damage to the manifest of the older slot loses nothing.
const ONLY_FALLBACK: &str = "nothing is lost: the newer slot of CURRENT names another manifest, and this one counts \
                             only when that slot is damaged";

/// Reads `CURRENT` and the manifest, which name the files that the database needs.
///
/// # Errors
/// `WouldBlock`.
pub(super) fn read(
    storage: &ReadOnlyStorage,
    names: Vec<FileName>,
    found: &mut UnitReport,
) -> Result<Frame> {
    let mut frame = Frame::read(storage, names, &mut |flaw| found.flaw(&flaw))?;
    frame.require_log(storage, &mut |flaw| found.flaw(&flaw))?;
    if let Some(bytes) = &frame.current {
        found.read_whole(CURRENT, bytes.len() as u64);
        slots(bytes, frame.slots, found);
    }
    if frame.begun {
        found.add(Severity::Warning, &CURRENT, None, BEGUN);
    } else if let (Some(bytes), Some(_)) = (&frame.current, frame.slot) {
        lost_slot(bytes, frame.slots, found);
    }
    if let Some(manifest) = &frame.manifest {
        remark_manifest(&frame, manifest, found);
        if frame.slot.is_none() {
            let what = "everything else is compared with this, the newest manifest";
            found.add(Severity::Note, &manifest.log.name(), None, what);
        }
    }
    if frame.manifest.is_some() {
        fallback(&frame, storage, found)?;
    }
    Ok(frame)
}

/// Compares the files of an open database with its state in memory.
pub(super) fn of_open(
    live: &Live,
    disk: &LiveDisk,
    names: Vec<FileName>,
    found: &mut UnitReport,
) -> Result<Frame> {
    let (number, bytes) = &disk.manifest;
    let mut frame = Frame { names, ..Frame::default() };
    if let Some(slots) = current_of_open(live, disk, &frame.names, found)? {
        (frame.slots, frame.slot) = (slots, slots.newest);
    }
    let log = Log::manifest(*number, live.owner.identity);
    frame.replay(log, bytes.clone(), &mut |flaw| found.flaw(&flaw))?;
    if let Some(manifest) = &frame.manifest {
        remark_manifest(&frame, manifest, found);
    }
    match &frame.state {
        Some(state) if state.version != disk.state.version => {
            let what = "its edits do not lead to the state of the open database";
            found.error(log.name(), None, what);
        }
        Some(_) => {}
        // Opening refuses such a manifest, so it deletes nothing.
        None => frame.slot = None,
    }
    // The open database follows its state in memory.
    frame.state = Some(ManifestState { version: (*live.version).clone(), ..disk.state.clone() });
    frame.belonging = Belonging { owner: live.owner, older_allowed: false };
    frame.require_tables(&mut |flaw| found.flaw(&flaw))?;
    Ok(frame)
}

/// Reports oddities of the slots.
fn slots(bytes: &[u8], slots: Slots, found: &mut UnitReport) {
    if let (Some(newest), Some(previous)) = (slots.newest, slots.previous)
        && previous.epoch + 1 != newest.epoch
    {
        let (older, newer) = (text::count(previous.epoch), text::count(newest.epoch));
        let what = format!("epochs {older} and {newer} do not follow");
        found.add(Severity::Warning, &CURRENT, None, what);
    }
    if bytes.len() > 2 * SLOT_BYTES && slots.newest.is_some() {
        let what = "the bytes after its slots are ignored";
        found.add(Severity::Note, &CURRENT, 2 * SLOT_BYTES as u64, what);
    }
}

/// Reports that only one slot is valid, unless it is the first slot ever written. Returns whether it did.
fn lost_slot(bytes: &[u8], slots: Slots, found: &mut UnitReport) -> bool {
    let Some(slot) = slots.newest.filter(|_| slots.previous.is_none()) else { return false };
    let other = current::slot_offset(slot.epoch.wrapping_add(1));
    let place = usize::try_from(other).unwrap_or(usize::MAX);
    let unused = bytes.iter().skip(place).take(SLOT_BYTES).all(|byte| *byte == 0);
    let lost = !(unused && slot.epoch == 1);
    if lost {
        let what = "this slot is damaged, or writing it was interrupted: the other one counts";
        found.add(Severity::Warning, &CURRENT, other, what);
    }
    lost
}

/// The slots of the `CURRENT` of an open database. When it does not name the manifest in use, the finding names the
/// consequence for the next opening. `None` when a slot is damaged: then no file is called obsolete.
fn current_of_open(
    live: &Live,
    disk: &LiveDisk,
    names: &[FileName],
    found: &mut UnitReport,
) -> Result<Option<Slots>> {
    let bytes = disk.current.as_deref();
    if let Some(bytes) = bytes {
        found.read_whole(CURRENT, bytes.len() as u64);
    }
    let read = Slots::of(bytes.unwrap_or_default(), &mut |flaw| found.flaw(&flaw))?;
    slots(bytes.unwrap_or_default(), read, found);
    let Some(slot) = read.newest else {
        let has_data = |name: &&FileName| match name {
            FileName::Wal(number) => disk.logs.iter().any(|log| log.0 == *number && log.1 > 0),
            FileName::Table(number) => live.version.tables().any(|table| table.1.number == *number),
            _ => false,
        };
        let data = names.iter().find(has_data).copied();
        let flaw = no_manifest(bytes, data);
        let opening = match data {
            Some(_) => "the next opening fails, and deletes nothing",
            None => "the next opening begins a new database, because this one has no data",
        };
        found.error(CURRENT, flaw.offset(), format!("{}: {opening}", flaw.message()));
        return Ok(None);
    };
    let in_use = disk.manifest.0;
    if slot.manifest == in_use {
        let whole = !lost_slot(bytes.unwrap_or_default(), read, found);
        return Ok(Some(read).filter(|_| whole));
    }
    let (named, needed) = (FileName::Manifest(slot.manifest), FileName::Manifest(in_use));
    let (offset, what) = if read.previous.is_some() {
        let what =
            format!("it names {named}, but {needed} is in use: the next opening goes by {named}");
        (None, what)
    } else {
        let what = if disk.state.was_used() {
            format!("{}: the next opening fails, and deletes nothing", out_of_date(needed))
        } else {
            format!(
                "the slot that named {needed} is damaged, so the next opening goes by {named}, which \
                 the older slot names"
            )
        };
        (Some(current::slot_offset(slot.epoch.wrapping_add(1))), what)
    };
    found.error(CURRENT, offset, what);
    Ok(None)
}

/// Reports oddities of the manifest that opening accepts, and the readable part of a damaged one.
fn remark_manifest(frame: &Frame, manifest: &ManifestFile, found: &mut UnitReport) {
    let ManifestFile { log, bytes, damaged_at } = manifest;
    let name = log.name();
    found.read_whole(name, bytes.len() as u64);
    if let Some(offset) = *damaged_at {
        let later = pieces(bytes, *log).filter(
            |piece| matches!(piece, Piece::Record(record) if record.offset as u64 > offset),
        );
        let later = later.count();
        if later > 0 {
            let later = text::count(later as u64);
            let what = format!("records after the damage that can still be read: {later}");
            found.add(Severity::Note, &name, offset, what);
        }
        return;
    }
    if frame.torn_bytes() > 0 {
        let what = format!("{}: they are ignored", torn(frame.torn_bytes()));
        found.add(Severity::Warning, &name, bytes.len() as u64 - frame.torn_bytes(), what);
    }
    // No edit may add a table whose number was still free when it was written.
    let mut next_file = 0;
    for piece in pieces(bytes, *log) {
        let Piece::Record(record) = piece else { return };
        if record.header.kind != RecordKind::Edit {
            continue;
        }
        let Ok(edit) = VersionEdit::decode(record.body, name, 0) else { return };
        next_file = next_file.max(edit.next_file.unwrap_or(0));
        if let Some((_, meta)) = edit.added.iter().find(|(_, meta)| meta.number >= next_file) {
            let number = meta.number;
            let what = format!("it adds table {number}, but numbers from {next_file} on are free");
            found.error(name, record.offset as u64, what);
        }
    }
}

/// The manifest of the older slot: it counts only when the newer slot is damaged.
fn fallback(frame: &Frame, storage: &ReadOnlyStorage, found: &mut UnitReport) -> Result<()> {
    let Some(previous) = frame.slots.previous else { return Ok(()) };
    let log = Log::manifest(previous.manifest, previous.identity);
    let name = log.name();
    let opened = storage.open(name).and_then(|file| read_whole(&*file, name));
    let opened = opened.inspect(|bytes| found.read_whole(name, bytes.len() as u64));
    let replayed = opened.and_then(|bytes| Ok((manifest::replay_bytes(&bytes, log)?, bytes)));
    match replayed {
        Ok((state, bytes)) => {
            if state.valid_bytes < bytes.len() as u64 {
                let what = format!("an edit at its end is torn; {ONLY_FALLBACK}");
                found.add(Severity::Warning, &name, state.valid_bytes, what);
            }
            Ok(())
        }
        // A failure of the storage counts, whatever file it meets.
        Err(error) if !matches!(error.kind(), ErrorKind::Corruption | ErrorKind::NotFound) => {
            found.flaw(&error)
        }
        Err(error) => {
            let what = format!("{}; {ONLY_FALLBACK}", error.message());
            found.add(Severity::Warning, &name, error.offset(), what);
            Ok(())
        }
    }
}

/// Reports the files that the database does not need, and their fate at the next opening, which deletes none unless it
/// `opens`. Each file is read to find its owner; one that an open database has deleted meanwhile has no finding.
///
/// # Errors
/// `WouldBlock`.
pub(super) fn spare_files(
    frame: &Frame,
    storage: &ReadOnlyStorage,
    is_known: &dyn Fn(FileName) -> bool,
    opens: bool,
    found: &mut UnitReport,
) -> Result<()> {
    for name in frame.names.iter().filter(|name| !is_known(**name)) {
        let role = frame.role(*name);
        if !matches!(role, Role::Spare | Role::Fallback) {
            continue;
        }
        let own = frame.is_own_spare(storage, *name);
        if own.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            continue;
        }
        match found.take(*name, own)? {
            Some(false) => {
                let what = "its owner is unknown: it is left alone";
                found.add(Severity::Note, name, None, what);
            }
            // Without a slot no manifest is known to count.
            Some(true) if role == Role::Spare && frame.slot.is_some() => {
                let after = if opens { "" } else { " that succeeds" };
                let what = format!("it is obsolete: the next opening{after} deletes it");
                found.add(Severity::Warning, name, None, what);
            }
            _ => {}
        }
    }
    Ok(())
}

/// Describes the bytes after the last whole record of a file, as a clause. A crash leaves them of a write that was
/// never durable; a truncated file ends so, too.
pub(super) fn torn(bytes: u64) -> String {
    if bytes == 1 {
        return "the last byte is no whole record; nothing in the file proves that it was durable"
            .into();
    }
    let bytes = text::bytes(bytes);
    format!(
        "the last {bytes} are no whole record; nothing in the file proves that they were durable"
    )
}
