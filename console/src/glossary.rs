//! The terms of the field and of this program, each explained in one sentence: for `help TERM`, the page and the docs.

/// One term.
#[derive(Debug, PartialEq, Eq)]
pub struct Term {
    /// As it is written in running text, in the singular.
    pub name: &'static str,
    /// Other words for the same thing.
    pub also: &'static [&'static str],
    /// Its meaning, in one sentence.
    pub meaning: &'static str,
}

/// Terms that belong together.
#[derive(Debug)]
pub struct TermGroup {
    /// Their subject.
    pub title: &'static str,
    /// In the order in which they build on one another.
    pub terms: &'static [Term],
}

const fn term(name: &'static str, also: &'static [&'static str], meaning: &'static str) -> Term {
    Term { name, also, meaning }
}

/// All terms, group by group.
#[rustfmt::skip]
pub const GLOSSARY: &[TermGroup] = &[
    TermGroup { title: "Writes and keys", terms: &[
        term("LSM-tree", &["log-structured merge-tree", "lsm"],
            "An LSM-tree collects writes in memory, writes them out as sorted tables that never change, and merges these tables later."),
        term("entry", &["version of a key", "key version"],
            "An entry is one version of a key: the key, its sequence number, and a value or a tombstone."),
        term("put", &[],
            "A put writes a new version of a key with a value; older versions stay until a flush or a compaction drops them."),
        term("tombstone", &["delete"],
            "A tombstone is the entry that a delete writes; it hides all older versions of its key."),
        term("range tombstone", &["range delete"],
            "A range tombstone is one record that deletes every key of a range; it hides all older versions of these keys."),
        term("sequence number", &["sequence"],
            "A sequence number counts the writes: of two versions of a key, the one with the higher number is newer."),
        term("shadowed", &["shadowed version", "obsolete version"],
            "A version is shadowed when a newer version of the same key exists and no snapshot still needs the older one."),
        term("batch", &["write batch"],
            "A batch is several puts and deletes that take effect together or not at all."),
        term("user key", &[],
            "A user key is the key as the caller wrote it, without sequence number and kind."),
        term("internal key", &[],
            "An internal key is a user key with a sequence number and a kind, ordered so that the newest version of a key comes first."),
    ] },
    TermGroup { title: "Memory and log", terms: &[
        term("memtable", &["active memtable"],
            "The memtable is the sorted buffer in memory that takes every new write."),
        term("immutable memtable", &["immutable"],
            "An immutable memtable is full: it takes no more writes and waits for its flush, while reads still search it."),
        term("rotation", &["rotate"],
            "A rotation makes the full memtable immutable and begins a new memtable with a new log."),
        term("WAL", &["write-ahead log", "log"],
            "The WAL, or write-ahead log, is the file to which each write is appended before it enters the memtable, so that a crash cannot lose it."),
        term("record", &["log record"],
            "A record is one batch in the log, with its length and its checksum."),
        term("sync", &["fsync"],
            "A sync waits until the operating system has stored the written bytes on the disk, so that they survive a power failure."),
        term("durable", &["durability"],
            "Bytes are durable when a sync has stored them on the disk; a power failure may lose all others."),
        term("acknowledged", &["acknowledge"],
            "A write is acknowledged when the engine returns success to its caller."),
        term("group commit", &["leader", "follower"],
            "In a group commit, one writer appends and syncs the records of all writers that wait at the same time."),
        term("torn record", &["torn tail"],
            "A torn record is an incomplete record at the end of a log, left by a crash in the middle of a write."),
        term("recovery", &["replay of a log"],
            "Recovery reads the manifest and replays the logs when a database is opened, which brings back every durable write."),
        term("checksum", &["crc"],
            "A checksum is a number computed from bytes and stored beside them; a reader computes it again to notice damage."),
    ] },
    TermGroup { title: "Tables", terms: &[
        term("table", &["sstable", "sst"],
            "A table, or SSTable, is a file of entries sorted by key that is written once and never changed."),
        term("block", &["data block"],
            "A block is a piece of a table, some kilobytes long, that is read, checked and compressed as a whole."),
        term("restart point", &["restart", "restart interval"],
            "A restart point is a place in a block where a key is stored in full, so that a binary search can begin there."),
        term("prefix compression", &["prefix-compressed key", "delta encoding"],
            "Prefix compression stores a key without the bytes that it shares with the key before it."),
        term("index block", &["index"],
            "The index block of a table names the last key of each data block and where that block is in the file."),
        term("filter", &["bloom filter", "bloom"],
            "A Bloom filter is a bit array that proves that a key is not in a table, or reports that the key may be there."),
        term("false positive", &[],
            "A false positive is a filter that answers \"maybe\" for a key that the table does not have, so that a block is read for nothing."),
        term("prefix filter", &["prefix extractor"],
            "A prefix filter is a Bloom filter of key prefixes, with which a scan of one prefix skips tables that do not have it."),
        term("hash index", &["prefix index", "prefix hash index"],
            "A hash index maps the prefix of a key to the blocks of a table that hold it, without a binary search."),
        term("footer", &[],
            "The footer is the last part of a table; it locates index, filter and properties."),
        term("properties", &["properties block"],
            "The properties of a table count its entries, tombstones and bytes."),
        term("varint", &["variable-length integer"],
            "A varint is a whole number stored in as few bytes as it needs, seven bits in each byte."),
    ] },
    TermGroup { title: "Levels and background work", terms: &[
        term("flush", &[],
            "A flush writes an immutable memtable out as a table in L0."),
        term("level", &["levels"],
            "A level is a group of tables of similar age: L0 has the newest, and each deeper level has older data and more of it."),
        term("L0", &["level 0"],
            "L0 is the level that flushes write to; its tables may overlap, so a read may have to search every one of them."),
        term("run", &["sorted run"],
            "A run is a sequence of tables in key order that do not overlap, so that at most one of them can have a key."),
        term("overlap", &["overlapping"],
            "Two tables overlap when their key ranges share at least one possible key."),
        term("compaction", &["compact"],
            "A compaction merges tables into one sorted run, and drops shadowed versions and tombstones that hide nothing any more."),
        term("merge", &["merging"],
            "A merge reads several sorted inputs at once and always takes the entry with the smallest key, the newest version first."),
        term("trivial move", &[],
            "A trivial move puts a table into the next level without rewriting it, because no table there overlaps with it."),
        term("score", &["level score"],
            "The score of a level is its size divided by its limit; at 1 or more, a compaction of the level is due."),
        term("trigger", &["l0 trigger"],
            "A trigger is the limit that makes background work due, such as the number of tables in L0."),
        term("read-triggered compaction", &["seek compaction"],
            "A read-triggered compaction merges a table with the next level because many reads had to search it and other tables for the same keys."),
        term("leveled", &["leveled compaction"],
            "Leveled compaction keeps one run on each level below L0: few tables to search, but much rewriting."),
        term("tiered", &["tiered compaction", "universal compaction"],
            "Tiered compaction collects several runs on each level before it merges them: little rewriting, but more runs to search."),
        term("lazy leveled", &["lazy leveling"],
            "Lazy leveled compaction is tiered on all levels but the deepest, which has a single run."),
        term("job", &["background job"],
            "A job is one flush or one compaction, done in small steps."),
        term("write stall", &["stall"],
            "In a write stall, writes wait until a flush or a compaction has made room."),
        term("slowdown", &["write slowdown", "delayed writes"],
            "In a slowdown, each write waits a little, so that flushes and compactions can keep up before writes stall."),
        term("compaction debt", &["pending compaction bytes"],
            "The compaction debt is the number of bytes that compactions still have to rewrite until no level is over its limit."),
    ] },
    TermGroup { title: "Reads", terms: &[
        term("lookup", &["point lookup", "get"],
            "A lookup searches memtables, then L0, then each deeper level for one key, and ends at the first version it finds."),
        term("scan", &["range scan", "iterator"],
            "A scan reads a range of keys in order by merging all memtables and tables that have keys in it."),
        term("binary search", &[],
            "A binary search compares with the entry in the middle of the remaining range and halves the range each time."),
        term("block cache", &["cache"],
            "The block cache keeps recently read blocks in memory, so that they are not read from the disk again."),
        term("snapshot", &[],
            "A snapshot is a remembered sequence number: a read through it sees no later write, and compactions keep the versions it needs."),
        term("write amplification", &[],
            "Write amplification is the number of bytes written to the disk, log included, for each byte of keys and values that the caller wrote."),
        term("read amplification", &[],
            "Read amplification is the number of tables that a lookup searches, on average."),
        term("space amplification", &[],
            "Space amplification is the number of bytes in all tables for each byte of live data."),
        term("live data", &["live entry"],
            "The live data is what remains after a full compaction: the newest version of every key that is not deleted."),
    ] },
    TermGroup { title: "Transactions", terms: &[
        term("transaction", &[],
            "A transaction reads from a snapshot, keeps its writes private, and makes all of them visible together when it commits."),
        term("commit", &[],
            "A commit checks a transaction for conflicts and then writes its changes as one batch."),
        term("rollback", &["roll back"],
            "A rollback ends a transaction and discards its writes."),
        term("conflict", &["first committer wins"],
            "A conflict is a write by another transaction that was committed first, to a key on which this transaction depends."),
        term("write skew", &[],
            "Write skew happens when two transactions each read what the other one writes, and both commit."),
        term("serializable", &[],
            "Serializable transactions give the same result as if they had run one after the other."),
    ] },
    TermGroup { title: "Files of a database", terms: &[
        term("manifest", &[],
            "The manifest is the log of version edits, from which an opening learns which tables exist and on which level each one is."),
        term("version", &[],
            "A version is the list of all tables of all levels at one moment."),
        term("version edit", &["edit"],
            "A version edit is a record in the manifest that adds tables to a version and removes others, all at once."),
        term("CURRENT", &["current file"],
            "CURRENT is the small file that names the manifest in use."),
        term("install", &["installed"],
            "To install the output of a job means to make it part of the current version with one version edit."),
        term("obsolete file", &["obsolete table", "obsolete log"],
            "An obsolete file is one that no version, reader or recovery needs any more, so that it can be deleted."),
        term("checkpoint", &["database checkpoint"],
            "A checkpoint is a consistent copy of a database in a new directory, made while the database stays open."),
        term("identity", &[],
            "The identity of a database is 16 random bytes that all of its files carry, so that a file of another database is noticed."),
    ] },
    TermGroup { title: "Time in Levelscope", terms: &[
        term("event", &[],
            "An event is a report of one thing that the engine did or decided, with a sentence that describes it."),
        term("step", &[],
            "A step is one operation of the caller or one phase of background work; steps are numbered from the first one."),
        term("grain", &[],
            "The grain is the size of a step: one operation, one phase of it, or one detail such as a single comparison."),
        term("operation", &[],
            "An operation is one thing that a caller asked for, such as a put, a get or a commit."),
        term("phase", &[],
            "A phase is one part of an operation or of a job, such as a sync or a written block."),
        term("detail", &[],
            "A detail is the smallest event, such as one entry of a merge or one bit of a filter."),
        term("landmark", &[],
            "A landmark is a step worth finding again, such as the end of a compaction, a crash or a bookmark."),
        term("branch", &["fork"],
            "A branch is a history of its own that begins as a copy of another branch at one step."),
        term("breakpoint", &["break"],
            "A breakpoint stops the work when an event of the chosen kind occurs."),
        term("saved state", &[],
            "A saved state in the history makes a later step quick to compute: only the events after it are needed."),
        term("cause", &["chain of causes"],
            "The cause of an event is the earlier event that made it happen."),
    ] },
];

/// All terms, in the order of the glossary.
pub fn terms() -> impl Iterator<Item = &'static Term> {
    GLOSSARY.iter().flat_map(|group| group.terms)
}

