//! Values inside values: `{a=1;b={c=2;};}`, and the escapes of option files.

/// A nested value: names and values in their order, still as text.
pub type Nested = Vec<(String, String)>;

/// Pairs that one nested value may have; more are left out.
const PAIRS_MAX: usize = 10_000;

/// Takes `{a=1;b={c=2;};}` apart, one level deep: `a` is `1`, `b` is `{c=2;}`. `None` when the braces are missing or
/// do not match. A part without `=` has an empty name.
pub fn nested(text: &str) -> Option<Nested> {
    let inner = text.trim().strip_prefix('{')?.strip_suffix('}')?;
    let mut pairs = Vec::new();
    for part in parts(inner)? {
        let part = part.trim();
        if part.is_empty() {
            continue;
        }
        let (name, value) = part.split_once('=').unwrap_or(("", part));
        pairs.push((name.trim().to_owned(), unescape(value.trim())));
    }
    Some(pairs)
}

/// The parts between semicolons that stand in no inner braces; `None` when braces do not match.
fn parts(text: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    let (mut start, mut depth, mut escaped) = (0, 0u32, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'{' => depth += 1,
            b'}' => depth = depth.checked_sub(1)?,
            b';' if depth == 0 => {
                if found.len() < PAIRS_MAX {
                    found.push(text.get(start..at)?);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(text.get(start..)?);
    (depth == 0).then_some(found)
}

/// Undoes `\n`, `\r` and a backslash before any other character.
pub(super) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some(other) => out.push(other),
            None => out.push('\\'),
        }
    }
    out
}

/// The start of a comment: a `#` that no backslash escapes.
pub(super) fn comment_start(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'#' => return at,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{comment_start, nested, unescape};

    #[test]
    fn inner_braces_stay_together() {
        let pairs = nested("{a=1;b={c=2;d=;};e=;}").unwrap();
        let expected = [("a", "1"), ("b", "{c=2;d=;}"), ("e", "")];
        assert_eq!(pairs, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(nested("a=1"), None);
        assert_eq!(nested("{a={;}"), None);
        assert_eq!(nested("{a=};}"), None);
    }

    #[test]
    fn a_backslash_escapes_what_follows() {
        assert_eq!(unescape(r"a\#b\n\\c\"), "a#b\n\\c\\");
        assert_eq!(comment_start(r"a\#b # c"), 5);
    }
}
