//! L1 to L7: the table ladder of an article about tables, step against step.
//!
//! The data is the article's: two filler words for each key, two for each value, in memtables that
//! count bytes as its program does.

mod report;
mod work;

use super::report::{LabInfo, LabParameter, LabSource, parameter};
use super::{Experiment, Settings};
use levelscope_formats::SearchMethod;
use levelscope_formats::ladder::{MemtableLimits, Step};
use work::{Article, SoughtKey};

/// The article names no author, only its publisher.
const SOURCE: LabSource = LabSource {
    authors: "cloudcentric.dev",
    title: "Exploring SSTables (part 3 of a series on database storage engines)",
    place: "",
};

/// `min`: enough for two tables.
const fn records(default: u64, min: u64) -> LabParameter {
    let meaning = "pairs of words that are written; what the last memtables hold is in no table";
    parameter("records", meaning, default, min..=1_000_000)
}

const READS: LabParameter =
    parameter("reads", "how often each search is repeated, for its time", 500, 1..=1_000_000);
const SEED: LabParameter = parameter("seed", "of the words", 1, 0..=1 << 53);

/// Each of these keys looked for in the first of the files, in either way.
fn both_ways(places: &[SoughtKey]) -> Vec<(SoughtKey, usize, SearchMethod)> {
    let ways = [SearchMethod::Binary, SearchMethod::Sequential];
    ways.iter().flat_map(|way| places.iter().map(|place| (*place, 0, *way))).collect()
}

pub(super) static L1: LabInfo = LabInfo {
    id: "L1",
    title: "Fixed 16-bit lengths or varint lengths",
    question: "How much smaller are tables with varint lengths than with fixed 16-bit lengths?",
    claim: "consistently about 10 % smaller",
    source: Some(SOURCE.at("section \"Applying Varint Encoding\"")),
    original: "7.1 % (7.0 to 7.3 over 20 seeds): exactly 2 of about 27.5 bytes an entry",
    parameters: &[records(700, 500), SEED],
    ..LabInfo::PLAIN
};

pub(super) fn start_l1(settings: &Settings) -> Box<dyn Experiment> {
    Article::begin(settings, USUAL, &[Step::Fixed, Step::Varint], Vec::new(), report::varint)
}

pub(super) static L2: LabInfo = LabInfo {
    id: "L2",
    title: "What a per-entry index takes",
    question: "How much of a small table is the list of where its entries begin?",
    claim: "14 to 15 % of the total file size",
    source: Some(SOURCE.at("section \"Introducing Index Blocks\"")),
    original: "13.4 % of the file (13.1 to 13.9), 15.5 % of the file without the index; three files of at \
               most 3,880 bytes",
    parameters: &[records(500, 300), SEED],
    ..LabInfo::PLAIN
};

pub(super) fn start_l2(settings: &Settings) -> Box<dyn Experiment> {
    Article::begin(settings, SMALL, &[Step::Varint, Step::Indexed], Vec::new(), report::entry_index)
}

pub(super) static L3: LabInfo = LabInfo {
    id: "L3",
    title: "Binary search or linear scan, in 4 KiB",
    question: "For which keys does binary search beat a linear scan in a table of 4 KiB?",
    claim: "the linear scan is faster for the first key and comparable for the others; binary search is \
            faster in the worst case",
    source: Some(SOURCE.at("section \"Introducing Index Blocks\"")),
    original: "times of the three keys: 8.2, 8.1, 26.2 µs by binary search; 8.1, 10.4, 41.6 µs by linear scan",
    parameters: &[records(500, 300), READS, SEED],
    timed: true,
    ..LabInfo::PLAIN
};

pub(super) fn start_l3(settings: &Settings) -> Box<dyn Experiment> {
    Article::begin(
        settings,
        SMALL,
        &[Step::Indexed],
        both_ways(&[
            SoughtKey::NewestFirst,
            SoughtKey::NewestMiddle,
            SoughtKey::NewestAny,
            SoughtKey::OldestLast,
        ]),
        report::small_search,
    )
}

