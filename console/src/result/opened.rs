//! The results of commands about opened files.

use levelscope_formats::{Holds, Likeness, Trail};
use serde::Serialize;

results! {
    /// One format of other programs, or of the engine.
    FormatState {
        /// The word for it: `leveldb-table`.
        id: String,
        /// Its name in a sentence.
        name: String,
        /// What is special about it.
        purpose: String,
        /// What its files hold.
        holds: Holds,
        /// Words for `--search`, the usual way first; empty without entries.
        searches: Vec<String>,
    }
    /// A format that an opened file may have as well.
    FormatGuess {
        /// The word for it.
        format: String,
        /// How sure that is.
        likeness: Likeness,
    }
    /// A place of a file that is damaged or not read.
    PlaceOfDamage {
        /// Where that begins \[bytes\]; none: the file ends too early, or it concerns the whole file.
        offset: Option<u64>,
        /// Why, as a sentence.
        why: String,
    }
    /// An opened file.
    OpenedState {
        /// What commands call it: `@tiny.sst`.
        id: String,
        /// Its name.
        name: String,
        /// Its length \[bytes\].
        bytes: u64,
        /// Its format; none: no known one.
        format: Option<FormatState>,
        /// How sure that is; none: it was said with `--as`.
        likeness: Option<Likeness>,
        /// What else it may be, the likeliest first.
        others: Vec<FormatGuess>,
        /// The first place that is damaged.
        damage: Option<PlaceOfDamage>,
        /// The first place that is not read, although nothing says that it is damaged.
        unread: Option<PlaceOfDamage>,
        /// Entries that can be read, where it holds any.
        entries: Option<u64>,
        /// What `import` takes to open the database that the file belongs to; none: it belongs to none.
        database: Option<String>,
        /// All this in a sentence.
        what: String,
    }
    /// The files that were opened from one directory.
    DirectoryState {
        /// What commands call it: `@mydb`.
        id: String,
        /// What it is, as a noun.
        what: String,
        /// Number of its opened files.
        files: u64,
        /// Tables among them.
        tables: u64,
        /// Logs among them.
        logs: u64,
        /// Manifests and `CURRENT` files among them.
        metadata: u64,
        /// Files of no known format among them.
        others: u64,
        /// Length of all files \[bytes\].
        bytes: u64,
        /// Entries of the tables that can be read.
        entries: u64,
        /// The damaged files.
        damaged: Vec<String>,
        /// What `import` takes to open it as a database; none: it is none.
        database: Option<String>,
    }
    /// `open`, `opened`.
    OpenResult {
        /// The files, in the order in which they came.
        files: Vec<OpenedState>,
        /// The directories from which some of them came, in the same order.
        directories: Vec<DirectoryState>,
    }
    /// One entry of an opened file.
    FileEntryResult {
        /// The key, or its beginning.
        key: String,
        /// Length of the whole key \[bytes\].
        key_bytes: u64,
        /// The value, or its beginning; none for a tombstone.
        value: Option<String>,
        /// Length of the whole value \[bytes\].
        value_bytes: u64,
        /// Sequence number or time stamp, in formats that have one.
        sequence: Option<u64>,
        /// Where it is stored \[bytes\]: its own first byte, or that of the compressed block around it.
        offset: u64,
    }
    /// `entries`.
    EntriesResult {
        /// The file.
        file: String,
        /// Entries in front of these.
        skipped: u64,
        /// Some entries, in the order of the file.
        entries: Vec<FileEntryResult>,
        /// Damage met on the way.
        damage: Vec<PlaceOfDamage>,
        /// Places on the way that are not read.
        unread: Vec<PlaceOfDamage>,
        /// Whether there are more after these.
        more: bool,
        /// Entries in all that can be read.
        count: u64,
    }
    /// `lookup`.
    LookupResult {
        /// The file.
        file: String,
        /// Its length \[bytes\].
        file_bytes: u64,
        /// The key.
        key: String,
        /// How it was searched: a word for `--search`.
        search: String,
        /// Whether it has a value.
        found: bool,
        /// Whether its newest entry is a tombstone.
        deleted: bool,
        /// How the lookup ended, in words.
        outcome: String,
        /// The value, or its beginning.
        value: Option<String>,
        /// Where the entry is stored \[bytes\].
        offset: Option<u64>,
        /// Its sequence number or time stamp.
        sequence: Option<u64>,
        /// What was read and compared.
        trail: Trail,
    }
}
