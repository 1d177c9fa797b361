//! Writes the TypeScript types of questions and answers, which are those of Rust: `cargo test -p levelscope-lens --test types`.
#![expect(clippy::expect_used, reason = "tests fail by panicking")]

#[path = "../../tests/common/declarations.rs"]
mod declarations;

use declarations::{Declarations, write};
use levelscope_foreign::query::{Answers, Query};
use levelscope_foreign::report::Question;
use std::fmt::Write as _;

const HEADER: &str = "\
// Made from the Rust types by wasm/lens/tests/types.rs.
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
fn writes_the_types_of_rust() {
    let text = generate();
    let field = |line: &str| line.split_once(':').map(|(name, _)| name.trim().to_owned());
    let snake: Vec<String> =
        text.lines().filter_map(field).filter(|name| name.contains('_')).collect();
    assert!(snake.iter().all(|name| name.contains(' ')), "fields are in camelCase: {snake:?}");
    write("../../web/src", "lens/lens.generated.ts", &text);
}
