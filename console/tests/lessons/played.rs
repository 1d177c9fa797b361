//! The lessons of the library, played as a learner does: line by line, right, wrong and astray.

use super::OneHost;
use super::text::Random;
use levelscope::Options;
use levelscope::storage::MemoryStorage;
use levelscope_console::lesson::{Answer, LIBRARY, Lesson, Tutor, What, parse};
use levelscope_console::result::{
    LessonItem, LessonKind, LessonOutcome, LessonPart, LessonQuestion, LessonState, LessonWaits,
};
use levelscope_console::{Progress, Response};
use std::sync::Arc;

pub(super) fn tutor() -> Tutor {
    let disk = MemoryStorage::default();
    let host = OneHost { storage: Arc::new(disk.clone()), disk: Some(disk), in_slices: true };
    let mut tutor = Tutor::new(Arc::new(host));
    tutor.console_mut().open(Options::default()).expect("the database opens");
    tutor
}

pub(super) fn typed(tutor: &mut Tutor, line: &str) -> Response {
    tutor.start(line);
    loop {
        match tutor.advance(64) {
            Progress::Done(response) => return response,
            Progress::More { .. } => {}
            other => panic!("{line}: {other:?}"),
        }
    }
}

pub(super) fn done(tutor: &mut Tutor, line: &str) -> LessonState {
    let response = typed(tutor, line);
    assert_eq!(response.error, None, "{line}");
    tutor.lesson().expect("a lesson is at work")
}

/// The author's answer, by the name of the question.
fn mark(lesson: &Lesson, name: &str) -> Option<String> {
    lesson.items().find_map(|item| match &item.what {
        What::Ask(ask) if ask.name == name => match &ask.answer {
            Answer::Choices(choices) => {
                choices.iter().position(|choice| choice.marked).map(|at| (at + 1).to_string())
            }
            Answer::Value { expected, .. } => expected.as_ref().map(|(_, text)| text.clone()),
        },
        _ => None,
    })
}

fn solution(lesson: &Lesson, name: &str) -> Vec<String> {
    let task = lesson.items().find_map(|item| match &item.what {
        What::Try(task) if task.name == name => Some(task),
        _ => None,
    });
    task.expect("the task").solution.iter().map(|(_, line)| line.clone()).collect()
}

fn questions(state: &LessonState) -> Vec<&LessonQuestion> {
    let parts = state.items.iter().map(|item| &item.what);
    parts
        .filter_map(|part| match part {
            LessonPart::Ask(question) => Some(question),
            _ => None,
        })
        .collect()
}

fn nothing_is_wrong(state: &LessonState) {
    for item in &state.items {
        if let LessonPart::Run { wrong, .. } | LessonPart::Check { wrong, .. } = &item.what {
            assert_eq!(wrong, &Vec::<String>::new(), "{} at {}", state.head.id, state.at);
        }
    }
}

/// One step of a learner; `right`: who answers as the author does.
fn step(tutor: &mut Tutor, lesson: &Lesson, state: &LessonState, right: bool) -> LessonState {
    match &state.waits {
        LessonWaits::Read { .. } => done(tutor, "next"),
        LessonWaits::Typed { line } => {
            let response = typed(tutor, if right { line } else { "next" });
            // Some lines are to fail.
            let error = response.error.map(|error| error.kind);
            assert!(error.is_none_or(|kind| kind != "usage"), "at {}", state.at);
            tutor.lesson().expect("a lesson is at work")
        }
        LessonWaits::Answered { name } => {
            let question = questions(state).into_iter().find(|it| it.name == *name);
            let question = question.expect("the question is shown");
            assert_eq!((&question.given, &question.revealed), (&None, &None));
            let expected = mark(lesson, name).unwrap_or_else(|| "?".into());
            let other = if question.choices.is_empty() || expected == "1" { "2" } else { "1" };
            done(tutor, &format!("answer {}", if right { &expected } else { other }))
        }
        LessonWaits::Done { name } => {
            if !right {
                return done(tutor, "next --skip");
            }
            for line in solution(lesson, name) {
                done(tutor, &line);
            }
            let state = tutor.lesson().expect("a lesson is at work");
            let is_done = state.items.iter().any(|item| {
                matches!(&item.what, LessonPart::Try(task)
                    if task.name == *name && task.outcome == Some(LessonOutcome::Done))
            });
            assert!(is_done, "the solution of {name} in {} does it: {state:#?}", state.head.id);
            state
        }
        LessonWaits::Over {} => panic!("the lesson is over"),
    }
}

