//! `check`: whatever is damaged or untrue is found, with the file and a place in it; whatever is sound is
//! not complained of.
#![allow(clippy::disallowed_methods, reason = "a directory is looked at from outside")]

use crate::common::*;
use levelscope::storage::blocking::BlockingStorage;
use levelscope::storage::{FileName, MemoryStorage, NativeStorage, Storage};
use levelscope::testing::forge::{
    BlockForge, EditForge, LogForge, RecordFields, TableClaim, TableForge, database, internal_key,
    put_entry,
};
use levelscope::{
    Check, CheckReport, Db, ErrorKind, Finding, Maintenance, Options, PrefixExtractor,
    PrefixIndexForm, Severity,
};
use std::sync::Arc;

pub fn report_of(disk: &MemoryStorage) -> CheckReport {
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    Check::new(storage).expect("no program has it open").run().expect("a check does not fail")
}

/// A small database with everything that a check looks at: levels, logs, filters, a prefix index.
pub fn small(options: &Options) -> MemoryStorage {
    let disk = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let db = open(&storage, options);
    for index in 0..90_u8 {
        let key = format!("key{:02}/{index:03}", index % 7).into_bytes();
        if index % 9 == 4 {
            db.delete(format!("key{:02}/{:03}", index % 7, index / 2).as_bytes()).unwrap();
        }
        db.put(&key, vec![b'v'; usize::from(index % 40)]).unwrap();
    }
    db.rotate().unwrap();
    db.put(b"last", b"in the log").unwrap();
    drop(db);
    disk
}

pub fn small_and_indexed() -> Options {
    Options::default()
        .memtable_bytes(1024)
        .flush_trigger_bytes(4096)
        .block_bytes(160)
        .restart_interval(4)
        .l0_trigger(2)
        .table_bytes(1024)
        .level_base_bytes(2048)
        .manifest_bytes(64)
        .prefix(PrefixExtractor::Until(b'/'))
        .prefix_index(PrefixIndexForm::Exact)
        .maintenance(Maintenance::Inline)
}

fn names(disk: &MemoryStorage) -> Vec<FileName> {
    let listed = disk.list().unwrap();
    let names = listed.iter().filter_map(|name| FileName::parse(name));
    names.filter(|name| *name != FileName::Lock).collect()
}

#[test]
fn a_sound_database_has_no_errors_open_or_not() {
    let mut technique = Technique::new("check of sound databases", 40);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x00c4_ec4e);
        let options = small_options(&mut random);
        let disk = MemoryStorage::new();
        let storage: Arc<dyn Storage> = Arc::new(disk.clone());
        let mut db = open(&storage, &options);
        for op in random_script(&mut random, 150) {
            if matches!(op, Op::Reopen) {
                drop(db);
                let report = report_of(&disk);
                assert_eq!(report.problems(), Vec::<String>::new(), "seed {seed}");
                db = open(&storage, &options);
                continue;
            }
            run(&db, &op).expect("the operation works");
            if random.below(10) == 0 {
                let before = disk.hash();
                let report = db.check().expect("checks");
                assert_eq!(report.problems(), Vec::<String>::new(), "seed {seed}");
                assert_eq!(report.warnings, 0, "seed {seed}: {:?}", report.findings);
                assert_eq!(disk.hash(), before, "seed {seed}: a check changes nothing");
            }
        }
        technique.count(1);
    }
}

/// The errors and warnings that name the file. CURRENT's older slot and its manifest are only a fallback, and
/// the bytes of a torn tail were never durable: these give warnings.
fn noticed(report: &CheckReport, name: FileName) -> Vec<&Finding> {
    let named = report.findings.iter().filter(|finding| finding.file == name.to_string());
    named.filter(|finding| finding.severity >= Severity::Warning).collect()
}

#[test]
fn every_flipped_byte_is_found_in_its_file() {
    let good = small(&small_and_indexed());
    let clean = report_of(&good);
    assert_eq!(clean.warnings + clean.errors, 0, "{:?}", clean.findings);
    assert!(clean.tables >= 2 && clean.blocks > 10 && clean.batches > 2, "{clean:?}");
    let mut technique = Technique::new("check of flipped bytes", 1);
    while let Some(seed) = technique.next_seed() {
        for name in names(&good) {
            let length = good.read(name).unwrap().len() as u64;
            // Zeros of CURRENT are all alike; every other byte is tried.
            let stride = if name == FileName::Current { 61 } else { 1 };
            for offset in (seed % stride..length).step_by(stride as usize) {
                let damaged = good.fork();
                damaged.corrupt(name, offset, 1 << ((offset + seed) % 8)).unwrap();
                let report = report_of(&damaged);
                let context = format!("seed {seed}, {name} at {offset}: {:?}", report.findings);
                let noticed = noticed(&report, name);
                assert!(!noticed.is_empty(), "{context}");
                placed(name, offset, length, &noticed, &context);
                technique.count(1);
            }
        }
    }
}

