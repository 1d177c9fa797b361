//! Reads a manifest once and makes its index.

use super::apply::{Builder, Fault};
use super::decode::decode;
use super::index::{Change, ChangeKind, Checkpoint, EditEntry, Manifest, Step};
use super::{Cut, CutCause, Edit, StepKind, kind};
use crate::frame::{End, LogKind, Record, Records};
use crate::text::number;
use crate::{Engine, Error, Files, Problem, Result, Severity, State};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Edits between two states that are kept.
const INTERVAL: u32 = 256;
/// Between two states that are kept there are at least as many edits as this part of the tables.
const SHARE: usize = 16;
/// Bytes that the kept states may take; beyond it, every second one is dropped.
const KEPT_BYTES: usize = 128 << 20;
/// Memory of a table, its keys included \[bytes\].
const TABLE_BYTES: usize = 480;
/// Memory of a family without tables, its name included \[bytes\].
const FAMILY_BYTES: usize = 400;
/// Memory of a blob file \[bytes\].
const BLOB_BYTES: usize = 160;
/// Memory of a tracked log or a shared file \[bytes\].
const PAIR_BYTES: usize = 32;
/// Contradictions that are reported one by one.
const FAULTS_MAX: usize = 100;

impl Manifest {
    /// Reads manifest `name`. Damage is no failure: the index ends before it, and the problems hold its place and the
    /// number of records that follow.
    ///
    /// # Errors
    /// `Missing` when the file is not there; those of the host that reads it.
    pub fn open(files: &dyn Files, name: &str, engine: Engine) -> Result<Self> {
        let mut records = Records::open(files, name, LogKind::Manifest(engine))?;
        let mut reader = Reader::new(name, engine);
        let mut failed = None;
        while let Some(record) = records.read()? {
            if let Err(error) = reader.take(&record) {
                failed = Some(error);
                break;
            }
        }
        let failed_is_none = failed.is_none();
        let error = match (failed, records.end()) {
            (Some(error), _) => Some(error),
            (None, Some(End::Damaged(error))) => Some(error.clone()),
            (None, Some(End::Torn { offset, bytes })) => {
                reader.torn(*offset, *bytes);
                None
            }
            _ => None,
        };
        if let Some(error) = error {
            let mut cut = Cut::new(CutCause::Damaged, error.offset());
            cut.reads_as_end = failed_is_none && records.is_past_end();
            take_readable(&mut records, engine, &mut cut)?;
            cut.hides_snapshot = reader.is_snapshot_cut();
            reader.damaged(&error, cut);
        }
        Ok(reader.finish())
    }
}

/// Takes in the edits that can be read from here to the end.
fn take_readable(records: &mut Records<'_>, engine: Engine, cut: &mut Cut) -> Result<()> {
    loop {
        while let Some(record) = records.read()? {
            if let Ok(edit) = decode(engine, &record.data, None) {
                cut.take(edit);
            }
        }
        if !records.resume()? {
            return Ok(());
        }
    }
}

pub(super) struct Reader {
    pub(super) manifest: Manifest,
    builder: Builder,
    /// Edits of an atomic group that is not yet whole.
    group: Vec<(u32, Edit)>,
    /// Whether edits still belong to the snapshot.
    pub(super) in_snapshot: bool,
    /// Whether only the snapshot and edits of recovery have come so far.
    recovers: bool,
    /// Whether log number, next file and last sequence have appeared.
    seen: [bool; 3],
    faults: usize,
    interval: u32,
    kept_bytes: usize,
}

impl Reader {
    pub(super) fn new(name: &str, engine: Engine) -> Self {
        let mut builder = Builder::new(engine);
        let first = Arc::new(builder.state());
        let manifest = Manifest {
            name: name.to_owned(),
            engine,
            edits: Vec::new(),
            changes: Vec::new(),
            steps: Vec::new(),
            checkpoints: vec![Checkpoint { edits: 0, state: Arc::clone(&first) }],
            last: first,
            problems: Vec::new(),
            cut: None,
            names: BTreeMap::new(),
        };
        Self {
            manifest,
            builder,
            group: Vec::new(),
            in_snapshot: true,
            recovers: true,
            seen: [false; 3],
            faults: 0,
            interval: INTERVAL,
            kept_bytes: 0,
        }
    }

