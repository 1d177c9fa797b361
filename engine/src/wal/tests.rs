//! Replays logs that are whole, cut, damaged, crashed or hostile.

mod ahead;
mod damage;
mod failure;
mod hostile;

use super::file::Log;
use super::record::RECORD_HEADER_BYTES;
use super::{LogEnd, WalRecord, WalWriter, replay};
use crate::event::WalEnd;
use crate::storage::{Crash, FileName, MemoryStorage, Random, Storage};
use crate::{ErrorKind, Result, SeqNo, ValueKind, WriteBatch};

const NUMBER: u64 = 7;
const NAME: FileName = FileName::Wal(NUMBER);

fn own_log() -> Log {
    Log::wal(NUMBER, Some(MemoryStorage::IDENTITY))
}

type Entries = Vec<(SeqNo, ValueKind, Vec<u8>, Vec<u8>)>;

/// The batches of a replay, and the end of the log.
#[derive(Debug, PartialEq)]
struct Replayed {
    batches: Vec<Entries>,
    end: WalEnd,
    valid_bytes: u64,
    last_sequence: SeqNo,
}

fn replay_storage(storage: &MemoryStorage, end: LogEnd) -> Result<Replayed> {
    let mut batches = Vec::new();
    let summary = replay(&*storage.open(NAME)?, own_log(), end, &mut |record: &WalRecord<'_>| {
        let mut entries = Vec::new();
        for (sequence, entry) in (record.first_sequence..).zip(record.entries()) {
            let (kind, key, value) = entry?;
            entries.push((sequence, kind, key.to_vec(), value.to_vec()));
        }
        batches.push(entries);
        Ok(())
    })?;
    assert_eq!(summary.records, batches.len() as u64);
    Ok(Replayed {
        batches,
        end: summary.end,
        valid_bytes: summary.valid_bytes,
        last_sequence: summary.last_sequence,
    })
}

fn replay_bytes(bytes: &[u8], end: LogEnd) -> Result<Replayed> {
    let storage = MemoryStorage::new();
    storage.put(&NAME.to_string(), bytes);
    replay_storage(&storage, end)
}

/// A log under construction, and its batches.
struct Fixture {
    storage: MemoryStorage,
    writer: WalWriter,
    next: SeqNo,
    batches: Vec<Entries>,
    /// Where each record begins \[bytes\].
    offsets: Vec<u64>,
}

impl Fixture {
    fn new() -> Self {
        let storage = MemoryStorage::new();
        let writer = WalWriter::create(&storage, NUMBER).unwrap();
        storage.sync_directory().unwrap();
        Self { storage, writer, next: 1, batches: Vec::new(), offsets: Vec::new() }
    }

    fn append(&mut self, batch: &WriteBatch) {
        self.offsets.push(self.writer.bytes());
        self.writer.append(self.next, batch.len(), batch.body()).unwrap();
        self.writer.write().unwrap();
        let entries = (self.next..).zip(batch.entries()).map(|(sequence, entry)| {
            let (kind, key, value) = entry.unwrap();
            (sequence, kind, key.to_vec(), value.to_vec())
        });
        self.batches.push(entries.collect());
        self.next += u64::from(batch.len());
    }

    /// Four small batches, each synced as the option `sync` does it.
    fn synced() -> Self {
        let mut fixture = Self::new();
        for batch in small_batches() {
            fixture.append(&batch);
            fixture.writer.sync().unwrap();
        }
        fixture
    }

    fn bytes(&self) -> Vec<u8> {
        self.storage.read(NAME).unwrap()
    }
}

fn small_batches() -> Vec<WriteBatch> {
    let mut batches = vec![WriteBatch::new(); 4];
    batches[0].put(b"apple", b"red").unwrap();
    batches[0].put(b"", b"").unwrap();
    batches[1].delete(b"apple").unwrap();
    batches[2].put([0xff, 0, 7], [0; 40]).unwrap();
    batches[3].put(b"pear", b"green").unwrap();
    batches
}

fn random_batch(random: &mut Random) -> WriteBatch {
    let mut batch = WriteBatch::new();
    for _ in 0..=random.below(3) {
        let mut key = vec![0; random.up_to(20)];
        random.fill(&mut key);
        let mut value = vec![0; random.up_to(400)];
        random.fill(&mut value);
        if random.below(4) == 0 {
            batch.delete(&key).unwrap();
        } else {
            batch.put(&key, &value).unwrap();
        }
    }
    batch
}

/// Runs `test` with `count` seeds, or with the one in `LEVELSCOPE_SEED`.
pub(crate) fn for_seeds(count: u64, test: impl Fn(&mut Random, u64)) {
    let given = std::env::var("LEVELSCOPE_SEED").ok().and_then(|seed| seed.parse().ok());
    for seed in given.map_or(0..count, |seed: u64| seed..seed + 1) {
        test(&mut Random::new(seed), seed);
    }
}

/// The log that docs/FORMAT.md shows.
pub(crate) fn example() -> Vec<u8> {
    let mut fixture = Fixture::new();
    let mut batch = WriteBatch::new();
    batch.put(b"apple", b"red").unwrap();
    batch.delete(b"fig").unwrap();
    fixture.append(&batch);
    fixture.writer.close().unwrap();
    fixture.bytes()
}

