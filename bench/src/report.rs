//! Medians over the rounds, and the tables on the terminal.

use crate::bounds::Bounds;
use crate::child::Row;
use crate::engine::Known;
use crate::settings::Settings;
use crate::workload::WORKLOADS;
use serde::Serialize;
use std::collections::BTreeSet;
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
    workload: &'static str,
    purpose: &'static str,
    engine: &'static str,
    /// Operations a second.
    per_second: f64,
    /// The smallest and the largest of the rounds.
    range: [f64; 2],
    /// Operations a second when the time until the database is settled counts as well.
    per_second_settled: f64,
    /// Processor time of the measuring thread \[microseconds an operation\].
    thread_micros: f64,
    /// Processor time of all threads until the database is settled \[microseconds an operation\].
    process_micros: f64,
    percentiles: Option<[f64; 3]>,
    write_amplification: f64,
    disk_per_data: f64,
    written_bytes: f64,
    disk_bytes: f64,
    peak_bytes: f64,
}

/// Levelscope ÷ the fastest of the others.
#[derive(Debug, Clone, Serialize)]
pub struct Ratio {
    workload: &'static str,
    /// Name of the fastest other engine.
    fastest: &'static str,
    /// Operations a second of Levelscope ÷ those of the fastest; above 1 Levelscope is faster.
    speed: f64,
    /// The least processor time of all threads, until background work has settled, that another engine took
    /// for an operation ÷ that of Levelscope; above 1 Levelscope needs less. Steadier than `speed` on a busy
    /// machine, and background work is not hidden in it.
    processor: f64,
    /// The same for the thread that makes the calls alone.
    processor_calling: f64,
    /// By how much leaving out one round changes `speed` or `processor` at most; none after a single round.
    swing: Option<f64>,
}

impl Ratio {
    /// Whether the rounds agree well enough.
    pub fn is_stable(&self) -> bool {
        self.swing.is_some_and(|swing| swing <= SWING_MAX)
    }

    /// The workload.
    pub fn workload(&self) -> &'static str {
        self.workload
    }
}

/// Rounds are repeated until no ratio swings by more.
pub const SWING_MAX: f64 = 0.05;

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
fn medians(settings: &Settings, engines: &[&'static str], rows: &[Row]) -> Vec<Median> {
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

/// Levelscope beside the best other engine in every workload, with the swing of the rounds.
pub fn ratios(settings: &Settings, engines: &[&'static str], rows: &[Row]) -> Vec<Ratio> {
    let of = |rows: &[Row]| -> Vec<Ratio> {
        let medians = medians(settings, engines, rows);
        let names = WORKLOADS.iter().map(|workload| workload.name);
        names.filter_map(|name| ratio(name, &medians)).collect()
    };
    let mut all = of(rows);
    let rounds: BTreeSet<u32> = rows.iter().map(|row| row.round).collect();
    for left_out in rounds {
        let kept: Vec<Row> = rows.iter().filter(|row| row.round != left_out).cloned().collect();
        for other in of(&kept) {
            // A workload that did not run in this round has the same ratio without it.
            let ran = rows.iter().any(|r| r.round == left_out && r.workload == other.workload);
            let Some(ratio) = all.iter_mut().find(|ratio| ratio.workload == other.workload) else {
                continue;
            };
            let change = |one: f64, other: f64| (one / other).max(other / one) - 1.0;
            let most =
                change(ratio.speed, other.speed).max(change(ratio.processor, other.processor));
            if ran {
                ratio.swing = Some(ratio.swing.unwrap_or(0.0).max(most));
            }
        }
    }
    all
}

fn ratio(workload: &'static str, medians: &[Median]) -> Option<Ratio> {
    let of_workload = || medians.iter().filter(|median| median.workload == workload);
    let own = of_workload().find(|median| median.engine == "levelscope")?;
    let others = || of_workload().filter(|median| median.engine != "levelscope");
    let fastest = others().max_by(|a, b| a.per_second.total_cmp(&b.per_second))?;
    let least = |micros: fn(&Median) -> f64| others().map(micros).fold(f64::INFINITY, f64::min);
    Some(Ratio {
        workload,
        fastest: fastest.engine,
        speed: own.per_second / fastest.per_second,
        processor: least(|median| median.process_micros) / own.process_micros,
        processor_calling: least(|median| median.thread_micros) / own.thread_micros,
        swing: None,
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::Measure;

    fn row(engine: &str, round: u32, seconds: f64) -> Row {
        Row {
            engine: engine.to_owned(),
            workload: "readseq".to_owned(),
            round,
            measure: Measure { operations: 1000, seconds, ..Measure::default() },
            settle_seconds: 0.0,
            settled_process_seconds: seconds,
            written_bytes: 0,
            disk_bytes: 0,
            peak_bytes: 0,
        }
    }

    fn ratio_of(own: &[f64], other: &[f64]) -> Ratio {
        let engines = ["levelscope", "leveldb"];
        let mut rows = Vec::new();
        for (round, (own, other)) in (1..).zip(own.iter().zip(other)) {
            rows.push(row("levelscope", round, *own));
            rows.push(row("leveldb", round, *other));
        }
        ratios(&Settings::default(), &engines, &rows).remove(0)
    }

    #[test]
    fn a_ratio_is_stable_when_no_round_moves_it() {
        let ratio = ratio_of(&[1.0, 1.01, 0.99], &[2.0, 2.02, 2.01]);
        assert!((ratio.speed - 2.01).abs() < 1e-9, "{ratio:?}");
        assert!(ratio.is_stable(), "{ratio:?}");
    }

    #[test]
    fn a_ratio_that_one_round_decides_is_not_stable() {
        assert!(!ratio_of(&[1.0, 1.5, 0.7], &[2.0, 2.0, 2.0]).is_stable());
        assert!(!ratio_of(&[1.0], &[2.0]).is_stable(), "one round proves nothing");
    }
}
