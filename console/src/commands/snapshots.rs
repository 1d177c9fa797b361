//! `snapshot` and `release`.

use crate::commands::Command;
use crate::language::{Args, Effect, Statement, Verb, switch};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::SnapshotResult;
use crate::session::{Task, once};
use crate::text;

pub(super) const VERBS: &[Command] = &[
    Verb {
        name: "snapshot",
        group: "read and write",
        usage: "snapshot [--list]",
        purpose: "Makes a snapshot: the present state stays readable under a number.",
        example: "snapshot",
        flags: &[switch("--list", "lists the live snapshots instead")],
        effect: |args| if args.has("--list") { Effect::Look } else { Effect::Change },
    }
    .starts(snapshot),
    Verb {
        name: "release",
        group: "read and write",
        usage: "release N | release all",
        purpose: "Releases a snapshot; compactions may then drop versions that only it could read.",
        example: "snapshot; release all",
        ..Verb::CHANGE
    }
    .starts(release),
];

fn snapshot(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    if args.has("--list") {
        return Ok(once(|session| {
            let mut results = Vec::new();
            let live = session.snapshots.iter();
            for (number, sequence) in live.map(|(n, s)| (*n, s.sequence())).collect::<Vec<_>>() {
                session.print(line(number, sequence));
                results.push(SnapshotResult { number, sequence });
            }
            if results.is_empty() {
                session.print(OutputLine::note("There are no snapshots."));
            }
            Ok(Answer::other(results))
        }));
    }
    Ok(once(|session| {
        let snapshot = session.db()?.snapshot();
        let sequence = snapshot.sequence();
        let number = session.keep(snapshot);
        session.print(line(number, sequence));
        Ok(Answer::other(SnapshotResult { number, sequence }))
    }))
}

fn line(number: u64, sequence: u64) -> OutputLine {
    let line = OutputLine::text("snapshot ").number(number.to_string());
    line.plain(" reads at sequence number ").number(text::count(sequence))
}

fn release(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 1, "the number of a snapshot, or all")?;
    let number = match args.text(0) {
        Some("all") => None,
        _ => args.number_at(0, "the snapshot")?,
    };
    Ok(once(move |session| {
        let numbers: Vec<u64> = match number {
            Some(number) => session.snapshot(number).map(|_| vec![number])?,
            None => session.snapshots.keys().copied().collect(),
        };
        for number in &numbers {
            session.snapshots.remove(number);
            let line = OutputLine::text("snapshot ").number(number.to_string());
            session.print(line.plain(" is released"));
        }
        if numbers.is_empty() {
            session.print(OutputLine::note("There are no snapshots."));
        }
        Ok(Answer::other(numbers))
    }))
}
