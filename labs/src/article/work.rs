//! The data of the article in tables of some steps, and searches in them.

use crate::Surroundings;
use crate::generate::{Pairs, Random};
use crate::report::{LabCell, LabReport, LabTable, column, ratio, times};
use crate::{Experiment, Settings};
use levelscope::Result;
use levelscope_formats::ladder::{Layout, MemtableLimits, Memtables, Step, TableSettings, layout};
use levelscope_formats::{self as formats, SearchMethod, Trail};

/// Records or searches of one unit.
const GROUP: u64 = 64;
/// Keys that are drawn of the newest table.
const RANDOM_KEYS: usize = 32;

/// Which key is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SoughtKey {
    NewestFirst,
    NewestMiddle,
    NewestLast,
    /// Keys drawn at random.
    NewestAny,
    OldestLast,
    /// Keys of all tables.
    Any,
}

impl SoughtKey {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::NewestFirst => "first key of the newest",
            Self::NewestMiddle => "middle key of the newest",
            Self::NewestLast => "last key of the newest",
            Self::NewestAny => "random keys of the newest",
            Self::OldestLast => "last key of the oldest",
            Self::Any => "keys of all tables",
        }
    }
}

/// Searches of one kind.
#[derive(Debug, Clone)]
pub(super) struct SearchGroup {
    pub(super) place: SoughtKey,
    /// Which of the files of each table.
    pub(super) step: usize,
    pub(super) method: SearchMethod,
    keys: Vec<Vec<u8>>,
    pub(super) accesses: u64,
    bytes: u64,
    pub(super) comparisons: u64,
    done: u64,
    nanos: u64,
}

impl SearchGroup {
    pub(super) fn each(&self, part: u64) -> f64 {
        ratio(part, self.keys.len() as u64)
    }

    pub(super) fn micros(&self) -> f64 {
        ratio(self.nanos, self.done) / 1000.0
    }
}

/// A lab at work.
pub(super) struct Article {
    pairs: Pairs,
    seed: u64,
    records: u64,
    done: u64,
    reads: u64,
    pub(super) memtables: Memtables,
    steps: &'static [Step],
    /// For each table, the oldest first, its file in each of the steps.
    pub(super) files: Vec<Vec<Vec<u8>>>,
    /// Of the same files.
    pub(super) layouts: Vec<Vec<Layout>>,
    pub(super) asked: Vec<SearchGroup>,
    /// Which of them is at work.
    asking: usize,
    report: fn(&Article, &mut LabReport),
}

impl Article {
    pub(super) fn begin(
        settings: &Settings,
        limits: MemtableLimits,
        steps: &'static [Step],
        asked: Vec<(SoughtKey, usize, SearchMethod)>,
        report: fn(&Article, &mut LabReport),
    ) -> Box<dyn Experiment> {
        let asked = asked.into_iter().map(|(place, step, method)| SearchGroup {
            place,
            step,
            method,
            keys: Vec::new(),
            accesses: 0,
            bytes: 0,
            comparisons: 0,
            done: 0,
            nanos: 0,
        });
        Box::new(Self {
            pairs: Pairs::Text(Random::new(settings.number("seed"))),
            seed: settings.number("seed"),
            records: settings.number("records"),
            done: 0,
            reads: settings.number("reads"),
            memtables: Memtables::new(limits),
            steps,
            files: Vec::new(),
            layouts: Vec::new(),
            asked: asked.collect(),
            asking: 0,
            report,
        })
    }

    /// Writes the next table in every step; whether there was one.
    fn write_table(&mut self) -> Result<bool> {
        let Some(entries) = self.memtables.tables().get(self.files.len()) else {
            return Ok(false);
        };
        let (mut files, mut layouts) = (Vec::new(), Vec::new());
        for step in self.steps {
            let file = TableSettings::new(*step).write(entries)?;
            layouts.push(layout(*step, &file)?);
            files.push(file);
        }
        self.files.push(files);
        self.layouts.push(layouts);
        Ok(true)
    }

