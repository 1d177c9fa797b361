//! Any text is a lesson or has complaints, and a lesson printed is the same lesson.

use super::library;
use levelscope_console::lesson::{BYTES_MAX, COMPLAINTS_MAX, parse};
use std::fs;
use std::path::Path;

/// A small generator of random numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit.max(1) as u64).unwrap_or(0)
    }
}

/// Parses, and where that is a lesson, prints it and parses it again. Whether it is one.
fn tried(text: &str) -> bool {
    match parse(text) {
        Ok(lesson) => {
            let printed = lesson.to_string();
            // Each character may take a backslash.
            if printed.len() > BYTES_MAX {
                return true;
            }
            match parse(&printed) {
                Ok(again) => assert!(again == lesson, "printed:\n{printed}\nof:\n{text}"),
                Err(wrong) => panic!("{wrong:?} in:\n{printed}\nof:\n{text}"),
            }
            true
        }
        Err(complaints) => {
            assert!(!complaints.is_empty() && complaints.len() <= COMPLAINTS_MAX);
            let lines = text.lines().count().max(1);
            for complaint in &complaints {
                let line = usize::try_from(complaint.line).unwrap_or(usize::MAX);
                assert!((1..=lines).contains(&line), "{complaint:?} of {lines} lines:\n{text}");
                assert!(!complaint.message.chars().any(char::is_control), "{complaint:?}");
            }
            false
        }
    }
}

#[test]
fn a_lesson_printed_is_the_same_lesson() {
    for (name, text) in library() {
        assert!(tried(&text), "{name} is no lesson");
        assert!(tried(&text.replace('\n', "\r\n")), "{name} with the line ends of Windows");
    }
}

#[test]
fn fewer_spaces_than_an_indent_mean_nothing() {
    let task = " done\n    count -> entries == 1\n    else No pair.\nsolution\n    put a 1";
    let text = |lines: &str| format!("{HEAD}```levelscope\ntry t:\n{lines}\n```\n");
    assert!(tried(&text(&format!(" Do it.\n{task}"))));
    assert!(!tried(&text(task)));
}

/// The seed decides which ones: seven of them take all.
#[test]
fn prefixes_of_a_lesson_are_answered() {
    let first = usize::try_from(seed() % 7).unwrap_or(0);
    for (_, text) in library() {
        for (end, _) in text.char_indices().skip(first).step_by(7) {
            tried(&text[..end]);
        }
    }
}

/// The seed that is asked for.
fn seed() -> u64 {
    let given = std::env::var("LEVELSCOPE_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or(0x1e55);
    println!("LEVELSCOPE_SEED={seed}");
    seed
}

const PARTS: &[&str] = &[
    "---",
    "## ",
    "# ",
    "- ",
    "1. ",
    "> ",
    ">",
    "```levelscope",
    "```",
    "run:",
    "check:",
    "ask a:",
    "ask b, a number:",
    "ask c, a word:",
    "try t:",
    "show: table:1",
    "show:",
    "start:",
    "preset classroom",
    "done",
    "hint ",
    "solution",
    "else ",
    "because ",
    "( ) ",
    "(x) ",
    "= 3",
    "    ",
    "-> ",
    "get a",
    "lsm -> levels[0]",
    " == 2",
    " within 1",
    "fails usage",
    "flush; run",
    "put a 1",
    "*",
    "**",
    "`",
    "[",
    "](",
    ")",
    "table:4",
    "https://x.y",
    "\\",
    "!",
    "<b>",
    "word",
    "a b",
    " ",
    " ",
    "\u{fc}",
    "\u{202e}",
    "\0",
    "\r",
    "\t",
    "bloom_bits 4",
    "grain phase",
    "1",
    ".",
];

const HEAD: &str = "---\nlesson: 1\nid: x\ntitle: T\nminutes: 1\nlevel: 1\npreset: classroom\ngoal: G\n---\n\n## S\n\n";

#[test]
fn random_texts_are_answered() {
    let mut random = Random(seed());
    let mut lessons = 0;
    for round in 0..25_000 {
        let mut text = if round % 4 == 0 { String::new() } else { HEAD.to_owned() };
        for _ in 0..random.below(24) {
            text.push_str(PARTS[random.below(PARTS.len())]);
            if random.below(3) == 0 {
                text.push('\n');
            }
        }
        lessons += usize::from(tried(&text));
    }
    assert!(lessons > 250, "only {lessons} texts were lessons");
}

#[test]
fn changed_lessons_are_answered() {
    let mut random = Random(seed());
    for (_, text) in library() {
        for _ in 0..150 {
            let mut lines: Vec<&str> = text.lines().collect();
            for _ in 0..=random.below(3) {
                let at = random.below(lines.len());
                match random.below(3) {
                    0 => drop(lines.remove(at)),
                    1 => lines.insert(at, PARTS[random.below(PARTS.len())]),
                    _ => lines.swap(at, random.below(2)),
                }
            }
            tried(&lines.join("\n"));
        }
    }
}

#[test]
fn long_texts_are_refused_at_once() {
    assert!(!tried(&"x".repeat(BYTES_MAX + 1)));
    for text in ["[", "*", "`", "> ", "- ", "\\", "```\n", "---\n", "a: b\n", "(", "## \n"] {
        tried(&text.repeat(BYTES_MAX / text.len()));
        tried(&format!("{HEAD}{}", text.repeat((BYTES_MAX - HEAD.len()) / text.len())));
    }
}

#[test]
fn the_corpus_of_the_fuzzer_is_answered() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/lesson");
    let files: Vec<_> = fs::read_dir(corpus).expect("it is there").filter_map(Result::ok).collect();
    assert!(files.len() >= 4, "fuzz/corpus/lesson has {} files", files.len());
    for file in files {
        tried(&String::from_utf8_lossy(&fs::read(file.path()).expect("it can be read")));
    }
}
