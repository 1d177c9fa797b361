//! Logs that are cut, damaged, or left by a crash.

use super::*;
use crate::wal::record::{RecordHeader, RecordKind};

/// The record in which `offset` lies; `None` in the file header.
fn record_at(fixture: &Fixture, offset: u64) -> Option<usize> {
    fixture.offsets.iter().rposition(|start| *start <= offset)
}

#[test]
fn a_flipped_byte_costs_the_last_record_or_is_corruption() {
    let fixture = Fixture::synced();
    let good = fixture.bytes();
    let last = fixture.batches.len() - 1;
    for (offset, mask) in (0..good.len()).flat_map(|at| [1, 0x10, 0x80].map(|mask| (at, mask))) {
        let mut bytes = good.clone();
        bytes[offset] ^= mask;
        let found = replay_bytes(&bytes, LogEnd::Newest);
        match record_at(&fixture, offset as u64) {
            Some(record) if record == last => {
                let found = found.unwrap();
                assert_eq!(found.batches, fixture.batches[..last], "byte {offset}");
                let torn = good.len() as u64 - fixture.offsets[last];
                assert_eq!(found.end, WalEnd::Torn { bytes: torn }, "byte {offset}");
                assert_eq!(found.valid_bytes, fixture.offsets[last]);
            }
            record => {
                let error = found.unwrap_err();
                let begin = record.map_or(0, |record| fixture.offsets[record]);
                // In front of a damaged body is a header whose checksum is right.
                let body = begin + RECORD_HEADER_BYTES as u64;
                let is_body = record.is_some() && offset as u64 >= body;
                let place = if is_body { body } else { begin };
                assert_eq!(error.kind(), ErrorKind::Corruption, "byte {offset}: {error}");
                assert_eq!(error.file(), Some(NAME), "byte {offset}: {error}");
                assert_eq!(error.offset(), Some(place), "byte {offset}: {error}");
            }
        }
        assert_eq!(replay_bytes(&bytes, LogEnd::Clean).unwrap_err().kind(), ErrorKind::Corruption);
        let sealed = LogEnd::Sealed { bytes: good.len() as u64 };
        assert_eq!(replay_bytes(&bytes, sealed).unwrap_err().kind(), ErrorKind::Corruption);
    }
}

#[test]
fn a_flipped_byte_of_a_closed_log_never_costs_a_batch() {
    for synced in [true, false] {
        let mut fixture = Fixture::new();
        for batch in small_batches() {
            fixture.append(&batch);
            if synced {
                fixture.writer.sync().unwrap();
            }
        }
        let end = fixture.writer.bytes();
        fixture.writer.close().unwrap();
        let good = fixture.bytes();
        for offset in 0..good.len() {
            let mut bytes = good.clone();
            bytes[offset] ^= 4;
            match replay_bytes(&bytes, LogEnd::Newest) {
                Ok(found) => {
                    assert!(offset as u64 >= end, "byte {offset}: {found:?}");
                    assert_eq!(found.batches, fixture.batches, "byte {offset}");
                }
                Err(error) => assert_eq!(error.kind(), ErrorKind::Corruption, "byte {offset}"),
            }
            let error = replay_bytes(&bytes, LogEnd::Clean).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Corruption, "byte {offset}");
        }
    }
}

#[test]
fn one_sync_protects_all_batches_before_it() {
    let mut fixture = Fixture::new();
    for batch in small_batches() {
        fixture.append(&batch);
    }
    fixture.writer.sync().unwrap();
    let good = fixture.bytes();
    let mark = good.len() - RECORD_HEADER_BYTES;
    for offset in 0..good.len() {
        let mut bytes = good.clone();
        bytes[offset] ^= 1;
        match replay_bytes(&bytes, LogEnd::Newest) {
            Ok(found) => {
                assert!(offset >= mark, "byte {offset}");
                assert_eq!(found.batches, fixture.batches, "byte {offset}");
            }
            Err(error) => {
                assert!(offset < mark, "byte {offset}: {error}");
                assert_eq!(error.kind(), ErrorKind::Corruption, "byte {offset}");
            }
        }
    }
}

