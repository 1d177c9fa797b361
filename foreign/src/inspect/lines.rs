//! Files of text, line by line.

use super::node::{Content, Lazy, Node};
use crate::text;
use crate::{Files, Result};

/// Bytes of one part of a longer file.
const STRETCH: u64 = 64 << 10;
/// Bytes of a line that are shown.
const SHOWN: usize = 400;

/// The parts of a whole file of text: its lines, or stretches of lines.
pub(super) fn all(files: &dyn Files, name: &str, length: u64) -> Result<Vec<Node>> {
    if length <= STRETCH {
        return lines(files, name, 0, length);
    }
    let (mut nodes, mut start) = (Vec::new(), 0);
    while start < length {
        let end = line_end(files, name, (start + STRETCH).min(length), length)?;
        let node = Node::leaf("lines", start, end - start, "");
        nodes.push(node.with(Content::Lazy(Lazy::Lines(start, end))));
        start = end;
    }
    Ok(nodes)
}

/// The end of the line that `at` is in, or 64 KiB after it.
fn line_end(files: &dyn Files, name: &str, at: u64, length: u64) -> Result<u64> {
    if at >= length {
        return Ok(length);
    }
    let count = usize::try_from((length - at).min(STRETCH)).unwrap_or(0);
    let bytes = files.read(name, at, count)?;
    let end = bytes.iter().position(|byte| *byte == b'\n').map_or(count, |place| place + 1);
    Ok(at + end as u64)
}

/// The lines in `[start, end)`.
pub(super) fn lines(files: &dyn Files, name: &str, start: u64, end: u64) -> Result<Vec<Node>> {
    let count = usize::try_from(end - start).unwrap_or(usize::MAX);
    let bytes = files.read(name, start, count)?;
    let (mut nodes, mut at) = (Vec::new(), start);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let shown = line.strip_suffix(b"\n").unwrap_or(line);
        let words = text::escaped(shown.get(..SHOWN).unwrap_or(shown));
        let node = Node::leaf(
            if shown.is_empty() { "empty line" } else { "line" },
            at,
            line.len() as u64,
            words,
        );
        nodes.push(node);
        at += line.len() as u64;
    }
    Ok(nodes)
}
