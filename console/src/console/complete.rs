//! Completion: how the word under the cursor could go on.

use crate::commands::{self, Command};
use crate::glossary;
use crate::history::{Quantity, case_words, event_words};
use crate::language::lexer::{Token, lex_partial};
use crate::language::{Offer, What};
use crate::output::Completion;
use crate::session::Session;
use crate::text;
use levelscope::storage::FileName;
use levelscope::{OPTION_INFOS, PRESETS, ScanOptions};
use levelscope_formats::infos;
use levelscope_labs::LABS;

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
        let Some((name, rest)) = words.split_first() else {
            return self.offered(What::Verbs);
        };
        let Some(Command { verb, typing, .. }) = commands::find(name) else {
            return Vec::new();
        };
        if self.typed.starts_with(b"-") {
            return self.among("option", verb.flags.iter().map(|flag| flag.name));
        }
        let last = verb.flags.iter().find(|flag| rest.last() == Some(&flag.name));
        if let Some(flag) = last.filter(|flag| !flag.value.is_empty()) {
            return match flag.offers {
                Some(what) => self.offered(what),
                None if flag.value.contains('|') => self.among("word", flag.value.split('|')),
                None => Vec::new(),
            };
        }
        let plain: Vec<&str> =
            rest.iter().filter(|word| !word.starts_with("--")).copied().collect();
        let fits = |offer: &&Offer| offer.fits(&plain, after_separator);
        typing.offers.iter().find(fits).map(|offer| self.offered(offer.what)).unwrap_or_default()
    }

    /// Those of `what` that begin as the word typed so far.
    fn offered(&self, what: What) -> Vec<Completion> {
        let options = || OPTION_INFOS.iter().map(|info| info.name);
        match what {
            What::Words(words) => self.among("word", words.iter().copied()),
            What::Verbs => self.among("verb", commands::verbs().map(|verb| verb.name)),
            What::VerbsAndTerms => {
                let terms = glossary::terms().map(|term| term.name);
                let terms =
                    terms.chain(["terms", "words"]).filter(|name| commands::find(name).is_none());
                let mut found = self.offered(What::Verbs);
                found.extend(self.among("term", terms));
                found
            }
            What::Keys => self.keys(),
            What::FilesAndOpened if self.typed.starts_with(b"@") => self.opened(),
            What::Files | What::FilesAndOpened => self.files(),
            What::Opened => self.opened(),
            What::Branches => self.among("word", self.session.time.names()),
            What::Options => self.among("option", options()),
            What::OptionsToCompare => {
                let names: Vec<String> =
                    options().map(|name| format!("{name}=")).chain(["vs".to_owned()]).collect();
                self.among("option", names.iter().map(String::as_str))
            }
            What::Configurations => {
                let strategies = OPTION_INFOS.iter().filter(|info| info.name == "strategy");
                let strategies = strategies.flat_map(|info| info.words.iter().copied());
                let presets = PRESETS.iter().map(|preset| preset.name);
                self.among("word", strategies.chain(presets))
            }
            What::Presets => self.among("preset", PRESETS.iter().map(|preset| preset.name)),
            What::Labs => self.among("word", LABS.iter().map(|lab| lab.id).chain(["all"])),
            What::Formats => self.among("word", infos().map(|info| info.id)),
            What::WritableFormats => {
                self.among("word", infos().filter(|info| info.writable).map(|info| info.id))
            }
            What::Events => self.among("event", event_words()),
            What::Cases => self.among("word", case_words()),
            What::Quantities => self.among("word", Quantity::NAMES.iter().copied()),
            What::Transactions(words) => self.transactions(words),
        }
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
        let (files, directories) = (self.session.shelf.all(), self.session.shelf.directories());
        let directories = directories.into_iter().map(|directory| directory.id);
        let ids: Vec<String> = directories.chain(files.iter().map(|file| file.id())).collect();
        self.among("file", ids.iter().map(String::as_str))
    }

    fn keys(&self) -> Vec<Completion> {
        let mut found = Vec::new();
        let Some(db) = self.session.database().filter(|_| self.keys) else {
            return found;
        };
        let Ok(mut iterator) = db.iter(&ScanOptions::default().prefix(&self.typed)) else {
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
