//! `mem`, `wal`, `manifest`, `files`: the parts of the database, one line each.

use super::levels::{memtable_line, wal_line};
use super::memtree;
use crate::commands::Command;
use crate::language::{Args, Statement, Verb, flag};
use crate::nodes::{Visit, node_line};
use crate::output::{Answer, Failure, OutputLine, selection};
use crate::result::WalResult;
use crate::session::{Task, once, total};
use crate::text;
use levelscope::inspect::{Scope, annotate_scope};
use levelscope::storage::FileName;

/// Manifest edits printed; `layout MANIFEST` shows all.
const EDITS_MAX: usize = 20;

pub(super) const VERBS: &[Command] = &[
    Verb {
        name: "files",
        group: "look inside",
        usage: "files",
        purpose: "Lists the files of the database and the purpose of each.",
        example: "files",
        ..Verb::LOOK
    }
    .starts(files)
    .synonyms(&["ls"]),
    Verb {
        name: "mem",
        group: "look inside",
        usage: "mem [--newest N] | mem N [--path KEY]",
        purpose: "Shows the memtables and their newest entries, or the tree of one and the path to a key in it.",
        example: "mem --newest 5",
        flags: &[
            flag("--newest", "n", "the newest entries of each memtable"),
            flag("--path", "key", "the path to this key (the first key)"),
        ],
        ..Verb::LOOK
    }
    .starts(mem)
    .synonyms(&["memtable"]),
    Verb {
        name: "wal",
        group: "look inside",
        usage: "wal",
        purpose: "Shows the logs, and how much of them is durable.",
        example: "wal",
        ..Verb::LOOK
    }
    .starts(wal),
    Verb {
        name: "manifest",
        group: "look inside",
        usage: "manifest",
        purpose: "Shows the manifest in use and its newest edits.",
        example: "manifest",
        ..Verb::LOOK
    }
    .starts(manifest),
];

fn files(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(once(|session| {
        let files = session.files()?;
        for file in &files {
            let line = match FileName::parse(&file.name) {
                Some(name) => OutputLine::new().file(name),
                None => OutputLine::text(text::printable(&file.name)),
            };
            let bytes = format!("{:>12} B", text::count(file.bytes));
            let line = line.pad_to(16).number(bytes).plain("  ");
            session.print(line.plain(text::printable(&file.role)));
        }
        let place = text::printable(&session.place());
        let count = text::counted(files.len() as u64, "file");
        session
            .print(OutputLine::note(format!("{count}, {} in {place}", text::size(total(&files)))));
        Ok(Answer::files(files))
    }))
}

fn mem(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 1, "the number of a memtable, or nothing")?;
    let path = args.value("--path").map(|word| word.bytes.clone());
    if args.has("--newest") && (!args.words.is_empty() || path.is_some()) {
        return Err(Failure::usage(
            "--newest is about all memtables: it takes no number and no path",
        ));
    }
    if !args.words.is_empty() || path.is_some() {
        let number = args.number_at(0, "the number of a memtable")?;
        return Ok(once(move |session| {
            let tree = memtree::tree(session, number, path.as_deref())?;
            memtree::print(session, &tree, path.as_deref());
            Ok(Answer::memtable(tree))
        }));
    }
    if let Some(limit) = args.number("--newest")? {
        return Ok(once(move |session| {
            let recent = memtree::recent(session, limit)?;
            memtree::print_recent(session, &recent);
            Ok(Answer::recent(recent))
        }));
    }
    Ok(once(|session| {
        let memtables = session.db()?.view().memtables;
        session.lines.extend(memtables.iter().map(memtable_line));
        Ok(Answer::other(memtables))
    }))
}

fn wal(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(once(|session| {
        let wals = session.db()?.view().wals;
        session.lines.extend(wals.iter().map(wal_line));
        Ok(Answer::other(WalResult { wals }))
    }))
}

fn manifest(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(once(|session| {
        let db = session.db()?;
        let view = db.view();
        let name = FileName::Manifest(view.manifest);
        // Each record is described; only its parts are left out.
        let mut node = db.look_into(name, |source| annotate_scope(name, source, Scope::OUTLINE))?;
        let line = OutputLine::new().file(name).plain("  ");
        session.print(line.number(text::size(view.manifest_bytes)).plain(format!(
            ", {} in {}",
            text::counted(
                view.levels.iter().map(|level| level.tables.len()).sum::<usize>(),
                "table"
            ),
            text::counted(
                view.levels.iter().filter(|l| !l.tables.is_empty()).count() as u64,
                "level"
            ),
        )));
        let hidden = node.children.len().saturating_sub(EDITS_MAX);
        if hidden > 0 {
            session.print(OutputLine::note(format!(
                "({hidden} older parts: layout {name} --limit {hidden})"
            )));
        }
        node.children.drain(..hidden);
        node.more |= hidden > 0;
        let file = selection(name);
        for child in &node.children {
            let at = Visit { depth: 0, deepest: 1, decoded: false, above: &file };
            session.print(node_line(child, at));
        }
        Ok(Answer::other(node))
    }))
}
