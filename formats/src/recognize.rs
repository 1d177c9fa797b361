//! Recognizes the format of a file by its content.

use super::{FORMATS, Format};
use levelscope::internals::sorting;
use std::fmt;

/// Likeness of a file to those of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    /// None.
    None,
    /// Part of its bytes make sense, and its name agrees; or it is empty, and only its name decides.
    Perhaps,
    /// All its bytes make sense, but nothing proves it.
    Likely,
    /// A magic number or a checksum proves it.
    Certain,
}

/// A format that a file may have.
#[derive(Clone, Copy)]
pub struct Recognized {
    /// The format.
    pub format: &'static dyn Format,
    /// Certainty of the match.
    pub likeness: Likeness,
}

impl fmt::Debug for Recognized {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.format.info().id, self.likeness)
    }
}

/// The formats that `file` may have, the likeliest first; among equals, in the order of [`FORMATS`]. A format
/// that is certain has no alternatives. Every one has evidence: a magic number, a checksum, or structure to
/// the end of the file. A file without evidence is of no known format, whatever its name is.
/// `name` has no directories.
pub fn recognize(name: &str, file: &[u8]) -> Vec<Recognized> {
    let judged = FORMATS
        .iter()
        .map(|format| Recognized { format: *format, likeness: format.recognize(name, file) });
    let mut found: Vec<Recognized> =
        judged.filter(|found| found.likeness > Likeness::None).collect();
    sorting::sort_by_key(&mut found, |found| std::cmp::Reverse(found.likeness));
    if found.first().is_some_and(|best| best.likeness == Likeness::Certain) {
        found.truncate(1);
    }
    found
}

/// Whether the file `name` ends in a dot and `extension`.
pub(super) fn has_extension(name: &str, extension: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, found)| found == extension)
}
