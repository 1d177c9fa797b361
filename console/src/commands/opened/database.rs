//! A whole database from outside, as a branch in memory.

use super::newest::newest;
use crate::commands::time::room;
use crate::history::{Image, Journal};
use crate::language::Args;
use crate::language::lexer::Statement;
use crate::output::{Failure, OutputLine};
use crate::session::{Session, Stop, Task, Turn, structured};
use crate::shelf::{OpenedFile, place_of};
use crate::text;
use levelscope::storage::{FileName, MemoryStorage};
use levelscope::{Check, Db, Maintenance, Options, WriteBatch};
use std::sync::Arc;

/// A batch is written when it has so many bytes.
const BATCH_BYTES: usize = 256 << 10;
/// Blocks, logs or entries that one step checks.
const UNITS: usize = 64;
/// Files up to here become a database with the options in use \[bytes\].
const SMALL_BYTES: u64 = 256 << 10;

pub(super) fn start(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 1, "a directory of opened files, such as @mydb, or a file with entries")?;
    let shown = text::short_word(&args.bytes(0), 64);
    let typed = args.text(0).map(|word| word.trim_start_matches('@').trim_end_matches('/'));
    let skip_damage = args.has("--skip-damage");
    let Some(directory) = typed.map(str::to_owned) else {
        return Err(Failure::usage(format!("{shown} is no name of a directory")));
    };
    Ok(Box::new(Importing { directory, shown, skip_damage, check: None, checked: false }))
}

/// The opened files of `directory`, or of that in which the file of this name is.
fn files_of(session: &Session, directory: &str) -> Vec<Arc<OpenedFile>> {
    let all = session.shelf.all();
    let of_file = all.iter().find(|file| file.name == directory).map(|file| place_of(&file.name));
    let wanted = of_file.unwrap_or(directory).to_owned();
    all.into_iter().filter(|file| place_of(&file.name) == wanted).collect()
}

/// A database on its way in: copied, checked from end to end, then opened. The one that is open stays as it
/// is, on its branch.
struct Importing {
    directory: String,
    /// As it was typed.
    shown: String,
    skip_damage: bool,
    check: Option<(Check, MemoryStorage)>,
    checked: bool,
}

impl Importing {
    fn copy(&mut self, session: &mut Session) -> Result<(), Stop> {
        room(session)?;
        let files = files_of(session, &self.directory);
        if files.is_empty() {
            let failure = Failure::usage(format!("no file is open under {}", self.shown));
            return Err(failure
                .hint("`open DIR` opens the files of a directory; the page takes zip archives, too")
                .into());
        }
        let disk = match self.alone(session, &files) {
            Some(file) => from_file(session, &file, self.skip_damage)?,
            None => disk_of(session, &files)?,
        };
        self.check = Some((Check::new(Arc::new(disk.clone()))?, disk));
        Ok(())
    }

    /// The file that is named, when it stands for itself: no file beside it says that it is part of a
    /// database.
    fn alone(&self, session: &Session, beside: &[Arc<OpenedFile>]) -> Option<Arc<OpenedFile>> {
        let file = session.shelf.find(&format!("@{}", self.directory))?;
        let is_part = beside.iter().any(|file| is_own(file));
        (!is_part).then_some(file)
    }
}

/// Whether `file` says which files of a database of Levelscope count.
fn is_own(file: &OpenedFile) -> bool {
    file.name.ends_with("CURRENT") && file.is("levelscope-current")
}

/// An empty database on a disk of its own, for data of `bytes` \[bytes\].
fn new_database(session: &Session, bytes: u64) -> Result<(Db, MemoryStorage), Stop> {
    // Options for lessons would cut much data into thousands of tables.
    let small = bytes <= SMALL_BYTES;
    let options = if small { session.options.clone() } else { Options::default() };
    let options = options.maintenance(Maintenance::Inline);
    let disk = MemoryStorage::default();
    let db = Db::builder().options(options).open_in(Arc::new(disk.clone()))?;
    Ok((db, disk))
}

