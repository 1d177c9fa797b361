//! The corpora of the fuzz targets, each input run once: crashers that were found are among them.
//!
//! `UPDATE=1` writes the sound inputs, which are files of the fixtures.

use super::{DECODERS, Decoder, FIRST_NUMBERED, NAMES};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The sound inputs: files of tests/fixtures/lsm, of which the first bytes suffice.
const SOUND: [(&str, &[&str]); 7] = [
    (
        "foreign_table",
        &[
            "t_fv2_none_crc32c",
            "t_fv4_lz4_xxhash64",
            "t_fv5_zstd_xxh3",
            "t_fv6_none_nochecksum",
            "t_fv7_snappy_xxhash64",
            "i_two_level",
            "i_data_block_hash",
            "i_first_key",
            "e_range_deletions",
            "l_history",
        ],
    ),
    (
        "foreign_pebble",
        &["p_rows_oldest", "p_rows_kinds", "p_columns_kinds", "p_newest_minlz", "p_blob_files"],
    ),
    ("foreign_blob", &["b_blob_files", "b_blob_garbage", "p_blob_files"]),
    (
        "foreign_manifest",
        &["c_families", "b_blob_files", "p_virtual_tables", "p_blob_files", "l_history"],
    ),
    (
        "foreign_log",
        &["w_prepared_transaction", "w_compressed", "w_recycled", "p_unclean", "e_merge_operands"],
    ),
    ("foreign_options", &["e_merge_operands", "p_newest_plain"]),
    ("foreign_events", &["c_families", "l_history"]),
];

/// Directories for the last decoder, without the files that would make them large.
const DIRECTORIES: [&str; 4] =
    ["e_merge_operands", "e_range_deletions", "p_rows_kinds", "b_blob_garbage"];

/// Bytes of a sound input.
const BYTES_MAX: usize = 6 << 10;

fn is_for(decoder: &str, name: &str) -> bool {
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
    match decoder {
        "foreign_table" | "foreign_pebble" => matches!(extension, Some("sst" | "ldb")),
        "foreign_blob" => extension == Some("blob"),
        "foreign_manifest" => name.starts_with("MANIFEST-"),
        "foreign_log" => extension == Some("log"),
        "foreign_options" => name.starts_with("OPTIONS-"),
        _ => name == "LOG",
    }
}

fn files_of(fixture: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(root().join("tests/fixtures/lsm").join(fixture)).unwrap();
    let entries = entries.map(Result::unwrap).filter(|entry| entry.path().is_file());
    entries
        .map(|entry| {
            (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
        })
        .collect()
}

/// The smallest file of the kind; of text and manifests the beginning.
fn sound(decoder: &str, fixture: &str) -> Vec<u8> {
    let files = files_of(fixture).into_iter().filter(|(name, _)| is_for(decoder, name));
    let mut bytes = files.map(|(_, bytes)| bytes).min_by_key(Vec::len).unwrap();
    if !matches!(decoder, "foreign_table" | "foreign_pebble" | "foreign_blob") {
        bytes.truncate(BYTES_MAX);
    }
    bytes
}

/// A directory as one input; see `unpacked`.
fn packed(fixture: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, mut content) in files_of(fixture) {
        content.truncate(BYTES_MAX);
        let known = NAMES.iter().position(|known| *known == name);
        let (place, number) = if let Some(place) = known {
            (u8::try_from(place).unwrap(), 0)
        } else {
            let Some((number, extension)) = name.split_once('.') else { continue };
            let Ok(number) = number.parse() else { continue };
            let place = NAMES.iter().position(|known| *known == extension).unwrap();
            (u8::try_from(place).unwrap(), number)
        };
        assert!(place < 14 && (number == 0 || place >= FIRST_NUMBERED));
        let [low, high] = u16::try_from(content.len()).unwrap().to_le_bytes();
        bytes.extend_from_slice(&[place, number, low, high]);
        bytes.extend_from_slice(&content);
    }
    bytes
}

fn seeds(decoder: &Decoder) -> Vec<Vec<u8>> {
    match SOUND.iter().find(|(name, _)| *name == decoder.name) {
        Some((name, fixtures)) => fixtures.iter().map(|fixture| sound(name, fixture)).collect(),
        None => DIRECTORIES.iter().map(|fixture| packed(fixture)).collect(),
    }
}

#[test]
fn every_input_of_the_corpora_is_decoded_or_refused() {
    for decoder in &DECODERS {
        let place = root().join("fuzz/corpus").join(decoder.name);
        if std::env::var_os("UPDATE").is_some() {
            std::fs::create_dir_all(&place).unwrap();
            for (number, seed) in seeds(decoder).iter().enumerate() {
                std::fs::write(place.join(format!("sound-{number}")), seed).unwrap();
            }
        }
        let mut inputs: Vec<PathBuf> =
            std::fs::read_dir(place).unwrap().map(|entry| entry.unwrap().path()).collect();
        inputs.sort();
        assert!(inputs.len() >= 2, "{} has {} inputs", decoder.name, inputs.len());
        for input in inputs {
            let bytes = std::fs::read(&input).unwrap();
            let ran = std::panic::catch_unwind(|| (decoder.run)(&bytes));
            assert!(ran.is_ok(), "a panic; the input is {}", input.display());
        }
    }
}

/// The seeds are of use: they open, and a damaged directory passes when checksums do not count.
#[test]
fn a_packed_directory_is_opened() {
    for fixture in DIRECTORIES {
        let files = super::unpacked(&packed(fixture));
        let files = crate::CountedFiles::new(&files);
        let directory = crate::directory::Directory::open(&files).unwrap();
        let tables = directory.state().families.values().flat_map(|family| family.levels.values());
        assert!(tables.flatten().count() > 0, "{fixture}");
    }
}
