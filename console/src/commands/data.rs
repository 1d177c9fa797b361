//! `put`, `get`, `del`, `delete-range`.

use super::transactions::{IN, TransactionChoice, pending};
use crate::commands::Command;
use crate::language::{Args, At, Statement, Verb, What, flag, offer};
use crate::output::{Answer, Failure, OutputLine, Style};
use crate::result::{GetResult, PendingResult, WriteResult};
use crate::session::{Session, Stop, Task, once};
use crate::text;
use levelscope::{Transaction, WriteBatch};

/// Longest part of a value that is printed, or given in a result \[bytes\].
pub(super) const VALUE_SHOWN_MAX: usize = 1024;
pub(super) const VALUE_RESULT_MAX: usize = 64 * 1024;

const GROUP: &str = "read and write";

pub(super) const SYNC: crate::language::Flag =
    flag("--sync", "on|off", "whether it is durable before it is acknowledged (default: wal_sync)");

pub(super) const VERBS: &[Command] = &[
    Verb {
        name: "put",
        group: GROUP,
        usage: "put KEY VALUE [--sync on|off] [--in N|none]",
        purpose: "Writes a value under a key.",
        example: "put apple green",
        flags: &[SYNC, IN],
        ..Verb::CHANGE
    }
    .starts(put)
    .aliases(&["set"])
    .synonyms(&["insert"])
    .offers(&[offer(At::Words(&[]), What::Keys)]),
    Verb {
        name: "get",
        group: GROUP,
        usage: "get KEY [--snapshot N] [--in N|none]",
        purpose: "Reads the newest value of a key, or the one a snapshot or transaction sees.",
        example: "get apple",
        flags: &[flag("--snapshot", "n", "read as of this snapshot"), IN],
        ..Verb::READ
    }
    .starts(get)
    .offers(&[offer(At::Words(&[]), What::Keys)]),
    Verb {
        name: "del",
        group: GROUP,
        usage: "del KEY [--sync on|off] [--in N|none]",
        purpose: "Deletes a key by writing a tombstone over it.",
        example: "del apple",
        flags: &[SYNC, IN],
        ..Verb::CHANGE
    }
    .starts(del)
    .synonyms(&["delete", "remove", "rm"])
    .offers(&[offer(At::Words(&[]), What::Keys)]),
    Verb {
        name: "delete-range",
        group: GROUP,
        usage: "delete-range FROM [TO] [--sync on|off] [--in N|none] | delete-range --prefix PREFIX",
        purpose: "Deletes all keys from FROM up to, but not including, TO with one range tombstone.",
        example: "delete-range a m",
        flags: &[flag("--prefix", "prefix", "the keys that begin so, instead"), SYNC, IN],
        ..Verb::CHANGE
    }
    .starts(delete_range)
    .synonyms(&["delrange", "deleterange", "range-delete"])
    .offers(&[offer(At::Words(&[]), What::Keys), offer(At::Words(&["*"]), What::Keys)]),
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

/// One write of a command.
pub(super) enum Write {
    Put(Vec<u8>, Vec<u8>),
    Delete(Vec<u8>),
    /// From the first key up to the second one, or to the end of all keys.
    DeleteRange(Vec<u8>, Option<Vec<u8>>),
    DeletePrefix(Vec<u8>),
}

/// The task that does `writes` at once: in a transaction, or as a batch, whose sequence number it prints.
pub(super) fn write(
    args: &Args,
    writes: Vec<Write>,
    what: String,
) -> Result<Box<dyn Task>, Failure> {
    let (target, sync) = (TransactionChoice::of(args)?, sync_flag(args)?);
    let verb = args.verb;
    let batch = batch_of(&writes)?;
    Ok(once(move |session| {
        let Some(number) = target.number(session)? else {
            return write_at_once(session, &batch, sync, &what);
        };
        if sync.is_some() {
            let failure = verb.misused("in a transaction, --sync is for commit");
            return Err(Stop::Failed(failure));
        }
        let transaction = session.transaction_mut(number)?;
        for write in &writes {
            add(transaction, write)?;
        }
        let result = PendingResult { transaction: number, writes: transaction.len() as u64 };
        let line = pending(ok(&what), transaction);
        session.print(line);
        Ok(Answer::other(result))
    }))
}

fn write_at_once(
    session: &mut Session,
    batch: &WriteBatch,
    sync: Option<bool>,
    what: &str,
) -> Result<Answer, Stop> {
    let sequence = session.db()?.write(batch, sync)?;
    session.print(ok(what).dim("sequence ").number(text::count(sequence)));
    Ok(Answer::other(WriteResult { sequence, count: u64::from(batch.len()) }))
}

fn ok(what: &str) -> OutputLine {
    OutputLine::new().with(Style::Good, "ok").plain("  ").plain(what)
}

/// Also refuses keys and values that are too long, before anything is run.
fn batch_of(writes: &[Write]) -> Result<WriteBatch, Failure> {
    let mut batch = WriteBatch::new();
    for write in writes {
        match write {
            Write::Put(key, value) => batch.put(key, value)?,
            Write::Delete(key) => batch.delete(key)?,
            Write::DeleteRange(from, Some(to)) => batch.delete_range(from, to)?,
            Write::DeleteRange(from, None) => batch.delete_from(from)?,
            Write::DeletePrefix(prefix) => batch.delete_prefix(prefix)?,
        }
    }
    Ok(batch)
}

fn add(transaction: &mut Transaction, write: &Write) -> levelscope::Result<()> {
    match write {
        Write::Put(key, value) => transaction.put(key, value),
        Write::Delete(key) => transaction.delete(key),
        Write::DeleteRange(from, Some(to)) => transaction.delete_range(from..to),
        Write::DeleteRange(from, None) => transaction.delete_range(from..),
        Write::DeletePrefix(prefix) => transaction.delete_prefix(prefix),
    }
}

fn put(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(2, 2, "a key and a value")?;
    write(args, vec![Write::Put(args.bytes(0), args.bytes(1))], String::new())
}

fn del(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 1, "a key")?;
    write(args, vec![Write::Delete(args.bytes(0))], "tombstone written  ".into())
}

