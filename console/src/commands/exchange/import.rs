//! `import`: files from outside as a branch in memory: a database of Levelscope, or a log of entries.

use crate::commands::time::room;
use crate::history::{Image, Journal};
use crate::host::Foreign;
use crate::language::Args;
use crate::language::lexer::Statement;
use crate::output::{Answer, Failure, OutputLine};
use crate::session::{Session, Stop, Task, Turn};
use crate::text;
use levelscope::inspect::own_name;
use levelscope::storage::{FileName, MemoryStorage};
use levelscope::{Check, Db, Maintenance, Options, WriteBatch};
use levelscope_foreign::name::plain;
use levelscope_formats::kvdb;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A batch is written when it has so many bytes.
const BATCH_BYTES: usize = 256 << 10;
/// Blocks, logs or entries that one step checks.
const UNITS: usize = 64;
/// Files up to here become a database with the options in use \[bytes\].
const SMALL_BYTES: u64 = 256 << 10;

pub(super) fn start(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 1, "a directory of Levelscope, or a log of entries")?;
    let path = args.text(0).ok_or_else(|| args.verb.misused("a path is text"))?.to_owned();
    let skip_damage = args.has("--skip-damage");
    Ok(Box::new(Importing { skip_damage, ..Importing::of(Source::Path(path)) }))
}

/// Where the files come from.
enum Source {
    /// The host reads them.
    Path(String),
    /// They are here.
    Files(Vec<Foreign>),
}

/// A database on its way in: copied, checked from end to end, then opened. The one that is open stays as it
/// is, on its branch.
pub(crate) struct Importing {
    source: Source,
    skip_damage: bool,
    check: Option<(Check, MemoryStorage)>,
    checked: bool,
}

impl Importing {
    fn of(source: Source) -> Self {
        Self { source, skip_damage: false, check: None, checked: false }
    }

    /// Takes `files`, which the host has read.
    pub(crate) fn of_files(files: Vec<Foreign>) -> Self {
        Self::of(Source::Files(files))
    }

    fn copy(&mut self, session: &mut Session) -> Result<(), Stop> {
        room(session)?;
        let files = match &mut self.source {
            Source::Path(path) => session.host.read_files(path)?,
            Source::Files(files) => std::mem::take(files),
        };
        let disk = match files.as_slice() {
            [log] if !is_own(log) => from_log(session, log, self.skip_damage)?,
            files => disk_of(session, files)?,
        };
        self.check = Some((Check::new(Arc::new(disk.clone()))?, disk));
        Ok(())
    }
}

/// Whether `file` names the files of a database of Levelscope that count.
fn is_own(file: &Foreign) -> bool {
    plain(&file.name) == "CURRENT" && own_name("CURRENT", &file.bytes) == Some(FileName::Current)
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

/// Prints the parts left out of an import.
fn print_skipped(session: &mut Session, skipped: &[String], may_be_older: bool) {
    for what in skipped {
        let line = OutputLine::new().with(crate::output::Style::Bad, "skipped").plain("  ");
        session.print(line.plain(text::printable(what)));
    }
    if may_be_older {
        session.print(OutputLine::note(crate::output::MAY_BE_OLDER));
    }
}

/// A database with the live entries of a log of format `kvdb-log`, on a disk of its own.
fn from_log(
    session: &mut Session,
    log: &Foreign,
    skip_damage: bool,
) -> Result<MemoryStorage, Stop> {
    let (mut newest, mut skipped) = (BTreeMap::new(), Vec::new());
    for entry in kvdb::entries(&log.bytes) {
        match entry {
            Ok(entry) => {
                newest.insert(entry.key, entry.value);
            }
            Err(error) if skip_damage => skipped.push(format!("{}: {error}", log.name)),
            Err(error) => {
                let name = text::printable(&log.name);
                let failure = Failure::new("corruption", format!("{name}: {error}"));
                return Err(failure.hint(NOT_A_LOG).into());
            }
        }
    }
    let (db, disk) = new_database(session, log.bytes.len() as u64)?;
    let (mut batch, mut live) = (WriteBatch::new(), 0_u64);
    for (key, value) in &newest {
        // A tombstone hides nothing that is not here.
        let Some(value) = value else { continue };
        batch.put(key, value)?;
        live += 1;
        if batch.bytes() >= BATCH_BYTES {
            db.write(&batch, None)?;
            batch.clear();
        }
    }
    db.write(&batch, None)?;
    db.request_flush()?;
    db.close()?;
    print_skipped(session, &skipped, !skipped.is_empty());
    let (count, name) = (text::counted(live, "live entry"), text::printable(&log.name));
    session.print(OutputLine::text(format!("{count} taken from {name}.")));
    Ok(disk)
}

/// The hint for files that are no log.
const NOT_A_LOG: &str = "import takes a directory of Levelscope or a kvdb-log; --skip-damage leaves out damaged parts; \
     `levelscope FILE --read-only -c \"convert kvdb-log --name log; save log\"` makes one of other files";

/// A disk with those of `files` that belong to a database.
fn disk_of(session: &mut Session, files: &[Foreign]) -> Result<MemoryStorage, Failure> {
    let disk = MemoryStorage::default();
    let (mut foreign, mut has_current) = (0_u64, false);
    for file in files {
        let plain = plain(&file.name);
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
        return Err(failure.hint("`levelscope FILE --read-only` looks into single files"));
    }
    if foreign > 0 {
        let count = text::counted(foreign, "file");
        session.print(OutputLine::note(format!("{count} with other names left out.")));
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
    session.print(line.plain(", a branch of its own in memory; nothing else was changed."));
    opened?;
    Ok(Turn::Done(Answer::other(state)))
}
