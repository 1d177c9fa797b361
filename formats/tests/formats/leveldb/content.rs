//! What a directory holds, sound and damaged, against what the JSON says of it.

use super::fixture::{Fixture, all, one, pairs, read_json};
use crate::fixture::{fixtures, format, unhex};
use levelscope::ErrorKind;
use levelscope_formats::leveldb::{
    Damage, Database, FILTER_SEED, ask, bloom, crc32c, hash, hash_signed, masked,
};
use levelscope_formats::{SearchMethod, StoredFiles, Trail};
use std::collections::BTreeMap;

type Pairs = Vec<(Vec<u8>, Vec<u8>)>;

/// The live entries, and what was skipped.
fn read(fixture: &Fixture, damage: Damage) -> Result<(Pairs, Vec<String>), levelscope::Error> {
    let mut live = Database::open(&fixture.files, damage)?.entries()?;
    let mut found = Vec::new();
    for entry in live.by_ref() {
        let entry = entry?;
        found.push((entry.key.into_owned(), entry.value.unwrap().into_owned()));
    }
    Ok((found, live.skipped().iter().map(ToString::to_string).collect()))
}

#[test]
fn sound_directories_hold_what_the_original_says() {
    let mut count = 0;
    for fixture in all() {
        let Some(entries) = fixture.json.get("entries") else { continue };
        for damage in [Damage::Refuse, Damage::Skip] {
            let (found, skipped) = read(&fixture, damage).unwrap();
            assert_eq!(found, pairs(entries), "{}", fixture.name);
            assert_eq!(found.len() as u64, fixture.json["count"].as_u64().unwrap());
            assert!(skipped.is_empty(), "{skipped:?}");
        }
        count += 1;
    }
    assert!(count >= 17, "{count}");
}

#[test]
fn damage_is_refused_by_name_and_skipped_when_asked() {
    for (name, file, kind) in [
        ("g_bad_magic", "000005.ldb", ErrorKind::Corruption),
        ("g_corrupt_block", "000005.ldb", ErrorKind::Corruption),
        ("g_corrupt_snappy", "000005.ldb", ErrorKind::Corruption),
        ("g_current_no_newline", "CURRENT", ErrorKind::Corruption),
        ("g_log_flip", "000003.log", ErrorKind::Corruption),
        ("g_log_flip_block2", "000003.log", ErrorKind::Corruption),
        ("g_manifest_flip", "MANIFEST-000002", ErrorKind::Corruption),
        ("g_missing_table", "000005.ldb", ErrorKind::NotFound),
        ("g_truncated_table", "000005.ldb", ErrorKind::Corruption),
        ("o_zstd", "000005.ldb", ErrorKind::UnsupportedFormat),
    ] {
        let fixture = one(name);
        let error = read(&fixture, Damage::Refuse).unwrap_err();
        assert_eq!((error.kind(), error.foreign_file()), (kind, Some(file)), "{name} {error}");
        assert!(error.to_string().starts_with(file), "{error}");
        let (found, skipped) = read(&fixture, Damage::Skip).unwrap();
        assert!(skipped.iter().any(|what| what.starts_with(file)), "{name} {skipped:?}");
        let json = &fixture.json;
        let salvage = &json["salvage_if_damaged_parts_are_skipped"];
        if salvage.is_null() {
            // Nothing but the name of the manifest is damaged.
            assert_eq!(found, pairs(&json["entries_before_damage"]), "{name}");
            continue;
        }
        assert_eq!(found.len() as u64, salvage["count"].as_u64().unwrap(), "{name} {skipped:?}");
        if let Some(entries) = salvage.get("entries") {
            assert_eq!(found, pairs(entries), "{name}");
            continue;
        }
        let mut expected: BTreeMap<_, _> =
            pairs(&json["entries_before_damage"]).into_iter().collect();
        let difference = &salvage["vs_before_damage"];
        for key in difference["missing"].as_array().unwrap() {
            expected.remove(&unhex(key.as_str().unwrap())).unwrap();
        }
        for part in ["changed", "extra"] {
            assert!(difference[part].as_object().unwrap().is_empty(), "{name}");
        }
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{name}");
    }
}

/// Skipping damage used to read its entries in the wrong order.
#[test]
fn another_order_of_keys_is_no_damage_to_be_skipped() {
    for damage in [Damage::Refuse, Damage::Skip] {
        let error = read(&one("n_comparator"), damage).unwrap_err();
        let place = (error.kind(), error.foreign_file());
        assert_eq!(place, (ErrorKind::UnsupportedFormat, Some("MANIFEST-000002")), "{error}");
        assert!(error.message().contains("test.ReverseBytewise"), "{error}");
        assert!(!error.message().contains("damage"), "{error}");
    }
}

