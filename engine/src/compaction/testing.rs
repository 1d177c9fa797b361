//! Tables for the tests of this module.

use crate::ValueKind;
use crate::key::internal_key;
use crate::manifest::TableMeta;
use crate::storage::FileNumber;

/// A table of ten entries in run 1, from the first to the last of `keys`, all with its number as their sequence number.
pub(super) fn meta(number: FileNumber, bytes: u64, keys: (&str, &str)) -> TableMeta {
    TableMeta {
        number,
        run: 1,
        bytes,
        entries: 10,
        tombstones: 0,
        blocks: 1,
        smallest: internal_key(keys.0.as_bytes(), number, ValueKind::Put),
        largest: internal_key(keys.1.as_bytes(), number, ValueKind::Put),
        ranges: None,
        sequence_min: number,
        sequence_max: number,
    }
}
