//! The bytes of any file as a tree, opened part by part: every byte has a name.
//!
//! ```text
//! node       a part; parts side by side, without gaps
//! rows, columns, record   the inside of blocks and records
//! table, pebble, blob, log, lines   files by kind
//! ```
//!
//! Nothing here decides what a database reads. It shows what lies where, of sound and of damaged files.

mod blob;
mod columns;
mod lines;
mod log;
mod node;
mod pebble;
mod record;
mod rows;
mod table;

use crate::files::missing;
use crate::frame::LogKind;
use crate::name::FileName;
use crate::{Engine, Error, ErrorKind, Files, Result};
use node::{Content, Lazy, Node, tiled};
use std::cell::RefCell;
use std::rc::Rc;

pub use node::UNNAMED;

/// Bytes of a part that an answer shows.
const HEAD_BYTES: usize = 1024;
/// Parts of one answer.
const PARTS_MAX: usize = 1000;

/// A part of a file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BytePart {
    /// What it is.
    pub name: String,
    /// Its offset, in the file or in the unpacked bytes that it is a part of.
    pub offset: u64,
    /// Its length.
    pub bytes: u64,
    /// What the bytes say, in words; may be empty.
    pub value: String,
    /// Whether there are parts inside.
    pub opens: bool,
    /// Whether it is damaged or cut.
    pub is_damaged: bool,
    /// Bytes that the file has in another form only, such as those of a compressed block: how many, and that offsets
    /// inside count from their beginning. The part itself has no length in the file then.
    pub unpacked_bytes: Option<u64>,
}

/// A part that was opened.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OpenedBytes {
    /// The file.
    pub file: String,
    /// The path of places in the tree that leads to the part; empty for the whole file.
    pub path: Vec<usize>,
    /// The part.
    pub part: BytePart,
    /// The names of the parts that it is in, from the file on.
    pub inside: Vec<String>,
    /// Whether its offset, and those of its parts, count in unpacked bytes.
    pub is_unpacked: bool,
    /// Its first bytes as hexadecimal digits, at most 1,024 of them.
    pub hex: String,
    /// Some of its parts.
    pub parts: Vec<BytePart>,
    /// The place of the first of these.
    pub from: usize,
    /// How many it has.
    pub total: usize,
}

/// Where offsets count.
#[derive(Clone)]
enum Space {
    File,
    Unpacked(Rc<[u8]>),
}

/// A file that is looked into.
struct Inspector<'f> {
    files: &'f dyn Files,
    name: &'f str,
    length: u64,
    engine: Engine,
    kind: FileName,
}

/// The parts of the file that was looked into last: finding those of a long log takes a walk over all of it.
#[derive(Default)]
pub struct Kept(RefCell<Option<(String, Rc<Whole>)>>);

/// The parts of a whole file, and why there are none.
struct Whole {
    parts: Vec<Node>,
    error: Option<Error>,
}

/// Opens the part of `file` that `path` leads to, and lists `limit` of its parts from place `from` on.
///
/// # Errors
/// `Missing` when there is no such file, `Invalid` when the path leads nowhere; those of the host. Damage is no error: the
/// bytes are there all the same.
pub fn open(
    files: &dyn Files,
    engine: Engine,
    (file, path): (&str, &[usize]),
    (from, limit): (usize, usize),
    kept: &Kept,
) -> Result<OpenedBytes> {
    let length = files.length(file).ok_or_else(|| missing(file))?;
    let kind = FileName::parse(file);
    let inspector = Inspector { files, name: file, length, engine, kind };
    let mut part = Node::leaf(file, 0, length, "");
    let (mut space, mut inside) = (Space::File, Vec::new());
    let whole = inspector.kept(kept)?;
    if let Some(error) = &whole.error {
        error.message().clone_into(&mut part.value);
        part.is_damaged = error.kind() == ErrorKind::Damaged;
    }
    let mut opened: Option<Vec<Node>> = None;
    for place in path {
        let none = || Error::new(ErrorKind::Invalid, format!("there is no part {place} here"));
        let parts = opened.as_ref().unwrap_or(&whole.parts);
        let next = parts.get(*place).ok_or_else(none)?.clone();
        inside.push(std::mem::take(&mut part.name));
        part = next;
        let (inner, where_they_count) = inspector.children(&mut part, space)?;
        (opened, space) = (Some(inner), where_they_count);
    }
    let parts = opened.as_ref().unwrap_or(&whole.parts);
    let total = parts.len();
    let shown = parts.iter().skip(from).take(limit.min(PARTS_MAX)).map(told).collect();
    let hex = crate::problem::hex(&inspector.head(&part, &space)?);
    let mut told = told(&part);
    told.opens = total > 0;
    let is_unpacked = matches!(space, Space::Unpacked(_));
    let (file, path) = (file.to_owned(), path.to_vec());
    Ok(OpenedBytes { file, path, part: told, inside, is_unpacked, hex, parts: shown, from, total })
}

/// The nodes; damage and formats that are not read leave none, and only a host that cannot read is an error.
fn read_or_leaf(nodes: &mut Result<Vec<Node>>) -> Result<Vec<Node>> {
    match nodes {
        Ok(nodes) => Ok(std::mem::take(nodes)),
        Err(error) if matches!(error.kind(), ErrorKind::Damaged | ErrorKind::NotRead) => {
            Ok(Vec::new())
        }
        Err(error) => Err(error.clone()),
    }
}

