//! Files that stand in place of those of a database: pointers of Git, and encrypted bytes.

use super::first_records;
use crate::name::FileName;
use crate::problem::{Problem, Severity, Standing};
use crate::table::magic_engine;
use crate::text::count;
use crate::{Error, Files, Result};

/// Pointers are shorter, and so much of a file is looked at \[bytes\].
const HEAD_BYTES: usize = 1024;

/// First bytes of pointers in place of files, their names, and the command that fetches the files.
const POINTERS: [(&[u8], &str, &str); 2] = [
    (b"version https://git-lfs.github.com/spec/v1", "Git LFS", "git lfs pull"),
    (b"/annex/objects/", "git-annex", "git annex get"),
];

/// The command that fetches the files that `problem` reports pointers of.
pub(crate) fn fetching(problem: &Problem) -> Option<&'static str> {
    let mut commands = POINTERS.iter().map(|(_, _, command)| *command);
    commands.find(|command| problem.message.contains(&format!("run `{command}`")))
}

/// Finds pointers of Git in place of files.
///
/// # Errors
/// `NotRead` when the `manifest` is one; those of the host.
pub(super) fn pointers(
    files: &dyn Files,
    manifest: &str,
    problems: &mut Vec<Problem>,
) -> Result<()> {
    let mut found: Vec<(&str, usize)> = Vec::new();
    // On Unix a process that closes LOCK gives up the lock that it holds on it.
    let is_read = |name: &str| FileName::parse(name) != FileName::Ignored;
    let small = files.list().iter().filter(|file| file.bytes < HEAD_BYTES as u64);
    for file in small.filter(|file| is_read(&file.name)) {
        let head = head(files, &file.name)?;
        let which = POINTERS.iter().position(|(begin, ..)| head.starts_with(begin));
        found.extend(which.map(|which| (file.name.as_str(), which)));
    }
    for (which, (_, program, command)) in POINTERS.iter().enumerate() {
        let names = || found.iter().filter(|(_, of)| *of == which).map(|(name, _)| *name);
        let Some(first) = names().next() else { continue };
        let all = count(names().count() as u64, "file");
        let way = format!("run `{command}` in the repository, then look again");
        if names().any(|name| name == manifest) {
            let message =
                format!("it is a pointer of {program} in place of the file, as {all} here: {way}");
            return Err(Error::not_read(message).in_file(manifest));
        }
        let message = format!(
            "{all} here, this one first: a pointer of {program} in place of the file; {way}"
        );
        let problem = Problem::new(Severity::Error, first, message);
        problems.push(problem.standing(Standing::Missing));
    }
    Ok(())
}

/// Whether nothing in the files looks like a database although their names do.
///
/// # Errors
/// `NotRead` then; those of the host.
pub(super) fn refuse_encrypted(
    files: &dyn Files,
    names: &[(FileName, &str)],
    manifest: &str,
) -> Result<()> {
    // Files that a crash has left empty, full of zeros or cut off are looked at; text is no cipher.
    let current = head(files, "CURRENT").unwrap_or_default();
    let is_text = |byte: &u8| matches!(byte, 0 | b'\t' | b'\n' | b'\r' | 0x20..=0x7e);
    let is_blank = head(files, manifest)?.iter().all(|byte| *byte == 0);
    if is_blank || current.iter().all(is_text) {
        return Ok(());
    }
    if !first_records(files, manifest)?.is_empty() || has_magic(files, names) {
        return Ok(());
    }
    let begin: Vec<u8> = current.iter().take(4).copied().collect();
    let data = |name: &FileName| matches!(name, FileName::Table(_) | FileName::Manifest(_));
    let mut same = begin.len() == 4;
    for (_, name) in names.iter().filter(|(name, _)| data(name)).take(FILES_MAX) {
        same &= head(files, name)?.starts_with(&begin);
    }
    let begins = if same {
        let hex: Vec<String> = begin.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("; all of them begin with {}", hex.join(" "))
    } else {
        String::new()
    };
    let message = format!(
        "nothing in these files but their names looks like LevelDB: CURRENT holds no text, {manifest} no record, no \
         table ends in a magic number{begins}. They may be encrypted, as some worlds of Minecraft are: open the copy \
         that the program itself decrypts or exports"
    );
    Err(Error::not_read(message))
}

/// Tables and manifests whose beginnings or ends are looked at.
const FILES_MAX: usize = 8;

/// Whether a table ends in the magic number of one.
fn has_magic(files: &dyn Files, names: &[(FileName, &str)]) -> bool {
    let tables = names.iter().filter(|(name, _)| matches!(name, FileName::Table(_)));
    tables.take(FILES_MAX).any(|(_, name)| magic_engine(files, name).is_some())
}

/// The first bytes of a file. One that the host cannot read has none; the reader that needs it reports it.
fn head(files: &dyn Files, name: &str) -> Result<Vec<u8>> {
    let mut head = vec![0; HEAD_BYTES];
    let read = files.read_at(name, 0, &mut head);
    let read = super::evidence::readable(read)?.unwrap_or(0);
    head.truncate(read);
    Ok(head)
}
