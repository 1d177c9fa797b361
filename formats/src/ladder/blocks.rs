//! The steps with blocks: uncompressed, compressed, with incremental keys.

use super::block::{BlockEntries, search_block, walk_block};
use super::index::{BlockEntry, BlockIndex};
use super::{Step, TableSettings, names};
use crate::{Entries, Entry, Format, FormatInfo, Likeness, SearchMethod, unreadable};
use levelscope::Result;
use levelscope::inspect::{Node, Scope};
use levelscope::internals::probe::{NoProbe, Probe};

/// A table with blocks.
#[derive(Debug)]
pub(crate) struct Blocks(pub(crate) Step);

impl Blocks {
    fn search<'a, P: Probe>(
        &self,
        file: &'a [u8],
        key: &[u8],
        method: SearchMethod,
        probe: &mut P,
    ) -> Result<Option<Entry<'a>>> {
        let index = BlockIndex::open(self.0, file, probe)?;
        if method == SearchMethod::Binary {
            let Some(place) = index.find(key, probe)? else { return Ok(None) };
            return search_block(self.0, &index.block(&place, probe)?, key, probe);
        }
        for place in index.entries()? {
            let content = index.block(&place, probe)?;
            let (found, passed) = walk_block(self.0, &content, key, probe)?;
            if found.is_some() || passed {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The entries of one block, and contradictions to its index entry.
    fn entries_of<'a>(&self, index: &BlockIndex<'a>, place: &BlockEntry<'a>) -> Entries<'a> {
        match index.block(place, &mut NoProbe) {
            Ok(content) => Box::new(BlockEntries::new(self.0, content, place.last_key)),
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    }
}

impl Format for Blocks {
    fn info(&self) -> &'static FormatInfo {
        self.0.info()
    }

    fn recognize(&self, _: &str, file: &[u8]) -> Likeness {
        let Ok(index) = BlockIndex::open(self.0, file, &mut NoProbe) else { return Likeness::None };
        let Ok(places) = index.entries() else { return Likeness::None };
        let good =
            |place: &BlockEntry<'_>| self.entries_of(&index, place).all(|entry| entry.is_ok());
        match places.iter().filter(|place| good(place)).count() {
            0 if places.is_empty() => Likeness::Perhaps,
            0 => Likeness::None,
            count if count == places.len() => Likeness::Likely,
            _ => Likeness::Perhaps,
        }
    }

    fn annotate(&self, name: &str, file: &[u8], scope: Scope) -> Node {
        match BlockIndex::open(self.0, file, &mut NoProbe) {
            Ok(index) => names::table(self.0, name, file, &index, scope),
            Err(error) => unreadable(name, file, &error),
        }
    }

    fn scan<'a>(&self, file: &'a [u8]) -> Entries<'a> {
        let opened = BlockIndex::open(self.0, file, &mut NoProbe)
            .and_then(|index| index.entries().map(|places| (index, places)));
        let (index, places) = match opened {
            Ok(opened) => opened,
            Err(error) => return Box::new(std::iter::once(Err(error))),
        };
        let format = Self(self.0);
        Box::new(places.into_iter().flat_map(move |place| format.entries_of(&index, &place)))
    }

    searched_by!(self.search);

    fn write(&self, entries: &[Entry<'_>]) -> Result<Vec<u8>> {
        TableSettings::new(self.0).write(entries)
    }
}