#[test]
fn a_cut_log_keeps_its_whole_records() {
    let mut fixture = Fixture::synced();
    fixture.writer.close().unwrap();
    let good = fixture.bytes();
    let mut ends: Vec<u64> = fixture.offsets[1..].to_vec();
    ends.push((good.len() - RECORD_HEADER_BYTES) as u64);
    for cut in 0..good.len() {
        let bytes = &good[..cut];
        let found = replay_bytes(bytes, LogEnd::Newest).unwrap();
        let whole = ends.iter().filter(|end| **end <= cut as u64).count();
        assert_eq!(found.batches, fixture.batches[..whole], "cut to {cut}");
        let header = own_log().header_bytes() as u64;
        let valid = match whole.checked_sub(1) {
            Some(last) => ends[last],
            None if cut as u64 >= header => header,
            None => 0,
        };
        assert_eq!(found.valid_bytes, valid, "cut to {cut}");
        // Zeros at the end may as well be space that was reserved.
        let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last as u64 + 1);
        let torn = used.saturating_sub(valid);
        let end = if torn == 0 { WalEnd::Open } else { WalEnd::Torn { bytes: torn } };
        assert_eq!(found.end, end, "cut to {cut}");

        let error = replay_bytes(bytes, LogEnd::Clean).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corruption, "cut to {cut}");
        assert_eq!(error.offset(), Some(valid), "cut to {cut}: {error}");

        // Every later recovery has the result of the first one.
        let sealed = LogEnd::Sealed { bytes: valid };
        assert_eq!(replay_bytes(bytes, sealed).unwrap(), found, "cut to {cut}");
        let beyond = LogEnd::Sealed { bytes: cut as u64 + 1 };
        let error = replay_bytes(bytes, beyond).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corruption, "cut to {cut}");
    }
}

#[test]
fn only_a_record_after_the_clean_end_is_corruption() {
    let mut fixture = Fixture::synced();
    fixture.writer.close().unwrap();
    let good = fixture.bytes();
    let whole = replay_bytes(&good, LogEnd::Clean).unwrap();
    for extra in [1, 31, 32, 4096] {
        let mut bytes = good.clone();
        bytes.resize(good.len() + extra, 0);
        // Space that was reserved and not given back, or that a crash has mangled.
        assert_eq!(replay_bytes(&bytes, LogEnd::Clean).unwrap(), whole, "{extra} zeros");
        for (place, byte) in [(good.len(), 1), (bytes.len() - 1, 0x80)] {
            let mut bytes = bytes.clone();
            bytes[place] = byte;
            for end in [LogEnd::Newest, LogEnd::Clean] {
                assert_eq!(replay_bytes(&bytes, end).unwrap(), whole, "{extra} more");
            }
        }
    }
    // A copy of an earlier record, which was not written at this place, is none.
    let copied = [&good[..], &good[own_log().header_bytes()..]].concat();
    assert_eq!(replay_bytes(&copied, LogEnd::Newest).unwrap(), whole);
    for gap in [0, 1, 600] {
        let mut bytes = good.clone();
        bytes.resize(good.len() + gap, 0xaa);
        let (offset, synced_bytes) = (bytes.len() as u64, good.len() as u64);
        let header = RecordHeader {
            body_bytes: 0,
            body_checksum: 0,
            count: 0,
            synced_bytes,
            number: whole.last_sequence + 1,
            kind: RecordKind::SyncMark,
        };
        header.encode(own_log(), offset, &mut bytes);
        let error = replay_bytes(&bytes, LogEnd::Newest).unwrap_err();
        assert_eq!(error.offset(), Some(good.len() as u64), "{gap} bytes between: {error}");
    }
}

