//! Text into statements of words: quoting, escapes, hexadecimal, comments, several lines.
//!
//! ```text
//! put key "a value"; get key      ; or the end of the line ends a statement
//! put \x00\xff 0x00ff             \xNN is one byte, 0x... is a whole word of bytes
//! put long \                      a backslash at the end of the line continues it
//!     value
//! batch { put a 1                 an open brace of a batch continues it, too
//!         del b }
//! compare leveled tiered { fill 300; run }    whole commands: the statement holds their text
//! get a   # comment
//! ```

use crate::output::Failure;

/// One word: bytes, and how they were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Its value.
    pub bytes: Vec<u8>,
    /// Whether it was written without quotes and escapes: only then can it be an option or a brace.
    pub bare: bool,
    /// Where it begins in the text \[bytes\].
    pub start: usize,
    /// Where it ends in the text \[bytes\].
    pub end: usize,
}

impl Word {
    /// The word when it was written bare.
    pub fn as_bare(&self) -> Option<&str> {
        if self.bare { std::str::from_utf8(&self.bytes).ok() } else { None }
    }
}

/// A part of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// A word.
    Word(Word),
    /// Inside a batch: a comma, a semicolon or the end of a line.
    Separator,
}

/// One command, not yet understood.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statement {
    /// Its parts; the first is always a word.
    pub tokens: Vec<Token>,
    /// Commands in braces, as text: only `compare` takes some.
    pub block: Option<String>,
    /// Where it begins in the text \[bytes\].
    pub start: usize,
    /// Where it ends in the text \[bytes\].
    pub end: usize,
}

impl Statement {
    /// The words of the statement.
    pub fn words(&self) -> impl Iterator<Item = &Word> {
        self.tokens.iter().filter_map(|token| match token {
            Token::Word(word) => Some(word),
            Token::Separator => None,
        })
    }

    fn is(&self, verb: &str) -> bool {
        let Some(Token::Word(word)) = self.tokens.first() else { return false };
        word.as_bare().is_some_and(|name| name.eq_ignore_ascii_case(verb))
    }

    fn is_batch(&self) -> bool {
        self.is("batch")
    }
}

/// Why a text cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LexError {
    /// It goes on: a quote or brace is open, or the last line ends in a backslash.
    Unfinished(&'static str),
    /// It is wrong.
    Wrong(Failure),
}

impl LexError {
    /// The failure of `text`, such as `the command is`.
    pub(crate) fn of(self, text: &str) -> Failure {
        match self {
            Self::Wrong(failure) => failure,
            Self::Unfinished(what) => Failure::usage(format!("{text} not finished: {what}")),
        }
    }
}

impl From<LexError> for Failure {
    fn from(error: LexError) -> Self {
        error.of("the command is")
    }
}

/// The missing part of an incomplete text; `None` when it is complete.
///
/// A terminal asks for another line as long as there is an answer.
pub fn unfinished(text: &str) -> Option<&'static str> {
    match lex(text) {
        Err(LexError::Unfinished(what)) => Some(what),
        _ => None,
    }
}

/// Parses `text` into statements.
///
/// # Errors
/// [`LexError::Unfinished`] or [`LexError::Wrong`].
pub fn lex(text: &str) -> Result<Vec<Statement>, LexError> {
    let mut lexer = Lexer::new(text);
    lexer.run()?;
    Ok(lexer.statements)
}

/// As [`lex`], but takes what is there, for completion: errors end the text. In an open block of commands, those
/// in it.
pub fn lex_partial(text: &str) -> (Vec<Statement>, Statement) {
    let mut lexer = Lexer::new(text);
    let _ = lexer.run_open();
    if let Some((from, _)) = lexer.block {
        lexer = Lexer { at: from, ..Lexer::new(text) };
        let _ = lexer.run_open();
    }
    (lexer.statements, lexer.current)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    statements: Vec<Statement>,
    current: Statement,
    in_batch: bool,
    /// Where the open block of commands begins \[bytes\], and how many of its braces are open.
    block: Option<(usize, usize)>,
}

