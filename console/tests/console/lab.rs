//! `lab`: what the labs find out, beside what the original programs gave.

use super::{MemoryHost, console, text};
use levelscope::Options;
use levelscope::storage::Storage;
use levelscope_console::{Console, Host, Progress};
use serde_json::Value;
use std::sync::Arc;

fn report(line: &str) -> Value {
    let response = console("default").run(line);
    assert!(response.error.is_none(), "{}", text(&response));
    response.result()
}

fn word(value: &Value) -> &str {
    value.as_str().expect("text")
}

/// The figure whose name begins so.
fn figure<'a>(report: &'a Value, name: &str) -> &'a Value {
    let figures = report["figures"].as_array().expect("figures");
    let found = figures.iter().find(|figure| word(&figure["name"]).starts_with(name));
    found.unwrap_or_else(|| panic!("{name} is not among {figures:?}"))
}

/// What the lab found for the figure whose name begins so, and whether the claim is met and the original
/// program agrees.
fn judged<'a>(report: &'a Value, name: &str) -> (f64, &'a str, &'a str) {
    let figure = figure(report, name);
    let ours = figure["ours"].as_f64().expect("a number");
    (ours, word(&figure["claimVerdict"]), word(&figure["originalVerdict"]))
}

#[test]
fn figures_are_those_of_the_original_programs() {
    // The lab, its figure, the smallest and largest number that the original gave over its seeds, and
    // whether the claim of the text is met.
    for (lab, name, low, high, claim) in [
        ("L1 --seed 2", "smaller with varints", 7.0, 7.3, "notMet"),
        ("L1", "saved an entry", 2.0, 2.0, "met"),
        ("L2", "index, as a share of the whole file", 13.1, 13.9, "notMet"),
        ("L2", "index, compared with the file without it", 15.0, 16.2, "none"),
        ("L2", "tables", 3.0, 3.0, "met"),
        ("L4", "index, as a share of the whole file", 0.77, 0.96, "met"),
        ("L4", "blocks a table", 5.0, 5.0, "met"),
        ("L5", "accesses, newest", 3.0, 3.1, "met"),
        ("L5", "accesses, oldest", 7.0, 9.0, "notMet"),
        ("L6 --seed 2", "smaller with Snappy", 33.0, 34.5, "notMet"),
        ("L7 --seed 2", "smaller without Snappy", 1.6, 2.5, "notMet"),
        ("L7 --seed 2", "larger with Snappy", 2.3, 4.5, "none"),
        ("L12", "syncs a durable write", 1.0, 1.0, "met"),
        ("L13", "share of the largest log", 100.0, 101.0, "met"),
        ("L13", "bytes appended by a Put", 1.0, 1.0, "met"),
        ("L14", "compact, prefixes of 200", 7.2, 8.2, "none"),
        ("L14", "memory saved, prefixes of 200", 96.5, 97.5, "met"),
        ("L15", "tables with a memtable of 1 KiB", 1657.0, 1657.0, "met"),
        ("L15", "tables with a memtable of 16 KiB", 103.0, 103.0, "none"),
        ("L15", "tables with a memtable of 64 KiB", 25.0, 25.0, "none"),
    ] {
        let report = report(&format!("lab {lab}"));
        let (ours, claimed, original) = judged(&report, name);
        assert!((low..=high).contains(&ours), "{lab}: {name} is {ours}, not {low} to {high}");
        assert_eq!((claimed, original), (claim, "agrees"), "{lab}: {name} is {ours}");
    }
}

#[test]
fn a_figure_that_differs_is_marked() {
    let filters = report("lab L11");
    let (grown, claim, original) = judged(&filters, "files larger with filters, values of 100");
    assert!((1.0..1.2).contains(&grown), "{grown}");
    assert_eq!((claim, original), ("none", "differs"));
    // With other parameters than the original's nothing is judged.
    let other = report("lab L15 --records 5000");
    let (_, claim, original) = judged(&other, "tables with a memtable of 1");
    assert_eq!((claim, original), ("notComparable", "notComparable"));
}

#[test]
fn tables_are_compared_at_the_size_of_the_original() {
    let small = report("lab L8");
    let (_, _, original) = judged(&small, "tables, values of 2,000");
    assert_eq!(original, "notComparable");
    assert_eq!(judged(&small, "steps to longer values").1, "met");
    let whole = report("lab L8 --records 200000");
    for (bytes, expected) in
        [(16_u64, "agrees"), (100, "differs"), (400, "agrees"), (1000, "agrees"), (2000, "agrees")]
    {
        let (ours, claim, original) =
            judged(&whole, &format!("tables, values of {}", levelscope::text::bytes(bytes)));
        assert_eq!((claim, original), ("none", expected), "{ours} tables of {bytes} bytes");
    }
}

