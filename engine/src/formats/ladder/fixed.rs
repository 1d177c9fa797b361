//! The first step: entries with lengths of two bytes, one after the other.

use super::{entry, stored_value};
use crate::event::ShownKey;
use crate::formats::{Entries, Entry, Format, FormatInfo, Holds, Likeness, SearchMethod, Trail};
use crate::inspect::fields::Fields;
use crate::inspect::{Node, Scope, printable};
use crate::probe::{EntryOrder, EntryStop, NoProbe, Probe};
use crate::{Error, Result};
use std::cmp::Ordering;

/// Bytes in front of each key: its length and that of the value.
const HEADER_BYTES: usize = 4;

/// The format.
#[derive(Debug)]
pub(crate) struct Fixed;

static INFO: FormatInfo = FormatInfo {
    id: "ladder-fixed",
    name: "table with fixed lengths",
    purpose: "Entries in the order of their keys, each behind two lengths of two bytes.",
    holds: Holds::Table,
    searches: &[SearchMethod::Sequential],
    writable: true,
};

/// Key and stored value of the entry at `offset`, and where the next one begins.
fn at(file: &[u8], offset: usize) -> Option<(&[u8], &[u8], usize)> {
    let (header, rest) = file.get(offset..)?.split_first_chunk::<HEADER_BYTES>()?;
    let [key_low, key_high, value_low, value_high] = *header;
    let key_bytes = usize::from(u16::from_le_bytes([key_low, key_high]));
    let value_bytes = usize::from(u16::from_le_bytes([value_low, value_high]));
    let key = rest.get(..key_bytes)?;
    let value = rest.get(key_bytes..)?.get(..value_bytes)?;
    Some((key, value, offset + HEADER_BYTES + key_bytes + value_bytes))
}

/// The entry at `offset` \[bytes\], and where the next one begins.
fn read(file: &[u8], offset: usize) -> Result<(Entry<'_>, usize)> {
    let cut = || Error::damaged_at(offset as u64, "the file ends within this entry");
    let (key, stored, next) = at(file, offset).ok_or_else(cut)?;
    Ok((entry(key, stored, offset as u64)?, next))
}

fn search<'a, P: Probe>(file: &'a [u8], key: &[u8], probe: &mut P) -> Result<Option<Entry<'a>>> {
    probe.access("file", 0, file.len() as u64);
    let mut offset = 0;
    while offset < file.len() {
        let (entry, next) = read(file, offset)?;
        probe.comparison();
        let order = match entry.key.as_ref().cmp(key) {
            Ordering::Less => EntryOrder::Before,
            Ordering::Equal => EntryOrder::Found,
            Ordering::Greater => EntryOrder::Behind,
        };
        probe.walked(|| EntryStop {
            offset,
            shared: 0,
            key: ShownKey::new(&entry.key),
            sequence: 0,
            order,
        });
        match order {
            EntryOrder::Before => offset = next,
            EntryOrder::Found => return Ok(Some(entry)),
            EntryOrder::Behind => return Ok(None),
        }
    }
    Ok(None)
}

fn only_sequential(search: SearchMethod) -> Result<()> {
    if search == SearchMethod::Sequential {
        return Ok(());
    }
    Err(Error::invalid("a table without an index can only be searched from front to back"))
}

impl Format for Fixed {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn recognize(&self, _: &str, file: &[u8]) -> Likeness {
        let mut last: Option<Entry<'_>> = None;
        for entry in self.scan(file) {
            match (entry, &last) {
                (Ok(entry), Some(last)) if entry.key <= last.key => return Likeness::None,
                (Ok(entry), _) => last = Some(entry),
                (Err(_), _) => return Likeness::None,
            }
        }
        if last.is_some() { Likeness::Likely } else { Likeness::None }
    }

    fn annotate(&self, name: &str, file: &[u8], scope: Scope) -> Node {
        let mut entries = Vec::new();
        let mut offset = 0;
        while let Ok((entry, next)) = read(file, offset) {
            entries.push(entry_node(file, (offset, next), &entry, scope));
            offset = next;
        }
        let count = entries.len();
        if let (true, Err(error)) = (offset < file.len(), read(file, offset)) {
            let rest = (file.len() - offset) as u64;
            entries.push(Node::damaged(offset as u64, rest, error.message()));
        }
        Node::branch(name, "table", 0, format!("{count} entries, {} bytes", file.len()), entries)
    }

