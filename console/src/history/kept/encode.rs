//! Parts of a history as bytes.

use super::super::journal::{Entry, Input, Journal};
use super::super::{Damage, Image, Stopped};
use super::{FRAME_BYTES, KeptBranch, MAGIC};
use levelscope::internals::coding::{crc32, put_length_prefixed, put_varint};
use levelscope::storage::Crash;
use levelscope::{OPTION_INFOS, Options};

/// The kinds of records.
pub(super) mod kind {
    pub(in super::super) const IMAGE: u8 = 1;
    pub(in super::super) const JOURNAL: u8 = 2;
    pub(in super::super) const BRANCH: u8 = 3;
    pub(in super::super) const ENTRY: u8 = 4;
    pub(in super::super) const LAST: u8 = 5;
    pub(in super::super) const DAMAGED: u8 = 6;
    pub(in super::super) const ENDED: u8 = 7;
    pub(in super::super) const DROPPED: u8 = 8;
}

/// The kinds of inputs.
pub(super) mod input {
    pub(in super::super) const OPEN: u8 = 0;
    pub(in super::super) const LINE: u8 = 1;
    pub(in super::super) const WORK: u8 = 2;
    pub(in super::super) const CLOSE: u8 = 3;
    pub(in super::super) const COMPLETE: u8 = 4;
    pub(in super::super) const DAMAGE: u8 = 5;
}

/// Appends what stands before all records.
pub(super) fn beginning(out: &mut Vec<u8>, version: &str) {
    out.extend_from_slice(MAGIC);
    text(out, version);
}

/// Appends a record of `kind` with what `fill` appends.
pub(super) fn record(out: &mut Vec<u8>, kind: u8, fill: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend_from_slice(&[0; FRAME_BYTES]);
    out.push(kind);
    fill(out);
    let payload = out.get(start + FRAME_BYTES..).unwrap_or_default();
    let length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    let checksum = crc32(&[payload]);
    if let Some((frame, _)) = out.get_mut(start..).and_then(<[u8]>::split_first_chunk_mut::<8>) {
        *frame = (u64::from(checksum) << 32 | u64::from(length)).to_le_bytes();
    }
}

/// Appends the files that a journal begins with.
pub(super) fn image(out: &mut Vec<u8>, image: &Image) {
    optional(out, image.identity(), |out, identity| out.extend_from_slice(&identity.bytes()));
    let files = image.files();
    number(out, files.len());
    for (name, bytes) in files {
        text(out, name);
        put_length_prefixed(out, bytes);
    }
}

/// Appends a journal whose image and earlier journal have these numbers.
pub(super) fn journal(out: &mut Vec<u8>, journal: &Journal, image: usize, before: Option<usize>) {
    number(out, image);
    put_varint(out, journal.first);
    optional(out, before, number);
    optional(out, journal.rule(), crash);
    optional(out, journal.ended(), text);
    number(out, journal.entries().len());
    journal.entries().iter().for_each(|each| entry(out, each));
}

/// Appends what is known of a branch besides its journal.
pub(super) fn branch(out: &mut Vec<u8>, branch: &KeptBranch) {
    number(out, branch.id);
    text(out, &branch.name);
    optional(out, branch.parent, number);
    optional(out, branch.forked_at, put_varint);
    optional(out, branch.crash.as_ref(), |out, loss| {
        put_varint(out, loss.recovered);
        text(out, &loss.sentence);
    });
    damaged(out, &branch.damaged);
}

pub(super) fn damaged(out: &mut Vec<u8>, all: &[Damage]) {
    number(out, all.len());
    for damage in all {
        text(out, &damage.file);
        put_varint(out, damage.offset);
        out.extend_from_slice(&[damage.mask, damage.value]);
        put_varint(out, damage.step);
    }
}

/// Appends an input, and the last step that it made.
pub(super) fn entry(out: &mut Vec<u8>, entry: &Entry) {
    match &entry.input {
        Input::Open(options) => {
            out.push(input::OPEN);
            settings(out, options);
        }
        Input::Line { text: line, stopped } => {
            out.push(input::LINE);
            text(out, line);
            optional(out, *stopped, |out, Stopped { units, calls }| {
                put_varint(out, units);
                put_varint(out, calls);
            });
        }
        Input::Work { count } => {
            out.push(input::WORK);
            put_varint(out, *count);
        }
        Input::Close => out.push(input::CLOSE),
        Input::Complete { line, cursor } => {
            out.push(input::COMPLETE);
            text(out, line);
            number(out, *cursor);
        }
        Input::Damage { file, offset, mask } => {
            out.push(input::DAMAGE);
            text(out, &file.to_string());
            put_varint(out, *offset);
            out.push(*mask);
        }
    }
    put_varint(out, entry.after);
}

fn settings(out: &mut Vec<u8>, options: &Options) {
    number(out, OPTION_INFOS.len());
    for info in OPTION_INFOS {
        text(out, info.name);
        text(out, &(info.get)(options).to_string());
    }
}

fn crash(out: &mut Vec<u8>, rule: Crash) {
    match rule {
        Crash::KeepAll => out.push(0),
        Crash::KeepSynced => out.push(1),
        Crash::Random(seed) => {
            out.push(2);
            put_varint(out, seed);
        }
    }
}

pub(super) fn text(out: &mut Vec<u8>, text: &str) {
    put_length_prefixed(out, text.as_bytes());
}

pub(super) fn number(out: &mut Vec<u8>, number: usize) {
    put_varint(out, number as u64);
}

fn optional<T>(out: &mut Vec<u8>, value: Option<T>, put: impl FnOnce(&mut Vec<u8>, T)) {
    out.push(u8::from(value.is_some()));
    if let Some(value) = value {
        put(out, value);
    }
}
