//! Tables: immutable sorted files, their builder and their reader.
//!
//! The bytes are described in docs/FORMAT.md, "Table files".

mod block;
mod block_builder;
mod block_iter;
mod builder;
mod cache;
mod format;
mod index;
mod iter;
mod properties;
mod reader;

#[cfg(test)]
mod tests;

pub(crate) use block::Block;
#[cfg(test)]
pub(crate) use block_builder::BlockBuilder;
pub(crate) use builder::{BlockWritten, TableBuilder, TableOptions};
pub(crate) use cache::TableCache;
pub(crate) use iter::TableCursor;
pub(crate) use reader::Table;
