//! Scripts of `share` lead an empty database to the same state; `share` refuses where none does.

use super::time::seeds;
use super::{MemoryHost, console, console_on, text};
use levelscope::storage::{MemoryStorage, Random};
use levelscope::view::View;
use levelscope::{Budget, Options};
use levelscope_console::Console;
use levelscope_console::lesson::{check, parse};

/// The script that the branch at work hands out, or why there is none.
fn shared(console: &mut Console) -> Result<String, String> {
    let response = console.run("share");
    match response.error {
        Some(failure) => Err(failure.message),
        None => Ok(response.result()["script"].as_str().expect("a script").to_owned()),
    }
}

/// A console that has run `script`, with the options of its first line.
fn replayed(script: &str) -> Console {
    let head = script.lines().next().expect("a first line");
    let mut words = head.split_whitespace().skip(3);
    let mut options = Options::preset(words.next().expect("a preset")).expect("it exists");
    for word in words {
        let (name, value) = word.split_once('=').expect("a name and a value");
        options.set(name, value).expect("an option");
    }
    let mut console = Console::new(Box::new(MemoryHost::default()));
    console.open(options).expect("an empty database opens");
    console.run(script);
    console
}

fn run_all(console: &mut Console, lines: &[&str]) {
    for line in lines {
        let response = console.run(line);
        assert_eq!(response.error, None, "{line}");
    }
}

#[test]
fn the_script_leads_to_the_same_bytes() {
    let stories: &[&[&str]] = &[
        &["put apple red; put fig green", "flush; run", "get apple", "step phase 3"],
        &["fill 40 --words --seed 3", "flush", "until before flush.install"],
        &["options set bloom_bits 4; options preset article", "fill 20; flush; run; compact; run"],
        &["put a 1; snapshot; put a 2; begin; put a 3; commit", "release all"],
        &["batch {\n  put a 1\n  del b\n}", "put \"a b\" \"# ; \\x00\""],
        &["put a 1; sync; put b 2; crash --keep none; put c 3"],
        &[
            "fill 30 --seed 1; crash --keep torn --seed 7; fill 5 --seed 2; crash --keep all; flush; run",
        ],
        &["put old 1; flush; run; reset --yes; put new 2; flush; run"],
        &["put a 1; put b 2; fork 2; put c 3"],
        &["fill 9; flush; run; corrupt CURRENT 4096"],
    ];
    for lines in stories {
        let mut console = console("classroom");
        for line in *lines {
            let response = console.run(line);
            assert_eq!(response.error, None, "{line}");
        }
        let script = shared(&mut console).unwrap_or_else(|why| panic!("{lines:?}: {why}"));
        let again = replayed(&script);
        let files = |console: &Console| console.file_bytes();
        assert_eq!(files(&again), files(&console), "{script}");
        let sequence = |console: &Console| console.db().map(|db| db.view().last_sequence);
        assert_eq!(sequence(&again), sequence(&console), "{script}");
    }
}

#[test]
fn play_and_completion_are_recorded_as_steps_or_not_at_all() {
    let mut console = console("classroom");
    run_all(&mut console, &["fill 12 --seed 1; flush"]);
    for _ in 0..5 {
        console.step(Budget::Phase).expect("a step of work");
    }
    console.complete("get ", 4);
    let script = shared(&mut console).expect("a script");
    let lines: Vec<&str> = script.lines().skip(1).collect();
    assert_eq!(lines[..2], ["fill 12 --seed 1", "flush"]);
    assert!(lines[2].starts_with("step call "), "{script}");
    assert_eq!(lines.len(), 3, "{script}");
    let seen = |console: &Console| console.db().map(|db| View { time: 0, ..db.view() });
    assert_eq!(seen(&replayed(&script)), seen(&console));
}

#[test]
fn work_that_no_script_can_repeat_is_not_handed_out() {
    let mut begun = console("classroom");
    assert!(shared(&mut begun).is_err_and(|why| why.contains("nothing has been done")));

    let disk = MemoryStorage::default();
    run_all(&mut console_on(disk.clone(), "classroom"), &["put a 1"]);
    let mut found = console_on(disk, "classroom");
    found.run("put b 2");
    assert!(shared(&mut found).is_err_and(|why| why.contains("before this session began")));
    run_all(&mut found, &["reset --yes", "put b 2"]);
    assert!(shared(&mut found).is_ok_and(|script| script.ends_with("\nput b 2\n")));

    let mut struck = console("classroom");
    struck.run("break before flush.install; put a 1; flush; run");
    let why = shared(&mut struck).expect_err("it stopped in a command");
    assert!(why.starts_with("this state begins in the middle of run"), "{why}");

    let mut failed = console("classroom");
    run_all(&mut failed, &["put a 1; flush; run; put b 2", "crash at 3"]);
    let why = shared(&mut failed).expect_err("the power failed in the past");
    assert!(why.starts_with("the power failed at step 3"), "{why}");
}