/// Plays a lesson to its end; the states on the way.
fn play(tutor: &mut Tutor, text: &str, right: bool) -> Vec<LessonState> {
    let lesson = parse(text).expect("a lesson");
    let mut states = vec![done(tutor, &format!("lesson start {}", lesson.head.id))];
    while let Some(state) = states.last()
        && state.waits != (LessonWaits::Over {})
    {
        assert!(states.len() < 400, "{} does not end", lesson.head.id);
        let next = step(tutor, &lesson, state, right);
        nothing_is_wrong(&next);
        for question in questions(&next) {
            let Some(revealed) = &question.revealed else { continue };
            let marked = mark(&lesson, &question.name);
            let expected = marked.map(|_| right);
            assert!(
                revealed.right == expected || expected.is_none() || !right,
                "{}: {question:?}",
                lesson.head.id
            );
        }
        states.push(next);
    }
    states
}

#[test]
fn every_lesson_is_played_to_its_end_right_and_wrong() {
    for text in LIBRARY {
        for right in [true, false] {
            let mut tutor = tutor();
            typed(&mut tutor, "put own 1");
            let before = tutor.own().state_hash().expect("a hash");
            let states = play(&mut tutor, text, right);
            let last = states.last().expect("a state");
            assert_eq!(last.at, last.end, "{}", last.head.id);
            assert!(typed(&mut tutor, "leave").error.is_none());
            assert!(tutor.lesson().is_none());
            assert_eq!(tutor.own().state_hash().expect("a hash"), before, "{}", last.head.id);
            assert_eq!(typed(&mut tutor, "get own").result()["value"], "1");
        }
    }
}

#[test]
fn a_lesson_is_resumed_where_it_was_left() {
    for text in LIBRARY {
        let states = play(&mut tutor(), text, false);
        for state in states.iter().filter(|state| !matches!(state.waits, LessonWaits::Over {})) {
            let line = format!("lesson start {} --at {}", state.head.id, state.at);
            let again = done(&mut tutor(), &line);
            nothing_is_wrong(&again);
            // At the end of a scene the next one begins.
            if again.scene == state.scene {
                assert_eq!(again.at, state.at, "{line}");
                // Answers and reveals come once more.
                let same = again.waits == state.waits;
                assert!(!same || again.items.len() == state.items.len(), "{line}");
            } else {
                assert_eq!(again.scene, state.scene + 1, "{line}");
            }
        }
    }
}

#[test]
fn commands_of_ones_own_are_dropped_on_the_way_back() {
    for text in LIBRARY {
        let lesson = parse(text).expect("a lesson");
        let mut tutor = tutor();
        let mut state = done(&mut tutor, &format!("lesson start {}", lesson.head.id));
        while state.waits != (LessonWaits::Over {}) {
            let is_task = matches!(state.waits, LessonWaits::Done { .. });
            let before = tutor.console().state_hash().expect("a hash");
            done(&mut tutor, "put astray 1; flush; run");
            assert_eq!(tutor.lesson().expect("a lesson").strayed, !is_task, "{}", state.at);
            let back = done(&mut tutor, "lesson back");
            assert!(!back.strayed);
            assert_eq!(tutor.console().state_hash().expect("a hash"), before, "{}", state.at);
            assert_eq!((back.at, &back.waits), (state.at, &state.waits), "{}", lesson.head.id);
            // Going on without the way back drops them, too.
            if matches!(back.waits, LessonWaits::Read { .. } | LessonWaits::Typed { .. }) {
                done(&mut tutor, "put astray 1; flush; run");
            }
            state = step(&mut tutor, &lesson, &back, false);
            nothing_is_wrong(&state);
            assert!(!state.strayed, "{} at {}", lesson.head.id, state.at);
        }
    }
}

