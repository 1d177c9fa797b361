//! Logs that were made to be misunderstood: every checksum in them is right.

use super::*;
use crate::coding::crc32;
use crate::limits::{BATCH_BYTES_MAX, SEQUENCE_MAX};
use crate::wal::file::Log;
use crate::wal::record::{RecordHeader, RecordKind};

/// A log of one record with this header and body, all checksums right.
fn forged(change: impl FnOnce(&mut RecordHeader), body: &[u8]) -> Vec<u8> {
    let log = own_log();
    let mut bytes = Vec::new();
    log.encode_header(&mut bytes);
    let mut header = RecordHeader {
        body_bytes: u32::try_from(body.len()).unwrap(),
        body_checksum: crc32(&[body]),
        count: 1,
        synced_bytes: 0,
        number: 1,
        kind: RecordKind::Batch,
    };
    change(&mut header);
    header.encode(log, log.header_bytes() as u64, &mut bytes);
    bytes.extend_from_slice(body);
    bytes
}

#[test]
fn hostile_headers_are_corruption_and_cost_nothing() {
    let mut batch = WriteBatch::new();
    batch.put(b"key", b"value").unwrap();
    let body = batch.body();
    assert_eq!(replay_bytes(&forged(|_| {}, body), LogEnd::Newest).unwrap().batches.len(), 1);
    let above = u32::try_from(BATCH_BYTES_MAX).unwrap() + 1;
    let forgeries: Vec<Vec<u8>> = vec![
        forged(|header| header.body_bytes = above, body),
        forged(|header| header.body_bytes = u32::MAX, body),
        forged(|header| header.count = 0, body),
        forged(|header| header.count = 2, body),
        forged(|header| header.count = u32::MAX, body),
        forged(|header| header.number = 0, body),
        forged(|header| header.number = SEQUENCE_MAX, body),
        forged(|header| header.synced_bytes = own_log().header_bytes() as u64 + 1, body),
        forged(|header| header.synced_bytes = u64::MAX, body),
        forged(|header| header.kind = RecordKind::Edit, body),
        forged(|header| header.kind = RecordKind::CleanEnd, body),
        forged(|header| header.kind = RecordKind::SyncMark, body),
        forged(|header| (header.kind, header.count) = (RecordKind::CleanEnd, 0), body),
        // Checksums of frames are right, but their bodies are not.
        forged(|_| {}, &body[..body.len() - 1]),
        forged(|_| {}, &[body, &[0]].concat()),
        forged(|_| {}, &[]),
        forged(|_| {}, &[9, 0, 0]),
        forged(|_| {}, &[0, 0, 1, 0]),
        forged(|_| {}, &[1, 0xff, 0xff, 0xff, 0xff, 0x0f, 0]),
        forged(|_| {}, &[[1].as_slice(), &[0xff; 9], &[1, 0]].concat()),
    ];
    for (index, bytes) in forgeries.iter().enumerate() {
        let error = replay_bytes(bytes, LogEnd::Newest).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corruption, "forgery {index}: {error}");
        assert_eq!(error.file(), Some(NAME), "forgery {index}: {error}");
        assert_eq!(
            error.offset(),
            Some(own_log().header_bytes() as u64),
            "forgery {index}: {error}"
        );
    }
    // A length within the limit but beyond the file looks like a torn write.
    let long = forged(|header| header.body_bytes = above - 1, body);
    assert_eq!(replay_bytes(&long, LogEnd::Newest).unwrap().batches.len(), 0);
}

#[test]
fn sequence_numbers_have_no_gaps() {
    let mut writer = WalWriter::create(&MemoryStorage::new(), NUMBER).unwrap();
    let batch = &small_batches()[0];
    writer.append(10, batch.len(), batch.body()).unwrap();
    for wrong in [0, 10, 11, 13] {
        let error = writer.append(wrong, batch.len(), batch.body()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }
    writer.append(12, batch.len(), batch.body()).unwrap();

    let mut bytes = forged(|_| {}, batch.body());
    let gap = RecordHeader {
        body_bytes: 0,
        body_checksum: 0,
        count: 0,
        synced_bytes: 0,
        number: 9,
        kind: RecordKind::SyncMark,
    };
    let offset = bytes.len() as u64;
    gap.encode(own_log(), offset, &mut bytes);
    // The forged batch claims one entry; as many come before the mark.
    assert_eq!(replay_bytes(&bytes, LogEnd::Newest).unwrap_err().kind(), ErrorKind::Corruption);
}

#[test]
fn another_files_log_is_refused() {
    let good = Fixture::synced().bytes();
    let storage = MemoryStorage::new();
    storage.put("000008.wal", &good);
    let name = FileName::Wal(8);
    let file = storage.open(name).unwrap();
    let log = Log::wal(8, Some(MemoryStorage::IDENTITY));
    let error = replay(&*file, log, LogEnd::Newest, &mut |_| Ok(())).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Corruption, Some(12)));

    let reheaded = |change: &dyn Fn(&mut [u8])| {
        let mut bytes = good.clone();
        change(&mut bytes[..36]);
        let checksum = crc32(&[&bytes[..36]]);
        bytes[36..40].copy_from_slice(&checksum.to_le_bytes());
        replay_bytes(&bytes, LogEnd::Newest).unwrap_err().kind()
    };
    assert_eq!(reheaded(&|header| header[8] = 3), ErrorKind::UnsupportedFormat);
    assert_eq!(reheaded(&|header| header[0] = b'L'), ErrorKind::UnsupportedFormat);
}

#[test]
fn a_record_inside_a_value_proves_nothing() {
    let mut fixture = Fixture::synced();
    let copy = fixture.bytes();
    let mut batch = WriteBatch::new();
    batch.put(b"copy of the log", &copy).unwrap();
    fixture.append(&batch);
    let mut bytes = fixture.bytes();
    bytes[usize::try_from(fixture.offsets[4]).unwrap()] ^= 1;
    let found = replay_bytes(&bytes, LogEnd::Newest).unwrap();
    assert_eq!(found.batches, fixture.batches[..4]);
}

#[test]
fn a_hostile_tail_is_searched_once() {
    // Authentic headers everywhere, each with a body that reaches to the end of the file.
    let log = own_log();
    let length = 1 << 20;
    let mut bytes = Vec::new();
    log.encode_header(&mut bytes);
    bytes.extend_from_slice(&[0xee; 40]);
    while bytes.len() < length {
        let header = RecordHeader {
            body_bytes: u32::try_from(length - bytes.len()).unwrap(),
            body_checksum: 1,
            count: 1,
            synced_bytes: 0,
            number: 1,
            kind: RecordKind::Batch,
        };
        let offset = bytes.len() as u64;
        header.encode(log, offset, &mut bytes);
    }
    let found = replay_bytes(&bytes, LogEnd::Newest).unwrap();
    assert_eq!(found.valid_bytes, own_log().header_bytes() as u64);
}
