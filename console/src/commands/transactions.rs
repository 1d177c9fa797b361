//! `begin`, `commit`, `rollback` and `transactions`; and into which transaction reads and writes go.

use super::data::sync_flag;
use crate::commands::Command;
use crate::language::{Args, At, Flag, Statement, Verb, What, flag, offer, switch};
use crate::output::{Answer, Failure, OutputLine, Style};
use crate::result::{EndResult, TransactionResult};
use crate::session::{Session, Stop, Task, once};
use crate::text;
use levelscope::{Error, Isolation, Transaction, TransactionOptions};

const GROUP: &str = "transactions";

/// Where a read or a write goes when a transaction is open.
pub(super) const IN: Flag =
    flag("--in", "n", "the transaction to use, or none (the current one, if any)")
        .offering(What::Transactions(&["none"]));

pub(super) const VERBS: &[Command] = &[
    Verb {
        name: "begin",
        group: GROUP,
        usage: "begin [--serializable]",
        purpose: "Begins a transaction; put, get, del, delete-range, batch, scan and prefix then use it.",
        example: "begin; put apple red; rollback",
        flags: &[switch("--serializable", "answers for what it reads, too; else for its writes")],
        ..Verb::CHANGE
    }
    .starts(begin)
    .synonyms(&["transaction", "start"]),
    Verb {
        name: "commit",
        group: GROUP,
        usage: "commit [N] [--sync on|off]",
        purpose: "Makes the writes of a transaction visible at once, unless it has a conflict.",
        example: "begin; put apple red; commit",
        flags: &[super::data::SYNC],
        ..Verb::CHANGE
    }
    .starts(commit)
    .offers(&[offer(At::Words(&[]), What::Transactions(&[]))]),
    Verb {
        name: "rollback",
        group: GROUP,
        usage: "rollback [N] | rollback all",
        purpose: "Rolls back a transaction, the current one if none is named.",
        example: "begin; put apple red; rollback",
        ..Verb::CHANGE
    }
    .starts(rollback)
    .synonyms(&["abort", "undo"])
    .offers(&[offer(At::Words(&[]), What::Transactions(&["all"]))]),
    Verb {
        name: "transactions",
        group: GROUP,
        usage: "transactions",
        purpose: "Lists the open transactions, each with its snapshot and its pending writes.",
        example: "transactions",
        ..Verb::LOOK
    }
    .starts(transactions),
];

/// The transaction that a command uses.
#[derive(Debug, Clone, Copy)]
pub(super) enum TransactionChoice {
    /// The current one, if any.
    Current,
    /// None, also when one is current.
    Outside,
    /// The one with this number.
    Number(u64),
}

impl TransactionChoice {
    /// The value of `--in`.
    pub(super) fn of(args: &Args) -> Result<Self, Failure> {
        match args.value(IN.name).map(|word| word.bytes.as_slice()) {
            None => Ok(Self::Current),
            Some(b"none") => Ok(Self::Outside),
            Some(_) => Ok(args.number(IN.name)?.map_or(Self::Current, Self::Number)),
        }
    }

    /// The number of the transaction that is meant, if one is.
    pub(super) fn number(self, session: &Session) -> Result<Option<u64>, Failure> {
        match self {
            Self::Current => Ok(session.current),
            Self::Outside => Ok(None),
            Self::Number(number) => session.transaction(number).map(|_| Some(number)),
        }
    }
}

/// Where a write went, at the end of its line.
pub(super) fn pending(line: OutputLine, transaction: &Transaction) -> OutputLine {
    let line = line.dim("in transaction ").number(transaction.id().to_string());
    line.dim(format!(", {} pending", text::counted(transaction.len() as u64, "write")))
}

/// How a transaction stands.
pub(super) fn result(transaction: &Transaction, current: bool) -> TransactionResult {
    TransactionResult {
        number: transaction.id(),
        sequence: transaction.sequence(),
        serializable: transaction.isolation() == Isolation::Serializable,
        writes: transaction.len() as u64,
        reads: transaction.reads(),
        current,
    }
}

fn begin(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    let serializable = args.has("--serializable");
    let isolation = if serializable { Isolation::Serializable } else { Isolation::Snapshot };
    Ok(once(move |session| {
        let transaction = session.db()?.begin(&TransactionOptions::new(isolation));
        let number = transaction.id();
        let line = OutputLine::text("transaction ").number(number.to_string());
        let line = line.plain(" reads at sequence number ");
        session.print(line.number(text::count(transaction.sequence())));
        if session.transactions.is_empty() {
            session.print(OutputLine::note(
                "put, get, del, delete-range, batch, scan and prefix go into it until commit or rollback; \
                 with --in none they do not.",
            ));
        }
        let result = result(&transaction, true);
        session.transactions.insert(number, transaction);
        session.current = Some(number);
        Ok(Answer::other(result))
    }))
}

