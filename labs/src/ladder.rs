//! `ladder`: the same entries in a table of every step, and in one of the engine.

use super::report::{
    LabCell, LabChart, LabChartKind, LabInfo, LabReport, LabTable, column, growth, parameter,
};
use super::{Experiment, Settings};
use crate::Surroundings;
use crate::generate::{Pairs, Random};
use levelscope::Result;
use levelscope::inspect::{Node, Scope};
use levelscope::storage::{FileName, MemoryStorage};
use levelscope::{Budget, Compression, Db, Maintenance, Options, ReadStop, StepOutcome, WalSync};
use levelscope_formats::ladder::{Step, TableSettings};
use levelscope_formats::{self as formats, Entry, Trail};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) static LADDER: LabInfo = LabInfo {
    id: "ladder",
    title: "The same entries in every step of the ladder, and in a table of the engine",
    question: "What does each step add to the file, and what does it save the reader?",
    words: "[KEY]",
    parameters: &[
        parameter("records", "pairs of words", 600, 10..=100_000),
        parameter("seed", "of the words", 1, 0..=1 << 53),
    ],
    ..LabInfo::PLAIN
};

/// Pairs of one unit.
const GROUP: u64 = 256;

/// The parts of a file.
const PARTS: [&str; 7] =
    ["keys", "values", "lengths, restarts", "compressed", "index", "filter", "checks, footer"];

/// One file, and one search in it.
struct Rung {
    name: String,
    bytes: u64,
    parts: [u64; PARTS.len()],
    /// Reads of the file, bytes of them, comparisons of keys.
    accesses: u64,
    read: u64,
    comparisons: u64,
    way: String,
}

struct Ladder {
    pairs: Pairs,
    records: u64,
    done: u64,
    entries: BTreeMap<Vec<u8>, Vec<u8>>,
    key: Option<Vec<u8>>,
    rungs: Vec<Rung>,
}

pub(super) fn start(settings: &Settings) -> Box<dyn Experiment> {
    Box::new(Ladder {
        pairs: Pairs::Text(Random::new(settings.number("seed"))),
        records: settings.number("records"),
        done: 0,
        entries: BTreeMap::new(),
        key: settings.words.first().map(|word| word.clone().into_bytes()),
        rungs: Vec::new(),
    })
}

/// Adds the bytes of `node` to their part; `part` is that of the nodes above.
fn tally(node: &Node, part: Option<usize>, parts: &mut [u64; PARTS.len()]) {
    let part = part.or(match node.kind {
        "restarts" => Some(2),
        "compressed" => Some(3),
        "index" => Some(4),
        "filter" => Some(5),
        "meta" | "footer" | "trailer" => Some(6),
        _ => None,
    });
    if !node.children.is_empty() {
        node.children.iter().for_each(|child| tally(child, part, parts));
        return;
    }
    let part = part.unwrap_or(match node.kind {
        "key" => 0,
        "value" => 1,
        _ => 2,
    });
    if let Some(bytes) = parts.get_mut(part) {
        *bytes += node.bytes;
    }
}

/// The reads of a search, as `footer 8, index block 154, ...`.
fn way<'a>(accesses: impl Iterator<Item = (&'a str, u64)>) -> String {
    let words: Vec<String> = accesses
        .map(|(what, bytes)| format!("{what} {}", levelscope::text::count(bytes)))
        .collect();
    words.join(", ")
}

impl Ladder {
    fn step_rung(&self, step: Step, key: &[u8]) -> Result<Option<Rung>> {
        let entries: Vec<Entry<'_>> =
            self.entries.iter().map(|(key, value)| Entry::new(key, Some(value))).collect();
        let Some(format) = formats::find(step.id()) else { return Ok(None) };
        let file = TableSettings::new(step).write(&entries)?;
        let mut parts = [0; PARTS.len()];
        tally(&format.annotate("table", &file, Scope::ALL), None, &mut parts);
        let mut trail = Trail::default();
        if let Some(search) = format.info().searches.first() {
            format.explain(&file, key, *search, &mut trail)?;
        }
        Ok(Some(Rung {
            name: step.id().trim_start_matches("ladder-").to_owned(),
            bytes: file.len() as u64,
            parts,
            accesses: trail.accesses.len() as u64,
            read: trail.accesses.iter().map(|access| access.bytes).sum(),
            comparisons: u64::from(trail.comparisons),
            way: way(trail.accesses.iter().map(|access| (access.what, access.bytes))),
        }))
    }

