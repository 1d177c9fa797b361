//! What a breakpoint waits for, and whether an event is that.

use super::tally::Quantity;
use levelscope::event::{Event, EventKind, Grain, NAMES, ShownKey, TableAt, Verdict};

/// What a breakpoint waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trigger {
    /// An event of this name.
    Name(&'static str),
    /// Whatever is done with this key.
    Key(Vec<u8>),
    /// An entry that a flush or a compaction drops.
    Drop,
    /// A tombstone that a compaction drops.
    TombstoneGc,
    /// A filter that said "maybe" where there was nothing.
    BloomFp,
    /// Whatever happens to this table.
    Table(u64),
    /// Whatever happens to this log.
    Wal(u64),
    /// Whatever happens to this level.
    Level(usize),
    /// A figure that reaches a bound: the event that makes it true.
    When(Quantity, Compare, u64),
}

/// How a figure is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compare {
    Less,
    AtMost,
    Equal,
    AtLeast,
    More,
}

impl Compare {
    const SIGNS: &[(&str, Self)] = &[
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("==", Self::Equal),
        ("<", Self::Less),
        (">", Self::More),
        ("=", Self::Equal),
    ];

    pub(crate) fn holds(self, left: u64, right: u64) -> bool {
        match self {
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::Equal => left == right,
            Self::AtLeast => left >= right,
            Self::More => left > right,
        }
    }
}

/// What stands for the first and the last event of something that takes several.
const WHOLES: &[(&str, &str, &str)] = &[
    ("flush", "flush.begin", "flush.done"),
    ("compaction", "compaction.pick", "compaction.done"),
    ("recovery", "recovery.begin", "recovery.done"),
    ("stall", "stall.begin", "stall.end"),
    ("slowdown", "slowdown.begin", "slowdown.end"),
    ("rotate", "memtable.rotate", "memtable.rotate"),
];

/// What can be put behind `on` without more.
const CASES: &[(&str, Trigger)] = &[
    ("drop", Trigger::Drop),
    ("tombstone-gc", Trigger::TombstoneGc),
    ("bloom-fp", Trigger::BloomFp),
    ("stall", Trigger::Name("stall.begin")),
];

/// The words behind `before` and `after`.
pub(crate) fn event_words() -> impl Iterator<Item = &'static str> {
    WHOLES.iter().map(|(name, ..)| *name).chain(NAMES.iter().copied())
}

/// The words behind `on`.
pub(crate) fn case_words() -> impl Iterator<Item = &'static str> {
    ["key", "table", "wal", "level"].into_iter().chain(CASES.iter().map(|(name, _)| *name))
}

impl Trigger {
    /// The event `word`, or the beginning or end of what takes several.
    pub(crate) fn event(word: &str, before: bool) -> Option<Self> {
        let whole = WHOLES.iter().find(|(name, ..)| *name == word);
        let word = whole.map_or(word, |(_, begin, end)| if before { begin } else { end });
        NAMES.iter().find(|name| **name == word).map(|name| Self::Name(name))
    }

    /// What `on WORD` means.
    pub(crate) fn case(word: &str) -> Option<Self> {
        CASES.iter().find(|(name, _)| *name == word).map(|(_, case)| case.clone())
    }

    /// What `when TEXT` means: `l0 >= 4`, `memtables > 1`, `stall`.
    pub(crate) fn condition(text: &str) -> Option<Self> {
        let text = text.trim();
        for (sign, compare) in Compare::SIGNS {
            if let Some((left, right)) = text.split_once(sign) {
                let number = crate::args::parse_number(right.trim())?;
                return Some(Self::When(Quantity::parse(left.trim())?, *compare, number));
            }
        }
        Quantity::parse(text).map(|quantity| Self::When(quantity, Compare::AtLeast, 1))
    }

