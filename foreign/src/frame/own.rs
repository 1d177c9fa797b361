//! Records of Levelscope's own logs and manifests. The engine's decoder reads them, and judges what it cannot read.
//!
//! A log is held whole: recovery needs all of it, and a record is proved by those after it.

use super::{End, LogKind, Record};
use crate::files::stored_name;
use crate::{Error, Files, Result};
use levelscope::internals::wal::Record as Stored;
use levelscope::internals::wal::{
    BadRecord, Flaw, Log, RECORD_HEADER_BYTES, RecordKind, damage, is_unused, is_unwritten,
    next_header, used, used_end,
};
use levelscope::storage;

/// Longer files are not read \[bytes\].
const FILE_BYTES_MAX: u64 = if cfg!(target_arch = "wasm32") { 256 << 20 } else { 1 << 30 };

/// A log or a manifest in memory.
pub(super) struct OwnLog {
    bytes: Vec<u8>,
    log: Log,
    /// The failure of its header, until it was reported.
    flaw: Option<Error>,
    /// The number that the next record has, where it is known.
    expected: Option<u64>,
    /// After damage: where records may go on.
    resume: usize,
    /// Whether damage was met.
    is_damaged: bool,
}

/// The next record, or the end.
pub(super) enum Next {
    /// A record with a body.
    Record(Record),
    /// No record begins there.
    End(End),
}

impl OwnLog {
    /// Reads the file.
    ///
    /// # Errors
    /// Those of the host; `NotRead` when it is too large.
    pub(super) fn open(files: &dyn Files, name: &str, kind: LogKind) -> Result<Self> {
        let bytes = files.read_whole(name, FILE_BYTES_MAX)?;
        let own = stored_name(files, name).unwrap_or(match kind {
            LogKind::Log { number, .. } => storage::FileName::Wal(number),
            LogKind::Manifest(_) => storage::FileName::Manifest(1),
        });
        let log = Log::claimed(own, &bytes)?;
        let flaw = match log.check_header(&bytes) {
            Ok(true) => None,
            Err(error) => Some(Error::from(error)),
            Ok(false) if is_unused(&bytes, log, 0) && log.is_wal() => None,
            Ok(false) => Some(Error::damaged(0, Flaw::FileHeaderChecksum.to_string())),
        };
        Ok(Self { bytes, log, flaw, expected: None, resume: 0, is_damaged: false })
    }

    /// Leaves out what lies after the first `bytes`.
    pub(super) fn cut_to(&mut self, bytes: u64) {
        self.bytes.truncate(usize::try_from(bytes).unwrap_or(usize::MAX));
    }

    /// The record at or after `position`, which moves after it.
    pub(super) fn read(&mut self, position: &mut u64) -> Next {
        let mut at = usize::try_from(*position).unwrap_or(usize::MAX);
        if at < self.log.header_bytes() {
            if let Some(flaw) = self.flaw.take() {
                return Next::End(self.headless(flaw));
            }
            at = self.log.header_bytes();
        }
        loop {
            if is_unused(&self.bytes, self.log, at) {
                return Next::End(End::Clean);
            }
            let record = match Stored::read(&self.bytes, self.log, at) {
                Ok(record) => record,
                Err(bad) => return Next::End(self.bad(bad)),
            };
            let end = record.end();
            *position = end as u64;
            let header = record.header;
            if header.kind != RecordKind::Follows
                && let Some(expected) = self.expected.replace(header.number)
                && expected != header.number
            {
                let message =
                    format!("number {expected} should come here, but {} does", header.number);
                self.resume = end;
                return Next::End(End::Damaged(Error::damaged(at as u64, message)));
            }
            let (data, parts) = match header.kind {
                RecordKind::SyncMark | RecordKind::Follows => {
                    at = end;
                    continue;
                }
                RecordKind::CleanEnd => return Next::End(self.after_the_end(end)),
                RecordKind::Batch => {
                    self.expected = header.number.checked_add(header.count.into());
                    let mut data = header.number.to_le_bytes().to_vec();
                    data.extend_from_slice(&header.count.to_le_bytes());
                    let parts = vec![(0, at as u64), (data.len(), body_of(&record))];
                    data.extend_from_slice(record.body);
                    (data, parts)
                }
                RecordKind::Edit => {
                    self.expected = header.number.checked_add(1);
                    (record.body.to_vec(), vec![(0, body_of(&record))])
                }
            };
            return Next::Record(Record { offset: at as u64, end: end as u64, data, parts });
        }
    }

    /// Where records may go on after damage.
    pub(super) fn resumed(&mut self) -> u64 {
        self.expected = None;
        let next = next_header(used(&self.bytes), self.log, self.resume);
        next.map_or(self.bytes.len(), |(offset, _)| offset) as u64
    }

    /// The end of a log whose clean end lies before `at`: only space that it had reserved may follow.
    fn after_the_end(&mut self, at: usize) -> End {
        if is_unwritten(&self.bytes, self.log, at) {
            return End::Clean;
        }
        self.resume = at;
        End::Damaged(Error::damaged(at as u64, "records follow the end of the log"))
    }

    /// The end of a file whose header cannot be read; a crash leaves such a log, but no such manifest.
    fn headless(&mut self, flaw: Error) -> End {
        self.resume = if flaw.kind() == crate::ErrorKind::Damaged { 1 } else { self.bytes.len() };
        let bad = BadRecord { offset: 0, flaw: Flaw::FileHeaderChecksum, resume: 1 };
        let is_torn = self.log.is_wal() && damage(&self.bytes, self.log, bad).is_none();
        if is_torn && flaw.kind() == crate::ErrorKind::Damaged && flaw.offset() == Some(0) {
            return End::Torn { offset: 0, bytes: used_end(&self.bytes) as u64 };
        }
        End::Damaged(flaw)
    }

    fn bad(&mut self, bad: BadRecord) -> End {
        self.resume = bad.resume;
        let offset = bad.offset as u64;
        // The search for a proof looks at all later records, so only the first bad one is worth it.
        if std::mem::replace(&mut self.is_damaged, true) {
            return End::Damaged(Error::damaged(bad.first_bad() as u64, bad.flaw.to_string()));
        }
        match damage(&self.bytes, self.log, bad) {
            Some(error) => End::Damaged(error.into()),
            None => {
                End::Torn { offset, bytes: (used_end(&self.bytes) as u64).saturating_sub(offset) }
            }
        }
    }
}

/// The offset of the body of a record.
fn body_of(record: &Stored<'_>) -> u64 {
    record.offset.saturating_add(RECORD_HEADER_BYTES) as u64
}