    /// A table of the engine with all entries, and the lookup of `key`.
    fn engine_rung(&self, compression: Compression, key: &[u8]) -> Result<Option<Rung>> {
        let options = Options::default()
            .compression(compression)
            .memtable_bytes(1 << 30)
            .maintenance(Maintenance::Manual)
            .wal_sync(WalSync::None);
        let db = Db::builder().options(options).open_in(Arc::new(MemoryStorage::default()))?;
        for (key, value) in &self.entries {
            db.put(key, value)?;
        }
        db.request_flush()?;
        while db.step(Budget::Phase)? != StepOutcome::Idle {}
        let view = db.view();
        let Some(table) = view.levels.iter().flat_map(|level| &level.tables).next() else {
            return Ok(None);
        };
        let mut parts = [0; PARTS.len()];
        tally(&db.inspect(FileName::Table(table.table))?, None, &mut parts);
        let (mut comparisons, mut reads) = (0, Vec::new());
        for stop in db.explain_get(key, None)?.1.stops {
            if let ReadStop::Table { comparisons: more, blocks, .. } = stop {
                comparisons += u64::from(more);
                reads.extend(blocks.iter().map(|block| u64::from(block.bytes)));
            }
        }
        let name = match compression {
            Compression::None => "engine, plain",
            _ => "engine",
        };
        Ok(Some(Rung {
            name: name.to_owned(),
            bytes: table.bytes,
            parts,
            accesses: reads.len() as u64,
            read: reads.iter().sum(),
            comparisons,
            way: way(reads.iter().map(|bytes| ("data block", *bytes))),
        }))
    }
}

impl Experiment for Ladder {
    fn step(&mut self, _: &dyn Surroundings) -> Result<bool> {
        if self.done < self.records {
            let end = (self.done + GROUP).min(self.records);
            for number in self.done..end {
                let (key, value) = self.pairs.pair(number);
                self.entries.insert(key, value);
            }
            self.done = end;
            return Ok(false);
        }
        let middle = self.entries.len() / 2;
        let key = match &self.key {
            Some(key) => key.clone(),
            None => self.entries.keys().nth(middle).cloned().unwrap_or_default(),
        };
        let at = self.rungs.len();
        let rung = match Step::ALL.get(at) {
            Some(step) => self.step_rung(*step, &key)?,
            None if at == Step::ALL.len() => self.engine_rung(Compression::None, &key)?,
            None => self.engine_rung(Compression::Snappy, &key)?,
        };
        self.key = Some(key);
        self.rungs.extend(rung);
        Ok(self.rungs.len() <= at || self.rungs.len() == Step::ALL.len() + 2)
    }

    fn position(&self) -> (u64, Option<u64>) {
        (self.done, Some(self.records))
    }

    fn report(&mut self, report: &mut LabReport) {
        let mut columns = vec![column("step", "", 0), column("file", "bytes", 0)];
        columns.extend(PARTS.map(|part| column(part, "bytes", 0)));
        let mut table = LabTable::new("bytes of the file, by what they are for", columns);
        let columns = [
            column("step", "", 0),
            column("accesses", "", 0),
            column("read", "bytes", 0),
            column("comparisons", "", 0),
            column("way", "what and bytes", 0),
        ];
        let (key, _) = levelscope::text::escape_some(self.key.as_deref().unwrap_or_default(), 40);
        let mut search = LabTable::new(format!("one search for {key}"), columns);
        for rung in &self.rungs {
            let mut row: Vec<LabCell> = vec![rung.name.clone().into(), rung.bytes.into()];
            row.extend(rung.parts.map(LabCell::from));
            table.row(row);
            search.row([
                rung.name.clone().into(),
                rung.accesses.into(),
                rung.read.into(),
                rung.comparisons.into(),
                rung.way.clone().into(),
            ]);
        }
        report.tables.extend([table, search]);
        let parts: Vec<usize> = (2..PARTS.len() + 2).collect();
        let kind = LabChartKind::Stacked;
        report.charts.push(LabChart::new(kind, "bytes by what they are for", 0, parts));
        report.charts.push(LabChart::bars("comparisons of one search", 1, [3]));
        report.charts.push(LabChart::bars("bytes read by one search", 1, [2]));
        if let [.., snappy, raw, plain, engine] = self.rungs.as_slice() {
            report.found(format!(
                "Without compression the engine's table is {} incremental-raw, with compression it is {} \
                 incremental: it adds sequence numbers, a checksum for each block, a filter and properties. \
                 Its index and filter are read once, when it is opened, so a search reads one block.",
                larger(growth(raw.bytes, plain.bytes)),
                larger(growth(snappy.bytes, engine.bytes))
            ));
        }
    }
}

/// A growth in percent as words: `9.1 % smaller than`.
fn larger(percent: f64) -> String {
    let word = if percent < 0.0 { "smaller" } else { "larger" };
    format!("{:.1} % {word} than", percent.abs())
}
