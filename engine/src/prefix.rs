//! Prefixes of keys: the keys of prefix filters and prefix indexes.
//!
//! Invariant: a key has the prefix `p` exactly when it begins with `p` and `p` is the prefix of itself.
//! So the keys of one prefix stand side by side in key order, and whatever is true of a prefix is true
//! of every key and every longer prefix that begins with it.

use std::fmt;
use std::str::FromStr;

/// Longest fixed prefix \[bytes\].
pub const PREFIX_BYTES_MAX: usize = 1024;

/// Which first bytes of a key are its prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum PrefixExtractor {
    /// No key has a prefix.
    #[default]
    None,
    /// The first so many bytes; shorter keys have none.
    Fixed(usize),
    /// Everything up to the first such byte and the byte itself; keys without it have none.
    Until(u8),
}

impl PrefixExtractor {
    /// The prefix of `user_key`; `None` when it has none.
    ///
    /// ```
    /// use levelscope::PrefixExtractor;
    /// assert_eq!(PrefixExtractor::Fixed(3).prefix_of(b"abcdef"), Some(&b"abc"[..]));
    /// assert_eq!(PrefixExtractor::Until(b'.').prefix_of(b"ann.2024.login"), Some(&b"ann."[..]));
    /// assert_eq!(PrefixExtractor::Until(b'.').prefix_of(b"ann"), None);
    /// ```
    #[inline]
    pub fn prefix_of<'a>(&self, user_key: &'a [u8]) -> Option<&'a [u8]> {
        match self {
            Self::None => None,
            Self::Fixed(bytes) => user_key.get(..*bytes),
            Self::Until(end) => {
                let at = user_key.iter().position(|byte| byte == end)?;
                user_key.get(..=at)
            }
        }
    }
}

/// The word that [`PrefixExtractor::from_str`] reads: `none`, `fixed:8`, `until:.` or `until:0x00`.
impl fmt::Display for PrefixExtractor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Fixed(bytes) => write!(f, "fixed:{bytes}"),
            Self::Until(end) if end.is_ascii_graphic() => write!(f, "until:{}", char::from(*end)),
            Self::Until(end) => write!(f, "until:0x{end:02x}"),
        }
    }
}

impl FromStr for PrefixExtractor {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if text == "none" {
            return Ok(Self::None);
        }
        if let Some(bytes) = text.strip_prefix("fixed:") {
            let bytes = bytes.parse().map_err(|_| ())?;
            return if (1..=PREFIX_BYTES_MAX).contains(&bytes) {
                Ok(Self::Fixed(bytes))
            } else {
                Err(())
            };
        }
        let end = text.strip_prefix("until:").ok_or(())?;
        if let [end] = end.as_bytes() {
            return Ok(Self::Until(*end));
        }
        let hex = end.strip_prefix("0x").filter(|hex| hex.len() == 2).ok_or(())?;
        u8::from_str_radix(hex, 16).map(Self::Until).map_err(|_| ())
    }
}

/// The smallest key after all keys that begin with `prefix`, or `None`.
///
/// ```
/// assert_eq!(levelscope::after_prefix(b"ab"), Some(b"ac".to_vec()));
/// assert_eq!(levelscope::after_prefix(b"a\xff"), Some(b"b".to_vec()));
/// assert_eq!(levelscope::after_prefix(b"\xff"), None);
/// ```
pub fn after_prefix(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|byte| *byte != u8::MAX)?;
    let mut after = prefix.get(..=last)?.to_vec();
    if let Some(byte) = after.last_mut() {
        *byte += 1;
    }
    Some(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written() {
        let all = [PrefixExtractor::None, PrefixExtractor::Fixed(1), PrefixExtractor::Fixed(1024)];
        let ends = (0..=u8::MAX).map(PrefixExtractor::Until);
        for extractor in all.into_iter().chain(ends) {
            assert_eq!(extractor.to_string().parse(), Ok(extractor), "{extractor}");
        }
        for wrong in [
            "",
            "fixed:0",
            "fixed:1025",
            "fixed:x",
            "until:",
            "until:ab",
            "until:0x1",
            "until:0xzz",
            "until:é",
        ] {
            assert_eq!(wrong.parse::<PrefixExtractor>(), Err(()), "{wrong}");
        }
    }

    /// The invariant at the head of this module, on every key of up to five letters out of three.
    #[test]
    fn keys_with_a_prefix_are_those_that_begin_with_it() {
        let mut keys = vec![Vec::new()];
        for _ in 0..5 {
            let longer = keys.iter().flat_map(|key: &Vec<u8>| {
                b"a.b".iter().map(move |letter| [key.as_slice(), &[*letter]].concat())
            });
            let longer: Vec<Vec<u8>> = longer.collect();
            keys.extend(longer);
        }
        keys.sort();
        keys.dedup();
        for extractor in
            [PrefixExtractor::Fixed(2), PrefixExtractor::Until(b'.'), PrefixExtractor::None]
        {
            for prefix in &keys {
                let own = extractor.prefix_of(prefix) == Some(prefix.as_slice());
                for key in &keys {
                    let has = extractor.prefix_of(key) == Some(prefix.as_slice());
                    assert_eq!(
                        has,
                        own && key.starts_with(prefix),
                        "{extractor} {key:?} {prefix:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_key_behind_a_prefix() {
        assert_eq!(after_prefix(b"a\xff\xff"), Some(b"b".to_vec()));
        assert_eq!(after_prefix(b"\xff\xff"), None);
        assert_eq!(after_prefix(b""), None);
    }
}
