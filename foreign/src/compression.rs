//! Decompresses blocks.
//!
//! A block claims its decompressed size. The claim is compared with a limit, and with what the compressed bytes
//! can hold, before memory is allocated.

mod minlz;

use crate::bytes::Cursor;
use crate::{Error, Result};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress as inflate};
use ruzstd::decoding::{BlockDecodingStrategy, Dictionary, FrameDecoder};
use std::borrow::Cow;

/// The most bytes of a block, before and after decompression.
pub const BLOCK_BYTES_MAX: usize = 64 << 20;

/// Numbering of compressions, and the form of the length before the compressed bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// LevelDB: Snappy and zstd, nothing before the bytes; Minecraft's LevelDB: zlib under the number of zstd in old
    /// worlds, raw deflate since.
    LevelDb,
    /// RocksDB's tables of format version 0 and 1: the size stands before LZ4 only, as eight bytes.
    RocksDbOld,
    /// RocksDB: all but Snappy begin with their size, a varint.
    RocksDb,
    /// Pebble: zstd begins with its size, a varint.
    Pebble,
}

/// Number of "not compressed".
pub const NONE: u8 = 0;
const SNAPPY: u8 = 1;
const ZLIB: u8 = 2;
const BZIP2: u8 = 3;
const LZ4: u8 = 4;
const LZ4HC: u8 = 5;
const XPRESS: u8 = 6;
const ZSTD: u8 = 7;
/// Only Minecraft's LevelDB writes it, which has no LZ4.
const DEFLATE: u8 = LZ4;
const MINLZ: u8 = 8;
const ZSTD_OLD: u8 = 0x40;

/// The name of compression `number`, as RocksDB's properties write it.
pub fn name(form: Form, number: u8) -> String {
    let name = match number {
        NONE => "NoCompression",
        SNAPPY => "Snappy",
        ZLIB if form == Form::LevelDb => "ZSTD",
        DEFLATE if form == Form::LevelDb => "raw deflate",
        ZLIB => "Zlib",
        BZIP2 => "BZip2",
        LZ4 => "LZ4",
        LZ4HC => "LZ4HC",
        XPRESS => "Xpress",
        ZSTD | ZSTD_OLD => "ZSTD",
        MINLZ if form == Form::Pebble => "MinLZ",
        0x80..=0xfe => return format!("custom compression {number:#04x}"),
        _ => return format!("compression {number}"),
    };
    name.to_owned()
}

/// The bytes of a block that was stored with compression `number`. `dictionary` is that of the table, or empty.
///
/// # Errors
/// `NotRead` when the compression is not supported here (Pebble's reader decompresses `MinLZ` itself) or the block is
/// larger than [`BLOCK_BYTES_MAX`]; `Damaged` at offset 0 of the block when the bytes do not decompress.
pub fn decompress<'a>(
    form: Form,
    number: u8,
    block: &'a [u8],
    dictionary: &[u8],
) -> Result<Cow<'a, [u8]>> {
    let bytes = match (form, number) {
        (_, NONE) => return Ok(Cow::Borrowed(block)),
        (_, SNAPPY) => snappy(block)?,
        (Form::LevelDb, ZLIB) => match block.split_at_checked(ZLIB_HEADER_BYTES) {
            Some(([0x78, 0x01 | 0x5e | 0x9c | 0xda], rest)) => deflate_unsized(rest, &[])?,
            _ => zstd(block, None, &[])?,
        },
        (Form::LevelDb, DEFLATE) => deflate_unsized(block, &[])?,
        (Form::Pebble, MINLZ) => minlz::decode(block)?,
        (Form::Pebble, ZSTD) => {
            let (size, rest) = sized(block)?;
            zstd(rest, Some(size), &[])?
        }
        (Form::RocksDb, ZLIB) => {
            let (size, rest) = sized(block)?;
            deflate(rest, claim(size, rest.len(), 1040)?, dictionary)?
        }
        (Form::RocksDbOld, ZLIB) => deflate_unsized(block, dictionary)?,
        (Form::RocksDb, LZ4 | LZ4HC) => {
            let (size, rest) = sized(block)?;
            lz4(rest, claim(size, rest.len(), 256)?, dictionary)?
        }
        (Form::RocksDbOld, LZ4 | LZ4HC) => {
            let mut cursor = Cursor::new(block, 0);
            let size = cursor.u64()?;
            lz4(cursor.rest(), claim(size, cursor.rest().len(), 256)?, dictionary)?
        }
        (Form::RocksDb, ZSTD | ZSTD_OLD) => {
            let (size, rest) = sized(block)?;
            zstd(rest, Some(size), dictionary)?
        }
        (Form::RocksDbOld, ZSTD | ZSTD_OLD) => zstd(block, None, dictionary)?,
        _ => return Err(Error::not_read(format!("not read: {}", name(form, number)))),
    };
    Ok(Cow::Owned(bytes))
}

