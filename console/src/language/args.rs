//! The words of one command, matched with what its verb takes.

use super::lexer::{Statement, Word};
use super::typing::What;
use super::verb::Verb;
use crate::output::Failure;

/// An option of a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag {
    /// With its dashes: `--limit`, `-v`.
    pub name: &'static str,
    /// Its argument: `n`; empty when it takes none.
    pub value: &'static str,
    /// Its purpose, in a few words.
    pub purpose: &'static str,
    /// Completions of its value, unless `value` lists the words: `on|off`.
    pub(crate) offers: Option<What>,
}

impl Flag {
    /// The same, with `what` offered for its value.
    pub(crate) const fn offering(self, what: What) -> Self {
        Self { offers: Some(what), ..self }
    }
}

/// A flag without a value.
pub(crate) const fn switch(name: &'static str, purpose: &'static str) -> Flag {
    Flag { name, value: "", purpose, offers: None }
}

/// A flag with a value.
pub(crate) const fn flag(name: &'static str, value: &'static str, purpose: &'static str) -> Flag {
    Flag { name, value, purpose, offers: None }
}

/// The arguments of one command.
#[derive(Debug)]
pub(crate) struct Args {
    /// The verb they are for.
    pub(crate) verb: &'static Verb,
    /// The words that are not options, in order.
    pub(crate) words: Vec<Word>,
    flags: Vec<(&'static str, Option<Word>)>,
}

impl Args {
    /// No arguments.
    pub(crate) fn none(verb: &'static Verb) -> Self {
        Self { verb, words: Vec::new(), flags: Vec::new() }
    }

    /// Sorts the words after the verb into options and others.
    pub(crate) fn new(verb: &'static Verb, statement: &Statement) -> Result<Self, Failure> {
        let mut args = Self::none(verb);
        let mut rest = statement.words().skip(1);
        let mut only_words = verb.takes_command();
        while let Some(word) = rest.next() {
            match word.as_bare() {
                Some("--") if !only_words => only_words = true,
                Some(text) if !only_words && is_flag(text) => {
                    let (name, inline) = text.split_once('=').unwrap_or((text, ""));
                    let has_inline = name.len() < text.len();
                    let known = verb.flags.iter().find(|flag| flag.name == name);
                    let known = known.ok_or_else(|| unknown_flag(verb, name))?;
                    if args.has(known.name) {
                        return Err(verb.misused(format!("{name} is given twice")));
                    }
                    let value = match (known.value.is_empty(), has_inline) {
                        (true, false) => None,
                        (true, true) => {
                            return Err(verb.misused(format!("{name} takes no value")));
                        }
                        (false, true) => {
                            Some(Word { bytes: inline.as_bytes().to_vec(), ..word.clone() })
                        }
                        (false, false) => Some(rest.next().cloned().ok_or_else(|| {
                            verb.misused(format!("{name} needs a value: {name} {}", known.value))
                        })?),
                    };
                    args.flags.push((known.name, value));
                }
                _ => args.words.push(word.clone()),
            }
        }
        Ok(args)
    }

    /// Whether the flag `name` was given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.flags.iter().any(|(given, _)| *given == name)
    }

    /// The value of the flag `name`.
    pub(crate) fn value(&self, name: &str) -> Option<&Word> {
        self.flags.iter().find(|(given, _)| *given == name)?.1.as_ref()
    }

    /// The value of the flag `name` as text.
    pub(crate) fn string(&self, name: &str) -> Option<String> {
        self.value(name).map(|word| String::from_utf8_lossy(&word.bytes).into_owned())
    }

    /// The number after the flag `name`.
    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, Failure> {
        self.value(name).map(|word| self.parse_number(name, word)).transpose()
    }

    /// The number in the word at `position`, called `what`.
    pub(crate) fn number_at(&self, position: usize, what: &str) -> Result<Option<u64>, Failure> {
        self.words.get(position).map(|word| self.parse_number(what, word)).transpose()
    }

    /// The table that the word at `position` names, as 12 or as table:12, if any.
    pub(crate) fn table_at(&self, position: usize) -> Result<Option<u64>, Failure> {
        let Some(_) = self.words.get(position) else { return Ok(None) };
        let number = self.text(position).map(|word| word.strip_prefix("table:").unwrap_or(word));
        let number = number.and_then(parse_number);
        let number = number
            .ok_or_else(|| self.verb.misused("a table is a number, such as 12 or table:12"))?;
        Ok(Some(number))
    }

