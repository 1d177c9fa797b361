//! L14: memory of the two forms of the prefix index.

use super::report::{
    LabChart, LabInfo, LabReport, LabSource, LabTable, column, parameter, ratio, real,
};
use super::{Experiment, Reference, Settings};
use crate::Surroundings;
use crate::generate::Random;
use levelscope::Result;
use levelscope::storage::{MemoryStorage, Storage};
use levelscope::{
    Budget, Compression, Db, Maintenance, Options, PrefixExtractor, PrefixIndexForm, ReadStop,
    WalSync,
};
use std::sync::Arc;

pub(super) static L14: LabInfo = LabInfo {
    id: "L14",
    title: "Prefix indexes: none, exact and compact",
    question: "How much memory does an index of prefixes take, what does the small form give up, and what do \
               both save compared with the binary search alone?",
    claim: "buckets of block numbers take 97 % less memory than a map of the prefixes",
    source: Some(LabSource {
        authors: "Kai Liu",
        title: "Speeding up Block-based Table Lookup (RocksDB for everyone, 22 September 2014)",
        place: "sections \"Solution: V1\" and \"Solution: v2\"",
    }),
    original: "70, 78, 94, 126, 162, 212, 262 B a prefix as a map, 7.7 B in buckets: 88.9 to 97.1 % less; \
               61 % of absent prefixes still lead to a block",
    parameters: &[
        parameter(
            "records",
            "prefixes, with one key each (the original: 100,000)",
            20_000,
            100..=200_000,
        ),
        parameter(
            "reads",
            "lookups of prefixes that are there, and as many of others",
            2_000,
            10..=1_000_000,
        ),
        parameter("seed", "of the lookups", 1, 0..=1 << 53),
    ],
    ..LabInfo::PLAIN
};

/// Lengths of prefixes, and bytes a prefix of the original's map.
const LENGTHS: [(usize, u64); 7] =
    [(8, 70), (16, 78), (32, 94), (64, 126), (100, 162), (150, 212), (200, 262)];
/// Bytes a prefix of the original's buckets.
const BUCKETS: f64 = 7.7;
/// Writes or reads of one unit.
const GROUP: u64 = 64;

/// The results of one form of the index.
#[derive(Debug, Clone, Copy, Default)]
struct Form {
    memory: u64,
    /// Comparisons of keys for prefixes that are there.
    comparisons: u64,
    /// Comparisons of keys for other prefixes.
    absent_comparisons: u64,
    /// Lookups of other prefixes that read a block.
    misled: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Write,
    Flush,
    Read(usize),
}

struct Prefixes {
    records: u64,
    reads: u64,
    seed: u64,
    /// Which of the lengths is at work.
    turn: usize,
    stage: Stage,
    done: u64,
    random: Random,
    storage: Arc<dyn Storage>,
    db: Option<Db>,
    /// As in [`FORMS`].
    forms: [Form; 3],
    rows: Vec<[Form; 3]>,
}

/// The first one is written; the others are built of the same file when it is opened again.
const FORMS: [PrefixIndexForm; 3] =
    [PrefixIndexForm::Exact, PrefixIndexForm::Compact, PrefixIndexForm::None];

pub(super) fn start(settings: &Settings) -> Box<dyn Experiment> {
    let seed = settings.number("seed");
    Box::new(Prefixes {
        records: settings.number("records"),
        reads: settings.number("reads"),
        seed,
        turn: 0,
        stage: Stage::Write,
        done: 0,
        random: Random::new(seed),
        storage: Arc::new(MemoryStorage::default()),
        db: None,
        forms: [Form::default(); 3],
        rows: Vec::new(),
    })
}

/// The prefix with this number, in the order of the numbers.
fn prefix(number: u64, bytes: usize) -> Vec<u8> {
    let mut prefix = format!("{number:08}").into_bytes();
    prefix.resize(bytes, b'.');
    prefix
}

