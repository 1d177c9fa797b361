//! Whether the engine itself would open the directory, as far as that is known: opening damaged databases with RocksDB
//! 11.8 (read-only) and with Pebble showed it, see the fixtures.

use super::{Losses, is_missing};
use crate::manifest::CutCause;
use crate::name::FileName;
use crate::problem::Standing;
use crate::report::Evidence;
use crate::text::listed;
use crate::{Engine, Problem, Severity};

/// A sentence; `None` where nothing is wrong, or where it is not known.
pub(super) fn words(evidence: &Evidence<'_>, losses: &Losses<'_>) -> Option<String> {
    let cut = evidence.manifest.and_then(|manifest| manifest.cut());
    if losses.errors.is_empty() && cut.is_none() {
        return None;
    }
    let engine = evidence.state.engine;
    let (refusals, silent) = match engine {
        Engine::RocksDb => rocksdb(evidence, losses),
        Engine::Pebble => pebble(evidence, losses),
        Engine::LevelDb => return None,
    };
    let name = engine.name();
    if !refusals.is_empty() {
        return Some(format!("{name} refuses to open this directory: {}.", listed(&refusals)));
    }
    (!silent.is_empty()).then(|| format!("{name} opens this directory: {}.", listed(&silent)))
}

/// Files of findings with `state` whose names are of a kind.
fn first<'e>(
    losses: &Losses<'e>,
    is_kind: impl Fn(&FileName) -> bool,
    state: Standing,
) -> Option<&'e Problem> {
    let of = |one: &&&Problem| one.state == state && is_kind(&FileName::parse(&one.file));
    losses.errors.iter().find(of).copied()
}

/// That a table of a level is missing.
fn missing_table(evidence: &Evidence<'_>, losses: &Losses<'_>) -> Option<String> {
    let mut tables = losses.tables.iter();
    let (_, _, table) = tables.find(|(_, _, table)| is_missing(evidence, table))?;
    Some(format!("{} is missing", table.file_name()))
}

fn rocksdb(evidence: &Evidence<'_>, losses: &Losses<'_>) -> (Vec<String>, Vec<String>) {
    let (mut refusals, mut silent) = (Vec::new(), Vec::new());
    if let Some(manifest) = evidence.manifest {
        let name = manifest.name();
        match manifest.cut().map(|cut| &cut.cause) {
            Some(CutCause::Damaged) => refusals.push(format!("{name} is damaged")),
            Some(CutCause::Empty) => refusals.push(format!("{name} holds no edit")),
            Some(CutCause::StandIn { named }) => refusals.push(format!("{named} is missing")),
            Some(CutCause::Torn) => {
                silent.push(format!("it drops the last record of {name}, which is cut off"));
            }
            Some(CutCause::Group { .. }) => {
                silent.push("it drops the unfinished atomic group without a word".to_owned());
            }
            None => {}
        }
    }
    let is_current = |name: &FileName| matches!(name, FileName::Current);
    let is_bad = |one: &&Problem| is_current(&FileName::parse(&one.file));
    if let Some(current) = losses.errors.iter().copied().find(is_bad) {
        refusals.push(format!("{} is {}", current.file, current.state.word()));
    }
    refusals.extend(missing_table(evidence, losses));
    let is_short = |one: &&&Problem| one.message.starts_with("the manifest says");
    if let Some(table) = losses.errors.iter().find(is_short) {
        refusals.push(format!("{} does not have the length that the manifest says", table.file));
    }
    let is_blob = |name: &FileName| matches!(name, FileName::Blob(_));
    if let Some(blob) = first(losses, is_blob, Standing::Missing) {
        silent.push(format!("only reads of the values in {} fail", blob.file));
    }
    let is_log = |name: &FileName| matches!(name, FileName::Log { .. });
    if let Some(log) = first(losses, is_log, Standing::Damaged) {
        log_words(evidence, &log.file, &mut refusals, &mut silent);
    }
    (refusals, silent)
}

/// What RocksDB does with a damaged log.
fn log_words(
    evidence: &Evidence<'_>,
    log: &str,
    refusals: &mut Vec<String>,
    silent: &mut Vec<String>,
) {
    let database = evidence.options.and_then(|options| options.database());
    match database.and_then(|section| section.get("wal_recovery_mode")) {
        Some("kAbsoluteConsistency") => {
            refusals
                .push(format!("{log} is damaged, and wal_recovery_mode is absolute consistency"));
        }
        Some("kTolerateCorruptedTailRecords") => refusals.push(format!(
            "{log} is damaged, and wal_recovery_mode tolerates damage only at the end of the log"
        )),
        Some("kSkipAnyCorruptedRecords") => {
            silent.push(format!("it skips the damaged records of {log} and reads on"));
        }
        _ => silent
            .push(format!("point-in-time recovery stops at the damage in {log} without a word")),
    }
}

fn pebble(evidence: &Evidence<'_>, losses: &Losses<'_>) -> (Vec<String>, Vec<String>) {
    let (mut refusals, mut silent) = (Vec::new(), Vec::new());
    let is_marker = |one: &&&Problem| {
        one.severity == Severity::Error
            && matches!(FileName::parse(&one.file), FileName::Marker { .. })
    };
    if losses.errors.iter().any(|one| is_marker(&one)) {
        refusals.push("without the marker of its manifest it finds no database".to_owned());
    }
    refusals.extend(missing_table(evidence, losses));
    if let Some(manifest) = evidence.manifest {
        let name = manifest.name();
        if let Some(CutCause::Damaged | CutCause::Torn) = manifest.cut().map(|cut| &cut.cause) {
            silent.push(format!("it takes this for the end of {name}, without a word"));
        }
    }
    (refusals, silent)
}
