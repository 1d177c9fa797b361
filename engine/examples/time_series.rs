//! Measurements over time: `cargo run --example time_series -- DIR add cpu 0.25`, then `range cpu 0 9999999999`.
//!
//! A key is the name of the series, a zero byte, and the time in seconds as eight bytes. Keys are sorted by
//! their bytes, so the highest byte comes first: then the points of a series lie in the order of time, and a
//! range of times is a range of keys. Points expire a week after their time.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]
#![expect(
    clippy::disallowed_types,
    reason = "a program may have a clock, only the engine has none"
)]
#![expect(clippy::big_endian_bytes, reason = "numbers in keys begin with their highest byte")]

use levelscope::{Db, Ttl};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, error};

const USAGE: &str = "time_series DIR (add SERIES VALUE [TIME] | range SERIES FROM TO | \
                     average SERIES FROM TO SECONDS | compact)";

/// How long points are kept \[seconds\].
const KEPT_SECONDS: u64 = 7 * 24 * 60 * 60;

type Answer<T> = Result<T, Box<dyn error::Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_secs());
    match run(&words, now) {
        Ok(lines) => lines.iter().for_each(|line| println!("{line}")),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// `now` comes from outside, so that a test can choose the time.
fn run(words: &[&str], now: u64) -> Answer<Vec<String>> {
    let [directory, command @ ..] = words else { return Err(USAGE.into()) };
    // The time of a point is in its key, so an expiry takes no space of its own.
    let ttl = Arc::new(Ttl::new(|key, _value| Some(time_of(key)?.saturating_add(KEPT_SECONDS))));
    // A program that runs for long sets the time again and again.
    ttl.advance_to(now);
    let db = Db::builder().compaction_filter(ttl.clone()).open(directory)?;
    let series = Points { db: &db, ttl: &ttl };
    let mut lines = Vec::new();
    match command {
        ["add", name, value] => series.add(name, now, value.parse()?)?,
        ["add", name, value, time] => series.add(name, time.parse()?, value.parse()?)?,
        ["range", name, from, to] => {
            for point in series.range(name, from.parse()?, to.parse()?)? {
                let (time, value) = point?;
                lines.push(format!("{time} {value}"));
            }
        }
        ["average", name, from, to, seconds] => {
            let averages = series.averages(name, from.parse()?, to.parse()?, seconds.parse()?)?;
            lines.extend(averages.iter().map(|(time, value)| format!("{time} {value}")));
        }
        // Compactions run by themselves as data grows, and remove what has expired. This one is at once.
        ["compact"] => {
            db.compact(..)?;
            lines.push(format!("{} points", db.range(..)?.count()));
        }
        _ => return Err(USAGE.into()),
    }
    db.close()?;
    Ok(lines)
}

/// All series.
struct Points<'a> {
    db: &'a Db,
    ttl: &'a Ttl,
}

impl<'a> Points<'a> {
    fn add(&self, name: &str, time: u64, value: f64) -> levelscope::Result<()> {
        self.db.put(key(name, time), value.to_le_bytes())
    }

    /// The points from `from` to before `to`, oldest first. They are read one by one, as they are asked for.
    fn range(
        &self,
        name: &str,
        from: u64,
        to: u64,
    ) -> levelscope::Result<impl Iterator<Item = levelscope::Result<(u64, f64)>> + use<'a>> {
        // An expired point may not have been removed yet: `live` leaves it out.
        let entries = self.ttl.live(self.db.range(key(name, from)..key(name, to))?);
        Ok(entries.filter_map(|entry| match entry {
            Ok((key, value)) => {
                let value = f64::from_le_bytes(value.first_chunk().copied()?);
                Some(Ok((time_of(&key)?, value)))
            }
            Err(error) => Some(Err(error)),
        }))
    }

    /// Downsamples: the average of each `seconds` seconds that have points, with their beginning.
    fn averages(
        &self,
        name: &str,
        from: u64,
        to: u64,
        seconds: u64,
    ) -> levelscope::Result<BTreeMap<u64, f64>> {
        let mut sums: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
        for point in self.range(name, from, to)? {
            let (time, value) = point?;
            let (sum, count) = sums.entry(time - time % seconds.max(1)).or_default();
            *sum += value;
            *count += 1.0;
        }
        Ok(sums.into_iter().map(|(time, (sum, count))| (time, sum / count)).collect())
    }
}

fn key(name: &str, time: u64) -> Vec<u8> {
    [name.as_bytes(), b"\0", &time.to_be_bytes()].concat()
}

fn time_of(key: &[u8]) -> Option<u64> {
    key.last_chunk().map(|time| u64::from_be_bytes(*time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_found_averaged_and_expire() -> Answer<()> {
        let directory = env::temp_dir().join(format!("levelscope-series-{}", std::process::id()));
        let place = directory.to_string_lossy().into_owned();
        for (time, value) in [("100", "1"), ("159", "3"), ("160", "10"), ("255", "-4")] {
            run(&[&place, "add", "cpu", value, time], 300)?;
        }
        run(&[&place, "add", "cpu2", "7"], 300)?;
        assert_eq!(run(&[&place, "range", "cpu", "159", "255"], 300)?, ["159 3", "160 10"]);
        assert_eq!(
            run(&[&place, "average", "cpu", "0", "999", "60"], 300)?,
            ["60 1", "120 6.5", "240 -4"]
        );
        // A week after 160: hidden at once, removed by a compaction.
        let later = 160 + KEPT_SECONDS;
        assert_eq!(run(&[&place, "range", "cpu", "0", "999"], later)?, ["255 -4"]);
        assert_eq!(run(&[&place, "compact"], later)?, ["2 points"]);
        assert_eq!(run(&[&place, "range", "cpu", "0", "999"], 300)?, ["255 -4"]);
        assert!(run(&[&place, "add", "cpu", "much"], 300).is_err());
        Ok(std::fs::remove_dir_all(directory)?)
    }
}
