//! Answers queries.

use super::answer::{FamilyLine, FileLine, LifeLine, Overview};
use super::levels::style_word;
use super::shown::bytes_of;
use crate::directory::Directory;
use crate::directory::outside::describe;
use crate::directory::unnamed::unnamed;
use crate::files::total;
use crate::inspect::{self, OpenedPart, Raw};
use crate::manifest::{Life, LifeEvent};
use crate::name::FileName;
use crate::problem;
use crate::report::{self, Evidence, Focus, Question, Shares};
use crate::{Error, ErrorKind, Family, FileInfo, Problem, Result};
use std::collections::{BTreeMap, BTreeSet};

impl Directory<'_> {
    /// The part at `path` of a file, with up to `limit` of its parts from place `from` on.
    ///
    /// # Errors
    /// Those of [`inspect::open`].
    pub fn opened(
        &self,
        file: &str,
        path: &[usize],
        (from, limit): (usize, usize),
    ) -> Result<OpenedPart> {
        inspect::open(self.files(), self.engine(), file, path, (from, limit))
    }

    /// Up to `limit` bytes of a file, or of the decoded content that the part at `path` is in.
    ///
    /// # Errors
    /// Those of [`inspect::raw`].
    pub fn raw(&self, file: &str, path: &[usize], (offset, limit): (u64, usize)) -> Result<Raw> {
        inspect::raw(self.files(), self.engine(), file, path, (offset, limit))
    }

    /// The report on a question.
    ///
    /// # Errors
    /// There is no such question.
    pub fn report(
        &self,
        id: &str,
        family: Option<u32>,
        key: Option<&[u8]>,
    ) -> Result<report::Report> {
        let question = Question::named(id).ok_or_else(|| {
            let all: Vec<&str> = Question::all().map(Question::id).collect();
            let message = format!("there is no report \"{id}\": {}", all.join(", "));
            Error::new(ErrorKind::Invalid, message)
        })?;
        let (summaries, mut problems) = (self.summaries(), self.findings());
        if question == Question::Damage {
            describe(self.outside()?, self.engine(), &mut problems);
        }
        let shares = Shares::of(self.state());
        let evidence = Evidence {
            files: self.files(),
            manifest: self.files().loose().is_none().then(|| self.manifest()),
            state: self.state(),
            options: self.options(),
            events: self.events(),
            summaries,
            shares: &shares,
            logs: self.logs().ok(),
            checked: self.checked(),
            problems: &problems,
        };
        let focus = key.map(|key| Focus {
            family: family.unwrap_or(0),
            start: key.to_vec(),
            end: key.to_vec(),
        });
        Ok(report::answer(question, &evidence, focus.as_ref()))
    }

    /// As [`Directory::report`], with the key as hexadecimal digits.
    ///
    /// # Errors
    /// There is no such question; the digits are none.
    pub fn report_of(
        &self,
        id: &str,
        family: Option<u32>,
        key: Option<&str>,
    ) -> Result<report::Report> {
        let key = key.map(bytes_of).transpose()?;
        self.report(id, family, key.as_deref())
    }

    /// Checks everything, the problems of opening included.
    pub fn check_all(&self, deep: bool) -> Vec<Problem> {
        let mut problems = self.problems();
        for target in self.check_targets() {
            self.check(&target, deep, &mut |problem| problems.push(problem));
        }
        problem::distinct(problems, self.files())
    }

    /// The directory as a whole.
    ///
    /// # Errors
    /// The logs cannot be read.
    pub fn overview(&self) -> Result<Overview> {
        let manifest = self.manifest();
        let state = self.state();
        let starts_empty = manifest.state_at(self.files(), 0).is_ok_and(|first| {
            first.families.values().all(|family| family.levels.values().all(Vec::is_empty))
        });
        let logs = self.logs()?;
        let family_line = |family: &Family| {
            let tables = family.levels.values().flatten();
            let options = self.family_options(family);
            let style = options.and_then(|options| options.compaction_style.value().copied());
            FamilyLine {
                id: family.id,
                name: family.name.clone(),
                comparator: family.comparator_name.clone(),
                order_known: family.comparator.is_known(),
                is_reverse: family.comparator.is_reverse(),
                tables: tables.clone().count(),
                table_bytes: total(tables.map(|table| table.bytes)),
                blob_files: family.blob_files.len(),
                blob_bytes: total(family.blob_files.values().map(|blob| blob.file_bytes)),
                log_entries: logs.entries_of(family.id).0,
                compaction_style: style.map(|style| style_word(style).to_owned()),
            }
        };
        let has_manifest = self.has_manifest();
        Ok(Overview {
            engine: state.engine.id(),
            engine_name: state.engine.name(),
            evidence: self.recognized().evidence.clone(),
            manifest: has_manifest.then(|| manifest.name().to_owned()),
            edits: manifest.applied(),
            edits_left: manifest.cut().map_or(0, |cut| cut.edits),
            steps: manifest.steps().len(),
            begins_empty: starts_empty,
            last_sequence: has_manifest.then(|| self.last_sequence()).transpose()?,
            families: state.families.values().map(family_line).collect(),
            shown_first: self.largest_family().map_or(0, |family| family.id),
            files: self.file_lines(),
            bytes: total(self.files().list().iter().map(|file| file.bytes)),
            problems: self.findings(),
        })
    }

    /// Every file, and whether the database would read it.
    fn file_lines(&self) -> Vec<FileLine> {
        let counted = self.counted_names();
        let unnamed = unnamed(self.files(), self.manifest());
        let known = unnamed.iter().map(|file| (file.name.as_str(), file.left.is_some()));
        let mut unnamed = BTreeMap::new();
        unnamed.extend(known);
        let options = self.options().map(|options| options.file.clone());
        let hides_snapshot = self.manifest().cut().is_some_and(|cut| cut.hides_snapshot);
        let line = |file| {
            let mut line = file_line(file, &self.files().kind(&file.name), &counted);
            if line.kind == "options" && options.as_ref().is_some_and(|name| *name != line.name) {
                (line.counts, line.why) = (false, "options of an earlier time".into());
            }
            if self.newer().iter().any(|newer| newer.name == line.name) {
                line.in_no_level = true;
                let engine = self.engine().name();
                line.why = format!("newer than the manifest: {engine} deletes it when it opens");
            }
            if let Some(is_known) = unnamed.get(line.name.as_str()) {
                line.in_no_level = true;
                line.why = match is_known {
                    true => "no level has it: the history ends before the edit that adds it",
                    false if hides_snapshot => {
                        "no level has it: it may be live, the damaged record may name it"
                    }
                    false => "no level has it: the history ends early, and a later edit may add it",
                }
                .into();
            }
            line
        };
        self.files().list().iter().map(line).collect()
    }

    /// Names of the files that the database would read.
    fn counted_names(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for family in self.state().families.values() {
            for table in family.levels.values().flatten() {
                names.insert(crate::directory::tables::file_name(
                    self.files(),
                    self.engine(),
                    table.backing,
                ));
            }
            for number in family.blob_files.keys() {
                names.insert(crate::directory::values::blob_name(*number));
            }
        }
        if let Ok(logs) = self.logs() {
            let counted = logs.files.iter().filter(|file| file.counts);
            names.extend(counted.map(|file| file.name.clone()));
        }
        names.insert(self.manifest().name().to_owned());
        names
    }

    /// Events of table `number`, in order.
    ///
    /// # Errors
    /// The manifest cannot be read any more.
    pub fn life_lines(&self, number: u64) -> Result<Vec<LifeLine>> {
        let line = |life: Life| {
            let step = life.step.map(|step| self.step_line(step)).transpose()?;
            Ok(LifeLine { edit: life.edit, event: life.event, step })
        };
        let mut lives = self.manifest().life(number);
        // The changes of edits after damage are not in the history.
        let left = self.manifest().cut().and_then(|cut| cut.added.get(&number));
        if let Some((level, _)) = left.filter(|_| lives.iter().all(|life| life.step.is_some())) {
            let (edit, event) =
                (self.manifest().applied(), LifeEvent::NotApplied { level: *level });
            lives.push(Life { edit, step: None, event });
        }
        for life in lives.iter_mut().filter(|life| life.step.is_none()) {
            if let LifeEvent::Born { level } = life.event {
                life.event = LifeEvent::NotApplied { level };
            }
        }
        lives.into_iter().map(line).collect()
    }
}