/// At least one finding points at the damaged byte or at the structure around it, which begins before it.
fn placed(name: FileName, offset: u64, length: u64, noticed: &[&Finding], context: &str) {
    let pointed = noticed.iter().filter_map(|finding| finding.offset);
    assert!(pointed.clone().all(|at| at <= length), "{context}");
    let near = match name {
        // A damaged block of 160 bytes, an index, properties of a few hundred, or the footer.
        FileName::Table(_) => 800,
        FileName::Current => 4096,
        _ => 1200,
    };
    assert!(
        pointed.clone().any(|at| at <= offset && offset - at <= near),
        "{context}: nothing points at {offset}"
    );
}

#[test]
fn a_check_by_slices_and_late_files_is_the_same() {
    let good = small(&small_and_indexed());
    let table = names(&good).into_iter().find(|name| matches!(name, FileName::Table(_))).unwrap();
    good.corrupt(table, 20, 4).unwrap();
    let expected = report_of(&good);
    let late = BlockingStorage::new(Arc::new(good.clone()));
    let mut check = late.host(|| Check::new(Arc::new(late.clone()))).unwrap();
    late.evict_all();
    let mut steps = 0;
    while late.host(|| check.step()).unwrap() {
        late.evict_all();
        steps += 1;
    }
    let report = check.report();
    assert_eq!(report.findings, expected.findings);
    assert_eq!((report.entries, report.blocks), (expected.entries, expected.blocks));
    assert!(steps > report.blocks, "a unit is small: {steps}");
}

#[test]
fn a_locked_database_is_left_to_its_owner() {
    let disk = MemoryStorage::new();
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    assert_eq!(Check::new(Arc::clone(&storage)).unwrap_err().kind(), ErrorKind::NotFound);
    assert!(disk.list().unwrap().is_empty(), "not even a lock was made");
    let db = open(&storage, &Options::default());
    assert_eq!(Check::new(Arc::clone(&storage)).unwrap_err().kind(), ErrorKind::Locked);
    db.put(b"a", b"1").unwrap();
    let reader = Db::builder().read_only().open_in(Arc::clone(&storage)).unwrap();
    assert!(reader.check().unwrap().is_sound());
    drop((reader, db));
    let check = Check::new(Arc::clone(&storage)).unwrap();
    let error = open_watched(Arc::clone(&storage), Options::default(), None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Locked);
    drop(check);
    open(&storage, &Options::default());
}

