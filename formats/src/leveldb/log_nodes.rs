//! Write-ahead logs and manifests, explained: fragment by fragment, and in them what the records say.

use super::batch::{Batch, Flaw};
use super::crc::{crc32c, masked};
use super::cursor::parse;
use super::edit::Edit;
use super::log::{FRAGMENT_HEADER_BYTES, LogItem, Part, Piece, Placed, pieces, records};
use levelscope::Error;
use levelscope::inspect::{Node, Scope, shown};
use levelscope::internals::coding::Reader;
use levelscope::internals::fields::Fields;
use levelscope::internals::key::TRAILER_BYTES;
use levelscope::text;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Said of remains of an older log, after the end of the newer one in the same file.
pub(crate) const USED_BEFORE: &str =
    "the log ends here: its file was used before, and this is left of that";

/// What the records of a log are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    Batches,
    Edits,
}

impl Body {
    fn kind(self) -> &'static str {
        match self {
            Self::Batches => "log",
            Self::Edits => "manifest",
        }
    }

    /// What the record `payload` says, in one line.
    fn says(self, payload: &[u8]) -> String {
        match self {
            Self::Batches => match Batch::decode(payload) {
                Ok(Batch { first, count: 1, .. }) => format!("batch of 1, sequence number {first}"),
                Ok(Batch { first, count, .. }) => {
                    let last = first.saturating_add(count.into()).saturating_sub(1);
                    format!("batch of {count}, sequence numbers {first} to {last}")
                }
                Err(flaw) => flaw.what().to_owned(),
            },
            Self::Edits => match Edit::decode(payload) {
                Ok(edit) => summary(&edit),
                Err((_, flaw)) => flaw.what().to_owned(),
            },
        }
    }

    /// Why the record `payload`, whose checksum is right, is not read whole; `None` when only damage can
    /// be the reason.
    fn unread(self, payload: &[u8]) -> Option<String> {
        let flaw = match self {
            Self::Batches => Batch::decode(payload).err(),
            Self::Edits => Edit::decode(payload).err().map(|(_, flaw)| flaw),
        };
        match flaw {
            Some(Flaw::Unread(what)) => Some(what),
            _ => None,
        }
    }

    /// Names the bytes of the record `payload`, which begin at `offset` \[bytes\].
    fn parts(self, payload: &[u8], offset: u64) -> Vec<Node> {
        let mut fields = Fields::new(payload, offset);
        let what = match self {
            Self::Batches => {
                let _ = batch_fields(&mut fields);
                "this is no operation of a batch"
            }
            Self::Edits => {
                while !fields.rest().is_empty() && edit_field(&mut fields).is_some() {}
                "this is no field of a version edit"
            }
        };
        match self.unread(payload) {
            Some(why) => fields.finish_unread(&why),
            None => fields.finish(what),
        }
    }
}

fn summary(edit: &Edit) -> String {
    let mut words = Vec::new();
    if let Some(comparator) = &edit.comparator {
        words.push(format!("keys in the order {}", shown(comparator)));
    }
    let removed = edit.removed.iter().map(|(level, number)| format!("-{number} in L{level}"));
    let added = edit.added.iter().map(|(level, table)| format!("+{} in L{level}", table.number));
    words.extend(removed.chain(added));
    if words.is_empty() { "counters only".to_owned() } else { words.join(", ") }
}

/// Names every byte of the log `file`, as far as `scope` says.
pub(super) fn annotate_log(name: &str, file: &[u8], body: Body, scope: Scope) -> Node {
    // Records of several fragments are explained at their first one.
    let mut joined: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
    let mut count = 0_u64;
    for found in records(file) {
        if let LogItem::Record(record) = found {
            count += 1;
            if matches!(record.payload, Cow::Owned(_))
                && scope.opens(record.offset as u64, record.payload.len() as u64)
            {
                joined.insert(record.offset, record.payload.into_owned());
            }
        }
    }
    let mut nodes = Vec::new();
    for placed in pieces(file) {
        let node = match placed.piece {
            Piece::Fragment(part, payload) => {
                let whole = joined.get(&placed.offset).map(Vec::as_slice);
                fragment(file, placed, (part, payload), whole, body, scope)
            }
            Piece::Padding | Piece::Unused => unused(file, placed),
            Piece::Torn => torn(placed, "the file ends within this: what a crash left, not used"),
            Piece::Damaged(why) => torn(placed, why),
            Piece::Unread { tag, .. } => {
                let what = format!("a record of type {tag}, which is not read");
                Node::unread(placed.offset as u64, placed.bytes as u64, what)
            }
            Piece::Compressed => {
                let what = "part of a compressed record, which is not read";
                Node::unread(placed.offset as u64, placed.bytes as u64, what)
            }
            Piece::Past => Node::unread(placed.offset as u64, placed.bytes as u64, USED_BEFORE),
        };
        nodes.push(node);
    }
    let value = format!("{}, {}", text::counted(count, "record"), text::bytes(file.len()));
    Node::branch(name, body.kind(), 0, value, nodes)
}

