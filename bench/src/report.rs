//! Medians over the rounds, and the tables on the terminal.

use crate::bounds::Bounds;
use crate::child::Row;
use crate::engine::Known;
use crate::ratio::{Ratio, ratios};
use crate::settings::Settings;
use crate::workload::WORKLOADS;
use serde::Serialize;
use std::fmt::Write as _;

/// The results of a run, as `--json` writes them.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The machine.
    pub machine: Machine,
    /// What the machine takes for work that no engine can avoid.
    pub bounds: Bounds,
    /// The settings.
    pub settings: Settings,
    /// The engines, Levelscope first.
    pub engines: Vec<EngineInfo>,
    /// Medians, one for each workload and engine.
    pub medians: Vec<Median>,
    /// Levelscope compared with the fastest other engine, one for each workload.
    pub ratios: Vec<Ratio>,
    /// Every single measurement.
    pub rows: Vec<Row>,
}

/// The machine that the figures depend on.
#[derive(Debug, Serialize)]
pub struct Machine {
    /// Name of the processor.
    pub processor: String,
    /// Processor cores.
    pub cores: usize,
    /// Memory \[bytes\].
    pub memory: u64,
    /// Operating system.
    pub system: String,
    /// Programs that wanted a core in the minute before the run began.
    pub load: f64,
    /// Cores that other programs and other machines on the same processor used during the run, on average.
    pub disturbance: f64,
}

/// An engine of the run.
#[derive(Debug, Serialize)]
pub struct EngineInfo {
    name: &'static str,
    title: &'static str,
    version: String,
    differs: &'static str,
}

/// Medians of one workload on one engine.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Median {
    pub workload: &'static str,
    purpose: &'static str,
    pub engine: &'static str,
    /// Operations a second.
    pub per_second: f64,
    /// The smallest and the largest of the rounds.
    range: [f64; 2],
    /// Operations a second when the time until the database is settled counts as well.
    per_second_settled: f64,
    /// Processor time of the measuring thread \[microseconds an operation\].
    pub thread_micros: f64,
    /// Processor time of all threads until the database is settled \[microseconds an operation\].
    pub process_micros: f64,
    percentiles: Option<[f64; 3]>,
    write_amplification: f64,
    disk_per_data: f64,
    written_bytes: f64,
    disk_bytes: f64,
    peak_bytes: f64,
}

impl Machine {
    /// The machine this runs on.
    pub fn here() -> Self {
        let first = |file: &str, label: &str| {
            let text = std::fs::read_to_string(file).unwrap_or_default();
            let line = text.lines().find(|line| line.starts_with(label)).map(str::to_owned);
            line.and_then(|line| {
                Some(line.split_once([':', '='])?.1.trim().trim_matches('"').to_owned())
            })
            .unwrap_or_default()
        };
        let memory = first("/proc/meminfo", "MemTotal");
        Self {
            processor: first("/proc/cpuinfo", "model name"),
            cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            memory: memory.split(' ').next().and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0)
                << 10,
            system: first("/etc/os-release", "PRETTY_NAME"),
            load: load(),
            disturbance: 0.0,
        }
    }
}

fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(0.0)
}

impl Report {
    /// Sums `rows` up.
    pub fn new(
        machine: Machine,
        bounds: Bounds,
        settings: Settings,
        engines: &[Known],
        rows: Vec<Row>,
    ) -> Self {
        let names: Vec<_> = engines.iter().map(|known| known.name).collect();
        let medians = medians(&settings, &names, &rows);
        let ratios = ratios(&settings, &names, &rows);
        let info = |known: &Known| EngineInfo {
            name: known.name,
            title: known.title,
            version: known.version(),
            differs: known.differs,
        };
        let engines = engines.iter().map(info).collect();
        Self { machine, bounds, settings, engines, medians, ratios, rows }
    }