#[test]
fn files_of_a_directory_are_not_touched() {
    let path = std::env::temp_dir().join(format!("levelscope-check-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    let good = small(&small_and_indexed());
    for name in good.list().unwrap() {
        if let Some(parsed) = FileName::parse(&name) {
            std::fs::write(path.join(&name), good.read(parsed).unwrap()).unwrap();
        }
    }
    std::fs::remove_file(path.join("LOCK")).ok();
    std::fs::write(path.join("notes.txt"), "mine").unwrap();
    let listing = || {
        let entries = std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> =
            entries.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect();
        files.sort();
        files
    };
    let before = listing();
    let storage: Arc<dyn Storage> = Arc::new(NativeStorage::read_only(&path).unwrap());
    let report = Check::new(Arc::clone(&storage)).unwrap().run().unwrap();
    assert!(report.is_sound() && report.warnings == 0, "{:?}", report.findings);
    assert_eq!(report.findings.len(), 1, "a note on the stranger: {:?}", report.findings);
    assert!(listing() == before, "a check has changed the directory");
    let owned: Arc<dyn Storage> = Arc::new(NativeStorage::open(&path).unwrap());
    let refused = try_open(&owned, &Options::default()).unwrap_err();
    assert!(refused.to_string().contains("\"notes.txt\""), "{refused}");
    let owner = try_open_beside(&owned, &Options::default()).unwrap();
    assert_eq!(Check::new(storage).unwrap_err().kind(), ErrorKind::Locked);
    drop(owner);
    std::fs::remove_dir_all(&path).unwrap();
}

#[test]
fn an_open_database_reports_the_owner_of_a_file_as_a_closed_one_does() {
    let disk = small(&small_and_indexed());
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let name = FileName::Table(99);
    storage.create(name).unwrap().append(&[b'#'; 100]).unwrap();
    let finding = |report: &CheckReport| {
        let name = name.to_string();
        report.findings.iter().find(|finding| finding.file == name).unwrap().clone()
    };
    let closed = finding(&report_of(&disk));
    assert_eq!(closed.what, "its owner is unknown: it is left alone");
    let db = open(&storage, &small_and_indexed());
    assert_eq!(finding(&db.check().unwrap()), closed);
    drop(db);
    drop(open(&storage, &small_and_indexed()));
    assert_eq!(disk.read(name).unwrap(), [b'#'; 100], "the next opening leaves it alone");
}

#[test]
fn a_file_without_room_for_a_footer_is_too_short() {
    let disk = small(&small_and_indexed());
    let table = names(&disk).into_iter().find(|name| matches!(name, FileName::Table(_))).unwrap();
    disk.delete(table).unwrap();
    disk.create(table).unwrap().append(&[b'#'; 39]).unwrap();
    let problems = report_of(&disk).problems().join("\n");
    assert!(problems.contains("the file has 39 bytes, but the manifest records "), "{problems}");
    let short = "the file has 39 bytes: too short for a table, whose footer has 56 bytes";
    assert!(problems.contains(short), "{problems}");
}

/// One forged table with entries `(key, sequence, value)`, each block one entry.
fn forged(
    entries: &[(&str, u64, &[u8])],
    finish: impl FnOnce(&mut TableForge),
) -> (Vec<u8>, TableClaim) {
    let mut table = TableForge::new(5);
    for (key, sequence, value) in entries {
        let key = internal_key(key.as_bytes(), *sequence, 1);
        let block = BlockForge::default().restart().entry(0, &key, value).finish();
        table.data(&key, &block, 0);
    }
    finish(&mut table);
    let (file, mut claim) = table.finish();
    if let (Some(first), Some(last)) = (entries.first(), entries.last()) {
        claim.smallest = internal_key(first.0.as_bytes(), first.1, 1);
        claim.largest = internal_key(last.0.as_bytes(), last.1, 1);
    }
    (file, claim)
}

fn problems_of(edits: Vec<EditForge>, files: &[(FileName, Vec<u8>)]) -> String {
    report_of(&database(edits, files)).problems().join("\n")
}

#[test]
fn untrue_claims_are_found() {
    let entries = [("apple", 2, &b"red"[..]), ("plum", 3, b"blue")];
    let table = |counts: [u64; 4], keys: [&str; 2], change: &dyn Fn(&mut TableClaim)| {
        let (file, mut claim) = forged(&entries, |table| {
            table.claim(counts, keys[0].as_bytes(), keys[1].as_bytes());
        });
        change(&mut claim);
        let edits = vec![EditForge::snapshot(6, 7, 3), EditForge::default().added(&claim)];
        problems_of(edits, &[(FileName::Table(5), file)])
    };
    let keys = ["apple", "plum"];
    for (counts, keys, problem) in [
        ([3, 0, 2, 3], keys, "record 3 entries, but it is 2"),
        ([2, 1, 2, 3], keys, "record 1 tombstones, but it is 0"),
        ([2, 0, 1, 3], keys, "record 1 as smallest sequence number, but it is 2"),
        ([2, 0, 2, 9], keys, "record 9 as largest sequence number, but it is 3"),
        ([2, 0, 2, 3], ["a", "plum"], "another smallest key"),
        ([2, 0, 2, 3], ["apple", "quince"], "another largest key"),
    ] {
        let problems = table(counts, keys, &|_| {});
        assert!(problems.contains(problem), "{problem}: {problems}");
    }
    let problems = table([2, 0, 2, 3], keys, &|claim| claim.largest = internal_key(b"zoo", 3, 1));
    assert!(problems.contains("last key is not the one in the manifest"), "{problems}");
    let problems = table([2, 0, 2, 3], keys, &|claim| claim.numbers[3] += 1);
    assert!(problems.contains("but the manifest records"), "{problems}");
}

#[test]
fn a_filter_without_a_key_and_a_prefix_index_without_a_prefix_are_found() {
    let entries = [("apple", 2, &b"red"[..]), ("plum", 3, b"blue")];
    let (file, claim) = forged(&entries, |table| {
        table.filter(&[0, 0, 0, 0, 0, 0, 0, 0, 6]);
        table.claim([2, 0, 2, 3], b"apple", b"plum");
    });
    let edits = vec![EditForge::snapshot(6, 7, 3), EditForge::default().added(&claim)];
    let problems = problems_of(edits, &[(FileName::Table(5), file)]);
    assert!(problems.contains("denies 2 keys that the table has"), "{problems}");

    // The prefixes of a sound table, one of them forged.
    let disk = small(&small_and_indexed());
    let table = names(&disk).into_iter().rev().find(|name| matches!(name, FileName::Table(_)));
    let name = table.unwrap();
    let file = disk.read(name).unwrap();
    let blocks = levelscope::testing::rewrite::meta_block(&file, b"index.prefix").expect("has one");
    let at = blocks.start + file[blocks.clone()].windows(3).position(|key| key == b"key").unwrap();
    // The last digit before the separator, so that the prefixes still ascend: keyNN/ with a hole.
    let patched = levelscope::testing::rewrite::patch(name, &file, at + 2, b"x");
    assert!(patched != file);
    disk.put(&name.to_string(), &patched);
    let problems = report_of(&disk).problems().join("\n");
    assert!(
        problems.contains("prefix index does not lead") || problems.contains("do not ascend"),
        "{problems}"
    );
}

#[test]
fn missing_exchanged_and_spare_files_are_found() {
    let good = small(&small_and_indexed());
    let tables: Vec<FileName> =
        names(&good).into_iter().filter(|name| matches!(name, FileName::Table(_))).collect();
    // No file proves that the newest log existed.
    let newest = names(&good).into_iter().filter(|name| matches!(name, FileName::Wal(_))).max();
    for name in names(&good).into_iter().filter(|name| Some(*name) != newest) {
        let disk = good.fork();
        disk.delete(name).unwrap();
        let report = report_of(&disk);
        let findings = noticed(&report, name);
        assert!(!findings.is_empty(), "{name} is missing: {:?}", report.findings);
    }
    let disk = good.fork();
    let (left, right) = (good.read(tables[0]).unwrap(), good.read(tables[1]).unwrap());
    disk.put(&tables[0].to_string(), &right);
    disk.put(&tables[1].to_string(), &left);
    let problems = report_of(&disk).problems().join("\n");
    assert!(problems.contains("the file holds table"), "{problems}");
    let disk = good.fork();
    disk.put("000999.sst", &left);
    disk.put("README", b"mine");
    let report = report_of(&disk);
    assert!(report.is_sound() && report.warnings == 1, "{:?}", report.findings);
    assert_eq!(report.findings.len(), 2, "{:?}", report.findings);
}

#[test]
fn logs_that_do_not_continue_each_other_are_found() {
    let log = |number, first, follows: Option<u64>, clean: bool| {
        let mut log = LogForge::wal(number);
        if let Some(before) = follows {
            log = log.record(RecordFields { kind: 5, ..RecordFields::batch(before, 0) }, b"");
        }
        log = log.record(RecordFields::batch(first, 1), &put_entry(b"key", b"value"));
        if clean {
            log = log.record(RecordFields { kind: 2, ..RecordFields::batch(first + 1, 0) }, b"");
        }
        log.finish()
    };
    let problems = |second: u64| {
        let files = [
            (FileName::Wal(3), log(3, 10, None, true)),
            (FileName::Wal(4), log(4, second, Some(3), false)),
        ];
        problems_of(vec![EditForge::snapshot(3, 9, 0)], &files)
    };
    assert_eq!(problems(11), "");
    assert!(problems(13).contains("writes are missing between them"), "{}", problems(13));
    assert!(problems(10).contains("are taken"), "{}", problems(10));
    let files = [(FileName::Wal(4), log(4, 11, Some(3), false))];
    let alone = problems_of(vec![EditForge::snapshot(3, 9, 0)], &files);
    assert!(alone.contains("000003.wal"), "{alone}");
}

#[test]
fn numbers_that_were_free_and_versions_out_of_order_are_found() {
    let entries = [("apple", 2, &b"red"[..]), ("plum", 3, b"blue")];
    let (file, claim) = forged(&entries, |table| table.claim([2, 0, 2, 3], b"apple", b"plum"));
    let edits = vec![EditForge::snapshot(4, 5, 3), EditForge::default().added(&claim)];
    let problems = problems_of(edits, &[(FileName::Table(5), file.clone())]);
    assert!(problems.contains("numbers from 5 on are free"), "{problems}");
    let again = EditForge::default().added(&claim).added(&claim);
    let problems =
        problems_of(vec![EditForge::snapshot(6, 7, 3), again], &[(FileName::Table(5), file)]);
    assert!(problems.contains("already in level"), "{problems}");
}
