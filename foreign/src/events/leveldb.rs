//! LevelDB's lines. It has one background thread and no numbers of jobs: lines follow one another.

use super::reader::Reader;
use super::rocksdb::moved;
use super::text::number_after;
use super::{JobKind, Stall, StallCause, What};

const FLUSH: usize = 0;
const COMPACTION: usize = 1;

impl Reader {
    /// A text line of LevelDB.
    pub(super) fn leveldb_text(&mut self, text: &str, micros: u64) {
        if let Some(rest) = text.strip_prefix("Level-0 table #") {
            self.leveldb_flush(rest, micros);
        } else if let Some(rest) = text.strip_prefix("Compacting ") {
            self.leveldb_compaction(rest, micros);
        } else if let Some(rest) = text.strip_prefix("Generated table #") {
            self.leveldb_table(rest, micros);
        } else if text.starts_with("compacted to: files[") {
            let files = text.split(['[', ']']).nth(1).unwrap_or_default();
            let counts = files.split_whitespace().map_while(|count| count.parse().ok()).take(64);
            let counts: Box<[u32]> = counts.collect();
            let finished = self.leveldb_finished(COMPACTION, micros);
            if let Some(job) = finished.and_then(|job| self.job_mut(job)) {
                job.level_files = counts;
            }
        } else if let Some((number, level)) = moved(text) {
            let job = self.job(JobKind::Move, None, micros);
            if let Some(job) = job.and_then(|job| self.job_mut(job)) {
                (job.started, job.finished) = (Some(micros), Some(micros));
                job.output_level = Some(level);
            }
            self.move_to(number, level, micros, job);
        } else if let Some(rest) = text.strip_prefix("Delete type=2 #") {
            if let Ok(number) = rest.trim().parse() {
                self.deleted(number, micros);
                self.push(micros, What::TableDeleted(number));
            }
        } else if text.starts_with("Current memtable full; waiting") {
            self.leveldb_stall(StallCause::Memtables, micros);
        } else if text.starts_with("Too many L0 files; waiting") {
            self.leveldb_stall(StallCause::LevelZeroFiles, micros);
        }
    }

    /// `15: started`, `15: 52121 bytes OK`
    fn leveldb_flush(&mut self, rest: &str, micros: u64) {
        let Some((number, rest)) = rest.split_once(": ") else { return };
        let Ok(number) = number.parse::<u64>() else { return };
        if rest.starts_with("started") {
            self.leveldb[FLUSH] = self.start(JobKind::Flush, None, micros);
            if let Some(job) = self.leveldb[FLUSH].and_then(|job| self.job_mut(job)) {
                job.output_level = Some(0);
            }
            return;
        }
        let Some((bytes, status)) = rest.split_once(" bytes ") else { return };
        let Some(job) = self.leveldb_finished(FLUSH, micros) else { return };
        // A memtable without entries gives no table.
        let bytes = bytes.parse().unwrap_or(0);
        if status.trim() == "OK" && bytes > 0 {
            self.table_made(number, bytes, job, micros);
        }
    }

    /// `4@0 + 1@1 files`
    fn leveldb_compaction(&mut self, rest: &str, micros: u64) {
        let Some(place) = self.start(JobKind::Compaction, None, micros) else { return };
        let level = number_after(rest, "@").and_then(|level| u32::try_from(level).ok());
        if let Some(job) = self.job_mut(place) {
            job.output_level = level.and_then(|level| level.checked_add(1));
        }
        self.leveldb[COMPACTION] = Some(place);
    }

    /// `16@0: 259 keys, 37785 bytes`
    fn leveldb_table(&mut self, rest: &str, micros: u64) {
        let Some((number, after)) = rest.split_once('@') else { return };
        let bytes = number_after(after, " keys, ").unwrap_or(0);
        if let (Ok(number), Some(job)) = (number.parse(), self.leveldb[COMPACTION]) {
            self.table_made(number, bytes, job, micros);
        }
    }

    fn leveldb_finished(&mut self, which: usize, micros: u64) -> Option<u32> {
        let place = self.leveldb.get_mut(which)?.take()?;
        self.job_mut(place)?.finished = Some(micros);
        self.push(micros, What::Finished(place));
        Some(place)
    }

    fn leveldb_stall(&mut self, cause: StallCause, micros: u64) {
        let family = self.word("default");
        self.push(
            micros,
            What::Stall(Stall { family, stop: true, cause, number: None, rate: None }),
        );
    }
}
