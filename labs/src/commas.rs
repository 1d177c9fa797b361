//! L16: a log of comma-separated values beside a binary one, when a key has a comma.

use super::report::{LabChart, LabInfo, LabReport, LabTable, column, parameter, ratio, real};
use super::{Experiment, Reference, Settings};
use crate::Surroundings;
use levelscope::Result;
use levelscope::storage::MemoryStorage;
use levelscope_formats::kvdb::{Store, StoreSettings};

pub(super) static L16: LabInfo = LabInfo {
    id: "L16",
    title: "A text log and a binary log, with a comma in a key",
    question: "What do a log of comma-separated values and a binary log answer when keys have commas?",
    claim: "after Put(\"key2, value\", \"actualValue\") a text log gives \"value\" for the key \"key2\", which \
            was never written; a binary format has no such trouble",
    source: Some(
        super::logs::SOURCE.at("sections \"Storage format\" and \"Binary storage format\""),
    ),
    parameters: &[parameter(
        "records",
        "keys written; every tenth has a comma",
        1_000,
        10..=20_000,
    )],
    ..LabInfo::PLAIN
};

pub(super) fn start_l16(settings: &Settings) -> Box<dyn Experiment> {
    Box::new(Commas {
        records: settings.number("records"),
        done: 0,
        asked: 0,
        text: TextLog::default(),
        storage: MemoryStorage::new(),
        binary: None,
        kinds: [Kind::default(); 3],
    })
}

/// Records of one unit.
const GROUP: u64 = 64;

/// The log as the text describes it: `tombstone, key, value`, one record a line; the last one counts.
#[derive(Default)]
struct TextLog(String);

impl TextLog {
    fn put(&mut self, key: &str, value: &str) {
        for part in [", ", key, ", ", value, "\n"] {
            self.0.push_str(part);
        }
    }

    /// Splits every line at its commas, as there is nothing else to split it at.
    fn get(&self, key: &str) -> Option<&str> {
        let mut found = None;
        for line in self.0.lines() {
            let mut fields = line.split(',').map(str::trim);
            let (tombstone, name, value) = (fields.next(), fields.next(), fields.next());
            if name == Some(key) {
                found = value.filter(|_| tombstone != Some("x"));
            }
        }
        found
    }
}

/// Keys of one kind, and how often each log returned the written value.
#[derive(Clone, Copy, Default)]
struct Kind {
    asked: u64,
    text: u64,
    binary: u64,
}

struct Commas {
    records: u64,
    done: u64,
    asked: u64,
    text: TextLog,
    storage: MemoryStorage,
    binary: Option<Store>,
    /// Without a comma, with one, and the part before the comma, which was never written.
    kinds: [Kind; 3],
}

/// Key number `number`.
fn key(number: u64) -> String {
    if number % 10 == 2 { format!("key{number}, value") } else { format!("key{number}") }
}

fn value(number: u64) -> String {
    format!("actualValue{number}")
}

impl Commas {
    /// Gets `key`, whose value is `written`, from both logs.
    fn ask(&mut self, kind: usize, key: &str, written: Option<&str>) -> Result<()> {
        let Some(binary) = &self.binary else { return Ok(()) };
        let stored = binary.get(key.as_bytes())?;
        let Some(kind) = self.kinds.get_mut(kind) else { return Ok(()) };
        kind.asked += 1;
        kind.text += u64::from(self.text.get(key) == written);
        kind.binary += u64::from(stored.as_deref() == written.map(str::as_bytes));
        Ok(())
    }
}

impl Experiment for Commas {
    fn step(&mut self, _: &dyn Surroundings) -> Result<bool> {
        let Some(store) = &mut self.binary else {
            let settings = StoreSettings { sync: false, ..StoreSettings::default() };
            self.binary = Some(Store::open(&self.storage, settings)?);
            return Ok(false);
        };
        if self.done < self.records {
            let end = (self.done + GROUP).min(self.records);
            for number in self.done..end {
                let (key, value) = (key(number), value(number));
                self.text.put(&key, &value);
                store.put(key.as_bytes(), value.as_bytes())?;
            }
            self.done = end;
            return Ok(false);
        }
        let number = self.asked;
        let (key, value) = (key(number), value(number));
        match key.split_once(',') {
            None => self.ask(0, &key, Some(&value))?,
            Some((before, _)) => {
                self.ask(1, &key, Some(&value))?;
                self.ask(2, before, None)?;
            }
        }
        self.asked += 1;
        Ok(self.asked >= self.records)
    }

    fn position(&self) -> (u64, Option<u64>) {
        (self.done + self.asked, Some(2 * self.records))
    }

    fn report(&mut self, report: &mut LabReport) {
        let columns = [
            column("a Get of", "", 0),
            column("asked", "", 0),
            column("right, text log", "", 0),
            column("right, binary log", "", 0),
        ];
        let mut table = LabTable::new("answers that are what was written", columns);
        let names = ["a key without a comma", "a key with a comma", "what stands before the comma"];
        for (name, kind) in names.into_iter().zip(self.kinds) {
            table.row([name.into(), kind.asked.into(), kind.text.into(), kind.binary.into()]);
        }
        report.tables.push(table);
        let text_bytes = self.text.0.len() as u64;
        let binary_bytes = self.binary.as_ref().map_or(0, Store::bytes);
        let columns =
            [column("log", "", 0), column("length", "bytes", 0), column("a record", "bytes", 1)];
        let mut table = LabTable::new("the logs", columns);
        for (name, bytes) in [("text", text_bytes), ("binary", binary_bytes)] {
            table.row([name.into(), bytes.into(), ratio(bytes, self.records).into()]);
        }
        report.tables.push(table);
        let title = "answers that are what was written";
        report.charts.push(LabChart::bars(title, 0, [2, 3]));
        let [_, _, before] = self.kinds;
        let wrong = |right: fn(&Kind) -> u64| -> u64 {
            self.kinds.iter().map(|kind| kind.asked - right(kind)).sum()
        };
        let made_up = before.asked - before.text;
        report.judged_figure(
            "keys never written for which the text log has a value",
            (100.0 * ratio(made_up, before.asked), 0, "%"),
            (Reference::Range("it has one", 100.0, 100.0), Reference::None),
            true,
            "the text has no program of this, only the example",
        );
        report.judged_figure(
            "wrong answers of the binary log",
            (real(wrong(|kind| kind.binary)), 0, ""),
            (Reference::Range("none", 0.0, 0.0), Reference::None),
            true,
            "",
        );
        report.found(format!(
            "The text log gives {} wrong answers: it splits a key at its comma, finds no key that has one, and \
             makes up a value for what stands before it. The binary log stores lengths and gives {}.",
            wrong(|kind| kind.text),
            wrong(|kind| kind.binary)
        ));
        report.found(format!(
            "A header of 13 bytes with lengths and a checksum makes a record {:.1} bytes long instead of {:.1}.",
            ratio(binary_bytes, self.records),
            ratio(text_bytes, self.records)
        ));
    }
}
