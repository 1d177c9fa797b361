//! The lessons of the library: every claim holds, in memory and on real files, and every claim counts.

use super::{complaints, in_memory, in_slices, library, on_files};
use levelscope_console::lesson::{check, outline, parse};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

#[test]
fn every_claim_holds_in_memory_and_on_files() {
    let mut outlines = String::new();
    for (name, text) in library() {
        let lesson = parse(&text).unwrap_or_else(|wrong| panic!("{name}: {wrong:?}"));
        assert!(name.ends_with(&format!("-{}", lesson.head.id)), "{name} has another id");
        let report = check(&lesson, &mut in_memory);
        assert!(report.complaints.is_empty(), "{name}: {:#?}", report.complaints);
        assert_eq!(on_files(&lesson, &name), report, "{name} has other answers on files");
        assert_eq!(check(&lesson, &mut in_slices), report, "{name} has other answers in slices");
        let _ = writeln!(outlines, "{}", outline(&lesson, &report));
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/lessons.out");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&golden, &outlines).expect("the file can be written");
    }
    let expected = fs::read_to_string(&golden).unwrap_or_default();
    assert!(outlines == expected, "UPDATE=1 accepts this:\n{outlines}");
}

#[test]
fn a_mark_on_another_choice_is_noticed() {
    for (name, text) in library() {
        let lines: Vec<&str> = text.lines().collect();
        let marks = (0..lines.len()).filter(|at| lines[*at].starts_with("(x) "));
        for mark in marks {
            // The first other choice of the same question.
            let begin = lines[..mark]
                .iter()
                .rposition(|line| line.starts_with("ask "))
                .expect("a question");
            let end = mark + lines[mark..].iter().position(|line| *line == "```").expect("its end");
            let other =
                (begin..end).find(|at| lines[*at].starts_with("( ) ")).expect("another choice");
            let mut moved: Vec<String> = lines.iter().map(ToString::to_string).collect();
            moved[mark] = lines[mark].replacen("(x)", "( )", 1);
            moved[other] = lines[other].replacen("( )", "(x)", 1);
            let found = complaints(&(moved.join("\n") + "\n"));
            let answer = format!("the engine's answer is that of line {}", mark + 1);
            let noticed = found
                .iter()
                .any(|line| line.starts_with(&format!("{begin}: ")) && line.contains(&answer));
            assert!(noticed, "{name}, line {}: {found:?}", mark + 1);
        }
    }
}

#[test]
fn a_number_changed_by_one_is_noticed() {
    for (name, text) in library() {
        let lines: Vec<&str> = text.lines().collect();
        for at in 0..lines.len() {
            let Some(number) =
                lines[at].strip_prefix("= ").and_then(|text| text.parse::<i64>().ok())
            else {
                continue;
            };
            for other in [number - 1, number + 1] {
                let mut changed: Vec<String> = lines.iter().map(ToString::to_string).collect();
                changed[at] = format!("= {other}");
                let found = complaints(&(changed.join("\n") + "\n"));
                let expected =
                    format!("{}: the lesson expects {other}, the engine returns {number}", at + 1);
                assert!(found.contains(&expected), "{name}: {found:?}");
            }
        }
    }
}

#[test]
fn a_claim_turned_around_is_noticed() {
    for (name, text) in library() {
        let lines: Vec<&str> = text.lines().collect();
        let block = |at: usize| {
            lines[..at].iter().rfind(|line| line.ends_with(':') && !line.starts_with(' '))
        };
        for at in 0..lines.len() {
            let is_claim = lines[at].contains("-> ") && lines[at].contains(" == ");
            if !is_claim || !block(at).is_some_and(|kind| ["run:", "check:"].contains(kind)) {
                continue;
            }
            let mut turned: Vec<String> = lines.iter().map(ToString::to_string).collect();
            turned[at] = lines[at].replace(" == ", " != ");
            let found = complaints(&(turned.join("\n") + "\n"));
            let noticed = found.iter().any(|line| line.starts_with(&format!("{}: ", at + 1)));
            assert!(noticed, "{name}, line {}: {found:?}", at + 1);
        }
    }
}
