//! The ten reports on fixtures, with sentences and figures compared with values that are counted another way.

#![allow(clippy::unwrap_used, reason = "tests fail where fixtures are odd")]

mod fixtures;

use fixtures::Fixture;
use levelscope_foreign::events::{Events, Log};
use levelscope_foreign::manifest::Manifest;
use levelscope_foreign::options::OptionsFile;
use levelscope_foreign::report::{Cell, Evidence, Focus, Question, Report, answer};
use levelscope_foreign::{Files, MemoryFiles, Problem, State, TableSummary, table};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A fixture, read as far as it can be.
struct Read {
    fixture: Fixture,
    manifest: Manifest,
    options: Option<OptionsFile>,
    events: Option<Events>,
    summaries: BTreeMap<u64, TableSummary>,
    problems: Vec<Problem>,
}

fn read(name: &str) -> Read {
    read_files(fixtures::one(name))
}

fn read_files(fixture: Fixture) -> Read {
    let engine = fixtures::engine_of(&fixture.json);
    let files = &fixture.files;
    let manifest = fixture.json["manifest"]["name"].as_str().unwrap();
    let manifest = Manifest::open(files, manifest, engine).unwrap();
    let options = OptionsFile::read(files).unwrap();
    let has_log = !Log::names(files).is_empty();
    let events = has_log.then(|| Log::read(files));
    let mut summaries = BTreeMap::new();
    let mut problems = manifest.problems().to_vec();
    for family in manifest.last().families.values() {
        for file in family.levels.values().flatten() {
            let name = file.file_name();
            match table::open(files, &name, engine, family.comparator) {
                Ok(table) => {
                    summaries.insert(file.backing, table.summary().clone());
                }
                Err(error) => problems.push(Problem::of(&error, &name)),
            }
        }
    }
    Read { fixture, manifest, options, events, summaries, problems }
}

impl Read {
    fn evidence(&self) -> Evidence<'_> {
        Evidence {
            files: &self.fixture.files,
            manifest: Some(&self.manifest),
            state: self.manifest.last(),
            options: self.options.as_ref(),
            events: self.events.as_ref(),
            summaries: &self.summaries,
            problems: &self.problems,
        }
    }

    fn answer(&self, question: Question) -> Report {
        answer(question, &self.evidence(), None)
    }
}

#[test]
fn print() {
    for name in std::env::var("FIXTURES").unwrap_or_default().split_whitespace() {
        let read = read(name);
        println!("\n== {name}");
        for question in Question::ALL {
            let report = read.answer(question);
            println!("{}: {}", report.id, report.answer);
            for missing in &report.missing {
                println!("      - {missing}");
            }
        }
    }
}
