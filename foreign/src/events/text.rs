//! The parts of a line: time, thread, family, job, message; and words within messages.

/// A line, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Local time in microseconds since 1970; the original one when the line was written later.
    pub(super) local: u64,
    /// The text after time, thread, severity and place in the source.
    pub(super) text: &'a str,
}

impl<'a> Line<'a> {
    /// Takes a line apart; `None` when it does not begin with a time, such as the lines of a table of statistics.
    pub(super) fn parse(line: &'a str) -> Option<Self> {
        let mut local = time(line)?;
        let rest = line.get(TIME_BYTES..)?.strip_prefix(' ')?;
        let (thread, mut text) = rest.split_once(' ').unwrap_or((rest, ""));
        if !thread.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        if let Some(original) = text.strip_prefix("(Original Log Time ") {
            let (written, after) = original.split_once(") ")?;
            local = time(written).unwrap_or(local);
            text = after;
        }
        for severity in ["[DEBUG] ", "[INFO] ", "[WARN] ", "[ERROR] ", "[FATAL] ", "[HEADER] "] {
            text = text.strip_prefix(severity).unwrap_or(text);
        }
        Some(Self { local, text: without_place(text) })
    }
}

/// Without `[/db_impl/db_impl_files.cc:598] `.
fn without_place(text: &str) -> &str {
    let after = || {
        let (place, rest) = text.strip_prefix('[')?.split_once("] ")?;
        let (file, number) = place.rsplit_once(':')?;
        let source = matches!(file.rsplit_once('.')?.1, "cc" | "h");
        let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        (source && digits).then_some(rest)
    };
    after().unwrap_or(text)
}

/// `YYYY/MM/DD-HH:MM:SS.ffffff`
const TIME_BYTES: usize = 26;

fn time(text: &str) -> Option<u64> {
    let bytes = text.as_bytes().get(..TIME_BYTES)?;
    let marks = [(4, b'/'), (7, b'/'), (10, b'-'), (13, b':'), (16, b':'), (19, b'.')];
    if marks.iter().any(|(at, mark)| bytes.get(*at) != Some(mark)) {
        return None;
    }
    let part = |start: usize, end: usize| text.get(start..end)?.parse::<u64>().ok();
    let days = days(part(0, 4)?, part(5, 7)?, part(8, 10)?)?;
    let seconds = part(11, 13)? * 3600 + part(14, 16)? * 60 + part(17, 19)?;
    Some((days * 86_400 + seconds) * 1_000_000 + part(20, 26)?)
}

/// Days from 1970-01-01 to a date of the Gregorian calendar; `None` for a date before it or a month that is none.
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    if year < 1970 || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Years begin in March here, so that the leap day is the last one of a year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year / 4 - year / 100 + year / 400;
    // 719,468 days lie between 0000-03-01 and 1970-01-01.
    Some(year * 365 + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468)
}

/// The family in `[family] …`, and the text after it.
pub(super) fn family(text: &str) -> Option<(&str, &str)> {
    let (family, rest) = text.strip_prefix('[')?.split_once("] ")?;
    (!family.is_empty()).then_some((family, rest))
}

/// The family (if any), the job and the text of `[family] [JOB 7] …` or `[JOB 7] …`.
pub(super) fn job(text: &str) -> Option<(Option<&str>, u64, &str)> {
    let at = text.find("[JOB ")?;
    let (number, rest) = text.get(at + 5..)?.split_once("] ")?;
    let before = text.get(..at)?.trim_end();
    let family = before.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    (before.is_empty() || family.is_some()).then_some((family, number.parse().ok()?, rest))
}

/// The number after the first `mark` in `text`.
pub(super) fn number_after(text: &str, mark: &str) -> Option<u64> {
    let rest = text.get(text.find(mark)? + mark.len()..)?;
    let end = rest.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
    rest.get(..end)?.parse().ok()
}

/// The number of the file at the end of a path: `/data/000010.sst` is 10.
pub(super) fn file_number(path: &str) -> Option<u64> {
    let name = path.rsplit(['/', '\\']).next()?;
    name.split_once('.')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Line, days, file_number, job, number_after};

    #[test]
    fn dates_count_from_1970() {
        assert_eq!(days(1970, 1, 1), Some(0));
        assert_eq!(days(2000, 2, 29), Some(11_016));
        assert_eq!(days(2026, 11, 22), Some(20_779));
        assert_eq!((days(1969, 12, 31), days(2026, 13, 1)), (None, None));
    }

    #[test]
    fn the_original_time_counts() {
        let text = "2026/11/22-02:44:34.197228 140137 (Original Log Time 2026/11/22-02:44:34.190144) \
            [/flush_job.cc:1105] [default] [JOB 2] Level-0 flush table #9: 2218 bytes OK";
        let line = Line::parse(text).unwrap();
        assert_eq!(line.local, 1_795_315_474_190_144);
        assert_eq!(line.text, "[default] [JOB 2] Level-0 flush table #9: 2218 bytes OK");
        assert_eq!(job(line.text).unwrap().0, Some("default"));
        assert_eq!(number_after(line.text, "table #"), Some(9));
        assert_eq!(Line::parse("  block_size: 1024"), None);
        assert_eq!(file_number("/data/000010.sst"), Some(10));
    }
}
