//! Values that can be compressed to a given part, as cheap to make as a slice.

use levelscope_labs::generate::Random;

/// Compressible in pieces of this length \[bytes\].
const PIECE_BYTES: usize = 100;
/// Values repeat after about this \[bytes\]: more than compression looks back.
const POOL_BYTES: usize = 1 << 20;

/// A long text of which each value is a part.
#[derive(Debug)]
pub(super) struct Values {
    pool: Vec<u8>,
    position: usize,
}

impl Values {
    /// Values up to `longest` bytes.
    pub(super) fn new(longest: usize, ratio_thousandths: u64, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let fresh = usize::try_from(ratio_thousandths).unwrap_or(500) * PIECE_BYTES / 1000;
        let mut pool = Vec::with_capacity(POOL_BYTES + longest + PIECE_BYTES);
        while pool.len() < POOL_BYTES + longest {
            // Random at first, then the same again up to the length of a piece.
            let piece: Vec<u8> = (0..fresh.max(1)).map(|_| letter(&mut random)).collect();
            pool.extend(piece.iter().cycle().take(PIECE_BYTES));
        }
        Self { pool, position: 0 }
    }

    /// The next `length` bytes.
    pub(super) fn next(&mut self, length: usize) -> &[u8] {
        if self.position + length > self.pool.len() {
            self.position = 0;
        }
        let start = self.position;
        self.position += length;
        self.pool.get(start..start + length).unwrap_or_default()
    }
}

fn letter(random: &mut Random) -> u8 {
    const PRINTABLE: u8 = b'~' - b' ' + 1;
    b' ' + u8::try_from(random.below(usize::from(PRINTABLE))).unwrap_or(0)
}
