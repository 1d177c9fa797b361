//! Text for people, and bytes as words that can be typed again.

pub use levelscope::text::{bytes, count, counted, decimal, escape, list, printable, ratio, size};

/// `bytes` as one word of the command language: escaped, and quoted where it would not be one word.
pub fn word(bytes: &[u8]) -> String {
    let text = escape(bytes);
    let special = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';' | '{' | '}' | '#');
    let quote = text.is_empty()
        || text.starts_with("0x")
        || text.starts_with("--")
        || text.ends_with(',')
        || text.chars().any(special);
    if quote { format!("\"{}\"", text.replace('"', "\\\"")) } else { text }
}

/// [`word`], cut to about `limit` bytes of input, with the full length told when it was cut.
pub fn short_word(bytes: &[u8], limit: usize) -> String {
    match bytes.get(..limit) {
        Some(head) if head.len() < bytes.len() => {
            format!("{}... ({})", word(head), self::bytes(bytes.len()))
        }
        _ => word(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_needed() {
        assert_eq!(word(b""), "\"\"");
        assert_eq!(word(b"a b"), "\"a b\"");
        assert_eq!(word(b"say \"x\""), "\"say \\\"x\\\"\"");
        assert_eq!(word(b"0x12"), "\"0x12\"");
        assert_eq!(word(b"plain-1,2"), "plain-1,2");
        assert_eq!(short_word(b"abcdef", 3), "abc... (6 bytes)");
        assert_eq!(short_word(b"abc", 3), "abc");
    }
}
