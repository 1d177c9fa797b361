//! The log as a format.

use super::record::{CHECKED_AT, HEADER_BYTES, Header, Record, number, put};
use super::walk::{Gap, Stretch, Walk};
use crate::recognize::has_extension;
use crate::{Entries, Entry, Format, FormatInfo, Holds, Likeness, SearchMethod, last_in_log};
use levelscope::Result;
use levelscope::inspect::{Fact, Node, Scope, shown};
use levelscope::internals::coding::crc32;
use levelscope::internals::fields::Fields;
use levelscope::internals::probe::Probe;
use levelscope::text;

/// The format.
#[derive(Debug)]
pub(crate) struct Log;

pub(super) static INFO: FormatInfo = FormatInfo {
    id: "kvdb-log",
    name: "log that is the whole database",
    purpose: "Every write appends a record with a checksum; the last record of a key counts.",
    holds: Holds::Log,
    searches: &[SearchMethod::Sequential],
};

fn search<'a, P: Probe>(
    file: &'a [u8],
    key: &[u8],
    method: SearchMethod,
    probe: &mut P,
) -> Result<Option<Entry<'a>>> {
    let entries = Walk::new(file).filter_map(|stretch| match stretch {
        Stretch::Gap(gap) if gap.torn() => None,
        stretch => Some(stretch.entry()),
    });
    last_in_log(entries, file.len(), key, method, probe)
}

impl Format for Log {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn recognize(&self, name: &str, file: &[u8]) -> Likeness {
        let (mut good_bytes, mut first) = (0, None);
        for stretch in Walk::new(file) {
            if let Stretch::Record(record) = stretch {
                good_bytes += record.end - record.offset;
                first.get_or_insert(record.offset);
            }
        }
        match first {
            Some(offset) if offset == 0 || good_bytes > file.len() / 2 => Likeness::Certain,
            Some(_) => Likeness::Perhaps,
            None if file.is_empty() && has_extension(name, "db") => Likeness::Perhaps,
            None => Likeness::None,
        }
    }

    fn annotate(&self, name: &str, file: &[u8], scope: Scope) -> Node {
        let (mut nodes, mut records) = (Vec::new(), 0_u64);
        for stretch in Walk::new(file) {
            match stretch {
                Stretch::Record(record) => {
                    records += 1;
                    nodes.push(record_node(file, record, scope));
                }
                Stretch::Gap(gap) => nodes.push(gap_node(gap)),
            }
        }
        let value = format!("{}, {}", text::counted(records, "record"), text::bytes(file.len()));
        Node::branch(name, "log", 0, value, nodes)
    }

    fn scan<'a>(&self, file: &'a [u8]) -> Entries<'a> {
        Box::new(Walk::new(file).map(Stretch::entry))
    }

    searched_by!(search);

    fn write(&self, entries: &[Entry<'_>]) -> Result<Vec<u8>> {
        let mut file = Vec::new();
        for entry in entries {
            put(&mut file, &entry.key, entry.value.as_deref())?;
        }
        Ok(file)
    }
}

fn gap_node(gap: Gap) -> Node {
    let node = Node::damaged(gap.offset as u64, (gap.end - gap.offset) as u64, gap.what());
    if gap.torn() { Node { name: "torn record".to_owned(), ..node } } else { node }
}

fn record_node(file: &[u8], record: Record<'_>, scope: Scope) -> Node {
    let (offset, bytes) = (record.offset as u64, (record.end - record.offset) as u64);
    let key = shown(record.key);
    let value = match record.value {
        Some(value) => format!("put {key}: {}", shown(value)),
        None => format!("delete {key}"),
    };
    if !scope.opens(offset, bytes) {
        return Node { more: true, ..Node::leaf("record", "record", offset, bytes, value) };
    }
    let stored = file.get(record.offset..record.end).unwrap_or_default();
    let mut fields = Fields::new(stored, offset);
    let _ = record_fields(&mut fields, stored, offset);
    Node::branch("record", "record", offset, value, fields.finish("this belongs to no field"))
}

fn record_fields(fields: &mut Fields<'_>, stored: &[u8], offset: u64) -> Option<()> {
    let header = Header::read(stored)?;
    let checked = stored.get(CHECKED_AT..)?;
    let computed = crc32(&[checked]);
    fields.take("checksum", "checksum", 4, |_| format!("0x{computed:08x}, correct"))?;
    fields.set_fact(Some(Fact::Checksum {
        stored: header.checksum,
        computed,
        from: offset.saturating_add(CHECKED_AT as u64),
        bytes: checked.len() as u64,
    }));
    fields.take("kind", "kind", 1, |kind| match kind {
        [0] => "0: value".to_owned(),
        _ => "1: tombstone".to_owned(),
    })?;
    for name in ["key length", "value length"] {
        fields.take(name, "length", 4, |bytes| {
            bytes.first_chunk().map(|bytes| number(*bytes).to_string()).unwrap_or_default()
        })?;
    }
    fields.text("key", "key", header.key_bytes.into())?;
    let rest = stored.len().checked_sub(HEADER_BYTES)? as u64;
    fields.text("value", "value", rest.checked_sub(header.key_bytes.into())?)?;
    Some(())
}