    /// Whether only details can be it.
    pub(crate) fn wants_detail(&self) -> bool {
        match self {
            Self::Key(_) | Self::Drop | Self::TombstoneGc | Self::BloomFp => true,
            Self::Name(name) => is_detail(name),
            Self::Table(_) | Self::Wal(_) | Self::Level(_) | Self::When(..) => false,
        }
    }

    /// Whether `event` is it. Conditions are no events: they hold or not.
    pub(crate) fn is(&self, event: &Event) -> bool {
        let kind = &event.kind;
        match self {
            Self::Name(name) => kind.name() == *name,
            Self::Key(key) => key_of(kind).is_some_and(|shown| *shown == ShownKey::new(key)),
            Self::Drop => matches!(
                kind,
                EventKind::MergeEntry {
                    verdict: Verdict::DroppedShadowed | Verdict::DroppedTombstone,
                    ..
                }
            ),
            Self::TombstoneGc => {
                matches!(kind, EventKind::MergeEntry { verdict: Verdict::DroppedTombstone, .. })
            }
            Self::BloomFp => kind.name() == "filter.false_positive",
            Self::Table(number) => touches_table(kind, *number),
            Self::Wal(number) => touches_wal(kind, *number),
            Self::Level(level) => touches_level(kind, *level),
            Self::When(..) => false,
        }
    }
}

/// Whether events of this name are details.
fn is_detail(name: &str) -> bool {
    EventKind::grain_of(name) == Grain::Detail
}

fn key_of(kind: &EventKind) -> Option<&ShownKey> {
    match kind {
        EventKind::OpPut { key, .. }
        | EventKind::OpDelete { key, .. }
        | EventKind::OpGet { key, .. }
        | EventKind::BatchEntry { key, .. }
        | EventKind::MergeEntry { key, .. }
        | EventKind::FilterFalsePositive { key, .. } => Some(key),
        _ => None,
    }
}

fn among(tables: &[TableAt], number: u64) -> bool {
    tables.iter().any(|at| at.table == number)
}

fn touches_table(kind: &EventKind, number: u64) -> bool {
    match kind {
        EventKind::TableCreate { table, .. }
        | EventKind::TableBlock { table, .. }
        | EventKind::TableFilter { table, .. }
        | EventKind::TableIndex { table, .. }
        | EventKind::TableFooter { table, .. }
        | EventKind::TableDelete { table } => *table == number,
        EventKind::TableSync { info, .. } | EventKind::FlushInstall { table: Some(info), .. } => {
            info.table == number
        }
        EventKind::CompactionPick { inputs, .. } => among(inputs, number),
        EventKind::CompactionInstall { removed, added, .. } => {
            among(removed, number) || added.iter().any(|info| info.table == number)
        }
        EventKind::ManifestAppend { added, removed, .. } => {
            among(added, number) || among(removed, number)
        }
        _ => false,
    }
}

fn touches_wal(kind: &EventKind, number: u64) -> bool {
    match kind {
        EventKind::WalCreate { wal, .. }
        | EventKind::WalAppend { wal, .. }
        | EventKind::WalWrite { wal, .. }
        | EventKind::WalSync { wal, .. }
        | EventKind::WalClose { wal, .. }
        | EventKind::WalDelete { wal }
        | EventKind::RecoveryWal { wal, .. } => *wal == number,
        EventKind::MemtableRotate { wal, new_wal, .. } => *wal == number || *new_wal == number,
        _ => false,
    }
}

fn touches_level(kind: &EventKind, wanted: usize) -> bool {
    match kind {
        EventKind::OpCompact { level }
        | EventKind::TableCreate { level, .. }
        | EventKind::TableSync { level, .. } => *level == wanted,
        EventKind::FlushInstall { table: Some(_), .. } => wanted == 0,
        EventKind::CompactionPick { level, output_level, .. } => {
            *level == wanted || *output_level == wanted
        }
        EventKind::CompactionInstall { removed, output_level, .. } => {
            *output_level == wanted || removed.iter().any(|at| at.level == wanted)
        }
        _ => false,
    }
}
