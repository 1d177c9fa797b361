//! Families as plain keys and values: complete, or refused with a sentence.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use crate::common::{Fixture, digest, fixture, fixtures};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::export::{Carried, Carrier, Policy};
use levelscope_foreign::text::hex;
use levelscope_foreign::{CountedFiles, Error, ErrorKind, Files, Result};
use std::collections::BTreeMap;

type Live = BTreeMap<Vec<u8>, Vec<u8>>;

const STRICT: Policy = Policy { lossy: false, skip_damage: false };
const LOSSY: Policy = Policy { lossy: true, skip_damage: false };
const SKIPPING: Policy = Policy { lossy: true, skip_damage: true };

fn carry(files: &dyn Files, family: &str, policy: Policy) -> Result<(Live, Carried)> {
    let files = CountedFiles::new(files);
    let directory = Directory::open(&files)?;
    let found = directory.state().families.values().find(|of| of.name == family).unwrap();
    let mut carrier = Carrier::new(&directory, found.id, policy)?;
    let mut live = Live::new();
    while let Some((key, value)) = carrier.next_entry()? {
        assert_eq!(live.insert(key, value), None, "each key once");
    }
    let carried = carrier.finish()?;
    assert_eq!(carried.entries, live.len() as u64);
    Ok((live, carried))
}

fn refusal(files: &dyn Files, family: &str, policy: Policy) -> Error {
    match carry(files, family, policy) {
        Ok((live, _)) => panic!("{} entries were carried over", live.len()),
        Err(error) => error,
    }
}

/// Why an entry has no plain value, in a word.
fn reason(error: &Error) -> &'static str {
    match error.kind() {
        ErrorKind::NotRead => "not read",
        ErrorKind::Invalid if error.message().contains("other columns") => "columns",
        ErrorKind::Invalid if error.message().contains("range key") => "range keys",
        _ => panic!("{error}"),
    }
}

#[test]
fn every_family_is_whole_or_refused() {
    let (mut whole, mut refused) = (0, Vec::new());
    for Fixture { name, json, files } in fixtures(&[""]) {
        if json.get("damage").is_some() {
            continue;
        }
        for family in json["column_families"].as_array().unwrap() {
            let live = &family["live"];
            if live["status"] != "OK" {
                continue;
            }
            match carry(&files, family["name"].as_str().unwrap(), STRICT) {
                Ok((entries, carried)) => {
                    assert_eq!(live["count"], entries.len(), "{name}");
                    if family["comparator"] != "rocksdb.ReverseBytewiseComparator" {
                        assert_eq!(live["sha256"], digest(&entries), "{name}");
                    }
                    assert_eq!((carried.losses(), carried.problems), (vec![], vec![]), "{name}");
                    whole += 1;
                }
                Err(error) => refused.push(format!("{name}: {}", reason(&error))),
            }
        }
    }
    let wanted = [
        "e_wide_columns: columns",
        "p_columns_kinds: range keys",
        "p_newest_plain: range keys",
        "p_rows_kinds: range keys",
        "p_unclean: range keys",
        "t_fv5_bzip2_xxhash: not read",
        "v9_8_families: columns",
        "x_cuckoo_table: not read",
        "x_plain_table: not read",
    ];
    assert_eq!(refused, wanted);
    assert_eq!(whole + refused.len(), 72);
}

#[test]
fn columns_are_refused_or_cut_to_the_default_one() {
    let Fixture { json, files, .. } = fixture("e_wide_columns");
    let error = refusal(&files, "default", STRICT);
    assert!(error.message().contains("default column only"), "{error}");
    let (entries, carried) = carry(&files, "default", LOSSY).unwrap();
    let live = &json["column_families"][0]["live"];
    assert_eq!(live["count"], entries.len());
    for pair in live["entries"].as_array().unwrap() {
        let (key, value) = (pair[0].as_str().unwrap(), pair[1].as_str().unwrap());
        let found = entries.iter().find(|(of, _)| hex(of) == key).unwrap();
        assert_eq!(hex(found.1), value, "{key}");
    }
    let cut = carried.columns.count;
    assert!(cut > 0 && cut < entries.len() as u64, "{cut}");
    assert!(error.message().contains(&format!("{cut} entries (\"")), "{error}");
}