#[test]
fn zeros_behind_the_last_record_are_reserved_space() {
    let mut fixture = Fixture::new();
    let mut batch = WriteBatch::new();
    batch.put(b"key", [0; 100]).unwrap();
    fixture.append(&batch);
    fixture.append(&batch);
    fixture.writer.sync().unwrap();
    let mut bytes = fixture.bytes();
    // The last record, a mark of the sync, and its body may end in zeros of their own.
    let valid = bytes.len();
    bytes.resize(valid + 5000, 0);
    let found = replay_bytes(&bytes, LogEnd::Newest).unwrap();
    assert_eq!((&found.batches, found.end), (&fixture.batches, WalEnd::Open));
    assert_eq!(found.valid_bytes, valid as u64);
    // An older log must not end so: its clean end is missing.
    let error = replay_bytes(&bytes, LogEnd::Clean).unwrap_err();
    assert_eq!(error.offset(), Some(valid as u64), "{error}");
    // One byte that is none of the reserved zeros is the rest of a record.
    bytes[valid + 99] = 1;
    let found = replay_bytes(&bytes, LogEnd::Newest).unwrap();
    assert_eq!(found.end, WalEnd::Torn { bytes: 100 });
    assert_eq!(found.batches, fixture.batches);
}

/// A recovery has read these bytes and promised them: zeros among them are a loss, never an end.
#[test]
fn zeros_in_what_was_recovered_before_are_corruption() {
    let mut fixture = Fixture::synced();
    let good = fixture.bytes();
    let sealed = LogEnd::Sealed { bytes: good.len() as u64 };
    assert_eq!(replay_bytes(&good, sealed).unwrap().batches, fixture.batches);
    for from in 0..good.len() {
        if good[from..].iter().all(|byte| *byte == 0) {
            break;
        }
        let mut bytes = good.clone();
        bytes[from..].fill(0);
        let error = replay_bytes(&bytes, sealed).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corruption, "zeros from {from}: {error}");
    }
    fixture.writer.close().unwrap();
    let mut closed = fixture.bytes();
    closed.resize(closed.len() + 64, 0);
    let beyond = LogEnd::Sealed { bytes: closed.len() as u64 };
    assert!(replay_bytes(&closed, beyond).is_err());
}

#[test]
fn a_file_of_zeros_was_never_written() {
    for length in [1, 23, 24, 4096] {
        let found = replay_bytes(&vec![0; length], LogEnd::Newest).unwrap();
        assert_eq!((found.valid_bytes, found.end), (0, WalEnd::Open), "{length} zeros");
        assert!(replay_bytes(&vec![0; length], LogEnd::Clean).is_err(), "{length} zeros");
    }
}

/// A page that was synced and is zeros now is damage as soon as a later record proves the sync.
#[test]
fn zeros_in_the_middle_are_no_reserved_space() {
    let mut fixture = Fixture::synced();
    let second = usize::try_from(fixture.offsets[1]).unwrap();
    fixture.append(&small_batches()[0]);
    let mut bytes = fixture.bytes();
    let last = usize::try_from(*fixture.offsets.last().unwrap()).unwrap();
    bytes.resize(bytes.len() + 3000, 0);
    bytes[second..last].fill(0);
    let error = replay_bytes(&bytes, LogEnd::Newest).unwrap_err();
    assert_eq!(error.offset(), Some(second as u64), "{error}");
    // Without the proof it is a tail that a crash tore.
    bytes[last..last + RECORD_HEADER_BYTES].fill(0);
    let found = replay_bytes(&bytes, LogEnd::Newest).unwrap();
    assert_eq!(found.batches, fixture.batches[..1]);
    assert!(matches!(found.end, WalEnd::Torn { bytes } if bytes < 3000), "{:?}", found.end);
}

