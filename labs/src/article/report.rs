//! Results in tables, figures and sentences.
//!
//! A claim of one number is met when ours rounds to it, one of a range when ours lies in it; after "about" a tenth more or less is
//! allowed. A figure agrees with the original program's when it lies in the range that this gave over many
//! seeds, made wider by half of itself on either side. Times are not judged.

use super::work::{Article, SearchGroup, SoughtKey};
use crate::Reference;
use crate::report::{LabChart, LabReport, LabTable, column, growth, ratio, real};
use levelscope_formats::SearchMethod;

pub(super) fn varint(lab: &Article, report: &mut LabReport) {
    report.tables.push(lab.sizes(&["fixed lengths", "varints"]));
    report.charts.push(LabChart::bars("files", 0, [2, 3]));
    let saved = -growth(lab.total(0), lab.total(1));
    report.figure(
        "smaller with varints",
        (saved, 2, "%"),
        (Reference::Range("about 10 %", 9.0, 11.0), Reference::Range("7.1 (7.0-7.3)", 6.85, 7.45)),
        "",
    );
    let entries: u64 = lab.memtables.tables().iter().map(|table| table.len() as u64).sum();
    let each = ratio(lab.total(0) - lab.total(1), entries);
    report.figure(
        "saved an entry",
        (each, 2, "bytes"),
        (Reference::Range("2", 2.0, 2.0), Reference::Range("2", 2.0, 2.0)),
        "",
    );
    report.found(format!(
        "Words are shorter than 128 bytes, so each length takes one byte instead of two: {each:.2} bytes \
         an entry of {:.1}, which is {saved:.1} %. For 10 % the words would have to be shorter.",
        ratio(lab.total(0), entries)
    ));
}

pub(super) fn entry_index(lab: &Article, report: &mut LabReport) {
    report.tables.push(lab.sizes(&["entries alone", "with the index"]));
    report.charts.push(LabChart::bars("files", 0, [2, 3]));
    let share = 100.0 * ratio(lab.index_total(1), lab.total(1));
    let stripped = growth(lab.total(0), lab.total(1));
    report.figure(
        "index, as a share of the whole file",
        (share, 2, "%"),
        (Reference::Range("14-15 %", 14.0, 15.0), Reference::Range("13.4 (13.1-13.9)", 12.7, 14.3)),
        "",
    );
    report.figure(
        "index, compared with the file without it",
        (stripped, 2, "%"),
        (Reference::None, Reference::Range("15.5", 15.0, 16.2)),
        "the article means the share of the whole file",
    );
    report.figure(
        "tables",
        (real(lab.files.len() as u64), 0, ""),
        (Reference::Range("3", 3.0, 3.0), Reference::Range("3", 3.0, 3.0)),
        "",
    );
    report.found(format!(
        "Four bytes for every entry are {share:.1} % of the total file size, which is what the article \
         names, and {stripped:.1} % of the file without them. Neither lies between 14 and 15 %."
    ));
}

pub(super) fn small_search(lab: &Article, report: &mut LabReport) {
    let method = |asked: &SearchGroup| match asked.method {
        SearchMethod::Binary => "binary search",
        SearchMethod::Sequential => "linear scan",
    };
    report.tables.push(lab.searches(method));
    report.charts.push(LabChart::bars("comparisons of one lookup", 0, [5, 6]));
    let of =
        |place, method| lab.asked(place, method).map_or(0.0, |asked| asked.each(asked.comparisons));
    let both = |place| (of(place, SearchMethod::Binary), of(place, SearchMethod::Sequential));
    let (first, middle) = (both(SoughtKey::NewestFirst), both(SoughtKey::NewestMiddle));
    let (random, worst) = (both(SoughtKey::NewestAny), both(SoughtKey::OldestLast));
    let one = |words| Reference::Range(words, 1.0, 1.0);
    report.figure(
        "first key, linear scan",
        (first.1, 0, "comparisons"),
        (one("its best case"), Reference::None),
        "",
    );
    report.figure(
        "middle key, binary search",
        (middle.0, 0, "comparisons"),
        (one("its best case"), Reference::None),
        "the search ends at the key, as the article's does",
    );
    for (name, (binary, linear), claim, original) in [
        ("first key", first, "the linear scan is faster", "8.1 µs instead of 8.2"),
        ("middle key", middle, "about the same time", "10.4 µs instead of 8.1"),
        ("worst case", worst, "binary search is faster", "41.6 µs instead of 26.2"),
    ] {
        report.figure(
            format!("{name}, linear scan to binary search"),
            (linear / binary.max(1.0), 2, "times as many comparisons"),
            (Reference::Words(claim), Reference::Words(original)),
            "claim and original are times, and these are comparisons",
        );
    }
    report.found(format!(
        "For the first key the linear scan makes {:.0} comparison and binary search {:.0}; for the middle \
         key {:.0} and {:.0}, for random keys {:.1} and {:.1}, in the worst case {:.0} and {:.0}.",
        first.1, first.0, middle.1, middle.0, random.1, random.0, worst.1, worst.0
    ));
    report.found(
        "The article measures times. Reading the file takes most of them, which is why times can be \
         similar where comparisons are not. Our scan stops at the first larger key; the article's goes on \
         to the end of a file that does not have the key.",
    );
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
    report.charts.push(LabChart::bars("share of the index", 0, [5]));
    let share = 100.0 * ratio(lab.index_total(0), lab.total(0));
    report.figure(
        "index, as a share of the whole file",
        (share, 2, "%"),
        (Reference::Range("1 %", 0.5, 1.5), Reference::Range("0.88 (0.77-0.96)", 0.67, 1.06)),
        "",
    );
    let blocks = lab.layouts.iter().flatten().map(|layout| layout.blocks.len() as u64);
    let blocks = ratio(blocks.sum(), lab.files.len() as u64);
    let five = Reference::Range("5", 5.0, 5.0);
    report.figure("blocks a table", (blocks, 1, ""), (five, five), "");
    let files = real(lab.files.len() as u64);
    let three = Reference::Range("3", 3.0, 3.0);
    report.figure("tables", (files, 0, ""), (three, three), "");
    report.found(format!(
        "One key and 8 bytes for a block of 4 KiB: {share:.2} % of the file instead of 13 % with a \
         per-entry index."
    ));
}