fn torn(placed: Placed<'_>, why: &str) -> Node {
    Node::damaged(placed.offset as u64, placed.bytes as u64, why)
}

fn unused(file: &[u8], placed: Placed<'_>) -> Node {
    let bytes = file.get(placed.offset..placed.offset + placed.bytes).unwrap_or_default();
    let (offset, length) = (placed.offset as u64, placed.bytes as u64);
    if bytes.iter().any(|byte| *byte != 0) {
        return Node::leaf("end of the block", "bytes", offset, length, "never read");
    }
    let what = "the next fragment begins with the next block";
    Node::leaf("end of the block", "zeros", offset, length, what)
}

fn fragment(
    file: &[u8],
    placed: Placed<'_>,
    (part, payload): (Part, &[u8]),
    joined: Option<&[u8]>,
    body: Body,
    scope: Scope,
) -> Node {
    let (offset, length) = (placed.offset as u64, placed.bytes as u64);
    let (name, value) = match (part, joined) {
        (Part::Full, _) => ("record", body.says(payload)),
        (Part::First, Some(whole)) => ("first part of a record", body.says(whole)),
        (Part::First, None) => ("first part of a record", String::new()),
        (Part::Middle, _) => ("middle part of a record", String::new()),
        (Part::Last, _) => ("last part of a record", String::new()),
    };
    if !scope.opens(offset, length) {
        return Node { more: true, ..Node::leaf(name, "record", offset, length, value) };
    }
    let mut children = vec![header(file, placed, payload.len())];
    let at = offset + FRAGMENT_HEADER_BYTES as u64;
    if part == Part::Full {
        children.extend(body.parts(payload, at));
        return Node::branch(name, "record", offset, value, children);
    }
    // What the whole record says is inside its first part, which may have no bytes of its own.
    let parts = joined.map(|whole| body.parts(whole, 0)).unwrap_or_default();
    let inside = Node::branch("", "bytes", 0, "", parts).children;
    if payload.is_empty() {
        return Node { inside, ..Node::branch(name, "record", offset, value, children) };
    }
    let leaf = Node::leaf("part", "bytes", at, payload.len() as u64, shown(payload));
    children.push(Node { inside, ..leaf });
    Node::branch(name, "record", offset, value, children)
}

fn header(file: &[u8], placed: Placed<'_>, payload_bytes: usize) -> Node {
    let end = placed.offset + FRAGMENT_HEADER_BYTES;
    let bytes = file.get(placed.offset..end).unwrap_or_default();
    // The type follows checksum and length.
    let type_at = end - 1;
    let covered = file.get(type_at..end + payload_bytes).unwrap_or_default();
    let mut fields = Fields::new(bytes, placed.offset as u64);
    let computed = masked(crc32c(&[covered]));
    let range = (type_at as u64, covered.len() as u64);
    let _ = fields.checksum("checksum of the fragment", computed, range);
    let _ = fields.number("length", "length", 2);
    let _ = fields.take("type", "kind", 1, |tag| {
        let word = match tag {
            [1] => "1: a whole record",
            [2] => "2: first part",
            [3] => "3: middle part",
            _ => "4: last part",
        };
        word.to_owned()
    });
    let children = fields.finish("this is no header");
    Node::branch("header", "header", placed.offset as u64, "", children)
}

fn batch_fields(fields: &mut Fields<'_>) -> Option<()> {
    let first = fields.number("first sequence number", "sequence", 8)?;
    let count = fields.number("operations", "count", 4)?;
    for index in 0..count {
        let begin = fields.position();
        let mut parts = Fields::new(fields.rest(), begin);
        let value = operation(&mut parts)?;
        let name = format!("operation {}", first.saturating_add(index));
        fields.push(Node::branch(name, "entry", begin, value, parts.so_far()));
    }
    Some(())
}

fn operation(parts: &mut Fields<'_>) -> Option<String> {
    let word = match parts.rest().first()? {
        0 => "delete",
        1 => "put",
        _ => return None,
    };
    let kind = parts.take("kind", "kind", 1, |_| word.to_owned())?;
    let key_bytes = parts.varint("key length", "length")?;
    let key = parts.text("key", "key", key_bytes)?;
    if kind == [1] {
        let value_bytes = parts.varint("value length", "length")?;
        parts.text("value", "value", value_bytes)?;
    }
    Some(format!("{word} {}", shown(key)))
}

