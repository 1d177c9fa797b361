//! Scores: how full each level is, and when it counts as full.

use super::strategy::Shape;
use crate::Options;
use crate::manifest::Version;
use crate::view::{LevelScore, LevelView, ScoreUnit};

/// Levels that there are: those of the options, and more when a database that was opened with more
/// levels has tables there.
pub(super) fn level_count(version: &Version, options: &Options) -> usize {
    options.level_count.max(version.level_count())
}

/// How full each level is, L0 first.
pub(crate) fn scores(version: &Version, options: &Options) -> Vec<LevelScore> {
    (0..level_count(version, options)).map(|level| score(version, options, level)).collect()
}

/// The levels as views show them, L0 first.
pub(crate) fn levels(version: &Version, options: &Options) -> Vec<LevelView> {
    let tables = |level: usize| version.level(level).map(|meta| meta.info());
    let scores = scores(version, options).into_iter();
    scores.map(|score| LevelView { score, tables: tables(score.level).collect() }).collect()
}

/// A level is due when its score reaches one.
///
/// L0 by its runs. A tiered level by its runs. A leveled one by its bytes, the deepest never; but when
/// another strategy has left several runs in it, by these.
fn score(version: &Version, options: &Options, level: usize) -> LevelScore {
    let bytes = version.level_bytes(level);
    let runs = version.runs(level).len();
    let deepest = level + 1 == level_count(version, options);
    let (unit, limit) = match level {
        0 => (ScoreUnit::Runs, options.l0_trigger as u64),
        _ => match options.strategy.shape(version, level) {
            Shape::Tiered => (ScoreUnit::Runs, options.level_multiplier),
            Shape::Leveled if runs > 1 => (ScoreUnit::Runs, 1),
            Shape::Leveled if deepest => (ScoreUnit::Bytes, 0),
            Shape::Leveled => (ScoreUnit::Bytes, limit_bytes(options, level)),
        },
    };
    let amount = match unit {
        ScoreUnit::Runs => runs as u64,
        ScoreUnit::Bytes => bytes,
    };
    #[expect(
        clippy::cast_precision_loss,
        reason = "a score compares sizes; its last bits do not matter"
    )]
    let score = if limit == 0 { 0.0 } else { amount as f64 / limit as f64 };
    let can_compact = runs > usize::from(deepest);
    LevelScore { level, bytes, runs, unit, limit, score, due: score >= 1.0, can_compact }
}

/// Size of level 1 or deeper that starts a compaction \[bytes\].
fn limit_bytes(options: &Options, level: usize) -> u64 {
    (1..level)
        .fold(options.level_base_bytes, |limit, _| limit.saturating_mul(options.level_multiplier))
}

/// Compaction debt: an estimate of the bytes that compactions must read until no level is due \[bytes\].
///
/// From the top down: the excess of a level goes to the next one, together with the tables there that it
/// overlaps, on average as much as the next level is larger.
pub(crate) fn debt_bytes(version: &Version, options: &Options) -> u64 {
    let (mut debt, mut arriving) = (0_u64, 0_u64);
    let scores = scores(version, options);
    for (index, score) in scores.iter().enumerate() {
        let bytes = score.bytes.saturating_add(arriving);
        let excess = match score.unit {
            ScoreUnit::Runs if score.due => bytes,
            ScoreUnit::Runs => 0,
            ScoreUnit::Bytes if score.limit == 0 => 0,
            ScoreUnit::Bytes => bytes.saturating_sub(score.limit),
        };
        if excess > 0 {
            let below = scores.get(index + 1).filter(|below| below.unit == ScoreUnit::Bytes);
            let below = u128::from(below.map_or(0, |below| below.bytes));
            let taken_along = u128::from(excess) * below / u128::from(bytes.max(1));
            debt = debt.saturating_add(excess);
            debt = debt.saturating_add(u64::try_from(taken_along).unwrap_or(u64::MAX));
        }
        arriving = excess;
    }
    debt
}
