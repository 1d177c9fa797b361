//! Completion: the word under the cursor, and the set of its candidates.

use super::lexer::{Token, lex_partial};
use super::{Offer, Typing, Verb, What};
use crate::output::Completion;

/// A line that is being typed, up to the cursor.
pub(crate) struct Unfinished {
    /// The word that touches the cursor; empty where a new one begins.
    pub(crate) word: Vec<u8>,
    /// Where it begins \[bytes\].
    from: usize,
    /// The words before it, those that are text.
    before: Vec<String>,
    after_separator: bool,
}

impl Unfinished {
    /// `line` up to `cursor` \[bytes\].
    pub(crate) fn new(line: &str, cursor: usize) -> Self {
        let cursor = line.floor_char_boundary(cursor);
        let (_, statement) = lex_partial(line.get(..cursor).unwrap_or(""));
        let mut word: Vec<u8> = Vec::new();
        let mut from = cursor;
        let mut tokens = statement.tokens.as_slice();
        if let Some((Token::Word(last), rest)) = tokens.split_last()
            && last.end == cursor
        {
            word.clone_from(&last.bytes);
            from = last.start;
            tokens = rest;
        }
        let text = |token: &Token| match token {
            Token::Word(word) => String::from_utf8(word.bytes.clone()).ok(),
            Token::Separator => None,
        };
        let before = tokens.iter().filter_map(text).collect();
        Self {
            word,
            from,
            before,
            after_separator: matches!(tokens.last(), Some(Token::Separator)),
        }
    }

    /// The ways to go on: `command` finds the verb of a name, `offered` returns what goes on as the word so far.
    pub(crate) fn completions(
        &self,
        command: impl Fn(&str) -> Option<(&'static Verb, &'static Typing)>,
        offered: impl Fn(What) -> Vec<Completion>,
    ) -> Vec<Completion> {
        let Some((name, rest)) = self.before.split_first() else {
            return offered(What::Verbs);
        };
        let Some((verb, typing)) = command(name) else {
            return Vec::new();
        };
        if self.word.starts_with(b"-") {
            return self.among("option", verb.flags.iter().map(|flag| flag.name));
        }
        let last = verb.flags.iter().find(|flag| rest.last().is_some_and(|word| word == flag.name));
        if let Some(flag) = last.filter(|flag| !flag.value.is_empty()) {
            return match flag.offers {
                Some(what) => offered(what),
                None if flag.value.contains('|') => self.among("word", flag.value.split('|')),
                None => Vec::new(),
            };
        }
        let plain: Vec<&str> =
            rest.iter().map(String::as_str).filter(|word| !word.starts_with("--")).collect();
        let fits = |offer: &&Offer| offer.fits(&plain, self.after_separator);
        typing.offers.iter().find(fits).map(|offer| offered(offer.what)).unwrap_or_default()
    }

    /// Replaces the word with `text`.
    pub(crate) fn completion(&self, text: &str, kind: &str) -> Completion {
        Completion { text: text.to_owned(), kind: kind.to_owned(), from: self.from }
    }

    /// Those of `words` that begin as the word so far.
    pub(crate) fn among<'w>(
        &self,
        kind: &str,
        words: impl Iterator<Item = &'w str>,
    ) -> Vec<Completion> {
        let fits = |word: &&str| word.as_bytes().starts_with(&self.word);
        words.filter(fits).map(|word| self.completion(word, kind)).collect()
    }
}
