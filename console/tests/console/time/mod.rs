//! The time machine: replay, forks, breakpoints, crash points, and what they must not change.

mod breaks;
mod crashes;
mod cursor;
mod damage;
mod forged;
mod keeping;
mod limits;
mod merge;
mod mixtures;
mod replay;

use crate::technique::effort;
use levelscope::event::Event;
use levelscope::storage::{MemoryStorage, Random, Storage};
use levelscope::{Budget, Options};
use levelscope_console::{Console, Host, Listener, Progress, Response, Step};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Records the calls to a host.
#[derive(Default)]
struct Heard {
    events: Mutex<Vec<(Step, Event)>>,
    details: AtomicBool,
}

impl Heard {
    fn take(&self) -> Vec<(Step, Event)> {
        std::mem::take(&mut self.events.lock().expect("no thread panicked"))
    }
}

impl Listener for Heard {
    fn event(&self, step: Step, event: &Event) {
        self.events.lock().expect("no thread panicked").push((step, event.clone()));
    }

    fn wants_detail(&self) -> bool {
        self.details.load(Ordering::Relaxed)
    }
}

struct TimeHost {
    storage: MemoryStorage,
    heard: Arc<Heard>,
    in_slices: bool,
    /// Whether the console may look at the disk.
    open_disk: bool,
    bytes_max: u64,
}

impl Host for TimeHost {
    fn storage(&self) -> Arc<dyn Storage> {
        Arc::new(self.storage.clone())
    }

    fn listener(&self) -> Option<Arc<dyn Listener>> {
        Some(Arc::clone(&self.heard) as Arc<dyn Listener>)
    }

    fn disk(&self) -> Option<MemoryStorage> {
        self.open_disk.then(|| self.storage.clone())
    }

    fn replay_bytes_max(&self) -> u64 {
        self.bytes_max
    }

    fn place(&self) -> String {
        "memory".into()
    }

    fn in_slices(&self) -> bool {
        self.in_slices
    }
}

/// A session with everything that a test wants to look at.
struct Lab {
    console: Console,
    heard: Arc<Heard>,
    storage: MemoryStorage,
}

impl Lab {
    fn new(storage: MemoryStorage, settings: &[(&str, &str)], in_slices: bool) -> Self {
        let heard = Arc::new(Heard::default());
        let (open_disk, bytes_max) = (!in_slices, 1 << 20);
        Self::around(TimeHost { storage, heard, in_slices, open_disk, bytes_max }, settings)
    }

    fn around(host: TimeHost, settings: &[(&str, &str)]) -> Self {
        let (storage, heard) = (host.storage.clone(), Arc::clone(&host.heard));
        let mut console = Console::new(Box::new(host));
        let mut options = Options::preset("classroom").expect("the preset exists");
        for (name, value) in settings {
            options.set(name, value).expect("the option exists");
        }
        console.open(options).expect("it opens");
        Self { console, heard, storage }
    }

    fn classroom() -> Self {
        Self::new(MemoryStorage::new(), &[], false)
    }

    fn run(&mut self, line: &str) -> Response {
        self.console.run(line)
    }

    fn hash(&self) -> u64 {
        self.console.state_hash().expect("memory can be read")
    }

    /// The answer of the past, as the last of several lines of text.
    fn ask(&mut self, line: &str, step: Step) -> Response {
        self.console.start_at(line, step);
        self.finish()
    }

    fn finish(&mut self) -> Response {
        let mut printed = Vec::new();
        loop {
            match self.console.advance(64) {
                Progress::More { lines, .. } => printed.extend(lines),
                Progress::Done(mut response) => {
                    printed.append(&mut response.lines);
                    response.lines = printed;
                    return response;
                }
                other => panic!("{other:?}"),
            }
        }
    }

    fn hash_at(&mut self, step: Step) -> u64 {
        let response = self.ask("stats --hash", step);
        assert!(response.error.is_none(), "step {step}: {:?}", response.error);
        let hash = response.result()["hash"].as_str().expect("a hash").to_owned();
        u64::from_str_radix(&hash, 16).expect("it is hexadecimal")
    }
}

