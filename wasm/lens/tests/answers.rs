//! Answers to the page about its samples and about every fixture.
//!
//! `UPDATE=1 cargo test -p levelscope-lens --test answers` rewrites the answers to the samples.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and read files of the disk"
)]

mod common;

use common::{Memory, fixture, names};
use levelscope_foreign::export::{Policy, SstWriter};
use levelscope_foreign::query::Query;
use levelscope_foreign::report::Question;
use levelscope_foreign::{CountedFiles, ErrorKind, MemoryFiles, directory::Directory};
use levelscope_lens::{Form, Lens, Reply, folders, sentence};
use serde_json::{Value, json};

/// The samples that come with the page; see scripts/build-lens.mjs.
const SAMPLES: [&str; 3] = ["h_history", "p_history", "l_history"];

fn opened(memory: Memory) -> Lens {
    let list = memory.list();
    let names: Vec<String> = list.iter().map(|(name, _)| name.clone()).collect();
    let folder = folders(&names).remove(0);
    Lens::open(&list, &folder, memory).unwrap()
}

fn answer(lens: &mut Lens, question: &Value) -> Value {
    let mut reply = match lens.ask(&question.to_string()) {
        Ok(reply) => reply,
        // Not every directory has every file.
        Err(error) => return json!({ "failed": sentence(&error) }),
    };
    loop {
        match reply {
            Reply::Answer(text) => return serde_json::from_str(&text).unwrap(),
            Reply::More(_) => reply = lens.advance().unwrap(),
        }
    }
}

fn questions() -> Vec<Value> {
    let mut questions = vec![
        json!({ "ask": "overview" }),
        json!({ "ask": "levels", "family": 0, "step": null }),
        json!({ "ask": "levels", "family": 0, "step": 5 }),
        json!({ "ask": "steps", "from": 3, "limit": 4 }),
        json!({ "ask": "facts", "family": 0, "step": null, "object": "" }),
        json!({ "ask": "facts", "family": 0, "step": null, "object": "12" }),
        json!({ "ask": "scan", "family": 0, "from": null, "to": null, "limit": 3, "sequence": null }),
        json!({ "ask": "get", "family": 0, "key": "6b", "sequence": null }),
        json!({ "ask": "check", "deep": true }),
    ];
    for question in Question::all() {
        questions.push(json!({ "ask": "report", "id": question.id(), "family": 0, "key": null }));
    }
    questions
}

/// Questions about bytes, which the playground has, too.
fn of_bytes(files: &[(String, u64)]) -> Vec<Value> {
    let named = |is_it: fn(&&str) -> bool| {
        files.iter().filter_map(|(path, _)| path.split('/').next_back()).find(is_it).unwrap()
    };
    let manifest = format!("@{}", named(|name| name.starts_with("MANIFEST-")));
    let table = named(|name| name.ends_with("sst") || name.ends_with("ldb"));
    let log = format!("@{}", named(|name| name.ends_with("log")));
    vec![
        json!({ "ask": "ribbon", "file": manifest, "stretches": 240 }),
        json!({ "ask": "part", "file": "CURRENT", "path": "", "skip": 0, "limit": 9 }),
        json!({ "ask": "part", "file": manifest, "path": "block:1", "skip": 0, "limit": 9 }),
        json!({ "ask": "hex", "file": manifest, "inside": null, "offset": 0, "length": 8 }),
        json!({ "ask": "find", "file": manifest, "inside": null, "offset": 0, "bytes": [46] }),
        json!({ "ask": "ribbon", "file": table, "stretches": 4 }),
        json!({ "ask": "part", "file": log, "path": "block:1", "skip": 1, "limit": 2 }),
    ]
}

/// Long lists by their lengths and beginnings: whole answers would be a golden of a megabyte.
fn shortened(value: Value) -> Value {
    match value {
        Value::Array(items) if items.len() > 3 => {
            let count = items.len();
            let mut kept: Vec<Value> = items.into_iter().take(2).map(shortened).collect();
            kept.push(json!(format!("… of {count}")));
            Value::Array(kept)
        }
        Value::Array(items) => items.into_iter().map(shortened).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(name, value)| (name, shortened(value))).collect()
        }
        other => other,
    }
}

