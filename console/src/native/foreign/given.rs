//! What is typed after a command that looks at a directory of another program: its words and its flags.

use levelscope_console::lexer::Word;
use levelscope_console::{Failure, text};

/// Flags that are followed by a number.
const VALUED: [&str; 4] = ["at", "from", "limit", "sequence"];

/// Commands with the words that each takes at most, and its flags.
const SHAPES: [(&str, usize, &[&str]); 18] = [
    ("overview", 0, &[]),
    ("families", 0, &[]),
    ("family", 1, &[]),
    ("levels", 0, &["at"]),
    ("steps", 1, &["limit"]),
    ("table", 1, &[]),
    ("get", 1, &["sequence"]),
    ("scan", 2, &["limit", "sequence"]),
    ("reports", 0, &[]),
    ("report", 2, &["csv"]),
    ("files", 0, &[]),
    ("bytes", 2, &["at", "from", "limit"]),
    ("problems", 0, &[]),
    ("check", 0, &["deep"]),
    ("export", 1, &["lossy", "skip-damage"]),
    ("help", 1, &[]),
    ("quit", 0, &[]),
    ("exit", 0, &[]),
];

/// Words and flags of a command.
pub(super) struct Given {
    pub(super) words: Vec<Vec<u8>>,
    flags: Vec<(String, Option<String>)>,
}

impl Given {
    /// Takes apart what follows `verb`. A word or a flag that the command does not take is an error, because a person
    /// meant something by it.
    pub(super) fn of(verb: &str, words: &[Word]) -> Result<Self, Failure> {
        let (mut plain, mut flags) = (Vec::new(), Vec::new());
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let flag = word.as_bare().and_then(|bare| bare.strip_prefix("--"));
            let Some(flag) = flag else {
                plain.push(word.bytes.clone());
                continue;
            };
            if !VALUED.contains(&flag) {
                flags.push((flag.to_owned(), None));
                continue;
            }
            let value = words.next().and_then(|word| String::from_utf8(word.bytes.clone()).ok());
            let value = value.ok_or_else(|| Failure::usage(format!("--{flag} takes a number")))?;
            flags.push((flag.to_owned(), Some(value)));
        }
        let given = Self { words: plain, flags };
        given.fits(verb)?;
        Ok(given)
    }

    /// Refuses what the command does not take; unknown commands are told elsewhere.
    fn fits(&self, verb: &str) -> Result<(), Failure> {
        let Some((_, most, flags)) = SHAPES.iter().find(|(known, ..)| *known == verb) else {
            return Ok(());
        };
        let hint = || format!("help {verb} tells what it takes");
        if let Some((flag, _)) = self.flags.iter().find(|(flag, _)| !flags.contains(&flag.as_str()))
        {
            let message = format!("{verb} has no --{}", text::printable(flag));
            return Err(Failure::usage(message).hint(hint()));
        }
        let Some(more) = self.words.get(*most) else { return Ok(()) };
        let takes = match most {
            0 => "no words".to_owned(),
            most => format!("at most {}", text::counted(*most, "word")),
        };
        let message =
            format!("{verb} takes {takes}; {} is one argument too many", text::word(more));
        Err(Failure::usage(message).hint(hint()))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.flags.iter().any(|(flag, _)| flag == name)
    }

    pub(super) fn number(&self, name: &str) -> Result<Option<u64>, Failure> {
        let Some((_, Some(value))) = self.flags.iter().find(|(flag, _)| flag == name) else {
            return Ok(None);
        };
        number(value).map(Some)
    }

    pub(super) fn text(&self, place: usize) -> Option<String> {
        self.words.get(place).map(|word| String::from_utf8_lossy(word).into_owned())
    }
}

pub(super) fn number(value: &str) -> Result<u64, Failure> {
    let plain = value.replace(',', "");
    plain.parse().map_err(|_| Failure::usage(format!("{} is no number", text::printable(value))))
}

pub(super) fn size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
