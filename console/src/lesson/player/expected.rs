//! The line that a lesson expects, which may be typed in parts and in other words.

use crate::language::lexer::{Statement, Token, lex};
use std::collections::VecDeque;

/// The rest of the line that is to be typed.
pub(super) struct Expected {
    text: String,
    /// Its commands, each with where it begins in the text.
    left: VecDeque<(usize, Essence)>,
}

/// A command without its spaces and quotes.
type Essence = (Vec<Option<Vec<u8>>>, Option<String>);

impl Expected {
    /// The line `text`, of which nothing is typed.
    pub(super) fn of(text: String) -> Self {
        Self { left: commands(&text).unwrap_or_default().into(), text }
    }

    /// Whether all of it is typed.
    pub(super) fn is_done(&self) -> bool {
        self.left.is_empty()
    }

    /// The rest of the line.
    pub(super) fn line(&self) -> String {
        let from = self.left.front().map_or(0, |(from, _)| *from);
        self.text.get(from..).unwrap_or(&self.text).trim().to_owned()
    }

    /// Takes typed commands off the line; whether they are its own.
    pub(super) fn takes(&mut self, typed: &str, failed: bool) -> bool {
        let Some(typed) = commands(typed).filter(|typed| !typed.is_empty()) else { return false };
        let is_of_it = typed.len() <= self.left.len()
            && typed.iter().zip(&self.left).all(|((_, typed), (_, own))| typed == own);
        // The rest of a line that fails is not run.
        if !is_of_it || (failed && typed.len() < self.left.len()) {
            return false;
        }
        self.left.drain(..typed.len());
        true
    }
}

/// The commands of `text`; `None`: it is no line of commands.
pub(super) fn commands(text: &str) -> Option<Vec<(usize, Essence)>> {
    let essence = |statement: &Statement| {
        let tokens = statement.tokens.iter().map(|token| match token {
            Token::Word(word) => Some(word.bytes.clone()),
            Token::Separator => None,
        });
        (statement.start, (tokens.collect(), statement.block.clone()))
    };
    Some(lex(text).ok()?.iter().map(essence).collect())
}