impl<'a> Lexer<'a> {
    fn new(text: &'a str) -> Self {
        let (statements, current) = (Vec::new(), Statement::default());
        Self { text, at: 0, statements, current, in_batch: false, block: None }
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn run(&mut self) -> Result<(), LexError> {
        self.run_open()?;
        if self.in_batch {
            return Err(LexError::Unfinished("the batch needs its closing brace }"));
        }
        if self.block.is_some() {
            return Err(LexError::Unfinished("the commands need their closing brace }"));
        }
        self.end_statement(self.at);
        Ok(())
    }

    /// Reads to the end of the text and leaves the last statement open.
    fn run_open(&mut self) -> Result<(), LexError> {
        while let Some(next) = self.peek() {
            let start = self.at;
            match next {
                ';' | '\n' => {
                    self.at += 1;
                    if self.in_batch {
                        self.separator();
                    } else if self.block.is_none() {
                        self.end_statement(start);
                    }
                }
                ',' if self.at_comma() => {
                    self.at += 1;
                    self.separator();
                }
                '\\' if self.at_continuation() => self.continue_line()?,
                '#' if self.after(1).is_none_or(char::is_whitespace) => self.skip_comment(),
                '#' if self.current.tokens.is_empty() => self.skip_comment(),
                _ if next.is_whitespace() => self.at += next.len_utf8(),
                _ => self.word()?,
            }
        }
        Ok(())
    }

    fn rest(&self, skip: usize) -> &'a str {
        self.text.get(self.at + skip..).unwrap_or("")
    }

    fn after(&self, skip: usize) -> Option<char> {
        self.rest(skip).chars().next()
    }

    /// Whether the comma here ends a part of a batch: the end of a word follows.
    fn at_comma(&self) -> bool {
        let ends_word = self.after(1).is_none_or(|next| next.is_whitespace() || next == ';');
        self.current.is_batch() && ends_word
    }

    /// Whether the backslash here is the last character of its line.
    fn at_continuation(&self) -> bool {
        let rest = self.rest(1);
        rest.is_empty() || rest.starts_with('\n') || rest.starts_with("\r\n")
    }

    fn skip_comment(&mut self) {
        self.at += self.rest(0).find('\n').unwrap_or(self.rest(0).len());
    }

    fn continue_line(&mut self) -> Result<(), LexError> {
        let rest = self.rest(1);
        let Some(newline) = rest.find('\n') else {
            return Err(LexError::Unfinished("a backslash continues on the next line"));
        };
        self.at += 1 + newline + 1;
        if self.rest(0).is_empty() {
            return Err(LexError::Unfinished("a backslash continues on the next line"));
        }
        Ok(())
    }

    fn separator(&mut self) {
        if !matches!(self.current.tokens.last(), None | Some(Token::Separator)) {
            self.current.tokens.push(Token::Separator);
        }
    }

    fn end_statement(&mut self, end: usize) {
        let mut statement = std::mem::take(&mut self.current);
        if !statement.tokens.is_empty() {
            statement.end = end;
            self.statements.push(statement);
        }
    }

    fn push(&mut self, word: Word) {
        if self.current.tokens.is_empty() {
            self.current.start = word.start;
        }
        self.current.end = word.end;
        if let Some((from, depth)) = self.block {
            return self.push_in_block(&word, from, depth);
        }
        match word.as_bare() {
            Some("{") if self.current.is_batch() && self.current.tokens.len() == 1 => {
                self.in_batch = true;
            }
            Some("{") if self.current.is("compare") => {
                self.block = Some((word.end, 1));
                return;
            }
            Some("}") => self.in_batch = false,
            _ => {}
        }
        self.current.tokens.push(Token::Word(word));
    }

