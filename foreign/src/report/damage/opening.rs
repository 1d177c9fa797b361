//! Predicts whether the engine would open the directory. The rules come from opening damaged databases with LevelDB,
//! RocksDB and Pebble, see the fixtures.

use super::Losses;
use crate::manifest::CutCause;
use crate::name::FileName;
use crate::problem::Standing;
use crate::report::Evidence;
use crate::text::{family as family_words, listed};
use crate::{Engine, Family, Problem};

/// Reaction of the engine to the directory.
#[derive(Default)]
pub(super) struct Opening {
    /// Reasons to refuse the directory.
    pub(super) refusals: Vec<String>,
    /// Damage that it passes over.
    silent: Vec<String>,
}

impl Opening {
    pub(super) fn of(evidence: &Evidence<'_>, losses: &Losses<'_>) -> Self {
        let mut opening = Self::default();
        let cut = evidence.manifest.and_then(|manifest| manifest.cut());
        let has_findings = !losses.errors.is_empty() || cut.is_some();
        let stopped = evidence.logs.and_then(|logs| logs.stopped.as_ref());
        if has_findings || stopped.is_some() {
            opening.manifest(evidence, losses);
            opening.tables(evidence, losses);
            match evidence.state.engine {
                Engine::RocksDb => opening.rocksdb(evidence, losses),
                Engine::Pebble => opening.pebble(evidence, losses),
                Engine::LevelDb => {}
                // Damage in a log is never taken for its end.
                Engine::Levelscope => {
                    let damaged = stopped.filter(|(log, _)| losses.files.contains(log.as_str()));
                    opening.refusals.extend(damaged.map(|(log, _)| format!("{log} is damaged")));
                }
            }
        }
        opening
    }

    /// A sentence; `None` without damage, or when the outcome is not known.
    pub(super) fn words(&self, evidence: &Evidence<'_>) -> Option<String> {
        let name = evidence.state.engine.name();
        if !self.refusals.is_empty() {
            let refusals = listed(&self.refusals);
            return Some(format!("{name} refuses to open this directory: {refusals}."));
        }
        let silent = listed(&self.silent);
        (!self.silent.is_empty()).then(|| format!("{name} opens this directory: {silent}."))
    }

    fn manifest(&mut self, evidence: &Evidence<'_>, losses: &Losses<'_>) {
        let engine = evidence.state.engine;
        let is_strict = engine != Engine::Pebble;
        if let Some(manifest) = evidence.manifest {
            let name = manifest.name();
            let reads_as_end = manifest.cut().is_some_and(|cut| cut.reads_as_end);
            match manifest.cut().map(|cut| &cut.cause) {
                Some(CutCause::Damaged) if is_strict && !reads_as_end => {
                    self.refusals.push(format!("{name} is damaged"));
                }
                Some(CutCause::Damaged) if is_strict => {
                    self.silent.push(format!("it silently takes the damage for the end of {name}"));
                }
                Some(CutCause::Damaged | CutCause::Torn) if !is_strict => {
                    self.silent.push(format!("it silently takes this for the end of {name}"));
                }
                Some(CutCause::Absent) => self.refusals.push("its manifest is missing".to_owned()),
                Some(CutCause::Empty) => self.refusals.push(format!("{name} holds no edit")),
                Some(CutCause::StandIn { named }) => {
                    self.refusals.push(format!("{named} is missing"));
                }
                Some(CutCause::Torn) => {
                    self.silent
                        .push(format!("it drops the last record of {name}, which is cut off"));
                }
                Some(CutCause::Group { .. }) => {
                    self.silent.push("it silently drops the unfinished atomic group".into());
                }
                Some(CutCause::Damaged) | None => {}
            }
            // The numbers without which nothing is opened, and edits that do not fit the levels.
            let is_cut = manifest.cut().is_some_and(|cut| !cut.is_normal() && !reads_as_end);
            let is_own = |one: &&&Problem| one.file == name && !is_cut_words(&one.message);
            let own = losses.errors.iter().find(is_own);
            let refuses = |one: &&Problem| {
                let lacks = |words| one.message.starts_with(words);
                engine != Engine::LevelDb
                    || lacks("no edit records")
                    || lacks("the manifest has no edit")
            };
            if let Some(own) = own.copied().filter(|one| !is_cut && refuses(one)) {
                self.refusals.push(format!("{name} contradicts itself: {}", own.message));
            }
        }
        let is_pointer = |one: &&&Problem| match FileName::parse(&one.file) {
            FileName::Current => engine != Engine::Pebble,
            FileName::Marker { .. } => engine == Engine::Pebble,
            _ => false,
        };
        match losses.errors.iter().find(is_pointer) {
            Some(_) if engine == Engine::Pebble => self
                .refusals
                .push("without the marker of its manifest it finds no database".to_owned()),
            Some(current) => {
                self.refusals.push(format!("{} is {}", current.file, current.state.word()));
            }
            None => {}
        }
    }

