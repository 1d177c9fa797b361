//! The output of help: a list of verbs, one verb, and the rules for quoting.

use super::verb::Verb;
use crate::output::OutputLine;

/// The rules for quoting words, with an example each.
const WORDS: &[(&str, &str)] = &[
    ("put \"two words\" 'x y'", "quotes keep spaces"),
    ("put \\x00\\xff v", "\\xNN is one byte; also \\n \\t \\r \\0 \\\\"),
    ("put 0x00ff v", "0x... is a whole word of bytes; \"0x00ff\" is text"),
    ("put a 1; get a", "; or the end of the line ends a command"),
    ("get -- --key", "after -- nothing is an option"),
    ("put key \\", "a backslash at the end continues on the next line"),
    ("batch {", "an open brace does so, too, up to }"),
    ("get a  # why", "# and a space begin a comment"),
];

/// Between the forms of a usage.
const FORMS: &str = " | ";
/// Column in which the meanings of options begin, unless one of them is longer.
const FLAGS: usize = 26;

/// A line for each verb, group by group.
pub(crate) fn list(verbs: impl Iterator<Item = &'static Verb>) -> Vec<OutputLine> {
    let mut lines = Vec::new();
    let mut group = "";
    for verb in verbs {
        if verb.group != group {
            group = verb.group;
            lines.push(OutputLine::new().dim(group));
        }
        let first = verb.purpose.split_inclusive(". ").next().unwrap_or_default().trim_end();
        lines.push(OutputLine::text("  ").strong(verb.name).pad_to(16).plain(first));
    }
    lines
}

/// A verb's purpose, its forms and options, and an example.
pub(crate) fn one(verb: &Verb) -> Vec<OutputLine> {
    let mut lines = vec![OutputLine::text(verb.purpose)];
    lines.extend(verb.usage.split(FORMS).map(|usage| OutputLine::text("  ").strong(usage)));
    let forms: Vec<String> =
        verb.flags.iter().map(|flag| format!("  {} {}", flag.name, flag.value)).collect();
    let widest = forms.iter().map(|form| form.trim_end().chars().count()).max();
    let column = widest.unwrap_or_default().saturating_add(2).max(FLAGS);
    for (flag, form) in verb.flags.iter().zip(forms) {
        lines.push(OutputLine::text(form).pad_to(column).plain(flag.purpose));
    }
    lines.push(OutputLine::new().dim("example: ").plain(verb.example));
    lines
}

/// How words are quoted.
pub(crate) fn quoting() -> Vec<OutputLine> {
    let line = |(example, meaning): &(&'static str, &'static str)| {
        OutputLine::new().strong(*example).pad_to(26).plain(*meaning)
    };
    WORDS.iter().map(line).collect()
}
