//! Records of logs and manifests, read in order and in ranges of at most 1 MiB.
//!
//! A file is a row of 32-KiB blocks of frames; a record is one frame or several. [`Records`] joins the frames, checks
//! their checksums, and returns how the file ends: [`End`]. Files of Levelscope have no frames and are held whole.

pub mod compressed;
pub mod header;
mod own;
mod record;
mod recovery;
mod window;
mod zeros;

pub use record::Record;

use crate::{Engine, Error, Files, Result};
use header::{BLOCK_BYTES, FrameStart, HEADER_BYTES, Header, Piece};
use own::{Next, OwnLog};
use window::Window;

/// A record with more bytes is not joined.
const RECORD_MAX: usize = 128 << 20;

/// Kind of a file; it decides which types of frames are valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogKind {
    /// A manifest: plain frames only.
    Manifest(Engine),
    /// A write-ahead log.
    Log {
        /// The engine that wrote it: type 9 means two things.
        engine: Engine,
        /// Its number; frames of a recycled file with another one are remains of an older log.
        number: u64,
    },
}

/// End of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// After the last record, perhaps with reserved space.
    Clean,
    /// Inside of a record that was cut off: a crash, or a copy that was taken while the record was written.
    Torn {
        /// Offset of the record.
        offset: u64,
        /// Bytes of it that are there.
        bytes: u64,
    },
    /// Records of an older log follow, because the file was used again. No damage.
    Recycled {
        /// Offset of the first of them.
        offset: u64,
    },
    /// Damage. [`Records::resume`] looks for records after it.
    Damaged(Error),
}

/// The records of a file, in order.
#[expect(clippy::struct_excessive_bools, reason = "each is one fact")]
pub struct Records<'f> {
    window: Window<'f>,
    kind: LogKind,
    position: u64,
    /// Number of the compression of the records: 0 none, 7 zstd.
    compression: u32,
    /// Whether the frames carry the number of the log, so that the file may be used again.
    recyclable: bool,
    end: Option<End>,
    /// After damage, pieces of a record whose beginning was lost are skipped.
    skip_pieces: bool,
    /// Whether the damaged frame is the one at `position`, so that the next sound one must be searched for.
    search: bool,
    /// Start of the row of blocks without frames before the position.
    zeros_from: Option<u64>,
    /// Offset of the last frame before zeros.
    after_zeros: Option<u64>,
    /// Whether the frame that cannot be read claims more bytes than the file has.
    past_end: bool,
    /// A file of Levelscope, which has no frames.
    own: Option<OwnLog>,
}

enum Frame {
    Part(Part),
    End(End),
}

/// A frame with its payload.
struct Part {
    piece: Piece,
    payload: Vec<u8>,
    /// Offset of its header.
    at: u64,
    /// Offset of its payload.
    payload_at: u64,
}

impl<'f> Records<'f> {
    /// At the first record of file `name`.
    ///
    /// # Errors
    /// `Missing` when the file is not there.
    pub fn open(files: &'f dyn Files, name: &str, kind: LogKind) -> Result<Self> {
        Self::open_at(files, name, kind, 0)
    }

    /// At the record whose first frame begins at `offset`.
    ///
    /// # Errors
    /// `Missing` when the file is not there.
    pub fn open_at(files: &'f dyn Files, name: &str, kind: LogKind, offset: u64) -> Result<Self> {
        let window = Window::open(files, name)?;
        let own = match kind {
            LogKind::Manifest(Engine::Levelscope)
            | LogKind::Log { engine: Engine::Levelscope, .. } => {
                Some(OwnLog::open(files, name, kind)?)
            }
            _ => None,
        };
        Ok(Self {
            own,
            window,
            kind,
            position: offset,
            compression: 0,
            recyclable: false,
            end: None,
            skip_pieces: false,
            search: false,
            zeros_from: None,
            after_zeros: None,
            past_end: false,
        })
    }

