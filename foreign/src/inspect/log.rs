//! Logs and manifests: records, their frames, and what lies between them.

use super::node::{Content, Fields, Lazy, Node, unpacked};
use super::record;
use crate::bytes::Cursor;
use crate::frame::LogKind;
use crate::frame::compressed::unpack_zstd;
use crate::frame::header::{Header, Piece as Part};
use crate::frame::pieces::{Piece, Pieces, What};
use crate::text;
use crate::{Files, Result};

/// Records of one part, where a file has many.
const GROUP: usize = 1000;
/// A record that is not joined when it has more bytes.
const RECORD_MAX: u64 = 128 << 20;

/// The parts of a whole log; many records are parts of their own.
pub(super) fn all(files: &dyn Files, name: &str, kind: LogKind, length: u64) -> Result<Vec<Node>> {
    let nodes = pieces(files, name, kind, 0, length)?;
    if nodes.len() <= 2 * GROUP {
        return Ok(nodes);
    }
    let group = |(place, chunk): (usize, &[Node])| {
        let (start, end) = (chunk.first()?.offset, chunk.last()?.end());
        let first = place * GROUP + 1;
        let name = format!(
            "pieces {} to {}",
            text::number(first as u64),
            text::number((first + chunk.len() - 1) as u64)
        );
        let node = Node::leaf(name, start, end - start, "");
        Some(node.with(Content::Lazy(Lazy::Pieces(start, end))))
    };
    Ok(nodes.chunks(GROUP).enumerate().filter_map(group).collect())
}

/// The records and other pieces in `[start, end)`.
pub(super) fn pieces(
    files: &dyn Files,
    name: &str,
    kind: LogKind,
    start: u64,
    end: u64,
) -> Result<Vec<Node>> {
    let mut walk = Pieces::new(files, name, kind, start, end)?;
    let mut nodes = Vec::new();
    let mut tail = Tail::default();
    // The beginning of a record that is not whole yet, with what lies between its frames.
    let mut open: Option<(u64, Vec<Piece>)> = None;
    while let Some(piece) = walk.next_piece()? {
        tail.see(&piece);
        let part = match piece.what {
            What::Frame(header) => Some(header.piece),
            _ => None,
        };
        let goes_on = matches!(part, Some(Part::Middle | Part::Last))
            || matches!(piece.what, What::Padding | What::Zeros);
        if let Some((at, held)) = &mut open {
            if goes_on {
                held.push(piece);
                if part == Some(Part::Last) {
                    nodes.push(record_node(*at, piece.offset + piece.bytes));
                    open = None;
                }
                continue;
            }
            let at = *at;
            close(&mut nodes, at, open.take());
        }
        match part {
            Some(Part::Full) => nodes.push(record_node(piece.offset, piece.offset + piece.bytes)),
            Some(Part::First) => open = Some((piece.offset, vec![piece])),
            _ => nodes.push(piece_node(files, name, &piece)?),
        }
    }
    if let Some((at, _)) = open {
        close(&mut nodes, at, open);
    }
    if end >= files.length(name).unwrap_or_default() {
        tail.join(&mut nodes);
    }
    Ok(nodes)
}

/// The end of a log whose frames carry its number. After its last frame comes whatever the file had before it was used
/// again, or a mark of the end: no damage.
#[derive(Default)]
struct Tail {
    has_numbers: bool,
    /// Where the last frame of the log ends.
    at: u64,
    is_broken: bool,
}

impl Tail {
    fn see(&mut self, piece: &Piece) {
        match piece.what {
            What::Frame(header) => {
                self.has_numbers |= header.log.is_some();
                self.at = piece.offset + piece.bytes;
                self.is_broken = false;
            }
            What::Broken(header) | What::Older(header) => {
                self.has_numbers |= header.log.is_some();
                self.is_broken = true;
            }
            What::Unreadable => self.is_broken = true,
            What::Zeros | What::Padding => {}
        }
    }

    /// Makes one part of it.
    fn join(&self, nodes: &mut Vec<Node>) {
        let Some(end) = nodes.last().map(Node::end) else { return };
        if !self.has_numbers || !self.is_broken {
            return;
        }
        nodes.retain(|node| node.offset < self.at);
        let start = nodes.last().map_or(self.at, Node::end).max(self.at);
        let words = "what an older use of the file has left, or the mark of the end";
        nodes.push(Node::leaf("after the last record", start, end - start, words));
    }
}

/// A record whose end is missing: up to the end of its last frame.
fn close(nodes: &mut Vec<Node>, at: u64, open: Option<(u64, Vec<Piece>)>) {
    let held = open.map(|(_, held)| held).unwrap_or_default();
    let is_frame = |piece: &&Piece| matches!(piece.what, What::Frame(_));
    let end = held.iter().rfind(is_frame).map_or(at, |piece| piece.offset + piece.bytes);
    let node = Node::leaf("record without its end", at, end - at, "");
    nodes.push(node.with(Content::Lazy(Lazy::Record(at, end))).damaged());
    for piece in held.iter().filter(|piece| piece.offset >= end) {
        nodes.push(Node::leaf(between(piece.what), piece.offset, piece.bytes, ""));
    }
}

