//! Questions of programs: a typed one for each thing that a page draws, with the function that answers it. People type
//! commands, whose words end in the same functions.

use super::bytes::InspectedFile;
use super::{buckets, contents, explain, figures, follow, hex, layout, memtree, share};
use crate::output::{Answer, Json};
use crate::result::{CompareResult, HexResult, PartResult, RibbonResult};
use crate::session::{Session, Stop, Task, Turn};
use levelscope::view::{MemtableTree, RecentWrites, TableContents};
use levelscope::{FileEntry, PrefixBuckets};
use levelscope_labs::{LABS, LabInfo};
use serde::Deserialize;

/// Each question with its kind, its fields, the type of its answer, and the call that answers it. Then the kinds that only
/// commands answer, and those that are written where an experiment runs, perhaps in a module of its own.
macro_rules! queries {
    (
        $session:ident;
        $($(#[$doc:meta])* $kind:ident: $name:ident {
            $($(#[$field_doc:meta])* $field:ident: $type:ty,)*
        } -> $answer:ty = $ask:expr;)*;
        $($(#[$other_doc:meta])* $other:ident: $result:ty,)*;
        $($(#[$written_doc:meta])* $written:ident: $report:ty,)*
    ) => {
        /// A question that leaves no trace; the answer is the result of the command that people would type.
        #[derive(Debug, Deserialize)]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(tag = "ask"))]
        #[serde(rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
        // Variants without fields have braces: serde refuses unknown fields only of those.
        pub enum Query {
            $($(#[$doc])* $name { $($(#[$field_doc])* $field: $type,)* },)*
        }

        impl Task for Query {
            fn step(&mut self, $session: &mut Session) -> Result<Turn, Stop> {
                Ok(Turn::Done(match self {$(
                    Self::$name { $($field),* } => Answer::$kind($ask),
                )*}))
            }
        }

        impl Answer {
            $($(#[$doc])* pub(crate) fn $kind(value: $answer) -> Self {
                Self { kind: stringify!($kind), value: Json::of(value) }
            })*
            $($(#[$other_doc])* pub(crate) fn $other(value: $result) -> Self {
                Self { kind: stringify!($other), value: Json::of(value) }
            })*
        }

        /// The type of each kind of answer. A [`Query`] has the answer of its own name.
        #[cfg(feature = "typescript")]
        #[derive(Debug, ts_rs::TS)]
        pub struct Answers {
            $($(#[$doc])* pub $kind: $answer,)*
            $($(#[$other_doc])* pub $other: $result,)*
            $($(#[$written_doc])* pub $written: $report,)*
        }
    };
}

queries! {
    session;
    /// The files of the database.
    files: Files {} -> Vec<FileEntry> = session.files()?;
    /// The figures of the database.
    stats: Stats {} -> figures::StatsResult = figures::stats_of(&session.db()?);
    /// The tree of a memtable.
    memtable: Memtable {
        /// Its number.
        memtable: u64,
        /// The key whose search path is returned, if any.
        key: Option<Vec<u8>>,
    } -> MemtableTree = memtree::tree(session, Some(*memtable), key.as_deref())?;
    /// The newest entries of each memtable.
    recent: Recent {
        /// Most entries of each.
        limit: u64,
    } -> Vec<RecentWrites> = memtree::recent(session, *limit)?;
    /// The entries of some tables of the levels, or of all; those that are in no level are left out.
    contents: Contents {
        /// Their numbers.
        tables: Vec<u64>,
        /// Most entries of each.
        limit: u64,
    } -> Vec<TableContents> = contents::of(session, tables, *limit)?.0;
    /// Every version of a key.
    follow: Follow {
        /// The key.
        key: Vec<u8>,
    } -> follow::FollowResult = follow::versions(session, key)?;
    /// The buckets of both prefix indexes of a table.
    buckets: Buckets {
        /// The number of the table.
        table: u64,
        /// Most buckets of each.
        limit: u64,
    } -> Vec<PrefixBuckets> = buckets::of(session, Some(*table), &buckets::FORMS, (0, *limit))?;
    /// A file summed up for a ribbon.
    ribbon: Ribbon {
        /// `table:12`, `CURRENT`, or the name of a file of a directory.
        file: String,
        /// Most stretches.
        stretches: u64,
    } -> RibbonResult = layout::ribbon(session, named(session, file)?, *stretches)?;
    /// A part of a file, with some of its own parts.
    part: Part {
        /// As for a ribbon.
        file: String,
        /// The steps down from the file: `block:2/entry:5`; empty: the file itself.
        path: String,
        /// Parts that are left out at the beginning.
        skip: u64,
        /// Most parts.
        limit: u64,
    } -> PartResult = layout::part(session, named(session, file)?, path, (*skip, *limit))?;
    /// Bytes of a file, with their names.
    hex: Hex {
        /// As for a ribbon.
        file: String,
        /// The compressed part whose content is read; `None`: the file.
        inside: Option<String>,
        /// The first byte.
        offset: u64,
        /// Number of bytes.
        length: u64,
    } -> HexResult = hex::bytes(session, named(session, file)?, inside.as_deref(), (*offset, *length))?;
    /// The first place of some bytes in a file.
    find: Find {
        /// As for a ribbon.
        file: String,
        /// As for [`Query::Hex`].
        inside: Option<String>,
        /// The first byte that may be the place.
        offset: u64,
        /// The bytes.
        bytes: Vec<u8>,
    } -> HexResult = match hex::find(session, named(session, file)?, inside.as_deref(), offset, bytes)? {
        Some(found) => found,
        None => return Ok(Turn::More),
    };
    /// The experiments.
    labs: Labs {} -> &'static [&'static LabInfo] = LABS;
    ;
    /// `explain`.
    explain: explain::ExplainResult,
    /// `compare`.
    compare: CompareResult,
    /// `share`.
    share: share::ShareResult,
    ;
    /// `lab` with an experiment.
    report: crate::result::LabReport,
    /// `lab all`, and experiments that were stopped.
    reports: Vec<crate::result::LabReport>,
}

fn named(session: &Session, file: &str) -> Result<InspectedFile, Stop> {
    Ok(InspectedFile::find(session, file.as_bytes())?)
}

impl Query {
    /// Whether the answer is the same at every step.
    pub(crate) fn is_timeless(&self) -> bool {
        matches!(self, Self::Labs {})
    }
}