pub(super) static L4: LabInfo = LabInfo {
    id: "L4",
    title: "What a sparse (block) index takes",
    question: "How much of a table is its index when it has one key for each block?",
    claim: "1 % of the file",
    source: Some(SOURCE.at("section \"Redefining Data Blocks\"")),
    original: "0.88 % (0.77 to 0.96); three files of about 16.4 KB with 5 blocks each",
    parameters: &[records(2_250, 1_500), SEED],
    ..LabInfo::PLAIN
};

pub(super) fn start_l4(settings: &Settings) -> Box<dyn Experiment> {
    Article::begin(settings, LARGE, &[Step::Blocks], Vec::new(), report::block_index)
}

pub(super) static L5: LabInfo = LabInfo {
    id: "L5",
    title: "Search by blocks or linear scan, in 16 KiB",
    question: "How much is read of three tables for a key that is in the newest or the oldest?",
    claim: "three accesses in the newest table, nine for the oldest of three; the same time everywhere \
            in the newest, three times that in the oldest; the linear scan is slower",
    source: Some(SOURCE.at("section \"Benchmarking Data Blocks\"")),
    original: "3.03 and 8.03 accesses; 8.1 to 10.8 µs by blocks, 10.7 to 23.2 and 81.8 µs by linear scan; \
               the oldest takes 2.2 to 2.5 times as long as the newest",
    parameters: &[records(2_250, 1_500), READS, SEED],
    timed: true,
    ..LabInfo::PLAIN
};

pub(super) fn start_l5(settings: &Settings) -> Box<dyn Experiment> {
    Article::begin(
        settings,
        LARGE,
        &[Step::Blocks],
        both_ways(&[
            SoughtKey::NewestFirst,
            SoughtKey::NewestMiddle,
            SoughtKey::NewestLast,
            SoughtKey::NewestAny,
            SoughtKey::OldestLast,
        ]),
        report::block_search,
    )
}

pub(super) static L6: LabInfo = LabInfo {
    id: "L6",
    title: "Blocks with and without Snappy",
    question: "How much smaller are compressed tables, and how much longer does a search take?",
    claim: "approximately 30 % smaller, 20 to 30 % slower",
    source: Some(SOURCE.at("section \"Experimenting with Compression\"")),
    original: "33.9 % smaller (33.0 to 34.5), 28 to 35 % slower",
    parameters: &[records(2_250, 1_500), READS, SEED],
    timed: true,
    ..LabInfo::PLAIN
};

pub(super) fn start_l6(settings: &Settings) -> Box<dyn Experiment> {
    Article::begin(
        settings,
        LARGE,
        &[Step::Blocks, Step::Snappy],
        vec![(SoughtKey::Any, 0, SearchMethod::Binary), (SoughtKey::Any, 1, SearchMethod::Binary)],
        report::snappy,
    )
}

pub(super) static L7: LabInfo = LabInfo {
    id: "L7",
    title: "Prefix-compressed keys",
    question: "Do prefix-compressed keys make tables smaller, with and without Snappy?",
    claim: "1 to 2 % smaller without Snappy, although every block has an index then; somewhat faster",
    source: Some(SOURCE.at("section \"Using Incremental Encoding\"")),
    original: "2.1 % smaller without Snappy (1.6 to 2.5), 3.3 % larger with it (2.3 to 4.5); 8.6 to 8.9 \
               instead of 8.1 to 10.8 µs",
    parameters: &[records(2_250, 1_500), READS, SEED],
    timed: true,
    ..LabInfo::PLAIN
};

pub(super) fn start_l7(settings: &Settings) -> Box<dyn Experiment> {
    Article::begin(
        settings,
        LARGE,
        &[Step::Blocks, Step::IncrementalRaw, Step::Snappy, Step::Incremental],
        vec![(SoughtKey::Any, 0, SearchMethod::Binary), (SoughtKey::Any, 1, SearchMethod::Binary)],
        report::incremental,
    )
}

/// Two memtables of 4 KiB become tables at a time.
const USUAL: MemtableLimits = MemtableLimits { memtable_bytes: 4 << 10, flush_bytes: 8 << 10 };
/// Each memtable of 3 KiB becomes a table as soon as it is full.
const SMALL: MemtableLimits = MemtableLimits { memtable_bytes: 3 << 10, flush_bytes: 1 };
/// The same with 15 KiB.
const LARGE: MemtableLimits = MemtableLimits { memtable_bytes: 5 * (3 << 10), flush_bytes: 1 };
