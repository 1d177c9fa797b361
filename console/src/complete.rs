//! Completion: how the word under the cursor could go on.

use crate::lab::LABS;
use crate::lexer::{Token, lex_partial};
use crate::output::Completion;
use crate::session::Session;
use crate::text;
use crate::time::{Quantity, case_words, event_words};
use crate::verbs::{self, Verb};
use levelscope::formats::FORMATS;
use levelscope::storage::FileName;
use levelscope::{OPTION_INFOS, PRESETS, ScanOptions};

/// Keys offered at once.
const KEYS_MAX: usize = 50;
/// Longer keys are not worth completing \[bytes\].
const KEY_BYTES_MAX: usize = 256;

/// Ways to go on at `cursor` \[bytes\] in `line`, in the order in which they are offered.
/// `keys`: also keys of the database, which takes a scan.
pub(crate) fn complete(
    session: &Session,
    line: &str,
    cursor: usize,
    keys: bool,
) -> Vec<Completion> {
    let cursor = line.floor_char_boundary(cursor);
    let before = line.get(..cursor).unwrap_or("");
    let (_, statement) = lex_partial(before);
    // A word that touches the cursor is being typed; otherwise a new one begins.
    let mut typed: Vec<u8> = Vec::new();
    let mut from = cursor;
    let mut tokens = statement.tokens.as_slice();
    if let Some((Token::Word(last), rest)) = tokens.split_last()
        && last.end == cursor
    {
        typed.clone_from(&last.bytes);
        from = last.start;
        tokens = rest;
    }
    let words: Vec<&str> = tokens
        .iter()
        .filter_map(|token| match token {
            Token::Word(word) => std::str::from_utf8(&word.bytes).ok(),
            Token::Separator => None,
        })
        .collect();
    let after_separator = matches!(tokens.last(), Some(Token::Separator));
    let finder = Finder { session, typed, from, keys };
    finder.find(&words, after_separator)
}

struct Finder<'a> {
    session: &'a Session,
    typed: Vec<u8>,
    from: usize,
    keys: bool,
}

