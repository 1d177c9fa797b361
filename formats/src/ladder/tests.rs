use super::*;
use crate::{Format, Likeness, SearchMethod, Trail, find};
use levelscope::inspect::Scope;
use levelscope::testing::covers::assert_covers;

/// `bar` and `foo` are set, `baz` is deleted: in every step.
const FILES: [&[u8]; 7] = [
    b"\x03\0\x02\0bar\x011\x03\0\x01\0baz\0\x03\0\x03\0foo\x0122",
    b"\x03\x02bar\x011\x03\x01baz\0\x03\x03foo\x0122",
    b"\x03\x02bar\x011\x03\x01baz\0\x03\x03foo\x0122\0\0\0\0\x07\0\0\0\x0d\0\0\0\x03\0\0\0",
    b"\x03\x02bar\x011\x03\x01baz\0\x03\x03foo\x0122\
      \x03\x09foo\x01\0\0\0\0\x15\0\0\0\0\0\0\0\x1a\0\0\0\x01\0\0\0",
    b"\x15\x50\x03\x02bar\x011\x03\x01baz\0\x03\x03foo\x0122\
      \x03\x09foo\x01\0\0\0\0\x17\0\0\0\0\0\0\0\x1a\0\0\0\x01\0\0\0",
    b"\x22\x84\0\x03\x02bar\x011\x02\x01\x01z\0\0\x03\x03foo\x0122\0\0\0\0\x22\0\0\0\x01\0\0\0\
      \0\x03\x09foo\x01\0\0\0\0\x24\0\0\0\0\0\0\0\x1b\0\0\0\x01\0\0\0",
    b"\0\x03\x02bar\x011\x02\x01\x01z\0\0\x03\x03foo\x0122\0\0\0\0\x22\0\0\0\x01\0\0\0\
      \0\x03\x09foo\x01\0\0\0\0\x22\0\0\0\0\0\0\0\x1b\0\0\0\x01\0\0\0",
];

fn steps() -> impl Iterator<Item = (Step, &'static dyn Format, &'static [u8])> {
    Step::ALL.into_iter().zip(FILES).map(|(step, file)| (step, find(step.id()).unwrap(), file))
}

fn entries() -> Vec<Entry<'static>> {
    [(&b"bar"[..], Some(&b"1"[..])), (b"baz", None), (b"foo", Some(b"22"))]
        .map(|(key, value)| Entry::new(key, value))
        .to_vec()
}

fn numbered(count: usize) -> Vec<Entry<'static>> {
    let entry = |number| Entry {
        key: format!("key{number:05}").into_bytes().into(),
        value: Some(b"some value".into()),
        sequence: None,
        offset: 0,
    };
    (0..count).map(entry).collect()
}

#[test]
fn what_is_written_is_read_again() {
    for (step, format, file) in steps() {
        assert_eq!(format.write(&entries()).unwrap(), file, "{step:?}");
        let found: Vec<_> = format.scan(file).map(Result::unwrap).collect();
        let found = found.iter().map(|entry| (&*entry.key, entry.value.as_deref()));
        assert!(found.eq(entries().iter().map(|entry| (&*entry.key, entry.value.as_deref()))));
        assert_eq!(format.recognize("", file), Likeness::Likely);
        for method in format.info().searches {
            let found = format.get(file, b"baz", *method).unwrap();
            assert_eq!(found.unwrap().value, None);
            for absent in [&b""[..], b"bas", b"bazz", b"fooo", b"\xff\xff"] {
                assert!(format.get(file, absent, *method).unwrap().is_none(), "{step:?}");
            }
        }
    }
}

#[test]
fn every_byte_of_a_damaged_file_has_a_name() {
    for (_, format, file) in steps() {
        for cut in 0..=file.len() {
            assert_covers(&format.annotate("cut", &file[..cut], Scope::ALL), &file[..cut]);
        }
        for at in 0..file.len() {
            let mut bytes = file.to_vec();
            bytes[at] ^= 0x21;
            assert_covers(&format.annotate("flipped", &bytes, Scope::ALL), &bytes);
        }
    }
}

/// The index leads to the first block whose largest key is at or after the key sought, the block to the last
/// chunk whose first key is at or before it: three reads, or two when the index suffices.
#[test]
fn a_search_reads_the_footer_the_index_and_one_block() {
    let entries = numbered(2000);
    for step in [Step::Blocks, Step::Snappy, Step::Incremental, Step::IncrementalRaw] {
        let (format, file) = (find(step.id()).unwrap(), TableSettings::new(step).write(&entries));
        let file = file.unwrap();
        for (key, accesses) in [(&b"key01234"[..], 3), (b"key01234x", 3), (b"a", 3), (b"z", 2)] {
            let mut trail = Trail::default();
            let found = format.explain(&file, key, SearchMethod::Binary, &mut trail).unwrap();
            assert_eq!(found.is_some(), key.len() == 8, "{step:?}");
            let what: Vec<_> = trail.accesses.iter().map(|access| access.what).collect();
            assert_eq!(what, ["footer", "index block", "data block"][..accesses], "{step:?}");
            let walked = trail.accesses.last().unwrap().entries.len();
            assert!(step.coding() != coding::Coding::Shared || walked <= 16, "{step:?} {walked}");
        }
    }
}

#[test]
fn blocks_and_chunks_have_the_size_that_is_asked_for() {
    let entries = numbered(100);
    let settings = TableSettings {
        block_bytes: 200,
        chunk_entries: 3,
        ..TableSettings::new(Step::IncrementalRaw)
    };
    let file = settings.write(&entries).unwrap();
    let found = layout(settings.step, &file).unwrap();
    assert!(found.blocks.len() > 5);
    for block in &found.blocks {
        assert_eq!(block.chunks.len(), block.entries.div_ceil(3));
    }
    assert_eq!(found.blocks.iter().map(|block| block.entries).sum::<usize>(), 100);
    for (settings, what) in [
        (
            TableSettings { block_bytes: 0, ..settings },
            "a block and a chunk hold at least one entry",
        ),
        (TableSettings { index: false, ..settings }, "without an index"),
    ] {
        let error = settings.write(&entries).unwrap_err();
        assert!(error.message().starts_with(what), "{error}");
    }
    let mut unsorted = entries;
    unsorted.swap(4, 5);
    assert!(settings.write(&unsorted).is_err());
}

/// Small keys that all share a long one would decode to far more bytes than the file has.
#[test]
fn keys_that_share_too_much_are_refused() {
    let mut settings = TableSettings::new(Step::IncrementalRaw);
    (settings.block_bytes, settings.chunk_entries) = (1 << 20, usize::MAX);
    let prefix = vec![b'k'; 40_000];
    let key = |number: u32| [&prefix[..], format!("{number:04}").as_bytes()].concat();
    let entries = (0..2000).map(|number| Entry {
        key: key(number).into(),
        value: None,
        sequence: None,
        offset: 0,
    });
    let file = settings.write(&entries.collect::<Vec<_>>()).unwrap();
    let format = find(settings.step.id()).unwrap();
    assert!(format.scan(&file).any(|entry| entry.is_err()));
    assert_eq!(format.recognize("", &file), Likeness::None);
}
