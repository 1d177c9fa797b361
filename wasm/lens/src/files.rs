//! The files of a directory that a person gave to the page, read by ranges.

use crate::pages::{PAGE_BYTES, Pages};
use levelscope_foreign::files::missing;
use levelscope_foreign::name::FileName;
use levelscope_foreign::{Error, ErrorKind, FileInfo, Files, Result};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Folders of a directory that hold files of the same database.
const FOLDERS: [&str; 2] = ["archive/", "wal/"];

/// Where the bytes of files come from.
pub trait Host {
    /// Fills `buffer` from `offset` of the file with this place in the list that was opened; returns how many bytes
    /// there were, fewer only at the end of the file.
    ///
    /// # Errors
    /// Why the file cannot be read, as a clause.
    fn read(
        &self,
        file: usize,
        offset: u64,
        buffer: &mut [u8],
    ) -> std::result::Result<usize, String>;
}

impl<H: Host> Host for Rc<H> {
    fn read(
        &self,
        file: usize,
        offset: u64,
        buffer: &mut [u8],
    ) -> std::result::Result<usize, String> {
        H::read(self, file, offset, buffer)
    }
}

/// The files of one folder.
pub struct HostFiles<H> {
    host: H,
    list: Vec<FileInfo>,
    /// For each file of the list, its place at the host.
    places: Vec<usize>,
    pages: RefCell<Pages>,
}

/// Files by their names: the place of each at the host, and its bytes.
type Places = BTreeMap<String, (usize, u64)>;

impl<H: Host> HostFiles<H> {
    /// Of `all` files (name with folders, bytes) those in `folder`, which is empty or ends in `/`. Of two files with
    /// one name the first counts; folders that are no part of a database are left out.
    pub fn new(all: &[(String, u64)], folder: &str, host: H) -> Self {
        let is_of_database = |name: &str| {
            let inner = FOLDERS.iter().find_map(|inner| name.strip_prefix(inner)).unwrap_or(name);
            !inner.is_empty() && !inner.contains('/')
        };
        Self::of(places_of(all, folder, is_of_database), host)
    }

    /// Of `all` files those in `folder` and in all folders of it.
    pub fn every(all: &[(String, u64)], folder: &str, host: H) -> Self {
        Self::of(places_of(all, folder, |name| !name.is_empty()), host)
    }

    fn of(places: Places, host: H) -> Self {
        let list =
            places.iter().map(|(name, (_, bytes))| FileInfo { name: name.clone(), bytes: *bytes });
        let list = list.collect();
        let places = places.into_values().map(|(place, _)| place).collect();
        Self { host, list, places, pages: RefCell::default() }
    }

    fn place(&self, name: &str) -> Result<(usize, u64)> {
        let found = self.list.binary_search_by(|file| file.name.as_str().cmp(name)).ok();
        let found = found.and_then(|at| Some((*self.places.get(at)?, self.list.get(at)?.bytes)));
        found.ok_or_else(|| missing(name))
    }

    /// Reads from the host itself; a count that is larger than the buffer is none.
    fn fetch(&self, name: &str, place: usize, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let failed = |message: String| Error::new(ErrorKind::Io, message).in_file(name);
        let count = self.host.read(place, offset, buffer).map_err(failed)?;
        Ok(count.min(buffer.len()))
    }
}

impl<H: Host> Files for HostFiles<H> {
    fn list(&self) -> &[FileInfo] {
        &self.list
    }

    fn read_at(&self, name: &str, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let (place, length) = self.place(name)?;
        let wanted = usize::try_from(length.saturating_sub(offset)).unwrap_or(usize::MAX);
        let buffer = match buffer.len().min(wanted) {
            0 => return Ok(0),
            count => buffer.get_mut(..count).unwrap_or_default(),
        };
        if buffer.len() >= PAGE_BYTES {
            return self.fetch(name, place, offset, buffer);
        }
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
            let at = offset + done as u64;
            let (number, inside) = (at / PAGE_BYTES as u64, at % PAGE_BYTES as u64);
            let mut pages = self.pages.borrow_mut();
            let page = pages.get(place, number, || {
                let start = number * PAGE_BYTES as u64;
                let there = length.saturating_sub(start).min(PAGE_BYTES as u64);
                let mut page = vec![0; usize::try_from(there).unwrap_or(0)];
                let count = self.fetch(name, place, start, &mut page)?;
                page.truncate(count);
                Ok::<_, Error>(page)
            })?;
            let held = usize::try_from(inside).ok().and_then(|inside| page.get(inside..));
            let held = held.unwrap_or_default();
            let count = held.len().min(rest.len());
            let (Some(to), Some(from)) = (rest.get_mut(..count), held.get(..count)) else { break };
            // The file is shorter than it was when it was given.
            if count == 0 {
                break;
            }
            to.copy_from_slice(from);
            done += count;
        }
        Ok(done)
    }
}

/// The files of `all` in `folder` whose names in it are wanted; of two files with one name the first counts.
fn places_of(all: &[(String, u64)], folder: &str, is_wanted: impl Fn(&str) -> bool) -> Places {
    let mut places = Places::new();
    for (place, (name, bytes)) in all.iter().enumerate() {
        if let Some(name) = name.strip_prefix(folder).filter(|name| is_wanted(name)) {
            places.entry(name.to_owned()).or_insert((place, *bytes));
        }
    }
    places
}

/// The folders among `names` that look like a database, each empty or ending in `/`, sorted. Those with a manifest
/// count; where none has one, those that have lost theirs.
pub fn folders(names: &[String]) -> Vec<String> {
    let with = |fits: fn(&FileName) -> bool| {
        let of = names.iter().filter_map(|name| {
            let (folder, plain) = match name.rfind('/') {
                Some(at) => name.split_at(at + 1),
                None => ("", name.as_str()),
            };
            let folder = FOLDERS
                .iter()
                .find_map(|inner| {
                    folder.strip_suffix(inner).filter(|rest| rest.is_empty() || rest.ends_with('/'))
                })
                .unwrap_or(folder);
            fits(&FileName::parse(plain)).then(|| folder.to_owned())
        });
        let mut found = BTreeSet::new();
        found.extend(of);
        found.into_iter().collect::<Vec<String>>()
    };
    let found = with(|name| matches!(name, FileName::Manifest(_)));
    if !found.is_empty() {
        return found;
    }
    with(|name| {
        matches!(
            name,
            FileName::Current
                | FileName::Marker { .. }
                | FileName::Table(_)
                | FileName::Log { .. }
                | FileName::Blob(_)
        )
    })
}