/// Bytes before the deflated ones: 0x78 stands for a window of 32 KiB, the other for an effort. Zstd begins with 0x28.
const ZLIB_HEADER_BYTES: usize = 2;

/// The size that stands before compressed bytes, and these.
fn sized(block: &[u8]) -> Result<(u64, &[u8])> {
    let mut cursor = Cursor::new(block, 0);
    let size = cursor.varint()?;
    Ok((size, cursor.rest()))
}

/// A claimed size, if `compressed` bytes can hold it: no compressed byte gives more than `ratio` bytes.
fn claim(size: u64, compressed: usize, ratio: usize) -> Result<usize> {
    let bytes = usize::try_from(size).unwrap_or(usize::MAX);
    if bytes > compressed.saturating_mul(ratio).saturating_add(64) {
        let message = format!("{compressed} compressed bytes claim to hold {size} bytes");
        return Err(Error::damaged(0, message));
    }
    if bytes > BLOCK_BYTES_MAX {
        let message = format!("not read: a block of {size} bytes, the limit is {BLOCK_BYTES_MAX}");
        return Err(Error::not_read(message).at(0));
    }
    Ok(bytes)
}

fn broken(name: &str, why: impl std::fmt::Display) -> Error {
    Error::damaged(0, format!("the block does not decompress with {name}: {why}"))
}

fn expect_size(name: &str, bytes: &[u8], size: usize) -> Result<()> {
    if bytes.len() == size {
        return Ok(());
    }
    Err(broken(name, format!("it has {} bytes, not the {size} that it claims", bytes.len())))
}

fn snappy(block: &[u8]) -> Result<Vec<u8>> {
    let size = snap::raw::decompress_len(block).map_err(|error| broken("Snappy", error))?;
    let size = claim(size as u64, block.len(), 64)?;
    let mut bytes = vec![0; size];
    let written = snap::raw::Decoder::new()
        .decompress(block, &mut bytes)
        .map_err(|error| broken("Snappy", error))?;
    bytes.truncate(written);
    expect_size("Snappy", &bytes, size)?;
    Ok(bytes)
}

fn lz4(block: &[u8], size: usize, dictionary: &[u8]) -> Result<Vec<u8>> {
    let mut bytes = vec![0; size];
    let written = if dictionary.is_empty() {
        lz4_flex::block::decompress_into(block, &mut bytes)
    } else {
        lz4_flex::block::decompress_into_with_dict(block, &mut bytes, dictionary)
    };
    let written = written.map_err(|error| broken("LZ4", error))?;
    bytes.truncate(written);
    expect_size("LZ4", &bytes, size)?;
    Ok(bytes)
}

/// Bytes that deflate can refer back to.
const WINDOW: usize = 32 << 10;

/// Inflates raw deflate. The dictionary is the start of the output, so that distances reach into it.
fn deflate(block: &[u8], size: usize, dictionary: &[u8]) -> Result<Vec<u8>> {
    let (mut bytes, status) = inflated(block, size, dictionary);
    // Another byte shows whether the stream ends where it should.
    if status != TINFLStatus::Done {
        return Err(broken("Zlib", format!("{status:?}")));
    }
    expect_size("Zlib", &bytes, size)?;
    bytes.shrink_to_fit();
    Ok(bytes)
}

