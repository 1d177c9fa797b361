//! RocksDB's lines: JSON events, and the text lines with more facts than they have.

use super::json::Fields;
use super::reader::{Dropping, Reader};
use super::text::{family, file_number, job, number_after};
use super::{JobKind, Stall, StallCause, What};

/// Jobs of one opening whose numbers are remembered; older ones have finished long ago.
const RUNNING_MAX: usize = 10_000;

impl Reader {
    /// One `EVENT_LOG_v1`.
    pub(super) fn json(&mut self, json: &str, local: u64) {
        let Some(fields) = Fields::parse(json) else { return };
        let utc = fields.number("time_micros");
        let micros = utc.unwrap_or_else(|| self.utc(local));
        if let Some(name) = fields.word("event") {
            self.count(name);
        }
        if let Some(utc) = utc {
            self.learn_zone(local, utc);
        }
        while self.running.len() > RUNNING_MAX {
            self.running.pop_first();
        }
        match fields.word("event").unwrap_or_default() {
            "flush_started" => self.flush_started(&fields, micros),
            "compaction_started" => self.compaction_started(&fields, micros),
            "recovery_started" => {
                self.start(JobKind::Recovery, fields.number("job"), micros);
            }
            "flush_finished" => self.finished(JobKind::Flush, &fields, micros),
            "compaction_finished" => self.finished(JobKind::Compaction, &fields, micros),
            "recovery_finished" => self.finished(JobKind::Recovery, &fields, micros),
            "table_file_creation" | "blob_file_creation" => self.created(&fields, micros),
            "table_file_deletion" => self.gone(&fields, micros, What::TableDeleted),
            "blob_file_deletion" => self.gone(&fields, micros, What::BlobDeleted),
            "trivial_move" => self.trivial_move(&fields, micros),
            "ingest_finished" => {
                for (path, level) in &fields.ingested {
                    if let Some(number) = file_number(path) {
                        self.ingest(number, *level, micros);
                    }
                }
            }
            _ => self.push(micros, What::Other),
        }
    }

    fn flush_started(&mut self, fields: &Fields, micros: u64) {
        let reason = fields.word("flush_reason").map(|reason| self.word(reason));
        let place = self.start(JobKind::Flush, fields.number("job"), micros);
        let Some(job) = place.and_then(|place| self.job_mut(place)) else { return };
        job.reason = reason;
        job.output_level = Some(0);
        job.input_bytes = fields.number("total_data_size");
        let entries = fields.number("total_num_input_entries");
        job.input_entries = entries.or_else(|| fields.number("num_entries"));
        job.deletes = fields.number("num_deletes");
    }

    fn compaction_started(&mut self, fields: &Fields, micros: u64) {
        let reason = fields.word("compaction_reason").map(|reason| self.word(reason));
        let family = fields.word("cf_name").map(|name| self.word(name));
        let place = self.start(JobKind::Compaction, fields.number("job"), micros);
        let Some(job) = place.and_then(|place| self.job_mut(place)) else { return };
        job.reason = reason;
        job.family = family.or_else(|| job.family.take());
        job.inputs = fields.inputs.as_slice().into();
        job.input_bytes = fields.number("input_data_size");
    }

    fn finished(&mut self, kind: JobKind, fields: &Fields, micros: u64) {
        let Some(number) = fields.number("job") else { return };
        let place = self.running_job(number, |job| job.kind == kind && job.finished.is_none());
        let Some(place) = place.or_else(|| self.job(kind, Some(number), micros)) else { return };
        if let Some(job) = self.job_mut(place) {
            job.finished = Some(micros);
            job.level_files = fields.level_files.as_slice().into();
            job.immutable_memtables = fields.number("immutable_memtables");
            let level = fields.number("output_level").and_then(|level| u32::try_from(level).ok());
            job.output_level = level.or(job.output_level);
            job.output_bytes = fields.number("total_output_size").unwrap_or(job.output_bytes);
            job.input_entries = fields.number("num_input_records").or(job.input_entries);
        }
        self.push(micros, What::Finished(place));
    }

    /// A running job with this number that `wanted` accepts, the first one.
    fn running_job(&self, number: u64, wanted: impl Fn(&super::Job) -> bool) -> Option<u32> {
        let places = self.running.get(&number)?.iter().copied();
        let fits = |place: &u32| self.events.jobs.get(*place as usize).is_some_and(&wanted);
        places.into_iter().find(fits)
    }

    /// The job that made a file of `family`: jobs of several families may share one number.
    fn maker(&mut self, number: Option<u64>, family: Option<&str>, micros: u64) -> Option<u32> {
        let Some(number) = number else { return self.job(JobKind::Other, None, micros) };
        let same = self.running_job(number, |job| job.family.as_deref() == family);
        same.or_else(|| self.running_job(number, |job| job.family.is_none()))
            .or_else(|| self.running.get(&number)?.last().copied())
            .or_else(|| self.job(JobKind::Other, Some(number), micros))
    }

