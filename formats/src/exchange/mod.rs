//! Import and export of other programs' databases.
//!
//! Both run in steps of bounded size and return between them, so that a page can draw and a host that opens
//! files late can open them. Files come from a [`crate::leveldb::Files`], and the caller asks for
//! each file that is written: nothing here touches a disk.

mod export;
mod import;
mod whose;

pub use export::{Export, ExportOptions, ExportReport, NewFile};
pub use import::{Import, ImportReport};
pub use whose::refuse_other_formats;
