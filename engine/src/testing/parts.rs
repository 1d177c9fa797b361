//! Doors for measuring: single parts of the engine, called as the engine calls them. `cargo bench` uses them.
//!
//! Nothing is implemented here, and nothing but benchmarks may lean on these signatures.

use crate::coding::{Reader, put_varint};
use crate::filter::{Filter, FilterBuilder};
use crate::iter::{Cursor, MergingCursor};
use crate::key::{ValueKind, append_internal};
use crate::memtable::Memtable as Table;
use crate::probe::NoProbe;
use crate::storage::Storage;
use crate::table::{Block, BlockBuilder, BlockIter, Target};
use crate::wal::WalWriter;
use crate::{Result, WriteBatch};
use std::sync::Arc;
