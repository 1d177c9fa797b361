//! The lines of a file, read by pieces; long ones are cut.

use crate::{Files, Result};
use std::ops::Range;

/// Bytes that are read at once.
const PIECE_BYTES: usize = 64 << 10;
/// Bytes of a line that are kept. A compaction of ten thousand files has a line of 80 KiB.
pub(super) const LINE_BYTES_MAX: usize = 512 << 10;

/// Calls `visit` with every line of the bytes `part` of `name`, without the line break: the offset of its first byte,
/// its bytes, and whether it was cut. `visit` returns false to stop. Lines that begin before `part` or end after it are
/// left out.
pub(super) fn each_line(
    files: &dyn Files,
    name: &str,
    part: Range<u64>,
    visit: &mut dyn FnMut(u64, &[u8], bool) -> bool,
) -> Result<()> {
    let length = files.length(name).unwrap_or(0);
    let end = part.end.min(length);
    let mut is_inside = part.start == 0;
    let mut piece = vec![0; PIECE_BYTES];
    let mut line = Vec::new();
    let (mut offset, mut line_offset, mut cut) = (part.start, part.start, false);
    while offset < end {
        let read = files.read_at(name, offset, &mut piece)?;
        if read == 0 {
            break;
        }
        let left = usize::try_from(end - offset).unwrap_or(usize::MAX);
        let read = read.min(left);
        let mut at = offset;
        for part in piece.get(..read).unwrap_or_default().split_inclusive(|byte| *byte == b'\n') {
            let ends = part.ends_with(b"\n");
            let text = if ends { part.get(..part.len() - 1).unwrap_or_default() } else { part };
            let room = LINE_BYTES_MAX - line.len();
            cut |= text.len() > room;
            line.extend_from_slice(text.get(..room).unwrap_or(text));
            at += part.len() as u64;
            if ends {
                if is_inside && !visit(line_offset, &line, cut) {
                    return Ok(());
                }
                (line_offset, cut, is_inside) = (at, false, true);
                line.clear();
            }
        }
        offset += read as u64;
    }
    if !line.is_empty() && is_inside && end == length {
        visit(line_offset, &line, cut);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{LINE_BYTES_MAX, PIECE_BYTES, each_line};
    use crate::MemoryFiles;

    fn lines(content: Vec<u8>) -> Vec<(u64, usize, bool)> {
        let files = MemoryFiles::new([("LOG".to_owned(), content)]);
        let mut found = Vec::new();
        each_line(&files, "LOG", 0..u64::MAX, &mut |offset, line, cut| {
            found.push((offset, line.len(), cut));
            true
        })
        .unwrap();
        found
    }

    #[test]
    fn lines_go_on_across_pieces_and_long_ones_are_cut() {
        let mut content = vec![b'a'; PIECE_BYTES + 10];
        content.extend_from_slice(b"\n\nbc\n");
        let start = content.len() as u64;
        content.extend(vec![b'd'; LINE_BYTES_MAX + 1]);
        content.extend_from_slice(b"\nlast");
        let piece = PIECE_BYTES as u64;
        let long = LINE_BYTES_MAX as u64;
        let expected = [
            (0, PIECE_BYTES + 10, false),
            (piece + 11, 0, false),
            (piece + 12, 2, false),
            (start, LINE_BYTES_MAX, true),
            (start + long + 2, 4, false),
        ];
        assert_eq!(lines(content), expected);
        assert!(lines(Vec::new()).is_empty());
    }
}
