//! Target sizes of the levels of a family, as RocksDB and Pebble compute them, and the compaction debt.

use super::{CompactionStyle, FamilyOptions};
use crate::{Engine, Family};

/// The targets of a family's levels.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelTargets {
    /// The level that compactions of level 0 write to.
    pub base_level: u32,
    /// Target bytes by level; `None` for level 0 and for levels that no compaction starts from.
    pub bytes: Vec<Option<u64>>,
}

impl LevelTargets {
    /// The target of `level`.
    pub fn of(&self, level: u32) -> Option<u64> {
        self.bytes.get(level as usize).copied().flatten()
    }
}

/// Levels that a family may have: a file that claims more is not believed.
const LEVELS_MAX: u32 = 64;

/// Bytes in each level, from level 0 on; at least `count` levels.
pub fn level_bytes(family: &Family, count: usize) -> Vec<u64> {
    let deepest = family.levels.keys().next_back().map_or(0, |level| *level as usize + 1);
    let mut sizes = vec![0u64; deepest.clamp(count, LEVELS_MAX as usize)];
    for (level, tables) in &family.levels {
        if let Some(size) = sizes.get_mut(*level as usize) {
            *size = tables.iter().fold(*size, |sum, table| sum.saturating_add(table.bytes));
        }
    }
    sizes
}

impl FamilyOptions {
    /// Target bytes per level for levels of these `sizes` (index 0 is level 0). `None` for universal and FIFO
    /// compaction, which have no targets, and when an option that it needs is missing.
    pub fn targets(&self, engine: Engine, sizes: &[u64]) -> Option<LevelTargets> {
        if *self.compaction_style.value()? != CompactionStyle::Level {
            return None;
        }
        let count = (*self.level_count.value()?).min(LEVELS_MAX) as usize;
        let base = *self.level_base_bytes.value()?;
        let multiplier = self.level_multiplier.value().copied().filter(|times| *times >= 1.0)?;
        if count < 2 {
            return None;
        }
        let size = |level: usize| sizes.get(level).copied().unwrap_or(0);
        if engine == Engine::Pebble {
            return Some(pebble(count, base, multiplier, &size));
        }
        if self.dynamic_level_bytes.value().copied().unwrap_or(false) {
            return Some(dynamic(count, base, multiplier, &size));
        }
        let factors = self.level_multiplier_additional.value().map_or(&[][..], Vec::as_slice);
        let mut bytes = vec![None, Some(base)];
        let mut target = base;
        for level in 2..count {
            let factor = factors.get(level - 1).copied().unwrap_or(1);
            target = times(times(target, multiplier), precise(factor));
            bytes.push(Some(target));
        }
        Some(LevelTargets { base_level: 1, bytes })
    }
}

/// RocksDB's `level_compaction_dynamic_level_bytes`: the largest level stands for the last one, and the targets
/// of the levels above it shrink by the multiplier until they fit the base.
fn dynamic(count: usize, base: u64, multiplier: f64, size: &dyn Fn(usize) -> u64) -> LevelTargets {
    let mut bytes = vec![None; count];
    let largest = (1..count).map(size).max().unwrap_or(0);
    let first = (1..count).find(|level| size(*level) > 0);
    let Some(first) = first else {
        return LevelTargets { base_level: small(count - 1), bytes };
    };
    let least = divided(base, multiplier);
    let mut current = (first..count - 1).fold(largest, |current, _| divided(current, multiplier));
    let mut base_level = first;
    let start = if current <= least {
        least.saturating_add(1)
    } else {
        while base_level > 1 && current > base {
            base_level -= 1;
            current = divided(current, multiplier);
        }
        current.clamp(1, base.max(1))
    };
    let mut target = start;
    for (level, place) in bytes.iter_mut().enumerate().skip(base_level) {
        if level > base_level {
            target = times(target, multiplier);
        }
        *place = Some(target.max(base));
    }
    LevelTargets { base_level: small(base_level), bytes }
}

/// Pebble's rule: the last level gets nine tenths of all bytes, the levels from the base to it grow evenly.
fn pebble(count: usize, base: u64, multiplier: f64, size: &dyn Fn(usize) -> u64) -> LevelTargets {
    let mut bytes = vec![None; count];
    let Some(first) = (1..count).find(|level| size(*level) > 0) else {
        return LevelTargets { base_level: small(count - 1), bytes };
    };
    let all = (0..count).map(size).fold(0, u64::saturating_add);
    let bottom = all - divided(all, multiplier);
    let mut current = (first..count - 1).fold(bottom, |current, _| divided(current, multiplier));
    let mut base_level = first;
    while base_level > 1 && current > base {
        base_level -= 1;
        current = divided(current, multiplier);
    }
    let steps = count - 1 - base_level;
    let growth = if steps == 0 || base == 0 {
        1.0
    } else {
        (precise(bottom) / precise(base)).powf(1.0 / precise(steps as u64))
    };
    let mut target = precise(base);
    for (level, place) in bytes.iter_mut().enumerate().skip(base_level) {
        if level > base_level {
            target *= growth;
        }
        *place = Some(whole(target.round()));
    }
    LevelTargets { base_level: small(base_level), bytes }
}

/// The bytes that compactions would have to rewrite until every level is within its target: RocksDB's "estimated
/// pending compaction bytes", which `soft_pending_compaction_bytes_limit` is compared with.
pub fn pending_compaction_bytes(
    options: &FamilyOptions,
    targets: &LevelTargets,
    l0_files: u64,
    sizes: &[u64],
) -> u64 {
    let size = |level: usize| sizes.get(level).copied().unwrap_or(0);
    let trigger = options.l0_trigger.value().copied().unwrap_or(u64::MAX);
    let base = options.level_base_bytes.value().copied().unwrap_or(u64::MAX);
    let triggered = l0_files >= trigger || size(0) >= base;
    let mut pushed = if triggered { size(0) } else { 0 };
    let mut pending = pushed;
    let base_level = targets.base_level as usize;
    for level in base_level..targets.bytes.len().saturating_sub(1) {
        if level == base_level && triggered {
            pending = pending.saturating_add(size(level));
        }
        let full = size(level).saturating_add(pushed);
        pushed = 0;
        let Some(target) = targets.of(small(level)) else { continue };
        let next = size(level + 1);
        if full > target {
            pushed = full - target;
            if next > 0 {
                let fan_out = precise(next) / precise(full) + 1.0;
                pending = pending.saturating_add(whole(precise(pushed) * fan_out));
            }
        }
    }
    pending
}

fn small(level: usize) -> u32 {
    u32::try_from(level).unwrap_or(u32::MAX)
}

fn times(bytes: u64, factor: f64) -> u64 {
    whole(precise(bytes) * factor)
}

fn divided(bytes: u64, divisor: f64) -> u64 {
    whole(precise(bytes) / divisor)
}

#[expect(clippy::cast_precision_loss, reason = "RocksDB computes with doubles here, too")]
fn precise(number: u64) -> f64 {
    number as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, and sizes are not negative"
)]
fn whole(number: f64) -> u64 {
    number as u64
}
