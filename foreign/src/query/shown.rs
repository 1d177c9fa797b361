//! Keys and values as answers show them.

use super::answer::{RowLine, ShownKey};
use crate::read::{Row, RowValue};
use crate::text::escaped;
use crate::text::hex;
use crate::{Error, ErrorKind, Result};

/// Bytes of a key or value that an answer holds.
const SHOWN_BYTES_MAX: usize = 1024;

/// A key or value for an answer.
pub fn shown(bytes: &[u8]) -> ShownKey {
    let head = bytes.get(..SHOWN_BYTES_MAX).unwrap_or(bytes);
    ShownKey { hex: hex(head), text: escaped(head), left_out: bytes.len() - head.len() }
}

/// A live entry for an answer.
pub(super) fn row_line(row: &Row, found_in: String) -> RowLine {
    let empty = || shown(b"");
    let (kind, value, parts) = match &row.value {
        RowValue::Bytes(value) => ("value", shown(value), Vec::new()),
        RowValue::Columns(columns) => {
            let default = columns.iter().find(|(name, _)| name.is_empty());
            let value = default.map_or_else(empty, |(_, value)| shown(value));
            let parts = columns.iter().map(|(name, value)| (shown(name), shown(value)));
            ("columns", value, parts.collect())
        }
        RowValue::Merge { base, operands } => {
            let value = base.as_ref().map_or_else(empty, |base| shown(base));
            let parts = operands.iter().map(|operand| (empty(), shown(operand)));
            ("merge", value, parts.collect())
        }
    };
    RowLine {
        key: shown(&row.key),
        value,
        kind,
        parts,
        sequence: row.sequence,
        timestamp: row.timestamp,
        found_in,
    }
}

/// The bytes that hexadecimal `digits` stand for.
///
/// # Errors
/// `Invalid` when they are none, or an odd number.
pub fn bytes_of(digits: &str) -> Result<Vec<u8>> {
    let wrong = || Error::new(ErrorKind::Invalid, "a key is an even number of hexadecimal digits");
    let nibble = |digit: u8| char::from(digit).to_digit(16).ok_or_else(wrong);
    let pair = |pair: &[u8]| match pair {
        [high, low] => {
            let byte = nibble(*high)? * 16 + nibble(*low)?;
            u8::try_from(byte).map_err(|_| wrong())
        }
        _ => Err(wrong()),
    };
    digits.as_bytes().chunks(2).map(pair).collect()
}
