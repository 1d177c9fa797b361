//! The journal records all inputs, in any order, on a host that has to open files.

use super::{Heard, seeds};
use levelscope::storage::blocking::BlockingStorage;
use levelscope::storage::{MemoryStorage, NativeStorage, Random, Storage};
use levelscope::{Budget, Options, StepOutcome};
use levelscope_console::{Console, Host, Listener, Progress, Response, Step};
use std::collections::BTreeMap;
use std::sync::Arc;

struct MixedHost {
    storage: BlockingStorage,
    heard: Arc<Heard>,
    in_slices: bool,
}

impl Host for MixedHost {
    fn storage(&self) -> Arc<dyn Storage> {
        Arc::new(self.storage.clone())
    }

    fn listener(&self) -> Option<Arc<dyn Listener>> {
        Some(Arc::clone(&self.heard) as Arc<dyn Listener>)
    }

    fn place(&self) -> String {
        "memory".into()
    }

    fn in_slices(&self) -> bool {
        self.in_slices
    }
}

/// A session, and the state at each step at which it stood between two acts.
struct Mixture {
    seed: u64,
    random: Random,
    console: Console,
    storage: BlockingStorage,
    heard: Arc<Heard>,
    known: BTreeMap<(usize, Step), u64>,
    acts: Vec<String>,
}

const LINES: &[&str] = &[
    "rotate",
    "flush",
    "flush; run",
    "compact",
    "compact 1",
    "run",
    "step",
    "step phase 4",
    "step entry 7",
    "step job",
    "snapshot",
    "release all",
    "begin; put in-transaction 1; commit",
    "scan --limit 9",
    "explain get k007; stats; lsm",
    "sync",
    "options set bloom_bits 12",
    "options set maintenance inline",
    "options set maintenance manual",
    "options set wal_sync none",
    "break before compaction",
    "break after flush.install",
    "break before table.block",
    "break on drop",
    "break before merge.entry",
    "break when l0 >= 2",
    "break on key k007",
    "break delete 1; break delete 2; break delete 3",
    "crash before flush.install --keep torn",
    "crash after manifest.sync",
];

impl Mixture {
    fn new(seed: u64, disk: Arc<dyn Storage>) -> Self {
        let mut random = Random::new(seed);
        let storage = BlockingStorage::new(disk);
        let heard = Arc::<Heard>::default();
        let in_slices = random.below(3) > 0;
        if !in_slices {
            storage.admit_everything();
        }
        let host = MixedHost { storage: storage.clone(), heard: Arc::clone(&heard), in_slices };
        let mut console = Console::new(Box::new(host));
        let options = Options::preset("classroom").expect("the preset exists");
        storage.host(|| console.open(options.clone())).expect("an empty directory opens");
        let (known, acts) = (BTreeMap::new(), Vec::new());
        Self { seed, random, console, storage, heard, known, acts }
    }

    fn place(&self) -> String {
        format!("LEVELSCOPE_SEED={}, acts: {:#?}", self.seed, self.acts)
    }

    fn here(&self) -> (usize, Step) {
        (self.console.branches().1, self.console.steps())
    }

    /// Brings what is at work to its end; `stop`: cancels it after so many calls.
    fn finish(&mut self, stop: Option<u64>) -> Response {
        let mut calls = 0;
        loop {
            if stop == Some(calls) {
                self.console.cancel();
            }
            calls += 1;
            match self.console.advance(1 + u32::try_from(self.random.below(4)).unwrap_or(0)) {
                Progress::More { .. } => {}
                Progress::Blocked(file, _) => self.storage.admit(file),
                Progress::Idle => return Response::default(),
                Progress::Done(response) => {
                    let kind = response.error.as_ref().map(|error| error.kind.as_str());
                    let message = response.error.as_ref().map_or("", |error| &error.message);
                    let differs = message.contains("the replay came to step");
                    let wrong = differs || ["io", "corruption"].iter().any(|w| kind == Some(w));
                    assert!(!wrong, "{:?}, {}", response.error, self.place());
                    return response;
                }
            }
        }
    }