#[test]
fn a_log_cut_by_a_crash_is_no_damage_but_told() {
    let fixture = one("g_log_torn");
    for damage in [Damage::Refuse, Damage::Skip] {
        let (found, skipped) = read(&fixture, damage).unwrap();
        assert_eq!(found.len(), 59);
        assert!(skipped[0].starts_with("000003.log: the record at offset"), "{skipped:?}");
        let before = pairs(&fixture.json["entries_before_damage"]);
        assert_eq!(found[..], before[..59]);
    }
}

#[test]
fn a_damaged_length_does_not_hide_what_is_behind_it() {
    let mut fixture = one("z_worked");
    // The length of the first of three records, so that it would reach beyond the end of the file.
    fixture.files.get_mut("000003.log").unwrap()[5] = 0x20;
    let error = read(&fixture, Damage::Refuse).unwrap_err();
    assert_eq!((error.offset(), error.foreign_file()), (Some(0), Some("000003.log")), "{error}");
    // That of the last one: as if a crash had torn it.
    let mut fixture = one("z_worked");
    fixture.files.get_mut("000003.log").unwrap()[26 + 24 + 5] = 0x20;
    let (found, skipped) = read(&fixture, Damage::Refuse).unwrap();
    assert_eq!((found.len(), skipped.len()), (1, 1), "{skipped:?}");
}

#[test]
fn the_damaged_block_is_the_one_that_the_description_names() {
    let fixture = one("g_corrupt_block");
    let error = read(&fixture, Damage::Refuse).unwrap_err();
    assert_eq!(error.offset(), fixture.json["damaged"]["block"]["offset"].as_u64());
}

#[test]
fn every_key_of_every_table_is_found_and_others_are_not() {
    let table = format("leveldb-table");
    let mut filtered = 0;
    for fixture in all().into_iter().filter(|fixture| !fixture.name.starts_with("g_")) {
        for (name, file) in &fixture.files {
            let is_table = name.ends_with(".ldb") || name.ends_with(".sst");
            if !is_table || file.is_empty() || fixture.name == "o_zstd" {
                continue;
            }
            let mut newest = BTreeMap::new();
            for entry in table.scan(file).map(Result::unwrap) {
                newest.entry(entry.key.to_vec()).or_insert(entry);
            }
            for (number, (key, entry)) in newest.iter().enumerate() {
                let found = table.get(file, key, SearchMethod::Binary).unwrap();
                assert_eq!(found.as_ref(), Some(entry), "{name}");
                if number % 17 == 0 {
                    let found = table.get(file, key, SearchMethod::Sequential).unwrap();
                    assert_eq!(found.as_ref(), Some(entry), "{name}");
                }
                let stranger = [key.as_slice(), b"\0"].concat();
                if !newest.contains_key(&stranger) {
                    let mut trail = Trail::default();
                    let found = table.explain(file, &stranger, SearchMethod::Binary, &mut trail);
                    assert_eq!(found.unwrap(), None);
                    let filter = trail.accesses.iter().find_map(|access| access.filter.as_ref());
                    filtered += usize::from(filter.is_some_and(|filter| !filter.maybe));
                }
            }
            for key in [&b""[..], b"\xff\xff\xff\xff"] {
                assert_eq!(
                    table.get(file, key, SearchMethod::Binary).unwrap().is_some(),
                    newest.contains_key(key)
                );
            }
        }
    }
    assert!(filtered > 1000, "filters said no {filtered} times");
}

#[test]
fn a_search_tells_its_way() {
    let fixture = one("z_worked_table");
    let table = format("leveldb-table");
    let mut trail = Trail::default();
    let file = &fixture.files["000005.ldb"];
    let found = table.explain(file, b"foo", SearchMethod::Binary, &mut trail).unwrap().unwrap();
    assert_eq!((found.value.as_deref(), found.sequence), (Some(&b"22"[..]), Some(3)));
    let what: Vec<_> = trail.accesses.iter().map(|access| (access.what, access.offset)).collect();
    assert_eq!(
        what,
        [("footer", 158), ("index block", 131), ("filter block", 56), ("data block", 0)]
    );
    assert_eq!(trail.accesses[2].filter.as_ref().unwrap().asked.len(), 6);
    assert_eq!(trail.accesses[3].entries.len(), 3);
    let log = format("leveldb-log");
    let file = &one("z_worked").files["000003.log"];
    let found = log.get(file, b"baz", SearchMethod::Sequential).unwrap().unwrap();
    assert_eq!((found.value, found.sequence), (None, Some(2)));
}

