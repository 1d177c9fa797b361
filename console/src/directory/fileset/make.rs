//! Files that commands make in memory: the entries of a file in another format, and a database that is a single log.

use super::reads::{room, size_of_entry};
use super::{FileSet, FormatFile, format_called};
use crate::output::{Failure, OutputLine};
use crate::text;
use levelscope::storage::MemoryStorage;
use levelscope_formats::kvdb::{FILE, Store, StoreSettings};
use levelscope_formats::{Directory, Entry, Holds};
use std::rc::Rc;

/// A write to a log.
#[derive(Debug, Clone)]
pub(crate) enum Write {
    Put(Vec<u8>, Vec<u8>),
    Delete(Vec<u8>),
}

impl FileSet<'_> {
    /// Writes the entries of `file` in the format that is called `word`, as a file called `name`: for a table the newest
    /// of each key, for a log all.
    ///
    /// # Errors
    /// There is no such format, it can only be read, or the file is damaged.
    pub(crate) fn convert(
        &self,
        file: &FormatFile,
        word: &[u8],
        name: Option<String>,
    ) -> Result<Vec<OutputLine>, Failure> {
        let format = format_called(word)?;
        let info = format.info();
        if !info.writable {
            return Err(Failure::usage(format!("a {} can only be read", info.name)));
        }
        let entries = self.entries_for(file, info.holds)?;
        let bytes = format.write(&entries)?;
        let name = name.unwrap_or_else(|| self.free_name(info.id));
        let count = text::counted(entries.len(), "entry");
        // The list names the format of the content, too, unless it is another one.
        let made = FormatFile::new(&name, &bytes, None, &Directory::default());
        let same = made.format.is_some_and(|found| found.info().id == info.id);
        let made = if same {
            made
        } else {
            FormatFile::new(&name, &bytes, Some(format), &Directory::default())
        };
        let made = self.put(made, Rc::new(bytes));
        Ok(vec![OutputLine::note(format!("{count} written.")), super::lines::of_file(&made)])
    }

    /// Reads the file called `name` in the format that is called `word`, from now on.
    ///
    /// # Errors
    /// There is no such file or format.
    pub(crate) fn read_as(&self, name: &str, word: &[u8]) -> Result<Vec<OutputLine>, Failure> {
        let (format, content) = (format_called(word)?, self.content(&self.file(name)?.name)?);
        let file = FormatFile::new(name, &content, Some(format), &Directory::default());
        Ok(vec![super::lines::of_file(&self.put(file, content))])
    }

    fn entries_for(&self, file: &FormatFile, holds: Holds) -> Result<Vec<Entry<'static>>, Failure> {
        let damaged = |message: &str| {
            let message = format!("{}: {message}", text::printable(&file.name));
            Failure::new("corruption", message).hint("`scan` lists the readable entries")
        };
        if holds == Holds::Table {
            let newest = self.newest(file, None)?;
            return match newest.problems.first() {
                Some(problem) => Err(damaged(&problem.message)),
                None => Ok(newest.entries.into_values().collect()),
            };
        }
        let content = self.content(&file.name)?;
        let (mut entries, mut bytes) = (Vec::new(), 0_usize);
        for entry in file.searchable()?.scan(&content) {
            let entry = entry.map_err(|error| damaged(&error.to_string()))?;
            bytes = bytes.saturating_add(size_of_entry(&entry));
            room(bytes)?;
            entries.push(entry.into_owned());
        }
        Ok(entries)
    }

    /// A name for a file that no other one has.
    fn free_name(&self, name: &str) -> String {
        let known = self.known();
        let is_free = |candidate: &String| known.iter().all(|file| file.name != *candidate);
        let numbered = (2_u32..).map(|number| format!("{name}-{number}"));
        std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
    }

    /// Appends a record to the log called `name`, which is made when it is not there.
    ///
    /// # Errors
    /// The log is damaged; the record is too long.
    pub(crate) fn append(
        &self,
        name: &str,
        settings: StoreSettings,
        write: &Write,
    ) -> Result<Vec<OutputLine>, Failure> {
        // The store works on a storage: here on one in memory, which holds the file.
        let disk = MemoryStorage::new();
        if self.file(name).is_ok() {
            disk.put(&FILE.to_string(), &self.content(name)?);
        }
        let mut store = Store::open(&disk, settings)?;
        let mut lines = Vec::new();
        if store.torn_bytes() > 0 {
            let torn = text::counted(store.torn_bytes(), "byte");
            let what = format!("{torn} of a torn record at the end were cut off.");
            lines.push(OutputLine::note(what));
        }
        let before = store.bytes();
        match write {
            Write::Put(key, value) => store.put(key, value)?,
            Write::Delete(key) => store.delete(key)?,
        }
        let record = text::counted(store.bytes().saturating_sub(before), "byte");
        let at = text::count(before);
        lines.push(OutputLine::note(format!("A record of {record} at offset {at}.")));
        lines.push(OutputLine::note(if disk.durable_bytes(FILE) == store.bytes() {
            "It is synced: it survives a power failure."
        } else {
            "It is not synced: it survives the death of the program, but a power failure may lose it."
        }));
        let content = disk.read(FILE)?;
        let file = FormatFile::new(name, &content, None, &Directory::default());
        lines.push(super::lines::of_file(&self.put(file, Rc::new(content))));
        Ok(lines)
    }
}
