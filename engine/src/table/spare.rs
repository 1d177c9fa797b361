//! Memory of released blocks, reused for the blocks that are read next.
//!
//! A read that the cache cannot answer decompresses into memory that is still in the processor's own
//! caches, and neither allocates nor clears it.

use std::cell::RefCell;

/// How many buffers a thread keeps, and the largest of them \[bytes\].
const COUNT_MAX: usize = 8;
const BYTES_MAX: usize = 32 << 10;
/// Memory is taken in multiples of this, so that blocks of nearly the same size can share it \[bytes\].
const GRANULE_BYTES: usize = 512;

thread_local! {
    static SPARE: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
    /// The buffer that the last short walk of this thread has read ahead into.
    static AHEAD: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Stored blocks that were read ahead, in memory that the next walk of the thread uses again.
#[derive(Debug, Default)]
pub(super) struct AheadBuffer(Vec<u8>);

impl AheadBuffer {
    /// The bytes read ahead; none before [`Self::set`].
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Memory for the next read-ahead, with any content. It holds nothing until [`Self::set`].
    pub(super) fn take(&mut self) -> Vec<u8> {
        let own = std::mem::take(&mut self.0);
        if own.capacity() > 0 {
            return own;
        }
        AHEAD.try_with(RefCell::take).unwrap_or_default()
    }

    /// Holds `bytes`.
    pub(super) fn set(&mut self, bytes: Vec<u8>) {
        self.0 = bytes;
    }
}

impl Drop for AheadBuffer {
    fn drop(&mut self) {
        if self.0.capacity() == 0 || self.0.capacity() > BYTES_MAX {
            return;
        }
        let _ = AHEAD.try_with(|ahead| ahead.replace(std::mem::take(&mut self.0)));
    }
}

/// `bytes` bytes with any content, in memory that is not much larger.
pub(super) fn take(bytes: usize) -> Vec<u8> {
    let spare = SPARE.try_with(|spare| spare.try_borrow_mut().ok()?.pop());
    let fits =
        |buffer: &Vec<u8>| (bytes..=bytes + bytes / 4 + GRANULE_BYTES).contains(&buffer.capacity());
    let mut buffer = spare.ok().flatten().filter(fits).unwrap_or_else(|| {
        Vec::with_capacity(bytes.checked_next_multiple_of(GRANULE_BYTES).unwrap_or(bytes))
    });
    buffer.resize(bytes, 0);
    buffer
}

/// Keeps `buffer` for a later [`take`] of this thread, unless there are enough.
pub(super) fn give(buffer: Vec<u8>) {
    if buffer.capacity() == 0 || buffer.capacity() > BYTES_MAX {
        return;
    }
    // While a thread ends there may be none any more.
    let _ = SPARE.try_with(|spare| {
        if let Ok(mut spare) = spare.try_borrow_mut()
            && spare.len() < COUNT_MAX
        {
            spare.push(buffer);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_used_again_but_never_for_much_smaller_blocks() {
        let first = take(4_000);
        let place = first.as_ptr();
        give(first);
        let again = take(4_090);
        assert_eq!((again.as_ptr(), again.len()), (place, 4_090));
        give(again);
        assert!(take(100).capacity() < 1_000);
    }

    #[test]
    fn what_a_thread_keeps_is_bounded() {
        for _ in 0..100 {
            give(vec![0; 1_000]);
            give(vec![0; BYTES_MAX + 1]);
        }
        SPARE.with_borrow(|spare| {
            assert_eq!(spare.len(), COUNT_MAX);
            assert!(spare.iter().all(|buffer| buffer.capacity() <= BYTES_MAX));
        });
    }
}
