//! One block of a table or a blob file of Pebble: read by its handle, verified, decompressed.

use crate::table::window::Window;
use crate::table::{self, BlockCursor, Layout, Source, StoredBlock, TRAILER};
use crate::{BlockHandle, Error, Result, compression};

pub(crate) use crate::table::TRAILER_BYTES;

/// The content of a block.
#[derive(Debug)]
pub(crate) struct Block {
    /// Its bytes after decompression.
    pub(crate) bytes: Vec<u8>,
    /// Its handle.
    pub(crate) handle: BlockHandle,
    /// Whether it is stored without compression, so that each byte has an offset in the file.
    plain: bool,
}

impl Block {
    /// Reads the block at `handle`.
    ///
    /// # Errors
    /// `Damaged` when it is not inside of the file, or checksum or compression are wrong; `NotRead` when it is larger
    /// than the limit.
    pub(crate) fn read(source: &Source<'_>, handle: BlockHandle) -> Result<Self> {
        Self::try_read(source, handle).map_err(|error| error.in_file(source.name()))
    }

    fn try_read(source: &Source<'_>, handle: BlockHandle) -> Result<Self> {
        Self::decompress(source, handle, source.read(handle)?)
    }

    /// The block at `handle`, whose bytes `stored` were read and verified.
    pub(crate) fn decompress(
        source: &Source<'_>,
        handle: BlockHandle,
        stored: StoredBlock,
    ) -> Result<Self> {
        let plain = stored.compression == compression::NONE;
        if plain {
            return Ok(Self { bytes: stored.bytes, handle, plain });
        }
        let bytes = source
            .decompress(handle, stored.compression, &stored.bytes, &[])
            .map_err(|error| error.moved(handle.offset))?;
        Ok(Self { bytes: bytes.into_owned(), handle, plain })
    }

    /// A block that was stored without compression at the start of a file.
    #[cfg(test)]
    pub(crate) fn plain(bytes: Vec<u8>) -> Self {
        let handle = BlockHandle { offset: 0, bytes: bytes.len() as u64 };
        Self { bytes, handle, plain: true }
    }

    /// A walk over its rows.
    pub(crate) fn rows(self, layout: Layout) -> Result<BlockCursor> {
        let block = table::Block::new(self.bytes, self.handle, self.plain)?;
        Ok(BlockCursor::new(block, layout))
    }

    /// `error`, whose offset counts from the start of the block, with an offset in the file.
    pub(crate) fn blame(&self, error: Error) -> Error {
        let start = self.handle.offset;
        if error.offset().is_none() {
            error.at(start)
        } else if self.plain {
            error.shifted(start)
        } else {
            error.moved(start)
        }
    }
}

/// Reads blocks that follow one another: each read of the file takes many of them.
pub(crate) struct Reader<'s, 'f> {
    source: &'s Source<'f>,
    window: Window,
    /// Bytes that were read from the file.
    pub(crate) read: u64,
}

impl<'s, 'f> Reader<'s, 'f> {
    /// A reader of the blocks of `source`.
    pub(crate) fn new(source: &'s Source<'f>) -> Self {
        Self { source, window: Window::new(), read: 0 }
    }

    /// Compares the checksum of the block at `handle`.
    ///
    /// # Errors
    /// As [`Block::read`].
    pub(crate) fn verify(&mut self, handle: BlockHandle) -> Result<()> {
        self.stored(handle).map(|_| ()).map_err(|error| error.in_file(self.source.name()))
    }

    /// Reads the block at `handle`.
    ///
    /// # Errors
    /// As [`Block::read`].
    pub(crate) fn block(&mut self, handle: BlockHandle) -> Result<Block> {
        let source = self.source;
        let block = self.stored(handle).and_then(|(bytes, compression)| {
            let bytes = bytes.to_vec();
            Block::decompress(source, handle, StoredBlock { bytes, compression })
        });
        block.map_err(|error| error.in_file(source.name()))
    }

    fn stored(&mut self, handle: BlockHandle) -> Result<(&[u8], u8)> {
        let (bytes, read) = self.window.block(self.source, handle)?;
        self.read += read;
        let compression = self.source.verify(handle, bytes)?;
        let length = bytes.len().saturating_sub(TRAILER);
        Ok((bytes.get(..length).unwrap_or_default(), compression))
    }
}

/// The offset after the block at `handle` and its trailer.
pub(crate) fn end(handle: BlockHandle) -> u64 {
    handle.offset.saturating_add(handle.bytes).saturating_add(TRAILER_BYTES)
}