#[test]
fn checksums_hashes_and_filters_are_those_of_the_vectors() {
    let vectors = read_json(&fixtures().join("vectors.json"));
    let list = |name: &str| vectors[name].as_array().unwrap().clone();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    for vector in list("crc32c") {
        let crc = crc32c(&[&unhex(&text(&vector["in"]))]);
        assert_eq!(format!("{crc:08x}"), text(&vector["crc"]));
        assert_eq!(format!("{:08x}", masked(crc)), text(&vector["masked"]));
    }
    for vector in list("leveldb_hash_seed_bc9f1d34") {
        let hash = hash(&unhex(&text(&vector["in"])), FILTER_SEED);
        assert_eq!(format!("{hash:08x}"), text(&vector["hash"]));
    }
    for vector in list("rocksdb_hash_seed_0") {
        let hash = hash_signed(&unhex(&text(&vector["in"])), 0);
        assert_eq!(format!("{hash:08x}"), text(&vector["hash"]));
    }
    for vector in list("bloom_10_bits") {
        let keys: Vec<Vec<u8>> =
            vector["keys"].as_array().unwrap().iter().map(|key| unhex(&text(key))).collect();
        let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
        let filter = bloom(&keys, 10);
        assert_eq!(filter, unhex(&text(&vector["filter"])));
        assert!(keys.iter().all(|key| ask(&filter, key).maybe));
    }
}

/// A directory as a picture shows it: its tables are those that the original program reports, level by level, and
/// each is found among the files.
#[test]
fn the_tables_of_a_directory_stand_on_their_levels() {
    for Fixture { name, files, .. } in all() {
        let stored = StoredFiles::read(&files).unwrap();
        let Ok(database) = Database::open(&files, Damage::Refuse) else { continue };
        let stored = stored.unwrap_or_else(|| panic!("{name} is a database"));
        assert_eq!(stored.flaws.len(), 0, "{name}: {:?}", stored.flaws);
        assert_eq!(stored.manifest.as_deref(), database.manifest(), "{name}");
        let mut told: Vec<(u64, &str)> = (0..)
            .zip(&stored.levels)
            .flat_map(|(level, tables)| tables.iter().map(move |table| (level, &*table.name)))
            .collect();
        let mut known: Vec<(u64, &str)> =
            database.tables().iter().map(|table| (table.level, &*table.name)).collect();
        told.sort_unstable();
        known.sort_unstable();
        assert_eq!(told, known, "{name}");
        assert_eq!(stored.logs, database.logs().collect::<Vec<_>>(), "{name}");
        for tables in stored.levels.iter().skip(1) {
            let keys = tables.iter().map(|table| &table.info.smallest.head);
            assert!(keys.is_sorted(), "{name}: a level is in the order of its keys");
        }
        let files_known = stored.levels.iter().flatten().map(|table| &table.name);
        let files_known: Vec<&String> =
            files_known.chain(&stored.logs).chain(&stored.obsolete).collect();
        let data = files.keys().filter(|file| file.starts_with('0'));
        assert_eq!(data.filter(|file| !files_known.contains(file)).count(), 0, "{name}");
    }
}

/// What is wrong with a directory and with none of its files by itself.
#[test]
fn a_missing_file_of_a_directory_is_told_and_keeps_its_place() {
    let Fixture { files, .. } = one("g_missing_table");
    let stored = StoredFiles::read(&files).unwrap().unwrap();
    let told: Vec<String> = stored.flaws.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["000005.ldb: the manifest has it in L2, but it does not exist"]);
    let table = &stored.levels[2][0];
    assert_eq!((table.info.table, table.is_there), (5, false));

    let Fixture { mut files, .. } = one("c_levels_snappy_bloom");
    files.insert("000003.ldb".to_owned(), b"left over".to_vec());
    let stored = StoredFiles::read(&files).unwrap().unwrap();
    assert_eq!(stored.obsolete, ["000003.ldb"]);
    files.remove("MANIFEST-000002");
    let stored = StoredFiles::read(&files).unwrap().unwrap();
    assert_eq!((stored.levels.len(), stored.flaws.len()), (0, 1));
    files.remove("CURRENT");
    assert!(StoredFiles::read(&files).unwrap().is_none());
}