    /// Takes the next record.
    fn take(&mut self, record: &Record) -> Result<()> {
        let name = &self.manifest.name;
        let located = |error: Error| record.located(&error).in_file(name);
        let edit = decode(self.manifest.engine, &record.data, None).map_err(located)?;
        self.check_group(&edit).map_err(located)?;
        let index = u32::try_from(self.manifest.edits.len()).unwrap_or(u32::MAX);
        let kind = self.kind_of(index, &edit);
        self.manifest.edits.push(EditEntry {
            offset: record.offset,
            bytes: u32::try_from(record.data.len()).unwrap_or(u32::MAX),
            family: edit.family,
            kind,
            changes: u32::try_from(self.manifest.changes.len()).unwrap_or(u32::MAX),
        });
        self.note_changes(&edit);
        if let Some(name) = &edit.family_added {
            self.manifest.names.insert(edit.family, name.clone());
        }
        if edit.group_left.is_some_and(|left| left > 0) {
            self.group.push((index, edit));
            return Ok(());
        }
        let mut edits = std::mem::take(&mut self.group);
        edits.push((index, edit));
        self.step(edits);
        Ok(())
    }

    /// Whether the edit continues the open atomic group, if any.
    fn check_group(&self, edit: &Edit) -> Result<()> {
        let Some((_, last)) = self.group.last() else { return Ok(()) };
        let expected = last.group_left.and_then(|left| left.checked_sub(1));
        if edit.group_left == expected {
            return Ok(());
        }
        let expected = expected.unwrap_or(0);
        let message = match edit.group_left {
            Some(left) => format!("a corrupted atomic group: {left} edits left, not {expected}"),
            None => "a corrupted atomic group: an edit without a group is in it".to_owned(),
        };
        Err(Error::damaged(0, message))
    }

    fn kind_of(&mut self, index: u32, edit: &Edit) -> StepKind {
        if self.in_snapshot {
            // The snapshot is one record in Pebble. The others write it in several, without the next file number.
            let alone = self.manifest.engine == Engine::Pebble || edit.next_file.is_some();
            if index == 0 {
                self.in_snapshot = !alone;
                return StepKind::Snapshot;
            }
            if edit.next_file.is_none() && edit.group_left.is_none() {
                return StepKind::Snapshot;
            }
            self.in_snapshot = false;
        }
        let is_running = |edit: &Edit| {
            self.builder.has_tables()
                && kind::is_running_flush(edit, |number| {
                    self.builder.has_table(edit.family, number)
                })
        };
        let may_recover = self.recovers && !is_running(edit);
        let kind = kind::of(self.manifest.engine, edit, may_recover);
        self.recovers &= kind == StepKind::Recovery;
        kind
    }

    /// Whether the snapshot at the beginning of the manifest may go on after the edits so far. In LevelDB and Pebble it is
    /// one record; RocksDB writes one or more for each family, the log number in the last one.
    fn is_snapshot_cut(&mut self) -> bool {
        let is_one = self.manifest.engine != Engine::RocksDb;
        if self.manifest.edits.is_empty() || is_one || !self.in_snapshot {
            return self.manifest.edits.is_empty();
        }
        self.builder.state().families.values().any(|family| family.log_number == 0)
    }