    fn run(&mut self, line: &str) -> Response {
        self.console.start(line);
        self.finish(None)
    }

    /// As the page's worker plays: it opens files, ends at a breakpoint, and may be paused at any time.
    fn play(&mut self, budget: Budget) {
        for _ in 0..=self.random.below(12) {
            let outcome = self.console.step(budget).expect("memory does not fail");
            if self.console.is_busy() {
                self.finish(None);
                return;
            }
            match outcome {
                StepOutcome::Idle => return,
                StepOutcome::Blocked(_) if self.random.below(4) == 0 => return,
                StepOutcome::Blocked(file) => self.storage.admit(file),
                StepOutcome::More | StepOutcome::Finished(_) => {}
            }
        }
    }

    fn hash(&self) -> u64 {
        self.storage.host(|| self.console.state_hash()).expect("memory can be read")
    }

    fn hash_at(&mut self, step: Step) -> u64 {
        self.console.start_at("stats --hash", step);
        let response = self.finish(None);
        assert!(response.error.is_none(), "{:?}, {}", response.error, self.place());
        let hash = response.result()["hash"].as_str().expect("a hash").to_owned();
        u64::from_str_radix(&hash, 16).expect("it is hexadecimal")
    }

    fn act(&mut self) {
        let (_, now) = self.here();
        let line = |line: &str| line.to_owned();
        let some = self.random.below(now + 1).max(1);
        let key = self.random.below(60);
        match self.random.below(20) {
            0..=2 => self.line(&format!("fill {} --words --seed {key}", 1 + key / 2)),
            3 => self.stopped(&format!("fill 30 --words --seed {key}")),
            4 => self.stopped("run"),
            5 => self.playing(Budget::Job),
            6 => self.playing(Budget::Phase),
            7 => self.playing(Budget::Entry),
            8 => self.line(&format!("del k{key:03}")),
            9 => self.seek(),
            10 => self.window(some),
            11 if self.random.below(4) == 0 => self.line("crash --keep torn"),
            11 if self.random.below(4) == 0 => self.line(&format!("crash at {some}")),
            11 if self.random.below(3) == 0 => self.line("fork"),
            11 if self.random.below(3) == 0 => self.line(&format!("fork {some}")),
            12 => {
                let to = self.random.below(self.console.branches().0.len() as u64);
                self.line(&format!("branch {to}"));
            }
            13 => {
                let value = "v".repeat(1 + self.random.up_to(90));
                self.line(&format!("put k{key:03} {value}"));
            }
            14 => {
                self.acts.push(line("types"));
                self.console.complete("get k", 5);
            }
            _ => {
                let index = self.random.up_to(LINES.len() - 1);
                self.line(LINES[index]);
            }
        }
        if self.random.below(3) == 0 {
            self.storage.evict_all();
        }
        let (here, hash) = (self.here(), self.hash());
        self.known.insert(here, hash);
        if self.random.below(2) == 0 {
            self.storage.evict_all();
        }
    }

    fn line(&mut self, line: &str) {
        self.acts.push(line.to_owned());
        self.run(line);
    }

    fn stopped(&mut self, line: &str) {
        let after = self.random.below(40);
        self.acts.push(format!("{line}, stopped after {after} calls"));
        self.console.start(line);
        self.finish(Some(after));
    }

    fn playing(&mut self, budget: Budget) {
        self.acts.push(format!("plays {budget:?}"));
        let details = budget == Budget::Entry;
        self.heard.details.store(details, std::sync::atomic::Ordering::Relaxed);
        self.play(budget);
        self.heard.details.store(false, std::sync::atomic::Ordering::Relaxed);
    }

