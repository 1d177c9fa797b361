//! The memory disk: its bytes after a crash, and the bytes that a fork shares.

use levelscope::ErrorKind;
use levelscope::storage::trace::Operation;
use levelscope::storage::{Crash, FileName, MemoryStorage, Storage};
use levelscope::testing::crash;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const WAL: FileName = FileName::Wal(1);

#[test]
fn a_crash_drops_names_and_bytes_that_were_not_synced() {
    let disk = MemoryStorage::new();
    let file = disk.create(WAL).unwrap();
    file.append(b"one").unwrap();
    file.sync().unwrap();
    assert!(disk.crash_image(Crash::KeepSynced).list().unwrap().is_empty());
    disk.sync_directory().unwrap();
    file.append(b"two").unwrap();
    let image = disk.crash_image(Crash::KeepSynced);
    assert_eq!(image.read(WAL).unwrap(), b"one");
    assert_eq!(disk.crash_image(Crash::KeepAll).read(WAL).unwrap(), b"onetwo");
    assert_eq!((disk.durable_bytes(WAL), image.durable_bytes(WAL)), (3, 3));
}

#[test]
fn a_deletion_that_was_not_synced_may_come_back() {
    let disk = MemoryStorage::new();
    disk.put("000001.wal", b"old");
    disk.delete(WAL).unwrap();
    assert_eq!(disk.crash_image(Crash::KeepSynced).read(WAL).unwrap(), b"old");
    let back = (0..64).filter(|seed| disk.crash_image(Crash::Random(*seed)).read(WAL).is_ok());
    assert!((8..56).contains(&back.count()));
    disk.sync_directory().unwrap();
    assert!(disk.crash_image(Crash::KeepSynced).read(WAL).is_err());
}

#[test]
fn random_images_keep_synced_bytes_and_differ_in_the_rest() {
    let disk = MemoryStorage::new();
    let file = disk.create(WAL).unwrap();
    file.append(&[1; 700]).unwrap();
    file.sync().unwrap();
    disk.sync_directory().unwrap();
    file.append(&[2; 3000]).unwrap();
    let mut hashes = BTreeSet::new();
    for seed in 0..200 {
        let image = disk.crash_image(Crash::Random(seed));
        let bytes = image.read(WAL).unwrap();
        assert!((700..=3700).contains(&bytes.len()), "SEED={seed}");
        assert_eq!(bytes[..700], [1; 700], "SEED={seed}");
        hashes.insert(image.hash());
        assert_eq!(image.hash(), disk.crash_image(Crash::Random(seed)).hash(), "SEED={seed}");
    }
    assert!(hashes.len() > 100, "only {} different images", hashes.len());
    assert!(hashes.contains(&disk.hash()), "some image keeps everything");
    assert!(hashes.contains(&disk.crash_image(Crash::KeepSynced).hash()));
}

#[test]
fn a_torn_overwrite_mixes_old_and_new_only_where_it_wrote() {
    let disk = MemoryStorage::new();
    disk.put("CURRENT", &[b'o'; 8192]);
    let file = disk.open(FileName::Current).unwrap();
    file.write_at(4096, &[b'n'; 1024]).unwrap();
    let mut torn = 0;
    for seed in 0..100 {
        let bytes = disk.crash_image(Crash::Random(seed)).read(FileName::Current).unwrap();
        assert_eq!(bytes.len(), 8192, "SEED={seed}");
        assert!(bytes[..4096].iter().all(|byte| *byte == b'o'), "SEED={seed}");
        assert!(bytes[5120..].iter().all(|byte| *byte == b'o'), "SEED={seed}");
        let new: usize = bytes.iter().map(|byte| usize::from(*byte == b'n')).sum();
        torn += usize::from(new != 0 && new != 1024);
    }
    assert!(torn > 20);
}

#[test]
fn names_dropped_by_a_failed_directory_sync_stay_lost() {
    let disk = MemoryStorage::new();
    disk.put("000009.sst", b"old");
    drop(disk.create(WAL).unwrap());
    disk.delete(FileName::Table(9)).unwrap();
    disk.drop_unsynced_names();
    drop(disk.create(FileName::Wal(2)).unwrap());
    disk.sync_directory().unwrap();
    let image = disk.crash_image(Crash::KeepSynced);
    assert_eq!(image.list().unwrap(), ["000002.wal", "000009.sst"]);
}

#[test]
fn a_fork_is_a_disk_of_its_own() {
    let disk = MemoryStorage::new();
    let file = disk.create(WAL).unwrap();
    file.append(b"a").unwrap();
    let _lock = disk.lock().unwrap();
    let fork = disk.fork();
    assert!(fork.lock().is_ok());
    assert_eq!(fork.hash(), disk.hash());
    file.append(b"b").unwrap();
    assert_ne!(fork.hash(), disk.hash());
    assert_eq!(fork.crash_image(Crash::KeepSynced).list().unwrap().len(), 0);
    assert_eq!(disk.lock().unwrap_err().kind(), ErrorKind::Locked);
}

#[test]
fn damage_changes_exactly_one_byte() {
    let disk = MemoryStorage::new();
    disk.put("000001.wal", b"abc");
    disk.corrupt(WAL, 1, 0x20).unwrap();
    assert_eq!(disk.read(WAL).unwrap(), b"aBc");
    assert!(disk.corrupt(WAL, 3, 1).is_err());
    disk.truncate(WAL, 1).unwrap();
    assert_eq!(disk.read(WAL).unwrap(), b"a");
    assert_eq!(disk.total_bytes(), 1);
}

#[test]
fn every_operation_is_a_crash_point() {
    let seed = crash::seed(1);
    println!("SEED={seed}");
    let disk = MemoryStorage::new();
    let synced = Arc::new(AtomicUsize::new(0));
    let images = Arc::new(AtomicUsize::new(0));
    let (known, count) = (Arc::clone(&synced), Arc::clone(&images));
    let storage = crash::after_each_operation(&disk, move |number, operation, disk| {
        if number < 3 {
            return; // Until the directory is synced there may be no file.
        }
        if operation == Operation::Sync(WAL) {
            known.store(disk.read(WAL).unwrap().len(), Ordering::Relaxed);
        }
        let known = known.load(Ordering::Relaxed);
        let wanted = disk.read(WAL).unwrap();
        for (crash, image) in crash::images(disk, seed ^ number, 16) {
            let found = image.read(WAL).unwrap();
            let place = format!("SEED={seed}, {crash:?} after operation {number}, {operation}");
            assert!(found.len() >= known && found.len() <= wanted.len(), "{place}");
            assert_eq!(found[..known], wanted[..known], "{place}");
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    let file = storage.create(WAL).unwrap();
    file.append(b"header").unwrap();
    storage.sync_directory().unwrap();
    for round in 0..20 {
        file.append(&[round; 333]).unwrap();
        if round % 3 == 0 {
            file.sync().unwrap();
        }
    }
    assert_eq!(images.load(Ordering::Relaxed), (1 + 20 + 7) * 16);
    assert!(synced.load(Ordering::Relaxed) > 0);
}