impl Prefixes {
    fn open(&self, form: PrefixIndexForm, bytes: usize) -> Result<Db> {
        let options = Options::default()
            // One table of everything, and only the index proves that a prefix is absent.
            .memtable_bytes(1 << 30)
            .bloom_bits(0)
            .prefix_filter(false)
            .compression(Compression::None)
            .prefix(PrefixExtractor::Fixed(bytes))
            .prefix_index(form)
            .maintenance(Maintenance::Manual)
            .wal_sync(WalSync::None);
        Db::builder().options(options).open_in(Arc::clone(&self.storage))
    }

    /// A group of lookups with `form`; whether they were the last ones.
    fn read(&mut self, db: &Db, form: usize, bytes: usize) -> Result<bool> {
        let end = (self.done + GROUP).min(self.reads);
        let Some(figures) = self.forms.get_mut(form) else { return Ok(true) };
        for _ in self.done..end {
            let drawn = 2 * (self.random.next() % self.records.max(1));
            let mut key = prefix(drawn, bytes);
            key.extend_from_slice(b".key");
            for stop in db.explain_get(&key, None)?.1.stops {
                if let ReadStop::Table { comparisons, .. } = stop {
                    figures.comparisons += u64::from(comparisons);
                }
            }
            // Odd numbers lie among the others, but are not there.
            let key = prefix(drawn + 1, bytes);
            for stop in db.explain_get(&key, None)?.1.stops {
                if let ReadStop::Table { blocks, comparisons, .. } = stop {
                    figures.absent_comparisons += u64::from(comparisons);
                    figures.misled += u64::from(!blocks.is_empty());
                }
            }
        }
        self.done = end;
        figures.memory = db.stats().prefix_index_bytes;
        Ok(end == self.reads)
    }
}

impl Prefixes {
    fn compare_forms(&self, report: &mut LabReport) {
        let Some([exact, compact, none]) = self.rows.last() else { return };
        let each = |form: &Form| ratio(form.comparisons, self.reads);
        report.figure(
            "comparisons saved by the exact form",
            (100.0 * (1.0 - each(exact) / each(none).max(1.0)), 1, "% of a lookup"),
            (Reference::Words("the binary search of the index, 30 % of the CPU"), Reference::None),
            "the claim is a share of processor time; the search within the block stays",
        );
        report.found(format!(
            "A lookup makes {:.1} comparisons by binary search alone, {:.1} with the exact form and {:.1} \
             with the compact one; for a prefix that is absent {:.1}, {:.1} and {:.2}.",
            each(none),
            each(exact),
            each(compact),
            ratio(none.absent_comparisons, self.reads),
            ratio(exact.absent_comparisons, self.reads),
            ratio(compact.absent_comparisons, self.reads)
        ));
    }

    /// The lookups without an index and with either form, for the longest prefixes.
    fn lookups(&self) -> LabTable {
        let columns = [
            column("index of prefixes", "", 0),
            column("memory", "bytes a prefix", 1),
            column("present", "comparisons", 1),
            column("absent", "comparisons", 2),
            column("blocks read", "% of absent", 1),
        ];
        let mut table = LabTable::new("one lookup, prefixes of 200 bytes", columns);
        let Some([exact, compact, none]) = self.rows.last() else { return table };
        for (name, form) in
            [("none: binary search alone", none), ("exact", exact), ("compact", compact)]
        {
            table.row([
                name.into(),
                ratio(form.memory, self.records).into(),
                ratio(form.comparisons, self.reads).into(),
                ratio(form.absent_comparisons, self.reads).into(),
                (100.0 * ratio(form.misled, self.reads)).into(),
            ]);
        }
        table
    }
}

