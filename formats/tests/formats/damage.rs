//! Bytes that are not what the format wants: an answer or an error, and a name for every byte.

use crate::common::Random;
use crate::fixture::fixtures;
use crate::technique::Technique;
use levelscope::inspect::Scope;
use levelscope::testing::covers::assert_covers;
use levelscope_formats::kvdb::{End, summary};
use levelscope_formats::{FORMATS, Format, Likeness, SearchMethod, Trail, recognize};
use std::path::Path;

/// Every file of these families, with its path.
pub fn files(families: &[&str]) -> Vec<(String, Vec<u8>)> {
    fn walk(place: &Path, found: &mut Vec<(String, Vec<u8>)>) {
        for entry in std::fs::read_dir(place).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_none_or(|extension| extension != "json") {
                found.push((path.display().to_string(), std::fs::read(&path).unwrap()));
            }
        }
    }
    let mut found = Vec::new();
    for family in families {
        walk(&fixtures().join(family), &mut found);
    }
    found.sort();
    found
}

/// Whatever `file` is, nothing goes wrong but an error.
fn take(format: &dyn Format, file: &[u8], keys: &[Vec<u8>], context: &str) {
    assert_covers(&format.annotate("file", file, Scope::ALL), file);
    let window = Scope::between(file.len() as u64 / 3, file.len() as u64 / 2);
    assert_covers(&format.annotate("file", file, window), file);
    // Damage costs at most one item more than the bytes that it takes.
    assert!(format.scan(file).count() <= 2 * file.len() + 1, "{context}");
    for method in format.info().searches {
        for key in keys {
            let mut trail = Trail::default();
            let found = format.explain(file, key, *method, &mut trail);
            assert_eq!(found, format.get(file, key, *method), "{context}");
            if let Ok(Some(entry)) = found {
                assert_eq!(&*entry.key, &key[..], "{context}");
            }
        }
    }
}

fn keys_of(format: &dyn Format, file: &[u8]) -> Vec<Vec<u8>> {
    let mut keys: Vec<Vec<u8>> =
        format.scan(file).flatten().map(|entry| entry.key.into_owned()).collect();
    let middle = keys.len() / 2;
    keys = [keys.first(), keys.get(middle), keys.last()].into_iter().flatten().cloned().collect();
    keys.push(b"\xff\xff".to_vec());
    keys
}

const FAMILIES: &[&str] = &["cloudcentric", "kvdb", "froopydb"];

#[test]
fn files_cut_anywhere_and_with_any_bit_flipped() {
    let mut technique = Technique::new("damaged files of other programs", 1);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0xf11);
        for (path, file) in files(FAMILIES) {
            let Some(found) = recognize(&path, &file).first().copied() else { continue };
            let keys = keys_of(found.format, &file);
            let few = file.len() < 300;
            let cuts = if few { file.len() as u64 + 1 } else { 12 };
            for round in 0..cuts {
                let cut = if few { round } else { random.below(file.len() as u64) } as usize;
                take(
                    found.format,
                    &file[..cut],
                    &keys,
                    &format!("{path} cut to {cut}, seed {seed}"),
                );
                technique.count(1);
            }
            for _ in 0..if few { 200 } else { 12 } {
                let mut bytes = file.clone();
                if bytes.is_empty() {
                    continue;
                }
                let at = random.below(bytes.len() as u64) as usize;
                bytes[at] ^= 1 << random.below(8);
                take(found.format, &bytes, &keys, &format!("{path} flipped at {at}, seed {seed}"));
                technique.count(1);
            }
        }
    }
}

/// Where each record has a checksum, a flipped bit changes no answer; it may turn one into an error.
#[test]
fn a_checksum_lets_nothing_wrong_through() {
    let mut technique = Technique::new("flipped bits in logs of kvdb", 1);
    let log = crate::fixture::format("kvdb-log");
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0xc4c);
        for (path, file) in files(&["kvdb"]) {
            // In a damaged one, the bit may be the one that puts it right.
            if file.len() > 20_000 || matches!(summary(&file).end, End::Damaged(_)) {
                continue;
            }
            let sound: Vec<_> = log.scan(&file).flatten().collect();
            let answers: Vec<_> = sound
                .iter()
                .map(|entry| log.get(&file, &entry.key, SearchMethod::Sequential))
                .collect();
            for _ in 0..150 {
                let mut bytes = file.clone();
                let at = random.below(bytes.len() as u64) as usize;
                bytes[at] ^= 1 << random.below(8);
                let context = format!("{path} flipped at {at}, seed {seed}");
                for entry in log.scan(&bytes).flatten() {
                    assert!(sound.contains(&entry), "{context}: {entry:?} was made up");
                }
                // A length that was damaged in the last record makes it look like a torn tail.
                if summary(&bytes).end == End::Torn {
                    continue;
                }
                for (entry, answer) in sound.iter().zip(&answers) {
                    let found = log.get(&bytes, &entry.key, SearchMethod::Sequential);
                    assert!(found.is_err() || found == *answer, "{context}: {found:?}");
                }
                technique.count(1);
            }
        }
    }
}

/// A cut file gives its entries unchanged, up to the cut.
#[test]
fn a_cut_file_gives_its_entries_up_to_the_cut() {
    let mut technique = Technique::new("cut files of other programs", 1);
    let whole = ["ladder-fixed", "ladder-varint", "ladder-log", "kvdb-log", "froopy-log"];
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0xc07);
        for (path, file) in files(FAMILIES) {
            let found = recognize(&path, &file).first().copied();
            let found = found.filter(|found| whole.contains(&found.format.info().id));
            let Some(format) = found.map(|found| found.format) else { continue };
            let sound: Vec<_> = format.scan(&file).map_while(Result::ok).collect();
            for _ in 0..20 {
                let cut = random.below(file.len() as u64 + 1) as usize;
                let left = format.scan(&file[..cut]).map_while(Result::ok);
                assert!(
                    left.zip(&sound).all(|(left, sound)| left == *sound),
                    "{path} cut to {cut}"
                );
                technique.count(1);
            }
        }
    }
}

/// Random bytes are never recognized with certainty, and cause no panic.
#[test]
fn random_bytes_are_no_format_for_certain() {
    let mut technique = Technique::new("random bytes as files", 400);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0xb17e);
        let bits = random.below(11);
        let length = random.below(1 << bits) as usize;
        let small = random.below(2) == 0;
        let mut bytes = random.bytes(length);
        if small {
            for byte in &mut bytes {
                *byte %= 4;
            }
        }
        for format in FORMATS {
            let name = format!("{}, seed {seed}", format.info().id);
            assert!(format.recognize("000001.sst", &bytes) < Likeness::Certain, "{name}");
            take(*format, &bytes, &[b"key".to_vec(), vec![0]], &name);
            technique.count(1);
        }
    }
}
