//! Queries of programs: a typed one for each thing that a page draws. People type commands.

use super::lexer::{Statement, Token, Word, lex};
use serde::Deserialize;

/// A question that leaves no trace; the answer is the result of the command that people would type.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(tag = "ask"))]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
// Variants without fields have braces: serde refuses unknown fields only of those.
pub enum Query {
    /// The files of the database.
    Files {},
    /// The figures of the database.
    Stats {},
    /// The tree of a memtable.
    Memtable {
        /// Its number.
        memtable: u64,
        /// The key whose search path is returned, if any.
        key: Option<Vec<u8>>,
    },
    /// The newest entries of each memtable.
    Recent {
        /// Most entries of each.
        limit: u64,
    },
    /// The entries of some tables of the levels; those that are in no level are left out.
    Contents {
        /// Their numbers.
        tables: Vec<u64>,
        /// Most entries of each.
        limit: u64,
    },
    /// Every version of a key.
    Follow {
        /// The key as it is shown: with `\xNN` for bytes that cannot be printed.
        key: String,
    },
    /// The buckets of both prefix indexes of a table.
    Buckets {
        /// The number of the table.
        table: u64,
        /// Most buckets of each.
        limit: u64,
    },
    /// A file summed up for a ribbon.
    Ribbon {
        /// `table:12`, `CURRENT`, or the name of a file of a directory.
        file: String,
        /// Most stretches.
        stretches: u64,
    },
    /// A part of a file, with some of its own parts.
    Part {
        /// As for a ribbon.
        file: String,
        /// The steps down from the file: `block:2/entry:5`; empty: the file itself.
        path: String,
        /// Parts that are left out at the beginning.
        skip: u64,
        /// Most parts.
        limit: u64,
    },
    /// Bytes of a file, with their names.
    Hex {
        /// As for a ribbon.
        file: String,
        /// The compressed part whose content is read; `None`: the file.
        inside: Option<String>,
        /// The first byte.
        offset: u64,
        /// Number of bytes.
        length: u64,
    },
    /// The first place of some bytes in a file.
    Find {
        /// As for a ribbon.
        file: String,
        /// As for [`Query::Hex`].
        inside: Option<String>,
        /// The first byte that may be the place.
        offset: u64,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// The experiments.
    Labs {},
}

impl Query {
    /// The command that answers it.
    pub(crate) fn statement(&self) -> Statement {
        match self {
            Self::Files {} => Words::of("files"),
            Self::Stats {} => Words::of("stats"),
            Self::Memtable { memtable, key } => {
                Words::of("mem").number(*memtable).bytes_flag("--path", key.as_deref())
            }
            Self::Recent { limit } => Words::of("mem").flag("--newest", *limit),
            Self::Contents { tables, limit } => {
                let words = Words::of("contents").flag("--limit", *limit);
                tables.iter().fold(words, |words, table| words.number(*table))
            }
            Self::Follow { key } => Words::of("follow").bytes(&bytes_of_shown(key)),
            Self::Buckets { table, limit } => {
                Words::of("buckets").number(*table).flag("--limit", *limit)
            }
            Self::Ribbon { file, stretches } => {
                Words::of("layout").text(file).flag("--ribbon", *stretches)
            }
            Self::Part { file, path, skip, limit } => Words::of("layout")
                .text(file)
                .bytes_flag("--node", Some(path.as_bytes()))
                .flag("--skip", *skip)
                .flag("--limit", *limit),
            Self::Hex { file, inside, offset, length } => {
                hex(file, inside.as_deref()).flag("--at", *offset).flag("--length", *length)
            }
            Self::Find { file, inside, offset, bytes } => hex(file, inside.as_deref())
                .flag("--at", *offset)
                .flag("--length", 1)
                .bytes_flag("--find", Some(bytes)),
            Self::Labs {} => Words::of("lab"),
        }
        .0
    }
}

/// The bytes of a key as it is shown; text that no key is shown as means itself.
fn bytes_of_shown(text: &str) -> Vec<u8> {
    let quoted = format!("\"{}\"", text.replace('"', "\\\""));
    let statements = lex(&quoted).unwrap_or_default();
    match statements.first().map(|statement| statement.tokens.as_slice()) {
        Some([Token::Word(word)]) => word.bytes.clone(),
        _ => text.as_bytes().to_vec(),
    }
}

fn hex(file: &str, inside: Option<&str>) -> Words {
    let words = Words::of("hex").text(file);
    match inside {
        None => words,
        Some(path) => words.bytes_flag("--node", Some(path.as_bytes())).switch("--decoded"),
    }
}

/// A statement under construction. No byte of a word has a meaning of its own: nothing is quoted.
struct Words(Statement);

impl Words {
    fn of(verb: &'static str) -> Self {
        Self(Statement::default()).switch(verb)
    }

    fn push(mut self, bytes: &[u8], bare: bool) -> Self {
        let word = Word { bytes: bytes.to_vec(), bare, start: 0, end: 0 };
        self.0.tokens.push(Token::Word(word));
        self
    }

    fn bytes(self, bytes: &[u8]) -> Self {
        self.push(bytes, false)
    }

    fn text(self, text: &str) -> Self {
        self.bytes(text.as_bytes())
    }

    fn number(self, number: u64) -> Self {
        self.text(&number.to_string())
    }

    /// A verb, or an option without a value.
    fn switch(self, name: &'static str) -> Self {
        self.push(name.as_bytes(), true)
    }

    fn flag(self, name: &'static str, value: u64) -> Self {
        self.switch(name).number(value)
    }

    fn bytes_flag(self, name: &'static str, value: Option<&[u8]>) -> Self {
        match value {
            None => self,
            Some(value) => self.switch(name).bytes(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::bytes_of_shown;

    #[test]
    fn keys_are_read_as_they_are_shown() {
        for bytes in [&b"apple"[..], b"", b"a\xff\n\t\\", b"a \"b\" ; reset", "Zo\u{eb}".as_bytes()]
        {
            assert_eq!(bytes_of_shown(&levelscope::text::escape(bytes)), bytes);
        }
        assert_eq!(bytes_of_shown("\\x"), b"\\x", "no key is shown so");
    }
}