impl Finder<'_> {
    fn find(&self, words: &[&str], after_separator: bool) -> Vec<Completion> {
        let Some(verb) = words.first().and_then(|name| verbs::find(name)) else {
            return match words {
                [] => self.among("verb", verbs::verbs().map(|verb| verb.name)),
                _ => Vec::new(),
            };
        };
        if self.typed.starts_with(b"-") {
            return self.among("option", verb.flags.iter().map(|flag| flag.name));
        }
        if let Some(found) = self.flag_value(verb, words) {
            return found;
        }
        let position = words.iter().skip(1).filter(|word| !word.starts_with("--")).count();
        match (verb.name, position, words) {
            ("help", 0, _) => self.among("verb", verbs::verbs().map(|verb| verb.name)),
            ("explain", 0, _) => self.among("word", ["get"].into_iter()),
            ("step", 0, _) => self.among("word", ["phase", "job", "entry"].into_iter()),
            ("options", 0, _) => self.among("word", ["set", "preset"].into_iter()),
            ("options", 1, [_, "set", ..]) => {
                self.among("option", OPTION_INFOS.iter().map(|info| info.name))
            }
            ("options", 1, [_, "preset", ..]) => {
                self.among("preset", PRESETS.iter().map(|preset| preset.name))
            }
            ("batch", _, [.., "{"] | [_]) => self.among("word", ["put", "del"].into_iter()),
            ("batch", _, _) if after_separator => self.among("word", ["put", "del"].into_iter()),
            ("batch", _, [.., "put" | "del"]) | ("break", 2, [_, "on", "key"]) => self.keys(),
            ("lab", 1, [_, "sweep"]) => self.among("word", ["value-size", "keys"].into_iter()),
            ("lab", _, [_, "compare" | "sweep", ..]) => {
                let names = OPTION_INFOS.iter().map(|info| format!("{}=", info.name));
                let names: Vec<String> = names.chain(["vs".to_owned()]).collect();
                self.among("option", names.iter().map(String::as_str))
            }
            ("lab", 0, _) => self.among("word", LABS.iter().map(|lab| lab.id).chain(["all"])),
            ("layout" | "hex" | "bytes", 0, _) if self.typed.starts_with(b"@") => self.opened(),
            ("layout" | "hex" | "corrupt" | "bytes", 0, _) => self.files(),
            ("opened" | "entries" | "lookup" | "save", 0, _)
            | ("convert", 1, _)
            | ("close" | "open", _, _) => self.opened(),
            ("convert", 0, _) => {
                let writable = FORMATS.iter().filter(|format| format.info().writable);
                self.among("word", writable.map(|format| format.info().id))
            }
            ("kvdb", 0, _) => self.among("word", ["put", "get", "del"].into_iter()),
            ("branch", 0, _) => self.among("word", self.session.time.names()),
            ("break", 0, _) => {
                self.among("word", ["before", "after", "on", "when", "list", "delete"].into_iter())
            }
            ("crash", 0, _) => self.among("word", ["before", "after", "at"].into_iter()),
            ("break" | "crash", 1, [_, "before" | "after", ..]) => {
                self.among("event", event_words())
            }
            ("break", 1, [_, "on", ..]) => self.among("word", case_words()),
            ("break", 1, [_, "when", ..]) => self.among("word", Quantity::NAMES.iter().copied()),
            ("commit", 0, _) => self.transactions(&[]),
            ("rollback", 0, _) => self.transactions(&["all"]),
            ("get" | "put" | "del" | "prefix", 0, _) | ("scan", 0 | 1, _) | ("explain", 1, _) => {
                self.keys()
            }
            _ => Vec::new(),
        }
    }

    /// The word behind a flag that takes a value.
    fn flag_value(&self, verb: &Verb, words: &[&str]) -> Option<Vec<Completion>> {
        let flag = verb.flags.iter().find(|flag| words.last() == Some(&flag.name))?;
        if flag.value.is_empty() {
            return None;
        }
        if flag.name == "--in" {
            return Some(self.transactions(&["none"]));
        }
        if flag.name == "--as" {
            return Some(self.among("word", FORMATS.iter().map(|format| format.info().id)));
        }
        let words = flag.value.split('|').filter(|_| flag.value.contains('|'));
        Some(self.among("word", words))
    }

    fn completion(&self, text: &str, kind: &str) -> Completion {
        Completion { text: text.to_owned(), kind: kind.to_owned(), from: self.from }
    }

    fn among<'b>(&self, kind: &str, words: impl Iterator<Item = &'b str>) -> Vec<Completion> {
        let fits = |word: &&str| word.as_bytes().starts_with(&self.typed);
        words.filter(fits).map(|word| self.completion(word, kind)).collect()
    }

    /// The numbers of the open transactions, and `words` beside them.
    fn transactions(&self, words: &[&str]) -> Vec<Completion> {
        let open: Vec<String> = self.session.transactions.keys().map(u64::to_string).collect();
        self.among("transaction", open.iter().map(String::as_str).chain(words.iter().copied()))
    }

    fn files(&self) -> Vec<Completion> {
        let names = self.session.storage().list().unwrap_or_default();
        let names = names.iter().filter_map(|name| FileName::parse(name));
        let mut words: Vec<String> = Vec::new();
        for name in names.filter(|name| *name != FileName::Lock) {
            words.push(name.to_string());
            words.extend(name.number().map(|number| number.to_string()));
        }
        // Numbers only when one is being typed: otherwise every file would be offered twice.
        let numbers = self.typed.first().is_some_and(|first| (b'1'..=b'9').contains(first));
        words.retain(|word| word.starts_with(|c: char| ('1'..='9').contains(&c)) == numbers);
        self.among("file", words.iter().map(String::as_str))
    }

    fn opened(&self) -> Vec<Completion> {
        let ids: Vec<String> = self.session.shelf.all().iter().map(|file| file.id()).collect();
        self.among("file", ids.iter().map(String::as_str))
    }

    fn keys(&self) -> Vec<Completion> {
        let mut found = Vec::new();
        let Some(db) = self.session.database().filter(|_| self.keys) else {
            return found;
        };
        let prefix = Some(self.typed.clone());
        let Ok(mut iterator) = db.iter(&ScanOptions { prefix, ..ScanOptions::default() }) else {
            return found;
        };
        // Completion is a courtesy: where it would have to wait for a file, it offers what it has.
        let mut moved = iterator.seek_to_first();
        while moved.is_ok() && iterator.valid() && found.len() < KEYS_MAX {
            if iterator.key().len() <= KEY_BYTES_MAX {
                found.push(self.completion(&text::word(iterator.key()), "key"));
            }
            moved = iterator.next();
        }
        found
    }
}
