//! The content of a block in rows: entries, values that are apart, restart points, hash index.

use super::block::Role;
use super::fields::{Fields, entry_fact, entry_words, fields};
use super::sink::{Draft, Inner, Sink, named, parts};
use super::table::Table;
use super::values;
use super::view::View;
use super::{Scene, properties};
use crate::bytes::Cursor;
use crate::key::split;
use crate::table::{Block, BlockCursor, Layout};
use crate::text::{count, key, number};
use crate::{Error, Kind, Result};
use levelscope::event::ShownKey;
use levelscope::inspect::KeyFact;
use std::rc::Rc;

/// The flags above the number of restart points, with their words.
const FLAGS: [(u32, &str); 3] =
    [(31, "a hash index"), (29, "keys are spread evenly"), (28, "values apart from their keys")];

/// The number of a plain put, the only kind whose values have a prefix byte.
const PUT: u8 = 1;
/// The bit of Pebble's kinds that means "obsolete in this table".
const OBSOLETE: u8 = 64;

/// The parts of the content `view`.
pub(super) fn write(
    _scene: &Scene<'_>,
    table: &Rc<Table>,
    role: &Role,
    view: &View,
    sink: &mut Sink,
) -> Result<()> {
    let cursor = table.rows(role, view)?;
    let [entries, values, restarts, hash] = cursor.block().parts();
    let count_of_restarts = cursor.block().restarts();
    let inner = |write: fn(&Walk, &mut Sink) -> Result<()>| {
        let walk = Walk { table: Rc::clone(table), role: role.clone(), view: view.clone() };
        parts(move |_, sink| write(&walk, sink))
    };
    let bytes = entries.len() as u64;
    sink.open(bytes, || named("entries", "entries"), || inner(Walk::entries))?;
    let bytes = values.len() as u64;
    sink.open(bytes, || named("values", "entries"), || inner(Walk::values))?;
    let draft = || {
        let words = count(count_of_restarts as u64, "restart point");
        named("restart points", "restarts").value(words)
    };
    sink.open(restarts.len() as u64, draft, || inner(Walk::restarts))?;
    let buckets = view.part(hash.clone());
    sink.open(hash.len() as u64, || named("hash index", "index"), || hash_index(&buckets))?;
    let left = usize::try_from(sink.end() - sink.position()).unwrap_or(usize::MAX);
    let tail = view.at(sink.position(), left)?;
    let mut tail = Fields::new(&tail, sink);
    if cursor.block().has_values_apart() {
        tail.u32("offset of the values", "offset")?;
    }
    tail.field(Cursor::u32, |packed| {
        named("number of restart points", "count").value(packed_words(*packed))
    })?;
    tail.end()
}

fn packed_words(packed: u32) -> String {
    let flags = FLAGS.iter().filter(|(bit, _)| packed >> bit & 1 == 1).map(|(_, words)| *words);
    let mut words = vec![number(u64::from(packed & 0x0fff_ffff))];
    words.extend(flags.map(str::to_owned));
    words.join(", ")
}

fn hash_index(buckets: &View) -> Inner {
    fields(buckets, |fields| {
        while fields.left() > 2 {
            fields.byte("bucket", "number", |bucket| match bucket {
                255 => "empty".to_owned(),
                254 => "several restart points".to_owned(),
                restart => format!("restart point {}", u64::from(restart) + 1),
            })?;
        }
        fields.u16("number of buckets", "count")?;
        Ok(())
    })
}

/// Context of a walk over a block.
struct Walk {
    table: Rc<Table>,
    role: Role,
    view: View,
}

impl Walk {
    fn entries(&self, sink: &mut Sink) -> Result<()> {
        let mut cursor = self.table.rows(&self.role, &self.view)?;
        while cursor.advance()? {
            if sink.is_enough() {
                return Ok(());
            }
            let range = cursor.entry_range();
            sink.take(range.len() as u64, |_| {
                let entry = Entry::at(self, &cursor);
                (entry.draft(&cursor), Some(entry.inner()))
            })?;
        }
        Ok(())
    }

