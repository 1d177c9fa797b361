//! Blob files: those of RocksDB in records, those of Pebble in blocks.

use super::Scene;
use super::block::{self, Role};
use super::columns::{self, Schema};
use super::fields::{Fields, checksum, fields};
use super::places::elsewhere;
use super::sink::{Draft, Inner, Sink, named, parts};
use super::values;
use super::view::View;
use crate::blob::{PebbleBlobFile, RocksBlobFile, read_footer};
use crate::bytes::Cursor;
use crate::checksum::{Checksum, masked_crc32c};
use crate::compression::{self, BLOCK_BYTES_MAX, Form};
use crate::table::TRAILER_BYTES;
use crate::text::{bytes, count, key, number};
use crate::{BlockHandle, Engine, Error, Result};
use levelscope::event::ShownKey;
use levelscope::inspect::KeyFact;

const HEADER: u64 = 30;
const FOOTER: u64 = 32;
const HEAD: u64 = 32;
const MAGIC: u32 = 0x0024_8f37;
/// Bytes of a key that are shown beside its record.
const KEY_BYTES_SHOWN: u64 = 64;

/// A blob file.
pub(super) fn root(scene: &Scene<'_>) -> (&'static str, String, Inner) {
    if scene.engine == Engine::Pebble {
        return ("blob", "blob file of Pebble".to_owned(), parts(write_pebble));
    }
    ("blob", "blob file of RocksDB".to_owned(), parts(write_rocksdb))
}

fn write_rocksdb(scene: &Scene<'_>, sink: &mut Sink) -> Result<()> {
    let header = View::of_file(scene.read(0, HEADER.min(scene.length))?, 0);
    let number = header.bytes().get(13).copied().unwrap_or_default();
    sink.open(header.len() as u64, || named("header", "header"), || header_inner(&header))?;
    let (count_of_records, end) = records_end(scene);
    let draft = || {
        let words = count_of_records.map_or_else(String::new, |all| count(all, "record"));
        named("records", "blocks").value(words)
    };
    let end = end.max(sink.position());
    sink.open(end - sink.position(), draft, || {
        parts(move |scene, sink| write_records(scene, number, count_of_records, sink))
    })?;
    let footer = View::of_file(scene.read(end, scene.length - end)?, end);
    sink.open(footer.len() as u64, || named("footer", "footer"), || footer_inner(&footer))
}

/// The number of records in the footer, and the end of the records.
fn records_end(scene: &Scene<'_>) -> (Option<u64>, u64) {
    let start = scene.length.saturating_sub(FOOTER);
    let footer = scene.read(start, scene.length - start).unwrap_or_default();
    let mut cursor = Cursor::new(&footer, start);
    match (cursor.u32(), cursor.u64()) {
        (Ok(MAGIC), Ok(count)) if start >= HEADER => (Some(count), start),
        // A file that was not closed has none.
        _ => (
            RocksBlobFile::open(scene.files, scene.name).ok().and_then(|file| file.count()),
            scene.length,
        ),
    }
}

fn header_inner(view: &View) -> Inner {
    fields(view, |fields| {
        magic(fields)?;
        fields.u32("version", "number")?;
        fields.u32("column family", "number")?;
        fields.byte("flags", "bits", |flags| {
            let word = if flags & 1 == 1 { "values expire" } else { "values do not expire" };
            format!("{word} ({flags})")
        })?;
        values::compression(fields, Form::RocksDb)?;
        fields.u64("earliest expiration", "number")?;
        fields.u64("latest expiration", "number")?;
        Ok(())
    })
}

fn footer_inner(view: &View) -> Inner {
    let covered = view.len().saturating_sub(4);
    let right = view.bytes().get(..covered).map(masked_crc32c);
    fields(view, move |fields| {
        magic(fields)?;
        fields.u64("number of records", "count")?;
        fields.u64("earliest expiration", "number")?;
        fields.u64("latest expiration", "number")?;
        fields.checksum("checksum of the footer", right)
    })
}

fn magic(fields: &mut Fields<'_, '_>) -> Result<()> {
    let at = fields.offset();
    fields.field(Cursor::u32, |magic| {
        let problem = (*magic != MAGIC).then(|| Error::damaged(at, "this is no blob file"));
        named("magic number", "magic").value(format!("{magic:08x}")).problem(problem)
    })?;
    Ok(())
}

