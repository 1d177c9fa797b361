//! Changes inside finished files, with every checksum made right again.
//!
//! A flipped byte is found by its checksum, so it never reaches the code after the check. [`patch`] changes
//! a field as a forger who knows the format would; [`repair`] makes any damaged file look sound, as far as
//! its structure can still be followed.

use crate::coding::crc32;
use crate::manifest::current::{CHECKSUM_OFFSET, SLOT_BYTES};
use crate::storage::FileName;
use crate::table::{BLOCK_TRAILER_BYTES, Block, FOOTER_BYTES, Handle, decompress, flat_entries};
use crate::wal::file::IDENTITY_OFFSET;
use crate::wal::record::RECORD_HEADER_BYTES;
use std::ops::Range;

/// A field of fixed width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Where it begins \[bytes\].
    pub offset: usize,
    /// Its width \[bytes\].
    pub bytes: usize,
}

/// A checksum: the bytes that it covers, and its offset.
struct Seal {
    salt: Vec<u8>,
    covered: Range<usize>,
    at: usize,
}

/// `file` with `new` at `offset` \[bytes\], resealed. Bytes of `new` beyond the end are left out.
#[must_use]
pub fn patch(name: FileName, file: &[u8], offset: usize, new: &[u8]) -> Vec<u8> {
    let seals = seals(name, file);
    let mut patched = file.to_vec();
    if let Some(place) = patched.get_mut(offset..) {
        place.iter_mut().zip(new).for_each(|(old, new)| *old = *new);
    }
    reseal_all(&mut patched, &seals);
    patched
}

/// Makes every checksum right that can still be found.
pub fn repair(name: FileName, file: &mut [u8]) {
    if let FileName::Table(_) = name {
        // The footer first: without it no block is found.
        let footer = footer_seal(file);
        reseal_all(file, footer.as_slice());
    }
    let seals = seals(name, file);
    reseal_all(file, &seals);
}

/// Every length, count, offset and number of fixed width in a sound file.
#[must_use]
pub fn number_fields(name: FileName, file: &[u8]) -> Vec<Field> {
    let field = |name, offset, bytes| Field { name, offset, bytes };
    let mut fields = Vec::new();
    match name {
        FileName::Wal(_) | FileName::Manifest(_) => {
            fields.extend([field("format version", 8, 4), field("file number", 12, 8)]);
            for (header, _) in records(file) {
                fields.extend([
                    field("body length", header, 4),
                    field("count", header + 8, 4),
                    field("synced bytes", header + 12, 8),
                    field("number and kind", header + 20, 8),
                ]);
            }
        }
        FileName::Current => {
            for slot in [0, SLOT_BYTES] {
                fields.extend([
                    field("format version", slot + 8, 4),
                    field("epoch", slot + 12, 8),
                    field("manifest number", slot + 20, 8),
                ]);
            }
        }
        FileName::Table(_) => {
            let footer = file.len().saturating_sub(FOOTER_BYTES);
            let names = ["meta index offset", "meta index length", "index offset", "index length"];
            for (name, at) in names.into_iter().chain(["table number"]).zip((footer..).step_by(8)) {
                fields.push(field(name, at, 8));
            }
            fields.push(field("format version", footer + 40, 4));
            for (start, end, stored) in blocks(file) {
                if stored && end >= start + 8 {
                    fields.push(field("last restart point", end - 8, 4));
                    fields.push(field("restart count", end - 4, 4));
                }
            }
        }
        FileName::Lock | FileName::Other(_) => {}
    }
    fields
}

/// The bytes of the meta block `name` of a sound table, without trailer.
#[must_use]
pub fn meta_block(file: &[u8], name: &[u8]) -> Option<Range<usize>> {
    let footer = file.len().checked_sub(FOOTER_BYTES)?;
    let (offset, bytes) = (number_at::<8>(file, footer)?, number_at::<8>(file, footer + 8)?);
    let (start, end) = place(file, offset, bytes)?;
    let block = Block::new(file.get(start..end)?.to_vec()).ok()?;
    let entry = flat_entries(&block).map_while(Result::ok).find(|(_, key, _)| *key == name)?;
    let handle = Handle::decode(entry.2)?;
    let start = usize::try_from(handle.offset).ok()?;
    Some(start..start.checked_add(usize::try_from(handle.bytes).ok()?)?)
}

fn reseal_all(file: &mut [u8], seals: &[Seal]) {
    for seal in seals {
        reseal(file, seal);
    }
}

fn reseal(file: &mut [u8], seal: &Seal) {
    let Some(covered) = file.get(seal.covered.clone()) else { return };
    let checksum = crc32(&[&seal.salt, covered]).to_le_bytes();
    if let Some(place) = file.get_mut(seal.at..).and_then(<[u8]>::first_chunk_mut::<4>) {
        *place = checksum;
    }
}

