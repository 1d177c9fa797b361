//! Every decoder as a function of bytes: on any bytes it returns a value or an error.

use crate::batch::{Batch, Replay};
use crate::blob::{BlobIndex, PebbleBlobFile, RocksBlobFile, wide_columns};
use crate::directory::Directory;
use crate::events::Log;
use crate::frame::{End, LogKind, Records};
use crate::manifest::{Manifest, decode};
use crate::options::OptionsFile;
use crate::query::Part;
use crate::report::Question;
use crate::table;
use crate::{
    Comparator, CountedFiles, Engine, EntryCursor, Files, MemoryFiles, TableReader, checksum,
    pebble,
};

/// A decoder with its name, which is that of its corpus.
#[derive(Debug, Clone, Copy)]
pub struct Decoder {
    /// `fuzz/corpus/NAME` has inputs for it.
    pub name: &'static str,
    /// Decodes the bytes; a panic is a failure.
    pub run: fn(&[u8]),
}

/// All decoders.
pub const DECODERS: [Decoder; 8] = [
    Decoder { name: "foreign_table", run: table },
    Decoder { name: "foreign_pebble", run: pebble_table },
    Decoder { name: "foreign_blob", run: blob },
    Decoder { name: "foreign_manifest", run: manifest },
    Decoder { name: "foreign_log", run: log },
    Decoder { name: "foreign_options", run: options },
    Decoder { name: "foreign_events", run: events },
    Decoder { name: "foreign_directory", run: directory },
];

const ENGINES: [Engine; 4] = [Engine::RocksDb, Engine::Pebble, Engine::LevelDb, Engine::Levelscope];
/// Keys that are looked for; files of a few kilobytes have some of them.
const KEYS: [&[u8]; 4] = [b"", b"user:000100", b"key\0\0\0\0\0\0\0\0", b"\xff\xff"];
/// Steps of a walk: damage can repeat entries, but a walk that does not end would be found by its time.
const STEPS_MAX: usize = 20_000;

/// Once with checksums, which stop most damage, and once without them, so that it meets the decoders.
fn both_ways(work: impl Fn()) {
    for ignored in [false, true] {
        checksum::IGNORED.set(ignored);
        work();
    }
    checksum::IGNORED.set(false);
}

fn one(name: &str, bytes: &[u8]) -> MemoryFiles {
    MemoryFiles::new([(name.to_owned(), bytes.to_vec())])
}

fn walk(cursor: &mut dyn EntryCursor) {
    let mut failed = cursor.first().is_err();
    for _ in 0..STEPS_MAX {
        if cursor.entry().is_none() && !failed {
            break;
        }
        let _ = cursor.value();
        failed = cursor.next().is_err();
    }
    for key in KEYS {
        let _ = cursor.seek(key, 100);
        let _ = cursor.next();
    }
}

fn whole_table(table: &dyn TableReader) {
    if let Ok(mut cursor) = table.cursor() {
        walk(cursor.as_mut());
    }
    let _ = (table.range_deletions(), table.range_keys(), table.data_blocks());
    for deep in [false, true] {
        table.check(deep, &mut |_| ());
    }
}

/// A table of RocksDB, LevelDB or Levelscope.
fn table(bytes: &[u8]) {
    let files = one("000007.sst", bytes);
    both_ways(|| {
        for (engine, order) in [
            (Engine::RocksDb, Comparator::Bytewise),
            (Engine::RocksDb, Comparator::named(b"leveldb.BytewiseComparator.u64ts")),
            (Engine::LevelDb, Comparator::Bytewise),
            (Engine::Levelscope, Comparator::Bytewise),
        ] {
            if let Ok(table) = table::open(&files, "000007.sst", engine, order) {
                whole_table(table.as_ref());
            }
        }
    });
}

/// A table of Pebble, and a slice of it.
fn pebble_table(bytes: &[u8]) {
    let files = one("000007.sst", bytes);
    both_ways(|| {
        let Ok(table) = pebble::open(&files, "000007.sst", Comparator::Bytewise) else { return };
        whole_table(table.as_ref());
        let bounds = pebble::Bounds {
            smallest: b"fleet/00020".to_vec(),
            largest: b"fleet/00090".to_vec(),
            ..pebble::Bounds::default()
        };
        whole_table(&pebble::Slice::new(table, bounds, Comparator::Bytewise));
    });
}

/// A blob file of RocksDB or Pebble; a reference into one; columns.
fn blob(bytes: &[u8]) {
    let files = one("000007.blob", bytes);
    let _ = BlobIndex::decode(bytes);
    let _ = wide_columns(bytes);
    both_ways(|| {
        if let Ok(mut file) = PebbleBlobFile::open(&files, "000007.blob") {
            for (block, value) in [(0, 0), (1, 3), (9999, 0), (u32::MAX, u32::MAX)] {
                let _ = file.value(block, value, 250);
            }
            for deep in [false, true] {
                file.check(deep, &mut |_| ());
            }
        }
        if let Ok(file) = RocksBlobFile::open(&files, "000007.blob") {
            for deep in [false, true] {
                file.check(deep, &mut |_| ());
            }
            for (offset, length) in [(0, 0), (62, 100), (u64::MAX, u64::MAX)] {
                let _ = file.value(b"key", offset, length, 0);
            }
        }
    });
}