#[test]
fn a_search_in_a_small_table_ends_at_its_key() {
    let report = report("lab L3");
    let best = ("met", "none");
    for name in ["middle key, binary search", "first key, linear scan"] {
        let (comparisons, claim, original) = judged(&report, name);
        assert_eq!((comparisons.to_bits(), (claim, original)), (1.0_f64.to_bits(), best), "{name}");
    }
    // The claim is about times, so comparisons can neither meet it nor agree with it.
    for name in ["first key, linear scan to", "middle key, linear scan to", "worst case"] {
        let (_, claim, original) = judged(&report, name);
        assert_eq!((claim, original), ("notComparable", "notComparable"), "{name}");
    }
    assert!(
        cell(&report, "random keys of the newest", 5)
            < cell(&report, "random keys of the newest", 6)
    );
}

#[test]
fn prefix_indexes_are_compared_with_the_binary_search_alone() {
    let report = report("lab L14");
    let lookup = |name: &str| [2, 3].map(|column| cell(&report, name, column));
    let [none, exact, compact] =
        [lookup("none: binary search alone"), lookup("exact"), lookup("compact")];
    assert!(exact[0] < compact[0] && compact[0] < none[0], "{none:?} {exact:?} {compact:?}");
    assert!(
        exact[1] < 0.001 && compact[1] < 0.5 && none[1] > 15.0,
        "{none:?} {exact:?} {compact:?}"
    );
}

#[test]
fn reports_name_authors_title_and_place_of_their_text() {
    for info in report("lab").as_array().expect("a list of labs") {
        let claim = word(&info["claim"]);
        let source = &info["source"];
        assert_eq!(source.is_null(), claim.is_empty(), "{info}");
        if !source.is_null() {
            for part in ["authors", "title", "place"] {
                assert!(!word(&source[part]).is_empty(), "{info}");
            }
        }
    }
    let printed = text(&console("default").run("lab L14 --records 100 --reads 10"));
    for part in ["Kai Liu", "Speeding up Block-based Table Lookup", "Solution: v2"] {
        assert!(printed.contains(part), "{printed}");
    }
}

/// The number in the row `name` and the column `column` of the first table that has such a row.
fn cell(report: &Value, name: &str, column: usize) -> f64 {
    let tables = report["tables"].as_array().expect("tables");
    let mut rows = tables.iter().flat_map(|table| table["rows"].as_array().expect("rows"));
    let row = rows.find(|row| row[0] == name).unwrap_or_else(|| panic!("there is no row {name}"));
    row[column].as_f64().unwrap_or_else(|| panic!("{row}"))
}

#[test]
fn space_amplification_is_bytes_of_tables_by_bytes_of_live_data() {
    let line = "lab compare strategy=leveled vs strategy=tiered --records 3000 --keys 1500";
    let both = report(line);
    let [live, files, space] =
        ["live data, after a full compaction", "table files", "space amplification"]
            .map(|name| [cell(&both, name, 2), cell(&both, name, 3)]);
    // The same writes leave the same live data, however they are arranged.
    assert!((live[0] / live[1] - 1.0).abs() < 0.01, "{live:?}");
    for side in 0..2 {
        assert!((space[side] - files[side] / live[side]).abs() < 1e-9, "{space:?}");
        assert!(space[side] >= 0.99, "{space:?}");
    }
    assert!(space[0] < space[1], "{space:?} for {files:?}");
    for line in
        ["lab sweep value-size --records 2000", "lab sweep keys strategy=tiered --records 2000"]
    {
        let sweep = report(line);
        for row in sweep["tables"][0]["rows"].as_array().expect("rows") {
            let figure = |column: usize| row[column].as_f64().expect("a number");
            let (files, live, space) = (figure(3), figure(4), figure(6));
            assert!((space - files / live).abs() < 1e-9 && (0.99..4.0).contains(&space), "{row}");
        }
    }
}

