//! Values outside of tables, read from the blob files of a directory.

use crate::blob::{BlobIndex, PebbleBlobFile, RocksBlobFile, wide_columns};
use crate::name::FileName;
use crate::read::{Blobs, PebbleHandle};
use crate::{
    Engine, Error, ErrorKind, Examined, FileInfo, Files, Problem, Result, State, TableFile,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

/// Blob files that are kept open, with footer and index.
const OPEN_MAX: usize = 64;

/// The blob files of a state.
pub struct BlobFiles<'f> {
    files: &'f dyn Files,
    state: Arc<State>,
    rocksdb: RefCell<BTreeMap<u64, RocksBlobFile<'f>>>,
    pebble: RefCell<BTreeMap<u64, PebbleBlobFile<'f>>>,
}

/// The name of the blob file with this number.
pub fn blob_name(number: u64) -> String {
    format!("{number:06}.blob")
}

impl<'f> BlobFiles<'f> {
    /// Those of `state`; nothing is read yet.
    pub fn new(files: &'f dyn Files, state: Arc<State>) -> Self {
        Self { files, state, rocksdb: RefCell::default(), pebble: RefCell::default() }
    }

    /// Whether the blob file with this number is in the directory.
    pub fn is_there(&self, number: u64) -> bool {
        self.files.length(&self.name_of(number)).is_some()
    }

    /// The name of the blob file with this number.
    pub fn name_of(&self, number: u64) -> String {
        let loose = super::tables::loose_name(self.files, &FileName::Blob(number));
        loose.unwrap_or_else(|| blob_name(number))
    }

    /// Checks the blob file with this number; how far that came.
    pub fn check(&self, number: u64, deep: bool, report: &mut dyn FnMut(Problem)) -> Examined {
        let name = self.name_of(number);
        let read = match self.state.engine {
            Engine::Pebble => {
                PebbleBlobFile::open(self.files, &name).map(|file| file.check(deep, report))
            }
            _ => RocksBlobFile::open(self.files, &name).map(|file| file.check(deep, report)),
        };
        read.unwrap_or_else(|error| {
            report(Problem::of(&error, &name));
            Examined::unopened()
        })
    }

    fn index(&self, user_key: &[u8], index: BlobIndex) -> Result<Vec<u8>> {
        let (file, offset, bytes, compression) = match index {
            BlobIndex::Inlined { value, .. } => return Ok(value),
            BlobIndex::Blob { file, offset, bytes, compression, .. } => {
                (file, offset, bytes, compression)
            }
        };
        let mut open = self.rocksdb.borrow_mut();
        let opened =
            kept(&mut open, file, || RocksBlobFile::open(self.files, &self.name_of(file)))?;
        opened.value(user_key, offset, bytes, compression)
    }

    /// Number of the file that holds the blob file `id` of Pebble.
    fn file_of(&self, id: u64) -> Option<u64> {
        let mut blobs = self.state.families.values().flat_map(|family| family.blob_files.values());
        blobs.find(|blob| blob.id == id).map(|blob| blob.number)
    }
}

impl Blobs for BlobFiles<'_> {
    fn rocksdb(&self, user_key: &[u8], index: &[u8]) -> Result<Vec<u8>> {
        self.index(user_key, BlobIndex::decode(index)?)
    }

    fn pebble(&self, table: &TableFile, handle: PebbleHandle) -> Result<Vec<u8>> {
        let PebbleHandle { reference, bytes, block, value } = handle;
        let name = super::tables::file_name(self.files, self.state.engine, table.backing);
        let id = table.blob_references.get(reference as usize).map(|(id, _)| *id);
        let id = id.ok_or_else(|| {
            let is_manifest =
                |file: &FileInfo| matches!(FileName::parse(&file.name), FileName::Manifest(_));
            if !self.files.list().iter().any(is_manifest) {
                let message = "not read: the value is in a blob file that only a manifest names";
                return Error::not_read(message).in_file(&name);
            }
            let message = format!("a value names blob reference {reference}, the table has fewer");
            Error::new(ErrorKind::Damaged, message).in_file(&name)
        })?;
        let number = self.file_of(id).ok_or_else(|| {
            let message = format!("a value is in blob file {id}, which the manifest does not have");
            Error::new(ErrorKind::Damaged, message).in_file(&name)
        })?;
        let mut open = self.pebble.borrow_mut();
        let opened =
            kept(&mut open, number, || PebbleBlobFile::open(self.files, &self.name_of(number)))?;
        opened.value(block, value, bytes)
    }

    fn columns(&self, user_key: &[u8], value: &[u8]) -> Result<Vec<(Vec<u8>, Vec<u8>)>> {
        let mut columns = Vec::new();
        for column in wide_columns(value)? {
            let value = match column.blob {
                Some(index) => self.index(user_key, index)?,
                None => column.value,
            };
            columns.push((column.name, value));
        }
        Ok(columns)
    }
}

/// The blob file `number` among those that are open, opened when it is not.
fn kept<T>(
    open: &mut BTreeMap<u64, T>,
    number: u64,
    open_now: impl FnOnce() -> Result<T>,
) -> Result<&mut T> {
    if open.len() >= OPEN_MAX && !open.contains_key(&number) {
        open.clear();
    }
    Ok(match open.entry(number) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(place) => place.insert(open_now()?),
    })
}
