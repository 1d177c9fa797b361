use super::store::StoreSettings;
use super::*;
use crate::{Entry, Format, Likeness, SearchMethod};
use levelscope::ErrorKind;
use levelscope::inspect::Scope;
use levelscope::storage::{Crash, MemoryStorage, Storage};
use levelscope::testing::covers::assert_covers;

const PUT: &[u8] = b"\x29\x8e\xb4\x87\0\0\0\0\x04\0\0\0\x06key1value1";
const DELETE: &[u8] = b"\x82\x16\x75\x47\x01\0\0\0\x04\0\0\0\0key1";

fn log(count: usize) -> Vec<u8> {
    let keys: Vec<String> = (0..count).map(|number| format!("key{number}")).collect();
    let entries: Vec<_> =
        keys.iter().map(|key| Entry::new(key.as_bytes(), Some(&b"some value"[..]))).collect();
    Log.write(&entries).unwrap()
}

#[test]
fn records_have_the_bytes_of_the_original_program() {
    let entries = [Entry::new(b"key1", Some(b"value1")), Entry::new(b"key1", None)];
    let file = Log.write(&entries).unwrap();
    assert_eq!(file, [PUT, DELETE].concat());
    assert_eq!(Log.recognize("", &file), Likeness::Certain);
    let found = Log.get(&file, b"key1", SearchMethod::Sequential).unwrap().unwrap();
    assert_eq!((found.value, found.offset), (None, 23));
    assert!(Log.write(&[Entry::new(b"", None)]).is_err());
}

#[test]
fn every_byte_has_a_name() {
    let file = log(3);
    for cut in 0..=file.len() {
        assert_covers(&Log.annotate("cut", &file[..cut], Scope::ALL), &file[..cut]);
        let found = summary(&file[..cut]);
        let torn = cut % 27 > 0;
        assert_eq!(found.end, if torn { End::Torn } else { End::Clean }, "{cut}");
        assert_eq!(found.valid_bytes, cut as u64 / 27 * 27);
    }
    for at in 0..file.len() {
        let mut bytes = file.clone();
        bytes[at] ^= 0x21;
        assert_covers(&Log.annotate("flipped", &bytes, Scope::ALL), &bytes);
        assert!(matches!(summary(&bytes).end, End::Damaged(_)) || at >= 54, "{at}");
    }
}

/// Lengths that lead far beyond the end of the file hide no record.
#[test]
fn records_after_damage_are_found_again() {
    for (at, mask) in
        [(27 + 5, 0x40), (27 + 9, 0x7f), (27 + 8, 1), (27, 1), (27 + 4, 9), (27 + 20, 4)]
    {
        let mut file = log(4);
        file[at] ^= mask;
        let found = summary(&file);
        assert_eq!((found.records, found.end), (1, End::Damaged(After::Record(54))), "{at}");
        assert!(found.what.contains("at offset 27") && found.what.contains("54"), "{}", found.what);
        let results: Vec<_> = Log.scan(&file).map(|entry| entry.is_ok()).collect();
        assert_eq!(results, [true, false, true, true]);
        // The damaged record may have been a newer one of this key.
        let get = |key| Log.get(&file, key, SearchMethod::Sequential);
        assert_eq!(get(b"key0").unwrap_err().offset(), Some(27));
        assert_eq!(get(b"nowhere").unwrap_err().offset(), Some(27));
        assert!(get(b"key3").unwrap().is_some());
    }
}

/// A value may hold whole records: they count only if no record covers them.
#[test]
fn records_in_a_value_are_no_records() {
    let inner = log(2);
    let entries = [Entry::new(b"outer", Some(&inner)), Entry::new(b"last", Some(b"value"))];
    let mut file = Log.write(&entries).unwrap();
    assert_eq!(Log.scan(&file).count(), 2);
    file[14] ^= 1;
    let found: Vec<_> =
        Log.scan(&file).map(|entry| entry.map(|entry| entry.key.into_owned())).collect();
    assert_eq!(found[1], Ok(b"last".to_vec()));
}

/// Headers that look like those of long records everywhere cost no more than a few passes.
#[test]
fn what_looks_like_records_everywhere_is_given_up() {
    let file: Vec<u8> =
        std::iter::repeat_n(&b"\0\0\0\x01\0\0"[..], 100_000).flatten().copied().collect();
    let found = summary(&file);
    assert_eq!((found.records, found.end), (0, End::Damaged(After::Unknown)));
    assert_eq!(Log.scan(&file).count(), 1);
}

#[test]
fn a_store_keeps_what_was_synced() {
    let disk = MemoryStorage::new();
    let mut store = Store::open(&disk, StoreSettings::default()).unwrap();
    store.put(b"a", b"1").unwrap();
    store.put(b"b", &vec![7; 200_000]).unwrap();
    store.delete(b"a").unwrap();
    store.delete(b"never there").unwrap();
    let image = disk.crash_image(Crash::KeepSynced);
    let store = Store::open(&image, StoreSettings::default()).unwrap();
    assert_eq!(store.get(b"a").unwrap(), None);
    assert_eq!(store.get(b"b").unwrap(), Some(vec![7; 200_000]));
    assert_eq!(image.list().unwrap(), ["store.db"]);
    assert_eq!(store.bytes(), image.total_bytes());
}

/// The whole record counts for the limit, and nothing is written of one that is refused.
#[test]
fn a_record_may_be_as_long_as_the_limit() {
    let settings = StoreSettings { record_bytes_max: 100, sync: false };
    let mut store = Store::open(&MemoryStorage::new(), settings).unwrap();
    store.put(b"k", &[1; 86]).unwrap();
    let error = store.put(b"k", &[1; 87]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(
        error.to_string().contains("101 bytes") && error.to_string().contains("100"),
        "{error}"
    );
    assert_eq!(store.put(b"", b"1").unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(store.bytes(), 100);
    store.put(b"k", b"").unwrap();
    assert_eq!(store.get(b"k").unwrap(), Some(Vec::new()));
}

#[test]
fn a_torn_tail_is_cut_off_before_anything_is_appended() {
    let file = log(3);
    for cut in 55..80 {
        let disk = MemoryStorage::new();
        disk.put("store.db", &file[..cut]);
        let mut store = Store::open(&disk, StoreSettings::default()).unwrap();
        assert_eq!((store.bytes(), store.torn_bytes()), (54, cut as u64 - 54));
        store.put(b"new", b"value").unwrap();
        let store = Store::open(&disk, StoreSettings::default()).unwrap();
        assert_eq!(store.get(b"key1").unwrap(), Some(b"some value".to_vec()));
        assert_eq!(store.get(b"key2").unwrap(), None);
        assert_eq!(store.get(b"new").unwrap(), Some(b"value".to_vec()));
    }
}

#[test]
fn a_damaged_store_stays_as_it_is() {
    let mut file = log(4);
    file[30] ^= 8;
    let disk = MemoryStorage::new();
    disk.put("store.db", &file);
    let error = Store::open(&disk, StoreSettings::default()).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Corruption, Some(27)));
    assert_eq!(disk.read(FILE).unwrap(), file);
    // And damage that comes later is no answer either.
    let (disk, good) = (MemoryStorage::new(), log(4));
    disk.put("store.db", &good);
    let store = Store::open(&disk, StoreSettings::default()).unwrap();
    disk.corrupt(FILE, 70, 1).unwrap();
    assert_eq!(store.get(b"key0").unwrap_err().offset(), Some(54));
}
