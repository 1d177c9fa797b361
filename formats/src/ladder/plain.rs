//! The first two steps: entries one after the other, without an index.

use super::coding::{Coding, Content, Walk};
use super::names::{self, Role};
use super::search::walk;
use super::{Step, TableSettings, entry};
use crate::recognize::has_extension;
use crate::{Entries, Entry, Format, FormatInfo, Likeness, SearchMethod};
use levelscope::inspect::{Node, Scope};
use levelscope::internals::probe::Probe;
use levelscope::text;
use levelscope::{Error, Result};

/// A table with nothing but entries.
#[derive(Debug)]
pub(crate) struct Plain(pub(crate) Step);

impl Plain {
    fn search<'a, P: Probe>(
        &self,
        file: &'a [u8],
        key: &[u8],
        method: SearchMethod,
        probe: &mut P,
    ) -> Result<Option<Entry<'a>>> {
        if method != SearchMethod::Sequential {
            let why = "a table without an index can only be searched by a linear scan";
            return Err(Error::invalid(why));
        }
        probe.access("file", 0, file.len() as u64);
        let content = Content::stored(file, 0);
        Ok(walk(&content, self.0.coding(), 0..file.len(), key, probe)?.0)
    }
}

/// The entries in the first `end` bytes of `file`.
pub(super) fn scan(coding: Coding, file: &[u8], end: usize) -> Entries<'_> {
    let content = Content::stored(file, 0);
    let mut walk = Walk::new(coding, 0..end);
    Box::new(std::iter::from_fn(move || {
        let raw = walk.next(&content, false)?;
        Some(raw.and_then(|raw| {
            let stored = content.cut(raw.stored.clone());
            entry(walk.key(&content, &raw), stored, raw.at as u64)
        }))
    }))
}

/// Likeness to plain entries: all bytes, or most of the bytes of one with a name. A table never has the name of a log.
fn likeness(name: &str, coding: Coding, file: &[u8]) -> Likeness {
    let other = has_extension(name, "log") || has_extension(name, "db");
    if file.is_empty() {
        return if other { Likeness::None } else { Likeness::Perhaps };
    }
    let (mut good_bytes, mut last) = (0, None);
    for entry in scan(coding, file, file.len()) {
        match entry {
            // Without a checksum, the order of the keys is the evidence: zeros have none.
            Ok(entry) if last.as_ref().is_some_and(|last| *last >= entry.key) => {
                return Likeness::None;
            }
            Ok(entry) => {
                good_bytes = entry.offset;
                last = Some(entry.key);
            }
            Err(_) if has_extension(name, "sst") && good_bytes > file.len() as u64 / 2 => {
                return Likeness::Perhaps;
            }
            Err(_) => return Likeness::None,
        }
    }
    if other { Likeness::Perhaps } else { Likeness::Likely }
}

impl Format for Plain {
    fn info(&self) -> &'static FormatInfo {
        self.0.info()
    }

    fn recognize(&self, name: &str, file: &[u8]) -> Likeness {
        likeness(name, self.0.coding(), file)
    }

    fn annotate(&self, name: &str, file: &[u8], scope: Scope) -> Node {
        let content = Content::stored(file, 0);
        let (entries, count) =
            names::entries(Role::Data, self.0.coding(), &content, (file.len(), &[]), scope);
        let value = format!("{}, {}", text::counted(count, "entry"), text::bytes(file.len()));
        Node::branch(name, "table", 0, value, entries)
    }

    fn scan<'a>(&self, file: &'a [u8]) -> Entries<'a> {
        scan(self.0.coding(), file, file.len())
    }

    searched_by!(self.search);

    fn write(&self, entries: &[Entry<'_>]) -> Result<Vec<u8>> {
        TableSettings::new(self.0).write(entries)
    }
}
