//! L15: how many tables a small memtable makes.

use super::report::{LabChart, LabChartKind, LabInfo, LabParameter, LabTable, column, real};
use super::{Lab, LabReport, Settings};
use crate::session::Host;
use crate::task::Stop;

pub(super) static L15: LabInfo = LabInfo {
    id: "L15",
    title: "FroopyDB: the size of the memtable and the number of tables",
    question: "How many tables does a small memtable leave behind, and how far is the way to a key then?",
    claim: "1,657 tables with a memtable of 1 KiB; a Get takes 263 us, and 2.3 us after filters, \
            binary search and mapped files",
    source: "FroopyDB, benchmark notes",
    original: "exactly 1,657 tables at 1 KiB, 103 at 16 KiB, 25 at 64 KiB; a Get takes 116.4, 19.0 and 6.5 us",
    words: "",
    usual_words: "",
    parameters: &[LabParameter {
        name: "records",
        meaning: "keys written: the numbers from 0 on, each with the value `load`",
        default: 100_000,
        min: 100,
        max: 10_000_000,
    }],
    timed: false,
    start,
};

/// Bytes of the time stamp behind each key.
const STAMP_BYTES: u64 = 8;
/// Bytes of each value.
const VALUE_BYTES: u64 = 4;
/// Keys that one unit accounts for.
const GROUP: u64 = 10_000;

/// One size of the memtable.
struct Memtable {
    limit: u64,
    original: Option<(u64, &'static str)>,
    bytes: u64,
    tables: u64,
}

struct Froopy {
    records: u64,
    done: u64,
    memtables: Vec<Memtable>,
}

fn start(settings: &Settings) -> Box<dyn Lab> {
    let sizes = [
        (1, Some((1657, "1,657"))),
        (4, None),
        (16, Some((103, "103"))),
        (64, Some((25, "25"))),
        (1024, None),
    ];
    let memtables = sizes
        .map(|(kib, original)| Memtable { limit: kib << 10, original, bytes: 0, tables: 0 })
        .into();
    Box::new(Froopy { records: settings.number("records"), done: 0, memtables })
}

impl Lab for Froopy {
    fn step(&mut self, _: &dyn Host) -> Result<bool, Stop> {
        let end = (self.done + GROUP).min(self.records);
        for number in self.done..end {
            let digits = u64::from(number.checked_ilog10().unwrap_or(0)) + 1;
            let bytes = digits + STAMP_BYTES + VALUE_BYTES;
            for memtable in &mut self.memtables {
                // It is full when the entry would reach the limit, not when it would exceed it.
                if memtable.bytes + bytes >= memtable.limit {
                    memtable.tables += 1;
                    memtable.bytes = 0;
                }
                memtable.bytes += bytes;
            }
        }
        self.done = end;
        Ok(end == self.records)
    }

    fn position(&self) -> (u64, Option<u64>) {
        (self.done, Some(self.records))
    }

    fn tell(&mut self, report: &mut LabReport) {
        let columns = [
            column("memtable", "bytes", 0),
            column("tables", "", 0),
            column("keys a table", "", 0),
        ];
        let mut table = LabTable::new("tables by size of the memtable", columns);
        for memtable in &self.memtables {
            let flushed = self.records / memtable.tables.max(1);
            table.row([memtable.limit.into(), memtable.tables.into(), flushed.into()]);
            let Some((original, words)) = memtable.original else { continue };
            report.figure(
                format!("tables with a memtable of {} KiB", memtable.limit >> 10),
                (real(memtable.tables), 0, ""),
                (if original == 1657 { "1,657" } else { "" }, words),
                Some((real(original), real(original))),
                "",
            );
        }
        report.tables.push(table);
        report.charts.push(
            LabChart::new(LabChartKind::Lines, "tables by size of the memtable", 0, 0, [1])
                .logarithmic(true, true),
        );
        report.found(
            "A memtable of a quarter of the size leaves four times as many tables, and without \
             compaction a Get may have to ask each of them.",
        );
    }
}
