//! Levelscope's own directories: `CURRENT` has two slots, and the newer one names the manifest. Flaws of single files.

use super::Recognized;
use crate::files::{content_name, stored_name};
use crate::name::FileName;
use crate::{Engine, Error, ErrorKind, FileInfo, Files, Problem, Result, Severity};
use levelscope::inspect::annotate;
use levelscope::internals::manifest::{SLOT_BYTES, Slot, slot};
use levelscope::internals::wal::Log;
use levelscope::storage;

/// Bytes of the header of a log.
const HEADER_BYTES: usize = 40;
/// Longer manifests are not searched for flaws when they are single files \[bytes\].
const WHOLE_BYTES_MAX: u64 = 64 << 20;

/// The first flaw of each manifest and each `CURRENT` among single files.
pub(crate) fn flaws(files: &dyn Files) -> impl Iterator<Item = Problem> {
    let is_one = |file: &&FileInfo| {
        matches!(files.kind(&file.name), FileName::Manifest(_) | FileName::Current)
    };
    files.list().iter().filter(is_one).filter_map(|file| {
        let bytes = files.read_whole(&file.name, WHOLE_BYTES_MAX).ok()?;
        let defects = annotate(stored_name(files, &file.name)?, &bytes).ok()?.defects();
        let first = defects.into_iter().find(|defect| !defect.is_unread)?;
        Some(Problem::new(Severity::Error, &file.name, first.why).at(first.offset))
    })
}

/// The directory, when it is one of Levelscope: `CURRENT` or the newest manifest begins with a magic number.
///
/// # Errors
/// `Invalid` without a manifest: its files are looked at one by one; `NotRead` for a newer format; those of the host.
pub(super) fn recognized(
    files: &dyn Files,
    names: &[(FileName, &str)],
    newest: Option<&str>,
) -> Result<Option<Recognized>> {
    let mut current = vec![0; 2 * SLOT_BYTES];
    let has_current = names.iter().any(|(name, _)| *name == FileName::Current);
    if has_current {
        let read = files.read_at("CURRENT", 0, &mut current);
        current.truncate(read.map_err(|error| error.in_file("CURRENT"))?);
    }
    let in_current =
        has_current && content_name(files, "CURRENT") == Some(storage::FileName::Current);
    let content = newest.and_then(|name| content_name(files, name));
    let in_manifest = matches!(content, Some(storage::FileName::Manifest(_)));
    if !in_current && !in_manifest {
        return Ok(None);
    }
    let mut slots = Vec::new();
    for place in 0..2 {
        slots.extend(slot(&current, place).map_err(|error| Error::from(error).in_file("CURRENT"))?);
    }
    let named = slots.iter().max_by_key(|slot: &&Slot| slot.epoch);
    let evidence = match named {
        Some(slot) => {
            format!("CURRENT has epoch {} of Levelscope, with a right checksum.", slot.epoch)
        }
        None => {
            format!("{} begins with the magic number of Levelscope.", newest.unwrap_or("CURRENT"))
        }
    };
    let (manifest, problem) = manifest(names, newest, named)?;
    let mut problems: Vec<Problem> = problem.into_iter().collect();
    for (name, file) in names.iter().filter(|(name, _)| matches!(name, FileName::Log { .. })) {
        problems.extend(named.and_then(|slot| stranger(files, (name, file), slot)));
    }
    Ok(Some(Recognized {
        engine: Engine::Levelscope,
        evidence: vec![evidence],
        manifest,
        format_version: None,
        problems,
    }))
}

/// A finding when the header of a log has another identity than `CURRENT`. One that cannot be read is reported by those
/// who need it.
fn stranger(files: &dyn Files, (name, file): (&FileName, &str), slot: &Slot) -> Option<Problem> {
    let mut header = vec![0; HEADER_BYTES];
    let read = files.read_at(file, 0, &mut header).ok()?;
    let (_, identity) = Log::claims(header.get(..read)?)?;
    let is_other = slot.identity.is_some() && identity.is_some() && identity != slot.identity;
    let number = name.number().unwrap_or(0);
    is_other.then(|| {
        let message = format!(
            "log {number} belongs to another database: its identity is not that in CURRENT"
        );
        Problem::new(Severity::Error, file, message)
    })
}

/// The manifest that counts, and the finding when it is not the one that `CURRENT` names.
fn manifest(
    names: &[(FileName, &str)],
    newest: Option<&str>,
    slot: Option<&Slot>,
) -> Result<(String, Option<Problem>)> {
    let of =
        |slot: &Slot| names.iter().find(|(name, _)| *name == FileName::Manifest(slot.manifest));
    if let Some((_, name)) = slot.and_then(of) {
        return Ok(((*name).to_owned(), None));
    }
    let Some(newest) = newest else {
        let message = "this is a database of Levelscope whose manifest is missing";
        return Err(Error::new(ErrorKind::Invalid, message));
    };
    let (file, message) = if let Some(slot) = slot {
        let named = format!("MANIFEST-{:06}", slot.manifest);
        (named, format!("the manifest that CURRENT names is missing; {newest} is used"))
    } else {
        let message = format!("no slot of it is valid; {newest}, the newest, is used");
        ("CURRENT".to_owned(), message)
    };
    Ok((newest.to_owned(), Some(Problem::new(Severity::Error, &file, message))))
}
