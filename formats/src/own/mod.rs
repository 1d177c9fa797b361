//! The engine's own files as formats, so that a single one of them can be looked at like those of other
//! programs. [`levelscope::inspect`] names their bytes; the code that reads them is that of the database.

mod bytes;
mod log;
mod metadata;
mod table;

pub(super) use log::LogFile;
pub(super) use metadata::{CurrentFile, ManifestFile};
pub(super) use table::TableFormat;

use super::{FormatInfo, Likeness};
use levelscope::inspect::{Node, Proof, Scope, Source, annotate_scope, own_name};
use levelscope::storage::FileName;

/// What there is to know of each of its formats.
pub(super) static INFOS: &[&FormatInfo] =
    &[&table::INFO, &log::INFO, &metadata::MANIFEST, &metadata::CURRENT];

/// What proves a file of the engine.
const PROOF: &str = "its magic number and a checksum are right";

/// What the file is to be called in a database when it is of the kind that `is` accepts, and how sure that is.
fn known(name: &str, file: &[u8], is: fn(FileName) -> bool) -> Option<(FileName, Likeness)> {
    let (own, proof) = own_name(name, file).filter(|(own, _)| is(*own))?;
    let likeness = match proof {
        Proof::Checksum => Likeness::Certain,
        Proof::Magic => Likeness::Likely,
        Proof::Name => Likeness::Perhaps,
    };
    Some((own, likeness))
}

/// How much the file looks like one of the kind that `is` accepts.
fn likeness(name: &str, file: &[u8], is: fn(FileName) -> bool) -> Likeness {
    known(name, file, is).map_or(Likeness::None, |(_, likeness)| likeness)
}

/// Names the bytes of `file`, called `own` in a database and `name` here.
fn annotate(own: FileName, name: &str, file: &[u8], scope: Scope) -> Node {
    let tree = annotate_scope(own, &Source::Bytes(file), scope);
    let tree = tree.unwrap_or_else(|error| Node::damaged(0, file.len() as u64, error.to_string()));
    Node { name: name.to_owned(), ..tree }
}
