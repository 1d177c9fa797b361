//! Directories and single files that LevelDB and RocksDB wrote, compared with their descriptions.

use levelscope_foreign::directory::Directory;
use levelscope_foreign::export::{Carrier, Policy};
use levelscope_foreign::inspect::open;
use levelscope_foreign::name::FileName;
use levelscope_foreign::query::Part;
use levelscope_foreign::{CountedFiles, Files, LooseFiles, MemoryFiles, Result, Severity};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

type Live = BTreeMap<Vec<u8>, Vec<u8>>;

const SKIPPING: Policy = Policy { lossy: false, skip_damage: true };

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/formats")
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// A directory of LevelDB with its description.
struct Original {
    name: String,
    files: Vec<(String, Vec<u8>)>,
    json: Value,
}

fn originals() -> Vec<Original> {
    let entries = std::fs::read_dir(root().join("leveldb")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.is_dir());
    paths.sort();
    let original = |path: &PathBuf| {
        let files = std::fs::read_dir(path).unwrap().map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read(&path).unwrap())
        });
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        Original { name, files: files.collect(), json: json(&path.with_extension("json")) }
    };
    paths.iter().map(original).collect()
}

fn one(name: &str) -> Original {
    originals().into_iter().find(|original| original.name == name).unwrap()
}

fn unhex(text: &Value) -> Vec<u8> {
    let digits = text.as_str().unwrap().as_bytes().chunks(2);
    digits.map(|two| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16).unwrap()).collect()
}

fn pairs(list: &Value) -> Live {
    list.as_array().unwrap().iter().map(|pair| (unhex(&pair[0]), unhex(&pair[1]))).collect()
}

/// The live entries that a copy has, and the findings about what it lacks.
fn carry(files: &dyn Files, policy: Policy) -> Result<(Live, Vec<String>)> {
    let counted = CountedFiles::new(files);
    let directory =
        if policy.skip_damage { Directory::rescue(&counted) } else { Directory::open(&counted) }?;
    let mut carrier = Carrier::new(&directory, 0, policy)?;
    let mut live = Live::new();
    while let Some((key, value)) = carrier.next_entry()? {
        live.insert(key, value);
    }
    let problems = carrier.finish()?.problems;
    Ok((live, problems.into_iter().map(|problem| problem.file).collect()))
}

#[test]
fn sound_directories_hold_the_entries_of_the_library() {
    let mut count = 0;
    for Original { name, files, json } in originals() {
        let Some(entries) = json.get("entries") else { continue };
        let files = MemoryFiles::new(files);
        for policy in [Policy::default(), SKIPPING] {
            let (live, skipped) = carry(&files, policy).unwrap();
            assert_eq!(live, pairs(entries), "{name}");
            assert_eq!(live.len() as u64, json["count"].as_u64().unwrap(), "{name}");
            assert_eq!(skipped, Vec::<String>::new(), "{name}");
        }
        count += 1;
    }
    assert!(count >= 17, "{count}");
}

#[test]
fn damage_is_refused_by_name_and_skipped_when_asked() {
    for (name, file) in [
        ("g_bad_magic", "000005.ldb"),
        ("g_corrupt_block", "000005.ldb"),
        ("g_corrupt_snappy", "000005.ldb"),
        ("g_log_flip", "000003.log"),
        ("g_log_flip_block2", "000003.log"),
        ("g_manifest_flip", "MANIFEST-000002"),
        ("g_missing_table", "000005.ldb"),
        ("g_truncated_table", "000005.ldb"),
    ] {
        let Original { files, json, .. } = one(name);
        let files = MemoryFiles::new(files);
        let error = carry(&files, Policy::default()).unwrap_err();
        assert_eq!(error.file(), Some(file), "{name}: {error}");
        let (live, skipped) = carry(&files, SKIPPING).unwrap();
        assert!(skipped.iter().any(|skipped| skipped == file), "{name}: {skipped:?}");
        let salvage = &json["salvage_if_damaged_parts_are_skipped"];
        assert_eq!(live.len() as u64, salvage["count"].as_u64().unwrap(), "{name}");
        if let Some(entries) = salvage.get("entries") {
            assert_eq!(live, pairs(entries), "{name}");
            continue;
        }
        let mut expected = pairs(&json["entries_before_damage"]);
        for key in salvage["vs_before_damage"]["missing"].as_array().unwrap() {
            expected.remove(&unhex(key)).unwrap();
        }
        assert_eq!(live, expected, "{name}");
    }
}

