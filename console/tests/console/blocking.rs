//! A host that can open files only between two calls sees the same answers.

use super::{MemoryHost, console, text};
use levelscope::Options;
use levelscope::storage::blocking::BlockingStorage;
use levelscope::storage::{MemoryStorage, Storage};
use levelscope_console::{Console, Failure, Foreign, Host, Progress, Response, verbs};
use std::sync::Arc;

struct BlockingHost(BlockingStorage);

impl Host for BlockingHost {
    fn storage(&self) -> Arc<dyn Storage> {
        Arc::new(self.0.clone())
    }

    fn place(&self) -> String {
        MemoryHost::default().place()
    }

    fn in_slices(&self) -> bool {
        true
    }

    fn save_files(&self, name: &str, files: Vec<Foreign>) -> Result<(), Failure> {
        MemoryHost::default().save_files(name, files)
    }
}

fn opened(storage: &BlockingStorage, preset: &str) -> Console {
    let mut console = Console::new(Box::new(BlockingHost(storage.clone())));
    let options = Options::preset(preset).expect("the preset exists");
    storage.host(|| console.open(options.clone())).expect("an empty database opens");
    console
}

fn run(console: &mut Console, storage: &BlockingStorage, line: &str) -> (Response, u32) {
    console.start(line);
    let (mut printed, mut blocked) = (Vec::new(), 0);
    for _ in 0..100_000 {
        match console.advance(7) {
            Progress::Idle => panic!("{line} was never answered"),
            Progress::More { lines, .. } => printed.extend(lines),
            Progress::Blocked(file, lines) => {
                printed.extend(lines);
                storage.admit(file);
                blocked += 1;
            }
            Progress::Done(mut response) => {
                printed.append(&mut response.lines);
                response.lines = printed;
                return (response, blocked);
            }
        }
    }
    panic!("{line} never ended")
}

#[test]
fn blocking_changes_no_answer() {
    let mut lines: Vec<String> = ["classroom", "article", "default"]
        .iter()
        .flat_map(|preset| {
            let work = "fill 120 --words; flush; run; compact; run; scan --limit 5; layout CURRENT";
            [format!("options preset {preset}"), work.to_owned(), "snapshot".to_owned()]
        })
        .collect();
    // The first two work on databases of their own, and print times. The third opens the database again: figures count a
    // table only once it was read. The last two need files from the host.
    let left_out = ["bench", "lab", "until", "open", "import"];
    let others = verbs().filter(|verb| !left_out.contains(&verb.name));
    lines.extend(others.map(|verb| verb.example.to_owned()));
    let storage = BlockingStorage::new(Arc::new(MemoryStorage::default()));
    let mut waiting = opened(&storage, "classroom");
    let mut plain = console("classroom");
    let mut blocked = 0;
    for line in lines {
        // Files that were open may be closed at any time between two commands.
        storage.evict_all();
        let (response, count) = run(&mut waiting, &storage, &line);
        assert_eq!(text(&response), text(&plain.run(&line)), "{line}");
        blocked += count;
    }
    assert!(blocked > 20, "only {blocked} files had to be waited for");
}

#[test]
fn background_work_that_waits_stops_at_the_same_event() {
    let storage = BlockingStorage::new(Arc::new(MemoryStorage::default()));
    let mut waiting = opened(&storage, "classroom");
    let mut plain = console("classroom");
    let fill = |seed| format!("fill 17 --words --seed {seed}; flush; run");
    let mut blocked = 0;
    for line in [&fill(1), &fill(2), "compact 0", "until before compaction.install", "run", "check"]
    {
        storage.evict_all();
        let (response, count) = run(&mut waiting, &storage, line);
        assert_eq!(text(&response), text(&plain.run(line)), "{line}");
        blocked += count;
    }
    assert!(blocked > 0, "no file had to be waited for");
}
