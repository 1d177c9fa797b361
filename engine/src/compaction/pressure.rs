//! The pending background work, and its effect on writes: none, a slowdown, or a stall.
//!
//! ```text
//! L0 tables   0 ── l0_trigger ── (middle) ── l0_slowdown ── l0_stall
//!             free .................. ends ◁ slower and slower ▷ begins   stalled
//! ```
//!
//! Slowing down begins late and ends early, so that it does not come and go with each table (decision 66).

use crate::Options;
use crate::event::{Slowdown, SlowdownReason, Stall};
use crate::manifest::Version;

/// The slowest: bytes of background work for each byte written.
const PACE_MAX: u64 = 32;

/// The pending background work.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Load {
    /// Immutable memtables whose flush is due. Other immutable memtables wait for more and are no debt.
    pub(crate) flushes_due: usize,
    /// Runs of L0.
    pub(crate) l0_runs: usize,
    /// Compaction debt: the bytes that compactions must read until no level is due \[bytes\].
    pub(crate) debt_bytes: u64,
}

impl Load {
    /// The load of `version` and of `flushes_due` memtables.
    pub(crate) fn new(version: &Version, options: &Options, flushes_due: usize) -> Self {
        let debt_bytes = super::debt_bytes(version, options);
        Self { flushes_due, l0_runs: version.runs(0).len(), debt_bytes }
    }
}

/// Why a write that needs a new memtable has to wait, if it has to.
pub(crate) fn stall(memtables: usize, l0_runs: usize, options: &Options) -> Option<Stall> {
    if memtables >= options.immutable_count_max {
        return Some(Stall::Memtables { count: memtables, limit: options.immutable_count_max });
    }
    (l0_runs >= options.l0_stall)
        .then_some(Stall::L0Tables { count: l0_runs, limit: options.l0_stall })
}

/// How much writes slow down under `load`, and why, when they have been slowed down by `before`.
///
/// Of several reasons the one that slows down most.
pub(crate) fn slowdown(
    load: &Load,
    options: &Options,
    before: Option<SlowdownReason>,
) -> Option<Slowdown> {
    let reasons = [by_memtables(load, options), by_l0(load, options, before)];
    let reasons = reasons.into_iter().chain([by_debt(load, options, before)]).flatten();
    // The first of equals, so that the reason does not change with every table.
    reasons.reduce(|most, other| if other.pace > most.pace { other } else { most })
}

/// One memtable before writes stall; where they stall at one or two there is no room for a warning.
fn by_memtables(load: &Load, options: &Options) -> Option<Slowdown> {
    let limit = options.immutable_count_max.saturating_sub(1);
    let count = load.flushes_due;
    let why = SlowdownReason::Memtables { count, limit };
    (limit >= 2 && count >= limit).then_some(Slowdown { pace: 2, why })
}

fn by_l0(load: &Load, options: &Options, before: Option<SlowdownReason>) -> Option<Slowdown> {
    let limit = options.l0_slowdown.max(options.l0_trigger);
    let slow = matches!(before, Some(SlowdownReason::L0Tables { .. }));
    // Never below the trigger, where no compaction would come to end it.
    let from =
        if slow { options.l0_trigger + (limit - options.l0_trigger).div_ceil(2) } else { limit };
    let count = load.l0_runs;
    let over = count.saturating_sub(limit) as u64;
    let pace = pace(over, options.l0_stall.saturating_sub(limit) as u64);
    let why = SlowdownReason::L0Tables { count, limit };
    (count >= from && limit <= options.l0_stall).then_some(Slowdown { pace, why })
}

fn by_debt(load: &Load, options: &Options, before: Option<SlowdownReason>) -> Option<Slowdown> {
    let (bytes, limit_bytes) = (load.debt_bytes, options.debt_slowdown_bytes);
    let slow = matches!(before, Some(SlowdownReason::Debt { .. }));
    let from = if slow { limit_bytes - limit_bytes / 4 } else { limit_bytes };
    let pace = pace(bytes.saturating_sub(limit_bytes), limit_bytes);
    let why = SlowdownReason::Debt { bytes, limit_bytes };
    (limit_bytes > 0 && bytes >= from).then_some(Slowdown { pace, why })
}

