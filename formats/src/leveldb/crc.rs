//! CRC-32C, the checksum of these files.
//!
//! A table of our own: `crc32fast` knows the other polynomial only, and the crates for this one bring
//! `unsafe` code and a build script for speed that files of a few megabytes do not need.

/// The polynomial of Castagnoli, least significant bit first.
const POLYNOMIAL: u32 = 0x82f6_3b78;

/// What is added to a rotated checksum, so that a checksum over checksums stays good.
const MASK_DELTA: u32 = 0xa282_ead8;

/// `TABLES[i][b]`: what the byte `b` does to the checksum when `i` more bytes follow it.
static TABLES: [[u32; 256]; 8] = tables();

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, which would tell")]
const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0_u32; 256]; 8];
    let mut byte = 0;
    let mut start = 0_u32;
    while byte < 256 {
        let mut crc = start;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ POLYNOMIAL } else { crc >> 1 };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
        start += 1;
    }
    let mut table = 1;
    while table < 8 {
        byte = 0;
        while byte < 256 {
            let before = tables[table - 1][byte];
            tables[table][byte] = (before >> 8) ^ tables[0][(before & 0xff) as usize];
            byte += 1;
        }
        table += 1;
    }
    tables
}

fn step(table: usize, byte: u8) -> u32 {
    TABLES.get(table).and_then(|table| table.get(usize::from(byte))).copied().unwrap_or(0)
}

fn update(mut crc: u32, bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<8>();
    for [a, b, c, d, e, f, g, h] in words {
        let [crc_a, crc_b, crc_c, crc_d] = crc.to_le_bytes();
        crc = step(7, a ^ crc_a)
            ^ step(6, b ^ crc_b)
            ^ step(5, c ^ crc_c)
            ^ step(4, d ^ crc_d)
            ^ step(3, *e)
            ^ step(2, *f)
            ^ step(1, *g)
            ^ step(0, *h);
    }
    for byte in rest {
        let [low, ..] = crc.to_le_bytes();
        crc = (crc >> 8) ^ step(0, low ^ byte);
    }
    crc
}

/// The checksum of bytes that come one by one.
#[derive(Debug)]
pub(super) struct Running(u32);

impl Default for Running {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl Running {
    /// One byte more.
    pub(super) fn push(&mut self, byte: u8) {
        self.0 = update(self.0, &[byte]);
    }

    /// What would be stored if `byte` were the last one.
    pub(super) fn masked_with(&self, byte: u8) -> u32 {
        masked(!update(self.0, &[byte]))
    }
}

/// CRC-32C of the concatenation of `parts`.
pub fn crc32c(parts: &[&[u8]]) -> u32 {
    !parts.iter().fold(u32::MAX, |crc, part| update(crc, part))
}

/// The checksum as it is stored.
pub fn masked(crc: u32) -> u32 {
    crc.rotate_right(15).wrapping_add(MASK_DELTA)
}
