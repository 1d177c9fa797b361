//! Spans in which writes were slowed down or stopped.

use super::{Events, JobKind, Stall, What};
use std::sync::Arc;

/// Cause of a write stall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StallCause {
    /// Too many files in level 0.
    LevelZeroFiles,
    /// Too many memtables wait for a flush.
    Memtables,
    /// Too much compaction debt.
    PendingBytes,
    /// Another cause.
    Other,
}

impl StallCause {
    /// The cause in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::LevelZeroFiles => "files in level 0",
            Self::Memtables => "memtables that wait for a flush",
            Self::PendingBytes => "pending compaction bytes",
            Self::Other => "another cause",
        }
    }
}

/// A time in which writes of a family were slowed down or stopped.
#[derive(Debug, Clone, PartialEq)]
pub struct StallSpan {
    /// The family.
    pub family: Arc<str>,
    /// Whether writes stopped; else they slowed down.
    pub stop: bool,
    /// The cause.
    pub cause: StallCause,
    /// The first line about it, microseconds since 1970.
    pub started: u64,
    /// The last line about it.
    pub last: u64,
    /// The first line after it that shows that the cause is gone; `None` when no line does.
    pub ended: Option<u64>,
    /// Lines about it.
    pub lines: u64,
    /// The largest number of files, memtables or bytes in these lines.
    pub largest: Option<u64>,
    /// The lowest rate in them, bytes per second.
    pub rate: Option<u64>,
    /// The smallest number in them: fewer end the stall.
    smallest: Option<u64>,
}

impl StallSpan {
    /// Microseconds from the first line to the one that ends it, else to the last line.
    pub fn duration_micros(&self) -> u64 {
        self.ended.unwrap_or(self.last).saturating_sub(self.started)
    }
}

/// Spans that are kept.
const SPANS_MAX: usize = 100_000;

impl Events {
    /// The spans in which writes of a family were slowed down or stopped, in the order of their beginnings.
    ///
    /// LOG records the start of a stall and repeats it, but not its end. A span ends at the first line that
    /// shows fewer files, memtables or bytes than any line of the span, when the same cause gets the other strength,
    /// and at the end of the opening.
    pub fn stalls(&self) -> Vec<StallSpan> {
        let mut spans: Vec<StallSpan> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut opening = 0;
        for event in &self.events {
            if event.opening != opening {
                opening = event.opening;
                open.clear();
            }
            match &event.what {
                What::Stall(stall) => {
                    begin_or_go_on(&mut spans, &mut open, stall, event.micros);
                }
                What::Levels { family, l0_files, pending_bytes } => {
                    let files = (StallCause::LevelZeroFiles, Some(*l0_files));
                    let bytes = pending_bytes.map(|bytes| (StallCause::PendingBytes, Some(bytes)));
                    for seen in [Some(files), bytes].into_iter().flatten() {
                        end(&mut spans, &mut open, Some(family), seen, event.micros);
                    }
                }
                What::Finished(job) => {
                    let Some(job) = self.jobs.get(*job as usize) else { continue };
                    let family = job.family.as_ref();
                    let l0 = job.level_files.first().copied().map(u64::from);
                    let files = (StallCause::LevelZeroFiles, l0);
                    end(&mut spans, &mut open, family, files, event.micros);
                    if job.kind == JobKind::Flush {
                        let memtables = (StallCause::Memtables, job.immutable_memtables);
                        end(&mut spans, &mut open, family, memtables, event.micros);
                    }
                }
                _ => {}
            }
        }
        spans
    }
}

fn begin_or_go_on(spans: &mut Vec<StallSpan>, open: &mut Vec<usize>, stall: &Stall, micros: u64) {
    let mut going = false;
    open.retain(|place| {
        let Some(span) = spans.get_mut(*place) else { return false };
        if span.family != stall.family || span.cause != stall.cause {
            return true;
        }
        if span.stop != stall.stop {
            span.ended = Some(micros);
            return false;
        }
        going = true;
        span.last = micros;
        span.lines += 1;
        span.largest = span.largest.max(stall.number);
        span.smallest = span.smallest.zip(stall.number).map(|(a, b)| a.min(b)).or(span.smallest);
        span.rate = span.rate.zip(stall.rate).map(|(a, b)| a.min(b)).or(span.rate).or(stall.rate);
        true
    });
    if !going && spans.len() < SPANS_MAX {
        open.push(spans.len());
        spans.push(StallSpan {
            family: stall.family.clone(),
            stop: stall.stop,
            cause: stall.cause,
            started: micros,
            last: micros,
            ended: None,
            lines: 1,
            largest: stall.number,
            rate: stall.rate,
            smallest: stall.number,
        });
    }
}

/// Ends the spans of `family` (of any family when a line names none) whose cause has gone down. Lines of LevelDB
/// contain no numbers: there the end of the job is the end of the wait.
fn end(
    spans: &mut [StallSpan],
    open: &mut Vec<usize>,
    family: Option<&Arc<str>>,
    (cause, seen): (StallCause, Option<u64>),
    micros: u64,
) {
    open.retain(|place| {
        let Some(span) = spans.get_mut(*place) else { return false };
        let same = span.cause == cause && family.is_none_or(|family| *family == span.family);
        let over = match (span.smallest, seen) {
            (Some(least), Some(seen)) => seen < least,
            (None, Some(_)) => true,
            // LevelDB's flushes have no number, and each one makes room for a memtable.
            (None, None) => cause == StallCause::Memtables,
            (Some(_), None) => false,
        };
        if same && over {
            span.ended = Some(micros);
        }
        !(same && over)
    });
}

#[cfg(test)]
mod tests {
    use crate::MemoryFiles;
    use crate::events::Log;

    #[test]
    fn a_flush_does_not_end_a_wait_of_leveldb_for_level_0() {
        let at = |second: u32, text: &str| format!("2026/11/22-03:00:0{second}.000000 1 {text}\n");
        let lines = [
            at(1, "Too many L0 files; waiting..."),
            at(2, "Level-0 table #7: started"),
            at(3, "Level-0 table #7: 10 bytes OK"),
            at(4, "Compacting 4@0 + 0@1 files"),
            at(5, "compacted to: files[ 0 1 0 ]"),
        ];
        let files = MemoryFiles::new([("LOG".to_owned(), lines.concat().into_bytes())]);
        let spans = Log::read(&files).stalls();
        let times: Vec<_> = spans.iter().map(super::StallSpan::duration_micros).collect();
        assert_eq!(times, [4_000_000]);
    }
}