    /// The tables for the terminal.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let titles: Vec<String> =
            self.engines.iter().map(|e| format!("{} {}", e.title, e.version)).collect();
        self.speed_table(&mut text, &titles);
        self.cost_table(&mut text);
        text
    }

    fn speed_table(&self, text: &mut String, titles: &[String]) {
        let _ = writeln!(
            text,
            "\nThousand operations a second, medians (in brackets: microseconds of processor time an \
             operation,\nmeasuring thread / all threads until settled). Ratios: Levelscope ÷ the best other, in wall time \
             and in\nprocessor time of all threads (steadier on a busy machine); above 1 Levelscope is faster. \
             Swing: by how much\nleaving out one round changes a ratio at most.\n"
        );
        let _ = write!(text, "{:<23}", "workload");
        for title in titles {
            let _ = write!(text, "{title:>28}");
        }
        let _ = writeln!(text, "{:>8}{:>8}{:>8}", "wall", "cpu", "swing");
        for workload in WORKLOADS {
            let found = self.of(workload.name);
            if found.is_empty() {
                continue;
            }
            let _ = write!(text, "{:<23}", workload.name);
            for engine in &self.engines {
                let cell = found.iter().find(|m| m.engine == engine.name).map_or("-".into(), |m| {
                    let (thread, process) = (m.thread_micros, m.process_micros);
                    format!("{} [{thread:.2} /{process:6.2}]", thousands(m.per_second))
                });
                let _ = write!(text, "{cell:>28}");
            }
            let ratio = self.ratios.iter().find(|ratio| ratio.workload == workload.name);
            let _ = match ratio {
                Some(ratio) => {
                    let swing = ratio.swing.map_or("-".into(), |s| format!("{:.0} %", s * 100.0));
                    writeln!(text, "{:>8.2}{:>8.2}{swing:>8}", ratio.speed, ratio.processor)
                }
                None => writeln!(text, "{:>8}{:>8}{:>8}", "-", "-", "-"),
            };
        }
    }

    fn cost_table(&self, text: &mut String) {
        let _ = writeln!(
            text,
            "\n{:<23}{:<12}{:>9}{:>9}{:>9}{:>12}{:>8}{:>10}{:>10}{:>10}",
            "workload",
            "engine",
            "p50 µs",
            "p99 µs",
            "p99.9 µs",
            "settled k/s",
            "write×",
            "disk÷data",
            "disk MB",
            "peak MB"
        );
        for median in &self.medians {
            let _ = write!(text, "{:<23}{:<12}", median.workload, median.engine);
            match median.percentiles {
                Some(all) => all.iter().for_each(|p| _ = write!(text, "{p:>9.1}")),
                None => _ = write!(text, "{:>9}{:>9}{:>9}", "-", "-", "-"),
            }
            let written = if median.write_amplification > 0.0 {
                format!("{:.2}", median.write_amplification)
            } else {
                "-".into()
            };
            let _ = writeln!(
                text,
                "{:>12}{written:>8}{:>10.2}{:>10.1}{:>10.1}",
                thousands(median.per_second_settled),
                median.disk_per_data,
                median.disk_bytes / 1e6,
                median.peak_bytes / 1e6
            );
        }
    }

    fn of(&self, workload: &str) -> Vec<&Median> {
        self.medians.iter().filter(|median| median.workload == workload).collect()
    }
}

fn median(
    workload: &'static str,
    purpose: &'static str,
    engine: &'static str,
    settings: &Settings,
    rows: &[&Row],
) -> Median {
    let of = |value: &dyn Fn(&Row) -> f64| middle(rows.iter().map(|row| value(row)).collect());
    let operations = |row: &Row| row.measure.operations as f64;
    let speeds: Vec<f64> = rows.iter().map(|row| operations(row) / row.measure.seconds).collect();
    let percentile = |at: usize| of(&|row| row.measure.percentiles.map_or(0.0, |all| all[at]));
    let user = of(&|row| row.measure.user_bytes as f64);
    let written_bytes = of(&|row| row.written_bytes as f64);
    let disk_bytes = of(&|row| row.disk_bytes as f64);
    Median {
        workload,
        purpose,
        engine,
        per_second: middle(speeds.clone()),
        range: [
            speeds.iter().copied().fold(f64::INFINITY, f64::min),
            speeds.iter().copied().fold(0.0, f64::max),
        ],
        per_second_settled: of(&|row| operations(row) / (row.measure.seconds + row.settle_seconds)),
        thread_micros: of(&|row| row.measure.thread_seconds * 1e6 / operations(row)),
        process_micros: of(&|row| row.settled_process_seconds * 1e6 / operations(row)),
        percentiles: rows[0].measure.percentiles.map(|_| [0, 1, 2].map(percentile)),
        write_amplification: if user > 0.0 { written_bytes / user } else { 0.0 },
        disk_per_data: disk_bytes / settings.raw_bytes() as f64,
        written_bytes,
        disk_bytes,
        peak_bytes: of(&|row| row.peak_bytes as f64),
    }
}

/// The medians of every workload on every engine that ran it.
pub fn medians(settings: &Settings, engines: &[&'static str], rows: &[Row]) -> Vec<Median> {
    let mut medians = Vec::new();
    for workload in WORKLOADS {
        for engine in engines {
            let matching: Vec<&Row> = rows
                .iter()
                .filter(|row| row.engine == *engine && row.workload == workload.name)
                .collect();
            if !matching.is_empty() {
                let (name, purpose) = (workload.name, workload.purpose);
                medians.push(median(name, purpose, engine, settings, &matching));
            }
        }
    }
    medians
}

/// The middle one, or the mean of the two in the middle.
fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    if values.len() % 2 == 1 { values[half] } else { (values[half - 1] + values[half]) / 2.0 }
}

fn thousands(per_second: f64) -> String {
    let thousands = per_second / 1000.0;
    if thousands < 100.0 { format!("{thousands:.1}") } else { format!("{thousands:.0}") }
}
