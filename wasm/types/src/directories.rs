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
        "\n/** The questions, in their order; a question about keys takes one. */\nexport const QUESTIONS = [\n",
    );
    for question in Question::all() {
        let (id, words, is_about_keys) = (question.id(), question.text(), question.is_about_keys());
        let _ =
            writeln!(text, "  {{ id: '{id}', text: '{words}', isAboutKeys: {is_about_keys} }},");
    }
    text.push_str("] as const;\n");
    text
}
