//! `convert`: the same entries in another format.

use super::shelve;
use crate::commands::opened::newest::{damaged, newest, room, size_of_entry};
use crate::commands::opened::{file_at, format_called, searchable};
use crate::language::{Args, Statement};
use crate::output::{Answer, Failure};
use crate::session::{Session, Stop, Task, Turn};
use crate::shelf::{OpenedFile, tidy};
use crate::text;
use levelscope::{DbIterator, ScanOptions};
use levelscope_formats::{Directory, Entry, Format, Holds};

/// Entries of the database that one unit of work takes.
const ENTRIES_AT_ONCE: usize = 500;

pub(super) fn start(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 2, "a format, and perhaps an opened file")?;
    let format = format_called(&args.bytes(0))?;
    if !format.info().writable {
        return Err(Failure::usage(format!("a {} can only be read", format.info().name)));
    }
    let (name, args) = (args.string("--name"), args.clone());
    let task = Convert { args, format, name, iterator: None, entries: Vec::new(), bytes: 0 };
    Ok(Box::new(task))
}

/// Where the iterator stands.
#[derive(Clone, Copy)]
enum At {
    /// Before the first entry.
    Nowhere,
    /// At an entry that was taken.
    Taken,
}

struct Convert {
    args: Args,
    format: &'static dyn Format,
    name: Option<String>,
    iterator: Option<(DbIterator, At)>,
    entries: Vec<Entry<'static>>,
    bytes: usize,
}

impl Task for Convert {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        if self.args.words.len() > 1 {
            self.take_file(session)?;
        } else if !self.take_some(session)? {
            return Ok(Turn::More);
        }
        self.write(session).map(Turn::Done)
    }

    fn position(&self) -> (u64, Option<u64>) {
        (self.entries.len() as u64, None)
    }
}

impl Convert {
    /// Takes some entries of the database; whether those were the last ones. Each place is left by a call
    /// of its own, which may have to wait for a file.
    fn take_some(&mut self, session: &Session) -> Result<bool, Stop> {
        let Some((iterator, at)) = &mut self.iterator else {
            self.iterator = Some((session.db()?.iter(&ScanOptions::default())?, At::Nowhere));
            return Ok(false);
        };
        for _ in 0..ENTRIES_AT_ONCE {
            match *at {
                At::Nowhere => iterator.seek_to_first()?,
                At::Taken => iterator.next()?,
            }
            if !iterator.valid() {
                return Ok(true);
            }
            let entry = Entry::new(iterator.key(), Some(iterator.value())).into_owned();
            self.bytes = self.bytes.saturating_add(size_of_entry(&entry));
            self.entries.push(entry);
            *at = At::Taken;
        }
        room(self.bytes)?;
        Ok(false)
    }

    /// Takes the entries of an opened file: for a table the newest of each key, in order.
    fn take_file(&mut self, session: &Session) -> Result<(), Stop> {
        let file = file_at(session, &self.args, 1)?;
        if self.format.info().holds == Holds::Table {
            self.entries = newest(&file, false)?.entries;
            return Ok(());
        }
        for entry in searchable(&file)?.scan(&file.bytes) {
            let entry = entry.map_err(|error| damaged(&file, &error))?;
            self.bytes = self.bytes.saturating_add(size_of_entry(&entry));
            room(self.bytes)?;
            self.entries.push(entry.into_owned());
        }
        Ok(())
    }

    fn write(&mut self, session: &mut Session) -> Result<Answer, Stop> {
        let bytes = self.format.write(&self.entries)?;
        let info = self.format.info();
        let name = match &self.name {
            Some(name) => tidy(name),
            None => session.shelf.free_name(info.id),
        };
        // The recognized format is told too, unless it is another one.
        let file = OpenedFile::new(name.clone(), bytes, None, Directory::default());
        let same = file.is(info.id);
        let file = if same {
            file
        } else {
            OpenedFile::new(name, file.bytes, Some(self.format), Directory::default())
        };
        let count = text::counted(self.entries.len() as u64, "entry");
        session.say(crate::output::OutputLine::note(format!("{count} written.")));
        Ok(shelve(session, file)?)
    }
}
