//! A URL shortener: `cargo run --example url_shortener -- DIR create https://example.org`, then `resolve 1`.
//!
//! Four kinds of records share one database. A prefix of its own keeps each of them together:
//!
//! ```text
//! last          → number of the last code            one counter for all
//! link/CODE     → URL                                to resolve, to list
//! hits/CODE     → how often it was resolved          changes often, apart from the URL
//! url/URL       → CODE                               an index: the same URL gets the same code
//! ```

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use levelscope::{Db, Transaction};
use std::process::ExitCode;
use std::{env, error};

const USAGE: &str =
    "url_shortener DIR (create URL | resolve CODE | hits CODE | list [FIRST [LAST]])";

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
        ["create", url] => vec![create(&db, url)?],
        ["resolve", code] => vec![resolve(&db, code)?],
        ["hits", code] => vec![hits(&db, code)?.to_string()],
        ["list"] => list(&db, "", "\u{10ffff}")?,
        ["list", first] => list(&db, first, "\u{10ffff}")?,
        ["list", first, last] => list(&db, first, last)?,
        _ => return Err(USAGE.into()),
    };
    // Waits for background work and reports its errors; dropping the database would swallow them.
    db.close()?;
    Ok(lines)
}

/// The code of `url`, which is made if there is none.
///
/// Two calls at once for the same URL must not make two codes. `transact` runs the closure again when
/// another writer has changed something that it read.
fn create(db: &Db, url: &str) -> levelscope::Result<String> {
    db.transact(|transaction| {
        let index = format!("url/{url}");
        if let Some(code) = text(transaction, &index)? {
            return Ok(code);
        }
        let number = number(text(transaction, "last")?) + 1;
        let code = in_base_36(number);
        // All three appear at once, or none of them after a crash.
        transaction.put("last", number.to_string())?;
        transaction.put(&index, &code)?;
        transaction.put(format!("link/{code}"), url)?;
        Ok(code)
    })
}

/// The URL of `code`, and one hit more for it.
fn resolve(db: &Db, code: &str) -> Answer<String> {
    let url = db.get(format!("link/{code}"))?.ok_or_else(|| format!("there is no code {code}"))?;
    // Reads and writes one key as one step: no hit gets lost, however many threads count.
    db.update(format!("hits/{code}"), |old| {
        let hits = number(old.map(|old| String::from_utf8_lossy(old).into_owned())) + 1;
        Some(hits.to_string().into_bytes())
    })?;
    Ok(String::from_utf8_lossy(&url).into_owned())
}

fn hits(db: &Db, code: &str) -> levelscope::Result<u64> {
    let stored = db.get(format!("hits/{code}"))?;
    Ok(number(stored.map(|stored| String::from_utf8_lossy(&stored).into_owned())))
}

/// The codes from `first` to `last`, both included, with hits and URL.
fn list(db: &Db, first: &str, last: &str) -> levelscope::Result<Vec<String>> {
    let mut lines = Vec::new();
    for entry in db.range(format!("link/{first}")..=format!("link/{last}"))? {
        let (key, url) = entry?;
        let key = String::from_utf8_lossy(&key);
        let code = key.trim_start_matches("link/");
        lines.push(format!("{code}  {}  {}", hits(db, code)?, String::from_utf8_lossy(&url)));
    }
    Ok(lines)
}

fn text(transaction: &Transaction, key: &str) -> levelscope::Result<Option<String>> {
    let value = transaction.get(key)?;
    Ok(value.map(|value| String::from_utf8_lossy(&value).into_owned()))
}

fn number(text: Option<String>) -> u64 {
    text.and_then(|text| text.parse().ok()).unwrap_or(0)
}

fn in_base_36(mut number: u64) -> String {
    let mut digits = Vec::new();
    while number > 0 {
        digits.extend(char::from_digit((number % 36) as u32, 36));
        number /= 36;
    }
    digits.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_made_once_and_hits_are_counted() -> Answer<()> {
        let directory = env::temp_dir().join(format!("levelscope-urls-{}", std::process::id()));
        let place = directory.to_string_lossy().into_owned();
        assert_eq!(run(&[&place, "create", "https://a.example"])?, ["1"]);
        assert_eq!(run(&[&place, "create", "https://b.example"])?, ["2"]);
        assert_eq!(run(&[&place, "create", "https://a.example"])?, ["1"]);
        assert_eq!(run(&[&place, "resolve", "1"])?, ["https://a.example"]);
        assert_eq!(run(&[&place, "resolve", "1"])?, ["https://a.example"]);
        assert_eq!(run(&[&place, "hits", "1"])?, ["2"]);
        assert_eq!(run(&[&place, "list"])?, ["1  2  https://a.example", "2  0  https://b.example"]);
        assert_eq!(run(&[&place, "list", "2"])?.len(), 1);
        assert!(run(&[&place, "resolve", "zz"]).is_err());
        assert_eq!(in_base_36(36 * 36 + 35), "10z");
        Ok(std::fs::remove_dir_all(directory)?)
    }
}