#[test]
fn tables_and_charts_fit_together() {
    for info in report("lab").as_array().expect("a list of labs") {
        let id = info["id"].as_str().unwrap();
        let least: Vec<String> = info["parameters"]
            .as_array()
            .unwrap()
            .iter()
            .map(|parameter| {
                format!("--{} {}", parameter["name"].as_str().unwrap(), parameter["min"])
            })
            .collect();
        let report = report(&format!("lab {id} {}", least.join(" ")));
        let tables = report["tables"].as_array().expect("tables");
        assert!(!tables.is_empty() && !report["findings"].as_array().unwrap().is_empty(), "{id}");
        for table in tables {
            let columns = table["columns"].as_array().unwrap().len();
            let rows = table["rows"].as_array().unwrap();
            assert!(
                rows.iter().all(|row| row.as_array().unwrap().len() == columns),
                "{id} {table}"
            );
        }
        for chart in report["charts"].as_array().unwrap() {
            let table = &tables[usize::try_from(chart["table"].as_u64().unwrap()).unwrap()];
            let columns = table["columns"].as_array().unwrap();
            for place in chart["series"].as_array().unwrap().iter().chain([&chart["x"]]) {
                let column = columns.get(usize::try_from(place.as_u64().unwrap()).unwrap());
                assert!(column.is_some(), "{id}: {chart}");
            }
        }
        // The report's command leads to the same report, but for the times.
        let command = report["command"].as_str().unwrap();
        let command = command.split('\'').nth(1).expect("a quoted command");
        let again = self::report(command);
        assert_eq!(again["settings"], report["settings"], "{id}");
        assert_eq!(again["figures"], report["figures"], "{id}");
    }
}

#[test]
fn a_text_log_breaks_at_a_comma_and_a_binary_log_does_not() {
    let report = report("lab L16 --records 100");
    let row = |name: &str| [1, 2, 3].map(|column| cell(&report, name, column).to_string());
    assert_eq!(row("a key without a comma"), ["90", "90", "90"]);
    assert_eq!(row("a key with a comma"), ["10", "0", "10"]);
    assert_eq!(row("what stands before the comma"), ["10", "0", "10"]);
    assert_eq!(judged(&report, "wrong answers of the binary log"), (0.0, "met", "none"));
}

#[test]
fn labs_and_their_words_are_completed() {
    let mut console = console("default");
    for (line, expected) in [
        ("lab L1", "L10"),
        ("lab sw", "sweep"),
        ("lab sweep ", "value-size"),
        ("lab compare strategy=tiered vs bloom", "bloom_bits="),
        ("lab L8 --re", "--records"),
    ] {
        let items = console.complete(line, line.len());
        assert!(items.iter().any(|item| item.text == expected), "{line}: {items:?}");
    }
}

#[test]
fn the_open_database_is_never_touched() {
    let mut console = console("classroom");
    console.run("fill 50; snapshot; run");
    let before = text(&console.run("lsm; wal; files; count"));
    for line in ["lab L8 --records 1000", "lab L1"] {
        let response = console.run(line);
        assert!(response.error.is_none(), "{}", text(&response));
    }
    assert_eq!(text(&console.run("lsm; wal; files; count")), before);
}

#[test]
fn a_host_that_works_in_slices_gets_the_same_and_can_stop() {
    let line = "lab L9 --records 2000 --reads 100 --csv";
    let whole = text(&console("default").run(line));
    let mut sliced = Console::new(Box::new(Slices(MemoryHost::default())));
    sliced.open(Options::default()).expect("an empty database opens");
    assert_eq!(text(&sliced.run(line)), whole);
    sliced.start("lab L8 --records 1000000");
    for _ in 0..100 {
        let Progress::More { total, .. } = sliced.advance(1) else { panic!("it is at work") };
        assert!(total.is_none_or(|total| total >= 5_000_000), "{total:?}");
    }
    sliced.cancel();
    let Progress::Done(response) = sliced.advance(1) else { panic!("it was stopped") };
    let failure = response.error.as_ref().expect("it reports that it was stopped");
    assert_eq!(failure.kind, "cancelled");
    let words = "lab was stopped; L8 has no result, because an experiment is summed up at its end";
    assert_eq!(failure.message, words);
    assert_eq!(response.result()[0]["lab"]["id"], "L8");
    assert_eq!(response.result()[0]["stopped"], true);
}

/// A host that wants calls to be short.
struct Slices(MemoryHost);

impl Host for Slices {
    fn storage(&self) -> Arc<dyn Storage> {
        self.0.storage()
    }

    fn place(&self) -> String {
        self.0.place()
    }

    fn in_slices(&self) -> bool {
        true
    }

    fn clock_nanos(&self) -> Option<u64> {
        self.0.clock_nanos()
    }
}