    fn values(&self, sink: &mut Sink) -> Result<()> {
        let mut cursor = self.table.rows(&self.role, &self.view)?;
        while cursor.advance()? {
            if sink.is_enough() {
                return Ok(());
            }
            let value = self.view.part(cursor.value_range());
            if value.len() > 0 {
                sink.gap(value.offset(), "no entry leads to these bytes")?;
            }
            let draft = || {
                let entry = Entry::at(self, &cursor);
                named("value", "value").value(entry.words(&cursor))
            };
            sink.open(value.len() as u64, draft, || {
                let mut entry = Entry::at(self, &cursor);
                entry.is_apart = false;
                let value = value.clone();
                parts(move |_, sink| entry.value(&value, sink))
            })?;
        }
        Ok(())
    }

    fn restarts(&self, sink: &mut Sink) -> Result<()> {
        let block = self.table.rows(&self.role, &self.view)?.into_block();
        let [entries, ..] = block.parts();
        for place in 0..block.restarts() {
            if sink.is_enough() {
                return Ok(());
            }
            let offset = block.restart(place).unwrap_or_default();
            let at = sink.position();
            sink.leaf(4, || {
                let outside = offset > entries.end || (offset == entries.end && offset > 0);
                let problem = outside
                    .then(|| Error::damaged(at, "a restart point is outside of the entries"));
                let words = format!("the entry {} bytes after the start", number(offset as u64));
                let name = format!("restart point {}", place + 1);
                named(name, "offset").value(words).problem(problem)
            })?;
        }
        Ok(())
    }
}

/// One entry, without its block.
struct Entry {
    table: Rc<Table>,
    role: Role,
    view: View,
    /// The user key; where keys are internal, also the sequence number and the kind.
    user_key: Vec<u8>,
    sequence: u64,
    kind: Option<Kind>,
    /// Whether the value begins with a byte for its place.
    is_placed: bool,
    /// The whole key has these bytes; those that are stored are its end.
    key_bytes: usize,
    shared: usize,
    /// Whether a restart point leads to it.
    is_restart: bool,
    /// Whether the value is not in the entry. At a restart point its place stands there.
    is_apart: bool,
}

impl Entry {
    fn at(walk: &Walk, cursor: &BlockCursor) -> Self {
        let layout = walk.table.layout(&walk.role);
        let whole = cursor.key();
        let (user_key, sequence, kind, number) = match split(whole) {
            Ok((user_key, sequence, number)) if layout.has_internal_keys() => {
                (user_key, sequence, Some(Kind::of(walk.table.engine, number)), number & !OBSOLETE)
            }
            _ => (whole, 0, None, 0),
        };
        let range = cursor.entry_range();
        Self {
            table: Rc::clone(&walk.table),
            role: walk.role.clone(),
            view: walk.view.part(range.clone()),
            user_key: user_key.to_vec(),
            sequence,
            kind,
            is_placed: number == PUT && walk.table.has_value_prefixes(),
            key_bytes: whole.len(),
            shared: cursor.shared(),
            is_restart: is_restart(cursor.block(), range.start),
            is_apart: cursor.block().has_values_apart(),
        }
    }

    fn draft(&self, cursor: &BlockCursor) -> Draft {
        named("entry", "entry").value(self.words(cursor)).key(self.fact(cursor))
    }

    /// It as data, in a data block or an index.
    fn fact(&self, cursor: &BlockCursor) -> Option<KeyFact> {
        let fact = match (&self.role, self.kind) {
            (Role::Data, Some(kind)) => {
                entry_fact(&self.user_key, self.sequence, kind, self.value_here(cursor))
            }
            (Role::Data | Role::Index | Role::IndexPartition, _) => {
                KeyFact { key: ShownKey::new(&self.user_key), ..KeyFact::default() }
            }
            _ => return None,
        };
        let shared = self.shared.min(self.user_key.len());
        Some(KeyFact { shared, restart: self.is_restart, ..fact })
    }

