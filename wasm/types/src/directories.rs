//! The types of questions about directories, and of their answers.

use crate::HEADER;
use crate::declarations::Declarations;
use levelscope_foreign::query::{Answers, Query};
use levelscope_foreign::report::Question;
use std::fmt::Write as _;

pub(crate) fn types() -> String {
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