/// The term that is called `text`, in any case, in the singular or plural, with spaces or hyphens.
pub fn find(text: &str) -> Option<&'static Term> {
    let wanted = plain(text);
    let is = |term: &&Term| words(term).any(|word| plain(word) == wanted);
    terms().find(is).or_else(|| {
        let singular = wanted.strip_suffix('s')?;
        terms().find(|term| words(term).any(|word| plain(word) == singular))
    })
}

/// A term and its other words.
pub fn words(term: &Term) -> impl Iterator<Item = &'static str> {
    std::iter::once(term.name).chain(term.also.iter().copied())
}

fn plain(text: &str) -> String {
    text.trim().to_lowercase().replace(['-', '_'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_word_means_one_term() {
        let mut seen = BTreeSet::new();
        for word in terms().flat_map(words) {
            assert!(seen.insert(plain(word)), "{word} means two terms");
        }
    }

    #[test]
    fn each_meaning_is_one_sentence_that_uses_the_term() {
        for Term { name, meaning, .. } in terms() {
            assert!(meaning.ends_with('.') && !meaning.contains(". "), "{name}: {meaning}");
            assert!(meaning.len() < 160, "{name}: {} letters", meaning.len());
            assert!(plain(meaning).contains(&plain(name)), "{name}: {meaning}");
        }
    }

    #[test]
    fn terms_are_found_in_other_forms() {
        for text in ["memtable", "Memtables", " MEMTABLE ", "active-memtable"] {
            assert_eq!(find(text).map(|term| term.name), Some("memtable"), "{text}");
        }
        assert_eq!(find("sst").map(|term| term.name), Some("table"));
        assert_eq!(find("sequence numbers").map(|term| term.name), Some("sequence number"));
        assert_eq!(find("l0").map(|term| term.name), Some("L0"));
        assert_eq!(find("s"), None);
        assert_eq!(find(""), None);
    }
}
