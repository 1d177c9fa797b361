//! Exports a database as a directory of `LevelDB`, and recognizes the owner of a directory.
//!
//! An export runs in steps of bounded size and returns between them, so that a page can draw and a host that opens
//! files late can open them. The caller asks for each file that is written: nothing here touches a disk.

mod export;
mod whose;

pub use export::{Export, ExportOptions, ExportReport, NewFile};
pub use whose::refuse_other_formats;