    /// Its value, where no byte in front of it says that it may be elsewhere.
    fn value_here<'c>(&self, cursor: &'c BlockCursor) -> Option<&'c [u8]> {
        (self.role == Role::Data && !self.is_placed).then(|| cursor.value())
    }

    fn words(&self, cursor: &BlockCursor) -> String {
        let user_key = key(&self.user_key);
        match (&self.role, self.kind) {
            (Role::Data | Role::RangeDeletions | Role::RangeKeys, Some(kind)) => {
                let value = self.value_here(cursor);
                entry_words(&user_key, self.sequence, (kind, kind.word()), value)
            }
            (Role::Index | Role::IndexPartition | Role::FilterIndex, _) => {
                let handle = cursor.handle();
                let (offset, bytes) = (number(handle.offset), number(handle.bytes));
                format!("keys up to {user_key}: {bytes} bytes at offset {offset}")
            }
            (Role::Properties, _) => properties::words(&self.user_key, cursor.value()),
            _ => user_key,
        }
    }

    fn inner(self) -> Inner {
        parts(move |_, sink| self.write(sink))
    }

    fn write(&self, sink: &mut Sink) -> Result<()> {
        let layout = self.table.layout(&self.role);
        let deltas = layout.has_deltas();
        let mut fields = Fields::new(&self.view, sink);
        fields.varint32("shared key length", "length")?;
        let unshared = fields.varint32("unshared key length", "length")? as usize;
        if !deltas {
            fields.varint32("value length", "length")?;
        }
        if self.is_apart && self.is_restart {
            fields.varint32("place of the value", "offset")?;
        }
        self.key(&mut fields, unshared, layout)?;
        if self.is_apart {
            return fields.end();
        }
        if let Layout::Index { deltas, first_keys, .. } = layout {
            return self.handle(&mut fields, deltas && self.shared > 0, first_keys);
        }
        let value = fields.passed(fields.left())?;
        self.value(&value, fields.sink())
    }

    /// The bytes of the key that are stored.
    fn key(&self, fields: &mut Fields<'_, '_>, unshared: usize, layout: Layout) -> Result<()> {
        let words = key(&self.user_key);
        let trailer = if layout.has_internal_keys() { 8 } else { 0 };
        let stored = unshared.saturating_sub(trailer);
        if unshared < trailer {
            // The sequence number is shared in part.
            fields.field(
                |cursor| cursor.take(unshared),
                |_| named("end of the internal key", "key").value(words),
            )?;
            return Ok(());
        }
        let name = if stored < self.key_bytes - trailer.min(self.key_bytes) {
            "unshared key bytes"
        } else {
            "key"
        };
        fields.field(
            |cursor| cursor.take(stored),
            |bytes| {
                let whole =
                    if self.shared > 0 { format!("{} of {words}", key(bytes)) } else { words };
                named(name, "key").value(whole)
            },
        )?;
        if trailer > 0 { fields.key_trailer(self.table.engine) } else { Ok(()) }
    }

    fn handle(&self, fields: &mut Fields<'_, '_>, delta: bool, first_key: bool) -> Result<()> {
        if delta {
            fields.field(Cursor::varint, |zigzag| {
                let magnitude = (zigzag >> 1) + (zigzag & 1);
                let sign = if zigzag & 1 == 1 { "−" } else { "+" };
                let words = format!("{sign}{}", number(magnitude));
                named("length of the block, less that of the one before", "length").value(words)
            })?;
        } else {
            fields.handle()?;
        }
        if first_key {
            let length = fields.varint32("length of the first key", "length")? as usize;
            fields.internal_key(length, "first key of the block", self.table.engine)?;
        }
        if fields.left() > 0 {
            fields.rest_as("properties of the block", "bytes")?;
        }
        Ok(())
    }

    /// The value, as a part.
    fn value(&self, value: &View, sink: &mut Sink) -> Result<()> {
        match (&self.role, self.kind) {
            (Role::Data, Some(_)) if self.is_placed => values::placed(value, sink),
            (Role::Data | Role::RangeDeletions | Role::RangeKeys, Some(kind)) => {
                values::of_kind(self.table.engine, kind, value, sink)
            }
            (Role::Properties, _) => properties::write(&self.user_key, value, sink),
            (Role::Metaindex, _) => properties::write_handle(value, sink),
            _ => values::plain(value, sink),
        }
    }
}

/// Whether the entry at `at` is at a restart point.
fn is_restart(block: &Block, at: usize) -> bool {
    let (mut low, mut high) = (0, block.restarts());
    while low < high {
        let middle = low.midpoint(high);
        match block.restart(middle) {
            Some(offset) if offset < at => low = middle + 1,
            _ => high = middle,
        }
    }
    block.restart(low) == Some(at)
}
