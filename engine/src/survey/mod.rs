//! Judges a directory, in one place for opening, check and repair.
//!
//! | question | where | asked by |
//! |---|---|---|
//! | Whose is it? | [`Survey`] | every command, before anything is locked or written |
//! | Which slot of `CURRENT` counts, which manifest, which tables and logs must be there? | [`Frame`] | opening, check, repair |
//! | How must each log end? | [`LogEnds`] | opening, check, repair |
//! | Which role has a file, and may opening delete it? | [`Role`], [`Frame::is_own_spare`] | opening, check |
//!
//! The rules report flaws ([`crate::flaw`]): opening fails with the first one, a check reports all of them, a repair
//! saves the rest. So a check reports exactly the errors of opening.

mod belonging;
mod evidence;
mod files;
mod frame;
mod logs;
mod names;
mod unfinished;
mod whose;

pub use evidence::{LEVEL_MAGIC, Sample};
pub use names::{Program, program as program_of};
pub use whose::{OpenPolicy, Survey};

pub(crate) use belonging::{Belonging, claims};
pub(crate) use files::Role;
pub(crate) use frame::{BEGUN, Frame, ManifestFile, missing_table, no_manifest, out_of_date};
pub(crate) use logs::LogEnds;
pub(crate) use unfinished::Unfinished;
pub(crate) use whose::missing;
