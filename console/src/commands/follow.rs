//! `follow KEY`: every version of a key, where each is, and which one a read finds.

use crate::commands::Command;
use crate::language::{Args, At, Statement, Verb, What, offer, switch};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::results;
use crate::session::{Session, Stop, Task, once};
use crate::text;
use levelscope::ValueKind;
use levelscope::storage::FileName;
use levelscope::view::{KeyVersion, KeyVersions, TableWithout, VersionPlace, VersionVerdict};

/// Most versions that are listed; older ones are only counted.
const VERSIONS_MAX: usize = 200;

/// Longest part of a value in a line \[bytes\].
const VALUE_BYTES: usize = 40;

pub(super) const VERBS: &[Command] = &[Verb {
    name: "follow",
    group: "look inside",
    usage: "follow KEY | follow --off",
    purpose: "Shows every version of a key in memory, logs and tables, and which one a read finds; the page marks them.",
    example: "follow apple",
    flags: &[switch("--off", "the page no longer marks the versions of a key")],
    ..Verb::LOOK
}
.starts(follow)
.synonyms(&["trace", "versions"])
.offers(&[offer(At::Words(&[]), What::Keys)])];

results! {
    /// `follow`.
    FollowResult {
        /// The key that is followed; none after `follow --off`.
        key: Option<String>,
        /// Its versions.
        versions: Option<KeyVersions>,
    }
}

fn follow(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    if args.has("--off") {
        args.expect(0, 0, "nothing after --off")?;
        return Ok(once(|session| {
            session.print(OutputLine::note("No key is followed."));
            Ok(Answer::follow(FollowResult { key: None, versions: None }))
        }));
    }
    args.expect(1, 1, "a key")?;
    let key = args.bytes(0);
    Ok(once(move |session| {
        let result = versions(session, &key)?;
        result.versions.iter().for_each(|found| print(session, &key, found));
        Ok(Answer::follow(result))
    }))
}

/// Every version of `key`.
pub(super) fn versions(session: &Session, key: &[u8]) -> Result<FollowResult, Stop> {
    let versions = Some(session.db()?.versions(key, VERSIONS_MAX)?);
    Ok(FollowResult { key: Some(text::escape(key)), versions })
}

fn print(session: &mut Session, key: &[u8], found: &KeyVersions) {
    for version in &found.versions {
        for (index, place) in version.places.iter().enumerate() {
            session.print(match index {
                0 => version_line(version, place),
                _ => place_on(OutputLine::new().pad_to(2), place).dim("  the same version"),
            });
        }
    }
    if found.more > 0 {
        let more = text::counted(found.more, "older version");
        session.print(OutputLine::note(format!("and {more}")));
    }
    session.lines.extend(found.without.iter().map(without_line));
    session.print(closing(key, found));
}

fn version_line(version: &KeyVersion, place: &VersionPlace) -> OutputLine {
    let line = OutputLine::new().plain("#").number(text::count(version.sequence)).pad_to(10);
    let line = match version.entry {
        ValueKind::Put => line.value(&version.value.head, VALUE_BYTES),
        ValueKind::Delete => line.plain("tombstone"),
        ValueKind::RangeDelete => match &version.range {
            Some(range) => line.plain(format!("range tombstone over {range}")),
            None => line.plain("range tombstone"),
        },
    };
    let line = place_on(line.plain("  "), place).plain("  ");
    let line = match version.verdict {
        VersionVerdict::Found {} => line.strong("a read finds this one"),
        VersionVerdict::Deleted {} => line.strong("a read finds this tombstone"),
        VersionVerdict::Shadowed { by } => line.plain(format!("shadowed by #{}", text::count(by))),
        VersionVerdict::Covered { by } => {
            line.plain(format!("under the tombstone #{}", text::count(by)))
        }
        VersionVerdict::Invisible {} => line.plain("not visible yet"),
        VersionVerdict::Logged {} => line.plain("only in an obsolete log record"),
        VersionVerdict::Unreached { table } => {
            line.plain("not reached past table ").plain(table.to_string())
        }
    };
    match version.snapshot {
        Some(at) => line.dim(format!(", read by the snapshot at #{}", text::count(at))),
        None => line,
    }
}

fn place_on(line: OutputLine, place: &VersionPlace) -> OutputLine {
    match *place {
        VersionPlace::Memtable { memtable } => line.memtable(memtable),
        VersionPlace::Log { wal, record, entry, offset, .. } => line
            .link(
                format!("wal:{wal}/record:{record}/entry:{entry}"),
                format!("WAL {wal}, record {record}"),
            )
            .plain(format!(" at {}", text::count(offset))),
        VersionPlace::Ranges { level, table, block, entry, .. } => line.link(
            format!("table:{table}/ranges:{block}/entry:{entry}"),
            format!("L{level} table {table}, range tombstone {entry}"),
        ),
        VersionPlace::Table { level, table, block, entry, .. } => line.link(
            format!("table:{table}/block:{block}/entry:{entry}"),
            format!("L{level} table {table}, block {block}, entry {entry}"),
        ),
    }
}

fn without_line(table: &TableWithout) -> OutputLine {
    let line = OutputLine::new().plain(format!("L{} ", table.level));
    let line = line.file(FileName::Table(table.table));
    if let Some(why) = &table.unread {
        return line.strong(" cannot be read").plain(format!(": {why}"));
    }
    let line = line.plain(" has no version");
    line.dim(match table.maybe {
        Some(false) => ": its filter excludes the key",
        Some(true) => ": a false positive of its filter",
        None => ", and no filter",
    })
}

fn closing(key: &[u8], found: &KeyVersions) -> OutputLine {
    let count = (found.versions.len() as u64).saturating_add(found.more);
    let line = OutputLine::new().key(key).plain(" has ");
    let line = match count {
        0 => line.plain("no version"),
        _ => line.number(text::counted(count, "version")),
    };
    let read = found.versions.iter().find_map(|version| match version.verdict {
        VersionVerdict::Found {} => Some((" #", version.sequence)),
        VersionVerdict::Deleted {} => Some((" the tombstone #", version.sequence)),
        _ => None,
    });
    let line = line.plain("; a read ");
    match read {
        Some((which, sequence)) => {
            line.plain("finds").plain(which).plain(text::count(sequence)).plain(".")
        }
        None if found.without.iter().any(|table| table.unread.is_some()) => line.plain("may fail."),
        None => line.plain("finds nothing."),
    }
}