/// The records: each one's length leads to the next, so those before the wanted ones are read, too.
fn write_records(
    scene: &Scene<'_>,
    compression: u8,
    total: Option<u64>,
    sink: &mut Sink,
) -> Result<()> {
    sink.total = total.and_then(|total| usize::try_from(total).ok());
    let mut heads = Heads { bytes: Vec::new(), start: 0 };
    while sink.position() < sink.end() {
        if sink.has_all() {
            sink.stop();
            return Ok(());
        }
        let at = sink.position();
        let head = heads.at(scene, at, sink.end())?;
        let mut cursor = Cursor::new(&head, at);
        let (key_bytes, value_bytes) = (cursor.u64()?, cursor.u64()?);
        let covered = head.get(..24).unwrap_or_default();
        let stored = head.get(24..28).and_then(<[u8]>::first_chunk::<4>);
        let right = stored.is_some_and(|sum| u32::from_le_bytes(*sum) == masked_crc32c(covered));
        let whole = HEAD.checked_add(key_bytes).and_then(|sum| sum.checked_add(value_bytes));
        let whole = whole.filter(|whole| *whole <= sink.end() - at);
        let Some(whole) = whole else {
            let what =
                if right { "ends after the file" } else { "has a wrong checksum of its lengths" };
            return Err(Error::damaged(at, format!("a record {what}")));
        };
        let record = Record { at, key_bytes, value_bytes, compression };
        sink.take(whole, |sink| {
            let problem =
                (!right).then(|| Error::damaged(at, "the head of a record has a wrong checksum"));
            let draft = named(format!("record {}", sink.number()), "record").problem(problem);
            let draft = record.described(scene, draft);
            (draft, Some(parts(move |scene, sink| record.write(scene, sink))))
        })?;
    }
    Ok(())
}

/// Heads of records, read in pieces of the file.
struct Heads {
    bytes: Vec<u8>,
    start: u64,
}

impl Heads {
    fn at(&mut self, scene: &Scene<'_>, at: u64, end: u64) -> Result<[u8; 32]> {
        const PIECE: u64 = 64 << 10;
        let inside = |heads: &Self| {
            let from = usize::try_from(at.checked_sub(heads.start)?).ok()?;
            heads.bytes.get(from..from.checked_add(32)?)?.first_chunk::<32>().copied()
        };
        if let Some(head) = inside(self) {
            return Ok(head);
        }
        self.bytes = scene.read(at, PIECE.min(end - at))?;
        self.start = at;
        inside(self).ok_or_else(|| Error::damaged(at, "the head of a record is cut short"))
    }
}

#[derive(Clone, Copy)]
struct Record {
    at: u64,
    key_bytes: u64,
    value_bytes: u64,
    compression: u8,
}

impl Record {
    /// `draft` with its key, as far as it is shown, and the length of its value.
    fn described(self, scene: &Scene<'_>, draft: Draft) -> Draft {
        let value = format!("a value of {}", bytes(self.value_bytes));
        let shown = self.key_bytes.min(KEY_BYTES_SHOWN);
        let Ok(user_key) = scene.read(self.at + HEAD, shown) else { return draft.value(value) };
        let words = format!("{}, {value}", key(&user_key));
        let is_whole = shown == self.key_bytes;
        let length = usize::try_from(self.value_bytes).unwrap_or(usize::MAX);
        let fact = KeyFact {
            key: ShownKey::new(&user_key),
            value: Some(ShownKey { bytes: length, ..ShownKey::default() }),
            ..KeyFact::default()
        };
        draft.value(words).key(is_whole.then_some(fact))
    }

    fn write(self, scene: &Scene<'_>, sink: &mut Sink) -> Result<()> {
        let length = sink.end() - sink.position();
        if length > BLOCK_BYTES_MAX as u64 {
            let message = format!("not read: a record of {length} bytes");
            return Err(Error::not_read(message));
        }
        let view = View::of_file(scene.read(self.at, length)?, self.at);
        let mut fields = Fields::new(&view, sink);
        fields.u64("key length", "length")?;
        fields.u64("value length", "length")?;
        fields.u64("expiration", "number")?;
        let head = view.bytes().get(..24).map(masked_crc32c);
        fields.checksum("checksum of the lengths", head)?;
        let both = view.bytes().get(32..).map(masked_crc32c);
        let at = fields.offset();
        let stored = fields.field(Cursor::u32, |stored| {
            checksum("checksum of key and value", *stored, both, at)
        })?;
        let bytes = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        fields.text(bytes(self.key_bytes), "key", "key")?;
        let value = fields.passed(bytes(self.value_bytes))?;
        self.value(&value, sink)?;
        if both != Some(stored) {
            sink.blame(Some(Error::damaged(self.at, "the record has a wrong checksum")));
        }
        Ok(())
    }

