//! The tasks of the library: each way that fulfils the text is accepted, and no other. Each way begins where its task begins.

mod first_half;
mod second_half;

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

#[test]
fn a_lesson_begins_by_its_id_or_number() {
    for line in ["lesson rotation", "lesson 2", "lesson start 2", "lesson start rotation"] {
        assert_eq!(done(&mut tutor(), line).head.id, "rotation", "{line}");
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
    let mut found = parts.filter_map(|part| match part {
        LessonPart::Try(task) if task.name == name => Some(task.clone()),
        _ => None,
    });
    found.next_back().expect("the task is shown")
}

/// What is missing, in words.
fn missing_words(task: &LessonTask) -> Vec<String> {
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
        let missing = missing_words(&task);
        assert_eq!(task.outcome, Some(LessonOutcome::Done), "{lesson}: {way:?}: {missing:?}");
        assert!(task.missing.is_empty());
    }
    for (way, missing) in wrong {
        done(&mut tutor, &begin);
        let task = tried(&mut tutor, task, way);
        let words = missing_words(&task);
        assert_eq!(task.outcome, None, "{lesson}: {way:?} is no way");
        let first = words.first().map_or("", String::as_str);
        assert!(first.starts_with(missing), "{lesson}: {way:?}: {words:?}");
    }
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
