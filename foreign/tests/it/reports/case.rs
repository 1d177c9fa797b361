//! A fixture with all evidence, and its description.

use crate::common::Fixture;
use levelscope_foreign::directory::tables::file_name;
use levelscope_foreign::directory::{Checked, Directory, Logs};
use levelscope_foreign::events::{Events, Log};
use levelscope_foreign::manifest::Manifest;
use levelscope_foreign::options::OptionsFile;
use levelscope_foreign::report::{Cell, Evidence, Question, Report, Shares, answer};
use levelscope_foreign::{CountedFiles, Problem, TableSummary, table};
use serde_json::Value;
use std::collections::BTreeMap;

/// A fixture, read as far as it can be.
pub(crate) struct Read {
    pub(crate) fixture: Fixture,
    pub(crate) manifest: Manifest,
    pub(crate) options: Option<OptionsFile>,
    pub(crate) events: Option<Events>,
    pub(crate) summaries: BTreeMap<u64, TableSummary>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) shares: Shares,
    pub(crate) logs: Logs,
}

pub(crate) fn case(name: &str) -> Read {
    read_files(crate::common::fixture(name))
}

pub(crate) fn read_files(fixture: Fixture) -> Read {
    let engine = crate::common::engine_of(&fixture.json);
    let files = &fixture.files;
    let manifest = fixture.json["manifest"]["name"].as_str().unwrap();
    let manifest = Manifest::open(files, manifest, engine).unwrap();
    let options = OptionsFile::read(files).unwrap();
    let has_log = !Log::names(files).is_empty();
    let events = has_log.then(|| Log::read(files));
    let mut summaries = BTreeMap::new();
    let counted = CountedFiles::new(files);
    let problems = Directory::open(&counted).unwrap().findings();
    let shares = Shares::of(manifest.last());
    let logs = Logs::read(files, manifest.last(), false).unwrap();
    for family in manifest.last().families.values() {
        for file in family.levels.values().flatten() {
            let name = file_name(files, engine, file.backing);
            if let Ok(table) = table::open(files, &name, engine, family.comparator) {
                summaries.insert(file.backing, table.summary().clone());
            }
        }
    }
    Read { fixture, manifest, options, events, summaries, problems, shares, logs }
}

impl Read {
    pub(crate) fn evidence(&self) -> Evidence<'_> {
        Evidence {
            files: &self.fixture.files,
            manifest: Some(&self.manifest),
            state: self.manifest.last(),
            options: self.options.as_ref(),
            events: self.events.as_ref(),
            summaries: &self.summaries,
            shares: &self.shares,
            logs: Some(&self.logs),
            checked: Checked::default(),
            problems: &self.problems,
        }
    }

    /// With less evidence.
    pub(crate) fn without<'a>(
        &'a self,
        take: impl FnOnce(&mut Evidence<'a>),
        question: Question,
    ) -> Report {
        let mut evidence = self.evidence();
        take(&mut evidence);
        answer(question, &evidence, None)
    }

    pub(crate) fn answer(&self, question: Question) -> Report {
        answer(question, &self.evidence(), None)
    }
}

/// The tables of the description: family, level, table.
pub(crate) fn described(read: &Read) -> Vec<(String, u64, &Value)> {
    let mut found = Vec::new();
    for family in read.fixture.json["column_families"].as_array().unwrap() {
        let name = family["name"].as_str().unwrap();
        for level in family["levels"].as_array().unwrap() {
            for file in level["files"].as_array().unwrap() {
                found.push((name.to_owned(), level["level"].as_u64().unwrap(), file));
            }
        }
    }
    found
}

pub(crate) fn sum(read: &Read, field: &str) -> u64 {
    described(read).iter().map(|(_, _, file)| file[field].as_u64().unwrap()).sum()
}

/// Replays the described edits: after each one, the tables of level 0 of family 0, and the bytes of all tables.
pub(crate) fn replayed(read: &Read) -> Vec<(u64, u64)> {
    let mut tables: BTreeMap<(u64, u64, u64), u64> = BTreeMap::new();
    let mut found = Vec::new();
    for edit in read.fixture.json["manifest"]["history"].as_array().unwrap() {
        let family = edit["cf"].as_u64().unwrap_or(0);
        for gone in edit["del"].as_array().into_iter().flatten() {
            tables.remove(&(family, gone[0].as_u64().unwrap(), gone[1].as_u64().unwrap()));
        }
        for added in edit["add"].as_array().into_iter().flatten() {
            let number = |place: usize| added[place].as_u64().unwrap();
            tables.insert((family, number(0), number(1)), number(2));
        }
        let level0 = tables.keys().filter(|key| key.0 == 0 && key.1 == 0).count() as u64;
        found.push((level0, tables.values().sum()));
    }
    found
}

pub(crate) fn figure(report: &Report, label: &str) -> u64 {
    match report.figure_named(label) {
        Some(Cell::Number(number)) => *number,
        other => panic!("{label} is {other:?} in {:?}", report.figures),
    }
}

pub(crate) fn word(report: &Report, label: &str) -> String {
    match report.figure_named(label) {
        Some(Cell::Text(text)) => text.clone(),
        other => panic!("{label} is {other:?}"),
    }
}

pub(crate) fn decimal(report: &Report, label: &str) -> f64 {
    match report.figure_named(label) {
        Some(Cell::Decimal(number)) => *number,
        other => panic!("{label} is {other:?}"),
    }
}
