//! Levelscope beside the best other engine, and whether the rounds agree about it.

use crate::child::Row;
use crate::engine::MAPPED;
use crate::report::{Median, medians};
use crate::settings::Settings;
use crate::workload::WORKLOADS;
use serde::Serialize;
use std::collections::BTreeSet;

/// Levelscope ÷ the fastest of the others; where its mapped form was measured, that one.
#[derive(Debug, Clone, Serialize)]
pub struct Ratio {
    pub workload: &'static str,
    /// Name of the fastest other engine.
    pub fastest: &'static str,
    /// Operations a second of Levelscope ÷ those of the fastest; above 1 Levelscope is faster.
    pub speed: f64,
    /// The least processor time of all threads, until background work has settled, that another engine took
    /// for an operation ÷ that of Levelscope; above 1 Levelscope needs less. Steadier than `speed` on a busy
    /// machine, and background work is not hidden in it.
    pub processor: f64,
    /// By how much leaving out one round changes `speed` or `processor` at most; none after a single round.
    pub swing: Option<f64>,
}

impl Ratio {
    /// Whether the rounds agree well enough.
    pub fn is_stable(&self) -> bool {
        self.swing.is_some_and(|swing| swing <= SWING_MAX)
    }
}

/// Rounds are repeated until no ratio swings by more.
pub const SWING_MAX: f64 = 0.05;

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
    let of_engine = |name: &'static str| of_workload().find(move |median| median.engine == name);
    let own = of_engine(MAPPED).or_else(|| of_engine("levelscope"))?;
    let others = || of_workload().filter(|median| !["levelscope", MAPPED].contains(&median.engine));
    let fastest = others().max_by(|a, b| a.per_second.total_cmp(&b.per_second))?;
    let least = |micros: fn(&Median) -> f64| others().map(micros).fold(f64::INFINITY, f64::min);
    Some(Ratio {
        workload,
        fastest: fastest.engine,
        speed: own.per_second / fastest.per_second,
        processor: least(|median| median.process_micros) / own.process_micros,
        swing: None,
    })
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
    fn the_mapped_form_takes_the_place_of_the_usual_one() {
        let engines = ["levelscope", MAPPED, "leveldb"];
        let times = [3.0, 1.0, 2.0];
        let rows: Vec<_> =
            engines.iter().zip(times).map(|(engine, seconds)| row(engine, 1, seconds)).collect();
        let ratio = ratios(&Settings::default(), &engines, &rows).remove(0);
        assert_eq!(ratio.fastest, "leveldb");
        assert!((ratio.speed - 2.0).abs() < 1e-9, "{ratio:?}");
    }

    #[test]
    fn a_ratio_that_one_round_decides_is_not_stable() {
        assert!(!ratio_of(&[1.0, 1.5, 0.7], &[2.0, 2.0, 2.0]).is_stable());
        assert!(!ratio_of(&[1.0], &[2.0]).is_stable(), "one round proves nothing");
    }
}