/// At most `size` + 1 inflated bytes.
fn inflated(block: &[u8], size: usize, dictionary: &[u8]) -> (Vec<u8>, TINFLStatus) {
    let known = dictionary.len().saturating_sub(WINDOW);
    let history = dictionary.get(known..).unwrap_or_default();
    let mut bytes = vec![0; history.len() + size + 1];
    if let Some(front) = bytes.get_mut(..history.len()) {
        front.copy_from_slice(history);
    }
    let mut state = Box::new(DecompressorOxide::new());
    let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let (status, _, written) = inflate(&mut state, block, &mut bytes, history.len(), flags);
    bytes.truncate(history.len() + written);
    bytes.drain(..history.len());
    (bytes, status)
}

/// Inflates where no size is claimed: the room doubles until the bytes fit.
fn deflate_unsized(block: &[u8], dictionary: &[u8]) -> Result<Vec<u8>> {
    let mut size = block.len().saturating_mul(4).clamp(64, BLOCK_BYTES_MAX);
    loop {
        let (bytes, status) = inflated(block, size, dictionary);
        match status {
            TINFLStatus::Done => return Ok(bytes),
            TINFLStatus::HasMoreOutput if size < BLOCK_BYTES_MAX => {
                size = size.saturating_mul(4).min(BLOCK_BYTES_MAX);
            }
            other => return Err(broken("Zlib", format!("{other:?}"))),
        }
    }
}

/// The largest window that is accepted where the content is smaller: eight MiB, as for zstd's usual levels.
const ZSTD_WINDOW_MIN: u64 = 8 << 20;

fn zstd(block: &[u8], size: Option<u64>, dictionary: &[u8]) -> Result<Vec<u8>> {
    let broken = |why: &dyn std::fmt::Display| broken("ZSTD", why);
    // A block of three bytes and one repeated byte give 128 KiB.
    let most = match size {
        Some(size) => claim(size, block.len(), 32 << 10)?,
        None => BLOCK_BYTES_MAX,
    };
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size((most as u64).next_power_of_two().max(ZSTD_WINDOW_MIN));
    let known = zstd_dictionary(dictionary).map_err(|why| broken(&why))?;
    let id = known.as_ref().map(|dictionary| dictionary.id);
    if let Some(known) = known {
        decoder.add_dict(known).map_err(|why| broken(&why))?;
    }
    let mut input = block;
    decoder.init(&mut input).map_err(|why| broken(&why))?;
    if let Some(id) = id {
        decoder.force_dict(id).map_err(|why| broken(&why))?;
    }
    let mut bytes = Vec::with_capacity(if size.is_some() { most } else { 0 });
    while !decoder.is_finished() {
        let strategy = BlockDecodingStrategy::UptoBlocks(1);
        decoder.decode_blocks(&mut input, strategy).map_err(|why| broken(&why))?;
        if bytes.len() + decoder.can_collect() > most {
            return Err(broken(&format!("it has more than {most} bytes")));
        }
        decoder.collect_to_writer(&mut bytes).map_err(|why| broken(&why))?;
    }
    if size.is_some() {
        expect_size("ZSTD", &bytes, most)?;
    }
    Ok(bytes)
}

/// Magic number of a trained dictionary of zstd.
const TRAINED: [u8; 4] = [0x37, 0xa4, 0x30, 0xec];

/// A trained dictionary with tables that are never used, in front of a raw one: magic, id 1, a Huffman table of two
/// symbols, three tables of one symbol each, and the three offsets that zstd starts with.
const RAW_HEADER: [u8; 28] = [
    0x37, 0xa4, 0x30, 0xec, 1, 0, 0, 0, 0x80, 0x10, 0xf0, 3, 0xf0, 3, 0xf0, 3, 1, 0, 0, 0, 4, 0, 0,
    0, 8, 0, 0, 0,
];

/// The dictionary for the decoder, which knows only trained ones.
fn zstd_dictionary(bytes: &[u8]) -> std::result::Result<Option<Dictionary>, String> {
    if bytes.is_empty() {
        return Ok(None);
    }
    let parsed = if bytes.starts_with(&TRAINED) {
        Dictionary::decode_dict(bytes)
    } else {
        Dictionary::decode_dict(&[&RAW_HEADER, bytes].concat())
    };
    parsed.map(Some).map_err(|why| format!("its dictionary is damaged: {why}"))
}

#[cfg(test)]
mod tests;