fn delete_range(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    let writes = if let Some(prefix) = args.value("--prefix") {
        args.expect(0, 0, "no keys beside --prefix")?;
        vec![Write::DeletePrefix(prefix.bytes.clone())]
    } else {
        args.expect(1, 2, "the first key, and the one before which the range ends")?;
        vec![range(args.verb, args.bytes(0), args.words.get(1).map(|word| word.bytes.clone()))?]
    };
    write(args, writes, "range tombstone written  ".into())
}

/// The deletion of a range that has keys.
pub(super) fn range(verb: &Verb, from: Vec<u8>, to: Option<Vec<u8>>) -> Result<Write, Failure> {
    if to.as_ref().is_some_and(|to| *to <= from) {
        let what = "the range has no keys: it has to end at a key after its first one";
        return Err(verb.misused(what));
    }
    Ok(Write::DeleteRange(from, to))
}

fn get(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 1, "a key")?;
    let key = args.bytes(0);
    let (snapshot, target) = (args.number("--snapshot")?, reads_from(args)?);
    Ok(once(move |session| {
        let db = session.db()?;
        let (value, outcome) = match (snapshot, target.number(session)?) {
            (Some(number), _) => db.lookup(&key, Some(session.snapshot(number)?))?,
            (None, Some(number)) => session.transaction(number)?.lookup(&key)?,
            (None, None) => db.lookup(&key, None)?,
        };
        session.print(match &value {
            Some(value) => OutputLine::new().value(value, VALUE_SHOWN_MAX),
            None => OutputLine::new().key(&key).dim(format!(": {outcome}")),
        });
        Ok(Answer::other(GetResult {
            key: text::escape(&key),
            found: outcome.is_found(),
            deleted: outcome.is_deleted(),
            outcome: outcome.to_string(),
            value_bytes: value.as_ref().map_or(0, |value| value.len() as u64),
            value: value.as_deref().map(shown_value),
        }))
    }))
}

/// The source of a read: a named snapshot is read outside of any transaction.
pub(super) fn reads_from(args: &Args) -> Result<TransactionChoice, Failure> {
    if !args.has("--snapshot") {
        return TransactionChoice::of(args);
    }
    if args.has(IN.name) {
        return Err(args.verb.misused("a transaction reads at its own snapshot, not at another"));
    }
    Ok(TransactionChoice::Outside)
}

/// A value as results carry it: escaped, and cut to what a page can bear.
pub(super) fn shown_value(value: &[u8]) -> String {
    text::escape(value.get(..VALUE_RESULT_MAX).unwrap_or(value))
}
