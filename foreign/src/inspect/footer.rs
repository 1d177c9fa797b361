//! The footer of a table: read as far as it can be, and its fields.

use super::Scene;
use super::fields::{Fields, checksum};
use super::sink::{Sink, named};
use super::view::View;
use crate::bytes::Cursor;
use crate::checksum::{Checksum, masked_crc32c};
use crate::compression::Form;
use crate::table::footer::{
    MAGIC_CUCKOO, MAGIC_LEVELDB, MAGIC_PEBBLE, MAGIC_PLAIN, MAGIC_PLAIN_OLD, MAGIC_ROCKSDB,
    VERSION_CONTEXT, VERSION_MAX, own_checksum,
};
use crate::table::{Footer, TRAILER_BYTES};
use crate::{BlockHandle, Error, Result};

/// Bytes of the longest footer.
const BYTES_MAX: u64 = 61;
/// Bytes of a footer that has neither a kind of checksum nor a version.
const BYTES_OLD: u64 = 48;
/// Bytes of a footer with both.
const BYTES: u64 = 53;

/// Kind of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Brand {
    /// RocksDB's block-based table.
    RocksDb,
    /// LevelDB's table, or RocksDB's of version 0.
    LevelDb,
    /// Pebble's table.
    Pebble,
    /// RocksDB's plain table; whether its footer is the old one.
    Plain { old: bool },
    /// RocksDB's cuckoo table.
    Cuckoo,
}

/// A footer.
#[derive(Debug, Clone)]
pub(super) struct Foot {
    /// Kind of the table.
    pub(super) brand: Brand,
    /// The decoded footer.
    pub(super) footer: Footer,
    /// Its bytes.
    pub(super) view: View,
    /// Damage of a footer that could be read.
    pub(super) problem: Option<Error>,
}

impl Brand {
    fn of(magic: u64) -> Option<Self> {
        match magic {
            MAGIC_ROCKSDB => Some(Self::RocksDb),
            MAGIC_LEVELDB => Some(Self::LevelDb),
            MAGIC_PEBBLE => Some(Self::Pebble),
            MAGIC_PLAIN => Some(Self::Plain { old: false }),
            MAGIC_PLAIN_OLD => Some(Self::Plain { old: true }),
            MAGIC_CUCKOO => Some(Self::Cuckoo),
            _ => None,
        }
    }

    /// Whether the footer begins with the kind of the checksums and ends in a version.
    fn is_versioned(self) -> bool {
        !matches!(self, Self::LevelDb | Self::Plain { old: true })
    }

    fn footer_bytes(self, version: u32) -> u64 {
        match (self, version) {
            (Self::Pebble, 6) => BYTES + 4,
            (Self::Pebble, 7..) => BYTES + 8,
            _ if self.is_versioned() => BYTES,
            _ => BYTES_OLD,
        }
    }

    /// Its name in a sentence.
    pub(super) fn words(self, version: u32) -> String {
        match self {
            Self::RocksDb => format!("RocksDB block-based table, version {version}"),
            Self::LevelDb => "LevelDB table".to_owned(),
            Self::Pebble => {
                let shape = if version >= 5 { "columns" } else { "rows" };
                format!("Pebble table, format {version} ({shape})")
            }
            Self::Plain { .. } => "plain table of RocksDB".to_owned(),
            Self::Cuckoo => "cuckoo table of RocksDB".to_owned(),
        }
    }
}

impl Foot {
    /// Reads the footer of a table.
    ///
    /// # Errors
    /// `Damaged` when the file does not end in one, `NotRead` for newer versions.
    pub(super) fn read(scene: &Scene<'_>) -> Result<Self> {
        let start = scene.length.saturating_sub(BYTES_MAX);
        let bytes = scene.read(start, scene.length - start)?;
        let lost = "the file does not end like a table: it was cut off or overwritten";
        let damaged = || Error::damaged(scene.length.saturating_sub(8), lost);
        let (before, magic) = bytes.split_last_chunk::<8>().ok_or_else(damaged)?;
        let brand = Brand::of(u64::from_le_bytes(*magic)).ok_or_else(damaged)?;
        let version = before.last_chunk::<4>().filter(|_| brand.is_versioned());
        let version = version.map_or(0, |version| u32::from_le_bytes(*version));
        if version > VERSION_MAX {
            return Err(Error::not_read(format!("not read: version {version}")));
        }
        let offset = scene.length.checked_sub(brand.footer_bytes(version)).ok_or_else(damaged)?;
        let skip = usize::try_from(offset.saturating_sub(start)).unwrap_or_default();
        let view = View::of_file(bytes, start);
        let view = view.part(skip..view.len());
        let footer = parse(brand, version, &view)?;
        let problem = problem_of(brand, &footer, &view);
        Ok(Self { brand, footer, view, problem })
    }

