//! Names for opened files: words that can be typed, selected and linked.

/// Longest name \[characters\].
const CHARACTERS_MAX: usize = 100;
/// Directories that are kept, the last ones.
const DEPTH_MAX: usize = 4;

/// `name` without what could be mistaken: letters, digits, `.`, `-`, `_` and `+` stay, and `/` between the
/// names of directories; everything else becomes `_`. Never empty.
pub(crate) fn tidy(name: &str) -> String {
    let parts: Vec<String> = name
        .split(['/', '\\'])
        .filter(|part| !matches!(*part, "" | "." | ".."))
        .map(|part| part.chars().map(tidy_character).collect())
        .collect();
    let kept = parts.get(parts.len().saturating_sub(DEPTH_MAX)..).unwrap_or_default();
    let joined = kept.join("/");
    let too_long = joined.chars().count().saturating_sub(CHARACTERS_MAX);
    let cut: String = joined.chars().skip(too_long).collect();
    let cut = cut.trim_matches('/');
    if cut.is_empty() { "unnamed".to_owned() } else { cut.to_owned() }
}

/// The directory in the name of a file; empty when it has none.
pub(crate) fn place_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(place, _)| place)
}

fn tidy_character(character: char) -> char {
    let plain = matches!(character, '.' | '-' | '_' | '+');
    if plain || character.is_alphanumeric() { character } else { '_' }
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn names_become_single_plain_words() {
        for (name, expected) in [
            ("tiny.sst", "tiny.sst"),
            ("000012 (1).sst", "000012__1_.sst"),
            ("../../etc/passwd", "etc/passwd"),
            ("C:\\db\\000005.ldb", "C_/db/000005.ldb"),
            ("a/b/c/d/e/f", "c/d/e/f"),
            ("", "unnamed"),
            ("..", "unnamed"),
            ("\u{1b}[31m\u{202e}\0x", "__31m__x"),
            ("table:1/block:2", "table_1/block_2"),
            ("gr\u{fc}n.log", "gr\u{fc}n.log"),
        ] {
            assert_eq!(tidy(name), expected, "{name:?}");
        }
        assert_eq!(tidy(&"x".repeat(500)).len(), 100);
    }
}