    /// The next record; `None` at the end, see [`Records::end`].
    ///
    /// # Errors
    /// Those of the host that reads the file. Damage is an [`End`].
    pub fn read(&mut self) -> Result<Option<Record>> {
        if self.end.is_some() {
            return Ok(None);
        }
        if let Some(own) = &mut self.own {
            return Ok(match own.read(&mut self.position) {
                Next::Record(record) => Some(record),
                Next::End(end) => {
                    self.end = Some(named(end, self.window.name()));
                    None
                }
            });
        }
        let mut record: Option<Record> = None;
        loop {
            match self.frame()? {
                Frame::End(end) => {
                    self.end = Some(match (end, record) {
                        (End::Clean | End::Torn { .. }, Some(begun)) => self.torn_at(begun.offset),
                        (End::Recycled { .. }, Some(begun)) => {
                            End::Recycled { offset: begun.offset }
                        }
                        (end, _) => end,
                    });
                    return Ok(None);
                }
                Frame::Part(part) => match self.join(&mut record, part) {
                    Ok(true) => break,
                    Ok(false) => {}
                    Err(error) => {
                        self.end = Some(End::Damaged(self.named(error)));
                        return Ok(None);
                    }
                },
            }
        }
        let Some(mut record) = record else { return Ok(None) };
        record.end = self.position;
        if let Err(error) = self.unpack(&mut record) {
            self.end = Some(End::Damaged(self.named(error)));
            return Ok(None);
        }
        Ok(Some(record))
    }

    /// Lets only the first `bytes` of a log of Levelscope count, as its manifest records it.
    pub(crate) fn cut_to(&mut self, bytes: u64) {
        if let Some(own) = &mut self.own {
            own.cut_to(bytes);
        }
    }

    /// The end of the file, known once [`Records::read`] has returned `None`.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Offset of the next frame.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Adds a frame to the record. Returns whether the record is whole.
    fn join(&mut self, record: &mut Option<Record>, part: Part) -> Result<bool> {
        let Part { piece, payload, at, payload_at } = part;
        match piece {
            Piece::Full | Piece::First => {
                // Old writers left an empty first piece at the end of a block.
                if let Some(begun) = record.take().filter(|begun| !begun.data.is_empty()) {
                    self.position = at;
                    let message = "a record is unfinished when the next one begins";
                    return Err(Error::damaged(begun.offset, message));
                }
                self.skip_pieces = false;
                let parts = vec![(0, payload_at)];
                *record = Some(Record { offset: at, end: 0, data: payload, parts });
                Ok(piece == Piece::Full)
            }
            Piece::Middle | Piece::Last => {
                let Some(begun) = record.as_mut() else {
                    if self.skip_pieces {
                        return Ok(false);
                    }
                    return Err(Error::damaged(at, "a record lacks its beginning"));
                };
                if self.after_zeros == Some(at) {
                    let message = "zeros lie in the place of the middle of a record";
                    return Err(Error::damaged(begun.offset, message));
                }
                if begun.data.len() + payload.len() > RECORD_MAX {
                    return Err(Error::not_read("not read: a record has more than 128 MiB").at(at));
                }
                begun.parts.push((begun.data.len(), payload_at));
                begun.data.extend_from_slice(&payload);
                Ok(piece == Piece::Last)
            }
            Piece::Compression | Piece::Timestamps | Piece::Predecessor => {
                self.learn(piece, &payload, payload_at)?;
                Ok(false)
            }
            Piece::Skipped => Ok(false),
            Piece::Unknown => Err(Error::damaged(at, "the type of a frame is unknown")),
        }
    }

    fn unpack(&self, record: &mut Record) -> Result<()> {
        match self.compression {
            0 => Ok(()),
            7 => {
                let unpacked = compressed::unpack_zstd(&record.data);
                record.data = unpacked.map_err(|error| record.located(&error))?;
                record.parts.clear();
                Ok(())
            }
            other => {
                let message = format!("not read: the records have the compression {other}");
                Err(Error::not_read(message).at(record.offset))
            }
        }
    }

