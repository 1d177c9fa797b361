//! The engine's own files as formats, so that a single one of them can be read like those of other programs.
//! [`levelscope::inspect`] names their bytes; the code that reads them is that of the database.

mod log;
mod metadata;
mod table;

pub(super) use log::LogFile;
pub(super) use metadata::MetadataFile;
pub(super) use table::TableFormat;

use super::Likeness;
use levelscope::inspect::{Node, Proof, Scope, Source, annotate_scope, own_name};
use levelscope::storage::FileName;
use std::mem::discriminant;

/// Proof of a file of the engine.
const PROOF: &str = "its magic number and a checksum are right";

/// The name of the file in a database when it is of the kind of `usual`, and the certainty of that.
fn known(name: &str, file: &[u8], usual: FileName) -> Option<(FileName, Likeness)> {
    let (own, proof) = own_name(name, file)?;
    let likeness = match proof {
        Proof::Checksum => Likeness::Certain,
        Proof::Magic => Likeness::Likely,
        Proof::Name => Likeness::Perhaps,
    };
    (discriminant(&own) == discriminant(&usual)).then_some((own, likeness))
}

/// Likeness of the file to the kind of `usual`.
fn likeness(name: &str, file: &[u8], usual: FileName) -> Likeness {
    known(name, file, usual).map_or(Likeness::None, |(_, likeness)| likeness)
}

/// The name of a file of the kind of `usual` in a database. Its bytes have the number; without one, any will do.
fn own(name: &str, file: &[u8], usual: FileName) -> FileName {
    known(name, file, usual).map_or(usual, |(own, _)| own)
}

/// Names the bytes of a file of the kind of `usual`, called `name` here.
fn annotate(usual: FileName, name: &str, file: &[u8], scope: Scope) -> Node {
    let tree = annotate_scope(own(name, file, usual), &Source::Bytes(file), scope);
    let tree = tree.unwrap_or_else(|error| Node::damaged(0, file.len() as u64, error.to_string()));
    Node { name: name.to_owned(), ..tree }
}
