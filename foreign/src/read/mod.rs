//! Reads a family as its own library does: newest versions, range deletions, merge operands, blobs, columns.

pub mod deletions;
pub mod memory;
pub mod merge;
pub mod operator;
pub mod row;
pub mod run;
pub mod scan;

pub use deletions::Deletions;
pub use memory::MemoryRun;
pub use merge::{Layer, MergeCursor};
pub use operator::MergeOperator;
pub use row::{Blobs, PebbleHandle, Row, RowValue};
pub use run::{OpenTable, RunCursor};
pub use scan::{Scan, Snapshot};