    /// Numbering of compressions in the table.
    pub(super) fn form(&self) -> Form {
        match (self.brand, self.footer.version) {
            (Brand::LevelDb, _) => Form::LevelDb,
            (Brand::Pebble, _) => Form::Pebble,
            (_, 0 | 1) => Form::RocksDbOld,
            _ => Form::RocksDb,
        }
    }

    /// Its fields.
    pub(super) fn write(&self, sink: &mut Sink) -> Result<()> {
        let version = self.footer.version;
        let mut fields = Fields::new(&self.view, sink);
        if self.brand.is_versioned() {
            let word = |kind| Checksum::numbered(kind).map_or("not known", Checksum::word);
            fields.byte("checksum type", "kind", |kind| format!("{} ({kind})", word(kind)))?;
        }
        let end = fields.offset() + 40;
        if self.brand == Brand::RocksDb && version >= VERSION_CONTEXT {
            self.extended(&mut fields)?;
        } else {
            fields.varint("offset of the metaindex", "offset")?;
            fields.varint("length of the metaindex", "length")?;
            fields.varint("offset of the index", "offset")?;
            fields.varint("length of the index", "length")?;
            let padding = usize::try_from(end.saturating_sub(fields.offset())).unwrap_or_default();
            fields.field(|cursor| cursor.take(padding), |_| named("padding", "padding"))?;
        }
        if self.brand == Brand::Pebble && version >= 7 {
            fields.u32("attributes", "bits")?;
        }
        if self.brand == Brand::Pebble && version >= 6 {
            fields.checksum("checksum of the footer", pebble_sum(&self.view).map(|sums| sums.1))?;
        }
        if self.brand.is_versioned() {
            fields.u32("format version", "number")?;
        }
        let words = self.brand.words(version);
        fields.field(|cursor| cursor.take(8), |_| named("magic number", "magic").value(words))?;
        fields.end()
    }

    /// The fields that versions 6 and 7 of RocksDB have in place of the handles.
    fn extended(&self, fields: &mut Fields<'_, '_>) -> Result<()> {
        fields.field(|cursor| cursor.take(4), |_| named("extended magic number", "magic"))?;
        let Footer { checksum: kind, base, offset, .. } = self.footer;
        let at = fields.offset();
        let right = own_checksum(self.view.bytes(), kind, base, offset);
        fields.field(Cursor::u32, |stored| {
            checksum("checksum of the footer", *stored, Some(right), at)
        })?;
        fields.field(Cursor::u32, |base| {
            named("base of the checksum context", "number").value(format!("{base:08x}"))
        })?;
        fields.u32("length of the metaindex", "length")?;
        fields.field(|cursor| cursor.take(16), |_| named("reserved", "zeros"))?;
        fields.field(|cursor| cursor.take(8), |_| named("reserved for features", "zeros"))?;
        Ok(())
    }
}

fn parse(brand: Brand, version: u32, view: &View) -> Result<Footer> {
    let mut cursor = Cursor::new(view.bytes(), view.offset());
    let checksum = if brand.is_versioned() {
        let at = cursor;
        let kind = cursor.u8()?;
        Checksum::numbered(kind)
            .ok_or_else(|| at.damaged(format!("checksums of kind {kind} are not known")))?
    } else {
        Checksum::Crc32c
    };
    let (offset, bytes) = (view.offset(), view.len());
    let leveldb = brand == Brand::LevelDb;
    if brand == Brand::RocksDb && version >= VERSION_CONTEXT {
        cursor.take(8)?;
        let base = cursor.u32()?;
        let length = u64::from(cursor.u32()?);
        let start = offset.saturating_sub(length.saturating_add(TRAILER_BYTES));
        let metaindex = BlockHandle { offset: start, bytes: length };
        return Ok(Footer {
            leveldb,
            version,
            checksum,
            base,
            metaindex,
            index: None,
            offset,
            bytes,
        });
    }
    let metaindex = BlockHandle::read(&mut cursor)?;
    let index = Some(BlockHandle::read(&mut cursor)?);
    Ok(Footer { leveldb, version, checksum, base: 0, metaindex, index, offset, bytes })
}

/// Stored and right checksum of a footer of Pebble.
fn pebble_sum(view: &View) -> Option<(u32, u32)> {
    let (head, tail) = view.bytes().split_last_chunk::<12>()?;
    let (head, stored) = head.split_last_chunk::<4>()?;
    Some((u32::from_le_bytes(*stored), masked_crc32c(&[head, tail].concat())))
}

fn problem_of(brand: Brand, footer: &Footer, view: &View) -> Option<Error> {
    let (stored, right) = match brand {
        Brand::RocksDb if footer.version >= VERSION_CONTEXT => {
            let stored = view.bytes().get(5..9).and_then(<[u8]>::first_chunk::<4>)?;
            let right = own_checksum(view.bytes(), footer.checksum, footer.base, footer.offset);
            (u32::from_le_bytes(*stored), right)
        }
        Brand::Pebble if footer.version >= 6 => pebble_sum(view)?,
        _ => return None,
    };
    (stored != right).then(|| Error::damaged(footer.offset, "the footer has a wrong checksum"))
}