    fn note_changes(&mut self, edit: &Edit) {
        let changes = &mut self.manifest.changes;
        let change = |number, level, kind| Change { number, level, kind };
        if edit.family_dropped {
            let gone = self.builder.tables_of(edit.family);
            changes.extend(
                gone.map(|(level, number)| change(number, level, ChangeKind::TableRemoved)),
            );
        }
        let removed = edit.removed.iter();
        changes.extend(
            removed.map(|(level, number)| change(*number, *level, ChangeKind::TableRemoved)),
        );
        let added = edit.added.iter();
        changes.extend(
            added.map(|(level, table)| change(table.number, *level, ChangeKind::TableAdded)),
        );
        let gone = edit.pebble_blobs_removed.iter();
        changes.extend(gone.map(|(_, number)| change(*number, 0, ChangeKind::BlobRemoved)));
        let blobs = edit.blobs_added.iter().map(|blob| blob.number);
        let blobs = blobs.chain(edit.pebble_blobs_added.iter().map(|blob| blob.number));
        changes.extend(blobs.map(|number| change(number, 0, ChangeKind::BlobAdded)));
    }

    /// Applies edits that count as one.
    fn step(&mut self, edits: Vec<(u32, Edit)>) {
        let Some(first) = edits.first().map(|(index, _)| *index) else { return };
        let end = edits.last().map_or(first, |(index, _)| *index).saturating_add(1);
        let kinds = self.manifest.edits.get(first as usize..end as usize).unwrap_or_default();
        let kind = StepKind::of_group(kinds.iter().map(|entry| entry.kind));
        for (index, edit) in edits {
            let appeared = [edit.log_number, edit.next_file, edit.last_sequence];
            for (seen, field) in self.seen.iter_mut().zip(appeared) {
                *seen |= field.is_some();
            }
            let faults = self.builder.apply(edit, index);
            self.report(index, faults);
        }
        match self.manifest.steps.last_mut() {
            Some(last) if last.kind == kind && is_quiet(kind) => last.end = end,
            _ => self.manifest.steps.push(Step { first, end, kind }),
        }
        let kept = self.manifest.checkpoints.last().map_or(0, |kept| kept.edits);
        // Making a state takes time in proportion to its tables: after so many edits it is made no more often than that.
        let share = u32::try_from(self.builder.tables() / SHARE).unwrap_or(u32::MAX);
        if end.saturating_sub(kept) >= self.interval.max(share) {
            self.keep(end);
        }
    }

    fn report(&mut self, index: u32, faults: Vec<Fault>) {
        let offset = self.manifest.edits.get(index as usize).map(|entry| entry.offset);
        for fault in faults {
            self.faults += 1;
            if self.faults <= FAULTS_MAX {
                let message = format!("edit {index}: {}", fault.message);
                let mut problem = Problem::new(fault.severity, &self.manifest.name, message);
                problem.offset = offset;
                problem.family = fault.family;
                self.manifest.problems.push(problem);
            }
        }
    }

    /// Keeps the state after the first `edits` edits.
    fn keep(&mut self, edits: u32) {
        let state = Arc::new(self.builder.state());
        let before = self.manifest.checkpoints.last().map_or(0, |kept| kept.edits);
        self.kept_bytes += cost(&state, before);
        self.manifest.checkpoints.push(Checkpoint { edits, state });
        while self.kept_bytes > KEPT_BYTES && self.manifest.checkpoints.len() > 2 {
            self.thin_out();
        }
    }

    /// Drops every second kept state.
    fn thin_out(&mut self) {
        self.interval = self.interval.saturating_mul(2);
        let mut place = 0;
        self.manifest.checkpoints.retain(|_| {
            place += 1;
            place % 2 == 1
        });
        self.kept_bytes = 0;
        let mut before = 0;
        for kept in &self.manifest.checkpoints {
            self.kept_bytes += cost(&kept.state, before);
            before = kept.edits;
        }
    }

    pub(super) fn damaged(&mut self, error: &Error, cut: Cut) {
        let mut problem = Problem::of(error, &self.manifest.name);
        let left = match cut.edits {
            0 => "no record after it can be read".to_owned(),
            1 => "1 record after it can be read and is not applied".to_owned(),
            more => format!("{} records after it can be read and are not applied", number(more)),
        };
        let message = &problem.message;
        problem.message = format!("{message}; the history ends before it, {left}");
        self.manifest.problems.push(problem);
        self.manifest.cut = Some(cut);
    }

