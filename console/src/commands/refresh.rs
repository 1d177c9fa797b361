//! `refresh`: a reader moves to the newer state that the owner of the database has written.

use crate::commands::Command;
use crate::language::{Args, Statement, Verb, switch};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::RefreshResult;
use crate::session::{Session, Task, once};
use crate::text;
use levelscope::Lag;

pub(super) const VERBS: &[Command] = &[Verb {
    name: "refresh",
    group: "settings",
    usage: "refresh [--lag]",
    purpose: "Moves a database that was opened for reading to the state that is in its files now.",
    example: "refresh --lag",
    flags: &[switch("--lag", "prints the age of the shown state instead; changes nothing")],
    ..Verb::SESSION
}
.starts(refresh)
.synonyms(&["lag"])];

fn refresh(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing but --lag")?;
    if args.has("--lag") {
        return Ok(once(|session| {
            if !session.db()?.is_read_only() {
                return Ok(print_newest(session));
            }
            let lag = session.db()?.lag()?;
            print_lag(session, &lag);
            Ok(Answer::other(lag))
        }));
    }
    Ok(once(|session| {
        let db = session.db()?.clone();
        if !db.is_read_only() {
            return Ok(print_newest(session));
        }
        let moved = db.refresh()?;
        session.read_at = session.host.clock_nanos();
        let sequence = db.view().last_sequence;
        let number = text::count(sequence);
        session.print(OutputLine::text(if moved {
            format!("The newer state is shown: up to sequence number {number}.")
        } else {
            format!("Nothing is newer: the state up to sequence number {number} is shown.")
        }));
        Ok(Answer::other(RefreshResult { moved, sequence: Some(sequence) }))
    }))
}

/// A database that is written to here has nothing to move to.
fn print_newest(session: &mut Session) -> Answer {
    session.print(OutputLine::note(
        "The database is open for writing here, so the newest state is shown at any time.",
    ));
    Answer::other(RefreshResult { moved: false, sequence: None })
}

fn print_lag(session: &mut Session, lag: &Lag) {
    let age = session.host.clock_nanos().zip(session.read_at);
    let tenths = age.map(|(now, then)| now.saturating_sub(then) / 100_000_000);
    let age = tenths.map_or(String::new(), |tenths| {
        format!(", read {}.{} s ago", text::count(tenths / 10), tenths % 10)
    });
    let sequence = text::count(lag.sequence);
    session.print(OutputLine::text(format!("shown: up to sequence number {sequence}{age}")));
    session.print(OutputLine::text(if lag.is_none() {
        "files: nothing newer".to_owned()
    } else {
        format!(
            "files: up to sequence number {}, {} more; {} more in logs, {} in the manifest; `refresh` shows it",
            text::count(lag.file_sequence),
            text::counted(lag.writes(), "operation"),
            text::size(lag.log_bytes),
            text::size(lag.manifest_bytes),
        )
    }));
}