/// Doubles with each quarter of the way: 2 at its beginning, [`PACE_MAX`] at its end.
fn pace(over: u64, span: u64) -> u64 {
    let quarters = if span == 0 { 4 } else { (u128::from(over) * 4 / u128::from(span)).min(4) };
    (2 << quarters).min(PACE_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        let mut options = Options { immutable_count_max: 4, ..Options::default() };
        (options.l0_trigger, options.l0_slowdown, options.l0_stall) = (4, 8, 12);
        options.debt_slowdown_bytes = 1000;
        options
    }

    fn l0(l0_runs: usize, before: Option<Slowdown>) -> Option<Slowdown> {
        let load = Load { l0_runs, ..Load::default() };
        slowdown(&load, &options(), before.map(|before| before.why))
    }

    fn debt(debt_bytes: u64, before: Option<Slowdown>) -> Option<u64> {
        let load = Load { debt_bytes, ..Load::default() };
        slowdown(&load, &options(), before.map(|before| before.why)).map(|slow| slow.pace)
    }

    #[test]
    fn writes_slow_down_more_with_each_table_of_l0() {
        let table = [(0, None), (4, None), (7, None), (8, Some(2)), (9, Some(4)), (10, Some(8))];
        for (runs, pace) in
            table.into_iter().chain([(11, Some(16)), (12, Some(32)), (99, Some(32))])
        {
            assert_eq!(l0(runs, None).map(|slow| slow.pace), pace, "{runs} tables");
        }
        let why = SlowdownReason::L0Tables { count: 9, limit: 8 };
        assert_eq!(l0(9, None), Some(Slowdown { pace: 4, why }));
    }

    #[test]
    fn slowing_down_ends_later_than_it_begins() {
        let slow = l0(8, None);
        assert!(slow.is_some());
        for (runs, still) in [(8, true), (7, true), (6, true), (5, false), (0, false)] {
            assert_eq!(l0(runs, slow).is_some(), still, "{runs} tables");
            assert!(l0(runs.min(7), None).is_none());
        }
        let by_debt = Load { debt_bytes: 1000, ..Load::default() };
        let by_debt = slowdown(&by_debt, &options(), None);
        for (bytes, pace) in [(1000, Some(2)), (750, Some(2)), (749, None)] {
            assert_eq!(debt(bytes, by_debt), pace, "{bytes} bytes");
        }
        assert_eq!(debt(999, None), None);
        assert_eq!(debt(999, slow), None, "that is kept by another reason's limit");
    }

    #[test]
    fn debt_slows_down_by_quarters_of_its_limit() {
        let table = [(1000, 2), (1249, 2), (1250, 4), (1500, 8), (1750, 16), (2000, 32)];
        for (bytes, pace) in table.into_iter().chain([(u64::MAX, 32)]) {
            assert_eq!(debt(bytes, None), Some(pace), "{bytes} bytes");
        }
        let never = Options { debt_slowdown_bytes: 0, ..options() };
        let load = Load { debt_bytes: u64::MAX, ..Load::default() };
        assert_eq!(slowdown(&load, &never, None), None);
    }

    #[test]
    fn memtables_count_when_their_flush_is_due() {
        let load = |flushes_due| Load { flushes_due, ..Load::default() };
        let why = SlowdownReason::Memtables { count: 3, limit: 3 };
        assert_eq!(slowdown(&load(3), &options(), None), Some(Slowdown { pace: 2, why }));
        assert_eq!(slowdown(&load(2), &options(), None), None);
        let two = Options { immutable_count_max: 2, ..options() };
        assert_eq!(slowdown(&load(1), &two, None), None, "that would be always");
    }

    #[test]
    fn the_reason_that_slows_down_most_is_reported() {
        let load = Load { flushes_due: 3, l0_runs: 8, debt_bytes: 1250 };
        let why = SlowdownReason::Debt { bytes: 1250, limit_bytes: 1000 };
        assert_eq!(slowdown(&load, &options(), None), Some(Slowdown { pace: 4, why }));
    }

    /// With any options: a write that stalls for L0 has been slowed down before, unless the options forbid it, and
    /// a slowdown for L0 always ends, because a compaction of L0 is due.
    #[test]
    fn slowing_down_lies_between_the_trigger_and_the_stall() {
        for (trigger, slow, stalls) in
            (1..6).flat_map(|t| (1..9).flat_map(move |s| (t..9).map(move |x| (t, s, x))))
        {
            let options =
                Options { l0_trigger: trigger, l0_slowdown: slow, l0_stall: stalls, ..options() };
            let mut before = None;
            for runs in (0..12).chain((0..12).rev()) {
                let load = Load { l0_runs: runs, ..Load::default() };
                let now = slowdown(&load, &options, before);
                assert!(now.is_none() || runs >= trigger, "{runs} of {options:?}");
                let stalled = stall(0, runs, &options).is_some();
                assert!(!stalled || now.is_some() || slow > stalls, "{runs} of {options:?}");
                before = now.map(|slow| slow.why);
            }
        }
    }
}
