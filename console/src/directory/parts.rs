//! `layout` and `hex`: the parts of a file, each with its place, its offset and its meaning; and bytes as they are.

use crate::language::Args;
use crate::output::{Failure, OutputLine, Style};
use crate::text;
use levelscope_foreign::directory::Directory;
use levelscope_foreign::inspect::{Opened, Part, PartState, Raw};

/// Parts that are listed when no limit is given.
pub(super) const LIMIT: usize = 40;
/// Bytes of a part without parts that are shown.
const HEX_BYTES_MAX: u64 = 256;
/// Bytes of a line of digits.
const HEX_LINE: usize = 16;

/// The places in the value of `--node`, such as `0/3/2`; none: the file itself.
pub(super) fn path(args: &Args) -> Result<Vec<usize>, Failure> {
    let Some(word) = args.value("--node") else { return Ok(Vec::new()) };
    let words = String::from_utf8_lossy(&word.bytes);
    let places = words.split('/').filter(|place| !place.is_empty());
    let wrong = |_| {
        let message = format!("{} is no path", text::printable(&words));
        Failure::usage(message).hint("a path is the places of parts, such as 0/3/2")
    };
    places.map(|place| place.parse().map_err(wrong)).collect()
}

/// The bytes of the part that was opened, where it has no parts.
pub(super) fn leaf(
    directory: &Directory<'_>,
    file: &str,
    path: &[usize],
    opened: &Opened,
) -> Result<Option<Raw>, Failure> {
    let Some(part) = opened.trail.last().filter(|part| !part.opens && part.bytes > 0) else {
        return Ok(None);
    };
    let limit = usize::try_from(part.bytes.min(HEX_BYTES_MAX)).unwrap_or_default();
    Ok(Some(directory.raw(file, path, (part.offset, limit))?))
}

/// The way to the part that was opened, then its parts or its bytes.
pub(super) fn lines(opened: &Opened, depth: usize, leaf: Option<&Raw>) -> Vec<OutputLine> {
    let mut lines = trail(opened);
    match leaf {
        Some(raw) => lines.extend(hex(raw)),
        None => lines.extend(parts(opened, depth + 1)),
    }
    lines
}

/// The way to the part that was opened.
fn trail(opened: &Opened) -> Vec<OutputLine> {
    let indented =
        |(depth, part): (usize, &Part)| line(OutputLine::new().plain("  ".repeat(depth)), part);
    opened.trail.iter().enumerate().map(indented).collect()
}

fn parts(opened: &Opened, depth: usize) -> Vec<OutputLine> {
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
        lines.push(OutputLine::note(format!("more parts{all}: --skip {next}")));
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
pub(super) fn hex(raw: &Raw) -> Vec<OutputLine> {
    let digits: Vec<char> = raw.hex.chars().collect();
    let bytes: Vec<String> = digits.chunks(2).map(|pair| pair.iter().collect()).collect();
    let offsets = (raw.offset..).step_by(HEX_LINE);
    let line = |(offset, bytes): (u64, &[String])| {
        OutputLine::new().dim(format!("{offset:08x}  ")).plain(bytes.join(" "))
    };
    offsets.zip(bytes.chunks(HEX_LINE)).map(line).collect()
}
