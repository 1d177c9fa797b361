//! The framing that write-ahead logs and manifests share, explained.

use super::Node;
use super::fields::{Fields, checksum};
use crate::coding::crc32;
use crate::storage::FileName;
use crate::wal::file::{FILE_HEADER_BYTES, Log};
use crate::wal::record::{BadRecord, RECORD_HEADER_BYTES, Record, RecordHeader, RecordKind};
use crate::wal::tail;

/// Explains the body of a good record: what it says, and its parts.
pub(super) type BodyFields = fn(log: Log, record: &Record<'_>) -> (String, Vec<Node>);

/// Names every byte of a log file; `body` explains what the frames hold.
pub(super) fn annotate_log(name: FileName, kind: &str, file: &[u8], body: BodyFields) -> Node {
    let length = file.len() as u64;
    let Ok(log) = Log::from_name(name) else {
        return Node::leaf(name.to_string(), "bytes", 0, length, String::new());
    };
    if file.is_empty() {
        return Node::leaf(name.to_string(), kind, 0, 0, "created, but never written");
    }
    let mut nodes = vec![file_header(log, file)];
    let mut offset = FILE_HEADER_BYTES;
    let mut records = 0;
    let mut judged = false;
    while offset < file.len() {
        let node = match Record::read(file, log, offset) {
            Ok(record) => {
                records += 1;
                let (value, fields) = body(log, &record);
                let header = record_header(log, file, offset, &record.header);
                let children = std::iter::once(header).chain(fields).collect();
                Node::branch(format!("record {records}"), "record", offset as u64, value, children)
            }
            Err(bad) => {
                // Only the first bad place has a verdict: replay goes no further.
                let why = if judged { bad.flaw.to_string() } else { verdict(log, file, bad) };
                judged = true;
                bad_record(log, file, bad, why)
            }
        };
        offset = offset.saturating_add(usize::try_from(node.bytes).unwrap_or(usize::MAX).max(1));
        nodes.push(node);
    }
    Node::branch(name.to_string(), kind, 0, format!("{records} records, {length} bytes"), nodes)
}

fn file_header(log: Log, file: &[u8]) -> Node {
    let bytes = file.get(..FILE_HEADER_BYTES).unwrap_or(file);
    let value = match log.check_header(file) {
        Ok(true) => String::new(),
        Ok(false) => "the header is cut off or damaged".to_owned(),
        Err(error) => error.to_string(),
    };
    let mut fields = Fields::new(bytes, 0);
    let _ = file_header_fields(&mut fields, log, bytes);
    let children = fields.finish("the file ends within its header");
    Node::branch("file header", "header", 0, value, children)
}

/// Adds the fields of a file header, as far as they are there.
fn file_header_fields(fields: &mut Fields<'_>, log: Log, bytes: &[u8]) -> Option<()> {
    fields.text("magic", "magic", log.magic().len() as u64)?;
    fields.number("format version", "number", 4)?;
    fields.number("file number", "number", 8)?;
    let covered = bytes.get(..FILE_HEADER_BYTES - 4)?;
    fields.take("checksum of the header", "checksum", 4, |stored| {
        checksum(stored, crc32(&[covered]))
    })?;
    Some(())
}

/// The header of the record at `offset` \[bytes\], which is known to be there and authentic.
fn record_header(log: Log, file: &[u8], offset: usize, header: &RecordHeader) -> Node {
    let bytes = file.get(offset..).unwrap_or_default();
    let bytes = bytes.get(..RECORD_HEADER_BYTES).unwrap_or(bytes);
    let body = file.get(offset + RECORD_HEADER_BYTES..).unwrap_or_default();
    let body = body.get(..header.body_length()).unwrap_or(body);
    let stored = [crc32(&[body]), header.checksum(log, offset as u64)];
    let mut fields = Fields::new(bytes, offset as u64);
    let _ = record_header_fields(&mut fields, header.kind, stored);
    let children = fields.finish("the file ends within this header");
    Node::branch("record header", "header", offset as u64, String::new(), children)
}

/// Adds the fields of a record header; `checksums` are those of the body and of the header itself.
fn record_header_fields(
    fields: &mut Fields<'_>,
    kind: RecordKind,
    checksums: [u32; 2],
) -> Option<()> {
    let [body, header] = checksums;
    let (count, number, kind) = match kind {
        RecordKind::Batch => ("operations", "first sequence number", "1: batch"),
        RecordKind::CleanEnd => ("count", "next sequence number", "2: clean end"),
        RecordKind::Edit => ("tables removed and added", "position of the edit", "3: edit"),
        RecordKind::SyncMark => ("count", "number of the next record", "4: sync mark"),
        RecordKind::Follows => ("count", "number of the log before", "5: follows"),
    };
    fields.number("body length", "length", 4)?;
    fields.take("checksum of the body", "checksum", 4, |stored| checksum(stored, body))?;
    fields.number(count, "count", 4)?;
    fields.number("durable bytes when it was written", "length", 8)?;
    let node = if kind.starts_with('5') { "number" } else { "sequence" };
    fields.number(number, node, 7)?;
    fields.take("record kind", "kind", 1, |_| kind.to_owned())?;
    fields.take("checksum of the header", "checksum", 4, |stored| checksum(stored, header))?;
    Some(())
}

/// What a replay that meets `bad` makes of it.
fn verdict(log: Log, file: &[u8], bad: BadRecord) -> String {
    match tail::damage(file, log, bad) {
        Some(error) => error.to_string(),
        None => format!("{}: what a crash left of unsynced bytes, not used", bad.flaw),
    }
}

/// What is no good record: as much of it as is certain, up to the next authentic header.
fn bad_record(log: Log, file: &[u8], bad: BadRecord, why: String) -> Node {
    let offset = bad.offset as u64;
    let header = file.get(bad.offset..).and_then(|rest| rest.first_chunk());
    if let Some(header) = header.and_then(|header| RecordHeader::find(header, log, offset)) {
        let begin = bad.offset.saturating_add(RECORD_HEADER_BYTES);
        let end = begin.saturating_add(header.body_length()).min(file.len());
        let mut children = vec![record_header(log, file, bad.offset, &header)];
        if end > begin {
            let body = Node::damaged(begin as u64, (end - begin) as u64, why.as_str());
            children.push(body);
        }
        return Node::branch("damaged record", "record", offset, why, children);
    }
    let end = tail::next_header(file, log, bad.resume).map_or(file.len(), |(offset, _)| offset);
    Node::damaged(offset, end.saturating_sub(bad.offset) as u64, why)
}
