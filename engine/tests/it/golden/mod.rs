//! Golden traces: the events of the engine and its file operations, in one stream.
//!
//! One glance at `golden/*.txt` shows the order of appends, syncs, installs and deletions.
//! `UPDATE=1 cargo test` rewrites the files; the difference is reviewed like code.

mod scripts;

use crate::common::{open_watched, write};
use levelscope::event::{Event, EventSink, Grain};
use levelscope::storage::fault::{Fault, FaultStorage};
use levelscope::storage::trace::{Operation, WatchedStorage, Watcher};
use levelscope::storage::{Crash, MemoryStorage};
use levelscope::{Budget, Db, Options, StepOutcome, WriteBatch};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Collects file operations and events in the order in which they happen.
#[derive(Debug, Default)]
struct EventLines(Mutex<Vec<String>>);

impl Watcher for EventLines {
    fn done(&self, operation: Operation, ok: bool) {
        let failed = if ok { "" } else { " FAILED" };
        self.0.lock().unwrap().push(format!("    {operation}{failed}"));
    }
}

impl EventSink for EventLines {
    fn event(&self, event: Event) {
        let name = event.kind.name();
        self.0.lock().unwrap().push(format!("{name}: {}", event.sentence()));
    }

    fn wants_detail(&self) -> bool {
        true
    }
}

/// A session whose commands and consequences are kept as lines.
struct Session {
    lines: Arc<EventLines>,
    disk: MemoryStorage,
    faults: FaultStorage,
    options: Options,
    db: Option<Db>,
    grain: Grain,
}

impl Session {
    fn new(grain: Grain) -> Self {
        Self::with(grain, Options::preset("classroom").unwrap())
    }

    fn with(grain: Grain, options: Options) -> Self {
        let disk = MemoryStorage::new();
        let faults = FaultStorage::over_memory(&disk);
        let mut session =
            Self { lines: Arc::new(EventLines::default()), disk, faults, options, db: None, grain };
        session.open();
        session
    }

    fn command(&self, command: &str) {
        self.lines.0.lock().unwrap().push(format!("\n> {command}"));
    }

    fn open(&mut self) {
        self.command("open");
        let watcher = Arc::clone(&self.lines) as Arc<dyn Watcher>;
        let storage = WatchedStorage::new(Arc::new(self.faults.clone()), watcher);
        let sink = Arc::clone(&self.lines) as Arc<dyn EventSink>;
        let db = open_watched(Arc::new(storage), self.options.clone(), Some(sink));
        self.db = Some(db.expect("the database opens"));
    }

    fn db(&self) -> &Db {
        self.db.as_ref().expect("open")
    }

    fn put(&self, key: &str, value: &str) {
        self.command(&format!("put {key} ({} bytes)", value.len()));
        let mut batch = WriteBatch::new();
        batch.put(key.as_bytes(), value.as_bytes()).unwrap();
        write(self.db(), &batch, None).unwrap();
    }

    fn delete(&self, key: &str) {
        self.command(&format!("delete {key}"));
        self.db().delete(key.as_bytes()).unwrap();
    }

    fn run(&self) {
        self.command("run");
        while self.db().step(Budget::Phase).unwrap() != StepOutcome::Idle {}
    }

    /// A write that may fail; the lines have its answer.
    fn try_put(&self, key: &str, value: &str) {
        self.command(&format!("put {key} ({} bytes)", value.len()));
        let answer = self.db().put(key.as_bytes(), value.as_bytes());
        self.answer(answer);
    }

    /// Background work that may fail; the lines have its answer.
    fn try_run(&self) {
        self.command("run");
        let answer = loop {
            match self.db().step(Budget::Phase) {
                Ok(StepOutcome::Idle) => break Ok(()),
                Ok(_) => {}
                Err(error) => break Err(error),
            }
        };
        self.answer(answer);
    }

    fn answer(&self, answer: levelscope::Result<()>) {
        if let Err(error) = answer {
            self.lines.0.lock().unwrap().push(format!("< {error}"));
        }
    }

    fn rotate(&self) {
        self.command("rotate");
        assert!(self.db().rotate().unwrap());
    }

    fn flush(&self) {
        self.command("flush");
        self.db().request_flush().unwrap();
        self.run();
    }

    fn compact(&self, level: usize) {
        self.command(&format!("compact {level}"));
        self.db().request_compaction(Some(level)).unwrap();
        self.run();
    }

    /// The first `steps` steps of a flush.
    fn begin_flush(&self, steps: usize) {
        self.command(&format!("flush, {steps} steps of it"));
        self.db().request_flush().unwrap();
        for _ in 0..steps {
            assert_ne!(self.db().step(Budget::Phase).unwrap(), StepOutcome::Idle);
        }
    }

    /// The `at`-th operation from here that `fault` concerns will fail.
    fn fail(&self, fault: Fault, at: u64) {
        self.command(&format!("from now on: {fault:?} at operation {at} of its kind"));
        self.faults.inject(fault, at, false);
    }

    /// The machine dies; the next opening finds only the files of the crash image.
    fn kill(&mut self, crash: Crash) {
        let image = self.disk.crash_image(crash);
        self.command(&format!("crash ({crash:?})"));
        let lines = self.lines.0.lock().unwrap().len();
        self.db = None;
        // The dying handle still wrote to files that are gone after the crash: its lines are dropped.
        self.lines.0.lock().unwrap().truncate(lines);
        self.faults = FaultStorage::over_memory(&image);
        self.disk = image;
    }

    fn close(&mut self) {
        self.command("close");
        self.db = None;
    }

    fn check(mut self, name: &str) {
        self.close();
        let lines = std::mem::take(&mut *self.lines.0.lock().unwrap());
        let detail = |line: &String| line.starts_with("merge.entry");
        let kept = lines.iter().filter(|line| self.grain == Grain::Detail || !detail(line));
        let text: String = kept.flat_map(|line| [line.as_str(), "\n"]).collect();
        let text = text.trim_start().to_owned();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/golden").join(name);
        if std::env::var_os("UPDATE").is_some() {
            #[expect(clippy::disallowed_methods, reason = "a golden file is a real file")]
            std::fs::write(&path, &text).expect("the golden file can be written");
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(text == expected, "{name} differs; UPDATE=1 rewrites it. Now it is:\n{text}");
    }
}

#[test]
fn write_rotate_flush() {
    let session = Session::new(Grain::Phase);
    session.put("apple", "red");
    session.delete("pear");
    session.command("rotate");
    session.db().rotate().unwrap();
    session.put("plum", "blue");
    session.run();
    session.check("write_rotate_flush.txt");
}

#[test]
fn compaction_keeps_and_drops() {
    let session = Session::new(Grain::Detail);
    session.put("apple", "red");
    session.put("fig", "purple");
    session.command("flush");
    session.db().request_flush().unwrap();
    session.run();
    session.put("apple", "green");
    session.delete("fig");
    let snapshot = session.db().snapshot();
    session.put("apple", "yellow");
    session.command("flush");
    session.db().request_flush().unwrap();
    session.run();
    drop(snapshot);
    session.command("compact 1");
    session.db().request_compaction(Some(1)).unwrap();
    session.run();
    session.check("compaction_keeps_and_drops.txt");
}

#[test]
fn recovery_reads_logs_and_sweeps() {
    let mut session = Session::new(Grain::Phase);
    session.put("apple", "red");
    session.close();
    session.open();
    session.put("fig", "purple");
    session.close();
    session.open();
    session.run();
    session.check("recovery_reads_logs_and_sweeps.txt");
}
