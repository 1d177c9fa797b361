//! `levelscope lesson handout`: paper for learners, and for teachers.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn handout(files: &[PathBuf], more: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_levelscope"));
    program.args(["lesson", "handout"]).args(more).args(files).output().expect("the program runs")
}

fn page(files: &[PathBuf], more: &[&str]) -> String {
    let output = handout(files, more);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn library() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lessons");
    let files = std::fs::read_dir(directory).expect("the lessons");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    files
}

#[test]
fn a_learner_gets_questions_and_a_teacher_answers() {
    for file in library() {
        let text = std::fs::read_to_string(&file).expect("a lesson");
        let (learner, teacher) = (
            page(std::slice::from_ref(&file), &[]),
            page(std::slice::from_ref(&file), &["--teacher"]),
        );
        let count = |page: &str, what: &str| page.matches(what).count();
        let (asks, tries) = (count(&text, "\nask "), count(&text, "\ntry "));
        for page in [&learner, &teacher] {
            assert_eq!(count(page, "<b>Predict</b>"), asks);
            assert_eq!(count(page, "<b>Task</b>"), tries);
            // Everything that is opened is closed.
            for tag in ["article", "h2", "p", "div", "pre", "b", "code", "em"] {
                let opened = count(page, &format!("<{tag}>")) + count(page, &format!("<{tag} "));
                assert_eq!(opened, count(page, &format!("</{tag}>")), "{tag}");
            }
        }
        assert_eq!(count(&learner, "☑"), 0, "a learner gets no answer");
        assert_eq!(count(&learner, "class=\"note\""), 0);
        assert_eq!(count(&learner, "A solution"), 0);
        assert_eq!(count(&teacher, "☑"), count(&text, "\n(x) "));
        assert_eq!(count(&teacher, "The engine: <b>"), asks - count(&teacher, "☑"));
        assert_eq!(count(&teacher, "A solution"), tries);
        assert_eq!(count(&teacher, "class=\"note\""), count(&text, "\n\n> "));
    }
    let all = page(&library(), &["--teacher"]);
    assert_eq!(all.matches("<article>").count(), library().len());
}

#[test]
fn what_a_lesson_says_is_only_text() {
    let directory = std::env::temp_dir().join(format!("levelscope-paper-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    let file = directory.join("mine.md");
    let text = std::fs::read_to_string(&library()[6]).expect("a lesson");
    let hostile = "<script>alert(1)</script> & \"more\"";
    std::fs::write(&file, text.replace("## They meet", &format!("## `{hostile}`")))
        .expect("a file");
    let page = page(std::slice::from_ref(&file), &[]);
    assert!(!page.contains("<script"));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;"));
    // A lesson that is wrong is told by line, and gives no paper.
    std::fs::write(&file, text.replace("get fig", "gte fig")).expect("a file");
    let output = handout(&[file], &[]);
    assert!(!output.status.success());
    let told = String::from_utf8(output.stdout).expect("text");
    assert!(told.contains("mine.md:") && !told.contains("<html"), "{told}");
    let _ = std::fs::remove_dir_all(&directory);
}