    fn value(self, value: &View, sink: &mut Sink) -> Result<()> {
        let length = value.len() as u64;
        if self.compression == compression::NONE {
            return values::plain(value, sink);
        }
        let name = compression::name(Form::RocksDb, self.compression);
        let content = compression::decompress(Form::RocksDb, self.compression, value.bytes(), &[]);
        match content {
            Ok(content) => {
                let origin = value.offset();
                let (view, space) = View::decoded(content.into_owned(), origin);
                let held = view.len() as u64;
                let words = format!("{name}, {} decompressed", bytes(held));
                let draft = || named("compressed value", "compressed").value(words);
                sink.open(length, draft, || {
                    parts(move |_, sink| {
                        sink.enter(space, held);
                        let words = key(view.bytes());
                        sink.leaf(held, || named("decompressed value", "content").value(words))
                    })
                })
            }
            Err(error) => {
                let error = error.moved(value.offset());
                let draft = || named("compressed value", "unread").value(name).problem(Some(error));
                sink.leaf(length, draft)
            }
        }
    }
}

fn write_pebble(scene: &Scene<'_>, sink: &mut Sink) -> Result<()> {
    let (format, checksum, index, end) = read_footer(scene.files, scene.name, scene.length)?;
    sink.learned = Some(format!("blob file of Pebble, format {format}"));
    let name = "value blocks";
    match PebbleBlobFile::open(scene.files, scene.name) {
        Ok(file) => {
            let words = count(file.blocks() as u64, "block");
            let draft = || named(name, "blocks").value(words);
            sink.open(index.offset, draft, || {
                parts(move |scene, sink| blocks(scene, checksum, sink))
            })?;
        }
        // The damage itself shows when the index is opened.
        Err(error) => {
            let draft = || named(name, "damaged").problem(Some(elsewhere(&error)));
            sink.leaf(index.offset, draft)?;
        }
    }
    let bytes = index.bytes.saturating_add(TRAILER_BYTES);
    let draft = || named("index", Role::BlobIndex.kind());
    sink.open(bytes, draft, || block_inner(index, end, checksum, Schema::BlobIndex))?;
    sink.gap(end, "nothing leads to these bytes")?;
    let footer = View::of_file(scene.read(end, scene.length - end)?, end);
    sink.open(footer.len() as u64, || named("footer", "footer"), || fields(&footer, pebble_footer))
}

/// The value blocks of a blob file of Pebble.
fn blocks(scene: &Scene<'_>, checksum: Checksum, sink: &mut Sink) -> Result<()> {
    let file = PebbleBlobFile::open(scene.files, scene.name)?;
    for place in 0..file.blocks() {
        let handle = file.handle(place).map_err(|error| elsewhere(&error))?;
        sink.gap(handle.offset, "the index leads to no block here")?;
        let draft = || named(format!("value block {}", place + 1), Role::BlobValues.kind());
        let bytes = handle.bytes.saturating_add(TRAILER_BYTES);
        sink.open(bytes, draft, || block_inner(handle, file.end(), checksum, Schema::BlobValues))?;
    }
    Ok(())
}

fn block_inner(handle: BlockHandle, end: u64, checksum: Checksum, schema: Schema) -> Inner {
    parts(move |scene, sink| {
        let source =
            crate::table::Source::of_blocks(scene.files, scene.name, end, checksum, Form::Pebble);
        block::write(scene, &source, handle, &[], sink, move |view| {
            parts(move |_, sink| columns::write(schema, &view, sink))
        })
    })
}

fn pebble_footer(fields: &mut Fields<'_, '_>) -> Result<()> {
    let right = fields.rest().get(4..).map(masked_crc32c);
    fields.checksum("checksum of the footer", right)?;
    fields.u64("offset of the index", "offset")?;
    fields.u64("length of the index", "length")?;
    fields.byte("checksum type", "kind", |kind| {
        let word = Checksum::numbered(kind).map_or("not known", Checksum::word);
        format!("{word} ({kind})")
    })?;
    fields.u8("format", "number")?;
    fields.field(Cursor::u64, |file| {
        named("number of the file when it was written", "number").value(number(*file))
    })?;
    let middle = fields.left().saturating_sub(8);
    fields.field(|cursor| cursor.take(middle), |_| named("reserved", "bytes"))?;
    fields.field(|cursor| cursor.take(8), |_| named("magic number", "magic"))?;
    Ok(())
}
