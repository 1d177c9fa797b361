//! The files of `LevelDB`, alone and as a directory.
//!
//! A directory has one `CURRENT`, which names a manifest, which names tables and logs. Everything is
//! read with its checksums, which the original leaves out unless it is told.

mod batch;
mod block;
mod block_nodes;
mod builder;
mod crc;
mod cursor;
mod directory;
mod directory_builder;
mod edit;
mod files;
mod filter;
mod format;
mod frame;
mod hash;
mod index;
mod likeness;
mod live;
mod log;
mod log_nodes;
mod nodes;
mod salvage;
mod search;
mod state;
mod stored;

pub use builder::TableStyle;
pub use crc::{crc32c, masked};
pub use directory::{Damage, Database, Table};
pub(crate) use directory_builder::DirectoryBuilder;
pub(super) use edit::COMPARATOR;
pub use edit::TableFile;
pub use files::Files;
pub(super) use files::numbered;
pub use filter::{ask, bloom};
pub use format::write_table;
pub(super) use format::{CurrentFile, LogFile, ManifestFile, TableFormat};
pub use hash::{FILTER_SEED, hash, hash_signed};
pub use live::Live;
pub(super) use log_nodes::{USED_BEFORE, current_flaw, manifest_named};
pub(super) use state::named_by;
pub(super) use stored::stored as stored_leveldb;

/// What there is to know of each of its formats.
pub(super) static INFOS: &[&crate::FormatInfo] =
    &[&format::TABLE, &format::LOG, &format::MANIFEST, &format::CURRENT];

/// What tables of both families are read with.
pub(super) mod tables {
    pub(crate) use super::block::{Block, LONG_KEYS, Values, Walk};
    pub(crate) use super::block_nodes::Role;
    pub(crate) use super::cursor::{Cursor, Order, unread_kind};
    pub(crate) use super::frame::{Footer, LEVEL_MAGIC, ROCKS_MAGIC, corrupt};
    pub(crate) use super::index::{Index, IndexLayout, meta, metas};
    pub(crate) use super::nodes::{Known, Rest, annotate_table, readable};
    pub(crate) use super::search::{Table, first_not_before};
}