    /// The step that the word at `position` names, if any.
    pub(crate) fn step_at(&self, position: usize) -> Result<Option<u64>, Failure> {
        match self.number_at(position, "the step")? {
            Some(0) => Err(self.verb.misused("there is no step 0: steps count from 1")),
            step => Ok(step),
        }
    }

    fn parse_number(&self, what: &str, word: &Word) -> Result<u64, Failure> {
        let number = std::str::from_utf8(&word.bytes).ok().and_then(parse_number);
        number.ok_or_else(|| {
            let text = crate::text::short_word(&word.bytes, 32);
            self.verb.misused(format!("{what} must be a number, not {text}"))
        })
    }

    /// Refuses fewer than `min` or more than `max` words; `what` names what is taken.
    pub(crate) fn expect(&self, min: usize, max: usize, what: &str) -> Result<(), Failure> {
        let name = self.verb.name;
        if self.words.len() < min {
            return Err(self.verb.misused(format!("{name} needs {what}")));
        }
        if let Some(extra) = self.words.get(max) {
            let extra = crate::text::short_word(&extra.bytes, 32);
            let failure = match max {
                0 => self.verb.misused(format!("{name} takes no arguments, but got {extra}")),
                _ => self
                    .verb
                    .misused(format!("{name} takes {what}; {extra} is one argument too many")),
            };
            let spaced = "; quote what contains spaces: \"two words\"";
            let hint = failure.hint.clone().unwrap_or_default();
            return Err(if max > 0 { failure.hint(format!("{hint}{spaced}")) } else { failure });
        }
        Ok(())
    }

    /// Refuses any other number of words than `count`, the words of `form` among them, such as `options set`;
    /// `what` names what follows these, and `example` is right.
    pub(crate) fn expect_form(
        &self,
        form: &str,
        count: usize,
        what: &str,
        example: &str,
    ) -> Result<(), Failure> {
        let message = match self.words.get(count) {
            Some(extra) => {
                let extra = crate::text::short_word(&extra.bytes, 32);
                format!("{form} takes {what}; {extra} is one argument too many")
            }
            None if self.words.len() < count => format!("{form} needs {what}"),
            None => return Ok(()),
        };
        Err(Failure::usage(message).hint(format!("for example: {example}")))
    }

    /// The bytes of the word at `position`; empty without one ([`Args::expect`] comes first).
    pub(crate) fn bytes(&self, position: usize) -> Vec<u8> {
        self.words.get(position).map(|word| word.bytes.clone()).unwrap_or_default()
    }

    /// The word at `position` as text, when it is text.
    pub(crate) fn text(&self, position: usize) -> Option<&str> {
        self.words.get(position).and_then(|word| std::str::from_utf8(&word.bytes).ok())
    }
}

/// `--x` and `-v` are options; `-`, `-5` and `-abc` are words.
fn is_flag(text: &str) -> bool {
    text.starts_with("--")
        || matches!(text.as_bytes(), [b'-', letter] if letter.is_ascii_alphabetic())
}

fn unknown_flag(verb: &'static Verb, name: &str) -> Failure {
    let failure =
        verb.misused(format!("{} has no option {}", verb.name, crate::text::printable(name)));
    let names = verb.flags.iter().map(|flag| flag.name);
    let usage = failure.hint.clone().unwrap_or_default();
    match super::closest(name, names) {
        Some(meant) => failure.hint(format!("did you mean {meant}? {usage}")),
        None => failure.hint(format!("{usage}; quote a key that begins with a dash")),
    }
}

/// Reads `4096`, `4_096`, `64k`, `2m`, `1g` (powers of 1024).
pub(crate) fn parse_number(text: &str) -> Option<u64> {
    let text = text.to_ascii_lowercase().replace('_', "");
    let scaled = [("k", 10), ("m", 20), ("g", 30)]
        .into_iter()
        .find_map(|(suffix, shift)| Some((text.strip_suffix(suffix)?.to_owned(), shift)));
    let (digits, shift) = scaled.unwrap_or((text, 0));
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}