    fn finish(mut self) -> Manifest {
        self.unfinished();
        if self.manifest.edits.is_empty() && self.manifest.cut.is_none() {
            self.manifest.cut = Some(Cut::new(CutCause::Empty, None));
        }
        self.report_missing();
        if let Some(more) = self.faults.checked_sub(FAULTS_MAX).filter(|more| *more > 0) {
            let message = format!("{more} more contradictions between edits are not listed");
            let problem = Problem::new(Severity::Error, &self.manifest.name, message);
            self.manifest.problems.push(problem);
        }
        self.manifest.last = Arc::new(self.builder.state());
        self.manifest.edits.shrink_to_fit();
        self.manifest.changes.shrink_to_fit();
        self.manifest
    }

    /// Reports an atomic group that is not whole.
    fn unfinished(&mut self) {
        let group = std::mem::take(&mut self.group);
        let Some((first, edit)) = group.first() else { return };
        let expected = u64::from(edit.group_left.unwrap_or(0)) + 1;
        let (found, first) = (group.len(), *first);
        let message = format!(
            "an atomic group of {expected} edits is not finished: {found} are there; none of \
             them is applied"
        );
        let mut problem = Problem::new(Severity::Error, &self.manifest.name, message);
        problem.offset = self.manifest.edits.get(first as usize).map(|entry| entry.offset);
        let mut cut = Cut::new(CutCause::Group { found, expected }, problem.offset);
        for (_, edit) in group {
            cut.take(edit);
        }
        // Damage in the group, or after it: the edits that follow it are known already.
        if let Some(later) = self.manifest.cut.take().filter(|later| !later.is_normal()) {
            (cut.cause, cut.offset) = (later.cause.clone(), later.offset);
            cut.follow(later);
        }
        self.manifest.problems.push(problem);
        self.manifest.cut = Some(cut);
    }

    /// Without these numbers the libraries open nothing.
    fn report_missing(&mut self) {
        if self.manifest.edits.is_empty() {
            let message = "the manifest has no edit that can be read";
            let problem = Problem::new(Severity::Error, &self.manifest.name, message);
            self.manifest.problems.push(problem);
            return;
        }
        let names = ["log number", "next file number", "last sequence number"];
        let needed = if self.manifest.engine == Engine::Pebble { 1..2 } else { 0..3 };
        let pairs = names.iter().zip(self.seen).enumerate();
        let missing: Vec<&str> = pairs
            .filter(|(place, (_, seen))| needed.contains(place) && !seen)
            .map(|(_, (name, _))| *name)
            .collect();
        if !missing.is_empty() {
            let message = format!("no edit records the {}", missing.join(", the "));
            let problem = Problem::new(Severity::Error, &self.manifest.name, message);
            self.manifest.problems.push(problem);
        }
    }
}

/// Whether steps of this kind that follow each other are shown as one.
fn is_quiet(kind: StepKind) -> bool {
    matches!(kind, StepKind::Bookkeeping | StepKind::Snapshot)
}

/// Bytes that keeping `state` takes, when the state after `before` edits is kept, too.
fn cost(state: &State, before: u32) -> usize {
    let levels = state.families.values().flat_map(|family| family.levels.values());
    let tables = levels.flatten().map(|table| {
        let new = table.added_by_edit >= before;
        size_of::<usize>() + if new { TABLE_BYTES } else { 0 }
    });
    let blobs = state.families.values().map(|family| family.blob_files.len()).sum::<usize>();
    let pairs = state.tracked_logs.len() + state.backings.len();
    let families = state.families.len().saturating_mul(FAMILY_BYTES);
    families + blobs * BLOB_BYTES + pairs * PAIR_BYTES + tables.sum::<usize>()
}