    fn created(&mut self, fields: &Fields, micros: u64) {
        if fields.word("status").is_some_and(|status| status != "OK") {
            return self.push(micros, What::Other);
        }
        let Some(number) = fields.number("file_number") else { return };
        let family = fields.word("cf_name").map(|name| self.word(name));
        let maker = self.maker(fields.number("job"), family.as_deref(), micros);
        let Some(job) = maker else { return };
        let blob = fields.word("event") == Some("blob_file_creation");
        let size = if blob { "total_blob_bytes" } else { "file_size" };
        let bytes = fields.number(size).unwrap_or(0);
        let Some(made_by) = self.job_mut(job) else { return };
        if made_by.family.is_none() && made_by.kind != JobKind::Recovery {
            made_by.family = family;
        }
        if !blob {
            return self.table_made(number, bytes, job, micros);
        }
        made_by.blob_files.push(number);
        self.made(number, job);
        self.push(micros, What::BlobCreated { number, bytes, job });
    }

    fn gone(&mut self, fields: &Fields, micros: u64, what: fn(u64) -> What) {
        let Some(number) = fields.number("file_number") else { return };
        if fields.word("status").is_none_or(|status| status == "OK") {
            self.deleted(number, micros);
        }
        self.push(micros, what(number));
    }

    fn trivial_move(&mut self, fields: &Fields, micros: u64) {
        let Some(place) = self.job(JobKind::Move, fields.number("job"), micros) else { return };
        let level = fields.number("destination_level").and_then(|level| u32::try_from(level).ok());
        if let Some(job) = self.job_mut(place) {
            (job.started, job.finished) = (Some(micros), Some(micros));
            job.output_level = level;
            job.output_bytes = fields.number("total_files_size").unwrap_or(0);
        }
        self.confirm_moves(place, micros);
        self.push(micros, What::Finished(place));
    }

    /// A text line of RocksDB; returns whether it was one with a meaning.
    pub(super) fn rocksdb_text(&mut self, text: &str, micros: u64) -> bool {
        if let Some((Some(name), number, _)) = job(text) {
            let name = self.word(name);
            if self.families.len() > RUNNING_MAX {
                self.families.clear();
            }
            self.families.insert(number, name);
            return true;
        }
        if let Some(rest) = text.strip_prefix("[AddFile] ") {
            self.note_sequence(rest);
            return true;
        }
        let Some((name, rest)) = family(text) else { return false };
        if let Some((stop, reason)) = stall_line(rest) {
            let family = self.word(name);
            let (cause, number) = cause(reason);
            let rate = number_after(reason, " rate ");
            self.push(micros, What::Stall(Stall { family, stop, cause, number, rate }));
        } else if rest.starts_with("Level summary: ") {
            let family = self.word(name);
            if let Some(l0_files) = number_after(rest, "files[") {
                let pending_bytes = number_after(rest, "pending compaction bytes ");
                self.push(micros, What::Levels { family, l0_files, pending_bytes });
            }
        } else if let Some((number, level)) = moved(rest) {
            self.move_to(number, level, micros, None);
        } else {
            self.fifo(name, rest, micros);
        }
        true
    }

    /// `FIFO compaction: picking file 9 with size 4705B for deletion`, later `Deleted 1 files`. It has no event.
    fn fifo(&mut self, name: &str, rest: &str, micros: u64) {
        if let Some(number) = number_after(rest, "FIFO compaction: picking file ") {
            let family = self.word(name);
            // In the words of RocksDB's reasons for compactions.
            let is_old = rest.contains(" with creation time ");
            let reason = self.word(if is_old { "FIFOTtl" } else { "FIFOMaxSize" });
            let begin = || Dropping {
                family: family.clone(),
                reason: reason.clone(),
                started: micros,
                tables: Vec::new(),
            };
            let own = self.dropping.take().filter(|dropping| dropping.family == family);
            let mut dropping = own.unwrap_or_else(begin);
            if dropping.tables.len() < RUNNING_MAX {
                dropping.tables.push(number);
            }
            self.dropping = Some(dropping);
        } else if rest.starts_with("Deleted ")
            && rest.ends_with(" files")
            && let Some(dropping) = self.dropping.take_if(|dropping| *dropping.family == *name)
        {
            self.dropped(dropping, micros);
        }
    }

    /// `… with path /data/000010.sst (global_seqno=61)`
    fn note_sequence(&mut self, text: &str) {
        let parts = text.rsplit_once(" with path ").and_then(|(_, rest)| rest.rsplit_once(" ("));
        let Some((path, _)) = parts else { return };
        let found = file_number(path).zip(number_after(text, "global_seqno="));
        if let Some((number, sequence)) = found.filter(|_| self.sequences.len() < RUNNING_MAX) {
            self.sequences.insert(number, sequence);
        }
    }
}

/// `Moved #19 to level-2 6282 bytes`: number and level.
pub(super) fn moved(text: &str) -> Option<(u64, u32)> {
    let rest = text.strip_prefix("Moved #")?;
    let (number, rest) = rest.split_once(" to level-")?;
    let level = rest.split(' ').next()?.parse().ok()?;
    Some((number.parse().ok()?, level))
}

/// Whether writes stop, and the reason.
fn stall_line(text: &str) -> Option<(bool, &str)> {
    let slows = text.strip_prefix("Stalling writes because ").map(|reason| (false, reason));
    slows.or_else(|| Some((true, text.strip_prefix("Stopping writes because ")?)))
}

fn cause(reason: &str) -> (StallCause, Option<u64>) {
    let number = number_after(reason, "we have ");
    if reason.contains("level-0 files") {
        (StallCause::LevelZeroFiles, number)
    } else if reason.contains("memtables") {
        (StallCause::Memtables, number)
    } else if reason.contains("pending compaction bytes") {
        (StallCause::PendingBytes, number_after(reason, "pending compaction bytes "))
    } else {
        (StallCause::Other, None)
    }
}