    /// Reads over a word of the block that begins at `from`: only its braces count.
    fn push_in_block(&mut self, word: &Word, from: usize, depth: usize) {
        let depth = match word.as_bare() {
            Some("{") => depth + 1,
            Some("}") => depth - 1,
            _ => depth,
        };
        self.block = (depth > 0).then_some((from, depth));
        if depth == 0 {
            self.current.block = self.text.get(from..word.start).map(str::to_owned);
        }
    }

    fn word(&mut self) -> Result<(), LexError> {
        let start = self.at;
        let mut bytes = Vec::new();
        let mut bare = true;
        while let Some(next) = self.peek() {
            match next {
                ';' => break,
                '"' | '\'' => {
                    bare = false;
                    self.at += 1;
                    self.quoted(next, &mut bytes)?;
                }
                '\\' if self.at_continuation() => break,
                '\\' => {
                    bare = false;
                    self.at += 1;
                    self.escape(&mut bytes)?;
                }
                ',' if self.at_comma() => break,
                _ if next.is_whitespace() => break,
                _ => {
                    self.at += next.len_utf8();
                    bytes.extend_from_slice(next.encode_utf8(&mut [0; 4]).as_bytes());
                }
            }
        }
        if let Some(digits) = bytes.strip_prefix(b"0x").filter(|_| bare) {
            bytes = from_hex(digits).ok_or_else(|| wrong_hex(&bytes))?;
            bare = false;
        }
        self.push(Word { bytes, bare, start, end: self.at });
        Ok(())
    }

    fn quoted(&mut self, quote: char, bytes: &mut Vec<u8>) -> Result<(), LexError> {
        loop {
            match self.next() {
                None if quote == '"' => return Err(LexError::Unfinished("a quote \" is open")),
                None => return Err(LexError::Unfinished("a quote ' is open")),
                Some(next) if next == quote => return Ok(()),
                Some('\\') => self.escape(bytes)?,
                Some(next) => bytes.extend_from_slice(next.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
    }

    /// Reads what follows a backslash.
    fn escape(&mut self, bytes: &mut Vec<u8>) -> Result<(), LexError> {
        match self.next() {
            Some('x') => {
                let digits = self.rest(0).get(..2).and_then(|digits| from_hex(digits.as_bytes()));
                let wrong = || Failure::usage("\\x takes two hexadecimal digits").hint("\\x1b");
                bytes.extend_from_slice(&digits.ok_or_else(|| LexError::Wrong(wrong()))?);
                self.at += 2;
            }
            Some('n') => bytes.push(b'\n'),
            Some('t') => bytes.push(b'\t'),
            Some('r') => bytes.push(b'\r'),
            Some('0') => bytes.push(0),
            Some(next) if next.is_alphanumeric() => {
                return Err(LexError::Wrong(
                    Failure::usage(format!("there is no escape \\{next}"))
                        .hint("\\xNN is any byte, \\n a line end, \\t a tab, \\\\ a backslash"),
                ));
            }
            Some(next) => bytes.extend_from_slice(next.encode_utf8(&mut [0; 4]).as_bytes()),
            None => {
                return Err(LexError::Unfinished("a backslash continues on the next line"));
            }
        }
        Ok(())
    }
}

fn wrong_hex(word: &[u8]) -> LexError {
    let word = crate::text::escape(word);
    LexError::Wrong(
        Failure::usage(format!("{word} is not an even number of hexadecimal digits"))
            .hint(format!("quote it to mean the text itself: \"{word}\"")),
    )
}

fn from_hex(digits: &[u8]) -> Option<Vec<u8>> {
    let nibble = |digit: &u8| char::from(*digit).to_digit(16).and_then(|n| u8::try_from(n).ok());
    if digits.is_empty() || !digits.len().is_multiple_of(2) {
        return None;
    }
    digits
        .chunks(2)
        .map(|pair| match pair {
            [high, low] => Some(nibble(high)? << 4 | nibble(low)?),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests;