    fn tables(&mut self, evidence: &Evidence<'_>, losses: &Losses<'_>) {
        // Also those that an edit after the cut removes, which are no loss.
        if let Some((_, _, table)) =
            evidence.tables().find(|(_, _, table)| evidence.is_missing(table))
        {
            let name = evidence.file_name(table);
            self.refusals.push(format!("{name} is missing"));
        }
        if matches!(evidence.state.engine, Engine::LevelDb | Engine::Levelscope) {
            return;
        }
        let is_short = |one: &&&Problem| one.message.starts_with("the manifest records");
        if let Some(table) = losses.errors.iter().find(is_short) {
            let file = &table.file;
            self.refusals
                .push(format!("{file} does not have the length that the manifest records"));
        }
    }

    /// Opening a table of RocksDB reads all its blocks but those of the data.
    fn unopened(&mut self, evidence: &Evidence<'_>, losses: &Losses<'_>) {
        for (family, _, table) in &losses.tables {
            let name = evidence.file_name(table);
            let order = family.comparator;
            let opened = crate::table::open(evidence.files, &name, Engine::RocksDb, order);
            let blocks = opened.and_then(|table| table.data_blocks());
            let is_data = |offset: u64| {
                let mut blocks = blocks.iter().flatten().map(|block| block.handle);
                blocks.any(|at| (at.offset..=at.offset.saturating_add(at.bytes)).contains(&offset))
            };
            let mut own = losses.errors.iter().filter(|one| one.file == name);
            if own.any(|one| one.offset.is_some_and(|offset| !is_data(offset))) {
                self.refusals.push(format!("{name} cannot be opened"));
                return;
            }
        }
    }

    fn rocksdb(&mut self, evidence: &Evidence<'_>, losses: &Losses<'_>) {
        if self.refusals.is_empty() {
            self.unopened(evidence, losses);
        }
        let is_blob = |one: &&&Problem| {
            matches!(FileName::parse(&one.file), FileName::Blob(_))
                && one.state == Standing::Missing
        };
        if let Some(blob) = losses.errors.iter().find(is_blob) {
            self.silent.push(format!("only reads of the values in {} fail", blob.file));
        }
        let Some((log, _)) = evidence.logs.and_then(|logs| logs.stopped.as_ref()) else { return };
        let is_damaged = losses.files.contains(log.as_str());
        let database = evidence.options.and_then(|options| options.database());
        let how = if is_damaged { "damaged" } else { "cut off" };
        match database.and_then(|section| section.get("wal_recovery_mode")) {
            Some("kAbsoluteConsistency") => self
                .refusals
                .push(format!("{log} is {how}, and wal_recovery_mode is absolute consistency")),
            Some("kTolerateCorruptedTailRecords") if is_damaged => self.refusals.push(format!(
                "{log} is damaged, and wal_recovery_mode tolerates damage only at the end of the log"
            )),
            Some("kTolerateCorruptedTailRecords") => {}
            Some("kSkipAnyCorruptedRecords") => {
                self.silent.push(format!("it skips the damaged records of {log} and reads on"));
            }
            _ => match ahead(evidence) {
                Some(family) => self.refusals.push(format!(
                    "\"Corruption: SST file is ahead of WALs in CF {}\", because point-in-time recovery ends in \
                     {log}, which is {how}, and the tables of {} hold later writes",
                    family.name,
                    family_words(&family.name)
                )),
                None if is_damaged => self.silent.push(format!(
                    "point-in-time recovery silently stops at the damage in {log}"
                )),
                None => {}
            },
        }
    }

    /// Pebble reads damage for the end of the newest log, and refuses it in an older one.
    fn pebble(&mut self, evidence: &Evidence<'_>, losses: &Losses<'_>) {
        let logs = evidence.logs.map_or(&[][..], |logs| &logs.files);
        let newest = logs.iter().rfind(|file| file.counts).map(|file| file.number);
        for file in logs.iter().filter(|file| losses.files.contains(&*file.name)) {
            let name = &file.name;
            if Some(file.number) == newest {
                self.silent.push(format!("it takes the damage for the end of {name}"));
            } else {
                self.refusals.push(format!("{name} is damaged and not the newest log"));
            }
        }
    }
}

/// Whether the message reports the damage that ends the history, which is no contradiction.
fn is_cut_words(message: &str) -> bool {
    message.contains("the history ends before it")
}

/// The first family whose tables hold writes that come after the last damage that recovery meets: RocksDB opens no
/// database of which one family would be newer than the others.
pub(super) fn ahead<'e>(evidence: &Evidence<'e>) -> Option<&'e Family> {
    let number = evidence.logs?.damaged?;
    let mut families = evidence.state.families.values();
    families.find(|family| {
        family.log_number > number && family.levels.values().any(|tables| !tables.is_empty())
    })
}
