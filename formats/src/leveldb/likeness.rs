//! How much a file looks like a log, a manifest or `CURRENT`.

use super::batch::Batch;
use super::edit::Edit;
use super::log::{LogItem, begins_with_end, records};
use super::log_nodes::Body;
use crate::Likeness;

/// What a record is whose checksum is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum First {
    /// It can be read.
    Is(Body),
    /// Only other programs write it: the name of the file has to tell what it is.
    Unread,
}

/// What the first sound record of a log is; `None` when there is none.
fn first_record(file: &[u8]) -> Option<First> {
    records(file).find_map(|found| match found {
        LogItem::Record(record) if Batch::decode(&record.payload).is_ok() => {
            Some(First::Is(Body::Batches))
        }
        LogItem::Record(record) if Edit::decode(&record.payload).is_ok() => {
            Some(First::Is(Body::Edits))
        }
        LogItem::Record(_) | LogItem::Unread(_) => Some(First::Unread),
        LogItem::Damage(_) | LogItem::Torn(_) => None,
    })
}

/// Whether the file begins with a record that is what it should be but for its checksum.
fn frames(file: &[u8], body: Body) -> bool {
    let Some(([_, _, _, _, low, high, 1], rest)) = file.split_first_chunk::<7>() else {
        return false;
    };
    let length = usize::from(u16::from_le_bytes([*low, *high]));
    rest.get(..length).is_some_and(|payload| match body {
        Body::Batches => Batch::decode(payload).is_ok(),
        Body::Edits => Edit::decode(payload).is_ok(),
    })
}

/// How much a file in the framing of logs looks like one with such records.
pub(super) fn likeness(file: &[u8], body: Body, named: bool) -> Likeness {
    match first_record(file) {
        Some(First::Is(found)) if found == body => Likeness::Certain,
        Some(First::Unread) if named => Likeness::Certain,
        None if named && (file.is_empty() || frames(file, body) || begins_with_end(file)) => {
            Likeness::Perhaps
        }
        Some(_) | None => Likeness::None,
    }
}

/// Whether the file begins as a line that names a manifest, as far as it goes.
pub(super) fn begins_as_current(file: &[u8]) -> bool {
    let line = b"MANIFEST-";
    file.starts_with(line) || line.starts_with(file)
}

pub(super) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_in_a_used_file_that_has_no_record_yet_is_a_log() {
        let past = b"\x01\0\0\0\0\0\0\0\x01\0\0\0\x01\x03bar\x011";
        let file = [&[0, 0, 0, 0, 0, 0, 5, 10, 0, 0, 0][..], past].concat();
        assert_eq!(likeness(&file, Body::Batches, true), Likeness::Perhaps);
        assert_eq!(likeness(&file, Body::Batches, false), Likeness::None);
        assert_eq!(records(&file).count(), 0);
    }
}