/// Adds the next field of an edit.
fn edit_field(fields: &mut Fields<'_>) -> Option<()> {
    let begin = fields.position();
    let mut parts = Fields::new(fields.rest(), begin);
    let tag = Reader::new(parts.rest()).varint()?;
    let (name, numbers, keys): (_, &[(&str, &'static str)], &[&str]) = match tag {
        1 => ("comparator", &[], &[]),
        2 => ("log number", &[("file number", "number")], &[]),
        3 => ("next file number", &[("file number", "number")], &[]),
        4 => ("last sequence number", &[("sequence number", "sequence")], &[]),
        5 => ("compact pointer", &[("level", "number")], &["next"]),
        6 => ("table removed", &[("level", "number"), ("table number", "number")], &[]),
        7 => (
            "table added",
            &[("level", "number"), ("table number", "number"), ("file length", "length")],
            &["smallest", "largest"],
        ),
        9 => ("number of the log before", &[("file number", "number")], &[]),
        _ => return None,
    };
    let tag_bytes = parts.rest().iter().take_while(|byte| **byte & 0x80 != 0).count() + 1;
    parts.take("tag", "kind", tag_bytes, |_| format!("{tag}: {name}"))?;
    for (number, kind) in numbers {
        parts.varint(number, kind)?;
    }
    if tag == 1 {
        let bytes = parts.varint("length of the name", "length")?;
        parts.text("name", "key", bytes)?;
    }
    for key in keys {
        internal_key(&mut parts, key)?;
    }
    let children = parts.so_far();
    let alone = children.get(1).filter(|_| tag != 1 && children.len() == 2);
    let named = children.get(2).filter(|_| tag == 1);
    let value = alone.or(named).map(|child| child.value.clone()).unwrap_or_default();
    fields.push(Node::branch(name, "field", begin, value, children));
    Some(())
}

fn internal_key(parts: &mut Fields<'_>, which: &str) -> Option<()> {
    let bytes = parts.varint(&format!("length of the {which} key"), "length")?;
    let whole = parts.rest().get(..usize::try_from(bytes).ok()?)?;
    let Some(parsed) = parse(whole) else {
        return parts.text(&format!("{which} key"), "key", bytes).map(drop);
    };
    parts.text(&format!("{which} key"), "key", bytes - TRAILER_BYTES as u64)?;
    let word = if parsed.kind == 0 { "delete" } else { "put" };
    let value = format!("{}, {word}", parsed.sequence);
    parts.take("sequence number and kind", "sequence", TRAILER_BYTES, |_| value).map(drop)
}

/// Names every byte of `CURRENT`.
pub(super) fn annotate_current(name: &str, file: &[u8]) -> Node {
    let mut fields = Fields::new(file, 0);
    if let Some(named) = manifest_named(file).filter(|_| file.ends_with(b"\n")) {
        let _ = fields.text("name of the manifest", "key", named.len() as u64);
        let _ = fields.take("end of the line", "magic", 1, shown);
        let value = format!("{} counts", shown(named));
        return Node::branch(name, "current", 0, value, fields.so_far());
    }
    let flaw = current_flaw(file);
    let sound = flaw.offset().unwrap_or(file.len() as u64);
    let _ = fields.text("beginning of a name", "key", sound);
    let mut nodes = fields.finish(flaw.message());
    if flaw.offset().is_none() {
        nodes.push(Node::missing(file.len() as u64, UNFINISHED));
    }
    Node::branch(name, "current", 0, flaw.to_string(), nodes)
}

/// What a `CURRENT` lacks that was cut short.
const UNFINISHED: &str = "the line that names a manifest is not finished";

/// Why the content of `CURRENT` names no manifest in a whole line.
pub(crate) fn current_flaw(file: &[u8]) -> Error {
    if manifest_named(file).is_some() || b"MANIFEST-".starts_with(file) {
        return Error::ends_at(file.len() as u64, UNFINISHED);
    }
    let right = b"MANIFEST-".iter().zip(file).take_while(|(known, byte)| known == byte).count();
    let digits = file.iter().skip(right).take_while(|byte| byte.is_ascii_digit()).count();
    let what = match file {
        _ if file.iter().all(|byte| *byte == 0) => {
            "these are zeros, as a crash leaves them, and no name of a manifest".to_owned()
        }
        _ if digits > 0 => {
            let named = file.get(..right + digits).unwrap_or_default();
            let rest = match file.get(right + digits..) {
                Some(b"\r\n") => "the line ends in CR LF in place of LF",
                _ => "more follows the name of a manifest than the end of its line",
            };
            format!("{rest}: make a copy, then write `{}\\n` into CURRENT", shown(named))
        }
        _ => "this names no manifest".to_owned(),
    };
    Error::damaged_at((right + digits) as u64, what)
}

/// The name of the manifest in the content of `CURRENT`, which may lack the end of its line.
pub(crate) fn manifest_named(file: &[u8]) -> Option<&[u8]> {
    let named = file.strip_suffix(b"\n").unwrap_or(file);
    let digits = named.strip_prefix(b"MANIFEST-")?;
    let all = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    all.then_some(named).filter(|named| named.len() < 32)
}