/// A manifest of each program, and one edit.
fn manifest(bytes: &[u8]) {
    let files = one("MANIFEST-000005", bytes);
    for engine in ENGINES {
        let _ = decode(engine, bytes, Some(&mut |_| {}));
        both_ways(|| {
            let Ok(manifest) = Manifest::open(&files, "MANIFEST-000005", engine) else { return };
            for step in 0..manifest.steps().len().min(200) {
                let _ = manifest.state_at(&files, step);
            }
            for edit in 0..manifest.edits().len().min(200) {
                let _ = (manifest.edit(&files, edit), manifest.changes(edit));
                let _ = manifest.step_of(edit);
            }
            for number in [0, 7, 12, u64::MAX] {
                let _ = manifest.life(number);
            }
        });
    }
}

/// A log of each program, and one batch.
fn log(bytes: &[u8]) {
    let files = one("000007.log", bytes);
    for engine in ENGINES {
        batch(engine, bytes, &mut Replay::default());
        both_ways(|| {
            let kind = LogKind::Log { engine, number: 7 };
            let Ok(mut records) = Records::open(&files, "000007.log", kind) else { return };
            let mut replay = Replay::default();
            for _ in 0..STEPS_MAX {
                match records.read() {
                    Ok(Some(record)) => batch(engine, &record.data, &mut replay),
                    Ok(None) if matches!(records.end(), Some(End::Damaged(_))) => {
                        if !records.resume().unwrap_or(false) {
                            break;
                        }
                    }
                    _ => break,
                }
            }
            let _ = replay.pending();
        });
    }
}

fn batch(engine: Engine, bytes: &[u8], replay: &mut Replay) {
    let Ok(batch) = Batch::open(engine, bytes) else { return };
    let _ = batch.items().take(STEPS_MAX).flatten().count();
    let _ = replay.apply(&batch, |_| ());
}

/// The text OPTIONS of RocksDB and Pebble.
fn options(bytes: &[u8]) {
    let options = OptionsFile::parse("OPTIONS-000007", bytes);
    let families: Vec<String> =
        options.families().into_iter().chain(["default"]).map(str::to_owned).collect();
    for family in families.iter().take(20) {
        let Some(of_family) = options.family(family) else { continue };
        let _ = of_family.fifo_bytes_max();
        for engine in ENGINES {
            let _ = of_family.targets(engine, &[1 << 20, 3 << 20, 0, u64::MAX]);
        }
    }
}

/// The text LOG of RocksDB and LevelDB.
fn events(bytes: &[u8]) {
    let events = Log::read(&one("LOG", bytes));
    let _ = events.stalls();
    for number in [0, 7, 12, u64::MAX] {
        let _ = (events.job_of_table(number), events.deleted(number), events.ingested(number));
        let _ = (events.moved(number), events.added_at(number, 1));
    }
}

/// Names of the files of a directory as [`packed`] has them.
const NAMES: [&str; 16] = [
    "CURRENT",
    "MANIFEST-000001",
    "MANIFEST-000002",
    "MANIFEST-000005",
    "OPTIONS-000003",
    "OPTIONS-000007",
    "IDENTITY",
    "LOG",
    "marker.manifest.000001.MANIFEST-000001",
    "marker.format-version.000011.024",
    // From here on the number of the file stands in the input.
    "sst",
    "ldb",
    "log",
    "blob",
    "archive/",
    "LOG.old.",
];
const FIRST_NUMBERED: u8 = 10;

/// The files of an input for the directory decoder: place of the name, number of the file, length, content.
fn unpacked(mut bytes: &[u8]) -> MemoryFiles {
    let mut files = Vec::new();
    while let Some(([place, number, low, high], rest)) = bytes.split_first_chunk::<4>() {
        let length = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
        let (content, after) = rest.split_at(length);
        bytes = after;
        let name = NAMES.get(usize::from(*place % 16)).copied().unwrap_or_default();
        let name = match name {
            _ if *place % 16 < FIRST_NUMBERED => name.to_owned(),
            "archive/" => format!("archive/{number:06}.log"),
            "LOG.old." => format!("LOG.old.{number}"),
            extension => format!("{number:06}.{extension}"),
        };
        files.push((name, content.to_vec()));
    }
    MemoryFiles::new(files)
}

/// A whole directory: every question is asked.
fn directory(bytes: &[u8]) {
    let files = unpacked(bytes);
    both_ways(|| {
        let files = CountedFiles::new(&files);
        let Ok(directory) = Directory::open(&files) else { return };
        let _ = (directory.overview(), directory.problems(), directory.check_all(true));
        let _ = directory.step_lines(0, 100);
        for family in directory.state().families.keys().copied().take(4) {
            let _ = (directory.levels(family, None), directory.levels(family, Some(1)));
            let _ = directory.rows(family, &Part { limit: 100, ..Part::default() });
            let _ = directory.lookup(family, b"user:000001", None);
            for question in Question::all() {
                let _ = directory.report(question.id(), Some(family), Some(b"user"));
            }
        }
        let list: Vec<String> = files.list().iter().map(|file| file.name.clone()).collect();
        assert!(list.len() <= bytes.len(), "no file is made up");
    });
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "the corpus is files")]
mod tests;
