//! Scripts that were shared, as a page opens them: in a database of their own, checked line by line, bounded.

use super::OneHost;
use levelscope::Options;
use levelscope::storage::MemoryStorage;
use levelscope_console::lesson::Tutor;
use levelscope_console::result::{LessonKind, LessonPart, LessonState, LessonWaits};
use levelscope_console::{Failure, Progress, Response};
use std::sync::Arc;

fn tutor() -> Tutor {
    let disk = MemoryStorage::default();
    let host = OneHost { storage: Arc::new(disk.clone()), disk: Some(disk), in_slices: true };
    let mut tutor = Tutor::new(Arc::new(host));
    tutor.console_mut().open(Options::default()).expect("the database opens");
    typed(&mut tutor, "put own data");
    tutor
}

fn finish(tutor: &mut Tutor) -> Response {
    loop {
        match tutor.advance(64) {
            Progress::Done(response) => return response,
            Progress::More { .. } => {}
            other => panic!("{other:?}"),
        }
    }
}

fn typed(tutor: &mut Tutor, line: &str) -> Response {
    tutor.start(line);
    finish(tutor)
}

fn opened(tutor: &mut Tutor, text: &str, runs: bool) -> Result<LessonState, Failure> {
    tutor.start_shared(text, runs);
    match finish(tutor).error {
        Some(failure) => Err(failure),
        None => Ok(tutor.lesson().expect("the script is at work")),
    }
}

fn ran(state: &LessonState) -> (usize, Vec<u64>, Vec<String>) {
    let part = state.items.iter().find_map(|item| match &item.what {
        LessonPart::Run { ran, ends, wrong, .. } => Some((*ran, ends.clone(), wrong.clone())),
        _ => None,
    });
    part.unwrap_or_default()
}

#[test]
fn a_script_runs_in_a_database_of_its_own() {
    let mut tutor = tutor();
    let own = tutor.own().state_hash().expect("a state");
    let script = "# levelscope 1 classroom wal_buffer_bytes=65536\nput apple red; put fig green\nflush; run\nget fig\n";
    let state = opened(&mut tutor, script, true).expect("it opens");
    assert!(
        state.kind == LessonKind::Script && matches!(state.waits, LessonWaits::Over {}),
        "{state:?}"
    );
    let (count, ends, wrong) = ran(&state);
    assert_eq!((count, ends.len(), wrong), (3, 3, Vec::new()));
    assert!(ends.is_sorted() && ends[2] == tutor.console().steps(), "{ends:?}");
    assert_eq!(typed(&mut tutor, "get apple").result()["value"], "red");
    assert!(typed(&mut tutor, "get own").result()["value"].is_null());
    assert_eq!(tutor.own().state_hash().expect("a state"), own);
    typed(&mut tutor, "leave");
    assert_eq!(typed(&mut tutor, "get own").result()["value"], "data");
}

#[test]
fn line_by_line_nothing_runs_before_it_is_asked_for() {
    let mut tutor = tutor();
    let mut state = opened(&mut tutor, "put a 1\nbatch {\n put b 2\n del a\n}\nget b", false)
        .expect("it opens");
    for (at, line) in ["put a 1", "batch {\n put b 2\n del a\n}", "get b"].iter().enumerate() {
        assert_eq!(ran(&state).0, at);
        assert_eq!(state.waits, LessonWaits::Typed { line: (*line).to_owned() });
        assert_eq!(typed(&mut tutor, "next").error, None);
        state = tutor.lesson().expect("the script is at work");
    }
    assert_eq!(ran(&state).0, 3);
    assert_eq!(typed(&mut tutor, "get b").result()["value"], "2");
}

#[test]
fn a_command_that_fails_is_part_of_the_story() {
    let mut tutor = tutor();
    let state = opened(&mut tutor, "put a 1\ncommit 9\nput b 2", true).expect("it opens");
    assert_eq!((ran(&state).0, ran(&state).2), (3, Vec::new()));
}

