//! Histories of filters.

use super::*;
use levelscope::limits::KEY_BYTES_MAX;
use levelscope::{Compression, ReadStop, ScanOptions};

/// A filter excluded a key of its table: keys at the end of a partition, keys reached backward, keys of unusual
/// lengths.
#[test]
fn no_filter_denies_a_key_of_its_table() {
    let lengths = [0, 1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 120, 128, 129, 1000, KEY_BYTES_MAX];
    let mut keys: Vec<Vec<u8>> = lengths.iter().map(|length| vec![b'k'; *length]).collect();
    keys.extend((0..400).map(|index| format!("key{index:04}").into_bytes()));
    for bloom_bits in [0, 1, 2, 10, 30, 64] {
        for (restart_interval, block_bytes) in [(1, 64), (4, 256), (16, 4096), (1024, 1 << 20)] {
            let options = by_hand()
                .bloom_bits(bloom_bits)
                .restart_interval(restart_interval)
                .block_bytes(block_bytes)
                .compression(if restart_interval == 4 {
                    Compression::Snappy
                } else {
                    Compression::None
                });
            let disk = MemoryStorage::new();
            let db = open(&shared(&disk), &options);
            for key in &keys {
                db.put(key, b"value").unwrap();
            }
            flush(&db);
            drop(db);
            // Reopened: the filter is the one that was read from the file.
            let db = open(&shared(&disk), &options);
            for key in &keys {
                let (value, path) = db.explain_get(key, None).unwrap();
                let context = format!("{bloom_bits} bits, key of {} bytes: {path:?}", key.len());
                assert!(value.is_some(), "{context}");
                let denied =
                    path.stops.iter().any(|stop| matches!(stop, ReadStop::Filtered { .. }));
                assert!(!denied, "{context}");
                let filtered = path.stops.iter().any(
                    |stop| matches!(stop, ReadStop::Table { filter, .. } if filter.is_some() == (bloom_bits > 0)),
                );
                assert!(filtered, "{context}");
            }
            let mut iterator = db.iter(&ScanOptions::default()).unwrap();
            for key in &keys {
                iterator.seek_for_prev(key).unwrap();
                assert_eq!(iterator.key(), key, "{bloom_bits} bits, backward");
            }
        }
    }
}
