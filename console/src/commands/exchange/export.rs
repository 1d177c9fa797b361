//! `export`: files for a person to keep.

use crate::history::{Copied, Copying};
use crate::host::Foreign;
use crate::language::Args;
use crate::language::lexer::Statement;
use crate::output::{Answer, Failure, OutputLine};
use crate::result::ExportedResult;
use crate::session::{Session, Stop, Task, Turn};
use crate::text;
use levelscope::{DbIterator, ScanOptions};
use levelscope_formats::exchange::{Export, ExportOptions};
use levelscope_formats::kvdb;

pub(super) fn start(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    if args.has("--leveldb") && args.has("--entries") {
        return Err(args.verb.misused("--leveldb and --entries are two forms: one of them"));
    }
    if args.has("--leveldb") {
        return Ok(Box::new(Converting { export: None, files: Vec::new() }));
    }
    if args.has("--entries") {
        return Ok(Box::new(Logging { iterator: None, log: Vec::new() }));
    }
    let copying = Copying::default();
    Ok(Box::new(Exporting { copying }))
}

/// Gives `files` to the host, as one file that is called `name`.
fn hand_out(session: &mut Session, name: &str, files: Vec<Foreign>) -> Result<Answer, Stop> {
    let count = files.len() as u64;
    let bytes = files.iter().map(|file| file.bytes.len() as u64).sum();
    session.host.save_files(name, files)?;
    let line = OutputLine::text(format!(
        "{}, {}, handed out as ",
        text::counted(count, "file"),
        text::size(bytes)
    ));
    session.print(line.strong(name));
    Ok(Answer::other(ExportedResult { name: name.to_owned(), files: count, bytes }))
}

/// The files of the current branch on their way out.
struct Exporting {
    copying: Copying,
}

impl Task for Exporting {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let storage = session.storage();
        match self.copying.copy(&*storage, u64::MAX)? {
            Copied::Whole(image) => {
                let files = image.into_files();
                let name = |name: String| format!("levelscope/{name}");
                let files = files.map(|(plain, bytes)| Foreign { name: name(plain), bytes });
                let files = files.collect();
                hand_out(session, "levelscope.zip", files).map(Turn::Done)
            }
            Copied::Refused(message) => Err(Failure::new("io", message).into()),
        }
    }
}

/// The data of the current branch on its way out as files of `LevelDB`.
struct Converting {
    export: Option<Export>,
    files: Vec<Foreign>,
}

impl Task for Converting {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let Some(export) = &mut self.export else {
            self.export = Some(Export::new(&session.db()?, ExportOptions::default())?);
            return Ok(Turn::More);
        };
        if let Some(file) = export.next_file()? {
            let name = format!("leveldb/{}", file.name);
            self.files.push(Foreign { name, bytes: file.bytes });
            return Ok(Turn::More);
        }
        // Its snapshot ends here, at the same step in every replay.
        self.export = None;
        hand_out(session, "leveldb.zip", std::mem::take(&mut self.files)).map(Turn::Done)
    }
}

/// Entries of the database that one unit of work takes.
const ENTRIES_AT_ONCE: usize = 500;

/// The place of an iterator.
#[derive(Clone, Copy)]
enum At {
    /// Before the first entry.
    Start,
    /// At an entry that was taken.
    Taken,
}

/// The entries of the current branch on their way out as a log of format `kvdb-log`.
struct Logging {
    iterator: Option<(DbIterator, At)>,
    log: Vec<u8>,
}

impl Task for Logging {
    /// Each place is left by a call of its own, which may have to wait for a file.
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let Some((iterator, at)) = &mut self.iterator else {
            self.iterator = Some((session.db()?.iter(&ScanOptions::default())?, At::Start));
            return Ok(Turn::More);
        };
        for _ in 0..ENTRIES_AT_ONCE {
            match *at {
                At::Start => iterator.seek_to_first()?,
                At::Taken => iterator.next()?,
            }
            if !iterator.valid() {
                self.iterator = None;
                let bytes = std::mem::take(&mut self.log);
                let name = "entries.db";
                let files = vec![Foreign { name: name.to_owned(), bytes }];
                return hand_out(session, name, files).map(Turn::Done);
            }
            kvdb::put(&mut self.log, iterator.key(), Some(iterator.value()))?;
            *at = At::Taken;
        }
        Ok(Turn::More)
    }
}
