//! The tail rule: is a bad record torn by a crash, or damaged?
//!
//! A crash may lose, keep or mangle unsynced bytes, sector by sector, so good records may follow a torn one. But it
//! never changes synced bytes. Every header of a log has the length of the file that was durable when it was written;
//! so a bad record is *damage* when a later header with a right checksum proves that its offset had been synced.
//! Without such a proof it is a *torn tail*, and the log ends before it.
//!
//! Syncs leave proofs of the durable length: the next record, the clean-end record, or a sync mark. Only the very last
//! synced record of a log may lack one: damage to it, or after it, looks like a torn tail, and so does a log from which
//! whole records were cut off.
//!
//! The search looks at each byte once. A header that matches its checksum, which covers its own offset,
//! is authentic; so its body is stepped over.

use super::file::Log;
use super::record::{BadRecord, RECORD_HEADER_BYTES, RecordHeader};
use crate::coding::{is_zero, used_bytes};
use crate::{Error, text};

/// Whether nothing was ever written at or after `offset` \[bytes\]: the file ends there, or has only the
/// zeros of reserved space, which only write-ahead logs have.
///
/// A header is never all zeros, because no kind is 0. Records that were there and are zeros now, down to
/// the end of the file, count as never written, just as if they had been cut off: no proof is left of
/// them either.
pub fn is_unused(file: &[u8], log: Log, offset: usize) -> bool {
    let rest = file.get(offset..).unwrap_or_default();
    rest.is_empty() || log.is_wal() && is_zero(rest)
}

/// Whether no record was written at or after `offset` \[bytes\], where a clean end ends.
///
/// Space that was reserved there need not have reached the disk as zeros: a clean end may survive a power failure
/// that mangles the bytes after it, because one sync was to make both durable. Only a record shows that the log
/// went on, and its header is authentic.
pub fn is_unwritten(file: &[u8], log: Log, offset: usize) -> bool {
    is_unused(file, log, offset) || log.is_wal() && next_header(file, log, offset).is_none()
}

/// Where the zeros begin that the file ends in \[bytes\].
pub fn used_end(file: &[u8]) -> usize {
    used_bytes(file)
}

/// The bytes of `file` in which a header can begin: those before the zeros that it ends in, and as many as the end of a
/// header may be, whose last bytes may be zeros. A search for headers need not look at the others one by one.
pub fn used(file: &[u8]) -> &[u8] {
    file.get(..used_end(file).saturating_add(RECORD_HEADER_BYTES)).unwrap_or(file)
}

/// Decides about `bad` in the log whose bytes are `file`. `None`: it is a torn tail, and the log ends
/// before it.
pub fn damage(file: &[u8], log: Log, bad: BadRecord) -> Option<Error> {
    let at = bad.first_bad() as u64;
    let error = |message: String| Some(Error::corruption(log.name(), at, message));
    let flaw = bad.flaw;
    if !flaw.may_be_torn() {
        return error(flaw.to_string());
    }
    let proof = find_proof(file, log, bad)?;
    let proof = text::count(proof as u64);
    error(format!("{flaw}, but the record at offset {proof} proves that it had been synced"))
}

/// The offset of a later header that proves that the bad place was durable before it \[bytes\].
fn find_proof(file: &[u8], log: Log, bad: BadRecord) -> Option<usize> {
    let mut from = bad.resume;
    let file = used(file);
    loop {
        let (offset, header) = next_header(file, log, from)?;
        if header.synced_bytes > bad.offset as u64 {
            return Some(offset);
        }
        from = offset.checked_add(RECORD_HEADER_BYTES)?.checked_add(header.body_length())?;
    }
}

/// The first authentic header at or after `from` \[bytes\], with its offset.
pub fn next_header(file: &[u8], log: Log, from: usize) -> Option<(usize, RecordHeader)> {
    let windows = file.get(from..)?.windows(RECORD_HEADER_BYTES);
    (from..).zip(windows).find_map(|(offset, bytes)| {
        let header = RecordHeader::find(bytes.first_chunk()?, log, offset as u64)?;
        Some((offset, header))
    })
}
