//! The TypeScript types of questions and answers are those of Rust: a committed file, checked here.
//!
//! `UPDATE=1 cargo test -p levelscope-lens --test types` rewrites it.
#![expect(clippy::expect_used, reason = "tests fail by panicking")]

#[path = "../../tests/common/declarations.rs"]
mod declarations;

use declarations::{Declarations, hold};
use levelscope_foreign::query::Query;
use levelscope_foreign::query::answer::Answers;
use levelscope_foreign::report::Question;
use std::fmt::Write as _;

const HEADER: &str = "\
// Generated from the Rust types; do not edit.
// UPDATE=1 cargo test -p levelscope-lens --test types
";

fn generate() -> String {
    let mut declarations = Declarations::new();
    declarations.add::<Query>();
    declarations.add::<Answers>();
    let mut text = format!("{HEADER}{}", declarations.text());
    text.push_str(
        "\n/** The ten questions, in their order: word and text. */\nexport const QUESTIONS = [\n",
    );
    for question in Question::ALL {
        let _ = writeln!(text, "  {{ id: '{}', text: '{}' }},", question.id(), question.text());
    }
    text.push_str("] as const;\n");
    text
}

#[test]
fn the_committed_types_are_those_of_rust() {
    hold("levelscope-lens", "../../web/src", "lens/lens.generated.ts", &generate());
}
