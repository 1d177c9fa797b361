//! `layout`: every part of a file by name.

use super::bytes::{InspectedFile, no_node};
use crate::commands::Command;
use crate::language::{Args, At, Statement, Verb, What, flag, offer, switch};
use crate::nodes::{Titled, part_lines, ribbon_lines, whole};
use crate::output::{Answer, Failure};
use crate::result::{PartResult, RibbonResult};
use crate::session::{Session, Stop, Task, once};
use levelscope::inspect::{Scope, part_by, stretches};

/// Lines when no limit is given.
const LINES: u64 = 200;
/// Most lines, and most parts of one answer.
const LINES_MAX: u64 = 1 << 20;
pub(super) const VERBS: &[Command] = &[Verb {
    name: "layout",
    group: "look inside",
    usage: "layout FILE [-v] [--limit N] [--node PATH [--skip N]] [--ribbon N]",
    purpose: "Names every part of a file: a table, a log, the manifest, or CURRENT.",
    example: "layout CURRENT -v",
    flags: &[
        switch("-v", "also the parts of parts, down to single fields"),
        flag("--limit", "n", "most lines (200)"),
        flag("--node", "path", "the parts of one part, such as block:2/entry:5"),
        flag("--skip", "n", "number of parts to skip (0)"),
        flag("--ribbon", "n", "a summary of the file in about N stretches"),
    ],
    ..Verb::LOOK
}
.starts(layout)
.synonyms(&["inspect"])
.offers(&[offer(At::Words(&[]), What::Files)])];

fn layout(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 1, "a file")?;
    let limit = args.number("--limit")?.unwrap_or(LINES);
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
    let (deep, file) = (args.has("-v"), args.bytes(0));
    Ok(once(move |session| {
        let target = InspectedFile::find(session, &file)?;
        let (name, selection) = (target.name(), target.selection());
        let titled = |bytes| Titled { name: &name, selection: &selection, bytes };
        let (answer, lines) = match (&path, ribbon) {
            (Some(path), _) => {
                let found = part(session, target, path, (skip.unwrap_or(0), limit))?;
                let lines = part_lines(&titled(found.file_bytes), &found.part);
                (Answer::part(found), lines)
            }
            (None, Some(most)) => {
                let found = self::ribbon(session, target, most)?;
                let lines = ribbon_lines(&titled(found.file_bytes), &found.stretches);
                (Answer::ribbon(found), lines)
            }
            (None, None) => {
                let (node, lines) = target.look(session, |file| {
                    whole(&|scope| file.annotate(scope), &titled, deep, limit.min(LINES_MAX))
                })?;
                (Answer::other(node), lines)
            }
        };
        session.lines.extend(lines);
        Ok(answer)
    }))
}

/// The part at `path`, with up to `limit` of its parts after the first `skip`.
pub(super) fn part(
    session: &Session,
    target: InspectedFile,
    path: &str,
    (skip, limit): (u64, u64),
) -> Result<PartResult, Stop> {
    let window = (skip, limit.min(LINES_MAX));
    let (part, file_bytes) = target.look(session, |file| {
        let part = part_by(&|scope| file.annotate(scope), path, window)?;
        Ok((part, file.source.length()))
    })?;
    let part = part.ok_or_else(|| no_node(target, path))?;
    Ok(PartResult { file: target.name(), file_bytes, part })
}

/// The file summed up in about `most` stretches.
pub(super) fn ribbon(
    session: &Session,
    target: InspectedFile,
    most: u64,
) -> Result<RibbonResult, Stop> {
    let node = target.look(session, |file| file.annotate(Scope::OUTLINE))?;
    let stretches = stretches(&node, most);
    Ok(RibbonResult { file: target.name(), file_bytes: node.bytes, stretches })
}
