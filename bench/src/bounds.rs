//! The machine's own time for the work that no engine with a log, checksums and compressed blocks can avoid:
//! the bounds beside which the report sets the engine's figures.

use crate::data::{KEY_BYTES, Values, key};
use crate::failure::Outcome;
use crate::process::{Clock, processor_seconds};
use crate::settings::Settings;
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::hint::black_box;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Instant;

/// Length of a block before compression \[bytes\].
const BLOCK_BYTES: usize = 4096;
/// Bytes of a log record besides key and value, about.
const RECORD_EXTRA_BYTES: usize = 24;
/// Space that is written and synced before records are overwritten in it \[bytes\].
const RESERVED_BYTES: usize = 4 << 20;

/// Times of single steps \[microseconds\]: processor time, but for `sync`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Bounds {
    /// One write call with the record of one entry.
    log_write: f64,
    /// The checksum of this record.
    log_checksum: f64,
    /// Writing a record into reserved space and syncing it, the median in wall time.
    sync: f64,
    /// Entries in a block.
    entries_per_block: f64,
    /// Compressed length of a block ÷ its length.
    compressed: f64,
    /// Compressing a block with Snappy.
    compress: f64,
    /// Decompressing it.
    decompress: f64,
    /// The checksum of the compressed block.
    checksum: f64,
    /// Reading the compressed block from the page cache.
    read: f64,
}

impl Bounds {
    /// Measures with files in `directory`; takes about a second.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn measure(directory: &Path, settings: &Settings) -> Outcome<Self> {
        let path = directory.join("bounds");
        let open =
            OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path);
        let file = open?;
        let record = vec![b'r'; KEY_BYTES + settings.value_bytes + RECORD_EXTRA_BYTES];
        let log_write =
            timed(20_000, |at| file.write_all_at(&record, at % 1000 * record.len() as u64))?;
        let log_checksum = timed(100_000, |_| checksum(&record))?;
        let sync = sync(&file, &record)?;
        let (block, entries_per_block) = block(settings);
        let packed = snap::raw::Encoder::new().compress_vec(&block)?;
        let mut encoder = snap::raw::Encoder::new();
        let mut target = vec![0; snap::raw::max_compress_len(block.len())];
        let compress = timed(5000, |_| encoder.compress(&block, &mut target).map(drop))?;
        let mut decoder = snap::raw::Decoder::new();
        let decompress = timed(10_000, |_| decoder.decompress(&packed, &mut target).map(drop))?;
        let checksum = timed(20_000, |_| checksum(&packed))?;
        for at in 0..1000 {
            file.write_all_at(&packed, at * packed.len() as u64)?;
        }
        let length = packed.len();
        let read = timed(20_000, |at| {
            file.read_exact_at(&mut target[..length], at * 7919 % 1000 * length as u64)
        })?;
        std::fs::remove_file(&path)?;
        let compressed = length as f64 / block.len() as f64;
        Ok(Self {
            log_write,
            log_checksum,
            sync,
            entries_per_block,
            compressed,
            compress,
            decompress,
            checksum,
            read,
        })
    }
}

fn checksum(bytes: &[u8]) -> Outcome<()> {
    black_box(crc32fast::hash(black_box(bytes)));
    Ok(())
}

/// A block of the run's entries, keys and values one after the other, and how many are in it.
fn block(settings: &Settings) -> (Vec<u8>, f64) {
    let mut values = Values::new(settings.value_bytes, settings.seed);
    let mut block = Vec::new();
    let mut entries = 0;
    while block.is_empty() || block.len() + KEY_BYTES + settings.value_bytes <= BLOCK_BYTES {
        block.extend_from_slice(&key(entries));
        block.extend_from_slice(values.next());
        entries += 1;
    }
    (block, entries as f64)
}

/// The least processor time of `work` over a few turns of `count` calls \[microseconds a call\].
fn timed<E>(count: u64, mut work: impl FnMut(u64) -> Result<(), E>) -> Outcome<f64>
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut least = f64::INFINITY;
    for _ in 0..5 {
        let start = processor_seconds(Clock::Thread);
        for at in 0..count {
            work(at).map_err(Into::into)?;
        }
        least = least.min((processor_seconds(Clock::Thread) - start) * 1e6 / count as f64);
    }
    Ok(least)
}

/// The median wall time of writing `record` into reserved space and syncing it \[microseconds\].
fn sync(file: &File, record: &[u8]) -> Outcome<f64> {
    file.write_all_at(&vec![0; RESERVED_BYTES], 0)?;
    file.sync_all()?;
    let mut times = Vec::new();
    for at in 0..300 {
        let start = Instant::now();
        file.write_all_at(record, at * record.len() as u64)?;
        file.sync_data()?;
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}
