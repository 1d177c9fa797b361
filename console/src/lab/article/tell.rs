//! What was found, in tables, figures and sentences.
//!
//! A figure agrees when it lies in the range that the original gave over many seeds, made wider by half
//! of itself on either side.

use super::work::{Article, Asked};
use crate::lab::report::{
    LabChart, LabChartKind, LabReport, LabTable, column, growth, ratio, real,
};
use levelscope::formats::SearchMethod;

fn bars(title: &str, table: usize, x: usize, series: Vec<usize>) -> LabChart {
    LabChart::new(LabChartKind::Bars, title, table, x, series)
}

pub(super) fn varint(lab: &Article, report: &mut LabReport) {
    report.tables.push(lab.sizes(&["two bytes", "varints"]));
    report.charts.push(bars("files", 0, 0, vec![2, 3]));
    let saved = -growth(lab.total(0), lab.total(1));
    report.figure(
        "smaller with varints",
        (saved, 2, "%"),
        ("about 10 %", "7.1 (7.0-7.3)"),
        Some((6.85, 7.45)),
        "",
    );
    let entries: u64 = lab.memtables.tables().iter().map(|table| table.len() as u64).sum();
    let each = ratio(lab.total(0) - lab.total(1), entries);
    report.figure("saved an entry", (each, 2, "bytes"), ("", "2"), Some((2.0, 2.0)), "");
    report.found(format!(
        "Words are shorter than 128 bytes, so each length takes one byte instead of two: {each:.2} bytes \
         an entry of {:.1}, which is {saved:.1} %. The claim of 10 % would need shorter words.",
        ratio(lab.total(0), entries)
    ));
}

pub(super) fn entry_index(lab: &Article, report: &mut LabReport) {
    report.tables.push(lab.sizes(&["entries alone", "with the index"]));
    report.charts.push(bars("files", 0, 0, vec![2, 3]));
    let share = 100.0 * ratio(lab.index_total(1), lab.total(1));
    report.figure(
        "index, of the whole file",
        (share, 2, "%"),
        ("14-15 %", "13.4 (13.1-13.9)"),
        Some((12.7, 14.3)),
        "",
    );
    report.figure(
        "index, measured by the file without it",
        (growth(lab.total(0), lab.total(1)), 2, "%"),
        ("", "15.5"),
        Some((15.0, 16.2)),
        "which of the two is meant decides whether the claim holds",
    );
    report.figure(
        "tables",
        (real(lab.files.len() as u64), 0, ""),
        ("3", "3"),
        Some((3.0, 3.0)),
        "",
    );
    report.found(format!("Four bytes for every entry are {share:.1} % of the file."));
}

pub(super) fn small_search(lab: &Article, report: &mut LabReport) {
    let method = |asked: &Asked| match asked.method {
        SearchMethod::Binary => "halving",
        _ => "front to back",
    };
    report.tables.push(lab.searches(method));
    report.charts.push(bars("comparisons of one lookup", 0, 0, vec![5, 6]));
    let comparisons =
        |place: usize| lab.asked.get(place).map_or(0.0, |asked| asked.each(asked.comparisons));
    report.found(format!(
        "For the first key one comparison from front to back is enough and halving takes {:.0}; in the \
         middle it is {:.0} to {:.0}, for the last key of the oldest table {:.0} to {:.0}.",
        comparisons(0),
        comparisons(3),
        comparisons(2),
        comparisons(5),
        comparisons(4)
    ));
    for (name, place, more) in [
        ("first key: front to back compares less", 0, false),
        ("middle key: halving compares less", 2, true),
        ("worst case: halving compares less", 4, true),
    ] {
        let times = comparisons(place + 1) / comparisons(place).max(1.0);
        let expected = if more { (1.0, f64::MAX) } else { (0.0, 1.0) };
        report.figure(
            name,
            (times, 2, "times the comparisons of halving"),
            (if more { "halving" } else { "front to back" }, ""),
            Some(expected),
            "",
        );
    }
}

