//! The catalogue of events: for each kind its name, its grain, its fields, its sentence, the objects that it touches,
//! the span that it begins or ends, and whether an outline includes it.
//!
//! All other code that depends on a kind reads it here: the serialized form, breakpoints, landmarks, links, the lines
//! that a command prints. A new kind is one entry in the file of its family:
//!
//! ```text
//! /// What happened: one sentence for the reference.
//! WalSync = "wal.sync" phase {
//!     /// The log.
//!     wal: FileNumber,
//! } => {
//!     sentence |job| format!("WAL {wal} was synced.");    // job: "Job 4", or "The engine"
//!     touches [changed(Log(*wal))];                        // optional, and so are those below, in this order
//!     patches |job| [Patch::log(*wal, …)];                  // how a view changes; job: its number, or 0
//!     landmark Flush;                                      // what a timeline marks; `landmark X if …` some of them
//!     outline Included;                                    // printed also where only outcomes are
//!     begins Flush; ends Flush;                            // the span that it opens or closes
//! }
//! ```
//!
//! The fields are references in all expressions. Each family hands its entries to the next one, and the last
//! one to [`define`]: so each file stays small, and [`EventKind`] is one flat enum.

#[macro_use]
mod operations;
#[macro_use]
mod transactions;
#[macro_use]
mod log;
#[macro_use]
mod memory;
#[macro_use]
mod jobs;
#[macro_use]
mod tables;
#[macro_use]
mod manifest;
#[macro_use]
mod recovery;
#[macro_use]
mod checkpoints;
#[macro_use]
mod details;

use self::details::judged;
use self::jobs::{by_range, exchanged, fullest, installed, merged};
use self::manifest::{durable, edited};
use self::recovery::ended;
use super::object::Object::{Current, Key, Level, Log, Manifest, Memtable, Table, Transaction};
use super::object::{Touch, changed, made, read, removed};
use super::span::{Landmark, Span};
use super::{
    Acknowledged, Event, EventId, Grain, Isolation, JobKind, MemtableId, MergeHead, RecoveredLog,
    RotateReason, ShownKey, ShownRange, Slowdown, Stall, TableAt, TransactionId, Verdict, WalEnd,
};
use crate::error::ErrorKind;
use crate::key::{SeqNo, ValueKind};
use crate::storage::FileNumber;
use crate::text;
use crate::view::{
    BlockView, Edit, EditView, JobChange, JobView, LevelScore, LevelView, LogChange,
    MemtableChange, MemtableView, OutputChange, OutputView, Patch, RangesView, ReadOnlyCause,
    TableInfo, TransactionChange, TransactionView, WalView,
};

/// The catalogue's entry of a kind, independent of the values of its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct KindInfo {
    /// The dotted name that breakpoints, scripts, tests and the page use; never changed once given.
    pub name: &'static str,
    /// What happened, in one sentence for the reference.
    pub purpose: &'static str,
    /// How fine events of this kind are.
    pub grain: Grain,
    /// Whether it is printed also where only the outcomes of background work are.
    pub outline: bool,
    /// The span that it begins.
    pub begins: Option<Span>,
    /// The span that it ends.
    pub ends: Option<Span>,
}

/// The catalogue's entry of one field of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldInfo {
    /// Its name.
    pub name: &'static str,
    /// Its type, as it is declared.
    pub type_name: &'static str,
    /// Its meaning, in one sentence for the reference.
    pub purpose: &'static str,
}

impl KindInfo {
    /// The entry of the kind called `name`.
    pub fn named(name: &str) -> Option<&'static Self> {
        CATALOGUE.iter().find(|info| info.name == name)
    }

    /// The fields of the kind, in order. Cost: a search.
    pub fn fields(&self) -> &'static [FieldInfo] {
        let mut known = CATALOGUE.iter().zip(FIELDS);
        known.find(|(info, _)| info.name == self.name).map_or(&[], |(_, fields)| fields)
    }
}

macro_rules! grain {
    (operation) => {
        Grain::Operation
    };
    (phase) => {
        Grain::Phase
    };
    (detail) => {
        Grain::Detail
    };
}

/// `Some` of a variant, or `None` without one.
macro_rules! maybe {
    ($type:ident) => {
        None
    };
    ($type:ident $variant:ident) => {
        Some($type::$variant)
    };
}

/// One entry of the catalogue.
macro_rules! info {
    ($name:literal $grain:ident [$($doc:literal)*] [$($outline:ident)?]
     [$($begins:ident)?] [$($ends:ident)?]) => {
        KindInfo {
            name: $name,
            purpose: concat!($($doc),*).trim_ascii(),
            grain: grain!($grain),
            outline: matches!(maybe!(Outline $($outline)?), Some(Outline::Included)),
            begins: maybe!(Span $($begins)?),
            ends: maybe!(Span $($ends)?),
        }
    };
}

