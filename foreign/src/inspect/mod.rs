//! The bytes of a file as a tree in which every byte has a name, opened part by part.
//!
//! ```text
//! part         the answer: names, offsets, lengths, words
//! branch       the parts of a range of bytes, down to the smallest
//! view, sink   bytes that know where they lie; collects the parts that were asked for
//! fields       fields one by one
//! table        footer, blocks and their order; rows, columns, filters, values: the content of a block
//! frames       logs and manifests; batch, edit: the content of a record
//! blob, lines  blob files; files of text
//! ```
//!
//! The parts of a part follow one another without a gap. Opening one reads only the bytes on the way to it, so a table
//! of gigabytes is never read whole. Damage is a part, too: the tree goes on around it. Bytes of encoded content, such
//! as a compressed block, have one part of kind `content`; offsets below it count in the content.

mod batch;
mod blob;
mod block;
mod branch;
mod columns;
mod edit;
mod fields;
mod filter;
mod footer;
mod frames;
mod lines;
mod part;
mod places;
mod properties;
mod records;
mod rows;
mod sink;
mod strings;
mod table;
mod values;
mod view;

pub use branch::{Branch, branch, content, outline};
pub use part::{OpenedPart, Part, PartState, Raw};

use crate::files::missing;
use crate::name::FileName;
use crate::text::hex;
use crate::{Engine, Error, ErrorKind, Files, Result};
use sink::{Inner, Sink, Want, named};
use std::cell::Cell;
use view::Space;

/// Parts of one answer, when no number is given.
pub const PARTS: usize = 200;
/// The most parts of one answer.
pub const PARTS_MAX: usize = 1_000;
/// The most bytes of one answer.
pub const RAW_BYTES_MAX: usize = 64 << 10;
/// Bytes of blocks that a list of them reads to compare their checksums.
const GLANCE_BYTES_MAX: u64 = 1 << 20;
/// Deeper paths are refused; the deepest tree has half as many levels.
const DEPTH_MAX: usize = 32;

/// The file that is looked at.
pub(crate) struct Scene<'f> {
    files: &'f dyn Files,
    name: &'f str,
    length: u64,
    engine: Engine,
    /// Bytes of listed blocks whose checksums may still be compared.
    glances: Cell<u64>,
}

impl<'f> Scene<'f> {
    fn new(files: &'f dyn Files, name: &'f str, engine: Engine) -> Result<Self> {
        let length = files.length(name).ok_or_else(|| missing(name))?;
        Ok(Self { files, name, length, engine, glances: Cell::new(GLANCE_BYTES_MAX) })
    }

    /// Bytes of the file.
    fn read(&self, offset: u64, bytes: u64) -> Result<Vec<u8>> {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        self.files.read(self.name, offset, bytes)
    }

    /// The file itself, and its parts.
    fn root(&self) -> (sink::Draft, Inner) {
        let (kind, value, inner) = match self.files.kind(self.name) {
            FileName::Table(_) => table::root(self),
            FileName::Manifest(_) => frames::manifest(self),
            FileName::Log { number, .. } => frames::log(self, number),
            FileName::Blob(_) => blob::root(self),
            name => lines::root(self, &name),
        };
        (named(self.name, kind).value(value), inner)
    }

    /// The part at `path` with its inner parts, and the parts on the way to it.
    fn walk(&self, path: &[usize]) -> Result<Way> {
        if path.len() > DEPTH_MAX {
            return Err(Error::new(ErrorKind::Invalid, "the path is too long"));
        }
        let (draft, inner) = self.root();
        let mut sink = Sink::new(self.name, Space::File, (0, self.length), Want::One(0));
        let mut inner = Some(inner);
        let mut trail = vec![sink.whole(draft)];
        for place in path {
            let Some(part) = trail.last() else { break };
            let Some(content) = inner.take() else { return Err(no_part(part, *place)) };
            sink = sink.below(part, Want::One(*place));
            content.write(self, &mut sink)?;
            let Some(found) = sink.parts.pop() else { return Err(no_part(part, *place)) };
            if let Some(part) = trail.last_mut() {
                sink.describe(part);
            }
            inner = sink.inner.take();
            trail.push(found);
        }
        Ok(Way { trail, inner, sink })
    }
}

/// The way to a part.
struct Way {
    /// From the file to the part.
    trail: Vec<Part>,
    /// Its inner parts.
    inner: Option<Inner>,
    /// Took the part: its space is that of the part.
    sink: Sink,
}

fn no_part(of: &Part, place: usize) -> Error {
    let number = place.saturating_add(1);
    Error::new(ErrorKind::Invalid, format!("\"{}\" has no part {number}", of.name))
}

/// Opens the part at `path` of file `name`: up to `limit` of its parts, from place `from` on.
///
/// # Errors
/// `Missing` when the file is not there, `Invalid` when there is no such part, those of the host that reads the file.
/// Damage is no error but a part.
pub fn open(
    files: &dyn Files,
    engine: Engine,
    name: &str,
    path: &[usize],
    (from, limit): (usize, usize),
) -> Result<OpenedPart> {
    let scene = Scene::new(files, name, engine)?;
    let Way { mut trail, inner, sink } = scene.walk(path)?;
    let mut opened = OpenedPart {
        file: name.to_owned(),
        length: scene.length,
        trail: Vec::new(),
        parts: Vec::new(),
        from,
        count: Some(0),
        next: None,
    };
    if let (Some(inner), Some(part)) = (inner, trail.last_mut()) {
        let want = Want::Some { from, limit: limit.clamp(1, PARTS_MAX) };
        let mut inside = sink.below(part, want);
        inner.write(&scene, &mut inside)?;
        inside.describe(part);
        let place = from.saturating_add(inside.parts.len());
        opened.count = inside.count();
        opened.next = (inside.cut || place.saturating_add(1) < inside.number()).then_some(place);
        opened.parts = inside.parts;
    }
    opened.trail = trail;
    Ok(opened)
}

/// Up to `limit` bytes from `offset` on, of the space in which the offset of the part at `path` counts: of the file, or of
/// the decoded content that the part is in.
///
/// # Errors
/// `Missing` when the file is not there, `Invalid` when there is no such part, those of the host that reads the file.
pub fn raw(
    files: &dyn Files,
    engine: Engine,
    name: &str,
    path: &[usize],
    (offset, limit): (u64, usize),
) -> Result<Raw> {
    let scene = Scene::new(files, name, engine)?;
    let limit = limit.min(RAW_BYTES_MAX);
    let way = scene.walk(path)?;
    let (bytes, length, decoded) = match way.sink.space() {
        Space::File => {
            let left = scene.length.saturating_sub(offset).min(limit as u64);
            (scene.read(offset.min(scene.length), left)?, scene.length, false)
        }
        Space::Decoded { bytes, .. } => {
            let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
            let end = start.saturating_add(limit).min(bytes.len());
            (bytes.get(start..end).unwrap_or_default().to_vec(), bytes.len() as u64, true)
        }
    };
    Ok(Raw { file: name.to_owned(), offset, hex: hex(&bytes), length, decoded })
}