/// The bytes of the example in a section of docs/FORMAT.md: lines of offset, bytes and, after three
/// spaces, their meaning; `00 x 5` stands for five zeros.
pub(crate) fn documented(section: &str) -> Vec<u8> {
    let document = include_str!("../../../docs/FORMAT.md");
    let (_, text) = document.split_once(&format!("\n## {section}\n")).expect("the section");
    let (_, text) = text.split_once("```hex\n").expect("the example");
    let (text, _) = text.split_once("\n```").expect("the end of the example");
    let mut bytes = Vec::new();
    for line in text.lines() {
        let (offset, line) = line.split_once("  ").expect("an offset");
        assert_eq!(usize::from_str_radix(offset, 16), Ok(bytes.len()), "{line}");
        let (words, _) = line.split_once("   ").expect("a meaning");
        match words.split_once(" x ") {
            Some(("00", count)) => bytes.resize(bytes.len() + count.parse::<usize>().unwrap(), 0),
            _ => bytes.extend(words.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap())),
        }
    }
    bytes
}

#[test]
fn the_documented_example_is_what_is_written() {
    assert_eq!(documented("Write-ahead log"), example());
}

#[test]
fn batches_round_trip() {
    let mut fixture = Fixture::synced();
    let open = replay_storage(&fixture.storage, LogEnd::Newest).unwrap();
    assert_eq!(open.batches, fixture.batches);
    assert_eq!((open.end, open.last_sequence), (WalEnd::Open, fixture.next - 1));
    assert_eq!(open.valid_bytes, fixture.writer.bytes());
    assert_eq!(fixture.writer.synced_bytes(), fixture.writer.bytes());

    fixture.writer.close().unwrap();
    fixture.writer.close().unwrap();
    for end in [LogEnd::Newest, LogEnd::Clean] {
        let closed = replay_storage(&fixture.storage, end).unwrap();
        assert_eq!(closed.batches, fixture.batches);
        assert_eq!((closed.end, closed.valid_bytes), (WalEnd::Clean, fixture.writer.bytes()));
    }
    let batch = &small_batches()[0];
    let error = fixture.writer.append(fixture.next, batch.len(), batch.body()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Closed);
}

#[test]
fn random_batches_round_trip() {
    for_seeds(40, |random, seed| {
        let mut fixture = Fixture::new();
        for _ in 0..random.below(20) {
            fixture.append(&random_batch(random));
            if random.below(3) == 0 {
                fixture.writer.sync().unwrap();
            }
        }
        let found = replay_storage(&fixture.storage, LogEnd::Newest).unwrap();
        assert_eq!(found.batches, fixture.batches, "seed {seed}");
        assert_eq!(fixture.writer.records(), fixture.batches.len() as u64);
        fixture.writer.close().unwrap();
        let found = replay_storage(&fixture.storage, LogEnd::Clean).unwrap();
        assert_eq!(found.batches, fixture.batches, "seed {seed}");
    });
}

#[test]
fn an_empty_log_has_no_batches() {
    let none = replay_bytes(&[], LogEnd::Newest).unwrap();
    assert_eq!((none.batches.len(), none.end, none.valid_bytes), (0, WalEnd::Open, 0));
    let header = replay_bytes(&Fixture::new().bytes(), LogEnd::Newest).unwrap();
    assert_eq!((header.end, header.valid_bytes), (WalEnd::Open, own_log().header_bytes() as u64));
    let mut fixture = Fixture::new();
    fixture.writer.close().unwrap();
    let closed = replay_storage(&fixture.storage, LogEnd::Clean).unwrap();
    assert_eq!((closed.batches.len(), closed.end), (0, WalEnd::Clean));
}

/// The proof of a sync of several batches is the next record, or a mark, but never both.
#[test]
fn a_record_that_follows_a_sync_spares_its_mark() {
    let mut fixture = Fixture::new();
    let batches = small_batches();
    let synced_two = |fixture: &mut Fixture| {
        fixture.append(&batches[0]);
        fixture.append(&batches[1]);
        fixture.writer.sync_without_mark().unwrap();
        fixture.writer.bytes()
    };
    let bytes = synced_two(&mut fixture);
    fixture.writer.mark_sync().unwrap();
    assert_eq!(fixture.writer.bytes(), bytes + RECORD_HEADER_BYTES as u64);
    fixture.writer.mark_sync().unwrap();
    assert_eq!(fixture.writer.bytes(), bytes + RECORD_HEADER_BYTES as u64, "one mark a sync");

    synced_two(&mut fixture);
    fixture.append(&batches[2]);
    let bytes = fixture.writer.bytes();
    fixture.writer.mark_sync().unwrap();
    assert_eq!(fixture.writer.bytes(), bytes, "the record is the proof");

    // A damaged first batch of the second pair is found by it.
    let mut damaged = fixture.bytes();
    let first = usize::try_from(fixture.offsets[2]).unwrap() + RECORD_HEADER_BYTES;
    damaged[first] ^= 1;
    let error = replay_bytes(&damaged, LogEnd::Newest).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corruption);
}