fn between(what: What) -> &'static str {
    match what {
        What::Padding => "end of a block that no header fits into",
        _ => "zeros: space that was not written",
    }
}

fn record_node(start: u64, end: u64) -> Node {
    let node = Node::leaf("record", start, end - start, "");
    node.with(Content::Lazy(Lazy::Record(start, end)))
}

fn piece_node(files: &dyn Files, name: &str, piece: &Piece) -> Result<Node> {
    let Piece { offset, bytes, what } = *piece;
    let node = match what {
        What::Zeros | What::Padding => Node::leaf(between(what), offset, bytes, ""),
        What::Unreadable => Node::leaf("bytes that are no frame", offset, bytes, "").damaged(),
        What::Frame(header) => {
            frame_node(files, name, piece, &header, Vec::new())?.named(part_words(header.piece))
        }
        What::Older(header) => frame_node(files, name, piece, &header, Vec::new())?
            .named("frame of an older log, which used the file before"),
        What::Broken(header) => frame_node(files, name, piece, &header, Vec::new())?
            .named("frame that was cut off or damaged")
            .damaged(),
    };
    Ok(node)
}

impl Node {
    fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }
}

fn part_words(part: Part) -> &'static str {
    match part {
        Part::Full | Part::First | Part::Middle | Part::Last => "frame of a record",
        Part::Compression => "compression of the records that follow",
        Part::Timestamps => "bytes of the timestamps of families",
        Part::Predecessor => "the log before this one",
        Part::Skipped => "frame that readers skip",
        Part::Unknown => "frame of a type that is not known",
    }
}

/// Header and payload of a frame; `inside` are the parts of the payload.
fn frame_node(
    files: &dyn Files,
    name: &str,
    piece: &Piece,
    header: &Header,
    inside: Vec<Node>,
) -> Result<Node> {
    let head = (header.bytes as u64).min(piece.bytes);
    let bytes = files.read(name, piece.offset, usize::try_from(head).unwrap_or_default())?;
    let mut fields = Fields::new(&bytes, piece.offset);
    fields.hex("checksum, masked", 4);
    fields.number("bytes of the payload", 2);
    let number = header.number;
    let words = match header.piece {
        Part::Full => "a whole record",
        Part::First => "the first part of a record",
        Part::Middle => "a part of a record",
        Part::Last => "the last part of a record",
        other => part_words(other),
    };
    fields.take("type", 1, |_| format!("{number}: {words}"));
    if header.log.is_some() {
        fields.number("number of the log, low 32 bits", 4);
    }
    let more = fields.rest().len();
    if more > 0 {
        fields.number("offset up to which the log is synced", more);
    }
    let mut nodes = fields.done();
    let payload_at = piece.offset + head;
    if piece.bytes > head {
        let payload = Node::leaf("payload", payload_at, piece.bytes - head, "");
        nodes.push(payload.with(Content::Parts(inside)));
    }
    let node = Node::leaf("frame", piece.offset, piece.bytes, "");
    Ok(node.with(Content::Parts(nodes)))
}

/// The frames of a record, and what it says.
pub(super) fn record(
    files: &dyn Files,
    name: &str,
    kind: LogKind,
    start: u64,
    end: u64,
) -> Result<Vec<Node>> {
    let mut walk = Pieces::new(files, name, kind, start, end)?;
    let mut found = Vec::new();
    let mut joined = Vec::new();
    while let Some(piece) = walk.next_piece()? {
        if let What::Frame(header) = piece.what
            && end - start <= RECORD_MAX
        {
            let at = piece.offset + header.bytes as u64;
            joined.extend_from_slice(&files.read(name, at, header.length)?);
        }
        found.push(piece);
    }
    let is_packed = compression(files, name, kind)? != 0;
    let is_one = found.len() == 1 && !is_packed;
    let mut nodes = Vec::new();
    for piece in &found {
        let What::Frame(header) = piece.what else {
            nodes.push(Node::leaf(between(piece.what), piece.offset, piece.bytes, ""));
            continue;
        };
        let payload_at = piece.offset + header.bytes as u64;
        let inside = if is_one { record::parts(kind, &joined, payload_at) } else { Vec::new() };
        nodes.push(frame_node(files, name, piece, &header, inside)?);
    }
    if !is_one {
        let whole = if is_packed { unpack_zstd(&joined).unwrap_or_default() } else { joined };
        let parts = record::parts(kind, &whole, 0);
        nodes.push(unpacked("content of the record", end, whole, parts));
    }
    Ok(nodes)
}

/// The number of the compression of the records, which the first frame of a log tells.
fn compression(files: &dyn Files, name: &str, kind: LogKind) -> Result<u32> {
    let mut walk = Pieces::new(files, name, kind, 0, u64::MAX)?;
    let Some(Piece { offset, what: What::Frame(header), .. }) = walk.next_piece()? else {
        return Ok(0);
    };
    if header.piece != Part::Compression {
        return Ok(0);
    }
    let payload = files.read(name, offset + header.bytes as u64, header.length)?;
    Cursor::new(&payload, 0).u32()
}
