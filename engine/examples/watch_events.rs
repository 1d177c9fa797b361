//! Watches the engine think: writes until compactions have run, and prints what each flush and each
//! compaction did as sentences. `cargo run --example watch_events`.

use levelscope::event::{Event, EventSink, Grain};
use levelscope::storage::MemoryStorage;
use levelscope::{Budget, Db, Maintenance, Options, StepOutcome};
use std::io::{self, Write};
use std::sync::Arc;

/// Prints what it is told. It must not call the database, which may hold locks while it tells, and it
/// must not panic: so a closed pipe is no error.
struct Narrator;

impl EventSink for Narrator {
    fn event(&self, event: &Event) {
        if event.job.is_some() && event.kind.grain() == Grain::Phase {
            let (name, sentence) = (event.kind.name(), event.sentence());
            let _ = writeln!(io::stdout(), "{:>5}  {name:<19}  {sentence}", event.id);
        }
    }
}

fn main() -> Result<(), levelscope::Error> {
    let options = Options {
        // Small memtables, so that something happens soon.
        memtable_bytes: 1024,
        // Background work waits for `Db::step`: the caller decides when it runs, one piece at a time.
        maintenance: Maintenance::Manual,
        ..Options::default()
    };
    let db = Db::builder()
        .options(options)
        .events(Arc::new(Narrator))
        .open_in(Arc::new(MemoryStorage::default()))?;
    for number in 0..200_u32 {
        let key = format!("key{:03}", number * 7 % 200);
        db.put(key.as_bytes(), b"a value of some length")?;
        while db.step(Budget::Job)? != StepOutcome::Idle {}
    }
    let stats = db.stats();
    let _ = writeln!(io::stdout(), "{} flushes, {} compactions", stats.flushes, stats.compactions);
    db.close()
}
