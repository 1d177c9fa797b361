//! What the inspector shows of each file, against what the JSON says of it.

use super::fixture::{Directory, all, find, is_damaged, one, tree};
use crate::fixture::{format, unhex};
use levelscope::inspect::{Fact, Node};
use levelscope::testing::covers::assert_covers;
use levelscope_formats::leveldb::{Damage, Database};
use levelscope_formats::{FORMATS, Likeness, recognize};
use serde_json::{Value, json};

fn id_of(name: &str) -> Option<&'static str> {
    match name.rsplit_once('.').map_or(name, |(_, extension)| extension) {
        "ldb" | "sst" => Some("leveldb-table"),
        "log" => Some("leveldb-log"),
        "CURRENT" => Some("leveldb-current"),
        _ if name.starts_with("MANIFEST") => Some("leveldb-manifest"),
        _ => None,
    }
}

/// The parts of a block in decoded form, the trailer apart.
fn decoded(block: &Node) -> (Vec<&Node>, u64) {
    let compressed = block.children.iter().find(|child| child.kind == "compressed");
    let parts = compressed.map_or(&block.children, |leaf| &leaf.inside);
    let parts: Vec<&Node> = parts.iter().filter(|part| part.kind != "trailer").collect();
    let raw = parts.iter().map(|part| part.bytes).sum();
    (parts, raw)
}

fn compression(block: &Node) -> u64 {
    let trailer = block.children.iter().find(|child| child.kind == "trailer").unwrap();
    trailer.children[0].value[..1].parse().unwrap()
}

fn key(node: &Node) -> (String, u64, u64) {
    let Some(Fact::Key { key, sequence, tombstone, .. }) = &node.fact else {
        panic!("{node:?}");
    };
    (levelscope::text::escape(&key.head), sequence.unwrap(), u64::from(!tombstone))
}

fn child<'a>(node: &'a Node, name: &str) -> &'a Node {
    node.children.iter().find(|child| child.name == name).unwrap_or_else(|| panic!("{name}"))
}

/// The value of the part with this name; an empty text has no part.
fn text<'a>(node: &'a Node, name: &str) -> &'a str {
    node.children.iter().find(|child| child.name == name).map_or("", |child| &child.value)
}

fn number(node: &Node, name: &str) -> u64 {
    child(node, name).value.parse().unwrap()
}

/// The table as the JSON describes it; separators in a form that can be shown.
fn table(tree: &Node) -> Value {
    let of = |kind| tree.children.iter().filter(move |node| node.kind == kind);
    let index = of("index").next().unwrap();
    let separators: Vec<_> =
        decoded(index).0.into_iter().filter(|part| part.kind == "entry").map(key).collect();
    let blocks: Vec<Value> = of("block")
        .zip(separators)
        .map(|(block, separator)| {
            let (parts, raw) = decoded(block);
            let restarts = parts.iter().find(|part| part.kind == "restarts").unwrap();
            json!({
                "offset": block.offset, "size": block.bytes - 5, "raw": raw,
                "compression": compression(block),
                "entries": parts.iter().filter(|part| part.kind == "entry").count(),
                "restarts": restarts.children.len(),
                "separator": separator,
            })
        })
        .collect();
    let metas = of("meta").next().map(decoded).unwrap().0;
    let metas: Vec<Value> = metas
        .into_iter()
        .filter(|part| part.kind == "entry")
        .map(|part| {
            let name = part.name.strip_prefix("meta block ").unwrap();
            let (at, bytes) =
                (number(part, "offset of the block"), number(part, "length of the block"));
            json!([name, at, bytes])
        })
        .collect();
    let mut described = json!({
        "size": tree.bytes, "metaindex": metas, "index_compression": compression(index), "blocks": blocks,
    });
    if let Some(filter) = of("filter").next() {
        let (parts, raw) = decoded(filter);
        let offsets = parts.iter().filter(|part| part.name.starts_with("offset of filter")).count();
        let base = parts.iter().find(|part| part.name.starts_with("binary logarithm")).unwrap();
        described["filter"] = json!({"base_lg": base.value.parse::<u64>().unwrap(), "filters": offsets, "bytes": raw});
    }
    described
}

/// The JSON's table, in the same form.
fn expected_table(said: &Value) -> Value {
    let mut said = said.clone();
    for block in said["blocks"].as_array_mut().unwrap() {
        let user = unhex(block["separator"][0].as_str().unwrap());
        assert!(user.len() <= 64, "longer keys are cut when they are shown");
        block["separator"][0] = json!(user.escape_ascii().to_string());
    }
    let object = said.as_object_mut().unwrap();
    object.remove("level");
    object.remove("n");
    if object.get("filter").is_some_and(Value::is_null) {
        object.remove("filter");
    }
    if let Some(filter) = object.get_mut("filter") {
        filter.as_object_mut().unwrap().remove("bits_per_key");
    }
    said
}

