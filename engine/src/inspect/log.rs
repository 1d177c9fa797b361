//! The framing that write-ahead logs and manifests share, explained.

use super::fields::Fields;
use super::{Node, Scope, hexadecimal};
use crate::ErrorKind;
use crate::coding::crc32;
use crate::identity::IDENTITY_BYTES;
use crate::storage::FileName;
use crate::text;
use crate::wal::file::Log;
use crate::wal::record::{BadRecord, RECORD_HEADER_BYTES, Record, RecordHeader, RecordKind};
use crate::wal::tail;

/// A record that is no mark and whose body is damaged: it has its number, but not in its name.
const DAMAGED_RECORD: &str = "damaged record";

/// Explains the body of a good record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Body {
    /// Its meaning, in one line.
    pub(super) value: fn(log: Log, record: &Record<'_>) -> String,
    /// Its parts.
    pub(super) parts: fn(record: &Record<'_>) -> Vec<Node>,
}

/// Names every byte of a log file: `file`, and zeros up to its `length`; `body` explains the content of the frames. The
/// first `synced` bytes are known to have been durable, which proves damage to them; 0 when only the file can prove it
/// \[bytes\].
pub(super) fn annotate_log(
    name: FileName,
    kind: &'static str,
    file: &[u8],
    body: Body,
    scope: Scope,
    (length, synced): (u64, u64),
) -> Node {
    let Ok(log) = Log::claimed(name, file) else {
        return Node::leaf(name.to_string(), "bytes", 0, length, String::new());
    };
    if tail::is_unused(file, log, 0) {
        return Node::leaf(name.to_string(), kind, 0, length, "created, but never written");
    }
    let mut nodes = vec![file_header(log, file)];
    let mut offset = log.header_bytes();
    if let Err(error) = log.check_header(file)
        && error.kind() == ErrorKind::UnsupportedFormat
    {
        nodes.extend(rest_unread(length, offset as u64, error.message()));
        offset = usize::MAX;
    }
    // Marks have no number, as in the words of events: they are no writes.
    let mut records = 0;
    let mut judged = false;
    let mut has_ended = false;
    while (offset as u64) < length {
        let node = match Record::read(file, log, offset) {
            Ok(record) => {
                has_ended = record.header.kind == RecordKind::CleanEnd;
                records += u64::from(!record.header.kind.is_bare());
                good_record(log, file, &record, records, body, scope)
            }
            Err(_) if tail::is_unused(file, log, offset) => {
                let bytes = length.saturating_sub(offset as u64);
                let what = "zeros: reserved for records to come";
                Node::leaf("reserved space", "reserved", offset as u64, bytes, what)
            }
            Err(_) if has_ended && tail::is_unwritten(file, log, offset) => {
                let bytes = length.saturating_sub(offset as u64);
                let what = "reserved, and not zeros: a crash left them so, and nothing after the clean end counts";
                Node::leaf("reserved space", "reserved", offset as u64, bytes, what)
            }
            Err(bad) => {
                has_ended = false;
                // Only the first bad place has a verdict: replay goes no further.
                let why =
                    if judged { bad.flaw.to_string() } else { verdict(log, file, bad, synced) };
                judged = true;
                bad_record(log, file, bad, why)
            }
        };
        records += u64::from(node.name == DAMAGED_RECORD);
        offset = offset.saturating_add(usize::try_from(node.bytes).unwrap_or(usize::MAX).max(1));
        nodes.push(node);
    }
    let value = format!("{}, {}", text::counted(records, "record"), text::bytes(length));
    Node::branch(name.to_string(), kind, 0, value, nodes)
}

/// The node of the bytes after the header of a file of another version.
fn rest_unread(length: u64, begin: u64, why: &str) -> Option<Node> {
    let bytes = length.checked_sub(begin).filter(|bytes| *bytes > 0)?;
    Some(Node::unread(begin, bytes, why))
}

/// The name of a record of this kind, and the kind of its node.
fn called(kind: RecordKind, number: u64) -> (String, &'static str) {
    match kind {
        RecordKind::Batch | RecordKind::Edit => (format!("record {number}"), "record"),
        RecordKind::SyncMark => ("sync mark".to_owned(), "mark"),
        RecordKind::CleanEnd => ("clean end".to_owned(), "mark"),
        RecordKind::Follows => ("log before".to_owned(), "mark"),
    }
}

/// A record that was read; `number` counts those of its file that are no marks.
fn good_record(
    log: Log,
    file: &[u8],
    record: &Record<'_>,
    number: u64,
    body: Body,
    scope: Scope,
) -> Node {
    let (name, kind) = called(record.header.kind, number);
    let value = (body.value)(log, record);
    let offset = record.offset as u64;
    let length = (RECORD_HEADER_BYTES + record.body.len()) as u64;
    if !scope.opens(offset, length) {
        return Node { more: true, ..Node::leaf(name, kind, offset, length, value) };
    }
    let header = record_header(log, file, record.offset, &record.header);
    let children = std::iter::once(header).chain((body.parts)(record)).collect();
    Node::branch(name, kind, offset, value, children)
}

fn file_header(log: Log, file: &[u8]) -> Node {
    let bytes = file.get(..log.header_bytes()).unwrap_or(file);
    let value = match log.check_header(file) {
        Ok(true) => String::new(),
        Ok(false) => "the header is cut off or damaged".to_owned(),
        Err(error) => error.to_string(),
    };
    let mut fields = Fields::new(bytes, 0);
    let _ = file_header_fields(&mut fields, log, bytes);
    let mut children = fields.finish("the file ends within its header");
    if file.len() < log.header_bytes() {
        children.push(Node::missing(file.len() as u64, "the rest of the file header is missing"));
    }
    Node::branch("file header", "header", 0, value, children)
}

/// Adds the fields of a file header, as far as they are there.
fn file_header_fields(fields: &mut Fields<'_>, log: Log, bytes: &[u8]) -> Option<()> {
    fields.magic(log.magic())?;
    fields.number("format version", "number", 4)?;
    fields.number("file number", "number", 8)?;
    if log.identity().is_some() {
        fields.take("identity of the database", "identity", IDENTITY_BYTES, hexadecimal)?;
    }
    let covered = bytes.get(..log.header_bytes() - 4)?;
    fields.checksum("checksum of the header", crc32(&[covered]), (0, covered.len() as u64))
}

/// The header of the record at `offset` \[bytes\], which is known to be there and authentic.
fn record_header(log: Log, file: &[u8], offset: usize, header: &RecordHeader) -> Node {
    let bytes = file.get(offset..).unwrap_or_default();
    let bytes = bytes.get(..RECORD_HEADER_BYTES).unwrap_or(bytes);
    let body = file.get(offset + RECORD_HEADER_BYTES..).unwrap_or_default();
    let body = body.get(..header.body_length()).unwrap_or(body);
    let computed = [crc32(&[body]), header.checksum(log, offset as u64)];
    let mut fields = Fields::new(bytes, offset as u64);
    let _ = record_header_fields(&mut fields, header.kind, computed, body.len() as u64);
    let children = fields.finish("the file ends within this header");
    Node::branch("record header", "header", offset as u64, String::new(), children)
}

/// Adds the fields of a record header; `checksums` are those of the body and of the header itself.
fn record_header_fields(
    fields: &mut Fields<'_>,
    kind: RecordKind,
    checksums: [u32; 2],
    body_bytes: u64,
) -> Option<()> {
    let [body, header] = checksums;
    let offset = fields.position();
    let body_at = offset.saturating_add(RECORD_HEADER_BYTES as u64);
    let (count, number, kind) = match kind {
        RecordKind::Batch => ("operations", "first sequence number", "1: batch"),
        RecordKind::CleanEnd => ("count", "next sequence number", "2: clean end"),
        RecordKind::Edit => ("tables removed and added", "position of the edit", "3: edit"),
        RecordKind::SyncMark => ("count", "number of the next record", "4: sync mark"),
        RecordKind::Follows => {
            ("whether it had no clean end yet", "number of the log before", "5: follows")
        }
    };
    fields.number("body length", "length", 4)?;
    fields.checksum("checksum of the body", body, (body_at, body_bytes))?;
    fields.number(count, "count", 4)?;
    fields.number("durable bytes when it was written", "length", 8)?;
    let node = if kind.starts_with('5') { "number" } else { "sequence" };
    fields.number(number, node, 7)?;
    fields.take("record kind", "kind", 1, |_| kind.to_owned())?;
    // It also covers the identity of the database, the number of the file and the offset of the record, which are not stored here.
    fields.checksum("checksum of the header", header, (offset, RECORD_HEADER_BYTES as u64 - 4))
}

/// The verdict on `bad`: damage, if the file or `synced` proves that the bytes were durable; else possibly a remainder
/// of a crash.
fn verdict(log: Log, file: &[u8], bad: BadRecord, synced: u64) -> String {
    if let Some(error) = tail::damage(file, log, bad) {
        return error.to_string();
    }
    if synced > bad.offset as u64 {
        let synced = text::bytes(synced);
        return format!(
            "{}: this is damage, because the first {synced} of the file were synced",
            bad.flaw
        );
    }
    format!(
        "{}: recovery reads no further; a crash tore unsynced bytes here, or they were damaged: nothing \
         in the file decides between the two",
        bad.flaw
    )
}

/// Names the bytes of a bad record, as far as they are certain, up to the next authentic header.
fn bad_record(log: Log, file: &[u8], bad: BadRecord, why: String) -> Node {
    let offset = bad.offset as u64;
    let header = file.get(bad.offset..).and_then(|rest| rest.first_chunk());
    if let Some(header) = header.and_then(|header| RecordHeader::find(header, log, offset)) {
        let begin = bad.offset.saturating_add(RECORD_HEADER_BYTES);
        let end = begin.saturating_add(header.body_length()).min(file.len());
        let mut children = vec![record_header(log, file, bad.offset, &header)];
        children.push(match end.saturating_sub(begin) {
            0 => Node::missing(file.len() as u64, why.as_str()),
            bytes => Node::damaged(begin as u64, bytes as u64, why.as_str()),
        });
        let (name, kind) = match called(header.kind, 0) {
            (mark, "mark") => (format!("damaged {mark}"), "mark"),
            (_, kind) => (DAMAGED_RECORD.to_owned(), kind),
        };
        return Node::branch(name, kind, offset, why, children);
    }
    // Reserved space may follow the rest of a torn record.
    let used_end = if log.is_wal() {
        tail::used_end(file).max(bad.offset.saturating_add(1))
    } else {
        file.len()
    };
    let end =
        tail::next_header(tail::used(file), log, bad.resume).map_or(used_end, |(offset, _)| offset);
    Node::damaged(offset, end.saturating_sub(bad.offset) as u64, why)
}