/// Tells what was left out of an import.
fn tell_skipped(session: &mut Session, skipped: &[String], may_be_older: bool) {
    for what in skipped {
        let line = OutputLine::new().with(crate::output::Style::Bad, "skipped").plain("  ");
        session.say(line.plain(text::printable(what)));
    }
    if may_be_older {
        session.say(OutputLine::note(crate::output::MAY_BE_OLDER));
    }
}

/// A database with the live entries of one file, on a disk of its own: a table that was exported, say.
fn from_file(
    session: &mut Session,
    file: &OpenedFile,
    skip_damage: bool,
) -> Result<MemoryStorage, Stop> {
    let found = newest(file, skip_damage)?;
    let (db, disk) = new_database(session, file.bytes.len() as u64)?;
    let (mut batch, mut live) = (WriteBatch::new(), 0_u64);
    for entry in &found.entries {
        // A tombstone hides nothing that is not here.
        let Some(value) = &entry.value else { continue };
        batch.put(&entry.key, value)?;
        live += 1;
        if batch.bytes() >= BATCH_BYTES {
            db.write(&batch, None)?;
            batch.clear();
        }
    }
    db.write(&batch, None)?;
    db.request_flush()?;
    db.close()?;
    tell_skipped(session, &found.skipped, !found.skipped.is_empty());
    let count = text::counted(live, "live entry");
    session.say(OutputLine::text(format!("{count} taken from @{}.", file.name)));
    Ok(disk)
}

/// A disk with those of `files` that belong to a database.
fn disk_of(session: &mut Session, files: &[Arc<OpenedFile>]) -> Result<MemoryStorage, Failure> {
    let disk = MemoryStorage::default();
    let (mut foreign, mut has_current) = (0_u64, false);
    for file in files {
        let plain = file.name.rsplit('/').next().unwrap_or_default();
        match FileName::parse(plain) {
            Some(FileName::Lock) => {}
            Some(_) => {
                has_current |= is_own(file);
                disk.put(plain, &file.bytes);
            }
            None => foreign += 1,
        }
    }
    if !has_current {
        let message = "this is no database of Levelscope: its file CURRENT is missing";
        let failure = Failure::new("notFound", message);
        return Err(failure.hint("`layout` and `entries` look into single files"));
    }
    if foreign > 0 {
        let count = text::counted(foreign, "file");
        session.say(OutputLine::note(format!("{count} with other names left out.")));
    }
    Ok(disk)
}

impl Task for Importing {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let Some((check, disk)) = &mut self.check else {
            self.copy(session)?;
            return Ok(Turn::More);
        };
        if self.checked {
            let disk = disk.clone();
            // It holds the lock.
            self.check = None;
            return open(session, disk);
        }
        for _ in 0..UNITS {
            if !check.step()? {
                self.checked = true;
                break;
            }
        }
        if !self.checked {
            return Ok(Turn::More);
        }
        let report = check.report();
        if !report.is_sound() {
            let problems: Vec<String> = report.problems().into_iter().take(3).collect();
            let message = format!("the database is damaged: {}", problems.join("; "));
            let hint = "nothing was changed; `layout` and `hex` show its files; or repair it: \
                        levelscope repair DIR NEW";
            let failure = Failure {
                kind: "corruption".into(),
                message: text::printable(&message),
                hint: None,
            };
            return Err(failure.hint(hint).into());
        }
        // The host sends the events of this branch before it switches to another one.
        Ok(Turn::Breath)
    }

    fn position(&self) -> (u64, Option<u64>) {
        let position = self.check.as_ref().map(|(check, _)| check.position());
        position.map_or((0, None), |(done, total)| (done, Some(total)))
    }
}

/// Opens what is on `disk` as a new branch, with the options in use.
fn open(session: &mut Session, disk: MemoryStorage) -> Result<Turn, Stop> {
    let options = session.options.clone();
    let journal = Journal::new(Image::of(&disk), 0, None);
    let opened = session.open_branch("import", disk, journal, options);
    let state = session.branches().into_iter().find(|state| state.id == session.time.current());
    let name = state.as_ref().map(|state| state.name.clone()).unwrap_or_default();
    let line = OutputLine::text("The database was checked and opened. You are on ").strong(name);
    session.say(line.plain(", a branch of its own in memory; nothing else was changed."));
    opened?;
    Ok(Turn::Done(structured(state)))
}
