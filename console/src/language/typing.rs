//! Help while typing a verb: its other names, and completions.

/// How a verb can be found and completed.
#[derive(Debug)]
pub(crate) struct Typing {
    /// Other names that work: those of the programs whose texts this repeats.
    pub(crate) aliases: &'static [&'static str],
    /// Words of other programs that do not work; the error names this verb.
    pub(crate) synonyms: &'static [&'static str],
    /// Completions: the first that fits.
    pub(crate) offers: &'static [Offer],
}

impl Typing {
    /// One name, and nothing to complete but options.
    pub(crate) const NONE: Self = Self { aliases: &[], synonyms: &[], offers: &[] };
}

/// The completions of a word.
#[derive(Debug)]
pub(crate) struct Offer {
    at: At,
    /// The words.
    pub(crate) what: What,
}

/// `what` for words that are `at`.
pub(crate) const fn offer(at: At, what: What) -> Offer {
    Offer { at, what }
}

/// Where a word stands. Options and the verb do not count as words before it.
#[derive(Debug)]
pub(crate) enum At {
    /// After exactly these words; `*` is any word.
    Words(&'static [&'static str]),
    /// Anywhere, where the first word is this one.
    From(&'static str),
    /// Right after this word.
    Last(&'static str),
    /// Right after a separator inside braces.
    Separator,
}

/// A set of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// These.
    Words(&'static [&'static str]),
    /// All verbs.
    Verbs,
    /// All verbs, and all terms of the glossary.
    VerbsAndTerms,
    /// Keys of the database.
    Keys,
    /// Files of the database.
    Files,
    /// Branches by name.
    Branches,
    /// Options by name.
    Options,
    /// Options as `name=`, and `vs`.
    OptionsToCompare,
    /// Strategies and presets by name.
    Configurations,
    /// Presets by name.
    Presets,
    /// Experiments, and `all`.
    Labs,
    /// File formats that can be written.
    WritableFormats,
    /// Kinds of events.
    Events,
    /// The words that can follow `break on`.
    Cases,
    /// Figures that a breakpoint can compare.
    Quantities,
    /// Column families of a directory.
    Families,
    /// Reports on a directory.
    Reports,
    /// Open transactions, and these words.
    Transactions(&'static [&'static str]),
}

impl Offer {
    /// Whether it is for the word after `words`, the first of which follows the verb.
    pub(crate) fn fits(&self, words: &[&str], after_separator: bool) -> bool {
        match self.at {
            At::Words(expected) => {
                expected.len() == words.len()
                    && expected
                        .iter()
                        .zip(words)
                        .all(|(expected, word)| *expected == "*" || expected == word)
            }
            At::From(first) => words.first() == Some(&first),
            At::Last(last) => words.last() == Some(&last),
            At::Separator => after_separator,
        }
    }
}
