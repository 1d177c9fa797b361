//! Watches the engine work: `cargo run --example watch -- DIR 2000` writes so many pairs, compacts them, and prints
//! the events of the flushes in outline and those of the compactions in full, as sentences. Take a new directory.

#![expect(clippy::print_stderr, reason = "a program for the terminal")]

use levelscope::event::{Event, EventSink, Grain, JobId, Span};
use levelscope::{Budget, Db, Maintenance, Options, StepOutcome};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::{env, error};

const USAGE: &str = "watch DIR [PAIRS]";

type Answer<T> = Result<T, Box<dyn error::Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words, io::stdout()) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the command in `words` and writes the events to `out`, which it returns.
fn run<W: Write + Send + 'static>(words: &[&str], out: W) -> Answer<Arc<Narrator<W>>> {
    let (directory, pairs): (&str, u64) = match words {
        [directory] => (*directory, 200),
        [directory, pairs] => (*directory, pairs.parse()?),
        _ => return Err(USAGE.into()),
    };
    let narrator = Arc::new(Narrator { state: Mutex::new(State { out, compaction: None }) });
    let options = Options::default()
        // Small memtables, so that something happens soon.
        .memtable_bytes(1024)
        // Background work waits for `Db::step`: this program decides when it runs, one step at a time. Then
        // the events of one job follow each other. With threads, those of several jobs would mix.
        .maintenance(Maintenance::Manual);
    let builder = Db::builder().options(options).events(narrator.clone());
    let db = builder.open(directory)?;
    for number in 0..pairs {
        // A large prime scatters the keys; every third pair overwrites one of before.
        let key = format!("key{:05}", number * 7919 % (pairs * 2 / 3 + 1));
        db.put(key, "a value of some length")?;
        finish_work(&db)?;
    }
    // What the writes alone have not made necessary.
    db.request_flush()?;
    finish_work(&db)?;
    db.compact(..)?;
    finish_work(&db)?;
    let stats = db.stats();
    db.close()?;
    let summary = format!("{} flushes, {} compactions", stats.flushes, stats.compactions);
    narrator.line(&summary);
    Ok(narrator)
}

fn finish_work(db: &Db) -> levelscope::Result<()> {
    while db.step(Budget::Job)? != StepOutcome::Idle {}
    Ok(())
}

/// Prints events. It must not call the database, which may hold locks while it emits, and it must not panic: so a
/// closed pipe is no error.
struct Narrator<W> {
    state: Mutex<State<W>>,
}

struct State<W> {
    out: W,
    /// The compaction under way.
    compaction: Option<JobId>,
}

impl<W: Write> Narrator<W> {
    fn line(&self, line: &str) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(state.out, "{line}");
    }
}

impl<W: Write + Send> EventSink for Narrator<W> {
    fn event(&self, event: Event) {
        // The catalogue knows of each kind its name, how fine it is, and what it begins or ends.
        let info = event.kind.info();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if info.begins == Some(Span::Compaction) {
            state.compaction = event.job;
        }
        let of_compaction = event.job.is_some() && event.job == state.compaction;
        let of_flush = event.job.is_some() && info.grain == Grain::Phase && info.outline;
        if of_compaction || of_flush {
            let _ = writeln!(state.out, "{:<20} {}", info.name, event.sentence());
        }
    }

    /// Details too: each entry of a merge, and why it is kept or dropped.
    fn wants_detail(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compaction_is_printed_from_its_reason_to_its_end() -> Answer<()> {
        let directory = env::temp_dir().join(format!("levelscope-watch-{}", std::process::id()));
        let place = directory.to_string_lossy().into_owned();
        let narrator = run(&[&place], Vec::new())?;
        let state = narrator.state.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&state.out);
        let mut rest = text.lines();
        for kind in ["flush.install", "compaction.pick", "merge.entry", "compaction.done"] {
            assert!(rest.any(|line| line.starts_with(kind)), "{kind} in {text}");
        }
        assert!(text.contains("is dropped as shadowed"), "{text}");
        assert!(text.lines().last().is_some_and(|line| line.contains(" compactions")), "{text}");
        assert!(run(&[], Vec::new()).is_err());
        Ok(std::fs::remove_dir_all(directory)?)
    }
}
