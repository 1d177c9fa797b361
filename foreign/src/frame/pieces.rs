//! All bytes of a log, stretch by stretch: frames, sound or not, and what lies between them.

use super::LogKind;
use super::header::{self, BLOCK_BYTES, Header, Parsed};
use super::window::Window;
use crate::{Files, Result};

/// One stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Where it begins.
    pub offset: u64,
    /// Its length.
    pub bytes: u64,
    /// What it is.
    pub what: What,
}

/// What a stretch is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A frame whose checksum is right.
    Frame(Header),
    /// A sound frame that an older log left in the file.
    Older(Header),
    /// A frame that ends after the file, or whose checksum is wrong.
    Broken(Header),
    /// Zeros up to the end of the block or of the file.
    Zeros,
    /// Fewer bytes at the end of a block than a header has.
    Padding,
    /// Anything else, up to the end of the block.
    Unreadable,
}

/// A walk over the stretches of a file.
pub struct Pieces<'f> {
    window: Window<'f>,
    kind: LogKind,
    at: u64,
    end: u64,
}

impl<'f> Pieces<'f> {
    /// Over the bytes `[start, end)` of file `name`; a stretch begins at `start`.
    ///
    /// # Errors
    /// `Missing` when the file is not there.
    pub fn new(
        files: &'f dyn Files,
        name: &str,
        kind: LogKind,
        start: u64,
        end: u64,
    ) -> Result<Self> {
        let window = Window::open(files, name)?;
        let end = end.min(window.length());
        Ok(Self { window, kind, at: start, end })
    }

    /// The next stretch; `None` at the end.
    ///
    /// # Errors
    /// Those of the host that reads the file.
    pub fn next_piece(&mut self) -> Result<Option<Piece>> {
        let at = self.at;
        if at >= self.end {
            return Ok(None);
        }
        let kind = self.kind;
        let left_in_block = BLOCK_BYTES - at % BLOCK_BYTES;
        let bytes = self.window.block_from(at)?;
        let rest = bytes.len() as u64;
        if rest == 0 {
            // The file has become shorter.
            return Ok(None);
        }
        let (what, bytes) = match header::parse(kind, bytes) {
            Parsed::Zeros => {
                let zeros = bytes.iter().all(|byte| *byte == 0);
                (if zeros { What::Zeros } else { What::Unreadable }, rest)
            }
            Parsed::Short if rest == left_in_block => (What::Padding, rest),
            Parsed::Short => (What::Unreadable, rest),
            Parsed::Header(header) => {
                let size = (header.bytes + header.length) as u64;
                let is_sound = size <= rest && header::checksum_is_right(&header, bytes);
                match (is_sound, is_of(kind, &header)) {
                    (true, true) => (What::Frame(header), size),
                    (true, false) => (What::Older(header), size),
                    (false, _) if header.piece == header::Piece::Unknown => {
                        (What::Unreadable, rest)
                    }
                    (false, _) => (What::Broken(header), size.min(rest)),
                }
            }
        };
        self.at = at + bytes;
        Ok(Some(Piece { offset: at, bytes, what }))
    }
}

/// Whether a frame was written for this log.
fn is_of(kind: LogKind, header: &Header) -> bool {
    match (kind, header.log) {
        (LogKind::Log { number, .. }, Some(log)) => u64::from(log) == number & 0xffff_ffff,
        _ => true,
    }
}