#[test]
fn answers_about_the_samples_are_as_committed() {
    let mut all = serde_json::Map::new();
    for name in SAMPLES {
        let of_bytes = of_bytes(&fixture(name).list());
        let mut lens = opened(fixture(name));
        let of_sample: Vec<Value> = questions()
            .into_iter()
            .chain(of_bytes)
            .map(|question| {
                let answer = shortened(answer(&mut lens, &question));
                json!({ "question": question, "answer": answer })
            })
            .collect();
        all.insert(name.to_owned(), of_sample.into());
    }
    let samples = serde_json::to_string_pretty(&all).unwrap() + "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/samples.json");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &samples).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap();
    assert!(samples == committed, "samples.json is out of date; UPDATE=1 rewrites it");
}

#[test]
fn answers_are_those_of_the_directory_itself() {
    for name in names() {
        let memory = fixture(&name);
        let plain = memory.files.iter().map(|(path, bytes)| {
            let inner = path.strip_prefix(&format!("{name}/")).unwrap();
            (inner.to_owned(), bytes.clone())
        });
        let files = MemoryFiles::new(plain);
        let files = CountedFiles::new(&files);
        let list = memory.list();
        let lens = Lens::open(&list, &format!("{name}/"), memory);
        let directory = match Directory::open(&files) {
            Ok(directory) => directory,
            Err(error) if error.kind() == ErrorKind::Invalid => {
                assert!(lens.is_ok_and(|lens| !lens.is_database()), "{name}: a set of files");
                continue;
            }
            Err(error) => {
                assert_eq!(lens.err(), Some(error), "{name}");
                continue;
            }
        };
        let mut lens = lens.unwrap();
        for question in questions() {
            let query: Query = serde_json::from_value(question.clone()).unwrap();
            // Numbers with decimals are compared as they are written.
            let wanted = directory.answer(&query).map(|written| written.get().to_owned());
            let wanted = wanted.map(|text| serde_json::from_str::<Value>(&text).unwrap());
            let answered = match lens.ask(&question.to_string()) {
                Ok(Reply::Answer(text)) => Ok(serde_json::from_str::<Value>(&text).unwrap()),
                Ok(Reply::More(_)) => Ok(answer(&mut lens, &question)),
                Err(error) => Err(error),
            };
            assert_eq!(answered, wanted, "{name}: {question}");
        }
    }
}

#[test]
fn an_overview_reads_little_of_a_directory() {
    let memory = fixture("h_history");
    let read = std::rc::Rc::clone(&memory.read);
    let mut lens = opened(memory);
    answer(&mut lens, &json!({ "ask": "overview" }));
    let manifest_and_log = 64 << 10;
    assert!(read.get() < 4 * manifest_and_log, "{} bytes were read", read.get());
}

