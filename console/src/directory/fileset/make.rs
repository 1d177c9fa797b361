//! Files that commands make in memory: the entries of a file in another format, and a database that is a single log.

use super::reads::{room, size_of_entry};
use super::{FileSet, FormatFile, format_called};
use crate::output::{Failure, OutputLine};
use crate::text;
use levelscope::storage::MemoryStorage;
use levelscope_formats::kvdb::{FILE, Store, StoreSettings};
use levelscope_formats::{Entry, Holds};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A write to a log.
#[derive(Debug, Clone)]
pub(crate) enum Write {
    Put(Vec<u8>, Vec<u8>),
    Delete(Vec<u8>),
}

impl FileSet<'_> {
    /// Writes `entries` in the format that is called `word`, as a file called `name`. Tables take the newest entry of each
    /// key, logs all.
    ///
    /// # Errors
    /// There is no such format; an entry does not fit it.
    pub(crate) fn convert(
        &self,
        word: &[u8],
        name: Option<String>,
        mut entries: Vec<Entry<'static>>,
    ) -> Result<Vec<OutputLine>, Failure> {
        let format = format_called(word)?;
        let info = format.info();
        if info.holds == Holds::Table {
            let mut newest: BTreeMap<_, Entry<'_>> = BTreeMap::new();
            for entry in entries {
                let known = newest.get(&entry.key);
                if known.is_none_or(|known| known.sequence <= entry.sequence) {
                    newest.insert(entry.key.clone(), entry);
                }
            }
            entries = newest.into_values().collect();
        }
        let bytes = format.write(&entries)?;
        let name = name.unwrap_or_else(|| self.free_name(info.id));
        let count = text::counted(entries.len(), "entry");
        // The list names the format of the content, too, unless it is another one.
        let made = FormatFile::new(&name, &bytes, None, None);
        let same = made.format.is_some_and(|found| found.info().id == info.id);
        let made = if same { made } else { FormatFile::new(&name, &bytes, Some(format), None) };
        let made = self.put(made, Rc::new(bytes));
        Ok(vec![OutputLine::note(format!("{count} written.")), super::lines::of_file(&made)])
    }

    /// Reads the file called `name` in the format that is called `word`, from now on.
    ///
    /// # Errors
    /// There is no such file or format.
    pub(crate) fn read_as(&self, name: &str, word: &[u8]) -> Result<Vec<OutputLine>, Failure> {
        let (format, content) = (format_called(word)?, self.content(&self.file(name)?.name)?);
        let file = FormatFile::new(name, &content, Some(format), None);
        Ok(vec![super::lines::of_file(&self.put(file, content))])
    }

    /// All entries of `file`.
    ///
    /// # Errors
    /// The file is damaged, or too large.
    pub(crate) fn entries(&self, file: &FormatFile) -> Result<Vec<Entry<'static>>, Failure> {
        let content = self.content(&file.name)?;
        let (mut entries, mut bytes) = (Vec::new(), 0_usize);
        for entry in file.searchable()?.scan(&content) {
            let entry = entry.map_err(|error| {
                let message = format!("{}: {error}", text::printable(&file.name));
                Failure::new("corruption", message).hint("`scan` lists the readable entries")
            })?;
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
        let file = FormatFile::new(name, &content, None, None);
        lines.push(super::lines::of_file(&self.put(file, Rc::new(content))));
        Ok(lines)
    }
}
