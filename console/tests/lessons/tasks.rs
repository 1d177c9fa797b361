//! The tasks of the library: each way that fulfils the text is accepted, and no other. Each way begins where its task begins.

use super::played::{done, tutor, typed};
use levelscope_console::lesson::{Inline, Prose, Tutor};
use levelscope_console::result::{LessonOutcome, LessonPart, LessonState, LessonTask, LessonWaits};

/// Lines that are typed one after the other.
type Way = &'static [&'static str];

/// A way that does not fulfil the text, and the first thing that is missing after it.
type Wrong = (Way, &'static str);

/// A lesson that waits for this task to be done.
fn at(lesson: &str, task: &str) -> (Tutor, usize) {
    let mut tutor = tutor();
    let mut state = done(&mut tutor, &format!("lesson start {lesson} --at {}", first_try(lesson)));
    loop {
        match &state.waits {
            LessonWaits::Done { name } if name == task => return (tutor, state.at),
            LessonWaits::Done { .. } => state = done(&mut tutor, "next --skip"),
            LessonWaits::Answered { .. } => state = done(&mut tutor, "answer ?"),
            LessonWaits::Over {} => panic!("{lesson} has no task {task}"),
            _ => {
                typed(&mut tutor, "next");
                state = tutor.lesson().expect("a lesson is at work");
            }
        }
    }
}

/// Where the scene with the first task begins: nothing before its database has to be played.
fn first_try(lesson: &str) -> usize {
    let mut tutor = tutor();
    let state = done(&mut tutor, &format!("lesson start {lesson}"));
    let last = state.scenes.last().expect("a scene").at;
    // Tasks at the end of an earlier scene are reached from its beginning.
    if lesson == "merging" { 0 } else { last }
}

fn task_of(state: &LessonState, name: &str) -> LessonTask {
    let parts = state.items.iter().map(|item| &item.what);
    let found = parts.filter_map(|part| match part {
        LessonPart::Try(task) if task.name == name => Some(task.clone()),
        _ => None,
    });
    found.last().expect("the task is shown")
}

/// What is missing, in words.
fn told(task: &LessonTask) -> Vec<String> {
    let plain = |prose: &Prose| prose.iter().map(Inline::text).collect();
    task.missing.iter().map(plain).collect()
}

/// The task after each line of a way, which may also fail.
fn tried(tutor: &mut Tutor, task: &str, way: Way) -> LessonTask {
    for line in way {
        typed(tutor, line);
    }
    task_of(&tutor.lesson().expect("a lesson is at work"), task)
}

fn judged(lesson: &str, task: &str, right: &[Way], wrong: &[Wrong]) {
    assert!(right.len() >= 5 && wrong.len() >= 5, "{lesson}, {task}: too few ways");
    let (mut tutor, act) = at(lesson, task);
    let begin = format!("lesson start {lesson} --at {act}");
    for way in right {
        done(&mut tutor, &begin);
        let task = tried(&mut tutor, task, way);
        let missing = told(&task);
        assert_eq!(task.outcome, Some(LessonOutcome::Done), "{lesson}: {way:?}: {missing:?}");
        assert!(task.missing.is_empty());
    }
    for (way, missing) in wrong {
        done(&mut tutor, &begin);
        let task = tried(&mut tutor, task, way);
        let told = told(&task);
        assert_eq!(task.outcome, None, "{lesson}: {way:?} is no way");
        let first = told.first().map_or("", String::as_str);
        assert!(first.starts_with(missing), "{lesson}: {way:?}: {told:?}");
    }
}

#[test]
fn a_log() {
    judged(
        "log",
        "gone",
        &[
            &["put apple red", "del apple"],
            &["del apple", "put apple red", "del apple"],
            &["put banana yellow", "put apple red", "del banana", "del apple"],
            &["put apple red; flush; run", "del apple"],
            &["put apple red", "rotate", "del apple"],
            &["put apple red", "delete-range a b"],
            &["put apple red; put apple green; del apple; del apple"],
            &["begin; put apple red; commit", "begin; del apple; commit"],
            &["batch put apple red, del apple"],
        ],
        &[
            (&["put apple red"], "The newest entry of apple is no tombstone"),
            (&["del apple"], "No older entry of apple holds a value"),
            (&["put banana yellow", "del apple"], "No older entry of apple"),
            (&["del apple", "del apple"], "No older entry of apple"),
            (&["put apple red; del apple; put apple green"], "The newest entry of apple"),
            (&["put apple red; del apple; flush; run"], "No older entry of apple"),
            (&["put apple red; begin; del apple", "get apple --in none", "rollback"], "The newest"),
            (&["put banana yellow", "del banana"], "The newest entry of apple is no tombstone"),
        ],
    );
}

#[test]
fn a_second_table() {
    judged(
        "rotation",
        "all",
        &[
            &["flush", "step job"],
            &["flush; step job"],
            &["put zebra 2", "flush", "step job"],
            &["put zulu 2", "flush", "step job"],
            &["rotate", "step job"],
            &["flush", "until after flush.install"],
            &["get zulu", "lsm", "flush", "lsm", "step job"],
        ],
        &[
            (&["flush"], "No table has zulu yet"),
            (&["flush", "step"], "No table has zulu yet"),
            (&["del zulu", "flush", "step job"], "The pair of zulu is gone"),
            (&["flush; run"], "Table 4 is no longer in L0"),
            (&["compact 0; run", "flush; step job"], "Table 4 is no longer in L0"),
            (&["put zebra 1", "sync"], "No table has zulu yet"),
        ],
    );
}

#[test]
fn one_byte_of_a_key() {
    judged(
        "table",
        "share",
        &[
            &["put aaaa1 x; put aaaa2 y", "flush; run", "layout 4 --node block:1/entry:2"],
            &["put a x; put b y; flush; run; layout 4 --node block:1/entry:1"],
            &["put a x", "flush; run", "layout 4 --node block:1/entry:1"],
            &[
                "put one 1; put two 2; flush; run",
                "put user1 x; put user2 y; put user3 z; flush; step job",
                "layout 6 --node block:1/entry:3",
            ],
            &[
                "put k1 x; put k2 y; put other z; flush; run",
                "layout 4",
                "layout 4 --node block:1/entry:2",
            ],
            &["put aa x; put ab y; rotate; run", "layout table:4 --node block:1/entry:2"],
        ],
        &[
            (&["put aaaa1 x; put aaaa2 y", "flush; run"], "Your last command has to be a layout"),
            (&["put aaaa1 x; put aaaa2 y", "flush; run", "layout 4"], "Your last command"),
            (
                &["put aaaa1 x; put aaaa2 y", "flush; run", "layout 4 --node block:1/entry:1"],
                "The part \"key suffix\"",
            ),
            (
                &["put apple x; put avocado y; flush; run; layout 4 --node block:1/entry:2"],
                "The part",
            ),
            (&["layout 4 --node block:1/entry:2"], "Your last command"),
            (&["put one 1; put two 2; flush; run; layout 4 --node block:1"], "Your last command"),
        ],
    );
}

#[test]
fn one_place() {
    judged(
        "reading",
        "one",
        &[
            &["put apple red"],
            &["put apple green", "put apple red"],
            &["put fig blue", "put apple red"],
            &["flush; run", "put apple red"],
            &["rotate", "put apple red"],
            &["del apple", "put apple red"],
            &["begin; put apple red", "commit"],
        ],
        &[
            (&["put apple green"], "get apple does not find red"),
            (&["get apple"], "A lookup of apple still asks more than one place"),
            (&["del apple"], "get apple does not find red"),
            (&["flush; run"], "A lookup of apple still asks"),
            (&["put apple red; flush; run"], "A lookup of apple still asks"),
            (&["compact; run"], "A lookup of apple still asks"),
            (&["put apple red; rotate"], "A lookup of apple still asks"),
        ],
    );
}

#[test]
fn a_false_positive() {
    judged(
        "filters",
        "positive",
        &[
            &["explain get plum"],
            &["get lemon", "explain get plum"],
            &["explain get cherry", "explain get fig", "explain get plum"],
            &["explain get plum", "explain get plum"],
            &["put kiwi green", "explain get plum"],
            &["scan", "explain get plum"],
            &["explain get fig; explain get plum"],
        ],
        &[
            (&["get plum"], "Your last command has to be an explain get"),
            (&["explain get lemon"], "Your last command"),
            (&["explain get kiwi"], "The fruit has to be one that was never written"),
            (&["scan"], "Your last command"),
            (&["del lemon; flush; run", "explain get lemon"], "Your last command"),
            (&["explain prefix p"], "Your last command"),
            (&["explain get plum; stats"], "Your last command"),
        ],
    );
}

#[test]
fn one_level_deeper() {
    judged(
        "merging",
        "deeper",
        &[
            &["compact 1; run"],
            &["compact 1", "run"],
            &["compact 1; step job"],
            &["put zebra striped", "compact 1; run"],
            &["put zebra striped; flush; run; compact 0; run", "compact 1; run"],
            &["compact; run", "compact 1; run"],
        ],
        &[
            (&["compact 1"], "L1 still has a table"),
            (&["compact 0; run"], "L1 still has a table"),
            (&["run"], "L1 still has a table"),
            (&["compact 1; run; compact 2; run"], "No table of L2 has fig"),
            (&["reset --yes"], "No table of L2 has fig"),
            (&["put fig red; flush; run; compact 0; run"], "L1 still has a table"),
        ],
    );
}

#[test]
fn nothing_of_fig() {
    judged(
        "deleting",
        "forget",
        &[
            &["release 1", "compact 1; run"],
            &["release 1; compact 1; run"],
            &["release 1", "compact; run"],
            &["put zebra striped; flush; run", "release 1", "compact 0; run", "compact 1; run"],
            &["compact 1; run", "release 1", "compact 2; run"],
            &["get fig", "snapshot --list", "release 1", "compact 1", "run"],
        ],
        &[
            (&["release 1"], "follow fig still shows entries of fig"),
            (&["compact 1; run"], "A snapshot is open"),
            (&["compact; run"], "A snapshot is open"),
            (&["release 1; put fig red; compact 1; run"], "follow fig still shows"),
            (&["release 1; del pear; compact 1; run"], "pear is not yellow"),
            (&["reset --yes"], "apple is not red"),
            (&["release 1; del fig; compact 1; run"], "follow fig still shows"),
        ],
    );
}

#[test]
fn records_at_risk() {
    judged(
        "power",
        "risk",
        &[
            &["put a 1 --sync off", "put b 2 --sync off", "put c 3 --sync off"],
            &["put a 1", "put b 2 --sync off; put c 3 --sync off; put d 4 --sync off"],
            &["put a 1 --sync off; put a 2 --sync off; del a --sync off"],
            &["put z 1; flush; run", "put a 1 --sync off; put b 1 --sync off; put c 1 --sync off"],
            &["options set wal_sync none", "put a 1; put b 2; put c 3"],
            &["put a 1 --sync off; put b 1 --sync off; put c 1 --sync off; put d 1 --sync off"],
        ],
        &[
            (&["put a 1; put b 2; put c 3"], "Fewer than three records"),
            (&["put a 1 --sync off; put b 2 --sync off"], "Fewer than three records"),
            (&["put a 1 --sync off; put b 2 --sync off; put c 3"], "Fewer than three"),
            (&["put a 1 --sync off; put b 1 --sync off; put c 1 --sync off; sync"], "Fewer"),
            (&["put a 1 --sync off; put b 1 --sync off; flush; put c 1 --sync off"], "Fewer"),
            (&["fill 3"], "Fewer than three records"),
        ],
    );
}

#[test]
fn records_made_durable() {
    judged(
        "power",
        "safe",
        &[
            &["sync"],
            &["wal", "sync"],
            &["put d 4"],
            &["put d 4 --sync off", "sync"],
            &["rotate"],
            &["flush"],
        ],
        &[
            (&["wal"], "Some records of the log are still unsynced"),
            (&["put d 4 --sync off"], "Some records of the log are still unsynced"),
            (&["flush; run"], "There is a new table"),
            (&["rotate; run; sync"], "There is a new table"),
            (&["reset --yes"], "The writes are gone"),
            (&["sync; put d 4 --sync off"], "Some records of the log"),
        ],
    );
}

#[test]
fn two_hundred_writes_without_a_stall() {
    judged(
        "pressure",
        "calm",
        &[
            &["options set immutable_count_max 64", "fill 200 --words --seed 1"],
            &["options set memtable_bytes 65536", "fill 200 --words --seed 1"],
            &["fill 200 --words", "options set immutable_count_max 64", "fill 200 --words"],
            &["options set maintenance inline", "fill 200 --words"],
            &["options set immutable_count_max 40", "fill 100 --words; run; fill 100 --words"],
            &["options set memtable_bytes 1m; options set l0_stall 50", "fill 300"],
        ],
        &[
            (&["fill 200 --words --seed 1"], "No option differs"),
            (
                &[
                    "fill 50 --words; run",
                    "fill 50 --words; run",
                    "fill 50 --words; run",
                    "fill 50 --words; run",
                ],
                "No option differs",
            ),
            (&["options set immutable_count_max 64"], "Fewer than 200 writes"),
            (&["fill 200 --words", "options set immutable_count_max 64"], "Fewer than 200 writes"),
            (&["options set immutable_count_max 5", "fill 200 --words"], "A write stalled"),
            (&["options set immutable_count_max 64", "fill 150 --words"], "Fewer than 200"),
            (
                &["options set immutable_count_max 64; fill 200 --words; options set l0_stall 7"],
                "Fewer",
            ),
        ],
    );
}

#[test]
fn a_tiered_tree() {
    judged(
        "strategies",
        "tiered",
        &[
            &["options set strategy tiered", "fill 200 --words --seed 1", "run"],
            &["fill 200 --words", "options set strategy tiered", "run"],
            &["options set strategy tiered; fill 100 --words; run; fill 100; run"],
            &["fill 150 --words; options set strategy tiered; fill 50; run"],
            &["options set strategy tiered; fill 400 --words; run"],
            &[
                "options set strategy tiered",
                "options set memtable_bytes 64k",
                "fill 200 --words",
                "run",
            ],
        ],
        &[
            (&["fill 200 --words; run"], "The strategy is not tiered"),
            (&["options set strategy tiered", "fill 150 --words", "run"], "Fewer than 200 writes"),
            (&["options set strategy tiered", "fill 200 --words"], "An immutable memtable"),
            (
                &["options set strategy lazy-leveled; fill 200 --words; run"],
                "The strategy is not tiered",
            ),
            (&["options set strategy tiered", "run"], "Fewer than 200 writes"),
            (
                &[
                    "options set strategy tiered; fill 200 --words; run; options set strategy leveled",
                ],
                "The strategy is not tiered",
            ),
        ],
    );
}

#[test]
fn one_table_with_prefixes() {
    judged(
        "prefixes",
        "one",
        &[
            &["compact; run"],
            &["compact", "run"],
            &["put ann.3.logout web; flush; run", "compact; run"],
            &["compact 0; run"],
            &["prefix fay.", "compact; run"],
            &["flush; run", "compact; run", "compact 1; run"],
            &["options set prefix_filter off; compact; run"],
        ],
        &[
            (&["compact"], "There has to be exactly one table"),
            (&["put ann.3.logout web", "compact; run"], "A memtable still has entries"),
            (&["reset --yes; put a 1; flush; run"], "Some of the five events are gone"),
            (&["put fay.1.login web; flush; run", "compact; run"], "A scan of fay. reads a block"),
            (
                &["options set prefix_index none; options set prefix none", "compact; run"],
                "A scan of fay. reads a block",
            ),
            (
                &[
                    "options set prefix_index none; options set prefix none; compact; run; prefix fay.",
                ],
                "A scan of fay. reads a block, from the cache",
            ),
        ],
    );
}

#[test]
fn a_read_inside_and_one_outside() {
    judged(
        "together",
        "inside",
        &[
            &["begin; put stock 0; get stock"],
            &["begin", "put stock 0"],
            &["begin", "put stock 5", "put stock 0"],
            &["begin", "rollback", "begin", "put stock 0"],
            &["put stock 0", "put stock 1", "begin", "put stock 0"],
            &["begin --serializable", "get stock", "put stock 0"],
        ],
        &[
            (&["begin"], "A read inside the transaction does not find 0"),
            (&["put stock 0"], "A read outside does not find 1"),
            (&["begin; rollback"], "A read inside the transaction"),
            (&["begin; put stock 0; commit"], "A read outside does not find 1"),
            (&["begin; put stock 0; rollback"], "A read inside the transaction"),
            (&["begin; del stock"], "A read inside the transaction"),
        ],
    );
}

#[test]
fn a_transaction_undone() {
    judged(
        "together",
        "undo",
        &[
            &["rollback"],
            &["get stock", "rollback"],
            &["put stock 3", "rollback"],
            &["transactions", "rollback"],
            &["begin", "rollback", "rollback 1"],
        ],
        &[
            (&["commit"], "The stock is not 1"),
            (&["commit; put stock 1"], "A transaction was committed"),
            (&["put stock 1"], "A transaction is still open"),
            (&["put stock 1; commit"], "A transaction was committed"),
            (&["begin", "rollback"], "A transaction is still open"),
            (&["get stock"], "A transaction is still open"),
        ],
    );
}

#[test]
fn a_fresh_start_is_offered_after_more_commands_than_a_solution_has() {
    let (mut tutor, _) = at("power", "risk");
    let task = task_of(&tutor.lesson().expect("a lesson"), "risk");
    assert!(task.missing.is_empty() && !task.starts_over, "nothing was typed");
    let task = tried(&mut tutor, "risk", &["put a 1 --sync off"]);
    assert!(!task.missing.is_empty() && !task.starts_over, "{task:?}");
    let task = tried(&mut tutor, "risk", &["put b 2; put c 3", "put d 4"]);
    assert!(task.starts_over, "{task:?}");
    done(&mut tutor, "lesson back");
    let task = task_of(&tutor.lesson().expect("a lesson"), "risk");
    assert!(task.missing.is_empty() && !task.starts_over, "{task:?}");
}