#[test]
fn looking_at_the_database_is_no_way_of_ones_own() {
    let mut forgiven = 0;
    for text in LIBRARY {
        let lesson = parse(text).expect("a lesson");
        let mut tutor = tutor();
        let mut state = done(&mut tutor, &format!("lesson start {}", lesson.head.id));
        while state.waits != (LessonWaits::Over {}) {
            done(&mut tutor, "get apple; lsm; scan; files");
            let seen = tutor.lesson().expect("a lesson");
            forgiven += usize::from(!seen.strayed);
            // Going on is right, also where the lesson depends on earlier reads.
            state = step(&mut tutor, &lesson, &seen, false);
            nothing_is_wrong(&state);
        }
    }
    assert!(forgiven > 100, "{forgiven}");
}

#[test]
fn a_note_for_the_presenter_is_never_all_that_is_new() {
    for text in LIBRARY {
        let states = play(&mut tutor(), text, true);
        for [before, after] in states.array_windows() {
            let is_note = |item: &LessonItem| matches!(item.what, LessonPart::Note { .. });
            let new = after.items.iter().filter(|item| !before.items.contains(item));
            let new: Vec<_> = new.collect();
            let only_notes = !new.is_empty() && new.iter().all(|item| is_note(item));
            let reads = |state: &LessonState| matches!(state.waits, LessonWaits::Read { .. });
            let is_empty =
                only_notes && before.scene == after.scene && reads(before) && reads(after);
            assert!(!is_empty, "{} at {}", after.head.id, after.at);
        }
    }
}

#[test]
fn a_line_may_be_typed_in_parts_and_in_other_words() {
    let mut tutor = tutor();
    done(&mut tutor, "lesson start deleting");
    let state = done(&mut tutor, "next");
    let LessonWaits::Typed { line } = &state.waits else { panic!("{state:?}") };
    assert_eq!(line, "put apple red; put fig green; put pear yellow");
    let state = done(&mut tutor, "put  \"apple\"   red");
    let rest = LessonWaits::Typed { line: "put fig green; put pear yellow".into() };
    assert_eq!((&state.waits, state.strayed), (&rest, false));
    let state = done(&mut tutor, "put fig green;put pear yellow");
    assert_eq!(state.waits, LessonWaits::Typed { line: "flush; run".into() });
}

#[test]
fn misplaced_commands_are_refused_with_advice() {
    let mut tutor = tutor();
    for (line, message) in [
        ("next", "no lesson is at work"),
        ("leave", "no lesson is at work"),
        ("lesson start nothing", "there is no lesson nothing"),
    ] {
        let error = typed(&mut tutor, line).error.expect("a failure");
        assert_eq!(error.message, message);
        assert!(error.hint.is_some(), "{line}");
    }
    done(&mut tutor, "lesson start deleting");
    let error = typed(&mut tutor, "hint").error.expect("a failure");
    assert_eq!(error.message, "there are hints for tasks only, and no task waits to be done");
    assert!(typed(&mut tutor, "answer 1").error.is_some());
    let list = typed(&mut tutor, "lesson").result();
    assert_eq!(list.as_array().map(Vec::len), Some(LIBRARY.len()));
}

#[test]
fn completion_offers_the_lessons_of_the_library() {
    let offered = tutor().complete("lesson start ", 13);
    let offered: Vec<String> = offered.into_iter().map(|item| item.text).collect();
    let ids = LIBRARY.iter().map(|text| parse(text).expect("a lesson").head.id);
    let mut ids: Vec<String> = ids.collect();
    ids.sort();
    let mut sorted = offered;
    sorted.sort();
    assert_eq!(sorted, ids);
}

#[test]
fn a_dropped_text_is_played_or_its_mistakes_are_listed() {
    let mut tutor = tutor();
    tutor.start_text("mine.md", "no lesson");
    let Progress::Done(response) = advance_to_end(&mut tutor) else { panic!("it ends") };
    let error = response.error.expect("a failure");
    assert!(error.message.starts_with("mine.md:1: a lesson begins with ---"), "{}", error.message);
    assert!(tutor.lesson().is_none());
    tutor.start_text("mine.md", LIBRARY[0]);
    let Progress::Done(response) = advance_to_end(&mut tutor) else { panic!("it ends") };
    assert_eq!(response.error, None);
    assert_eq!(tutor.lesson().expect("a lesson").head.id, "log");
}

