//! Damaged and forged files: an answer or an error, never a panic, never a wrong answer.

use super::fixture::{Directory, one};
use crate::fixture::{fixtures, format};

use levelscope::inspect::Scope;
use levelscope::storage::Random;
use levelscope::testing::covers::assert_covers;
use levelscope_formats::leveldb::{Damage, Database, crc32c, masked};
use levelscope_formats::{FORMATS, SearchMethod, Trail, recognize};

/// Small files of each kind.
fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let worked = one("z_worked_table");
    let file = |fixture: &str, name: &str| one(fixture).files[name].clone();
    vec![
        ("leveldb-table", worked.files["000005.ldb"].clone()),
        ("leveldb-manifest", worked.files["MANIFEST-000004"].clone()),
        ("leveldb-current", worked.files["CURRENT"].clone()),
        ("leveldb-log", file("z_worked", "000003.log")),
        ("leveldb-manifest", file("l_compacted", "MANIFEST-000002")),
        ("leveldb-table", file("f_deletes_overwrites", "000005.ldb")),
        ("rocksdb-table", std::fs::read(fixtures().join("rocksdb/tiny.sst")).unwrap()),
    ]
}

/// Everything that can be done with a file; the entries that were read.
fn exercise(id: &str, file: &[u8]) -> usize {
    let format = format(id);
    assert_covers(&format.annotate("file", file, Scope::ALL), file);
    for scope in [Scope::WIDE, Scope::OUTLINE, Scope::between(100, 120)] {
        assert_eq!(format.annotate("file", file, scope).bytes, file.len() as u64);
    }
    let found = format.scan(file).filter_map(Result::ok).count();
    for key in [&b""[..], b"baz", b"abc001", b"\xff"] {
        for search in [SearchMethod::Binary, SearchMethod::Sequential, SearchMethod::PrefixHash] {
            let plain = format.get(file, key, search);
            let mut trail = Trail::default();
            let explained = format.explain(file, key, search, &mut trail);
            assert_eq!(plain, explained);
        }
    }
    recognize("file", file);
    found
}

#[test]
fn files_cut_at_every_byte() {
    for (id, file) in samples() {
        for cut in 0..file.len() {
            exercise(id, &file[..cut]);
        }
    }
}

#[test]
fn files_with_one_wrong_byte() {
    for (id, file) in samples() {
        for at in 0..file.len() {
            for mask in [0x01, 0x80, 0xff] {
                let mut file = file.clone();
                file[at] ^= mask;
                exercise(id, &file);
            }
        }
    }
}

type Pairs = Vec<(Vec<u8>, Vec<u8>)>;

/// What a directory holds, all or an error.
fn contents(files: &Directory, damage: Damage) -> Result<Pairs, levelscope::Error> {
    let live = Database::open(files, damage)?.entries()?;
    live.map(|entry| entry.map(|entry| (entry.key.into_owned(), entry.value.unwrap().into_owned())))
        .collect()
}

#[test]
fn a_directory_with_one_wrong_byte_is_refused_or_the_same() {
    let mut refused = 0;
    for name in ["z_worked_table", "z_worked", "k_reuse_logs"] {
        let fixture = one(name);
        let sound = contents(&fixture.files, Damage::Refuse).unwrap();
        for (name, file) in &fixture.files {
            for at in 0..file.len() {
                let mut files = fixture.files.clone();
                files.get_mut(name).unwrap()[at] ^= 0x41;
                match contents(&files, Damage::Refuse) {
                    // A length that reaches beyond the end makes the rest of a log a torn tail.
                    Ok(found) if name.ends_with(".log") => {
                        assert!(found == sound || found.len() <= sound.len(), "{name} {at}");
                    }
                    Ok(found) => assert_eq!(found, sound, "{name} {at}"),
                    Err(error) => {
                        refused += 1;
                        assert!(error.foreign_file().is_some(), "{error}");
                    }
                }
                let _ = contents(&files, Damage::Skip);
            }
        }
    }
    assert!(refused > 1000, "{refused}");
}

/// Where blocks with a trailer are, from the inspector's own tree: offset and bytes without checksum.
fn sealed(id: &str, file: &[u8]) -> Vec<(usize, usize)> {
    let tree = format(id).annotate("file", file, Scope::OUTLINE);
    let blocks =
        tree.children.iter().filter(|node| node.kind != "footer" && node.kind != "damaged");
    blocks.map(|node| (node.offset as usize, node.bytes as usize - 4)).collect()
}

/// Changes some bytes, and makes the checksums right again.
fn forge(id: &str, file: &mut [u8], random: &mut Random) {
    let parts = match id {
        "rocksdb-table" | "leveldb-table" => sealed(id, file),
        _ => Vec::new(),
    };
    for _ in 0..=random.below(6) {
        let at = random.below(file.len() as u64) as usize;
        file[at] = [0, 1, 0x7f, 0x80, 0xff, random.below(256) as u8][random.below(6) as usize];
    }
    for (begin, bytes) in parts {
        let crc = masked(crc32c(&[&file[begin..begin + bytes]]));
        file[begin + bytes..begin + bytes + 4].copy_from_slice(&crc.to_le_bytes());
    }
    if id == "leveldb-log" || id == "leveldb-manifest" {
        let mut at = 0;
        while let Some(header) = file.get(at..at + 7).map(<[u8]>::to_vec) {
            let end = at + 7 + usize::from(u16::from_le_bytes([header[4], header[5]]));
            let Some(covered) = file.get(at + 6..end) else { break };
            let crc = masked(crc32c(&[covered]));
            file[at..at + 4].copy_from_slice(&crc.to_le_bytes());
            at = end;
        }
    }
}

#[test]
fn forged_files_with_right_checksums() {
    let samples = samples();
    super::fixture::for_seeds("formats_leveldb forged", 3_000, |seed| {
        let mut random = Random::new(seed);
        let (id, mut file) = samples[random.below(samples.len() as u64) as usize].clone();
        forge(id, &mut file, &mut random);
        exercise(id, &file);
    });
}

#[test]
fn forged_directories_with_right_checksums() {
    let fixtures = ["z_worked_table", "f_deletes_overwrites", "k_reuse_logs"].map(one);
    super::fixture::for_seeds("formats_leveldb forged directories", 1_000, |seed| {
        let mut random = Random::new(seed);
        let mut files = fixtures[random.below(3) as usize].files.clone();
        let names: Vec<String> = files.keys().cloned().collect();
        for name in names {
            let id = match name.as_str() {
                name if name.ends_with("log") => "leveldb-log",
                name if name.starts_with("MANIFEST") => "leveldb-manifest",
                name if name.ends_with("ldb") => "leveldb-table",
                _ => continue,
            };
            let file = files.get_mut(&name).unwrap();
            if !file.is_empty() && random.below(2) == 0 {
                forge(id, file, &mut random);
            }
        }
        for damage in [Damage::Refuse, Damage::Skip] {
            if let Ok(found) = contents(&files, damage) {
                assert!(found.windows(2).all(|pair| pair[0].0 < pair[1].0), "out of order");
            }
        }
    });
}

#[test]
fn every_format_survives_every_file() {
    for (_, file) in samples() {
        for format in FORMATS {
            assert_covers(&format.annotate("file", &file, Scope::ALL), &file);
            format.scan(&file).for_each(drop);
        }
    }
}