/// Marks a kind as printed where only the outcomes of background work are.
enum Outline {
    Included,
}

macro_rules! define {
    (; $(
        $(#[doc = $doc:literal])*
        $kind:ident = $name:literal $grain:ident {
            $( $(#[doc = $field_doc:literal])* $field:ident : $type:ty ),* $(,)?
        } => {
            sentence |$job:pat_param| $sentence:expr;
            $( touches $touches:expr; )?
            $( patches |$by:pat_param| $patches:expr; )?
            $( landmark $landmark:ident $( if $marked:expr )?; )?
            $( outline $outline:ident; )?
            $( begins $begins:ident; )?
            $( ends $ends:ident; )?
        }
    )*) => {
        /// The kinds of events. The serialized `kind` is the dotted name of [`EventKind::name`].
        #[derive(Debug, Clone, PartialEq)]
        #[cfg_attr(
            feature = "serde",
            derive(serde::Serialize),
            serde(tag = "kind", rename_all_fields = "camelCase")
        )]
        #[non_exhaustive]
        pub enum EventKind {
            $(
                $(#[doc = $doc])*
                #[cfg_attr(feature = "serde", serde(rename = $name))]
                $kind { $( $(#[doc = $field_doc])* $field: $type ),* },
            )*
        }

        /// All kinds, in the order of their definition.
        pub static CATALOGUE: &[KindInfo] = &[ $( *KindInfo::$kind ),* ];

        /// The entry of each kind, by the name of its variant.
        #[expect(non_upper_case_globals, reason = "they are called as the variants are")]
        impl KindInfo {
            $(
                $(#[doc = $doc])*
                pub const $kind: &'static Self =
                    &info!($name $grain [$($doc)*] [$($outline)?] [$($begins)?] [$($ends)?]);
            )*
        }

        /// The fields of all kinds, in the order of [`CATALOGUE`]: only a reference needs them.
        static FIELDS: &[&[FieldInfo]] = &[
            $( &[ $( FieldInfo {
                name: stringify!($field),
                type_name: stringify!($type),
                purpose: concat!($($field_doc),*).trim_ascii(),
            } ),* ] ),*
        ];

        impl EventKind {
            /// The catalogue's entry of this kind.
            pub fn info(&self) -> &'static KindInfo {
                match self {
                    $( Self::$kind { .. } => KindInfo::$kind, )*
                }
            }

            /// What happened, in one sentence; `job` is its subject where a job did it.
            #[allow(unused_variables, reason = "a sentence need not mention every field")]
            pub(super) fn sentence(&self, job: &str) -> String {
                match self {
                    $( Self::$kind { $($field),* } => {
                        let $job = job;
                        $sentence
                    } )*
                }
            }

            /// The objects that the event made, changed, removed or read, the most important one first.
            #[allow(unused_variables, reason = "a kind need not touch anything with each of its fields")]
            pub fn touches(&self) -> Vec<Touch> {
                match self {
                    $( Self::$kind { $($field),* } => touches!($($touches)?), )*
                }
            }

            /// Its landmark on a timeline.
            #[allow(unused_variables, reason = "a landmark need not depend on the fields")]
            pub fn landmark(&self) -> Option<Landmark> {
                match self {
                    $( Self::$kind { $($field),* } => landmark!($($landmark $(if $marked)?)?), )*
                }
            }
        }

        impl Event {
            /// How the event changes a view.
            #[allow(unused_variables, reason = "a kind need not change a view with each of its fields")]
            pub fn patches(&self) -> Vec<Patch> {
                match &self.kind {
                    $( EventKind::$kind { $($field),* } => patches!(self $(, $by, $patches)?), )*
                }
            }
        }

        #[cfg(any(test, feature = "testing"))]
        impl EventKind {
            /// One event of each kind, with unremarkable fields.
            pub fn samples() -> Vec<Self> {
                use crate::event::sample::Sample;
                vec![ $( Self::$kind { $( $field: <$type as Sample>::sample() ),* } ),* ]
            }
        }
    };
}

macro_rules! landmark {
    () => {
        None
    };
    ($landmark:ident) => {
        Some(Landmark::$landmark)
    };
    ($landmark:ident if $marked:expr) => {
        $marked.then_some(Landmark::$landmark)
    };
}

macro_rules! touches {
    () => {
        Vec::new()
    };
    ($touches:expr) => {
        Vec::from($touches)
    };
}

macro_rules! patches {
    ($event:ident) => {
        Vec::new()
    };
    ($event:ident, $by:pat_param, $patches:expr) => {{
        let $by = $event.job.unwrap_or(0);
        Vec::from($patches)
    }};
}

operations! { transactions log memory jobs tables manifest recovery checkpoints details define ; }
