//! Files that were opened to be looked at. They are no part of the database and have no history.
//!
//! Their names begin with `@` and have no colon, so that they differ from files of the database and from the steps of a
//! path: `@dir/000005.sst/block:2/entry:5`.

mod directory;
mod file;
mod name;

pub(crate) use directory::OpenedDirectory;
pub(crate) use file::{Defect, OpenedFile, plain};
pub(crate) use name::{place_of, tidy};

use crate::output::Failure;
use crate::text;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Files that may be open at once.
pub(crate) const FILES_MAX: usize = 1024;

/// A file from outside: what it is called, with its directories, and all its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foreign {
    /// Its name; any text.
    pub name: String,
    /// All bytes of the file.
    pub bytes: Vec<u8>,
}

/// The opened files of a session, in the order in which they came; its replicas share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shelf {
    files: Arc<Mutex<Vec<Arc<OpenedFile>>>>,
}

impl Shelf {
    fn files(&self) -> MutexGuard<'_, Vec<Arc<OpenedFile>>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The directory called `id`, with or without the `@` in front.
    pub(crate) fn directory(&self, id: &str) -> Option<OpenedDirectory> {
        let id = id.trim_end_matches('/');
        let is_it = |known: &OpenedDirectory| known.id == id || known.id.get(1..) == Some(id);
        self.directories().into_iter().find(is_it)
    }

    /// The files of the directory called `id`, with the `@` in front.
    pub(crate) fn of_directory(&self, id: &str) -> Vec<Arc<OpenedFile>> {
        let id = id.trim_end_matches('/');
        let is_in = |file: &&Arc<OpenedFile>| {
            file.directory_id().is_some_and(|known| known == id || known.get(1..) == Some(id))
        };
        self.files().iter().filter(is_in).cloned().collect()
    }

    /// All files.
    pub(crate) fn all(&self) -> Vec<Arc<OpenedFile>> {
        self.files().clone()
    }

    /// The file that is called `id`, with the `@` in front.
    pub(crate) fn find(&self, id: &str) -> Option<Arc<OpenedFile>> {
        self.files().iter().find(|file| file.id() == id).cloned()
    }

    /// Whether a file with so many bytes more may be opened when there may be `total` \[bytes\].
    pub(crate) fn room(&self, name: &str, bytes: u64, total: u64) -> Result<(), Failure> {
        let files = self.files();
        let shown = text::short_word(name.as_bytes(), 64);
        let refused = |why: String| {
            Err(Failure::new("tooLarge", why).hint("`close --all` closes what is open"))
        };
        if files.len() >= FILES_MAX {
            let count = text::counted(FILES_MAX, "file");
            return refused(format!("{shown} is not opened: {count} are open"));
        }
        let open = files.iter().map(|file| file.bytes.len() as u64);
        let all = open.fold(bytes, u64::saturating_add);
        if all > total {
            let (all, total) = (text::size(all), text::size(total));
            return refused(format!(
                "{shown} is not opened: all opened files would be {all}, {total} are allowed"
            ));
        }
        Ok(())
    }

    /// A name for a file called `name` that no other one has.
    pub(crate) fn free_name(&self, name: &str) -> String {
        let tidy = tidy(name);
        let files = self.files();
        let taken = |candidate: &str| files.iter().any(|file| file.name == candidate);
        let mut candidate = tidy.clone();
        let mut number = 2_u32;
        while taken(&candidate) {
            candidate = format!("{tidy}-{number}");
            number = number.saturating_add(1);
        }
        candidate
    }

    /// Gives `files`, which came together, a directory that no opened file is in, where a name of theirs is taken: they are
    /// never mistaken for files of a database that was opened before.
    pub(crate) fn keep_apart(&self, files: &mut [Foreign]) {
        if files.len() < 2 {
            return;
        }
        let opened = self.all();
        let is_taken = |name: &String| opened.iter().any(|file| file.name == *name);
        while let Some(taken) = files.iter().map(|file| tidy(&file.name)).find(is_taken) {
            let place = place_of(&taken);
            let of = if place.is_empty() { "files" } else { place };
            let is_free = |free: &String| opened.iter().all(|file| place_of(&file.name) != *free);
            let mut names = (2_u64..).map(|number| format!("{of}-{number}"));
            let Some(free) = names.find(is_free) else { return };
            for file in &mut *files {
                let name = tidy(&file.name);
                if place_of(&name) == place {
                    file.name = format!("{free}/{}", plain(&name));
                }
            }
        }
    }

    /// Puts a file there, at its end or in the place of the one that has its name.
    pub(crate) fn put(&self, file: Arc<OpenedFile>) {
        let mut files = self.files();
        match files.iter_mut().find(|known| known.name == file.name) {
            Some(known) => *known = file,
            None => files.push(file),
        }
    }

    /// Removes the file called `id`; returns whether there was one.
    pub(crate) fn close(&self, id: &str) -> bool {
        let mut files = self.files();
        let before = files.len();
        files.retain(|file| file.id() != id);
        files.len() < before
    }

    /// Removes all files; returns how many there were.
    pub(crate) fn clear(&self) -> u64 {
        let mut files = self.files();
        let count = files.len() as u64;
        files.clear();
        count
    }
}