    fn window(&mut self, from: Step) {
        let details = self.random.below(2) == 0;
        self.acts.push(format!("window from {from}, details: {details}"));
        let to = from + self.random.below(60);
        self.console.start_window(None, from, to, details);
        let response = self.finish(None);
        assert!(response.error.is_none(), "{:?}, {}", response.error, self.place());
        let window = self.console.take_window().expect("a window");
        assert!(window.from <= from && window.to >= from, "{}", self.place());
    }

    fn seek(&mut self) {
        self.acts.push("seeks".into());
        let (branch, now) = self.here();
        let there: Vec<Step> =
            self.known.range((branch, 1)..(branch, now)).map(|((_, step), _)| *step).collect();
        if !there.is_empty() {
            let step = there[self.random.up_to(there.len() - 1)];
            assert_eq!(self.hash_at(step), self.known[&(branch, step)], "{step}, {}", self.place());
        }
    }

    /// Every branch at every step that is known, and the present once more as a fork.
    fn check(&mut self) -> usize {
        let branches = self.console.branches().0.len();
        for branch in 0..branches {
            self.run(&format!("branch {branch}"));
            let there: Vec<(Step, u64)> = self
                .known
                .range((branch, 1)..=(branch, Step::MAX))
                .map(|((_, step), hash)| (*step, *hash))
                .collect();
            // Forwards, so that one replica comes to all of them.
            for (step, hash) in there {
                let place = format!("branch {branch}, step {step}, {}", self.place());
                assert_eq!(self.hash_at(step), hash, "{place}");
            }
            if self.console.branches().0.len() < 8 {
                let (now, steps) = (self.hash(), self.console.steps());
                self.run("fork");
                let place = format!("branch {branch}, {}", self.place());
                assert_eq!((self.hash(), self.console.steps()), (now, steps), "{place}");
            }
        }
        self.known.len()
    }
}

/// Thirty acts on each of `count` seeds.
fn mix(count: u64, disk: impl Fn() -> Arc<dyn Storage>) -> usize {
    let mut checked = 0;
    for seed in seeds(count) {
        let mut mixture = Mixture::new(seed, disk());
        for _ in 0..30 {
            mixture.act();
        }
        checked += mixture.check();
    }
    checked
}

#[test]
fn the_journal_repeats_any_mixture_of_commands() {
    let checked = mix(100, || Arc::new(MemoryStorage::new()));
    println!("{checked} states were met again");
}

#[test]
fn the_journal_repeats_any_mixture_on_real_files() {
    let path = std::env::temp_dir().join(format!("levelscope-mixtures-{}", std::process::id()));
    let checked = mix(20, || {
        let _ = std::fs::remove_dir_all(&path);
        Arc::new(NativeStorage::open(&path).expect("a directory can be made"))
    });
    let _ = std::fs::remove_dir_all(&path);
    println!("{checked} states were met again");
}

/// As the page's worker makes the calls when Play runs into a breakpoint while files have to be opened.
#[test]
fn play_by_operations_into_a_breakpoint_keeps_the_past() {
    for budget in [Budget::Job, Budget::Phase, Budget::Entry] {
        let mut mixture = Mixture::new(1, Arc::new(MemoryStorage::new()));
        mixture.run("fill 80 --words --seed 7; break before compaction");
        mixture.storage.evict_all();
        while !mixture.console.is_busy() {
            match mixture.console.step(budget).expect("memory does not fail") {
                StepOutcome::Blocked(file) => mixture.storage.admit(file),
                StepOutcome::Idle => panic!("the breakpoint did not strike"),
                StepOutcome::More | StepOutcome::Finished(_) => {}
            }
        }
        mixture.finish(None);
        let hit = mixture.console.take_hits().pop().expect("a hit");
        assert_eq!(mixture.console.steps(), hit.step, "{budget:?}: it stops where it struck");
        let hash = mixture.hash();
        mixture.run("put a 1");
        assert_eq!(mixture.hash_at(hit.step), hash, "{budget:?}");
        let now = mixture.hash();
        mixture.run("fork");
        assert_eq!(mixture.hash(), now, "{budget:?}");
    }
}
