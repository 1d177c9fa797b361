//! Building blocks for the other crates of this workspace, which read and write files byte by byte. They are no part of
//! the library: any of them may change with any version.

/// Numbers and checksums as bytes.
pub mod coding {
    pub use crate::coding::{
        Reader, crc32, is_zero, put_length_prefixed, put_varint, shared_prefix,
    };
}

/// Internal keys.
pub mod key {
    pub use crate::key::{
        Cut, KIND_SEEK, SplitKey, TRAILER_BYTES, ValueKind, append_internal_key, compare_internal,
        pack_trailer, parse_internal_key, user_key,
    };
}

/// The contents of a log record.
pub mod batch {
    pub use crate::batch::{BatchEntries, decode};
}

/// Bloom filters.
pub mod filter {
    pub use crate::filter::hash;
}

/// Who listens to a search.
pub mod probe {
    pub use crate::probe::{
        Among, EntryOrder, EntryStop, FilterAnswer, FilterBit, NoProbe, Probe, Search, Turn,
    };
}

/// The named fields of a part of a file.
pub mod fields {
    pub use crate::inspect::fields::{Fields, little_endian};
}

/// Tables and their blocks.
pub mod table {
    pub use crate::table::{
        BLOCK_TRAILER_BYTES, Block, BlockBuilder, BlockIter, Damage, FILTER_NAME, FOOTER_BYTES,
        Footer, Handle, Index, MAGIC, PROPERTIES_NAME, Properties, RANGES_NAME, RangeTombstone,
        corrupt, decode_ranges, decompress, find_block, read_block, read_data_block, read_filter,
        read_footer, read_index, read_metas, read_properties,
    };
}

/// The edits of a manifest, and the pointer to it.
pub mod manifest {
    pub use crate::manifest::current::{SLOT_BYTES, Slot, decode as slot};
    pub use crate::manifest::{RangesMeta, TableMeta, VersionEdit};
}

/// Logs and their records.
pub mod wal {
    pub use crate::wal::file::Log;
    pub use crate::wal::record::{BadRecord, Flaw, RECORD_HEADER_BYTES, Record, RecordKind};
    pub use crate::wal::tail::{damage, is_unused, is_unwritten, next_header, used, used_end};
}

/// Whose a directory is.
pub mod survey {
    pub use crate::survey::{LEVEL_MAGIC, Program, Sample, Survey, program_of};
}

/// One sorting routine for all lists.
pub mod sorting {
    pub use crate::sorting::{map, set, sort, sort_by, sort_by_key};
}

pub use crate::few::Few;
