//! What each verb does; one file a group.

mod batch;
mod bench;
mod buckets;
mod bytes;
mod check;
mod craft;
mod data;
mod explain;
mod figures;
mod fill;
mod help;
mod hex;
mod jobs;
mod lab;
mod layout;
mod levels;
mod logs;
mod measure;
mod memtree;
mod opened;
mod options;
mod page;
mod plan;
mod scan;
mod settings;
mod snapshots;
mod time;
mod transactions;
mod work;

pub(crate) use opened::{Opening, format_called};
pub(crate) use time::{crash_at, tell_hit};

use crate::verbs::Verb;

/// All verbs, group by group, in the order of help.
pub(crate) const TABLES: &[&[Verb]] = &[
    data::VERBS,
    scan::VERBS,
    batch::VERBS,
    snapshots::VERBS,
    fill::VERBS,
    measure::VERBS,
    bench::VERBS,
    lab::VERBS,
    transactions::VERBS,
    jobs::VERBS,
    work::VERBS,
    levels::VERBS,
    buckets::VERBS,
    logs::VERBS,
    layout::VERBS,
    hex::VERBS,
    figures::VERBS,
    check::VERBS,
    explain::VERBS,
    opened::VERBS,
    craft::VERBS,
    time::CURSOR,
    time::FORKS,
    time::POINTS,
    time::CRASHES,
    time::CAUSES,
    time::MERGE,
    options::VERBS,
    settings::VERBS,
    page::VERBS,
    help::VERBS,
];
