use super::filter::hash;
use super::*;
use crate::{Entry, Format, Likeness, SearchMethod, Trail};
use levelscope::inspect::Scope;
use levelscope::testing::covers::assert_covers;

const FILE: &[u8] = b"\x01\x001\x01\x002\x01\0\0\
    \x09\0a\0\0\0\0\0\0\0\x01\0\0\0\0\x09\0b\0\0\0\0\0\0\0\x01\x03\0\0\0\x09\0c\0\0\0\0\0\0\0\x02\x06\0\0\0\
    \x09\0\0\0\x18\0\0\0\x27\0\0\0\x77\xa6\x1b\xb7\xac\x58\xc7\x0e\0\0\0\0\x03\0\0\0\x09\0\0\0\x42\0\0\0";

const RECORD: &[u8] = b"\x0a\0\x03\0w0\0\0\0\0\0\0\0\x01abc";

fn version<'a>(key: &'a [u8], time: u64, value: Option<&'a [u8]>) -> Entry<'a> {
    Entry { sequence: Some(time), ..Entry::new(key, value) }
}

#[test]
fn a_table_has_the_bytes_of_the_original_program() {
    let entries =
        [version(b"a", 1, Some(b"1")), version(b"b", 1, Some(b"2")), version(b"c", 2, None)];
    assert_eq!(TableFormat.write(&entries).unwrap(), FILE);
    assert_eq!(TableFormat.recognize("0_0.sst", FILE), Likeness::Likely);
    let table = Table::open(FILE).unwrap();
    assert_eq!((table.is_sorted(), table.filter()), (true, FilterState::Good));
    assert_eq!(table.metadata().keys, 3);
    assert!(table.get(b"c", 1).unwrap().is_none());
    assert_eq!(table.get(b"c", 2).unwrap().unwrap().value, None);
    assert!(table.get(b"", u64::MAX).unwrap().is_none());
}

#[test]
fn every_byte_of_a_damaged_file_has_a_name() {
    let log = [RECORD, RECORD].concat();
    for (format, file) in [(&TableFormat as &dyn Format, FILE), (&Log, &log)] {
        for cut in 0..=file.len() {
            assert_covers(&format.annotate("cut", &file[..cut], Scope::ALL), &file[..cut]);
        }
        for at in 0..file.len() {
            for mask in [0x21, 0x80] {
                let mut bytes = file.to_vec();
                bytes[at] ^= mask;
                assert_covers(&format.annotate("flipped", &bytes, Scope::ALL), &bytes);
            }
        }
    }
}

#[test]
fn hashes_are_those_of_the_original_program() {
    for (key, expected) in
        [(&b"a"[..], 0x286e_9db0), (b"hello", 0xf795_964e), (b"\xff\xff\xff", 0x3755_9553)]
    {
        assert_eq!(hash(key), expected);
    }
}

/// A longer key may lie between two versions of one that it begins with.
#[test]
fn versions_of_a_key_may_lie_apart() {
    let long = b"k\0\0\0\0\0\0\0\x02x";
    let entries = [
        version(b"k", 1, Some(b"old")),
        version(long, 7, Some(b"other")),
        version(b"k", 3, None),
        version(b"k", 1 << 60, Some(b"new")),
    ];
    let file = TableFormat.write(&entries).unwrap();
    let table = Table::open(&file).unwrap();
    for (time, expected) in
        [(0, None), (1, Some(1)), (2, Some(1)), (3, Some(3)), (u64::MAX, Some(1 << 60))]
    {
        let found = table.get(b"k", time).unwrap();
        assert_eq!(found.and_then(|found| found.sequence), expected, "{time}");
    }
    assert_eq!(table.get(long, 9).unwrap().unwrap().value.as_deref(), Some(&b"other"[..]));
}

