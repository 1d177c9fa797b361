//! A session ends with its program, and the next one goes on with its history.

use super::{Lab, TimeHost, perform, script, seeds};
use crate::text;
use levelscope::Options;
use levelscope::storage::MemoryStorage;
use levelscope_console::{BranchState, Console, HistoryUpdate, Resumed, Step, Window};
use std::sync::Arc;

pub(super) const VERSION: &str = "version 1";

/// A session whose history is kept in `file`.
pub(super) struct Visit {
    pub(super) lab: Lab,
    pub(super) resumed: Resumed,
}

impl Visit {
    /// Opens the database on `storage`, as a page does that was loaded.
    pub(super) fn begin(storage: &MemoryStorage, file: &[u8]) -> Self {
        let (heard, storage) = (Arc::default(), storage.clone());
        let host = TimeHost {
            storage: storage.clone(),
            heard: Arc::clone(&heard),
            in_slices: true,
            open_disk: false,
            bytes_max: 1 << 24,
        };
        let mut console = Console::new(Box::new(host));
        let resumed = console.keep_history(VERSION, file);
        console.open(Options::preset("classroom").expect("the preset exists")).expect("it opens");
        Self { lab: Lab { console, heard, storage }, resumed }
    }

    pub(super) fn run(&mut self, line: &str) {
        let response = self.lab.run(line);
        assert_eq!(response.error, None, "{line}");
    }

    fn bring_back(&mut self) -> String {
        self.lab.console.start_returning();
        text(&self.lab.finish())
    }

    /// Everything that happened on a branch, as a page asks for it.
    fn past(&mut self, branch: usize) -> Vec<Window> {
        let (states, _) = self.lab.console.branches();
        let last = states.iter().find(|state| state.id == branch).expect("it is there").steps;
        let mut windows = Vec::new();
        let mut from = 1;
        while from <= last {
            self.lab.console.start_window(Some(branch), from, last, false);
            let response = self.lab.finish();
            assert_eq!(response.error, None, "branch {branch} from {from}");
            let window = self.lab.console.take_window().expect("a window");
            from = window.to + 1;
            windows.push(window);
        }
        windows
    }

    pub(super) fn states(&self) -> Vec<BranchState> {
        self.lab.console.branches().0
    }

    /// Adds what is to be kept to `file`, as a host does.
    pub(super) fn keep(&mut self, file: &mut Vec<u8>) {
        if let Some(HistoryUpdate { anew, bytes }) = self.lab.console.take_kept() {
            if anew {
                file.clear();
            }
            file.extend(bytes);
        }
    }
}

fn events(windows: &[Window], to: Step) -> Vec<String> {
    let events = windows.iter().flat_map(|window| &window.events);
    events.filter(|(step, _)| *step <= to).map(|event| format!("{event:?}")).collect()
}

#[test]
fn the_past_of_an_earlier_session_is_unchanged() {
    let (storage, mut file) = (MemoryStorage::new(), Vec::new());
    let mut first = Visit::begin(&storage, &file);
    assert_eq!(first.resumed, Resumed::default());
    first.keep(&mut file);
    for line in
        ["fill 40 --words --seed 3", "flush; step phase 2", "run", "get apple; put apple red"]
    {
        first.run(line);
        first.keep(&mut file);
    }
    let (steps, past) = (first.lab.console.steps(), first.past(0));
    drop(first);

    let mut second = Visit::begin(&storage, &file);
    assert_eq!(second.resumed, Resumed { steps, branches: 0, why: None });
    assert_eq!(second.lab.heard.take().first().map(|(step, _)| *step), Some(steps + 1));
    assert_eq!(events(&second.past(0), steps), events(&past, steps));
    let answer = second.lab.ask("get apple", steps - 2);
    assert!(text(&answer).contains("as of step"), "{}", text(&answer));
    second.keep(&mut file);
    second.run("put fig green");
    second.keep(&mut file);
    let steps = second.lab.console.steps();
    let past = second.past(0);
    drop(second);

    let mut third = Visit::begin(&storage, &file);
    assert_eq!(third.resumed.steps, steps);
    assert_eq!(events(&third.past(0), steps), events(&past, steps));
}

#[test]
fn branches_come_back_with_their_bytes_and_their_past() {
    for seed in seeds(12) {
        let (storage, mut file) = (MemoryStorage::new(), Vec::new());
        let mut first = Visit::begin(&storage, &file);
        first.run("fill 30 --seed 1; flush; run; put a 1; sync; put b 2");
        for line in ["fork", "corrupt CURRENT 3", "branch main", "crash --keep none", "put c 3"] {
            first.run(line);
            first.keep(&mut file);
        }
        for act in script(seed) {
            perform(&mut first.lab, &act, false, &mut |_| {});
            first.keep(&mut file);
        }
        first.run("branch main; put d 4");
        first.keep(&mut file);
        let states = first.states();
        let pasts: Vec<_> = states.iter().map(|state| first.past(state.id)).collect();
        let hashes = hashes(&mut first);
        first.keep(&mut file);
        drop(first);

        let mut second = Visit::begin(&storage, &file);
        assert_eq!(second.resumed.branches, states.len() - 1, "seed {seed}");
        // Before they are back, they are not lost.
        second.keep(&mut file);
        let printed = second.bring_back();
        assert!(printed.contains("there again"), "seed {seed}: {printed}");
        second.keep(&mut file);
        for (before, past) in states.iter().zip(pasts) {
            let now = second.states().into_iter().find(|state| state.id == before.id);
            let now = now.expect("it is there");
            if before.id > 0 {
                assert_eq!(&now, before, "seed {seed}");
            }
            let restored = events(&second.past(before.id), before.steps);
            assert_eq!(restored, events(&past, before.steps), "seed {seed}, {}", before.name);
        }
        assert_eq!(hashes[1..], self::hashes(&mut second)[1..], "seed {seed}");
        second.run("fork");
        let ids: Vec<usize> = second.states().iter().map(|state| state.id).collect();
        assert!(ids.is_sorted_by(|a, b| a < b), "seed {seed}: {ids:?}");
    }
}

