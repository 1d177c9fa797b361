//! Manifests: version edits, the states after them, and the history of every file.

mod apply;
mod blobs;
mod custom;
mod cut;
mod decode;
mod decoder;
mod edit;
mod index;
mod kind;
mod life;
mod open;
mod order;
mod own;
mod tables;

pub(crate) use apply::LEVELS_MAX;
pub use cut::{Cut, CutCause};
pub use decode::decode;
pub use decoder::{Form, Note, Span};
pub use edit::{BlobValues, Edit, PebbleBlob};
pub use index::{Change, ChangeKind, EditEntry, Manifest, Step};
pub use kind::StepKind;
pub use life::{Life, LifeEvent};
pub use order::sublevels;