#[test]
fn a_check_reports_its_progress() {
    let mut lens = opened(fixture("m_levels"));
    let mut reply = lens.ask(r#"{"ask":"check","deep":true}"#).unwrap();
    let mut before = 0;
    while let Reply::More(progress) = reply {
        assert!(progress.done > before && Some(progress.done) <= progress.total, "{progress:?}");
        before = progress.done;
        reply = lens.advance().unwrap();
    }
    let whole = "every checksum was compared and every entry decoded";
    let outcome = json!({ "problems": [], "extent": whole });
    let Reply::Answer(answer) = reply else { panic!("{reply:?}") };
    assert_eq!(serde_json::from_str::<Value>(&answer).unwrap(), outcome);
    let error = lens.advance().unwrap_err();
    assert_eq!(error.to_string(), "no check is going on");
}

#[test]
fn a_table_of_live_entries_is_the_one_that_is_written_at_once() {
    let mut lens = opened(fixture("l_history"));
    lens.begin_export(0, Policy::default(), Form::Table).unwrap();
    let mut table = Vec::new();
    while let Some(mut part) = lens.export().unwrap() {
        table.append(&mut part);
    }
    assert!(lens.export().is_err(), "the table is at its end");

    let rows = json!({ "ask": "scan", "family": 0, "from": null, "to": null, "limit": 9999, "sequence": null });
    let rows = answer(&mut lens, &rows);
    let mut writer = SstWriter::new("leveldb.BytewiseComparator").unwrap();
    let bytes = |shown: &Value| {
        let digits = shown["hex"].as_str().unwrap().as_bytes();
        let pair =
            |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        digits.chunks(2).map(pair).collect::<Vec<u8>>()
    };
    for row in rows["rows"].as_array().unwrap() {
        assert_eq!(row["value"]["leftOut"], 0);
        writer.add(&bytes(&row["key"]), &bytes(&row["value"])).unwrap();
    }
    writer.finish().unwrap();
    assert!(table == writer.take(), "the tables differ");
}

#[test]
fn a_value_that_is_not_plain_bytes_ends_a_table_with_a_sentence() {
    let mut lens = opened(fixture("e_wide_columns"));
    lens.begin_export(0, Policy::default(), Form::Table).unwrap();
    let error = lens.export().unwrap_err().to_string();
    assert!(error.contains("not every entry can be carried over unchanged"), "{error}");
    assert!(error.contains("other columns left out"), "{error}");
    assert!(lens.export().is_err(), "it is given up");
    assert!(lens.is_refused(), "a lossy table can be made");

    lens.begin_export(0, Policy { lossy: true, ..Policy::default() }, Form::Table).unwrap();
    let mut bytes = 0;
    while let Some(part) = lens.export().unwrap() {
        bytes += part.len();
    }
    assert!(bytes > 0 && !lens.is_refused());
    let [loss] = lens.losses() else { panic!("{:?}", lens.losses()) };
    assert!(loss.contains("with the default column only: other columns left out"), "{loss}");
}

#[test]
fn what_can_be_read_is_saved_where_damage_may_be_left_out() {
    let mut lens = opened(fixture("d_blob_missing"));
    let error = lens.begin_export(0, Policy::default(), Form::Table).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
    assert!(!lens.is_refused(), "it is damage that stands in the way, not a kind of entry");

    lens.begin_export(0, Policy { skip_damage: true, ..Policy::default() }, Form::Table).unwrap();
    let mut bytes = 0;
    while let Some(part) = lens.export().unwrap() {
        bytes += part.len();
    }
    assert!(bytes > 0);
    // Each of its values is a finding of its own, and the same one.
    let losses = lens.losses();
    assert!(!losses.is_empty() && losses.len() <= 5, "{losses:?}");
    assert!(losses.iter().any(|loss| loss.ends_with("the file is missing")), "{losses:?}");
}

#[test]
fn a_report_has_a_table_with_commas() {
    let lens = opened(fixture("h_history"));
    let csv = lens.csv(r#"{"ask":"report","id":"sizes","family":null,"key":null}"#).unwrap();
    assert!(csv.lines().count() > 1 && csv.lines().all(|line| line.contains(',')), "{csv}");
    let error = lens.csv(r#"{"ask":"overview"}"#).unwrap_err().to_string();
    assert_eq!(error, "only reports have tables");
}

/// A check goes part by part here; what it finds counts in the answers after it.
#[test]
fn a_check_is_remembered_by_later_questions() {
    let mut lens = opened(fixture("d_table_flip"));
    let report = json!({ "ask": "report", "id": "damage", "family": 0, "key": null });
    let levels = json!({ "ask": "levels", "family": 0, "step": null });
    let marked = |levels: &Value| -> Vec<u64> {
        let lines = levels["levels"].as_array().unwrap().iter();
        let tables = lines.flat_map(|level| level["tables"].as_array().unwrap());
        let damaged = tables.filter(|table| table["isDamaged"] == true);
        damaged.map(|table| table["number"].as_u64().unwrap()).collect()
    };
    assert!(answer(&mut lens, &report)["answer"].as_str().unwrap().starts_with("No damage"));
    assert!(marked(&answer(&mut lens, &levels)).is_empty());
    answer(&mut lens, &json!({ "ask": "check", "deep": false }));
    let damage = answer(&mut lens, &report);
    assert!(damage["answer"].as_str().unwrap().starts_with("Table 10 in level 6"), "{damage}");
    assert_eq!(marked(&answer(&mut lens, &levels)), [10]);
}