fn advance_to_end(tutor: &mut Tutor) -> Progress {
    loop {
        match tutor.advance(64) {
            Progress::More { .. } => {}
            other => return other,
        }
    }
}

#[test]
fn whatever_is_typed_in_a_lesson_the_own_database_stays_as_it_is() {
    const LINES: &[&str] = &[
        "next",
        "next",
        "next",
        "next --skip",
        "answer 1",
        "answer 2",
        "answer ?",
        "answer 99",
        "hint",
        "lesson back",
        "lesson",
        "put a 1",
        "flush; run",
        "step",
        "crash",
        "branch main",
        "fork 3",
        "reset --yes",
        "options set maintenance inline",
        "break before flush.install",
        "goto 2",
        "now",
        "until before flush.install",
        "next; next",
        "exit",
        "nonsense",
    ];
    let given = std::env::var("LEVELSCOPE_SEED").ok().and_then(|seed| seed.parse().ok());
    let seeds = given.map_or(0..24, |seed: u64| seed..seed + 1);
    for seed in seeds {
        println!("LEVELSCOPE_SEED={seed}");
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let mut tutor = tutor();
        typed(&mut tutor, "put own 1; flush; run");
        let before = tutor.own().state_hash().expect("a hash");
        for _ in 0..120 {
            let ids = LIBRARY.iter().map(|text| parse(text).expect("a lesson").head.id);
            let line = if tutor.lesson().is_none() || random.below(40) == 0 {
                let id = ids.clone().nth(random.below(LIBRARY.len())).expect("an id");
                format!("lesson start {id} --at {}", random.below(60))
            } else {
                LINES[random.below(LINES.len())].to_owned()
            };
            typed(&mut tutor, &line);
        }
        typed(&mut tutor, "leave");
        assert_eq!(tutor.own().state_hash().expect("a hash"), before, "seed {seed}");
    }
}

#[test]
fn every_question_can_be_asked_again_without_its_scene() {
    let mut tutor = tutor();
    let own = tutor.own().state_hash().expect("a state");
    let mut asked = 0;
    for text in LIBRARY {
        let lesson = parse(text).expect("the lesson is sound");
        let names = lesson.items().filter_map(|item| match &item.what {
            What::Ask(ask) => Some(ask.name.clone()),
            _ => None,
        });
        for name in names.collect::<Vec<_>>() {
            let line = format!("lesson recap {} {name}", lesson.head.id);
            let state = done(&mut tutor, &line);
            assert_eq!(state.kind, LessonKind::Recap);
            assert_eq!(state.waits, LessonWaits::Answered { name: name.clone() }, "{line}");
            assert_eq!((state.items.len(), questions(&state).len()), (1, 1), "{line}");
            assert!(questions(&state)[0].revealed.is_none(), "{line}");
            let answer = mark(&lesson, &name).unwrap_or_else(|| "?".into());
            let state = done(&mut tutor, &format!("answer {answer}"));
            let revealed = questions(&state)[0].revealed.clone().expect("the engine has answered");
            assert_ne!(revealed.right, Some(false), "{line}: {revealed:?}");
            assert_eq!(state.waits, LessonWaits::Over {}, "{line}");
            asked += 1;
        }
    }
    assert!(asked > 40, "{asked}");
    // The lesson itself is not the question that was asked again.
    done(&mut tutor, "lesson recap log records");
    let state = done(&mut tutor, "lesson start log");
    assert!(state.kind == LessonKind::Lesson && state.at < 3, "{state:?}");
    typed(&mut tutor, "leave");
    assert_eq!(tutor.own().state_hash().expect("a state"), own);
    let response = typed(&mut tutor, "lesson recap deleting sice");
    assert!(response.error.is_some_and(|error| error.message.contains("no question sice")));
}