fn file_line(file: &FileInfo, kind: &FileName, counted: &BTreeSet<String>) -> FileLine {
    let is_counted = counted.contains(&file.name);
    let (kind, counts, why) = match kind {
        FileName::Table(_) if is_counted => ("table", true, "a table of a level"),
        FileName::Table(_) => ("table", false, "no level has it: it is newer or obsolete"),
        FileName::Log { archived: true, .. } => ("log", false, "an archived log"),
        FileName::Log { .. } if is_counted => ("log", true, "recovery would read it"),
        FileName::Log { .. } => ("log", false, "its entries are in tables"),
        FileName::Blob(_) if is_counted => ("blob", true, "tables refer to it"),
        FileName::Blob(_) => ("blob", false, "no table refers to it"),
        FileName::Manifest(_) if is_counted => ("manifest", true, "the manifest that counts"),
        FileName::Manifest(_) => ("manifest", false, "an older or newer manifest"),
        FileName::Options(_) => ("options", true, "options of the database"),
        FileName::InfoLog { .. } => {
            ("info_log", false, "a log of events, as text, which recovery does not read")
        }
        FileName::Marker { .. } => ("marker", true, "a marker"),
        FileName::Current => ("other", true, "names the manifest that counts"),
        FileName::Identity => ("other", true, "the id of the database"),
        FileName::Ignored => ("other", false, "a lock or a temporary file"),
        FileName::Unknown => ("other", false, "no file of the database"),
    };
    let (name, why) = (file.name.clone(), why.to_owned());
    FileLine { name, bytes: file.bytes, kind, counts, in_no_level: false, why }
}