    /// The keys that are looked for at `place`.
    fn keys(&self, place: SoughtKey) -> Vec<Vec<u8>> {
        let tables = self.memtables.tables();
        let one = |table: Option<&Vec<_>>, part: usize| {
            let entry = |table: &Vec<formats::Entry<'_>>| {
                // The middle is where a binary search looks first.
                let place = (table.len() * part / 2).min(table.len().saturating_sub(1));
                table.get(place).map(|entry| entry.key.to_vec())
            };
            table.and_then(entry).into_iter().collect()
        };
        match place {
            SoughtKey::NewestFirst => one(tables.last(), 0),
            SoughtKey::NewestMiddle => one(tables.last(), 1),
            SoughtKey::NewestLast => one(tables.last(), 2),
            SoughtKey::NewestAny => {
                let mut random = Random::new(self.seed);
                let count = tables.last().map_or(0, Vec::len);
                let drawn = (0..RANDOM_KEYS).filter_map(|_| {
                    let place = random.below(count.max(1));
                    tables.last().and_then(|table| table.get(place))
                });
                drawn.map(|entry| entry.key.to_vec()).collect()
            }
            SoughtKey::OldestLast => one(tables.first(), 2),
            SoughtKey::Any => {
                let entries = tables.iter().flatten();
                entries.step_by(7).map(|entry| entry.key.to_vec()).collect()
            }
        }
    }

    /// Looks for `key` in one table after the other, the newest first, until it is found.
    fn look(
        &self,
        (step, method): (usize, SearchMethod),
        key: &[u8],
        mut record: impl FnMut(Trail),
        explained: bool,
    ) -> Result<()> {
        let Some(format) = self.steps.get(step).and_then(|step| formats::find(step.id())) else {
            return Ok(());
        };
        for file in self.files.iter().rev().filter_map(|files| files.get(step)) {
            let found = if explained {
                let mut trail = Trail::default();
                let found = format.explain(file, key, method, &mut trail)?.is_some();
                record(trail);
                found
            } else {
                format.get(file, key, method)?.is_some()
            };
            if found {
                break;
            }
        }
        Ok(())
    }

    /// A group of searches; whether there are more.
    fn search(&mut self, clock: &dyn Fn() -> u64) -> Result<bool> {
        let Some(asked) = self.asked.get(self.asking) else { return Ok(false) };
        let mut asked = asked.clone();
        let how = (asked.step, asked.method);
        if asked.keys.is_empty() {
            asked.keys = self.keys(asked.place);
            for key in &asked.keys {
                let record = |trail: Trail| {
                    asked.accesses += trail.accesses.len() as u64;
                    let bytes = trail.accesses.iter().map(|access| access.bytes);
                    asked.bytes += bytes.sum::<u64>();
                    asked.comparisons += u64::from(trail.comparisons);
                };
                self.look(how, key, record, true)?;
            }
        }
        let end = (asked.done + GROUP).min(self.reads);
        let start = clock();
        for turn in asked.done..end {
            let place = usize::try_from(turn).unwrap_or(0) % asked.keys.len().max(1);
            let Some(key) = asked.keys.get(place) else { break };
            self.look(how, key, |_| (), false)?;
        }
        asked.nanos += clock().saturating_sub(start);
        asked.done = end;
        if let Some(place) = self.asked.get_mut(self.asking) {
            *place = asked;
        }
        self.asking += usize::from(end == self.reads);
        Ok(self.asking < self.asked.len())
    }

    /// Bytes of all files of a step.
    pub(super) fn total(&self, step: usize) -> u64 {
        let files = self.files.iter().filter_map(|files| files.get(step));
        files.map(|file| file.len() as u64).sum()
    }

    /// Bytes of the indexes of all files of a step.
    pub(super) fn index_total(&self, step: usize) -> u64 {
        self.layouts
            .iter()
            .filter_map(|layouts| layouts.get(step))
            .map(|part| part.index_bytes)
            .sum()
    }

    /// The table of the files, a column a step, and their sum in the last row.
    pub(super) fn sizes(&self, names: &[&str]) -> LabTable {
        let mut columns = vec![column("table", "", 0), column("entries", "", 0)];
        columns.extend(names.iter().map(|name| column(*name, "bytes", 0)));
        let mut table = LabTable::new("files", columns);
        let mut all = 0;
        for (number, (files, entries)) in self.files.iter().zip(self.memtables.tables()).enumerate()
        {
            all += entries.len() as u64;
            let mut row =
                vec![(number as u64 + 1).to_string().into(), (entries.len() as u64).into()];
            row.extend(files.iter().map(|file| (file.len() as u64).into()));
            table.row(row);
        }
        let mut row = vec!["all".into(), all.into()];
        row.extend((0..self.steps.len()).map(|step| self.total(step).into()));
        table.row(row);
        table
    }

    /// The searches for `place` with `method`.
    pub(super) fn asked(&self, place: SoughtKey, method: SearchMethod) -> Option<&SearchGroup> {
        self.asked.iter().find(|asked| asked.place == place && asked.method == method)
    }

    /// The table of the searches: a row for each key, and for each figure a column for each way to
    /// search. Column `1 + q * ways + w` has figure `q` of way `w`; the figures are accesses, bytes,
    /// comparisons and time.
    pub(super) fn searches(&self, named: impl Fn(&SearchGroup) -> &'static str) -> LabTable {
        let mut ways: Vec<&str> = Vec::new();
        let mut places: Vec<SoughtKey> = Vec::new();
        for asked in &self.asked {
            if !ways.contains(&named(asked)) {
                ways.push(named(asked));
            }
            if !places.contains(&asked.place) {
                places.push(asked.place);
            }
        }
        let mut columns = vec![column("key", "", 0)];
        for (figure, unit, digits) in
            [("accesses", "", 2), ("read", "bytes", 0), ("comparisons", "", 1)]
        {
            columns.extend(ways.iter().map(|way| column(format!("{figure}, {way}"), unit, digits)));
        }
        columns.extend(ways.iter().map(|way| times(format!("time, {way}"), "µs")));
        let mut table = LabTable::new("one lookup", columns);
        for place in places {
            let mut row: Vec<LabCell> = vec![place.name().into()];
            let figures: [fn(&SearchGroup) -> f64; 4] = [
                |asked| asked.each(asked.accesses),
                |asked| asked.each(asked.bytes),
                |asked| asked.each(asked.comparisons),
                SearchGroup::micros,
            ];
            for figure in figures {
                row.extend(ways.iter().map(|way| {
                    let of = |asked: &&SearchGroup| asked.place == place && named(asked) == *way;
                    self.asked.iter().find(of).map_or(LabCell::Empty, |asked| figure(asked).into())
                }));
            }
            table.row(row);
        }
        table
    }
}

impl Experiment for Article {
    fn step(&mut self, around: &dyn Surroundings) -> Result<bool> {
        if self.done < self.records {
            let end = (self.done + GROUP).min(self.records);
            for number in self.done..end {
                let (key, value) = self.pairs.pair(number);
                self.memtables.write(&key, Some(&value));
            }
            self.done = end;
            return Ok(false);
        }
        if self.write_table()? {
            return Ok(false);
        }
        Ok(!self.search(&|| around.clock_nanos().unwrap_or_default())?)
    }

    fn position(&self) -> (u64, Option<u64>) {
        let asked: u64 = self.asked.iter().map(|asked| asked.done).sum();
        (self.done + asked, Some(self.records + self.reads * self.asked.len() as u64))
    }

    fn report(&mut self, report: &mut LabReport) {
        (self.report)(self, report);
    }
}