#[test]
fn what_the_original_program_reads_wrongly_is_read_as_it_was_written() {
    let entries = [version(b"empty", 1, Some(b"")), version(b"zero", 1, Some(b"\0x"))];
    let file = TableFormat.write(&entries).unwrap();
    for entry in &entries {
        let found = TableFormat.get(&file, &entry.key, SearchMethod::Binary).unwrap().unwrap();
        assert_eq!(found.value, entry.value);
    }
    assert!(TableFormat.write(&[version(b"k", 1, Some(b"\0"))]).is_err());
    assert!(TableFormat.write(&[version(b"k", 1, Some(&vec![1; 65_536]))]).is_err());
    assert!(TableFormat.write(&[version(&vec![1; 65_528], 1, None)]).is_err());
    assert!(TableFormat.write(&[version(b"b", 1, None), version(b"a", 1, None)]).is_err());
}

/// Sixteen bits hold the number of bits up to 6,830 keys.
#[test]
fn a_filter_that_is_too_large_is_not_asked() {
    let keys: Vec<String> = (0..6_900).map(|number| format!("key{number:05}")).collect();
    for (count, state) in [
        (6_830, FilterState::Good),
        (6_831, FilterState::Overflown),
        (6_837, FilterState::Overflown),
        (6_900, FilterState::Overflown),
    ] {
        let entries: Vec<_> =
            keys[..count].iter().map(|key| version(key.as_bytes(), 1, Some(b"v"))).collect();
        let file = TableFormat.write(&entries).unwrap();
        let table = Table::open(&file).unwrap();
        assert_eq!(table.filter(), state, "{count}");
        let mut denied = 0;
        for number in 0..200 {
            let (mut trail, absent) = (Trail::default(), format!("absent{number}"));
            let found =
                TableFormat.explain(&file, absent.as_bytes(), SearchMethod::Binary, &mut trail);
            assert_eq!(found, Ok(None));
            denied += usize::from(trail.accesses.last().unwrap().what == "filter");
        }
        // One in a hundred was let through.
        let expected = if state == FilterState::Good { 190..=200 } else { 0..=0 };
        assert!(expected.contains(&denied), "{count}: {denied}");
        assert!(table.get(keys[count - 1].as_bytes(), 1).unwrap().is_some());
        assert!(table.get(keys[0].as_bytes(), 1).unwrap().is_some());
    }
    // A bit that was lost must not hide a key.
    let mut file = FILE.to_vec();
    file[66] = 0;
    assert_eq!(Table::open(&file).unwrap().filter(), FilterState::Wrong);
    assert!(TableFormat.get(&file, b"a", SearchMethod::Binary).unwrap().is_some());
}

/// 100,000 short keys and a memtable of 1 KiB: as many tables as the original program makes.
#[test]
fn a_small_memtable_makes_many_tables() {
    for (max_bytes, expected) in [(1 << 10, 1657), (16 << 10, 103), (64 << 10, 25)] {
        let (mut memtable, mut tables) = (Memtable::new(max_bytes), 0);
        for number in 0..100_000_u32 {
            let key = number.to_string();
            if memtable.full_for(key.as_bytes(), Some(b"load")) {
                let entries = memtable.flush();
                if tables % 100 == 0 {
                    let file = TableFormat.write(&entries).unwrap();
                    assert_eq!(TableFormat.scan(&file).count(), entries.len());
                }
                tables += 1;
            }
            memtable.write(key.as_bytes(), 1, Some(b"load"));
            assert!(memtable.bytes() < max_bytes);
        }
        assert_eq!(tables, expected);
    }
}

#[test]
fn a_log_is_read_up_to_its_torn_tail() {
    let entries = [version(b"w0", 1, Some(b"abc")), version(b"w0", 2, None)];
    let file = Log.write(&entries).unwrap();
    assert!(file.starts_with(RECORD));
    for cut in RECORD.len()..file.len() {
        let found = Log.get(&file[..cut], b"w0", SearchMethod::Sequential).unwrap().unwrap();
        assert_eq!(found.sequence, Some(1));
        assert_eq!(
            Log.scan(&file[..cut]).filter(Result::is_err).count(),
            usize::from(cut > RECORD.len())
        );
    }
    let found = Log.get(&file, b"w0", SearchMethod::Sequential).unwrap().unwrap();
    assert_eq!((found.value, found.sequence), (None, Some(2)));
    let mut damaged = file;
    damaged[RECORD.len()] = 7;
    let error = Log.get(&damaged, b"w0", SearchMethod::Sequential).unwrap_err();
    assert_eq!(error.offset(), Some(RECORD.len() as u64));
}