    /// The frame at the position, which moves after it.
    fn frame(&mut self) -> Result<Frame> {
        loop {
            let at = self.position;
            let left_in_file = self.window.length().saturating_sub(at);
            let left_in_block = BLOCK_BYTES - at % BLOCK_BYTES;
            if left_in_file == 0 {
                return Ok(Frame::End(End::Clean));
            }
            if left_in_block < HEADER_BYTES as u64 {
                self.position = (at + left_in_block).min(self.window.length());
                continue;
            }
            let bytes = self.window.block_from(at)?;
            match header::parse(self.kind, bytes) {
                FrameStart::Zeros => {
                    let from = *self.zeros_from.get_or_insert(at);
                    if at - from >= zeros::ZEROS_MAX {
                        return self.after_zeros(at);
                    }
                    if self.ends_in_zeros(at, left_in_block) {
                        return self.zeroed(at);
                    }
                    self.position = (at + left_in_block).min(self.window.length());
                }
                FrameStart::Short if left_in_file < left_in_block => {
                    return self.cut_short(at, left_in_file);
                }
                FrameStart::Short => {
                    return self.unreadable(at, "a frame crosses the end of its block");
                }
                FrameStart::Header(header) => {
                    self.after_zeros = self.zeros_from.take().map(|_| at);
                    return self.framed(header, at, left_in_file);
                }
            }
        }
    }

    fn framed(&mut self, header: Header, at: u64, left_in_file: u64) -> Result<Frame> {
        if self.is_older(&header) {
            return self.older(&header, at);
        }
        if self.recyclable && header.log.is_none() {
            return self.unreadable(at, "a frame without the number of the log");
        }
        let bytes = self.window.block_from(at)?;
        let size = header.bytes + header.length;
        if size > bytes.len() {
            let cut = left_in_file < BLOCK_BYTES - at % BLOCK_BYTES;
            self.past_end = cut;
            let fits = at % BLOCK_BYTES + size as u64 <= BLOCK_BYTES;
            if cut && fits {
                return self.cut_short(at, left_in_file);
            }
            return self.unreadable(at, "a frame is longer than the rest of its block");
        }
        if !header::checksum_is_right(&header, bytes) {
            return self.unreadable(at, "the checksum of a frame is wrong");
        }
        let payload = bytes.get(header.bytes..size).unwrap_or_default().to_vec();
        self.recyclable |= header.log.is_some();
        self.position = at + size as u64;
        let payload_at = at + header.bytes as u64;
        Ok(Frame::Part(Part { piece: header.piece, payload, at, payload_at }))
    }

    /// Handles a frame with another log's number: it is left from an older log, unless it is unsound and frames of this
    /// log follow; then its number is damaged.
    fn older(&mut self, header: &Header, at: u64) -> Result<Frame> {
        let bytes = self.window.block_from(at)?;
        if header::checksum_is_right(header, bytes) || !self.own_frames_follow(at)? {
            return Ok(Frame::End(End::Recycled { offset: at }));
        }
        self.unreadable(at, "a frame has the number of another log and a wrong checksum")
    }

    /// Whether a frame is one of an older log whose file was used again.
    fn is_older(&self, header: &Header) -> bool {
        match (self.kind, header.log) {
            // The header holds the low 32 bits of the number.
            (LogKind::Log { number, .. }, Some(log)) => u64::from(log) != number & 0xffff_ffff,
            _ => false,
        }
    }

    fn torn_at(&self, offset: u64) -> End {
        End::Torn { offset, bytes: self.window.length().saturating_sub(offset) }
    }

    /// Takes the facts about later records from a frame without data.
    fn learn(&mut self, piece: Piece, payload: &[u8], at: u64) -> Result<()> {
        let mut cursor = crate::bytes::Cursor::new(payload, at);
        match piece {
            Piece::Compression => self.compression = cursor.u32()?,
            // The number of a family and the bytes of its timestamps.
            Piece::Timestamps => {
                while !cursor.is_empty() {
                    cursor.take(4)?;
                    cursor.take(2)?;
                }
            }
            // Number, bytes and last sequence number of the log before this one.
            _ => {
                for _ in 0..3 {
                    cursor.u64()?;
                }
            }
        }
        Ok(())
    }

    fn named(&self, error: Error) -> Error {
        error.in_file(self.window.name())
    }
}

/// `end` with the name of the file.
fn named(end: End, name: &str) -> End {
    match end {
        End::Damaged(error) => End::Damaged(error.in_file(name)),
        end => end,
    }
}