#[test]
fn what_a_stranger_must_not_type_is_refused_before_anything_runs() {
    let mut tutor = tutor();
    let before = tutor.console().state_hash().expect("a state");
    for (script, why) in [
        ("export", "export may not stand in a lesson"),
        ("put a 1\nimport x", "line 2: import may not stand in a lesson"),
        ("open https://example.org", "open may not stand in a lesson"),
        ("leave", "leave may not stand in a lesson"),
        ("lesson start log", "lesson may not stand in a lesson"),
        ("next", "next may not stand in a lesson"),
        ("share", "share may not stand in a lesson"),
        ("play", "play may not stand in a shared script"),
        ("clear", "clear may not stand in a shared script"),
        ("bench", "bench may not stand in a lesson"),
        ("exit", "exit may not stand in a lesson"),
        ("lab L4 --records 1000000", "at most 20,000 records"),
        ("put a \u{202e}b", "U+202E cannot be seen"),
        ("put a 1 \u{7}", "U+0007 cannot be seen"),
        ("sesame", "there is no command sesame"),
        ("put \"a", "is not finished"),
        ("", "the script has no command"),
        ("# levelscope 1 classroom maintenance=threads:2\nput a 1", "no background threads"),
        ("# levelscope 1 classroom memtable_bytes=99g\nput a 1", "memtable_bytes is"),
        ("# levelscope 7\nput a 1", "version 7"),
    ] {
        let failure = opened(&mut tutor, script, true).expect_err(script);
        assert!(failure.message.contains(why), "{script}: {}", failure.message);
        assert!(!tutor.is_in_lesson(), "{script}");
    }
    assert_eq!(tutor.console().state_hash().expect("a state"), before);
}

#[test]
fn a_script_that_takes_too_long_ends_with_a_sentence() {
    for (script, why) in [
        // With tables of the usual size: so many units on the smallest ones take six times as long.
        ("# levelscope 1 default\nput a 1\nfill 2g\nput b 2", "more than 200,000 units of work"),
        ("put a 1\nfill 100000 --value-size 1m", "more than 64.0 MiB"),
        (
            "# levelscope 1 classroom memtable_bytes=1g\nput a 1\nfill 100000 --value-size 1m",
            "more than 64.0 MiB",
        ),
    ] {
        let mut tutor = tutor();
        let state = match opened(&mut tutor, script, true) {
            Ok(state) => state,
            Err(failure) => panic!("{script}: {}", failure.message),
        };
        let (count, _, wrong) = ran(&state);
        assert_eq!((count, wrong.len()), (1, 1), "{state:?}");
        assert!(wrong[0].contains(why), "{wrong:?}");
        assert!(matches!(state.waits, LessonWaits::Over {}));
        assert_eq!(typed(&mut tutor, "leave").error, None);
        assert_eq!(typed(&mut tutor, "get own").result()["value"], "data");
    }
}

#[test]
fn a_script_that_is_stopped_waits_for_its_next_line() {
    let mut tutor = tutor();
    tutor.start_shared("fill 5000\nput b 2\nput c 3", true);
    for _ in 0..20 {
        assert!(matches!(tutor.advance(64), Progress::More { .. }));
    }
    tutor.cancel();
    assert_eq!(finish(&mut tutor).error, None);
    let state = tutor.lesson().expect("the script is at work");
    assert_eq!(ran(&state).0, 1);
    assert_eq!(state.waits, LessonWaits::Typed { line: "put b 2".into() });
    typed(&mut tutor, "leave");
    assert_eq!(typed(&mut tutor, "get own").result()["value"], "data");
}

#[test]
fn a_million_lines_and_any_text_are_a_failure_or_a_script() {
    let mut tutor = tutor();
    let long = "get a\n".repeat(1_000_000);
    let failure = opened(&mut tutor, &long, false).expect_err("it is too long");
    assert!(failure.message.contains("at most 64.0 KiB"), "{}", failure.message);
    let mut random = super::text::Random(7);
    let words = [
        "put",
        "a",
        "\"",
        "{",
        "}",
        ";",
        "\n",
        "#",
        "levelscope",
        "1",
        "\\",
        "=",
        "flush",
        "0x",
        "\u{1f98a}",
    ];
    for _ in 0..2_000 {
        let count = random.below(12);
        let text: Vec<&str> = (0..count).map(|_| words[random.below(words.len())]).collect();
        let text = text.join(if random.below(2) == 0 { " " } else { "" });
        let _ = opened(&mut tutor, &text, false);
    }
}

#[test]
fn it_is_left_from_the_past_as_well() {
    let mut tutor = tutor();
    opened(&mut tutor, "put a 1\nput b 2\n", true).expect("it runs");
    assert!(tutor.is_in_lesson());
    tutor.instead().start_at("leave", 2);
    assert_eq!(finish(&mut tutor).error, None);
    assert!(tutor.lesson().is_none() && !tutor.is_in_lesson());
}

#[test]
fn characters_that_cannot_be_seen_are_refused_in_scripts() {
    for code in [0x61c, 0x115f, 0x180e, 0x200b, 0x202e, 0x2800, 0x3164, 0xfe0f, 0xfff9, 0xe0041] {
        let hidden = char::from_u32(code).expect("a character");
        let mut tutor = tutor();
        let text = format!("put a x{hidden}y\n");
        let why = opened(&mut tutor, &text, true).expect_err("it is refused").message;
        assert!(why.contains(&format!("U+{code:04X}")), "{why}");
    }
}