/// Bytes without any part stay as they are: one that has no name would say nothing.
fn tiled_or_none(nodes: Vec<Node>, start: u64, end: u64) -> Vec<Node> {
    if nodes.is_empty() { nodes } else { tiled(nodes, start, end) }
}

fn told(node: &Node) -> BytePart {
    let unpacked_bytes = match &node.content {
        Content::Unpacked(bytes, _) => Some(bytes.len() as u64),
        _ => None,
    };
    BytePart {
        name: node.name.clone(),
        offset: node.offset,
        bytes: node.bytes,
        value: node.value.clone(),
        opens: node.opens(),
        is_damaged: node.is_damaged,
        unpacked_bytes,
    }
}

impl Inspector<'_> {
    fn log_kind(&self) -> LogKind {
        match self.kind {
            FileName::Log { number, .. } => LogKind::Log { engine: self.engine, number },
            _ => LogKind::Manifest(self.engine),
        }
    }

    /// The parts of the file, from the last time where it is the same one.
    fn kept(&self, kept: &Kept) -> Result<Rc<Whole>> {
        if let Some((file, whole)) = kept.0.borrow().as_ref()
            && file == self.name
        {
            return Ok(Rc::clone(whole));
        }
        let mut read = self.whole();
        let parts = tiled_or_none(read_or_leaf(&mut read)?, 0, self.length);
        let whole = Rc::new(Whole { parts, error: read.err() });
        *kept.0.borrow_mut() = Some((self.name.to_owned(), Rc::clone(&whole)));
        Ok(whole)
    }

    fn whole(&self) -> Result<Vec<Node>> {
        let (files, name, length) = (self.files, self.name, self.length);
        match self.kind {
            FileName::Table(_) if self.engine == Engine::Pebble => {
                pebble::table(files, name, length)
            }
            FileName::Table(_) => table::blocks(files, name, self.engine),
            FileName::Blob(_) if self.engine == Engine::Pebble => pebble::blob(files, name, length),
            FileName::Blob(_) => blob::all(files, name, length),
            FileName::Log { .. } | FileName::Manifest(_) => {
                log::all(files, name, self.log_kind(), length)
            }
            FileName::Current
            | FileName::Identity
            | FileName::Options(_)
            | FileName::InfoLog { .. } => lines::all(files, name, length),
            FileName::Marker { .. } | FileName::Ignored | FileName::Unknown => Ok(Vec::new()),
        }
    }

    /// The parts of `part`, and where their offsets count. What cannot be read is told by the value of the part.
    fn children(&self, part: &mut Node, space: Space) -> Result<(Vec<Node>, Space)> {
        let (start, end) = (part.offset, part.end());
        match &part.content {
            Content::Leaf => Ok((Vec::new(), space)),
            Content::Parts(parts) => Ok((tiled_or_none(parts.clone(), start, end), space)),
            Content::Unpacked(bytes, parts) => {
                let space = Space::Unpacked(Rc::clone(bytes));
                let parts = tiled_or_none(parts.clone(), 0, bytes.len() as u64);
                Ok((parts, space))
            }
            Content::Lazy(lazy) => {
                let mut read = self.lazy(*lazy);
                if let Err(error) = &read {
                    error.message().clone_into(&mut part.value);
                    part.is_damaged = error.kind() == ErrorKind::Damaged;
                }
                let nodes = read_or_leaf(&mut read)?;
                let parts = tiled_or_none(nodes, start, end);
                Ok((parts, space))
            }
        }
    }

    fn lazy(&self, lazy: Lazy) -> Result<Vec<Node>> {
        let (files, name) = (self.files, self.name);
        match lazy {
            Lazy::Block(kind, handle) => table::block(files, name, self.engine, kind, handle),
            Lazy::PebbleBlock(shape, handle) => {
                let of = match self.kind {
                    FileName::Blob(_) => pebble::Of::Blob,
                    _ => pebble::Of::Table,
                };
                pebble::block(files, name, of, shape, handle)
            }
            Lazy::Pieces(start, end) => log::pieces(files, name, self.log_kind(), start, end),
            Lazy::Record(start, end) => log::record(files, name, self.log_kind(), start, end),
            Lazy::BlobRecords(start, end) => blob::records(files, name, start, end),
            Lazy::Lines(start, end) => lines::lines(files, name, start, end),
        }
    }

    /// The first bytes of a part.
    fn head(&self, part: &Node, space: &Space) -> Result<Vec<u8>> {
        if let Content::Unpacked(bytes, _) = &part.content {
            return Ok(bytes.get(..HEAD_BYTES).unwrap_or(bytes).to_vec());
        }
        let count = usize::try_from(part.bytes).unwrap_or(usize::MAX).min(HEAD_BYTES);
        match space {
            Space::File => self.files.read(self.name, part.offset, count),
            Space::Unpacked(bytes) => {
                let start = usize::try_from(part.offset).unwrap_or(usize::MAX);
                let end = start.saturating_add(count).min(bytes.len());
                Ok(bytes.get(start..end).unwrap_or_default().to_vec())
            }
        }
    }
}
