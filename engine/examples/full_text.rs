//! A full-text index: `cargo run --example full_text -- DIR add notes/1 the quick brown fox`, then `find fox quick`.
//!
//! ```text
//! doc/DOCUMENT         → its text
//! word/WORD\0DOCUMENT  → nothing       one posting for each different word of a document
//! ```
//!
//! The postings of a word have a prefix in common and lie in the order of their documents. A query for several
//! words walks over several of these lists at once, and skips in each to where the others are.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use levelscope::{Db, DbIterator, ScanOptions, Snapshot};
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::{env, error};

const USAGE: &str = "full_text DIR (add DOCUMENT TEXT... | remove DOCUMENT | find WORD...)";

type Answer<T> = Result<T, Box<dyn error::Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(lines) => lines.iter().for_each(|line| println!("{line}")),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn run(words: &[&str]) -> Answer<Vec<String>> {
    let [directory, command @ ..] = words else { return Err(USAGE.into()) };
    let db = Db::open(directory)?;
    let lines = match command {
        ["add", document, text @ ..] if !text.is_empty() => {
            index(&db, document, Some(&text.join(" ")))?;
            Vec::new()
        }
        ["remove", document] => {
            index(&db, document, None)?;
            Vec::new()
        }
        ["find", wanted @ ..] if !wanted.is_empty() => find(&db, wanted)?,
        _ => return Err(USAGE.into()),
    };
    db.close()?;
    Ok(lines)
}

/// Sets the text of `document`, or removes the document; its postings change with it.
///
/// The present text decides which postings to delete. The closure runs again when another writer has changed the
/// document meanwhile. All its writes are one batch: a reader sees the old document with the old postings, or the new
/// with the new.
fn index(db: &Db, document: &str, text: Option<&str>) -> levelscope::Result<()> {
    let key = format!("doc/{document}");
    let new = text.map(words_of).unwrap_or_default();
    db.transact(|transaction| {
        let stored = transaction.get(&key)?;
        let stored = stored.map(|text| String::from_utf8_lossy(&text).into_owned());
        let old = stored.as_deref().map(words_of).unwrap_or_default();
        for word in old.difference(&new) {
            transaction.delete(posting(word, document))?;
        }
        for word in new.difference(&old) {
            transaction.put(posting(word, document), "")?;
        }
        match text {
            Some(text) => transaction.put(&key, text),
            None => transaction.delete(&key),
        }
    })
}

/// The documents that have all of the words, with their texts.
fn find(db: &Db, wanted: &[&str]) -> levelscope::Result<Vec<String>> {
    // Lists and texts are read one after the other: a snapshot makes them parts of one moment.
    let snapshot = db.snapshot();
    let words: BTreeSet<String> = wanted.iter().flat_map(|word| words_of(word)).collect();
    let mut lists = Vec::new();
    for word in &words {
        lists.push(Postings::open(&snapshot, word)?);
    }
    let mut found = Vec::new();
    let mut candidate = String::new();
    // The candidate is the first document that can still be an answer. A list that does not have it names
    // the next candidate; once all lists agree, it is an answer.
    while !lists.is_empty() {
        let mut agree = true;
        for list in &mut lists {
            let Some(document) = list.skip_to(&candidate)? else { return Ok(found) };
            agree &= document == candidate;
            candidate = document;
        }
        if agree {
            if let Some(text) = snapshot.get(format!("doc/{candidate}"))? {
                found.push(format!("{candidate}: {}", String::from_utf8_lossy(&text)));
            }
            // The smallest name after this one.
            candidate.push('\0');
        }
    }
    Ok(found)
}

/// The documents of one word, in order.
struct Postings {
    prefix: String,
    cursor: DbIterator,
}

impl Postings {
    fn open(snapshot: &Snapshot, word: &str) -> levelscope::Result<Self> {
        let prefix = posting(word, "");
        let cursor = snapshot.iter(&ScanOptions::default().prefix(&prefix))?;
        Ok(Self { prefix, cursor })
    }

    /// The first document of the list that is not before `document`. A seek costs a search, not a walk.
    fn skip_to(&mut self, document: &str) -> levelscope::Result<Option<String>> {
        self.cursor.seek(format!("{}{document}", self.prefix).as_bytes())?;
        let name = self.cursor.key().strip_prefix(self.prefix.as_bytes());
        let name = name.filter(|_| self.cursor.valid());
        Ok(name.map(|name| String::from_utf8_lossy(name).into_owned()))
    }
}

/// No word has a zero byte, so no list lies within another one.
fn posting(word: &str, document: &str) -> String {
    format!("word/{word}\0{document}")
}

fn words_of(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_found_by_all_of_their_words() -> Answer<()> {
        let directory = env::temp_dir().join(format!("levelscope-text-{}", std::process::id()));
        let place = directory.to_string_lossy().into_owned();
        run(&[&place, "add", "a", "The quick brown fox"])?;
        run(&[&place, "add", "b", "The lazy dog"])?;
        run(&[&place, "add", "c", "A quick dog, and a fox!"])?;
        run(&[&place, "add", "d", "foxes"])?;
        let fox = ["a: The quick brown fox", "c: A quick dog, and a fox!"];
        assert_eq!(run(&[&place, "find", "FOX", "quick"])?, fox);
        assert_eq!(run(&[&place, "find", "dog", "the"])?, ["b: The lazy dog"]);
        assert_eq!(run(&[&place, "find", "dog", "brown"])?.len(), 0);
        // Indexed anew: the old words are gone.
        run(&[&place, "add", "a", "The slow brown fox"])?;
        assert_eq!(run(&[&place, "find", "quick"])?, fox[1..]);
        run(&[&place, "remove", "c"])?;
        assert_eq!(run(&[&place, "find", "fox"])?, ["a: The slow brown fox"]);
        let left = Db::open(&directory)?;
        assert_eq!(left.prefix("word/")?.count(), 4 + 3 + 1, "no posting is left over");
        drop(left);
        Ok(std::fs::remove_dir_all(directory)?)
    }
}