pub(super) fn block_index(lab: &Article, report: &mut LabReport) {
    let columns = [
        column("table", "", 0),
        column("entries", "", 0),
        column("blocks", "", 0),
        column("file", "bytes", 0),
        column("index", "bytes", 0),
        column("share", "%", 2),
    ];
    let mut table = LabTable::new("files", columns);
    let parts = lab.files.iter().zip(&lab.layouts).zip(lab.memtables.tables());
    for (number, ((files, layouts), entries)) in parts.enumerate() {
        let (Some(file), Some(layout)) = (files.first(), layouts.first()) else { continue };
        table.row([
            (number as u64 + 1).to_string().into(),
            (entries.len() as u64).into(),
            (layout.blocks.len() as u64).into(),
            (file.len() as u64).into(),
            layout.index_bytes.into(),
            (100.0 * ratio(layout.index_bytes, file.len() as u64)).into(),
        ]);
    }
    report.tables.push(table);
    report.charts.push(bars("share of the index", 0, 0, vec![5]));
    let share = 100.0 * ratio(lab.index_total(0), lab.total(0));
    report.figure(
        "index, of the whole file",
        (share, 2, "%"),
        ("1 %", "0.88 (0.77-0.96)"),
        Some((0.67, 1.06)),
        "",
    );
    let blocks = lab.layouts.iter().flatten().map(|layout| layout.blocks.len() as u64);
    let blocks = ratio(blocks.sum(), lab.files.len() as u64);
    report.figure("blocks a table", (blocks, 1, ""), ("5", "5"), Some((5.0, 5.0)), "");
    let files = real(lab.files.len() as u64);
    report.figure("tables", (files, 0, ""), ("3", "3"), Some((3.0, 3.0)), "");
    report.found(format!(
        "One key and 8 bytes for a block of 4 KiB: {share:.2} % of the file instead of 13 % with an index \
         of every entry."
    ));
}

pub(super) fn block_search(lab: &Article, report: &mut LabReport) {
    let method = |asked: &Asked| match asked.method {
        SearchMethod::Binary => "by blocks",
        _ => "front to back",
    };
    report.tables.push(lab.searches(method));
    report.charts.push(bars("accesses of one lookup", 0, 0, vec![1, 2]));
    report.charts.push(bars("comparisons of one lookup", 0, 0, vec![5, 6]));
    let accesses =
        |place: usize| lab.asked.get(place).map_or(0.0, |asked| asked.each(asked.accesses));
    report.figure(
        "accesses, newest table",
        (accesses(1), 2, ""),
        ("3", "3.03"),
        Some((3.0, 3.1)),
        "footer, index, block",
    );
    report.figure(
        "accesses, oldest of three tables",
        (accesses(3), 2, ""),
        ("9", "8.03"),
        Some((7.0, 9.0)),
        "a table whose last key is smaller is passed over after its index",
    );
    report.found(format!(
        "Wherever in the newest table a key is, three accesses find it; for the oldest of three it takes \
         {:.0}. From front to back the blocks in front are read, too: {:.0} and {:.0} accesses.",
        accesses(3),
        accesses(5),
        accesses(7)
    ));
}

pub(super) fn snappy(lab: &Article, report: &mut LabReport) {
    report.tables.push(lab.sizes(&["plain", "Snappy"]));
    let method = |asked: &Asked| if asked.step == 0 { "plain" } else { "Snappy" };
    report.tables.push(lab.searches(method));
    report.charts.push(bars("files", 0, 0, vec![2, 3]));
    report.charts.push(bars("time of a lookup", 1, 0, vec![7, 8]));
    let saved = -growth(lab.total(0), lab.total(1));
    report.figure(
        "smaller with Snappy",
        (saved, 1, "%"),
        ("30 %", "33.9 (33.0-34.5)"),
        Some((32.2, 35.3)),
        "another encoder writes other bytes",
    );
    report.found(format!(
        "Filler words repeat within a block: {saved:.1} % less. Each lookup decompresses a whole block for \
         one entry; a cache of decompressed blocks, as the engine has one, pays that once."
    ));
}

pub(super) fn incremental(lab: &Article, report: &mut LabReport) {
    report.tables.push(lab.sizes(&["blocks", "incremental", "Snappy", "incremental, Snappy"]));
    let method = |asked: &Asked| if asked.step == 0 { "blocks" } else { "incremental" };
    report.tables.push(lab.searches(method));
    report.charts.push(bars("files", 0, 0, vec![2, 3, 4, 5]));
    report.charts.push(bars("comparisons of a lookup", 1, 0, vec![5, 6]));
    let saved = -growth(lab.total(0), lab.total(1));
    report.figure(
        "smaller without Snappy",
        (saved, 2, "%"),
        ("1-2 %", "2.1 (1.6-2.5)"),
        Some((1.1, 3.0)),
        "",
    );
    let grown = growth(lab.total(2), lab.total(3));
    report.figure(
        "larger with Snappy",
        (grown, 2, "%"),
        ("", "3.3 (2.3-4.5)"),
        Some((1.2, 5.6)),
        "another encoder writes other bytes",
    );
    report.found(format!(
        "Without Snappy {saved:.1} % are saved, although each block pays for the offsets of its chunks. \
         With Snappy the tables grow by {grown:.1} %: it finds shared beginnings by itself, and the new \
         lengths and offsets only disturb it."
    ));
}
