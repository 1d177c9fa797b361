//! Logs and manifests: 32-KiB blocks of frames.

use super::fields::{Fields, checksum};
use super::sink::{Draft, Inner, Sink, named, parts};
use super::view::View;
use super::{Scene, records};
use crate::checksum::masked_crc32c;
use crate::frame::header::{self, BLOCK_BYTES, FrameStart, HEADER_BYTES, Header, Piece};
use crate::frame::{End, LogKind, Records};
use crate::text::{bytes, count, number};
use crate::{Error, Result};

/// Scheme of all frames of a file, from the first one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scheme {
    /// Kind of the file; it decides which frames are valid.
    pub(super) kind: LogKind,
    /// Number of the compression of the records.
    pub(super) compression: u32,
    /// Whether frames carry the number of the log.
    pub(super) recyclable: bool,
}

/// A manifest.
pub(super) fn manifest(scene: &Scene<'_>) -> (&'static str, String, Inner) {
    root(scene, "manifest", LogKind::Manifest(scene.engine))
}

/// The log with this number.
pub(super) fn log(scene: &Scene<'_>, number: u64) -> (&'static str, String, Inner) {
    root(scene, "log", LogKind::Log { engine: scene.engine, number })
}

fn root(scene: &Scene<'_>, word: &'static str, kind: LogKind) -> (&'static str, String, Inner) {
    let blocks = scene.length.div_ceil(BLOCK_BYTES);
    let value = format!("a {word} of {}, {}", scene.engine.name(), count(blocks, "block"));
    (word, value, parts(move |scene, sink| write_blocks(scene, kind, sink)))
}

fn write_blocks(scene: &Scene<'_>, kind: LogKind, sink: &mut Sink) -> Result<()> {
    let scheme = Scheme::of(scene, kind)?;
    let blocks = scene.length.div_ceil(BLOCK_BYTES);
    let count = usize::try_from(blocks).unwrap_or(usize::MAX);
    sink.total = Some(count);
    let first = sink.first_of(BLOCK_BYTES, 0).min(count);
    sink.skip_to(first, (first as u64).saturating_mul(BLOCK_BYTES));
    for place in first..count {
        if sink.has_all() {
            sink.stop();
            return Ok(());
        }
        let bytes = BLOCK_BYTES.min(sink.end() - sink.position());
        let draft = || named(format!("block {}", place + 1), "block");
        sink.open(bytes, draft, || parts(move |scene, sink| write_frames(scene, scheme, sink)))?;
    }
    Ok(())
}

impl Scheme {
    fn of(scene: &Scene<'_>, kind: LogKind) -> Result<Self> {
        let start = scene.read(0, scene.length.min(32))?;
        let mut scheme = Self { kind, compression: 0, recyclable: false };
        if let FrameStart::Header(header) = header::parse(kind, &start) {
            scheme.recyclable = header.log.is_some();
            let payload = start.get(header.bytes..).and_then(<[u8]>::first_chunk::<4>);
            if header.piece == Piece::Compression && header::checksum_is_right(&header, &start) {
                scheme.compression = payload.map_or(0, |number| u32::from_le_bytes(*number));
            }
        }
        Ok(scheme)
    }

    fn is_older(&self, header: &Header) -> bool {
        match (self.kind, header.log) {
            (LogKind::Log { number, .. }, Some(log)) => u64::from(log) != number & 0xffff_ffff,
            _ => false,
        }
    }

    /// Whether a frame of the file itself is at the start of `bytes`, with a right checksum.
    fn is_sound(&self, header: &Header, bytes: &[u8]) -> bool {
        let known = header.piece != Piece::Unknown;
        let tagged = header.log.is_some() || !self.recyclable;
        known && tagged && !self.is_older(header) && header::checksum_is_right(header, bytes)
    }
}

/// The frames of one block.
fn write_frames(scene: &Scene<'_>, scheme: Scheme, sink: &mut Sink) -> Result<()> {
    let (start, end) = (sink.position(), sink.end());
    let block = View::of_file(scene.read(start, end - start)?, start);
    let is_whole = end - start == BLOCK_BYTES;
    while sink.position() < end {
        let at = sink.position();
        let view = block.at(at, usize::try_from(end - at).unwrap_or_default())?;
        let left = view.len() as u64;
        if is_whole && view.len() < HEADER_BYTES {
            return sink.leaf(left, || {
                named("padding", "padding").value("no frame begins so close to the end of a block")
            });
        }
        let header = match header::parse(scheme.kind, view.bytes()) {
            FrameStart::Zeros => return reserved(&view, sink),
            FrameStart::Short => None,
            FrameStart::Header(header) => Some(header),
        };
        match header.filter(|header| scheme.is_sound(header, view.bytes())) {
            Some(header) => frame(scheme, &view, header, sink)?,
            None => unreadable(scene, scheme, &view, header, sink)?,
        }
    }
    Ok(())
}