pub(super) fn block_search(lab: &Article, report: &mut LabReport) {
    let method = |asked: &SearchGroup| match asked.method {
        SearchMethod::Binary => "by blocks",
        SearchMethod::Sequential => "linear scan",
    };
    report.tables.push(lab.searches(method));
    report.charts.push(LabChart::bars("accesses of one lookup", 0, [1, 2]));
    report.charts.push(LabChart::bars("comparisons of one lookup", 0, [5, 6]));
    let accesses =
        |place, method| lab.asked(place, method).map_or(0.0, |asked| asked.each(asked.accesses));
    let newest = accesses(SoughtKey::NewestMiddle, SearchMethod::Binary);
    let oldest = accesses(SoughtKey::OldestLast, SearchMethod::Binary);
    report.figure(
        "accesses, newest table",
        (newest, 2, ""),
        (Reference::Range("3", 3.0, 3.0), Reference::Range("3.03", 3.0, 3.1)),
        "footer, index, block",
    );
    report.figure(
        "accesses, oldest of three tables",
        (oldest, 2, ""),
        (Reference::Range("9", 9.0, 9.0), Reference::Range("8.03", 7.0, 9.0)),
        "a table whose last key is smaller is skipped after its index",
    );
    report.found(format!(
        "Wherever in the newest table a key is, three accesses find it; for the oldest of three it takes \
         {oldest:.0}. A linear scan also reads the blocks before that of the key: {:.0} and {:.0} accesses.",
        accesses(SoughtKey::NewestMiddle, SearchMethod::Sequential),
        accesses(SoughtKey::OldestLast, SearchMethod::Sequential)
    ));
}

pub(super) fn snappy(lab: &Article, report: &mut LabReport) {
    report.tables.push(lab.sizes(&["plain", "Snappy"]));
    let method = |asked: &SearchGroup| if asked.step == 0 { "plain" } else { "Snappy" };
    report.tables.push(lab.searches(method));
    report.charts.push(LabChart::bars("files", 0, [2, 3]));
    report.charts.push(LabChart::bars("time of a lookup", 1, [7, 8]));
    let saved = -growth(lab.total(0), lab.total(1));
    report.figure(
        "smaller with Snappy",
        (saved, 1, "%"),
        (
            Reference::Range("about 30 %", 27.0, 33.0),
            Reference::Range("33.9 (33.0-34.5)", 32.2, 35.3),
        ),
        "depends on the words that are drawn: 33.48 to 34.73 % over the seeds 1 to 20",
    );
    report.found(format!(
        "Filler words repeat within a block: {saved:.1} % less. Each lookup decompresses a whole block for \
         one entry; a cache of decompressed blocks, as the engine has one, pays that once."
    ));
}

pub(super) fn incremental(lab: &Article, report: &mut LabReport) {
    report.tables.push(lab.sizes(&["blocks", "incremental", "Snappy", "incremental, Snappy"]));
    let method = |asked: &SearchGroup| if asked.step == 0 { "blocks" } else { "incremental" };
    report.tables.push(lab.searches(method));
    report.charts.push(LabChart::bars("files", 0, [2, 3, 4, 5]));
    report.charts.push(LabChart::bars("comparisons of a lookup", 1, [5, 6]));
    let saved = -growth(lab.total(0), lab.total(1));
    report.figure(
        "smaller without Snappy",
        (saved, 2, "%"),
        (Reference::Range("1-2 %", 1.0, 2.0), Reference::Range("2.1 (1.6-2.5)", 1.1, 3.0)),
        "depends on the words that are drawn",
    );
    let grown = growth(lab.total(2), lab.total(3));
    report.figure(
        "larger with Snappy",
        (grown, 2, "%"),
        (Reference::None, Reference::Range("3.3 (2.3-4.5)", 1.2, 5.6)),
        "depends on the words that are drawn",
    );
    report.found(format!(
        "Without Snappy {saved:.1} % are saved, although each block pays for the offsets of its chunks. \
         With Snappy the tables grow by {grown:.1} %: it finds shared beginnings itself, and the new \
         lengths and offsets take room."
    ));
}