/// Number of parts of a file, and of those that are damaged.
fn walk(files: &dyn Files, name: &str) -> (usize, usize) {
    let engine = files.loose().unwrap();
    let (mut parts, mut damaged) = (0, 0);
    let mut paths: Vec<Vec<usize>> = vec![Vec::new()];
    while let Some(path) = paths.pop() {
        let mut from = 0;
        loop {
            let opened = open(files, engine, name, &path, (from, 1_000)).unwrap();
            for (place, part) in opened.parts.iter().enumerate() {
                parts += 1;
                damaged += usize::from(part.problem.is_some());
                if part.opens {
                    paths.push([&path[..], &[from + place]].concat());
                }
            }
            let Some(next) = opened.next else { break };
            from = next;
        }
    }
    (parts, damaged)
}

#[test]
fn a_single_file_is_a_directory_of_its_entries() {
    let (mut tables, mut logs) = (0, 0);
    for Original { name, files, json } in originals() {
        if json.get("entries").is_none() {
            continue;
        }
        for (file, bytes) in files {
            let kind = FileName::parse(&file);
            let is_data = matches!(kind, FileName::Table(_) | FileName::Log { .. });
            if !is_data || bytes.is_empty() {
                continue;
            }
            // Under any name.
            for called in [file.as_str(), "a copy"] {
                let memory = MemoryFiles::new([(called.to_owned(), bytes.clone())]);
                let Some(loose) = LooseFiles::of(&memory) else {
                    panic!("{name}/{file} is not recognized")
                };
                let counted = CountedFiles::new(&loose);
                let directory = Directory::open(&counted).unwrap();
                let range = Part { from: None, to: None, limit: usize::MAX, sequence: None };
                let rows = directory.rows(0, &range).unwrap();
                let errors: Vec<_> = directory
                    .check_all(true)
                    .into_iter()
                    .filter(|problem| problem.severity == Severity::Error)
                    .collect();
                assert!(errors.is_empty(), "{name}/{file}: {errors:?}");
                assert!(!rows.rows.is_empty() || name.contains("delet"), "{name}/{file}");
                let (parts, damaged) = walk(&counted, called);
                assert!(parts > 3 && damaged == 0, "{name}/{file}: {parts}, {damaged}");
            }
            tables += usize::from(matches!(kind, FileName::Table(_)));
            logs += usize::from(!matches!(kind, FileName::Table(_)));
        }
    }
    assert!(tables > 20 && logs > 10, "{tables} {logs}");
}

#[test]
fn a_table_of_rocksdb_without_its_directory_has_the_entries_of_its_description() {
    for name in ["tiny", "activities_fv0", "activities_fv2", "binary_prefix5"] {
        let path = root().join("rocksdb").join(name);
        let bytes = std::fs::read(path.with_extension("sst")).unwrap();
        let json = json(&path.with_extension("json"));
        let mut expected = Live::new();
        for block in json["blocks"].as_array().unwrap() {
            for entry in block["entries"].as_array().unwrap() {
                expected.entry(unhex(&entry[0])).or_insert_with(|| unhex(&entry[3]));
            }
        }
        let memory = MemoryFiles::new([(format!("{name}.sst"), bytes)]);
        let loose = LooseFiles::of(&memory).unwrap();
        let (live, skipped) = carry(&loose, Policy::default()).unwrap();
        assert_eq!((live, skipped), (expected, Vec::new()), "{name}");
    }
}

#[test]
fn files_of_others_are_no_single_files_of_these_engines() {
    let read = |path: &str| std::fs::read(root().join(path)).unwrap();
    let table = read("rocksdb/tiny.sst");
    let others = [
        ("s1.sst", read("cloudcentric/worked/s1.sst")),
        ("000001.log", read("cloudcentric/s7_wal/small/000001.log")),
        ("basic.db", read("kvdb/basic.db")),
        ("0_0.sst", read("froopydb/tiny/0_0.sst")),
        ("picture.png", b"\x89PNG\r\n\x1a\n".to_vec()),
        ("000007.sst", Vec::new()),
        ("000007.log", vec![0; 4096]),
    ];
    for (name, bytes) in others {
        let alone = MemoryFiles::new([(name.to_owned(), bytes.clone())]);
        assert!(LooseFiles::of(&alone).is_none(), "{name}");
        let mixed = [("a.sst".to_owned(), table.clone()), (name.to_owned(), bytes)];
        assert!(LooseFiles::of(&MemoryFiles::new(mixed)).is_none(), "{name}");
    }
    assert!(LooseFiles::of(&MemoryFiles::new([])).is_none());
}
