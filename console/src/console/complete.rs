//! Completion: how the word under the cursor could go on.

use crate::commands;
use crate::glossary;
use crate::history::{Quantity, case_words, event_words};
use crate::language::{Unfinished, What};
use crate::output::Completion;
use crate::session::Session;
use crate::text;
use levelscope::storage::FileName;
use levelscope::{OPTION_INFOS, PRESETS, ScanOptions};
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
    let finder = Finder { session, typed: Unfinished::new(line, cursor), keys };
    let command = |name: &str| commands::find(name).map(|command| (&command.verb, &command.typing));
    finder.typed.completions(command, |what| finder.offered(what))
}

struct Finder<'a> {
    session: &'a Session,
    typed: Unfinished,
    keys: bool,
}

impl Finder<'_> {
    /// Those of `what` that begin as the word typed so far.
    fn offered(&self, what: What) -> Vec<Completion> {
        let options = || OPTION_INFOS.iter().map(|info| info.name);
        match what {
            What::Words(words) => self.typed.among("word", words.iter().copied()),
            What::Verbs => self.typed.among("verb", commands::verbs().map(|verb| verb.name)),
            What::VerbsAndTerms => {
                let terms = glossary::terms().map(|term| term.name);
                let terms =
                    terms.chain(["terms", "words"]).filter(|name| commands::find(name).is_none());
                let mut found = self.offered(What::Verbs);
                found.extend(self.typed.among("term", terms));
                found
            }
            What::Keys => self.keys(),
            What::Files => self.files(),
            What::Branches => self.typed.among("word", self.session.time.names()),
            What::Options => self.typed.among("option", options()),
            What::OptionsToCompare => {
                let names: Vec<String> =
                    options().map(|name| format!("{name}=")).chain(["vs".to_owned()]).collect();
                self.typed.among("option", names.iter().map(String::as_str))
            }
            What::Configurations => {
                let strategies = OPTION_INFOS.iter().filter(|info| info.name == "strategy");
                let strategies = strategies.flat_map(|info| info.words.iter().copied());
                let presets = PRESETS.iter().map(|preset| preset.name);
                self.typed.among("word", strategies.chain(presets))
            }
            What::Presets => self.typed.among("preset", PRESETS.iter().map(|preset| preset.name)),
            What::Labs => self.typed.among("word", LABS.iter().map(|lab| lab.id).chain(["all"])),
            What::Events => self.typed.among("event", event_words()),
            What::Cases => self.typed.among("word", case_words()),
            What::Quantities => self.typed.among("word", Quantity::NAMES.iter().copied()),
            What::Transactions(words) => self.transactions(words),
            // Of directories of other engines.
            What::Families | What::Reports | What::WritableFormats => Vec::new(),
        }
    }

    /// The numbers of the open transactions, and `words` beside them.
    fn transactions(&self, words: &[&str]) -> Vec<Completion> {
        let open: Vec<String> = self.session.transactions.keys().map(u64::to_string).collect();
        self.typed
            .among("transaction", open.iter().map(String::as_str).chain(words.iter().copied()))
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
        let numbers = self.typed.word.first().is_some_and(|first| (b'1'..=b'9').contains(first));
        words.retain(|word| word.starts_with(|c: char| ('1'..='9').contains(&c)) == numbers);
        self.typed.among("file", words.iter().map(String::as_str))
    }

    fn keys(&self) -> Vec<Completion> {
        let mut found = Vec::new();
        let Some(db) = self.session.database().filter(|_| self.keys) else {
            return found;
        };
        let Ok(mut iterator) = db.iter(&ScanOptions::default().prefix(&self.typed.word)) else {
            return found;
        };
        // Completion is a courtesy: where it would have to wait for a file, it offers what it has.
        let mut moved = iterator.seek_to_first();
        while moved.is_ok() && iterator.valid() && found.len() < KEYS_MAX {
            if iterator.key().len() <= KEY_BYTES_MAX {
                found.push(self.typed.completion(&text::word(iterator.key()), "key"));
            }
            moved = iterator.next();
        }
        found
    }
}
