//! `levelscope lesson tally`: answer sheets, counted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn tally(sheets: &[PathBuf]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_levelscope"));
    program.args(["lesson", "tally"]).args(sheets).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// A directory of its own.
fn directory(name: &str) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("levelscope-{name}-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("a directory");
    directory
}

#[test]
fn a_sheet_of_the_page_is_counted() {
    let sheet = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/answers.json");
    let output = tally(&[sheet]);
    assert!(output.status.success());
    let lines = [
        "1 sheet",
        "deleting, size: 1 answer, 0 right; it is: They grow.",
        "    1 × They \"shrink\", at once.",
        "deleting, left: 1 answer, 0 right; it is: 2",
        "    1 × (I do not know)",
        "log, entries: 1 answer, 1 right; it is: 3",
        "",
    ];
    assert_eq!(text(&output.stdout), lines.join("\n"));
}

#[test]
fn the_question_with_most_wrong_answers_comes_first() {
    let directory = directory("tally");
    let sheet = |number: u32| {
        // Of thirty, ten are wrong about the first question and twenty about the second, in two ways.
        let hard = number.is_multiple_of(3);
        let easy = !hard;
        let words = if number.is_multiple_of(2) { "No." } else { "\u{1b}[31mNever." };
        serde_json::json!({ "answerSheet": 1, "name": "", "answers": [
            { "lesson": "log", "text": 7, "question": "easy", "given": "1", "said": "Yes.",
              "engine": "Yes.", "right": easy },
            { "lesson": "log", "text": 7, "question": "hard", "given": "2", "said": words,
              "engine": "Yes.", "right": hard },
        ] })
    };
    let sheets = (0..30).map(|number| {
        let path = directory.join(format!("{number}.json"));
        fs::write(&path, sheet(number).to_string()).expect("a file");
        path
    });
    let mut sheets: Vec<PathBuf> = sheets.collect();
    let output = tally(&sheets);
    assert!(output.status.success());
    let printed = text(&output.stdout);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[0], "30 sheets");
    assert_eq!(lines[1], "log, hard: 30 answers, 10 right; it is: Yes.");
    assert!(lines[2].starts_with("   10 × ") && lines[3].starts_with("   10 × "), "{printed}");
    assert_eq!(lines[4], "log, easy: 30 answers, 20 right; it is: Yes.");
    assert_eq!(lines[5], "   10 × Yes.");
    assert!(!printed.contains('\u{1b}'), "what a sheet holds cannot steer a terminal");
    // Answers to another text of the lesson are counted apart.
    let other =
        fs::read_to_string(&sheets[0]).expect("a sheet").replace("\"text\":7", "\"text\":8");
    let path = directory.join("later.json");
    fs::write(&path, other).expect("a file");
    let apart = text(&tally(&[sheets[0].clone(), path]).stdout);
    for version in ["00000007", "00000008"] {
        assert!(apart.contains(&format!("log, easy (text {version}): 1 answer,")), "{apart}");
    }
    // A sheet that cannot be counted is left out, with its reason.
    for (name, content, why) in [
        ("cut", "{\"answerSheet\": 1, ", "it is no JSON (line 1)"),
        (
            "other",
            "{\"answerSheet\": 2, \"answers\": []}",
            "its form is 2, and this program reads 1",
        ),
        ("none", "[1]", "it is no answer sheet"),
        ("odd", "{\"answerSheet\": 1, \"answers\": [7]}", "its answer 1 is damaged"),
    ] {
        let path = directory.join(format!("{name}.json"));
        fs::write(&path, content).expect("a file");
        let left_out = tally(&[sheets[0].clone(), path.clone()]);
        assert!(!left_out.status.success());
        assert!(text(&left_out.stderr).contains(why), "{name}: {}", text(&left_out.stderr));
        assert!(text(&left_out.stdout).starts_with("1 sheet\n"));
        sheets.push(path);
    }
    let _ = fs::remove_dir_all(&directory);
}