/// One thing that a user of the page does.
#[derive(Debug, Clone)]
enum Act {
    Line(String),
    /// A line that is stopped after so many units.
    Stopped(String, u32),
    Play(Budget, u32),
    Type(String),
}

fn act(random: &mut Random) -> Act {
    let key = |random: &mut Random| format!("k{:03}", random.below(150));
    let line = match random.below(24) {
        0 => format!("del {}", key(random)),
        1 => format!("get {}", key(random)),
        2 => "rotate".into(),
        3 => "sync".into(),
        4 => "flush".into(),
        5 => format!("compact {}", random.below(3)),
        6 => "snapshot".into(),
        7 => "release all".into(),
        8 => format!("batch {{ put {} x, del {} }}", key(random), key(random)),
        9 => format!("step {}", 1 + random.below(6)),
        10 => "step entry 3".into(),
        11 => format!("fill {} --words --seed {}", 1 + random.below(28), random.below(1000)),
        12 => "scan --limit 5".into(),
        13 => format!("explain get {}; lsm; stats", key(random)),
        14 => format!("put {} 1; nonsense; put b 2", key(random)),
        15 => {
            return Act::Stopped(
                "fill 40 --words".into(),
                2 + u32::try_from(random.below(30)).unwrap_or(0),
            );
        }
        16 => return Act::Play(Budget::Phase, 1 + u32::try_from(random.below(9)).unwrap_or(0)),
        17 => return Act::Play(Budget::Entry, 5),
        18 => return Act::Type("get k".into()),
        19 => [
            "options set bloom_bits 12",
            "options set maintenance inline",
            "options preset classroom",
        ][usize::try_from(random.below(3)).unwrap_or(0)]
        .into(),
        _ => format!("put {} {}", key(random), "v".repeat(1 + random.up_to(60))),
    };
    Act::Line(line)
}

fn script(seed: u64) -> Vec<Act> {
    let mut random = Random::new(seed);
    let count = 20 + random.below(30);
    (0..count).map(|_| act(&mut random)).collect()
}

/// Does `act`; `boundary` is called after every call of the engine when `fine`, else once.
fn perform(lab: &mut Lab, act: &Act, fine: bool, boundary: &mut impl FnMut(&Lab)) {
    match act {
        Act::Line(line) | Act::Stopped(line, _) => {
            lab.console.start(line);
            let mut units = 0;
            loop {
                if matches!(act, Act::Stopped(_, after) if *after == units) {
                    lab.console.cancel();
                }
                units += 1;
                match lab.console.advance(1) {
                    Progress::More { .. } => {
                        if fine {
                            boundary(lab);
                        }
                    }
                    Progress::Done(_) | Progress::Idle => break,
                    Progress::Blocked(file, _) => panic!("{file} in memory"),
                }
            }
        }
        Act::Play(budget, count) => {
            for _ in 0..*count {
                lab.console.step(*budget).expect("memory does not fail");
                if fine {
                    boundary(lab);
                }
            }
        }
        Act::Type(text) => {
            lab.console.complete(text, text.len());
        }
    }
    boundary(lab);
}

/// The state hash after each step at which the engine stood between two calls.
type Boundaries = BTreeMap<Step, u64>;

fn play(lab: &mut Lab, acts: &[Act], fine: bool) -> Boundaries {
    let mut found = Boundaries::new();
    let mut boundary = |lab: &Lab| {
        found.insert(lab.console.steps(), lab.hash());
    };
    boundary(lab);
    for act in acts {
        perform(lab, act, fine, &mut boundary);
    }
    found
}

/// `count` seeds from 1 on for a commit, or only `LEVELSCOPE_SEED`.
pub(crate) fn seeds(count: u64) -> impl Iterator<Item = u64> {
    match std::env::var("LEVELSCOPE_SEED").ok().and_then(|seed| seed.parse().ok()) {
        Some(seed) => seed..seed + 1,
        None => 1..1 + count * effort(),
    }
}

fn lab_for(seed: u64) -> Lab {
    let inline: &[(&str, &str)] = &[("maintenance", "inline")];
    Lab::new(
        MemoryStorage::new(),
        if seed.is_multiple_of(3) { inline } else { &[] },
        seed.is_multiple_of(2),
    )
}