/// The state of each branch.
fn hashes(visit: &mut Visit) -> Vec<u64> {
    let ids: Vec<usize> = visit.states().iter().map(|state| state.id).collect();
    let hash = |id| {
        visit.lab.run(&format!("branch {id}"));
        visit.lab.hash()
    };
    let hashes = ids.into_iter().map(hash).collect();
    visit.lab.run("branch main");
    hashes
}

#[test]
fn a_file_cut_anywhere_is_a_shorter_history_and_a_changed_one_is_reported() {
    let (storage, mut file) = (MemoryStorage::new(), Vec::new());
    let mut first = Visit::begin(&storage, &file);
    for line in ["put a 1", "put b 2; flush", "run", "fork; put c 3", "branch main"] {
        first.run(line);
        first.keep(&mut file);
    }
    let steps = first.lab.console.steps();
    drop(first);
    for cut in 0..=file.len() {
        let mut console = Console::new(Box::new(crate::MemoryHost::on(storage.clone())));
        let resumed = console.keep_history(VERSION, &file[..cut]);
        assert!(resumed.steps <= steps, "cut at {cut}");
    }
    for at in 0..file.len() {
        let mut changed = file.clone();
        changed[at] ^= 0x41;
        let mut console = Console::new(Box::new(crate::MemoryHost::on(storage.clone())));
        let resumed = console.keep_history(VERSION, &changed);
        // A length that grew makes a record that was cut off of the rest; all else is noticed.
        assert!(resumed.why.is_some() || resumed.steps <= steps, "changed at {at}");
    }
    let visit = |file: &[u8]| Visit::begin(&storage, file).resumed;
    let mut other = file.clone();
    other[file.len() - 1] ^= 1;
    let why = visit(&other).why.expect("a reason");
    assert!(why.contains("damaged at offset"), "{why}");
    let mut console = Console::new(Box::new(crate::MemoryHost::on(storage.clone())));
    let why = console.keep_history("version 2", &file).why.expect("a reason");
    assert!(why.contains("another version"), "{why}");
    assert_eq!(visit(&file), Resumed { steps, branches: 1, why: None });
}

#[test]
fn where_the_database_was_removed_its_past_is_gone() {
    let (storage, mut file) = (MemoryStorage::new(), Vec::new());
    let mut first = Visit::begin(&storage, &file);
    first.run("put a 1");
    first.keep(&mut file);
    drop(first);
    assert_eq!(Visit::begin(&MemoryStorage::new(), &file).resumed, Resumed::default());
}

#[test]
fn the_file_stays_bounded_and_leaves_out_the_oldest() {
    const BYTES_MAX: usize = 8 << 20;
    let (storage, mut file) = (MemoryStorage::new(), Vec::new());
    let mut first = Visit::begin(&storage, &file);
    first.run("put a 1");
    first.keep(&mut file);
    let value = "v".repeat(60_000);
    for round in 0..60 {
        first.run(&format!("put big{} {value}", round % 3));
        first.keep(&mut file);
        assert!(file.len() <= BYTES_MAX);
    }
    let steps = first.lab.console.steps();
    drop(first);
    let mut second = Visit::begin(&storage, &file);
    assert_eq!(second.resumed.steps, steps);
    for round in 0..60 {
        second.run(&format!("put big{} {value}", round % 3));
        second.keep(&mut file);
        assert!(file.len() <= BYTES_MAX, "round {round}");
    }
    let later = second.lab.console.steps();
    drop(second);
    let mut third = Visit::begin(&storage, &file);
    assert_eq!(third.resumed.steps, later);
    third.keep(&mut file);
    let later = third.lab.console.steps();
    drop(third);
    let mut fourth = Visit::begin(&storage, &file);
    assert_eq!(fourth.resumed.steps, later);
    fourth.lab.console.start_window(Some(0), 1, 1, false);
    let why = fourth.lab.finish().error.expect("the first session was left out").message;
    assert!(why.contains("not kept any more"), "{why}");
}

#[test]
fn a_database_that_is_too_long_has_no_history_the_next_time() {
    let (storage, mut file) = (MemoryStorage::new(), Vec::new());
    let mut first = Visit::begin(&storage, &file);
    first.keep(&mut file);
    assert!(first.lab.console.keeps_history());
    first.run("options preset default; fill 6000 --value-size 1000; flush; run");
    drop(first);
    let mut second = Visit::begin(&storage, &file);
    second.keep(&mut file);
    assert!(!second.lab.console.keeps_history());
    assert!(file.len() < 100);
    drop(second);
    assert_eq!(Visit::begin(&storage, &file).resumed, Resumed::default());
}

#[test]
fn a_branch_on_which_a_session_was_closed_is_open_again() {
    let (storage, mut file) = (MemoryStorage::new(), Vec::new());
    let mut first = Visit::begin(&storage, &file);
    first.run("put apple red; fork; put fig green");
    first.keep(&mut file);
    let steps = first.lab.console.steps();
    first.lab.console.close().expect("it closes");
    first.keep(&mut file);
    drop(first);

    let mut second = Visit::begin(&storage, &file);
    assert_eq!(second.resumed.branches, 1);
    second.bring_back();
    second.run("branch 1");
    assert_eq!(second.lab.console.steps(), steps);
    assert_eq!(text(&second.lab.run("get fig")), "green\n");
    second.run("put fig ripe");
}