/// All checksums, those inside others first.
fn seals(name: FileName, file: &[u8]) -> Vec<Seal> {
    let plain = |covered: Range<usize>, at| Seal { salt: Vec::new(), covered, at };
    match name {
        FileName::Wal(number) | FileName::Manifest(number) => {
            let header_end = header_bytes(file) - 4;
            let mut seals = vec![plain(0..header_end, header_end)];
            // Identity, if any, number and offset.
            let identity = file.get(IDENTITY_OFFSET..header_end).unwrap_or_default().to_vec();
            for (header, body) in records(file) {
                let (number, at) = (number.to_le_bytes(), (header as u64).to_le_bytes());
                let salt = [&identity[..], &number[..], &at[..]].concat();
                seals.push(plain(body, header + 4));
                let at = header + RECORD_HEADER_BYTES - 4;
                seals.push(Seal { salt, covered: header..at, at });
            }
            seals
        }
        FileName::Current => [0, SLOT_BYTES]
            .into_iter()
            // A slot that was never written is zeros, and stays so.
            .filter(|slot| file.iter().skip(*slot).take(SLOT_BYTES).any(|byte| *byte != 0))
            .map(|slot| plain(slot..slot + CHECKSUM_OFFSET, slot + CHECKSUM_OFFSET))
            .collect(),
        FileName::Table(_) => {
            let mut seals: Vec<Seal> = footer_seal(file).into_iter().collect();
            seals.extend(blocks(file).map(|(start, end, _)| plain(start..end + 1, end + 1)));
            seals
        }
        FileName::Lock | FileName::Other(_) => Vec::new(),
    }
}

fn footer_seal(file: &[u8]) -> Option<Seal> {
    let start = file.len().checked_sub(FOOTER_BYTES)?;
    Some(Seal { salt: Vec::new(), covered: start..start + 44, at: start + 44 })
}

/// Length of the header of a log or manifest, by its format \[bytes\].
fn header_bytes(file: &[u8]) -> usize {
    let older = if file.starts_with(b"lvsc.wal") { 1 } else { 2 };
    let identity = if number_at::<4>(file, 8) == Some(older) { 0 } else { 16 };
    IDENTITY_OFFSET + identity + 4
}

/// Where each record of a log begins, and its body.
fn records(file: &[u8]) -> Vec<(usize, Range<usize>)> {
    let mut records = Vec::new();
    let mut at = header_bytes(file);
    while let Some(length) = number_at::<4>(file, at) {
        let body = at + RECORD_HEADER_BYTES;
        let end = body.saturating_add(length);
        if end > file.len() {
            break;
        }
        records.push((at, body..end));
        at = end;
    }
    records
}

/// Begin and end of each block of a table, without trailer, and whether it is stored as it is.
fn blocks(file: &[u8]) -> impl Iterator<Item = (usize, usize, bool)> {
    let footer = file.len().saturating_sub(FOOTER_BYTES);
    let handle = |at| {
        let (offset, bytes) = (number_at::<8>(file, at)?, number_at::<8>(file, at + 8)?);
        Some((offset, bytes))
    };
    let mut found: Vec<(usize, usize, bool)> = Vec::new();
    for (offset, bytes) in [handle(footer), handle(footer + 16)].into_iter().flatten() {
        let Some((start, end)) = place(file, offset, bytes) else { continue };
        let stored = file.get(start..end).unwrap_or_default();
        let plain = file.get(end) == Some(&0);
        found.push((start, end, plain));
        let block = if plain { Some(stored.to_vec()) } else { decompress(stored).ok() };
        let Some(block) = block.and_then(|block| Block::new(block).ok()) else { continue };
        for (_, _, value) in flat_entries(&block).map_while(Result::ok) {
            let Some(handle) = Handle::decode(value) else { continue };
            let inner = usize::try_from(handle.offset).ok().zip(usize::try_from(handle.bytes).ok());
            let inner = inner.and_then(|(offset, bytes)| place(file, offset, bytes));
            found.extend(inner.map(|(start, end)| (start, end, file.get(end) == Some(&0))));
        }
    }
    found.into_iter()
}

fn place(file: &[u8], offset: usize, bytes: usize) -> Option<(usize, usize)> {
    let end = offset.checked_add(bytes)?;
    (end.checked_add(BLOCK_TRAILER_BYTES)? <= file.len()).then_some((offset, end))
}

fn number_at<const WIDTH: usize>(file: &[u8], at: usize) -> Option<usize> {
    let bytes = file.get(at..)?.first_chunk::<WIDTH>()?;
    let mut wide = [0; 8];
    wide.iter_mut().zip(bytes).for_each(|(wide, byte)| *wide = *byte);
    usize::try_from(u64::from_le_bytes(wide)).ok()
}
