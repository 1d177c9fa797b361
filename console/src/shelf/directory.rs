//! Opened directories: each as one object.

use super::{OpenedFile, Shelf};
use levelscope_formats::Holds;
use std::sync::Arc;

/// The files that were opened from one directory, as one object.
#[derive(Debug, Clone)]
pub(crate) struct OpenedDirectory {
    /// Its name on the command line.
    pub(crate) id: String,
    pub(crate) files: Vec<Arc<OpenedFile>>,
}

impl Shelf {
    /// The directories of the files, in the order in which they came.
    pub(crate) fn directories(&self) -> Vec<OpenedDirectory> {
        let mut directories: Vec<OpenedDirectory> = Vec::new();
        for file in self.all() {
            let Some(id) = file.directory_id() else { continue };
            match directories.iter_mut().find(|known| known.id == id) {
                Some(known) => known.files.push(file),
                None => directories.push(OpenedDirectory { id, files: vec![file] }),
            }
        }
        directories
    }
}

impl OpenedDirectory {
    /// A noun for it.
    pub(crate) fn what(&self) -> String {
        let directory = self.files.first().map(|file| &file.directory);
        if directory.is_some_and(|directory| directory.is_database) {
            return "a database of Levelscope".to_owned();
        }
        match directory.and_then(|directory| directory.program) {
            Some(program) => format!("a directory of {program}"),
            None => "a directory of files".to_owned(),
        }
    }

    /// Its files of one kind; none: those of no known format.
    pub(crate) fn holding(&self, kind: Option<Holds>) -> impl Iterator<Item = &Arc<OpenedFile>> {
        self.files.iter().filter(move |file| file.format.map(|format| format.info().holds) == kind)
    }

    /// Length of all files \[bytes\].
    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.length()).fold(0, u64::saturating_add)
    }

    /// Entries of the tables that can be read.
    pub(crate) fn entries(&self) -> u64 {
        let tables = self.holding(Some(Holds::Table));
        tables.filter_map(|file| file.entries).fold(0, u64::saturating_add)
    }

    /// Its files that are damaged.
    pub(crate) fn damaged(&self) -> impl Iterator<Item = &Arc<OpenedFile>> {
        self.files.iter().filter(|file| file.damage.is_some())
    }
}
