//! `layout`: every part of a file by name.

use super::bytes::{InspectedFile, no_node};
use crate::commands::Command;
use crate::language::{Args, At, Statement, Verb, What, flag, offer, switch};
use crate::nodes::{Titled, Visit, heading, node_line, part_lines, ribbon_lines, walk};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::{PartResult, RibbonResult};
use crate::session::{Session, Stop, Task, once, structured};
use crate::text;
use levelscope::inspect::{Node, Scope, part_by, stretches};

/// Lines when no limit is given.
const LINES: u64 = 200;
/// Most lines, and most parts of one answer.
const LINES_MAX: u64 = 1 << 20;
/// Blocks and records of so many bytes are taken apart at once \[bytes\].
const AT_ONCE: u64 = 64 * 1024;

pub(super) const VERBS: &[Command] = &[Verb {
    name: "layout",
    group: "look inside",
    usage: "layout FILE [-v] [--limit N] [--node PATH [--skip N]] [--ribbon N]",
    purpose: "Names every part of a file: a table, a log, the manifest, CURRENT or an opened @FILE.",
    example: "layout CURRENT -v",
    flags: &[
        switch("-v", "also the parts of parts, down to single fields"),
        flag("--limit", "n", "most lines (200)"),
        flag("--node", "path", "the parts of one part, such as block:2/entry:5"),
        flag("--skip", "n", "number of parts to skip (0)"),
        flag("--ribbon", "n", "a summary of the file in about N stretches"),
    ],
    effect: super::bytes::effect,
}
.starts(layout)
.synonyms(&["inspect"])
.offers(&[offer(At::Words(&[]), What::FilesAndOpened)])];

fn layout(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 1, "a file")?;
    let limit = args.number("--limit")?.unwrap_or(LINES).min(LINES_MAX);
    let skip = args.number("--skip")?;
    let ribbon = args.number("--ribbon")?;
    let path = args.string("--node");
    if ribbon.is_some() && (args.has("-v") || args.has("--limit") || path.is_some()) {
        return Err(args.verb.misused("--ribbon goes with no other option"));
    }
    if path.is_some() && args.has("-v") {
        return Err(args.verb.misused("--node does not go with -v"));
    }
    if skip.is_some() && path.is_none() {
        return Err(args.verb.misused("--skip goes with --node only"));
    }
    let deep = args.has("-v");
    let args = args.clone();
    Ok(once(move |session| {
        let target = InspectedFile::find(session, &args)?;
        match (&path, ribbon) {
            (Some(path), _) => part(session, &target, path, (skip.unwrap_or(0), limit)),
            (None, Some(most)) => ribbon_of(session, &target, most),
            (None, None) => whole(session, &target, deep, limit),
        }
    }))
}

fn whole(
    session: &mut Session,
    target: &InspectedFile,
    deep: bool,
    limit: u64,
) -> Result<Answer, Stop> {
    let node = target.look(session, |file| {
        let annotate = |scope| file.annotate(scope);
        if deep { first_parts(&annotate, limit) } else { wide(&annotate, limit) }
    })?;
    let file = target.selection();
    let deepest = if deep { usize::MAX } else { 1 };
    let at = Visit { depth: 0, deepest, decoded: false, above: &file };
    let title = Titled { name: &target.name(), selection: &file, bytes: node.bytes };
    let mut lines = vec![title.line(), heading()];
    walk(&node, at, &mut |node, at| lines.push(node_line(node, at)));
    if lines.len() as u64 - 2 >= limit && has_more(&node) {
        let shown = text::counted(lines.len() - 2, "part");
        let more = limit.max(1).saturating_mul(10);
        lines.push(OutputLine::note(format!(
            "Only the first {shown} are shown; --limit {more} shows up to {} of them.",
            text::count(more)
        )));
    }
    session.lines.extend(lines);
    Ok(structured(node))
}

fn has_more(node: &Node) -> bool {
    node.more || node.children.last().is_some_and(has_more)
}

/// Names the bytes of a file, as far as a scope says.
type Annotate<'a> = dyn Fn(Scope) -> levelscope::Result<Node> + 'a;

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

fn part(
    session: &mut Session,
    target: &InspectedFile,
    path: &str,
    window: (u64, u64),
) -> Result<Answer, Stop> {
    let (part, file_bytes) = target.look(session, |file| {
        let part = part_by(&|scope| file.annotate(scope), path, window)?;
        Ok((part, file.source.length()))
    })?;
    let part = part.ok_or_else(|| no_node(target, path))?;
    let title = Titled { name: &target.name(), selection: &target.selection(), bytes: file_bytes };
    session.lines.extend(part_lines(&title, &part));
    Ok(Answer::part(PartResult { file: target.name(), file_bytes, part }))
}

fn ribbon_of(session: &mut Session, target: &InspectedFile, most: u64) -> Result<Answer, Stop> {
    let node = target.look(session, |file| file.annotate(Scope::OUTLINE))?;
    let stretches = stretches(&node, most);
    let title = Titled { name: &target.name(), selection: &target.selection(), bytes: node.bytes };
    session.lines.extend(ribbon_lines(&title, &stretches));
    Ok(Answer::ribbon(RibbonResult { file: target.name(), file_bytes: node.bytes, stretches }))
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
