//! Files mapped into the memory of the process: the one place with `unsafe` code outside of the benchmarks.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Most files that one storage maps at a time; Linux allows a process 65,530 pieces of memory.
const MAPPINGS_MAX: usize = 4096;

/// Counts the mappings of one storage.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places(Arc<AtomicUsize>);

/// One of the places, taken.
#[derive(Debug)]
struct Place(Places);

impl Places {
    fn take(&self) -> Option<Place> {
        let place = Place(self.clone());
        (self.0.fetch_add(1, Ordering::Relaxed) < MAPPINGS_MAX).then_some(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(all(unix, target_pointer_width = "64"))]
use memmap2::Mmap as Memory;

/// A system on which nothing is mapped.
#[cfg(not(all(unix, target_pointer_width = "64")))]
type Memory = &'static [u8];

/// The bytes that a file had when it was opened.
#[derive(Debug)]
pub(crate) struct Mapping {
    memory: Memory,
    _place: Place,
}

impl Mapping {
    /// The file at `path`, which has `length` bytes; `None` where it cannot be mapped, or too many are.
    pub(crate) fn of(path: &Path, length: u64, places: &Places) -> Option<Self> {
        let place = places.take()?;
        let memory = map(path).filter(|memory| memory.len() as u64 == length && length > 0)?;
        Some(Self { memory, _place: place })
    }

    /// Copies the bytes from `offset` on into `buffer`; whether the mapping has all of them.
    ///
    /// The caller checks and decodes the copy, which stays the same even if another program writes into the file.
    pub(crate) fn copy(&self, offset: u64, buffer: &mut [u8]) -> bool {
        let start = usize::try_from(offset).ok();
        let range = start.and_then(|start| Some(start..start.checked_add(buffer.len())?));
        let Some(bytes) = range.and_then(|range| self.memory.get(range)) else { return false };
        buffer.copy_from_slice(bytes);
        true
    }
}

#[cfg(all(unix, target_pointer_width = "64"))]
#[expect(unsafe_code, reason = "the system lets other programs change a mapped file")]
fn map(path: &Path) -> Option<Memory> {
    let file = std::fs::File::open(path).ok()?;
    // SAFETY: the bytes of a mapping must not change while they are borrowed. The engine writes a table once and never
    // opens it for writing again, and while the database is open its lock keeps every other engine out of the
    // directory. A borrow lasts for one copy; checks and decoding see the copy alone.
    let memory = unsafe { Memory::map(&file) }.ok()?;
    // Blocks are read here and there. It is advice: where it is not taken, more is read.
    let _ = memory.advise(memmap2::Advice::Random);
    Some(memory)
}

#[cfg(not(all(unix, target_pointer_width = "64")))]
fn map(_: &Path) -> Option<Memory> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(all(unix, target_pointer_width = "64"))]
    #[test]
    fn a_mapping_has_the_bytes_of_its_file_and_no_others() {
        let path = std::env::temp_dir().join(format!("levelscope-mapping-{}", std::process::id()));
        std::fs::write(&path, b"ten bytes.").unwrap();
        let places = Places::default();
        let mapping = Mapping::of(&path, 10, &places).unwrap();
        assert!(Mapping::of(&path, 11, &places).is_none(), "another length");
        let mut buffer = [0; 5];
        assert!(mapping.copy(4, &mut buffer));
        assert_eq!(&buffer, b"bytes");
        for outside in [6, 10, u64::MAX - 2, u64::MAX] {
            assert!(!mapping.copy(outside, &mut buffer), "{outside}");
        }
        assert_eq!(&buffer, b"bytes", "nothing was copied");
        std::fs::write(&path, b"").unwrap();
        assert!(Mapping::of(&path, 0, &places).is_none(), "without bytes there is nothing to map");
        std::fs::remove_file(&path).unwrap();
        drop(mapping);
        assert_eq!(places.0.load(Ordering::Relaxed), 0, "every place is free again");
    }

    #[test]
    fn a_place_is_free_again_when_it_is_dropped() {
        let places = Places::default();
        let taken: Vec<_> = (0..MAPPINGS_MAX).map_while(|_| places.take()).collect();
        assert_eq!(taken.len(), MAPPINGS_MAX);
        assert!(places.take().is_none());
        drop(taken);
        assert!(places.take().is_some());
    }
}