/// The edits of a manifest as the JSON lists them.
fn edits(tree: &Node) -> Value {
    let records = tree.children.iter().filter(|node| node.kind == "record");
    let edits = records.map(|record| {
        let fields = record.children.iter().filter(|node| node.kind == "field");
        fields.map(field).collect::<Vec<Value>>()
    });
    Value::from(edits.collect::<Vec<_>>())
}

fn field(node: &Node) -> Value {
    let level = |node| number(node, "level");
    match node.name.as_str() {
        "comparator" => json!(["comparator", node.value]),
        "log number" => json!(["log_number", number(node, "file number")]),
        "number of the log before" => json!(["prev_log_number", number(node, "file number")]),
        "next file number" => json!(["next_file", number(node, "file number")]),
        "last sequence number" => json!(["last_sequence", number(node, "sequence number")]),
        "table removed" => json!(["delete", level(node), number(node, "table number")]),
        "table added" => json!([
            "add",
            level(node),
            number(node, "table number"),
            number(node, "file length"),
            text(node, "smallest key"),
            text(node, "largest key")
        ]),
        "compact pointer" => json!(["compact_pointer", level(node), text(node, "next key")]),
        other => panic!("{other}"),
    }
}

/// The JSON's edits, keys without sequence number and kind.
fn expected_edits(said: &Value) -> Value {
    let mut said = said.clone();
    for field in
        said.as_array_mut().unwrap().iter_mut().flat_map(|edit| edit.as_array_mut().unwrap())
    {
        let keys: &[usize] = match field[0].as_str().unwrap() {
            "add" => &[4, 5],
            "compact_pointer" | "compact" => {
                field[0] = json!("compact_pointer");
                &[2]
            }
            _ => &[],
        };
        for at in keys {
            let key = unhex(field[*at].as_str().unwrap());
            field[*at] = json!(key[..key.len() - 8].escape_ascii().to_string());
        }
    }
    said
}

/// Records, operations and cut records of a log, as the JSON counts them.
fn log(tree: &Node) -> Value {
    let mut fragmented: Vec<Vec<u64>> = Vec::new();
    let (mut records, mut operations) = (0, 0);
    let entries = |nodes: &[Node]| nodes.iter().filter(|node| node.kind == "entry").count();
    for node in tree.children.iter().filter(|node| node.kind == "record") {
        let of = |node: &Node| {
            entries(&node.inside) + node.children.get(1).map_or(0, |leaf| entries(&leaf.inside))
        };
        match node.name.as_str() {
            "record" => {
                records += 1;
                operations += entries(&node.children);
            }
            "first part of a record" => {
                fragmented.push(vec![2]);
                operations += of(node);
            }
            "middle part of a record" => fragmented.last_mut().unwrap().push(3),
            _ => {
                if let Some(parts) = fragmented.last_mut().filter(|parts| parts.last() != Some(&4))
                {
                    parts.push(4);
                    records += 1;
                }
            }
        }
    }
    fragmented.retain(|parts| parts.last() == Some(&4));
    json!({"records": records, "ops": operations, "fragmented": fragmented})
}

#[test]
fn every_file_of_the_original_is_recognized_and_named_byte_by_byte() {
    let mut files = 0;
    for fixture in all() {
        for (name, file) in &fixture.files {
            let Some(id) = id_of(name) else { continue };
            let whole = tree(id, name, file);
            for format in FORMATS {
                let tree = format.annotate(name, file, levelscope::inspect::Scope::ALL);
                assert_covers(&tree, file);
            }
            files += 1;
            let found = recognize(name, file);
            let sound = !file.is_empty() && !fixture.name.starts_with("g_");
            if sound {
                assert_eq!(found[0].format.info().id, id, "{} {name} {found:?}", fixture.name);
                // `CURRENT` has neither a magic number nor a checksum.
                let proved = if name == "CURRENT" { Likeness::Likely } else { Likeness::Certain };
                assert_eq!(found[0].likeness, proved, "{} {name}", fixture.name);
                assert!(!is_damaged(&whole), "{} {name}", fixture.name);
                // The content is enough.
                assert_eq!(recognize("", file)[0].format.info().id, id, "{} {name}", fixture.name);
            } else if id != "leveldb-table" {
                assert!(found.iter().any(|found| found.format.info().id == id), "{name} {found:?}");
            }
        }
    }
    assert!(files > 100, "{files}");
}