#[test]
fn operands_without_a_known_operator_are_named_and_counted() {
    let of = fixture("e_merge_operands");
    let (joined, carried) = carry(&of.files, "default", STRICT).unwrap();
    assert_eq!(carried.merges.count, 0);
    // Without OPTIONS the operator is not known.
    let files = of.without(|name| !name.starts_with("OPTIONS"));
    let error = refusal(&files, "default", STRICT);
    let (entries, carried) = carry(&files, "default", LOSSY).unwrap();
    let left_out = carried.merges.count;
    assert!(left_out > 3, "{left_out}");
    assert_eq!(entries.len() as u64 + left_out, joined.len() as u64);
    assert!(entries.iter().all(|entry| joined.get(entry.0) == Some(entry.1)));
    let first = joined.keys().find(|key| !entries.contains_key(*key)).unwrap();
    let first = String::from_utf8(first.clone()).unwrap();
    assert!(error.message().contains(&format!("{left_out} entries (\"{first}\", ")), "{error}");
    assert!(error.message().contains(&format!("and {} more)", left_out - 3)), "{error}");
}

#[test]
fn timestamps_are_noted() {
    let (entries, carried) = carry(&fixture("e_timestamps").files, "default", STRICT).unwrap();
    assert_eq!(carried.timestamps.count, entries.len() as u64);
    assert!(carried.notes()[0].contains("without it"), "{:?}", carried.notes());
}

#[test]
fn range_keys_are_refused_or_left_out() {
    for name in ["p_columns_kinds", "p_rows_kinds"] {
        let Fixture { json, files, .. } = fixture(name);
        let error = refusal(&files, "default", STRICT);
        assert!(error.message().contains("range key"), "{error}");
        let (entries, carried) = carry(&files, "default", LOSSY).unwrap();
        assert_eq!(json["column_families"][0]["live"]["sha256"], digest(&entries), "{name}");
        assert!(carried.range_keys > 0);
    }
}

#[test]
fn a_prepared_transaction_is_noted() {
    let (_, carried) = carry(&fixture("w_prepared_transaction").files, "default", STRICT).unwrap();
    assert_eq!(carried.pending, 1);
    assert!(carried.notes()[0].contains("1 prepared transaction"), "{:?}", carried.notes());
}

/// What a crash leaves, or damage that loses no entry: the libraries open these, too.
const LOSES_NOTHING: [&str; 6] = [
    "d_log_torn",
    "d_manifest_tag_safe",
    "d_manifest_torn",
    "d_options_missing",
    "dp_log_torn",
    "dp_manifest_torn",
];

#[test]
fn damage_is_refused_or_left_out_with_a_note() {
    let mut loses_nothing = Vec::new();
    for Fixture { name, json, files } in fixtures(&["d"]) {
        let error = match carry(&files, "default", LOSSY) {
            Err(error) => error,
            Ok((_, carried)) => {
                let is_noted = carried.notes().iter().any(|note| note.contains("cut off"));
                assert_eq!(is_noted, name.contains("_torn"), "{name}: {:?}", carried.notes());
                loses_nothing.push(name);
                continue;
            }
        };
        assert!(matches!(error.kind(), ErrorKind::Damaged | ErrorKind::Missing), "{name}: {error}");
        let stem = json["damage"]["file"].as_str().unwrap().split('.').next().unwrap();
        assert!(error.to_string().contains(stem), "{name}: {error}");
        // Some directories have no manifest that could be read.
        if let Ok((_, carried)) = carry(&files, "default", SKIPPING) {
            assert!(!carried.problems.is_empty(), "{name}");
        }
    }
    assert_eq!(loses_nothing, LOSES_NOTHING);
}
