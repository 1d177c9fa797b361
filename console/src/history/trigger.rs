//! Triggers of breakpoints, and the test whether an event matches.

use super::quantity::Quantity;
use levelscope::event::{
    CATALOGUE, Event, EventKind, Grain, KindInfo, Object, ShownKey, Span, Verdict,
};

/// The trigger of a breakpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trigger {
    /// An event of this kind.
    Kind(&'static KindInfo),
    /// Any event about this key.
    Key(Vec<u8>),
    /// An entry that a flush or a compaction drops.
    Drop,
    /// A tombstone that a compaction drops.
    TombstoneGc,
    /// A false positive of a filter.
    BloomFp,
    /// Any event about this table.
    Table(u64),
    /// Any event about this log.
    Wal(u64),
    /// Any event about this level.
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

/// The word for the one event of a rotation, which is a beginning and an end at once.
const ROTATION: (&str, &KindInfo) = ("rotate", KindInfo::MemtableRotate);

/// The words that can follow `on` without an argument.
const CASES: &[(&str, Trigger)] = &[
    ("drop", Trigger::Drop),
    ("tombstone-gc", Trigger::TombstoneGc),
    ("bloom-fp", Trigger::BloomFp),
    ("stall", Trigger::Kind(KindInfo::StallBegin)),
];

/// Events that background work never makes: families of events, and single ones.
const CALLER_FAMILIES: &[&str] = &["op", "recovery", "batch", "filter", "memtable"];
const CALLER_EVENTS: &[&str] =
    &["wal.create", "wal.append", "wal.write", "wal.close", "stall.begin"];

/// The words that can follow `before` and `after`.
pub(crate) fn event_words() -> impl Iterator<Item = &'static str> {
    let spans = Span::NAMED.iter().map(|(name, _)| *name);
    spans.chain([ROTATION.0]).chain(CATALOGUE.iter().map(|info| info.name))
}

/// The words that can follow `on`.
pub(crate) fn case_words() -> impl Iterator<Item = &'static str> {
    ["key", "table", "wal", "level"].into_iter().chain(CASES.iter().map(|(name, _)| *name))
}

/// The kind of event that `word` stands for: its name, or the span that it begins (`before`) or ends.
fn kind_for(word: &str, before: bool) -> Option<&'static KindInfo> {
    if word == ROTATION.0 {
        return Some(ROTATION.1);
    }
    let Some((_, span)) = Span::NAMED.iter().find(|(name, _)| *name == word) else {
        return KindInfo::named(word);
    };
    CATALOGUE.iter().find(|info| (if before { info.begins } else { info.ends }) == Some(*span))
}

impl Trigger {
    /// The event `word`, or the beginning or end of a span.
    pub(crate) fn event(word: &str, before: bool) -> Option<Self> {
        kind_for(word, before).map(Self::Kind)
    }

    /// The trigger of `on WORD`.
    pub(crate) fn case(word: &str) -> Option<Self> {
        CASES.iter().find(|(name, _)| *name == word).map(|(_, case)| case.clone())
    }

    /// The trigger of `when TEXT`: `l0 >= 4`, `memtables > 1`, `stall`.
    pub(crate) fn condition(text: &str) -> Option<Self> {
        let text = text.trim();
        for (sign, compare) in Compare::SIGNS {
            if let Some((left, right)) = text.split_once(sign) {
                let number = crate::language::parse_number(right.trim())?;
                return Some(Self::When(Quantity::parse(left.trim())?, *compare, number));
            }
        }
        Quantity::parse(text).map(|quantity| Self::When(quantity, Compare::AtLeast, 1))
    }

    /// Whether only the caller of the engine makes such events, by writing, reading or opening.
    pub(crate) fn is_of_caller(&self) -> bool {
        match self {
            Self::Kind(info) => {
                let (family, _) = info.name.split_once('.').unwrap_or((info.name, ""));
                CALLER_FAMILIES.contains(&family) || CALLER_EVENTS.contains(&info.name)
            }
            Self::BloomFp => true,
            _ => false,
        }
    }

    /// Whether only details can match.
    pub(crate) fn wants_detail(&self) -> bool {
        match self {
            Self::Key(_) | Self::Drop | Self::TombstoneGc | Self::BloomFp => true,
            Self::Kind(info) => info.grain == Grain::Detail,
            Self::Table(_) | Self::Wal(_) | Self::Level(_) | Self::When(..) => false,
        }
    }

    /// Whether `event` matches. Conditions match no event: they hold or not.
    pub(crate) fn is(&self, event: &Event) -> bool {
        let kind = &event.kind;
        match self {
            Self::Kind(info) => kind.name() == info.name,
            Self::Key(key) => touches(kind, &Object::Key(ShownKey::new(key))),
            Self::Drop => matches!(
                kind,
                EventKind::MergeEntry {
                    verdict: Verdict::DroppedShadowed
                        | Verdict::DroppedTombstone
                        | Verdict::DroppedRangeDeleted
                        | Verdict::DroppedByFilter,
                    ..
                }
            ),
            Self::TombstoneGc => {
                matches!(
                    kind,
                    EventKind::MergeEntry { verdict: Verdict::DroppedTombstone, .. }
                        | EventKind::MergeRange { verdict: Verdict::DroppedTombstone, .. }
                )
            }
            Self::BloomFp => matches!(kind, EventKind::FilterFalsePositive { .. }),
            Self::Table(number) => touches(kind, &Object::Table(*number)),
            Self::Wal(number) => touches(kind, &Object::Log(*number)),
            Self::Level(level) => touches(kind, &Object::Level(*level)),
            Self::When(..) => false,
        }
    }
}

fn touches(kind: &EventKind, object: &Object) -> bool {
    kind.touches().iter().any(|touch| touch.object == *object)
}
