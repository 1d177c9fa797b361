//! Every file of whole directories of `RocksDB`, Pebble and `LevelDB`: none that is sound is called damaged.

use levelscope::ErrorKind;
use levelscope::inspect::{Fact, Node, Scope};
use levelscope::testing::covers::assert_covers;
use levelscope_formats::{Directory, is_read_with_its_directory, judge_unknown, recognize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A directory: names and contents of its files.
type Content = Vec<(String, Vec<u8>)>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/lsm")
}

/// The directories that nothing is wrong with, with their files.
fn sound() -> Vec<(String, Content)> {
    let mut names: Vec<String> = std::fs::read_dir(root())
        .unwrap()
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            name.strip_suffix(".json").map(str::to_owned)
        })
        .collect();
    names.sort();
    names.retain(|name| {
        let described = std::fs::read(root().join(format!("{name}.json"))).unwrap();
        let described: Value = serde_json::from_slice(&described).unwrap();
        described.get("damage").is_none()
    });
    let files = |name: &String| {
        let files = std::fs::read_dir(root().join(name)).unwrap().map(Result::unwrap);
        let files = files.filter(|entry| entry.path().is_file());
        files
            .map(|entry| {
                let bytes = std::fs::read(entry.path()).unwrap();
                (entry.file_name().into_string().unwrap(), bytes)
            })
            .collect()
    };
    names.iter().map(|name| (name.clone(), files(name))).collect()
}

/// What a tree says of damage, and what of parts that are not read.
fn faults(node: &Node, damaged: &mut Vec<String>, unread: &mut Vec<String>) {
    if let Some(Fact::Checksum { stored, computed, .. }) = &node.fact
        && stored != computed
    {
        damaged.push(format!("the checksum of {} at {}", node.name, node.offset));
    }
    match node.kind {
        "damaged" => damaged.push(format!("{} at {}: {}", node.name, node.offset, node.value)),
        "unread" => unread.push(node.value.clone()),
        _ => {}
    }
    for part in node.children.iter().chain(&node.inside) {
        faults(part, damaged, unread);
    }
}

/// Damage that is found in a file of a directory, and the reasons why parts of it are not read.
fn found(name: &str, bytes: &[u8], directory: &Directory) -> (Vec<String>, Vec<String>) {
    let (mut damaged, mut unread) = (Vec::new(), Vec::new());
    let mut note = |error: &levelscope::Error| match error.kind() {
        ErrorKind::UnsupportedFormat => unread.push(error.message().to_owned()),
        _ => damaged.push(error.to_string()),
    };
    let best = recognize(name, bytes).first().map(|found| found.format);
    let Some(format) = best else {
        judge_unknown(name, bytes, directory).iter().for_each(note);
        return (damaged, unread);
    };
    if !format.info().searches.is_empty() {
        format.scan(bytes).filter_map(Result::err).for_each(|error| note(&error));
    }
    let tree = format.annotate(name, bytes, Scope::ALL);
    assert_covers(&tree, bytes);
    faults(&tree, &mut damaged, &mut unread);
    (damaged, unread)
}

fn is_read(name: &str, bytes: &[u8], why: &str) -> bool {
    let format = recognize(name, bytes).first().map(|found| found.format);
    is_read_with_its_directory(format, name, bytes, why)
}

#[test]
fn no_sound_file_is_called_damaged() {
    let (mut files, mut not_read, mut hinted) = (0, 0, 0);
    let mut wrong = Vec::new();
    for (fixture, content) in sound() {
        let whole = Directory::of(content.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])));
        for (name, bytes) in &content {
            for directory in [&whole, &Directory::default()] {
                let (damaged, unread) = found(name, bytes, directory);
                wrong.extend(damaged.iter().map(|why| format!("{fixture}/{name}: {why}")));
                if let Some(why) = unread.first() {
                    not_read += 1;
                    hinted += usize::from(is_read(name, bytes, why));
                }
            }
            files += 1;
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(files > 600, "{files} files");
    // All but tables of other kinds, one compression, and remains in logs that were used again.
    assert!(
        not_read > 800 && hinted < not_read && hinted + 20 > not_read,
        "{hinted} of {not_read}"
    );
}

/// Tables that the reader of whole directories does not read either, and files that are read to their end.
#[test]
fn only_files_that_a_whole_directory_explains_point_to_it() {
    let hint = |fixture: &str, name: &str| {
        let bytes = std::fs::read(root().join(fixture).join(name)).unwrap();
        let (_, unread) = found(name, &bytes, &Directory::default());
        let why = unread.first().unwrap_or_else(|| panic!("{fixture}/{name} is read"));
        is_read(name, &bytes, why)
    };
    for fixture in ["x_plain_table", "x_cuckoo_table", "t_fv5_bzip2_xxhash"] {
        assert!(!hint(fixture, &only(fixture, "sst")), "{fixture}");
    }
    for (fixture, extension) in [
        ("t_fv7_snappy_xxhash64", "sst"),
        ("t_fv4_lz4_xxhash64", "sst"),
        ("t_fv5_zstd_xxh3", "sst"),
        ("t_fv6_zlib_crc32c", "sst"),
        ("i_two_level", "sst"),
        ("c_reverse_order", "sst"),
        ("p_newest_minlz", "sst"),
        ("p_blob_files", "blob"),
        ("b_blob_files", "blob"),
        ("w_compressed", "log"),
        ("e_timestamps", "log"),
    ] {
        assert!(hint(fixture, &only(fixture, extension)), "{fixture}");
    }
}

/// The first file with this extension.
fn only(fixture: &str, extension: &str) -> String {
    let names = std::fs::read_dir(root().join(fixture)).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(&format!(".{extension}"))).min().unwrap()
}
