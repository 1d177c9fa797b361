//! Prose: `code`, **strong**, *emphasis* and links inside a line of text.

use crate::prose::{Inline, Prose};
use std::fmt::{self, Display, Formatter, Write as _};

/// Objects that a link may lead to.
pub(super) const OBJECTS: &[&str] =
    &["table", "wal", "memtable", "manifest", "level", "job", "key", "current"];

/// Takes `text` apart; the second part lists what may not stand in it.
pub(super) fn parse(text: &str) -> (Prose, Vec<String>) {
    let mut reader =
        Reader { rest: text, found: Vec::new(), wrong: Vec::new(), unclosed: Vec::new() };
    while reader.step() {}
    (reader.found, reader.wrong)
}

struct Reader<'a> {
    rest: &'a str,
    found: Prose,
    wrong: Vec<String>,
    /// Marks that do not occur in the rest of the text: looking for them at each character would take the square of the length.
    unclosed: Vec<&'static str>,
}

impl Reader<'_> {
    /// Reads one piece or one character; `false` at the end.
    fn step(&mut self) -> bool {
        let Some(next) = self.rest.chars().next() else { return false };
        let after = self.rest.get(next.len_utf8()..).unwrap_or("");
        match next {
            '\\' => {
                let escaped = after.chars().next().filter(char::is_ascii_punctuation);
                let length = escaped.map_or(0, char::len_utf8);
                self.text(escaped.unwrap_or('\\'));
                self.rest = after.get(length..).unwrap_or("");
                return true;
            }
            '`' => {
                let code = after.split_once('`').filter(|(code, _)| !code.is_empty());
                if let Some((code, rest)) = code {
                    self.found.push(Inline::Code { text: code.to_owned() });
                    self.rest = rest;
                    return true;
                }
            }
            '*' if self.marked(after) => return true,
            '[' if self.link(after) => return true,
            '!' if after.starts_with('[') => {
                self.wrong
                    .push("pictures may not stand in a lesson: show: leads to an object".into());
            }
            '<' if after.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!') => {
                self.wrong.push("HTML may not stand in a lesson; \\< is the character".into());
            }
            _ => {}
        }
        self.text(next);
        self.rest = after;
        true
    }

    fn text(&mut self, next: char) {
        match self.found.last_mut() {
            Some(Inline::Text { text }) => text.push(next),
            _ => self.found.push(Inline::Text { text: next.to_string() }),
        }
    }

    /// The text up to `close`, without its escapes, and the length of what follows; `None` when there is none.
    fn until(&mut self, text: &str, close: &'static str) -> Option<(String, usize)> {
        if self.unclosed.contains(&close) {
            return None;
        }
        let Some((found, rest)) = until(text, close) else {
            self.unclosed.push(close);
            return None;
        };
        let fits = !found.is_empty() && !found.starts_with(char::is_whitespace);
        fits.then_some((found, rest.len()))
    }

    /// Goes on where `left` bytes are left.
    fn go_on(&mut self, left: usize) {
        self.rest = self.rest.get(self.rest.len().saturating_sub(left)..).unwrap_or("");
    }

    /// Reads `*x*` or `**x**`, whose first star is read already.
    fn marked(&mut self, after: &str) -> bool {
        let strong = after.strip_prefix('*').and_then(|inside| self.until(inside, "**"));
        let found = match strong {
            Some((text, left)) => Some((Inline::Strong { text }, left)),
            None => self.until(after, "*").map(|(text, left)| (Inline::Emphasis { text }, left)),
        };
        let Some((inline, left)) = found else { return false };
        self.found.push(inline);
        self.go_on(left);
        true
    }

    /// Reads `text](target)`.
    fn link(&mut self, after: &str) -> bool {
        let Some((text, left)) = self.until(after, "](") else { return false };
        let rest = after.get(after.len() - left..).unwrap_or("");
        if self.unclosed.contains(&")") {
            return false;
        }
        let Some((target, rest)) = rest.split_once(')') else {
            self.unclosed.push(")");
            return false;
        };
        let kind = target.split(['/', ':']).next().unwrap_or("");
        let known = target.starts_with("https://") || OBJECTS.contains(&kind);
        if !known || target.chars().any(char::is_whitespace) {
            let target = crate::text::printable(target);
            self.wrong.push(format!(
                "{target} is no link: links lead to https: or to an object, such as table:4"
            ));
        }
        let (target, left) = (target.to_owned(), rest.len());
        self.found.push(Inline::Link { text, target });
        self.go_on(left);
        true
    }
}

/// The text before `close`, without its escapes, and what follows; `None` when it is never closed.
fn until<'a>(text: &'a str, close: &str) -> Option<(String, &'a str)> {
    let (mut found, mut rest) = (String::new(), text);
    loop {
        if let Some(after) = rest.strip_prefix(close) {
            return Some((found, after));
        }
        let mut next = rest.chars();
        let mut character = next.next()?;
        if character == '\\' {
            let mut escaped = next.clone();
            if let Some(literal) = escaped.next().filter(char::is_ascii_punctuation) {
                (character, next) = (literal, escaped);
            }
        }
        found.push(character);
        rest = next.as_str();
    }
}

/// `text` with a backslash before each character that would mean something.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '\\' | '`' | '*' | '[' | ']' | '<') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

impl Display for Inline {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { text } => f.write_str(&escaped(text)),
            Self::Code { text } => write!(f, "`{text}`"),
            Self::Strong { text } => write!(f, "**{}**", escaped(text)),
            Self::Emphasis { text } => write!(f, "*{}*", escaped(text)),
            Self::Link { text, target } => write!(f, "[{}]({target})", escaped(text)),
        }
    }
}

/// Prose as Markdown in one line, which no reader takes for anything else.
pub(super) fn markdown(prose: &[Inline]) -> String {
    let mut out = String::new();
    for (at, inline) in prose.iter().enumerate() {
        if matches!(inline, Inline::Link { .. }) && out.ends_with('!') {
            out.pop();
            out.push_str("\\!");
        }
        let _ = match inline {
            Inline::Text { text } if at == 0 => write!(out, "{}", at_beginning(text)),
            other => write!(out, "{other}"),
        };
    }
    out
}

/// Text at the beginning of a line: it begins no title, list, note, choice or answer.
fn at_beginning(text: &str) -> String {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at_checked(digits).unwrap_or(("", text));
    if digits > 0 && rest.starts_with(". ") {
        return format!("{number}\\{}", escaped(rest));
    }
    let special = text.starts_with(['#', '-', '>', '+', '=', '(', '~']);
    format!("{}{}", if special { "\\" } else { "" }, escaped(text))
}
