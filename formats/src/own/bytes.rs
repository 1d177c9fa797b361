//! Bytes in memory as a file that can only be read.

use levelscope::storage::File;
use levelscope::{Error, Result};

/// The bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

fn only_read<T>() -> Result<T> {
    Err(Error::invalid("this file is only read"))
}

impl File for Bytes<'_> {
    fn append(&self, _: &[u8]) -> Result<()> {
        only_read()
    }

    fn write_at(&self, _: u64, _: &[u8]) -> Result<()> {
        only_read()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.0.get(offset..));
        let rest = rest.unwrap_or_default();
        let count = rest.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(rest) {
            *to = *from;
        }
        Ok(count)
    }

    fn sync(&self) -> Result<()> {
        only_read()
    }

    fn len(&self) -> Result<u64> {
        Ok(self.0.len() as u64)
    }
}
