//! Databases of other programs: taken in, and handed out.
//!
//! Both go in steps of bounded size and stop between them, so that a page can draw and a host that opens
//! files late can open them. Files come from a [`crate::formats::leveldb::Files`] and go to whoever asks
//! for the next one: nothing here touches a disk.

mod export;
mod import;
mod target;
mod whose;

pub use export::{Export, ExportOptions, ExportReport, NewFile};
pub use import::{Import, ImportReport};
pub use target::NewDatabase;
pub use whose::refuse_other_formats;
