//! `put`, `get`, `del`.

use crate::args::{Args, flag};
use crate::lexer::Statement;
use crate::output::{Failure, OutputLine};
use crate::result::{GetResult, WriteResult};
use crate::task::{Task, once, structured};
use crate::text;
use crate::verbs::Verb;
use levelscope::WriteBatch;

/// Longest part of a value that is printed, or given in a result \[bytes\].
pub(super) const VALUE_SHOWN_MAX: usize = 1024;
pub(super) const VALUE_RESULT_MAX: usize = 64 * 1024;

const GROUP: &str = "read and write";

const SYNC: crate::args::Flag =
    flag("--sync", "on|off", "durable before it is acknowledged, or not; else the option decides");

pub(super) const VERBS: &[Verb] = &[
    Verb {
        name: "put",
        group: GROUP,
        usage: "put KEY VALUE [--sync on|off]",
        purpose: "Writes a value under a key.",
        example: "put apple green",
        flags: &[SYNC],
        start: put,
    },
    Verb {
        name: "get",
        group: GROUP,
        usage: "get KEY [--snapshot N]",
        purpose: "Reads the newest value of a key, or the one a snapshot sees.",
        example: "get apple",
        flags: &[flag("--snapshot", "n", "read as of this snapshot")],
        start: get,
    },
    Verb {
        name: "del",
        group: GROUP,
        usage: "del KEY [--sync on|off]",
        purpose: "Deletes a key by writing a tombstone over it.",
        example: "del apple",
        flags: &[SYNC],
        start: del,
    },
];

/// The value of `--sync`.
pub(super) fn sync_flag(args: &Args) -> Result<Option<bool>, Failure> {
    match args.value("--sync").map(|word| word.bytes.as_slice()) {
        None => Ok(None),
        Some(b"on") => Ok(Some(true)),
        Some(b"off") => Ok(Some(false)),
        Some(_) => Err(args.verb.misused("--sync takes on or off")),
    }
}

/// The task that writes `batch` and tells its sequence number.
pub(super) fn write(batch: WriteBatch, sync: Option<bool>, what: String) -> Box<dyn Task> {
    once(move |session| {
        let sequence = session.db()?.write(&batch, sync)?;
        let line = OutputLine::new().with(crate::output::Style::Good, "ok").plain("  ");
        let line = line.plain(what.clone()).dim("sequence ").number(text::count(sequence));
        session.say(line);
        Ok(structured(WriteResult { sequence, count: u64::from(batch.len()) }))
    })
}

fn put(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(2, 2, "a key and a value")?;
    let mut batch = WriteBatch::new();
    batch.put(&args.bytes(0), &args.bytes(1))?;
    Ok(write(batch, sync_flag(args)?, String::new()))
}

fn del(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 1, "a key")?;
    let mut batch = WriteBatch::new();
    batch.delete(&args.bytes(0))?;
    Ok(write(batch, sync_flag(args)?, "tombstone written  ".into()))
}

fn get(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 1, "a key")?;
    let key = args.bytes(0);
    let snapshot = args.number("--snapshot")?;
    Ok(once(move |session| {
        let db = session.db()?;
        let value = match snapshot {
            Some(number) => db.get_at(&key, session.snapshot(number)?)?,
            None => db.get(&key)?,
        };
        session.say(match &value {
            Some(value) => OutputLine::new().value(value, VALUE_SHOWN_MAX),
            None => OutputLine::new().dim("not found: ").key(&key),
        });
        Ok(structured(GetResult {
            key: text::escape(&key),
            found: value.is_some(),
            value_bytes: value.as_ref().map_or(0, |value| value.len() as u64),
            value: value.as_deref().map(shown_value),
        }))
    }))
}

/// A value as results carry it: escaped, and cut to what a page can bear.
pub(super) fn shown_value(value: &[u8]) -> String {
    text::escape(value.get(..VALUE_RESULT_MAX).unwrap_or(value))
}
