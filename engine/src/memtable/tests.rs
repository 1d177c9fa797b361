//! Tests of memtables.
