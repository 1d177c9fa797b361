//! The parts of files that were read last: one call of a host costs as much as the reading of many kilobytes.

/// Bytes of a page.
pub(crate) const PAGE_BYTES: usize = 64 << 10;
/// Pages that are kept: 4 MiB.
const PAGES_MAX: usize = 64;

/// A page of a file.
struct Page {
    file: usize,
    number: u64,
    bytes: Vec<u8>,
}

/// The pages that were used last, the newest at the end.
#[derive(Default)]
pub(crate) struct Pages {
    kept: Vec<Page>,
}

impl Pages {
    /// The page `number` of `file`; `fill` reads it from the host where it is not there.
    ///
    /// # Errors
    /// Those of `fill`; nothing is kept then.
    pub(crate) fn get<E>(
        &mut self,
        file: usize,
        number: u64,
        fill: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<&[u8], E> {
        let place = self.kept.iter().position(|page| page.file == file && page.number == number);
        let page = match place {
            Some(place) => self.kept.remove(place),
            None => Page { file, number, bytes: fill()? },
        };
        if self.kept.len() >= PAGES_MAX {
            self.kept.remove(0);
        }
        self.kept.push(page);
        Ok(self.kept.last().map(|page| page.bytes.as_slice()).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::{PAGES_MAX, Pages};

    #[test]
    fn the_pages_used_last_are_kept() {
        let mut pages = Pages::default();
        let mut filled = 0;
        let mut read = |pages: &mut Pages, number: u64| {
            let page = pages.get(0, number, || {
                filled += 1;
                Ok::<_, ()>(vec![u8::try_from(number).unwrap()])
            });
            assert_eq!(page.unwrap(), [u8::try_from(number).unwrap()]);
            filled
        };
        for number in 0..PAGES_MAX as u64 {
            read(&mut pages, number);
        }
        assert_eq!(read(&mut pages, 0), PAGES_MAX);
        // One more leaves out the one that was not used for longest: 1, not 0.
        assert_eq!(read(&mut pages, 100), PAGES_MAX + 1);
        assert_eq!(read(&mut pages, 0), PAGES_MAX + 1);
        assert_eq!(read(&mut pages, 1), PAGES_MAX + 2);
    }

    #[test]
    fn a_page_that_cannot_be_read_is_asked_for_again() {
        let mut pages = Pages::default();
        assert_eq!(pages.get(1, 2, || Err("gone")), Err("gone"));
        assert_eq!(pages.get(1, 2, || Ok::<_, &str>(vec![7])), Ok(&[7][..]));
    }
}
