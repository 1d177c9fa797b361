//! Manifests and `CURRENT`: files without entries.

use super::{PROOF, annotate, likeness};
use crate::{Entries, Entry, Format, FormatInfo, Holds, Likeness, SearchMethod, Trail};
use levelscope::inspect::{Node, Scope};
use levelscope::storage::FileName;
use levelscope::{Error, Result};

/// A file without entries: its description, and its kind of name in a database.
#[derive(Debug)]
pub(crate) struct MetadataFile(&'static FormatInfo, FileName);

pub(super) static MANIFEST: FormatInfo = FormatInfo {
    id: "levelscope-manifest",
    name: "manifest of Levelscope",
    purpose: "Which tables and logs count: one version edit after the other.",
    holds: Holds::Metadata,
    searches: &[],
    writable: false,
    proof: PROOF,
};

pub(super) static CURRENT: FormatInfo = FormatInfo {
    id: "levelscope-current",
    name: "CURRENT of Levelscope",
    purpose: "The number of the manifest that counts, in two slots that are written in turn.",
    holds: Holds::Metadata,
    searches: &[],
    writable: false,
    proof: PROOF,
};

impl MetadataFile {
    pub(crate) const MANIFEST: Self = Self(&MANIFEST, FileName::Manifest(1));
    pub(crate) const CURRENT: Self = Self(&CURRENT, FileName::Current);
}

/// The answer to a search.
fn no_entries<T>() -> Result<T> {
    Err(Error::invalid("this file has no entries to search"))
}

impl Format for MetadataFile {
    fn info(&self) -> &'static FormatInfo {
        self.0
    }

    fn recognize(&self, name: &str, file: &[u8]) -> Likeness {
        likeness(name, file, self.1)
    }

    fn annotate(&self, name: &str, file: &[u8], scope: Scope) -> Node {
        annotate(self.1, name, file, scope)
    }

    fn scan<'a>(&self, _: &'a [u8]) -> Entries<'a> {
        Box::new(std::iter::empty())
    }

    fn get<'a>(&self, _: &'a [u8], _: &[u8], _: SearchMethod) -> Result<Option<Entry<'a>>> {
        no_entries()
    }

    fn explain<'a>(
        &self,
        _: &'a [u8],
        _: &[u8],
        _: SearchMethod,
        _: &mut Trail,
    ) -> Result<Option<Entry<'a>>> {
        no_entries()
    }
}
