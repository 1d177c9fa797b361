//! A key-value program on files: `cargo run --example key_value -- DIR put apple red`, then `get apple`,
//! `del apple` or `scan a`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use levelscope::{Db, Error, ErrorKind, WriteBatch};
use std::env;
use std::process::ExitCode;

const USAGE: &str = "key_value DIR (put KEY VALUE | get KEY | del KEY | scan [PREFIX])";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(lines) => {
            for line in lines {
                println!("{line}");
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            // The sentence names the file and the offset; the kind decides what a caller can do about it.
            eprintln!("{error}");
            ExitCode::from(if error.kind() == ErrorKind::Corruption { 2 } else { 1 })
        }
    }
}

/// Opens the database of the directory in the first word and runs the command in the others.
fn run(words: &[&str]) -> Result<Vec<String>, Error> {
    let [directory, command @ ..] = words else { return Err(usage()) };
    // Flushes and compactions run in threads of the engine, as in other embedded databases.
    let db = Db::open(directory)?;
    let lines = match command {
        ["put", key, value] => {
            let mut batch = WriteBatch::default();
            batch.put(key, value)?;
            // `Some(true)`: on return the write is on the disk, with every value of `Options::wal_sync`.
            db.write(&batch, Some(true))?;
            vec![]
        }
        ["del", key] => {
            db.delete(key)?;
            vec![]
        }
        ["get", key] => match db.get(key)? {
            Some(value) => vec![text(&value)],
            None => vec![format!("{key} is not there")],
        },
        ["scan"] => scan(&db, "")?,
        ["scan", prefix] => scan(&db, prefix)?,
        _ => return Err(usage()),
    };
    // Waits for the work that has begun; dropping the database does the same, but returns no error.
    db.close()?;
    Ok(lines)
}

/// All pairs whose key begins with `prefix`, as they were when the scan began.
fn scan(db: &Db, prefix: &str) -> Result<Vec<String>, Error> {
    let entries = db.prefix(prefix)?;
    entries
        .map(|entry| entry.map(|(key, value)| format!("{} = {}", text(&key), text(&value))))
        .collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn usage() -> Error {
    Error::new(ErrorKind::InvalidArgument, USAGE)
}

#[cfg(test)]
mod tests {
    use super::run;
    use std::{env, fs, process};

    #[test]
    fn pairs_outlive_the_program() -> Result<(), levelscope::Error> {
        let directory = env::temp_dir().join(format!("levelscope-example-{}", process::id()));
        let place = directory.to_string_lossy().into_owned();
        // Each call opens the database anew.
        run(&[&place, "put", "apple", "red"])?;
        run(&[&place, "put", "fig", "blue"])?;
        run(&[&place, "del", "fig"])?;
        assert_eq!(run(&[&place, "get", "apple"])?, ["red"]);
        assert_eq!(run(&[&place, "get", "fig"])?, ["fig is not there"]);
        assert_eq!(run(&[&place, "scan", "a"])?, ["apple = red"]);
        assert!(run(&[&place, "fly"]).is_err());
        fs::remove_dir_all(directory)
            .map_err(|error| levelscope::Error::new(levelscope::ErrorKind::Io, error.to_string()))
    }
}