/// The rest of a block that begins with a header of zeros.
fn reserved(view: &View, sink: &mut Sink) -> Result<()> {
    let is_zero = view.bytes().iter().all(|byte| *byte == 0);
    let words = if is_zero { "zeros: reserved, not written" } else { "after the last frame" };
    sink.leaf(view.len() as u64, || named("reserved space", "zeros").value(words))
}

fn frame(scheme: Scheme, view: &View, header: Header, sink: &mut Sink) -> Result<()> {
    let size = header.bytes + header.length;
    let is_right = header::checksum_is_right(&header, view.bytes());
    let whole = view.part(0..size);
    let (at, view) = (whole.offset(), whole.clone());
    let draft = || {
        let problem = (!is_right).then(|| Error::damaged(at, "the checksum of a frame is wrong"));
        piece_draft(scheme, header, &whole).problem(problem)
    };
    sink.open(size as u64, draft, || {
        parts(move |_, sink| {
            let mut fields = Fields::new(&view, sink);
            write_header(&view, header, &mut fields)?;
            let payload = fields.passed(header.length)?;
            records::payload(scheme, header.piece, at, payload, fields.sink())
        })
    })
}

fn piece_draft(scheme: Scheme, header: Header, view: &View) -> Draft {
    let (name, kind) = match header.piece {
        Piece::Full => ("record", "record"),
        Piece::First => ("first fragment of a record", "record"),
        Piece::Middle => ("middle fragment of a record", "record"),
        Piece::Last => ("last fragment of a record", "record"),
        Piece::Compression => ("compression of the records", "header"),
        Piece::Timestamps => ("timestamps of the families", "header"),
        Piece::Predecessor => ("log before this one", "header"),
        Piece::Skipped => ("frame that readers skip", "record"),
        Piece::Unknown => ("frame of an unknown type", "record"),
    };
    let draft = named(name, kind).value(bytes(header.length as u64));
    match header.piece {
        Piece::Full => {
            let record = view.bytes().get(header.bytes..).unwrap_or_default();
            records::described(scheme, record, draft)
        }
        _ => draft,
    }
}

fn write_header(view: &View, header: Header, fields: &mut Fields<'_, '_>) -> Result<()> {
    let covered = view.bytes().get(6..header.bytes + header.length).unwrap_or_default();
    let (right, at) = (masked_crc32c(covered), view.offset());
    fields.field(crate::bytes::Cursor::u32, |stored| {
        checksum("checksum", *stored, Some(right), at)
    })?;
    fields.u16("payload length", "length")?;
    fields.byte("type", "kind", |number| type_words(header, number))?;
    if header.log.is_some() {
        fields.u32("log number", "number")?;
    }
    if header.bytes > HEADER_BYTES + 4 {
        fields.u64("synced up to this offset", "offset")?;
    }
    Ok(())
}

fn type_words(header: Header, type_number: u8) -> String {
    let word = match header.piece {
        Piece::Full => "full",
        Piece::First => "first",
        Piece::Middle => "middle",
        Piece::Last => "last",
        Piece::Compression => "compression",
        Piece::Timestamps => "timestamp sizes",
        Piece::Predecessor => "predecessor",
        Piece::Skipped => "skipped",
        Piece::Unknown => "not known",
    };
    let recyclable = if header.log.is_some() { ", recyclable" } else { "" };
    format!("{word}{recyclable} ({type_number})")
}

/// Bytes at the start of `view` that are no sound frame of this file.
fn unreadable(
    scene: &Scene<'_>,
    scheme: Scheme,
    view: &View,
    header: Option<Header>,
    sink: &mut Sink,
) -> Result<()> {
    let (at, left) = (view.offset(), view.len() as u64);
    let records = Records::open_at(scene.files, scene.name, scheme.kind, at)?;
    let (end, next) = records.verdict(scheme.recyclable)?;
    match end {
        End::Torn { .. } => sink.leaf(left, || {
            let value = format!("{} of a record whose write was not finished", bytes(left));
            named("torn tail", "bytes").value(value)
        }),
        End::Recycled { .. } | End::Clean => sink.leaf(left, || {
            let other = header.filter(|header| scheme.is_older(header)).and_then(|h| h.log);
            // Pebble marks the end of a log with a number that is larger than its own.
            let LogKind::Log { number: own, .. } = scheme.kind else {
                return named("remains of an older log", "bytes");
            };
            let older = other.map(u64::from).filter(|log| *log < own & 0xffff_ffff);
            let of = older.map_or_else(String::new, |log| format!(", as log {}", number(log)));
            named("remains of an older log", "bytes").value(format!(
                "the log ends here; the rest is left from an earlier use of the file{of}"
            ))
        }),
        End::Damaged(error) => {
            let reach = next.clamp(at + 1, at + left) - at;
            let fits = header.filter(|header| {
                let size = (header.bytes + header.length) as u64;
                header.piece != Piece::Unknown && size <= reach
            });
            match fits {
                Some(header) => frame(scheme, view, header, sink),
                None => sink.leaf(reach, || named("damaged frame", "damaged").problem(Some(error))),
            }
        }
    }
}
