//! Completion on a directory.

use super::{Opened, verbs};
use crate::language::{Unfinished, What};
use crate::output::Completion;
use crate::text;
use levelscope_foreign::report::Question;
use levelscope_formats::infos;

pub(super) fn complete(directory: &Opened<'_>, line: &str, cursor: usize) -> Vec<Completion> {
    let typed = Unfinished::new(line, cursor);
    let command = |name: &str| verbs::find(name).map(|command| (&command.verb, &command.typing));
    typed.completions(command, |what| match what {
        What::Words(words) => typed.among("word", words.iter().copied()),
        What::Verbs => typed.among("verb", verbs::verbs().map(|verb| verb.name)),
        What::Files => {
            let names: Vec<String> =
                directory.names().iter().map(|name| text::word(name.as_bytes())).collect();
            typed.among("file", names.iter().map(String::as_str))
        }
        What::Families => {
            let families = directory.families();
            let names: Vec<String> =
                families.iter().map(|(_, name)| text::word(name.as_bytes())).collect();
            typed.among("word", names.iter().map(String::as_str))
        }
        What::WritableFormats => typed.among("word", infos().map(|info| info.id)),
        What::Reports => typed.among("word", Question::all().map(Question::id)),
        _ => Vec::new(),
    })
}