/// The transaction that the first word names, or the current one.
fn named(args: &Args) -> Result<TransactionChoice, Failure> {
    Ok(args
        .number_at(0, "the transaction")?
        .map_or(TransactionChoice::Current, TransactionChoice::Number))
}

fn number(session: &Session, target: TransactionChoice) -> Result<u64, Failure> {
    target.number(session)?.ok_or_else(|| {
        let failure = Failure::usage("no transaction is current");
        match session.open_transactions() {
            None => failure.hint("`begin` begins one"),
            Some(open) => failure.hint(format!("name one of those that are open: {open}")),
        }
    })
}

fn commit(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 1, "the number of a transaction")?;
    let (target, sync) = (named(args)?, sync_flag(args)?);
    Ok(once(move |session| {
        let number = number(session, target)?;
        let transaction = session.transaction_mut(number)?;
        let count = transaction.len() as u64;
        let outcome = transaction.commit(sync);
        if transaction.has_ended() {
            session.forget(number);
        }
        let sequence = outcome.map_err(|error| lost(error, number))?;
        let line = OutputLine::new().with(Style::Good, "ok").plain("  transaction ");
        let line = line.number(number.to_string()).plain(" is committed  ");
        session.print(if count == 0 {
            line.dim("it only read")
        } else {
            let line = line.plain(text::counted(count, "write"));
            line.dim("  sequence ").number(text::count(sequence))
        });
        note_others(session);
        Ok(Answer::other(EndResult { number, committed: true, count, sequence: Some(sequence) }))
    }))
}

/// Notes that transactions are open but none is current, so that the next writes belong to none.
fn note_others(session: &mut Session) {
    if let (None, Some(open)) = (session.current, session.open_transactions()) {
        let note = format!("No transaction is current; open are: {open} (--in N uses one).");
        session.print(OutputLine::note(note));
    }
}

/// Adds the transaction's number to a conflict; other errors are unchanged.
fn lost(error: Error, number: u64) -> Stop {
    if error.kind() != levelscope::ErrorKind::Conflict {
        return Stop::Engine(error);
    }
    let failure = Failure::from(error);
    let message = format!("transaction {number} is rolled back: {}", failure.message);
    Stop::Failed(Failure { message, ..failure })
}

fn rollback(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 1, "the number of a transaction, or all")?;
    let all = args.text(0) == Some("all");
    let target = if all { TransactionChoice::Current } else { named(args)? };
    Ok(once(move |session| {
        let numbers: Vec<u64> = if all {
            session.transactions.keys().copied().collect()
        } else {
            vec![number(session, target)?]
        };
        let mut ended = Vec::new();
        for number in numbers {
            let Some(transaction) = session.forget(number) else { continue };
            let count = transaction.len() as u64;
            let line = OutputLine::text("transaction ").number(number.to_string());
            let line = line.plain(" is rolled back  ");
            session.print(line.dim(match count {
                0 => "it had written nothing".to_owned(),
                _ => format!("{} forgotten", text::counted(count, "write")),
            }));
            ended.push(EndResult { number, committed: false, count, sequence: None });
        }
        if ended.is_empty() {
            session.print(OutputLine::note("There are no open transactions."));
        }
        note_others(session);
        Ok(Answer::other(ended))
    }))
}

fn transactions(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(once(|session| {
        let mut results = Vec::new();
        let mut lines = Vec::new();
        for (number, transaction) in session.transactions.iter() {
            let result = result(transaction, session.current == Some(*number));
            lines.push(line(&result));
            results.push(result);
        }
        if lines.is_empty() {
            lines.push(OutputLine::note("There are no open transactions."));
        }
        session.lines.extend(lines);
        Ok(Answer::other(results))
    }))
}

fn line(open: &TransactionResult) -> OutputLine {
    let line = OutputLine::text("transaction ").number(open.number.to_string());
    let line = line.plain(" reads at sequence number ").number(text::count(open.sequence));
    let counted = |count, noun| text::counted(count, noun);
    let line =
        line.dim(format!("  {}, {}", counted(open.writes, "write"), counted(open.reads, "read")));
    let line = if open.serializable { line.dim(", serializable") } else { line };
    if open.current { line.strong("  current") } else { line }
}