    fn scan<'a>(&self, file: &'a [u8]) -> Entries<'a> {
        let mut offset = 0;
        Box::new(std::iter::from_fn(move || {
            if offset >= file.len() {
                return None;
            }
            let read = read(file, offset);
            // Without lengths to trust, there is no next entry to find.
            offset = read.as_ref().map_or(file.len(), |(_, next)| *next);
            Some(read.map(|(entry, _)| entry))
        }))
    }

    fn get<'a>(
        &self,
        file: &'a [u8],
        key: &[u8],
        method: SearchMethod,
    ) -> Result<Option<Entry<'a>>> {
        only_sequential(method)?;
        search(file, key, &mut NoProbe)
    }

    fn explain<'a>(
        &self,
        file: &'a [u8],
        key: &[u8],
        method: SearchMethod,
        trail: &mut Trail,
    ) -> Result<Option<Entry<'a>>> {
        only_sequential(method)?;
        search(file, key, trail)
    }

    fn write(&self, entries: &[Entry<'_>]) -> Result<Vec<u8>> {
        let mut file = Vec::new();
        for entry in entries {
            let stored = stored_value(entry.value.as_deref());
            for part in [&*entry.key, &stored] {
                let bytes = u16::try_from(part.len()).map_err(|_| {
                    Error::invalid("two bytes cannot hold a length of more than 65,535 bytes")
                })?;
                file.extend_from_slice(&bytes.to_le_bytes());
            }
            file.extend_from_slice(&entry.key);
            file.extend_from_slice(&stored);
        }
        Ok(file)
    }
}

fn entry_node(file: &[u8], (begin, end): (usize, usize), entry: &Entry<'_>, scope: Scope) -> Node {
    let word = if entry.value.is_some() { "set" } else { "delete" };
    let value = format!("{word} {}", printable(&entry.key));
    let (offset, bytes) = (begin as u64, (end - begin) as u64);
    if !scope.opens(offset, bytes) {
        return Node { more: true, ..Node::leaf("entry", "entry", offset, bytes, value) };
    }
    let mut fields = Fields::new(file.get(begin..end).unwrap_or_default(), offset);
    let _ = entry_fields(&mut fields);
    Node::branch("entry", "entry", offset, value, fields.finish("this belongs to no field"))
}

fn entry_fields(fields: &mut Fields<'_>) -> Option<()> {
    let key_bytes = fields.number("key length", "length", 2)?;
    fields.number("value length", "length", 2)?;
    fields.text("key", "key", key_bytes)?;
    fields.take("operation", "kind", 1, |kind| match kind {
        [0] => "0: delete".to_owned(),
        _ => "1: set".to_owned(),
    })?;
    let rest = fields.rest().len() as u64;
    fields.text("value", "value", rest)?;
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::fields::assert_covers;

    const FILE: &[u8] = b"\x03\0\x02\0bar\x011\x03\0\x01\0baz\0\x03\0\x03\0foo\x0122";

    fn entries() -> Vec<Entry<'static>> {
        [(&b"bar"[..], Some(&b"1"[..])), (b"baz", None), (b"foo", Some(b"22"))]
            .map(|(key, value)| Entry::new(key, value))
            .to_vec()
    }

    #[test]
    fn what_is_written_is_read_again() {
        assert_eq!(Fixed.write(&entries()).unwrap(), FILE);
        let found: Vec<_> = Fixed.scan(FILE).map(Result::unwrap).collect();
        assert_eq!(
            found.iter().map(|entry| &*entry.key).collect::<Vec<_>>(),
            [b"bar", b"baz", b"foo"]
        );
        let mut trail = Trail::default();
        let found = Fixed.explain(FILE, b"baz", SearchMethod::Sequential, &mut trail).unwrap();
        assert_eq!((found.unwrap().value, trail.comparisons), (None, 2));
        assert!(Fixed.get(FILE, b"\xff", SearchMethod::Sequential).unwrap().is_none());
        assert_eq!(Fixed.recognize("", FILE), Likeness::Likely);
    }

    #[test]
    fn every_byte_of_a_damaged_file_has_a_name() {
        for cut in 0..=FILE.len() {
            assert_covers(&Fixed.annotate("cut", &FILE[..cut], Scope::ALL), &FILE[..cut]);
        }
        for at in 0..FILE.len() {
            let mut bytes = FILE.to_vec();
            bytes[at] ^= 0x21;
            assert_covers(&Fixed.annotate("flipped", &bytes, Scope::ALL), &bytes);
        }
    }
}