#[test]
fn a_lesson_of_commands_agrees_with_the_engine() {
    let mut console = console("classroom");
    run_all(
        &mut console,
        &["fill 40 --words --seed 3", "batch {\n put a 1, del b\n put c 2 }", "flush; run"],
    );
    let response = console.run("share lesson");
    let result = response.result();
    let lesson = result["lesson"].as_str().expect("a lesson");
    assert_eq!(text(&response), lesson);
    let lesson = parse(lesson).unwrap_or_else(|complaints| panic!("{complaints:?}\n{lesson}"));
    let mut fresh = |options: Options| {
        let mut console = Console::new(Box::new(MemoryHost::default()));
        console.open(options)?;
        Ok(console)
    };
    let report = check(&lesson, &mut fresh);
    assert_eq!(report.complaints, []);
    assert!(report.claims >= 5, "{report:?}");
}

#[test]
fn a_test_names_each_command_and_the_state_that_it_leads_to() {
    let mut console = console("classroom");
    run_all(&mut console, &["put a \"1\"", "options set bloom_bits 4"]);
    console.run("commit 9");
    run_all(&mut console, &["flush; run"]);
    let response = console.run("share test");
    let result = response.result();
    let test = result["test"].as_str().expect("a test");
    let script = result["script"].as_str().expect("a script");
    assert!(test.contains("(\"put a \\\"1\\\"\", None),\n"), "{test}");
    assert!(test.contains("(\"commit 9\", Some(\"usage\")),\n"), "{test}");
    let mut again = replayed(script.lines().next().expect("a head"));
    for line in script.lines().skip(1) {
        again.run(line);
    }
    let hash = again.state_hash().expect("a state");
    assert!(test.contains(&format!("0x{hash:016x}")), "{hash:x}: {test}");
}

const LINES: &[&str] = &[
    "put k1 a",
    "put k2 b; del k1",
    "get k1",
    "fill 7 --seed 5",
    "fill 30 --words --seed 9",
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
    "begin; put open 2",
    "scan --limit 9",
    "sync",
    "explain get k1",
    "options set bloom_bits 12",
    "options set maintenance inline",
    "options set maintenance manual",
    "options set wal_sync none",
    "options preset article",
    "crash",
    "crash --keep torn --seed 3",
    "crash --keep all",
    "reset --yes",
    "fork",
    "branch main",
    "until after flush.install",
    "delete-range k1 k5",
    "commit",
    "lsm; stats",
];

/// Whatever a person does: a script that is handed out leads to the same bytes.
#[test]
fn scripts_of_random_stories_lead_to_the_same_state() {
    let (mut handed_out, mut all) = (0, 0);
    for seed in seeds(250) {
        all += 1;
        let mut random = Random::new(seed);
        let mut console = console("classroom");
        let mut acts = Vec::new();
        for _ in 0..2 + random.below(14) {
            let at = usize::try_from(random.below(LINES.len() as u64)).unwrap_or(0);
            let line = LINES[at];
            acts.push(line);
            console.run(line);
            if random.below(4) == 0 {
                acts.push("(work)");
                let _ = console.step(Budget::Phase);
            }
        }
        let place = format!("LEVELSCOPE_SEED={seed}, acts: {acts:#?}");
        match shared(&mut console) {
            Err(why) => {
                assert!(why.starts_with("nothing has been done"), "{why}\n{place}");
            }
            Ok(script) => {
                let mut again = replayed(script.lines().next().expect("a head"));
                for line in script.lines().skip(1) {
                    again.run(line);
                }
                let reads = |console: &mut Console| {
                    text(&console.run("scan; layout CURRENT; memtable; buckets"))
                };
                assert_eq!(reads(&mut again), reads(&mut console), "{script}\n{place}");
                handed_out += 1;
            }
        }
    }
    println!("{handed_out} of {all} were handed out");
    assert!(all == 1 || handed_out * 10 > all * 8, "{handed_out}");
}
