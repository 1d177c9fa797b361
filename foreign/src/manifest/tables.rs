//! Tables that an edit adds: tags 7, 100, 102, 103 and 104.

use super::custom;
use super::decoder::Decoder;
use super::edit::Edit;
use crate::{Engine, InternalKey, Result, TableFile};

/// File numbers have 62 bits; the others once held the path.
pub(super) const NUMBER_MASK: u64 = (1 << 62) - 1;
/// Tag 104: the table has point keys.
const HAS_POINTS: u8 = 1;
/// Tag 104: the smallest bound is that of the point keys.
const SMALLEST_IS_POINT: u8 = 2;
/// Tag 104: the largest bound is that of the point keys.
const LARGEST_IS_POINT: u8 = 4;

/// Reads the table that follows the tag and adds it to `edit`.
pub(super) fn read(decoder: &mut Decoder<'_, '_>, edit: &mut Edit, engine: Engine) -> Result<()> {
    let tag = decoder.tag();
    let level = decoder.level(engine)?;
    let number = decoder.number("file number")? & NUMBER_MASK;
    let path = if tag == 102 { decoder.number32("path")? } else { 0 };
    let bytes = decoder.number("size")?;
    let bounds = if tag == 104 { pebble_bounds(decoder)? } else { plain_bounds(decoder)? };
    let mut table = TableFile {
        path,
        has_range_keys: bounds.has_range_keys,
        ..TableFile::new(number, bytes, bounds.smallest, bounds.largest)
    };
    if tag != 7 {
        table.smallest_sequence = Some(decoder.number("smallest sequence")?);
        table.largest_sequence = Some(decoder.number("largest sequence")?);
    }
    if matches!(tag, 103 | 104) {
        match engine {
            Engine::Pebble => custom::pebble(decoder, &mut table)?,
            _ => custom::rocksdb(decoder, &mut table, &mut edit.min_log)?,
        }
    }
    edit.added.push((level, table));
    Ok(())
}

struct Bounds {
    smallest: InternalKey,
    largest: InternalKey,
    has_range_keys: bool,
}

fn plain_bounds(decoder: &mut Decoder<'_, '_>) -> Result<Bounds> {
    let (smallest, largest) = (decoder.key("smallest key")?, decoder.key("largest key")?);
    Ok(Bounds { smallest, largest, has_range_keys: false })
}

/// The bounds of point keys and of range keys, and which of them are those of the table.
fn pebble_bounds(decoder: &mut Decoder<'_, '_>) -> Result<Bounds> {
    let marker = decoder.byte("bounds marker")?;
    let mut points = None;
    if marker & HAS_POINTS != 0 {
        let smallest = decoder.key("smallest point key")?;
        points = Some((smallest, decoder.key("largest point key")?));
    }
    let (range_smallest, range_largest) =
        (decoder.key("smallest range key")?, decoder.key("largest range key")?);
    let (smallest, largest) = match points {
        None => (range_smallest, range_largest),
        Some((point_smallest, point_largest)) => (
            if marker & SMALLEST_IS_POINT != 0 { point_smallest } else { range_smallest },
            if marker & LARGEST_IS_POINT != 0 { point_largest } else { range_largest },
        ),
    };
    Ok(Bounds { smallest, largest, has_range_keys: true })
}
