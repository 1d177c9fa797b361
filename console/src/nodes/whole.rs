//! All parts of a file as lines, piece by piece.

use super::{Titled, Visit, heading, node_line, walk};
use crate::output::OutputLine;
use crate::text;
use levelscope::inspect::{Node, Scope};

/// Blocks and records of so many bytes are taken apart at once \[bytes\].
const AT_ONCE: u64 = 64 * 1024;

/// The first `limit` parts of a file, and their lines: its title, and a table if it has parts. With `deep`, the table
/// also has the parts of parts.
///
/// # Errors
/// Those of `annotate`.
pub(crate) fn whole<'a>(
    annotate: &Annotate<'_>,
    titled: &dyn Fn(u64) -> Titled<'a>,
    deep: bool,
    limit: u64,
) -> levelscope::Result<(Node, Vec<OutputLine>)> {
    let node = if deep { first_parts(annotate, limit) } else { wide(annotate, limit) }?;
    let title = titled(node.bytes);
    let deepest = if deep { usize::MAX } else { 1 };
    let at = Visit { depth: 0, deepest, decoded: false, above: title.selection };
    let mut lines = vec![title.line(), heading()];
    walk(&node, at, &mut |node, at| lines.push(node_line(node, at)));
    let parts = lines.len() - 2;
    if parts == 0 {
        lines.truncate(1);
    }
    if parts as u64 >= limit && has_more(&node) {
        let shown = text::counted(parts, "part");
        let more = limit.max(1).saturating_mul(10);
        lines.push(OutputLine::note(format!(
            "Only the first {shown} are shown; --limit {more} shows up to {} of them.",
            text::count(more)
        )));
    }
    Ok((node, lines))
}

fn has_more(node: &Node) -> bool {
    node.more || node.children.last().is_some_and(has_more)
}

/// Names the bytes of a file within a scope.
pub(super) type Annotate<'a> = dyn Fn(Scope) -> levelscope::Result<Node> + 'a;

/// The blocks or records of a file, none taken apart.
fn wide(annotate: &Annotate<'_>, limit: u64) -> levelscope::Result<Node> {
    let mut node = annotate(Scope::WIDE)?;
    for child in &mut node.children {
        *child = child.alone();
    }
    let (mut left, bytes) = (limit, node.bytes);
    cut(&mut node, &mut left);
    Ok(Node { bytes, ..node })
}

/// The first `limit` nodes of a file, decoded piece by piece, so that a large file
/// costs no more than what is shown of it.
fn first_parts(annotate: &Annotate<'_>, limit: u64) -> levelscope::Result<Node> {
    let mut root = annotate(Scope::OUTLINE)?;
    if root.children.iter().all(|child| !child.more) {
        cut(&mut root, &mut limit.clone());
        return Ok(root);
    }
    let mut left = limit;
    let mut from = 0;
    let mut parts = Vec::new();
    while from < root.bytes && left > 0 {
        let to = from.saturating_add(AT_ONCE);
        let mut piece = annotate(Scope::between(from, to))?;
        // Parts that began in the piece before are not listed again; one that goes on after this piece is not read
        // again for the next one.
        piece.children.retain(|child| child.offset >= from && child.offset < to);
        let end = piece.children.last().map(|last| last.offset.saturating_add(last.bytes));
        from = end.unwrap_or(to).max(to);
        cut(&mut piece, &mut left);
        root.more |= piece.more;
        parts.append(&mut piece.children);
    }
    root.more |= from < root.bytes;
    root.children = parts;
    Ok(root)
}

/// Keeps the first `left` descendants and counts them.
fn cut(node: &mut Node, left: &mut u64) {
    let mut keep = |parts: &mut Vec<Node>| {
        let before = parts.len();
        parts.retain_mut(|part| {
            let Some(less) = left.checked_sub(1) else { return false };
            *left = less;
            cut(part, left);
            true
        });
        before > parts.len()
    };
    let lost = keep(&mut node.children) | keep(&mut node.inside);
    node.more |= lost;
}

#[cfg(test)]
mod tests {
    use super::{AT_ONCE, Scope, first_parts};
    use levelscope::inspect::Node;
    use std::cell::Cell;

    #[test]
    fn a_block_that_is_longer_than_a_piece_is_read_once() {
        const BLOCK: u64 = 256 * AT_ONCE;
        let read = Cell::new(0);
        let annotate = |scope: Scope| {
            let block = |offset: u64, bytes: u64| {
                if scope.reads(offset, bytes) {
                    read.set(read.get() + bytes);
                }
                Node { more: true, ..Node::leaf("block", "block", offset, bytes, "") }
            };
            let blocks = vec![block(0, 10), block(10, BLOCK), block(10 + BLOCK, 10)];
            Ok(Node::branch("file", "table", 0, "", blocks))
        };
        let root = first_parts(&annotate, 40).unwrap();
        let found: Vec<u64> = root.children.iter().map(|part| part.bytes).collect();
        assert_eq!(found, [10, BLOCK, 10]);
        assert_eq!(read.get(), BLOCK + 20);
    }
}
