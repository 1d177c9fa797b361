//! Completion on a directory.

use super::verbs;
use crate::language::{Unfinished, What};
use crate::output::Completion;
use crate::text;
use levelscope_foreign::directory::Directory;
use levelscope_foreign::report::Question;

pub(super) fn complete(directory: &Directory<'_>, line: &str, cursor: usize) -> Vec<Completion> {
    let typed = Unfinished::new(line, cursor);
    let command = |name: &str| verbs::find(name).map(|command| (&command.verb, &command.typing));
    typed.completions(command, |what| match what {
        What::Words(words) => typed.among("word", words.iter().copied()),
        What::Verbs => typed.among("verb", verbs::verbs().map(|verb| verb.name)),
        What::Files => {
            let files = directory.files().list().iter();
            let names: Vec<String> = files.map(|file| text::word(file.name.as_bytes())).collect();
            typed.among("file", names.iter().map(String::as_str))
        }
        What::Families => {
            let families = directory.state().families.values();
            let names: Vec<String> =
                families.map(|family| text::word(family.name.as_bytes())).collect();
            typed.among("word", names.iter().map(String::as_str))
        }
        What::Reports => typed.among("word", Question::ALL.iter().map(|question| question.id())),
        _ => Vec::new(),
    })
}
