//! Records in the frames of logs and manifests, whole or in pieces.

use super::fields::{Fields, fields};
use super::frames::Scheme;
use super::sink::{Draft, Inner, Sink, named, parts};
use super::view::View;
use super::{Scene, batch, edit};
use crate::Result;
use crate::frame::header::Piece;
use crate::frame::{End, LogKind, Records};
use crate::text::{bytes, number};

/// The payload of the frame at `at`.
pub(super) fn payload(
    scheme: Scheme,
    piece: Piece,
    at: u64,
    payload: View,
    sink: &mut Sink,
) -> Result<()> {
    let length = payload.len() as u64;
    match piece {
        Piece::Full if scheme.compression == 0 => {
            let draft = record_draft(scheme.kind, payload.bytes());
            sink.open(length, || draft, || record_inner(scheme.kind, payload))
        }
        Piece::Full | Piece::First => {
            let (name, kind) = match piece {
                Piece::Full => ("compressed record", "compressed"),
                _ => ("payload", "bytes"),
            };
            let draft = || named(name, kind);
            sink.open(length, draft, || parts(move |scene, sink| joined(scene, scheme, at, sink)))
        }
        Piece::Middle | Piece::Last => sink.leaf(length, || {
            named("payload", "bytes").value("goes on with the record of the fragments before it")
        }),
        Piece::Compression | Piece::Timestamps | Piece::Predecessor => {
            let draft = || named("payload", "field");
            sink.open(length, draft, || fields(&payload, move |fields| facts(piece, fields)))
        }
        Piece::Skipped | Piece::Unknown => sink.leaf(length, || named("payload", "bytes")),
    }
}

/// The content of a frame without data.
fn facts(piece: Piece, fields: &mut Fields<'_, '_>) -> Result<()> {
    match piece {
        Piece::Compression => {
            fields.field(crate::bytes::Cursor::u32, |number| {
                let word = match number {
                    0 => "none",
                    7 => "zstd",
                    _ => "not read",
                };
                named("compression", "kind").value(format!("{word} ({number})"))
            })?;
        }
        Piece::Timestamps => {
            while fields.left() > 0 {
                fields.u32("family", "number")?;
                fields.u16("bytes of its timestamps", "length")?;
            }
        }
        _ => {
            fields.u64("log number", "number")?;
            fields.u64("bytes of that log", "length")?;
            fields.u64("last sequence number in it", "sequence")?;
        }
    }
    Ok(())
}

/// The record whose first frame is at `at`, joined and unpacked.
fn joined(scene: &Scene<'_>, scheme: Scheme, at: u64, sink: &mut Sink) -> Result<()> {
    let records = Records::open_at(scene.files, scene.name, scheme.kind, at)?;
    let mut records = records.with_facts(scheme.compression, scheme.recyclable);
    let Some(record) = records.read()? else {
        return match records.end() {
            Some(End::Damaged(error)) => Err(error.clone()),
            _ => sink.leaf(sink.end() - sink.position(), || {
                named("payload", "bytes").value("the record is not finished: its write was cut off")
            }),
        };
    };
    let (length, frames) = (record.data.len() as u64, record.parts.len());
    let name = if scheme.compression == 0 { "joined record" } else { "decompressed record" };
    let (view, space) = View::decoded(record.data, at);
    sink.enter(space, length);
    let record = record_draft(scheme.kind, view.bytes());
    let draft = || named(name, "content").value(joined_words(length, frames));
    sink.open(length, draft, || {
        parts(move |_, sink| sink.open(length, || record, || record_inner(scheme.kind, view)))
    })
}

fn joined_words(length: u64, frames: usize) -> String {
    let size = bytes(length);
    if frames > 1 { format!("{size} from {} fragments", number(frames as u64)) } else { size }
}

/// `draft` with the record in words, and with its first key; a compressed one adds nothing.
pub(super) fn described(scheme: Scheme, record: &[u8], draft: Draft) -> Draft {
    match scheme.kind {
        _ if scheme.compression != 0 => draft,
        LogKind::Manifest(engine) => match edit::words(engine, record) {
            words if words.is_empty() => draft,
            words => draft.value(words),
        },
        LogKind::Log { engine, .. } => batch::described(engine, record, draft),
    }
}

fn record_draft(kind: LogKind, record: &[u8]) -> Draft {
    match kind {
        LogKind::Manifest(engine) => {
            named("version edit", "edit").value(edit::words(engine, record))
        }
        LogKind::Log { engine, .. } => batch::described(engine, record, named("batch", "batch")),
    }
}

fn record_inner(kind: LogKind, view: View) -> Inner {
    match kind {
        LogKind::Manifest(engine) => parts(move |_, sink| edit::write(engine, &view, sink)),
        LogKind::Log { engine, .. } => parts(move |_, sink| batch::write(engine, &view, sink)),
    }
}
