//! `mem N`: the tree of one memtable, and the path to a key in it.

use crate::output::{Failure, OutputLine};
use crate::session::{Session, Stop};
use crate::text;
use levelscope::ValueKind;
use levelscope::view::{MemtableEntry, MemtableTree, RecentEntry, RecentWrites, TreeNode};

/// Nodes with one parent, and entries, that are printed.
const ROWS_MAX: usize = 24;

/// Longest part of a value in a line \[bytes\].
const VALUE_BYTES: usize = 60;

/// Newest entries that are shown of a memtable.
const NEWEST_MAX: usize = 1000;

/// The tree of the memtable of this number, or of the first one, with the path to a key.
pub(super) fn tree(
    session: &Session,
    number: Option<u64>,
    path: Option<&[u8]>,
) -> Result<MemtableTree, Stop> {
    session.db()?.memtable_tree(number, path).ok_or_else(|| {
        let number = number.map(|number| format!(" {number}")).unwrap_or_default();
        let failure = Failure::usage(format!("there is no memtable{number}"));
        failure.hint("`mem` lists the memtables").into()
    })
}

/// The newest entries of each memtable.
pub(super) fn recent(session: &Session, limit: u64) -> Result<Vec<RecentWrites>, Stop> {
    let limit = usize::try_from(limit).unwrap_or(NEWEST_MAX).min(NEWEST_MAX);
    Ok(session.db()?.recent_writes(limit))
}

pub(super) fn print_recent(session: &mut Session, recent: &[RecentWrites]) {
    for writes in recent {
        session.print(OutputLine::new().memtable(writes.memtable));
        session.lines.extend(writes.entries.iter().map(recent_line));
    }
}

fn recent_line(entry: &RecentEntry) -> OutputLine {
    let line = OutputLine::new().pad_to(2).key(&entry.key.head);
    let line = match entry.entry {
        ValueKind::Put => line.plain(" = ").value(&entry.value.head, VALUE_BYTES),
        ValueKind::Delete => line.plain(" tombstone"),
        ValueKind::RangeDelete if entry.value.bytes == 0 => {
            line.plain(" and all keys after it: range tombstone")
        }
        ValueKind::RangeDelete => {
            let line = line.plain(" up to ").key(&entry.value.head);
            line.plain(": range tombstone")
        }
    };
    let line = line.dim(format!("  sequence {}", text::count(entry.sequence)));
    match entry.record {
        Some(record) => line.dim(format!(", record {} of its log", text::count(record))),
        None => line,
    }
}

pub(super) fn print(session: &mut Session, tree: &MemtableTree, path: Option<&[u8]>) {
    let line = OutputLine::new().memtable(tree.memtable).plain(": ");
    let line = line.number(text::counted(tree.entries, "entry")).plain(" in ");
    let line = line.number(text::counted(tree.leaves as u64, "leaf node")).plain(", ");
    session.print(line.number(text::counted(tree.inners as u64, "inner node")));
    for (depth, (nodes, step)) in tree.levels.iter().zip(&tree.path).enumerate() {
        let from = nodes.iter().position(|node| node.on_path).unwrap_or(0);
        let from = from.saturating_sub(ROWS_MAX / 2);
        session
            .lines
            .extend(nodes.iter().skip(from).take(ROWS_MAX).map(|node| node_line(node, depth)));
        if nodes.len() > ROWS_MAX {
            let all = text::counted(nodes.len() as u64, "node");
            session.print(OutputLine::note(format!("(some of {all} with this parent)")));
        }
        if path.is_some() {
            let line = OutputLine::new().pad_to(2 * depth + 2);
            let line = line.number(text::counted(u64::from(step.comparisons), "comparison"));
            let line = line.plain(": goes to place ").number(step.position.to_string());
            session.print(line);
        }
    }
    session.lines.extend(
        tree.window.iter().take(ROWS_MAX).map(|entry| entry_line(entry, tree.levels.len(), path)),
    );
    let all = tree.window.len();
    session.lines.extend(OutputLine::rest("", all, ROWS_MAX, "more entry", " in this leaf"));
    if let Some(path) = path {
        let line = OutputLine::new().key(path).plain(" has ");
        let line = line.number(text::counted(tree.versions.len() as u64, "version"));
        let asked = text::counted(u64::from(tree.comparisons), "comparison");
        session.print(line.plain(" here; the way takes ").number(asked));
    }
}

fn node_line(node: &TreeNode, depth: usize) -> OutputLine {
    let line = OutputLine::new().pad_to(2 * depth);
    let line = line.plain(if node.on_path { "* " } else { "  " });
    let what = if node.leaf { "leaf" } else { "inner" };
    let line = line.plain(format!("{what} {}", node.node)).pad_to(16);
    let line = line.number(text::counted(node.slots as u64, "key"));
    let line = match &node.first {
        Some(key) => line.plain(" from ").key(&key.head),
        None => line,
    };
    match node.skip {
        0 => line,
        skip => line.dim(format!(", all share {}", text::counted(skip as u64, "byte"))),
    }
}

fn entry_line(entry: &MemtableEntry, depth: usize, path: Option<&[u8]>) -> OutputLine {
    let same = path.is_some_and(|path| path == entry.key.head);
    let line = OutputLine::new().pad_to(2 * depth).plain(if same { "* " } else { "  " });
    let line = line.key(&entry.key.head).plain(" ");
    let line = line.dim(format!("sequence {}, ", text::count(entry.sequence)));
    match entry.entry {
        ValueKind::Put => line.plain(text::counted(entry.value_bytes as u64, "byte")),
        ValueKind::Delete | ValueKind::RangeDelete => line.plain("tombstone"),
    }
}