/// A log under construction on a disk that makes files longer ahead.
#[test]
fn a_reserving_writer_is_read_back_at_every_moment() {
    let ahead = std::cell::Cell::new(0);
    for_seeds(200, |random, seed| {
        let storage = MemoryStorage::reserving();
        let writer = WalWriter::create_after(&storage, own_log(), None, 4096).unwrap();
        storage.sync_directory().unwrap();
        let mut fixture =
            Fixture { storage, writer, next: 1, batches: Vec::new(), offsets: Vec::new() };
        let mut synced = 0;
        for _ in 0..=random.below(30) {
            fixture.append(&random_batch(random));
            if random.below(2) == 0 {
                fixture.writer.sync().unwrap();
                synced = fixture.batches.len();
            }
            let length = fixture.bytes().len() as u64;
            assert!(length.is_multiple_of(4096) || length == fixture.writer.bytes());
            ahead.set(ahead.get() + u64::from(length > fixture.writer.bytes()));
            for variant in 0..4 {
                let image = fixture.storage.crash_image(Crash::Random(seed * 100 + variant));
                let found = replay_storage(&image, LogEnd::Newest)
                    .unwrap_or_else(|error| panic!("seed {seed}, variant {variant}: {error}"));
                let count = found.batches.len();
                assert!(count >= synced, "seed {seed}, variant {variant}: {count} of {synced}");
                assert_eq!(found.batches, fixture.batches[..count], "seed {seed}");
                let sealed = LogEnd::Sealed { bytes: found.valid_bytes };
                assert_eq!(replay_storage(&image, sealed).unwrap(), found, "seed {seed}");
            }
        }
        fixture.writer.close().unwrap();
        let length = fixture.bytes().len() as u64;
        assert_eq!(length, fixture.writer.bytes(), "closed without the rest");
        let found = replay_storage(&fixture.storage, LogEnd::Clean).unwrap();
        assert_eq!((found.batches, found.end), (fixture.batches, WalEnd::Clean));
    });
    assert!(ahead.get() > 100 || std::env::var("LEVELSCOPE_SEED").is_ok());
}

#[test]
fn a_damaged_length_is_found_out_wherever_it_points() {
    let fixture = Fixture::synced();
    let good = fixture.bytes();
    for (index, offset) in fixture.offsets.iter().enumerate() {
        let place = usize::try_from(*offset).unwrap();
        for length in [0_u32, 1, 5, 100, 1 << 20, u32::MAX] {
            let mut bytes = good.clone();
            bytes[place..place + 4].copy_from_slice(&length.to_le_bytes());
            let found = replay_bytes(&bytes, LogEnd::Newest);
            if index + 1 == fixture.offsets.len() {
                assert_eq!(found.unwrap().batches, fixture.batches[..index]);
            } else {
                assert_eq!(found.unwrap_err().offset(), Some(*offset), "length {length}");
            }
        }
    }
}

#[test]
fn a_crash_leaves_a_prefix_with_all_that_was_synced() {
    for_seeds(200, |random, seed| {
        let mut fixture = Fixture::new();
        let mut synced = 0;
        for _ in 0..=random.below(12) {
            fixture.append(&random_batch(random));
            if random.below(4) == 0 {
                fixture.writer.sync().unwrap();
                synced = fixture.batches.len();
            }
        }
        assert_eq!(fixture.writer.synced_records(), synced as u64);
        for variant in 0..10 {
            let image = fixture.storage.crash_image(Crash::Random(seed * 100 + variant));
            let found = replay_storage(&image, LogEnd::Newest)
                .unwrap_or_else(|error| panic!("seed {seed}, variant {variant}: {error}"));
            let count = found.batches.len();
            assert!(count >= synced, "seed {seed}, variant {variant}: {count} of {synced}");
            assert_eq!(found.batches, fixture.batches[..count], "seed {seed}, variant {variant}");
            let sealed = LogEnd::Sealed { bytes: found.valid_bytes };
            assert_eq!(replay_storage(&image, sealed).unwrap().batches, found.batches);
        }
    });
}

#[test]
fn random_damage_never_gives_a_wrong_batch() {
    for_seeds(300, |random, seed| {
        let fixture = Fixture::synced();
        let mut bytes = fixture.bytes();
        for _ in 0..=random.below(4) {
            let at = random.up_to(bytes.len() - 1);
            match random.below(4) {
                0 => bytes.truncate(at + 1),
                1 => random.fill(&mut bytes[at..]),
                2 => drop(bytes.remove(at)),
                _ => bytes[at] = random.any().to_le_bytes()[0],
            }
        }
        for end in [LogEnd::Newest, LogEnd::Clean] {
            match replay_bytes(&bytes, end) {
                Ok(found) => assert!(fixture.batches.starts_with(&found.batches), "seed {seed}"),
                Err(error) => assert_eq!(error.kind(), ErrorKind::Corruption, "seed {seed}"),
            }
        }
    });
}
