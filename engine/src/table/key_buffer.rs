//! The key under a block cursor, put together from shared prefixes.

/// Keys up to this length \[bytes\] need no allocation.
const INLINE_BYTES: usize = 120;

/// A growing and shrinking key.
#[derive(Debug)]
pub(super) struct KeyBuffer {
    inline: [u8; INLINE_BYTES],
    length: usize,
    /// Used instead of `inline`, and not empty, while the key is longer than that.
    heap: Vec<u8>,
}

impl Default for KeyBuffer {
    fn default() -> Self {
        Self { inline: [0; INLINE_BYTES], length: 0, heap: Vec::new() }
    }
}

impl KeyBuffer {
    #[inline]
    pub(super) fn as_slice(&self) -> &[u8] {
        if self.heap.is_empty() {
            self.inline.get(..self.length).unwrap_or_default()
        } else {
            &self.heap
        }
    }

    /// Makes it empty.
    pub(super) fn clear(&mut self) {
        self.length = 0;
        self.heap.clear();
    }

    /// Makes it `key`.
    pub(super) fn set(&mut self, key: &[u8]) -> bool {
        self.clear();
        self.replace(0, key)
    }

    /// Appends `suffix`.
    pub(super) fn push(&mut self, suffix: &[u8]) -> bool {
        self.replace(self.length, suffix)
    }

    /// Keeps the first `shared` bytes and appends `suffix`; false when there are fewer.
    #[inline]
    pub(super) fn replace(&mut self, shared: usize, suffix: &[u8]) -> bool {
        if shared > self.length {
            return false;
        }
        let length = shared + suffix.len();
        if length <= INLINE_BYTES && self.heap.is_empty() {
            if let Some(place) = self.inline.get_mut(shared..length) {
                place.copy_from_slice(suffix);
            }
        } else {
            self.replace_on_heap(shared, suffix);
        }
        self.length = length;
        true
    }

    #[cold]
    fn replace_on_heap(&mut self, shared: usize, suffix: &[u8]) {
        if self.heap.is_empty() {
            self.heap.extend_from_slice(self.inline.get(..shared).unwrap_or_default());
        }
        self.heap.truncate(shared);
        self.heap.extend_from_slice(suffix);
    }
}
