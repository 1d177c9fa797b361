//! `bytes FILE [PATH]`: the parts of a file, each with its place, its offset and its meaning.

use super::tell;
use levelscope_console::{Failure, OutputLine, Response, Style, text};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::inspect::{Opened, Part, PartState, Raw};
use serde_json::json;

/// Parts that are listed when no limit is given.
pub(super) const LIMIT: usize = 40;
/// Bytes of a part without parts that are shown.
const HEX_BYTES_MAX: u64 = 256;
/// Bytes of a line of digits.
const HEX_LINE: usize = 16;

/// The places in `words`, such as `0/3/2`.
pub(super) fn path(words: &str) -> Result<Vec<usize>, Failure> {
    let places = words.split('/').filter(|place| !place.is_empty());
    let wrong = |_| {
        let message = format!("{} is no path", text::printable(words));
        Failure::usage(message).hint("a path is the places of parts, such as 0/3/2")
    };
    places.map(|place| place.parse().map_err(wrong)).collect()
}

/// The path of the smallest part of `file` that has the byte at `offset`.
pub(super) fn path_at(
    directory: &Directory<'_>,
    file: &str,
    offset: u64,
) -> Result<Vec<usize>, Failure> {
    let found = directory.found(file, offset).map_err(|error| tell::failure(&error))?;
    Ok(found.path)
}

/// The part of `file` at `path`, with its parts; of one without parts the bytes themselves.
pub(super) fn response(
    directory: &Directory<'_>,
    file: &str,
    path: &[usize],
    window: (usize, usize),
) -> Result<Response, Failure> {
    let opened = directory.opened(file, path, window).map_err(|error| tell::failure(&error))?;
    let mut lines = trail(&opened);
    match opened.trail.last() {
        Some(part) if !part.opens && part.bytes > 0 => {
            let limit = usize::try_from(part.bytes.min(HEX_BYTES_MAX)).unwrap_or_default();
            let raw = directory.raw(file, path, (part.offset, limit));
            lines.extend(hex(&raw.map_err(|error| tell::failure(&error))?));
        }
        _ => lines.extend(parts(&opened, path)),
    }
    Ok(Response { lines, result: json!(opened), ..Response::default() })
}

/// The way to the part that was opened.
fn trail(opened: &Opened) -> Vec<OutputLine> {
    let indented =
        |(depth, part): (usize, &Part)| line(OutputLine::new().plain("  ".repeat(depth)), part);
    opened.trail.iter().enumerate().map(indented).collect()
}

fn parts(opened: &Opened, path: &[usize]) -> Vec<OutputLine> {
    let depth = path.len() + 1;
    let places = opened.from..;
    let one = |(place, part): (usize, &Part)| {
        let mark = if part.opens { "+" } else { " " };
        let start = OutputLine::new().dim(format!("{}{place:>3}{mark} ", "  ".repeat(depth)));
        line(start, part)
    };
    let mut lines: Vec<OutputLine> = places.zip(&opened.parts).map(one).collect();
    if let Some(next) = opened.next {
        let all =
            opened.count.map_or_else(String::new, |all| format!(" of {}", text::count(all as u64)));
        lines.push(OutputLine::note(format!("more parts{all}: --from {next}")));
    }
    lines
}

fn line(start: OutputLine, part: &Part) -> OutputLine {
    let space = if part.decoded { ", decoded" } else { "" };
    let place = format!("[{}, {}{space}) ", part.offset, part.offset.saturating_add(part.bytes));
    let mut line = start.dim(place).strong(text::printable(&part.name));
    if !part.value.is_empty() {
        line = line.plain(format!("  {}", text::printable(&part.value)));
    }
    match (&part.problem, part.state) {
        (Some(problem), PartState::NotRead) => {
            line.plain(format!("  {}", text::printable(problem)))
        }
        (Some(problem), _) => line.with(Style::Bad, format!("  {}", text::printable(problem))),
        (None, _) => line,
    }
}

/// Sixteen bytes a line.
fn hex(raw: &Raw) -> Vec<OutputLine> {
    let digits: Vec<char> = raw.hex.chars().collect();
    let bytes: Vec<String> = digits.chunks(2).map(|pair| pair.iter().collect()).collect();
    let offsets = (raw.offset..).step_by(HEX_LINE);
    let line = |(offset, bytes): (u64, &[String])| {
        OutputLine::new().dim(format!("{offset:08x}  ")).plain(bytes.join(" "))
    };
    offsets.zip(bytes.chunks(HEX_LINE)).map(line).collect()
}