impl Experiment for Prefixes {
    fn step(&mut self, _: &dyn Surroundings) -> Result<bool> {
        let Some((bytes, _)) = LENGTHS.get(self.turn) else { return Ok(true) };
        let bytes = *bytes;
        let Some(db) = self.db.take() else {
            let form = if let Stage::Read(form) = self.stage { form } else { 0 };
            self.db = Some(self.open(FORMS.get(form).copied().unwrap_or_default(), bytes)?);
            return Ok(false);
        };
        if db.has_work() {
            db.step(Budget::Phase)?;
            self.db = Some(db);
            return Ok(false);
        }
        match self.stage {
            Stage::Write => {
                let end = (self.done + GROUP).min(self.records);
                for number in self.done..end {
                    let mut key = prefix(2 * number, bytes);
                    key.extend_from_slice(b".key");
                    db.put(&key, b"value")?;
                }
                self.done = end;
                if end == self.records {
                    db.request_flush()?;
                    (self.stage, self.done) = (Stage::Flush, 0);
                }
                self.db = Some(db);
            }
            Stage::Flush => {
                self.random = Random::new(self.seed);
                (self.stage, self.db) = (Stage::Read(0), Some(db));
            }
            Stage::Read(form) => {
                if !self.read(&db, form, bytes)? {
                    self.db = Some(db);
                    return Ok(false);
                }
                // The other form is built of the same file, when it is opened again.
                db.close()?;
                (self.done, self.random) = (0, Random::new(self.seed));
                self.stage = Stage::Read(form + 1);
                if form + 1 == FORMS.len() {
                    self.rows.push(std::mem::take(&mut self.forms));
                    self.storage = Arc::new(MemoryStorage::default());
                    self.stage = Stage::Write;
                    self.turn += 1;
                }
            }
        }
        Ok(false)
    }

    fn position(&self) -> (u64, Option<u64>) {
        let each = self.records + FORMS.len() as u64 * self.reads;
        let done = match self.stage {
            Stage::Write => self.done,
            Stage::Flush => self.records,
            Stage::Read(form) => self.records + form as u64 * self.reads + self.done,
        };
        (self.turn as u64 * each + done, Some(LENGTHS.len() as u64 * each))
    }

    fn report(&mut self, report: &mut LabReport) {
        let columns = [
            column("prefix", "bytes", 0),
            column("exact", "bytes a prefix", 1),
            column("RocksDB, map", "bytes a prefix", 1),
            column("compact", "bytes a prefix", 1),
            column("RocksDB, buckets", "bytes a prefix", 1),
            column("less", "%", 1),
            column("misled", "% of absent", 1),
        ];
        let mut table = LabTable::new("memory and lookups by length of the prefix", columns);
        let mut last = (0.0, 0.0, 0.0);
        for ((bytes, original), [exact, compact, _]) in LENGTHS.iter().zip(&self.rows) {
            let each = |form: &Form| ratio(form.memory, self.records);
            let less = 100.0 * (1.0 - ratio(compact.memory, exact.memory));
            let misled = 100.0 * ratio(compact.misled, self.reads);
            last = (each(compact), less, misled);
            table.row([
                (*bytes as u64).into(),
                each(exact).into(),
                real(*original).into(),
                each(compact).into(),
                BUCKETS.into(),
                less.into(),
                misled.into(),
            ]);
        }
        report.tables.push(table);
        report.tables.push(self.lookups());
        let title = "bytes a prefix, by length of the prefix";
        report.charts.push(LabChart::lines(title, 0, [1, 2, 3, 4]));
        let (bytes, less, misled) = last;
        report.figure(
            "compact, prefixes of 200 bytes",
            (bytes, 1, "bytes a prefix"),
            (Reference::None, Reference::Range("7.7", 7.2, 8.2)),
            "",
        );
        report.figure(
            "memory saved, prefixes of 200 bytes",
            (less, 1, "%"),
            (Reference::Range("97 %", 96.5, 97.5), Reference::Range("97.1", 96.0, 98.0)),
            "",
        );
        report.figure(
            "absent prefixes that still read a block",
            (misled, 1, "%"),
            (Reference::None, Reference::Words("61")),
            "our compact form asks the index of the table about the bucket's blocks before it reads one",
        );
        self.compare_forms(report);
        report.found(format!(
            "The exact form grows with the prefixes, the compact one does not know them: {bytes:.1} bytes \
             a prefix, {less:.1} % less for prefixes of 200 bytes."
        ));
    }
}
