//! The description of each option, and how text sets it.

use super::Options;
use crate::{Error, Result};

/// The value of an option, as text and programs see it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionValue {
    /// A number in the unit of the option.
    Number(u64),
    /// One of the option's words.
    Word(String),
}

impl std::fmt::Display for OptionValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// The description of one option.
#[derive(Debug)]
#[non_exhaustive]
pub struct OptionInfo {
    /// Name, as in [`Options`].
    pub name: &'static str,
    /// Unit of a number, or the words to choose from.
    pub unit: &'static str,
    /// The words to choose from; one that ends in a colon goes on with a value. Empty: it takes a number.
    pub words: &'static [&'static str],
    /// Smallest number.
    pub min: u64,
    /// Largest number.
    pub max: u64,
    /// Its effect, in one sentence.
    pub purpose: &'static str,
    /// When to choose another value, and other advice; may be empty.
    pub advice: &'static str,
    /// Its value in [`Options::default`], as a reader writes it: `4 MiB`.
    pub default: &'static str,
    /// Reads it.
    pub get: fn(&Options) -> OptionValue,
    pub(super) set: fn(&mut Options, &OptionInfo, &str) -> Result<()>,
}

impl OptionInfo {
    pub(super) fn out_of_range(&self, number: u64) -> Error {
        Error::invalid(format!(
            "{} is {number}, but must be {} to {} {}",
            self.name, self.min, self.max, self.unit
        ))
    }

    pub(super) fn number(&self, text: &str) -> Result<u64> {
        let number = parse_number(text).ok_or_else(|| {
            Error::invalid(format!(
                "{} takes a number such as 4096, 64k or 2m, not {text:?}",
                self.name
            ))
        })?;
        if (self.min..=self.max).contains(&number) {
            Ok(number)
        } else {
            Err(self.out_of_range(number))
        }
    }

    pub(super) fn wrong_word(&self, text: &str) -> Error {
        Error::invalid(format!("{} takes {}, not {text:?}", self.name, self.unit))
    }
}

/// Reads `4096`, `4_096`, `64k`, `2m` or `1g` (powers of 1024).
pub(super) fn parse_number(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase().replace('_', "");
    let (digits, shift) = match text.as_bytes().last()? {
        b'k' => (text.get(..text.len() - 1)?, 10),
        b'm' => (text.get(..text.len() - 1)?, 20),
        b'g' => (text.get(..text.len() - 1)?, 30),
        _ => (text.as_str(), 0),
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}
