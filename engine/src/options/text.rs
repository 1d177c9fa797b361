//! How options of each type are read from text and written as such.

use super::info::parse_number;
use super::{
    Compression, Maintenance, OptionInfo, OptionValue, PrefixIndexForm, Strategy, WalSync,
};
use crate::{Error, PrefixExtractor, Result};

/// A type of options.
pub(super) trait Setting: Sized {
    /// The words to choose from; one that ends in a colon goes on with a value. Empty: it takes a number.
    const WORDS: &'static [&'static str] = &[];

    fn value(&self) -> OptionValue;

    /// Reads `text`, which is to become the option of `info`.
    ///
    /// # Errors
    /// `InvalidArgument` when it is unreadable or out of range.
    fn read(info: &OptionInfo, text: &str) -> Result<Self>;
}

macro_rules! numbers {
    ($($number:ty),+) => {$(
        impl Setting for $number {
            fn value(&self) -> OptionValue {
                OptionValue::Number(u64::try_from(*self).unwrap_or(u64::MAX))
            }

            fn read(info: &OptionInfo, text: &str) -> Result<Self> {
                info.number(text)?.try_into().map_err(|_| {
                    Error::invalid(format!("{} is too large for this machine", info.name))
                })
            }
        }
    )+};
}

numbers!(usize, u64);

/// Words without a value.
macro_rules! words {
    ($($type:ty { $($word:literal => $variant:expr),+ })+) => {$(
        impl Setting for $type {
            const WORDS: &'static [&'static str] = &[$($word),+];

            fn value(&self) -> OptionValue {
                let words = [$(($word, $variant)),+];
                let word = words.iter().find(|(_, variant)| variant == self);
                OptionValue::Word(word.map_or("", |(word, _)| word).to_owned())
            }

            fn read(info: &OptionInfo, text: &str) -> Result<Self> {
                match text {
                    $($word => Ok($variant),)+
                    _ => Err(info.wrong_word(text)),
                }
            }
        }
    )+};
}

words! {
    bool { "on" => true, "off" => false }
    Compression { "none" => Self::None, "snappy" => Self::Snappy }
    PrefixIndexForm { "none" => Self::None, "exact" => Self::Exact, "compact" => Self::Compact }
}

impl Setting for Strategy {
    const WORDS: &'static [&'static str] =
        &[Self::ALL[0].name(), Self::ALL[1].name(), Self::ALL[2].name()];

    fn value(&self) -> OptionValue {
        OptionValue::Word(self.name().to_owned())
    }

    fn read(info: &OptionInfo, text: &str) -> Result<Self> {
        let named = Self::ALL.into_iter().find(|strategy| strategy.name() == text);
        named.ok_or_else(|| info.wrong_word(text))
    }
}

impl Setting for PrefixExtractor {
    const WORDS: &'static [&'static str] = &["none", "fixed:", "until:"];

    fn value(&self) -> OptionValue {
        OptionValue::Word(self.to_string())
    }

    fn read(info: &OptionInfo, text: &str) -> Result<Self> {
        text.parse().map_err(|()| info.wrong_word(text))
    }
}

impl Setting for WalSync {
    const WORDS: &'static [&'static str] = &["each", "group", "interval:", "none"];

    fn value(&self) -> OptionValue {
        OptionValue::Word(match self {
            Self::Each => "each".into(),
            Self::Group => "group".into(),
            Self::Interval(bytes) => format!("interval:{bytes}"),
            Self::None => "none".into(),
        })
    }

    fn read(info: &OptionInfo, text: &str) -> Result<Self> {
        let bytes = text.strip_prefix("interval:").and_then(parse_number);
        match (text, bytes) {
            ("each", _) => Ok(Self::Each),
            ("group", _) => Ok(Self::Group),
            ("none", _) => Ok(Self::None),
            (_, Some(bytes @ 1..)) => Ok(Self::Interval(bytes)),
            _ => Err(info.wrong_word(text)),
        }
    }
}

impl Setting for Maintenance {
    const WORDS: &'static [&'static str] = &["auto", "manual", "inline", "threads:"];

    fn value(&self) -> OptionValue {
        OptionValue::Word(match self {
            Self::Auto => "auto".into(),
            Self::Manual => "manual".into(),
            Self::Inline => "inline".into(),
            Self::Threads(count) => format!("threads:{count}"),
        })
    }

    fn read(info: &OptionInfo, text: &str) -> Result<Self> {
        let threads = text.strip_prefix("threads:").and_then(|count| count.parse().ok());
        match (text, threads) {
            ("auto", _) => Ok(Self::Auto),
            ("manual", _) => Ok(Self::Manual),
            ("inline", _) => Ok(Self::Inline),
            (_, Some(count @ 1..=8)) => Ok(Self::Threads(count)),
            _ => Err(info.wrong_word(text)),
        }
    }
}
