//! LevelDB, through its C interface. The only file here with `unsafe`.

use super::Engine;
use crate::failure::{Failure, Outcome};
use crate::settings::Settings;
use leveldb_sys::*;
use std::ffi::{CStr, CString, c_char};
use std::hint::black_box;
use std::path::Path;
use std::ptr;

pub struct LevelDb {
    db: *mut leveldb_t,
    read: *mut leveldb_readoptions_t,
    write: *mut leveldb_writeoptions_t,
    synced: *mut leveldb_writeoptions_t,
    // These must live as long as the database.
    options: *mut leveldb_options_t,
    cache: *mut leveldb_cache_t,
    filter: *mut leveldb_filterpolicy_t,
}

// SAFETY: a `leveldb_t` may be used from any number of threads; the options are only read.
unsafe impl Send for LevelDb {}
// SAFETY: as above.
unsafe impl Sync for LevelDb {}

/// Converts an error string of LevelDB into a failure of ours.
fn checked(error: *mut c_char) -> Outcome<()> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: LevelDB leaves null or a C string of its own, which is ours to free.
    let text = unsafe {
        let text = CStr::from_ptr(error).to_string_lossy().into_owned();
        leveldb_free(error.cast());
        text
    };
    Err(Failure::from(text))
}

fn chars(bytes: &[u8]) -> *const c_char {
    bytes.as_ptr().cast()
}

impl LevelDb {
    pub fn open(directory: &Path, settings: &Settings) -> Outcome<Self> {
        let name = CString::new(directory.to_string_lossy().into_owned())?;
        let mut error = ptr::null_mut();
        // SAFETY: all pointers come from LevelDB's own constructors; `name` outlives the call.
        let opened = unsafe {
            let options = leveldb_options_create();
            let cache = leveldb_cache_create_lru(settings.cache_bytes);
            let filter = leveldb_filterpolicy_create_bloom(settings.bloom_bits as i32);
            leveldb_options_set_create_if_missing(options, 1);
            leveldb_options_set_write_buffer_size(options, settings.write_buffer_bytes);
            leveldb_options_set_cache(options, cache);
            leveldb_options_set_filter_policy(options, filter);
            leveldb_options_set_compression(options, Compression::Snappy);
            let synced = leveldb_writeoptions_create();
            leveldb_writeoptions_set_sync(synced, 1);
            Self {
                db: leveldb_open(options, name.as_ptr(), &mut error),
                read: leveldb_readoptions_create(),
                write: leveldb_writeoptions_create(),
                synced,
                options,
                cache,
                filter,
            }
        };
        checked(error)?;
        Ok(opened)
    }

    fn put_with(&self, how: *mut leveldb_writeoptions_t, key: &[u8], value: &[u8]) -> Outcome<()> {
        let mut error = ptr::null_mut();
        // SAFETY: the database is open; the slices outlive the call.
        unsafe {
            let (key, key_bytes) = (chars(key), key.len());
            leveldb_put(self.db, how, key, key_bytes, chars(value), value.len(), &mut error);
        }
        checked(error)
    }

    fn compact_range(&self, from: &[u8], to: &[u8]) {
        // SAFETY: the database is open; the slices outlive the call.
        unsafe { leveldb_compact_range(self.db, chars(from), from.len(), chars(to), to.len()) }
    }
}

impl Drop for LevelDb {
    fn drop(&mut self) {
        // SAFETY: made by `open`, freed once, the database before what it uses.
        unsafe {
            if !self.db.is_null() {
                leveldb_close(self.db);
            }
            leveldb_readoptions_destroy(self.read);
            leveldb_writeoptions_destroy(self.write);
            leveldb_writeoptions_destroy(self.synced);
            leveldb_options_destroy(self.options);
            leveldb_cache_destroy(self.cache);
            leveldb_filterpolicy_destroy(self.filter);
        }
    }
}

/// Frees the iterator also when a scan fails.
struct Iterator(*mut leveldb_iterator_t);

impl Drop for Iterator {
    fn drop(&mut self) {
        // SAFETY: made by `scan`, freed once.
        unsafe { leveldb_iter_destroy(self.0) }
    }
}

impl Engine for LevelDb {
    fn put(&self, key: &[u8], value: &[u8]) -> Outcome<()> {
        self.put_with(self.write, key, value)
    }

    fn put_synced(&self, key: &[u8], value: &[u8]) -> Outcome<()> {
        self.put_with(self.synced, key, value)
    }

    fn put_batch(&self, pairs: &[([u8; 16], Vec<u8>)]) -> Outcome<()> {
        let mut error = ptr::null_mut();
        // SAFETY: the batch is made, used and freed here; LevelDB copies keys and values into it.
        unsafe {
            let batch = leveldb_writebatch_create();
            for (key, value) in pairs {
                let (value, value_bytes) = (chars(value), value.len());
                leveldb_writebatch_put(batch, chars(key), key.len(), value, value_bytes);
            }
            leveldb_write(self.db, self.write, batch, &mut error);
            leveldb_writebatch_destroy(batch);
        }
        checked(error)
    }

    fn delete(&self, key: &[u8]) -> Outcome<()> {
        let mut error = ptr::null_mut();
        // SAFETY: the database is open; the slice outlives the call.
        unsafe { leveldb_delete(self.db, self.write, chars(key), key.len(), &mut error) }
        checked(error)
    }

    fn get(&self, key: &[u8]) -> Outcome<Option<usize>> {
        let (mut bytes, mut error) = (0, ptr::null_mut());
        // SAFETY: the database is open; what it returns is null or memory that is ours to free.
        let found = unsafe {
            let value =
                leveldb_get(self.db, self.read, chars(key), key.len(), &mut bytes, &mut error);
            if !value.is_null() {
                leveldb_free(black_box(value).cast());
            }
            !value.is_null()
        };
        checked(error)?;
        Ok(found.then_some(bytes))
    }

    fn scan(&self, start: Option<&[u8]>, reverse: bool, limit: u64) -> Outcome<u64> {
        let mut count = 0;
        let mut error = ptr::null();
        // SAFETY: the iterator lives until the guard drops; key and value are looked at while it stands.
        unsafe {
            let iterator = Iterator(leveldb_create_iterator(self.db, self.read));
            match start {
                Some(key) => leveldb_iter_seek(iterator.0, chars(key), key.len()),
                None if reverse => leveldb_iter_seek_to_last(iterator.0),
                None => leveldb_iter_seek_to_first(iterator.0),
            }
            while count < limit && leveldb_iter_valid(iterator.0) != 0 {
                let (mut key_bytes, mut value_bytes) = (0, 0);
                let key = leveldb_iter_key(iterator.0, &raw mut key_bytes);
                let value = leveldb_iter_value(iterator.0, &raw mut value_bytes);
                black_box((key, key_bytes, value, value_bytes));
                count += 1;
                if reverse {
                    leveldb_iter_prev(iterator.0);
                } else {
                    leveldb_iter_next(iterator.0);
                }
            }
            leveldb_iter_get_error(iterator.0, &raw mut error);
        }
        checked(error.cast_mut())?;
        Ok(count)
    }

    fn settle(&self) -> Outcome<()> {
        // Asked to compact a range without keys, it writes the memtable out and does nothing else.
        self.compact_range(&[0xff; 24], &[0xff; 24]);
        Ok(())
    }

    fn compact(&self) -> Outcome<()> {
        self.compact_range(&[], &[0xff; 24]);
        Ok(())
    }
}