#[test]
fn tables_logs_and_manifests_are_what_the_description_says() {
    let (mut tables, mut logs, mut manifests) = (0, 0, 0);
    for fixture in all() {
        let structure = &fixture.json["structure"];
        if structure["manifest"].is_null() {
            continue;
        }
        let describe =
            |name: &str| (tree(id_of(name).unwrap(), name, &fixture.files[name]), name.to_owned());
        for (number, said) in structure["tables"].as_object().into_iter().flatten() {
            if said.get("blocks").is_none() {
                continue;
            }
            let number: u64 = number.parse().unwrap();
            let names = ["ldb", "sst"].map(|extension| format!("{number:06}.{extension}"));
            let name = names.iter().find(|name| fixture.files.contains_key(*name)).unwrap();
            let (tree, name) = describe(name);
            // Blocks with a compression that we cannot decompress have no entries to count.
            if said["blocks"].as_array().unwrap().iter().any(|block| block["compression"] == 2) {
                continue;
            }
            assert_eq!(table(&tree), expected_table(said), "{} {name}", fixture.name);
            tables += 1;
        }
        for (name, said) in structure["logs"].as_object().into_iter().flatten() {
            let (tree, name) = describe(name);
            assert_eq!(&log(&tree), said, "{} {name}", fixture.name);
            logs += 1;
        }
        let (tree, name) = describe(structure["manifest"].as_str().unwrap());
        assert_eq!(edits(&tree), expected_edits(&structure["edits"]), "{} {name}", fixture.name);
        manifests += 1;
    }
    println!("{tables} tables, {logs} logs, {manifests} manifests");
    assert!(tables >= 21 && logs > 25 && manifests > 25, "{tables} {logs} {manifests}");
}

#[test]
fn a_directory_knows_its_levels_and_counters() {
    for fixture in all() {
        let structure = &fixture.json["structure"];
        let Ok(database) = Database::open(&fixture.files, Damage::Refuse) else { continue };
        assert_eq!(database.manifest(), structure["manifest"].as_str(), "{}", fixture.name);
        let meta = &structure["meta"];
        assert_eq!(database.last_sequence(), meta["last_sequence"].as_u64(), "{}", fixture.name);
        let mut levels = serde_json::Map::new();
        for table in database.tables() {
            let level = levels.entry(table.level.to_string()).or_insert_with(|| json!([]));
            level.as_array_mut().unwrap().push(json!(table.known.as_ref().unwrap().number));
        }
        let mut said = structure["levels"].clone();
        for numbers in said.as_object_mut().unwrap().values_mut() {
            numbers.as_array_mut().unwrap().sort_by_key(Value::as_u64);
        }
        assert_eq!(Value::Object(levels), said, "{}", fixture.name);
    }
}

#[test]
fn entries_tombstones_and_sequence_numbers_add_up() {
    for fixture in all() {
        let structure = &fixture.json["structure"];
        let Ok(database) = Database::open(&fixture.files, Damage::Refuse) else { continue };
        let names: Vec<&str> = database
            .logs()
            .chain(database.tables().iter().map(|table| table.name.as_str()))
            .collect();
        let (mut count, mut tombstones, mut largest) = (0, 0, 0);
        for name in names {
            let format = format(id_of(name).unwrap());
            for entry in format.scan(&fixture.files[name]).filter_map(Result::ok) {
                count += 1;
                tombstones += u64::from(entry.value.is_none());
                largest = largest.max(entry.sequence.unwrap());
            }
        }
        if fixture.json.get("entries").is_none() {
            continue;
        }
        let said = |name: &str| structure[name].as_u64().unwrap();
        let name = &fixture.name;
        assert_eq!((count, tombstones), (said("physical_entries"), said("tombstones")), "{name}");
        assert_eq!(largest.max(database.last_sequence().unwrap()), said("max_sequence"), "{name}");
    }
}

#[test]
fn a_compressed_block_that_nobody_reads_leaves_the_rest_named() {
    let files: Directory = one("o_zstd").files;
    let tree = tree("leveldb-table", "000005.ldb", &files["000005.ldb"]);
    let told = find(&tree, &|node| node.value.contains("zstd")).unwrap();
    assert!(told.value.contains("zstd"), "{told:?}");
    let checksum = find(&tree, &|node| node.name == "checksum of the block").unwrap();
    assert!(checksum.value.ends_with(", correct"), "{checksum:?}");
}
