//! `layout` and `hex`: every byte of a file, by name and by value.

use crate::args::{Args, flag, switch};
use crate::lexer::Statement;
use crate::output::{Failure, OutputLine, Style};
use crate::result::HexResult;
use crate::session::Session;
use crate::task::{Task, once, structured};
use crate::text;
use crate::verbs::Verb;
use levelscope::inspect::Node;
use levelscope::storage::FileName;
use std::fmt::Write as _;

/// Lines of `layout` when no limit is given.
const LINES: u64 = 200;
/// Bytes of `hex` when no length is given.
const LENGTH: u64 = 512;
/// Most bytes of one `hex`.
const LENGTH_MAX: u64 = 1 << 20;
/// Bytes in one row of `hex`.
const ROW: usize = 16;

const FILE: &str = "FILE is a number, table:12, wal:7, manifest:3, a file name, or CURRENT";

pub(super) const VERBS: &[Verb] = &[
    Verb {
        name: "layout",
        group: "look inside",
        usage: "layout FILE [-v] [--limit N]",
        purpose: "Names every part of a file: a table, a log, the manifest or CURRENT.",
        example: "layout CURRENT -v",
        flags: &[
            switch("-v", "also the parts of parts, down to single fields"),
            flag("--limit", "n", "at most so many lines (200)"),
        ],
        start: layout,
    },
    Verb {
        name: "hex",
        group: "look inside",
        usage: "hex FILE [--block N] [--at OFFSET] [--length BYTES] [-v]",
        purpose: "Shows the bytes of a file, and which part of it they belong to.",
        example: "hex CURRENT --at 0 --length 64",
        flags: &[
            flag("--block", "n", "the data block that layout gives this number"),
            flag("--at", "offset", "from this offset on (0)"),
            flag("--length", "bytes", "so many bytes (512)"),
            switch("-v", "a row for every single field"),
        ],
        start: hex,
    },
];

/// Reads the name of a file; a bare number is looked up, because all files share one counter.
fn file_name(session: &Session, args: &Args) -> Result<FileName, Failure> {
    let typed = args.text(0).unwrap_or("");
    let unknown = || {
        let shown = text::short_word(&args.bytes(0), 32);
        Failure::usage(format!("there is no file {shown}"))
            .hint(format!("{FILE}; `files` lists all"))
    };
    let listed = session.host.storage().list().unwrap_or_default();
    let listed = || listed.iter().filter_map(|name| FileName::parse(name));
    if let Ok(number) = typed.parse::<u64>() {
        return listed().find(|name| name.number() == Some(number)).ok_or_else(unknown);
    }
    let name = match typed.split_once(':') {
        Some((kind, number)) => {
            let number = number.parse::<u64>().ok();
            match (kind, number) {
                ("table" | "sst", Some(number)) => FileName::Table(number),
                ("wal" | "log", Some(number)) => FileName::Wal(number),
                ("manifest", Some(number)) => FileName::Manifest(number),
                _ => return Err(unknown()),
            }
        }
        None if typed.eq_ignore_ascii_case("current") => FileName::Current,
        None => FileName::parse(typed).ok_or_else(unknown)?,
    };
    let there = name != FileName::Lock && listed().any(|listed| listed == name);
    if there { Ok(name) } else { Err(unknown()) }
}

fn layout(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 1, "a file")?;
    let limit = args.number("--limit")?.unwrap_or(LINES);
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let depth = if args.has("-v") { usize::MAX } else { 1 };
    let args = args.clone();
    Ok(once(move |session| {
        let db = session.db()?;
        let name = file_name(session, &args)?;
        let node = db.inspect(name)?;
        let line = OutputLine::new().file(name).plain("  ");
        session.say(line.number(format!("{} bytes", text::count(node.bytes))));
        session.say(OutputLine::note(format!("{:>10} {:>10}  part", "offset", "bytes")));
        let mut hidden = 0_u64;
        let mut left = limit;
        let visit = Visit { depth: 0, deepest: depth, decoded: false };
        walk(&node, visit, &mut |node, at| match left.checked_sub(1) {
            Some(less) => {
                left = less;
                session.say(node_line(node, at.depth, at.decoded));
            }
            None => hidden += 1,
        });
        if hidden > 0 {
            let more = format!("{} more: --limit N shows more.", text::counted(hidden, "line"));
            session.say(OutputLine::note(more));
        }
        Ok(structured(node))
    }))
}

/// How the parts of a file are visited.
#[derive(Debug, Clone, Copy)]
struct Visit {
    /// How far below the file the present part is.
    depth: usize,
    /// Parts that lie deeper are not visited.
    deepest: usize,
    /// Whether the present part lies in decoded content: its offset counts from the start of that.
    decoded: bool,
}

/// Visits the descendants of `node` in the order of the file.
fn walk(node: &Node, at: Visit, visit: &mut impl FnMut(&Node, Visit)) {
    let below = Visit { depth: at.depth + 1, ..at };
    for child in &node.children {
        visit(child, at);
        if below.depth < at.deepest {
            walk(child, below, visit);
        }
    }
    let decoded = Visit { decoded: true, ..at };
    for part in &node.inside {
        visit(part, decoded);
        if below.depth < at.deepest {
            walk(part, Visit { depth: below.depth, ..decoded }, visit);
        }
    }
}

/// One part of a file in a line; offsets in decoded content begin with a plus.
pub(super) fn node_line(node: &Node, depth: usize, decoded: bool) -> OutputLine {
    let plus = if decoded { "+" } else { "" };
    let offset = format!("{plus}{}", text::count(node.offset));
    let place = format!("{offset:>10} {:>10}  ", text::count(node.bytes));
    let line = OutputLine::new().number(place).plain("  ".repeat(depth.min(16)));
    let line = line.plain(text::printable(&node.name));
    if node.value.is_empty() {
        return line;
    }
    let value: String = node.value.chars().take(100).collect();
    let cut = if value.len() < node.value.len() { "..." } else { "" };
    line.dim(" = ").with(Style::Value, format!("{}{cut}", text::printable(&value)))
}

fn hex(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 1, "a file")?;
    let block = args.number("--block")?;
    if block.is_some() && (args.has("--at") || args.has("--length")) {
        return Err(args.verb.misused("--block does not go with --at and --length"));
    }
    let at = args.number("--at")?.unwrap_or(0);
    let length = args.number("--length")?.unwrap_or(LENGTH).min(LENGTH_MAX);
    let depth = if args.has("-v") { usize::MAX } else { 2 };
    let args = args.clone();
    Ok(once(move |session| {
        let db = session.db()?;
        let name = file_name(session, &args)?;
        let bytes = db.read_file(name)?;
        let node = db.inspect(name)?;
        let (from, length) = match block {
            Some(number) => data_block(&node, number).ok_or_else(|| no_block(name, &node))?,
            None => (at, length),
        };
        let file_bytes = bytes.len() as u64;
        let from = from.min(file_bytes);
        let to = from.saturating_add(length).min(file_bytes);
        let shown = slice(&bytes, from, to);
        let line = OutputLine::new().file(name).plain("  bytes ").number(text::count(from));
        let line = line.plain(" to ").number(text::count(to)).plain(" of ");
        session.say(line.number(text::count(file_bytes)));
        dump(session, &bytes, &node, (from, to), depth);
        let mut digits = String::with_capacity(shown.len() * 2);
        for byte in shown {
            let _ = write!(digits, "{byte:02x}");
        }
        let file = name.to_string();
        Ok(structured(HexResult { file, offset: from, hex: digits, file_bytes }))
    }))
}

fn slice(bytes: &[u8], from: u64, to: u64) -> &[u8] {
    let range = usize::try_from(from).ok().zip(usize::try_from(to).ok());
    range.and_then(|(from, to)| bytes.get(from..to)).unwrap_or_default()
}

/// The number that `layout` gives to a data block.
fn block_number(node: &Node) -> Option<u64> {
    node.name.strip_prefix("data block ")?.parse().ok()
}

fn data_block(node: &Node, number: u64) -> Option<(u64, u64)> {
    let block = node.children.iter().find(|child| block_number(child) == Some(number))?;
    Some((block.offset, block.bytes.min(LENGTH_MAX)))
}

fn no_block(name: FileName, node: &Node) -> Failure {
    let failure = Failure::usage(format!("{name} has no data block with this number"));
    let mut numbers = node.children.iter().filter_map(block_number);
    match (numbers.next(), numbers.next_back()) {
        (None, _) => failure.hint("only tables have data blocks: use --at and --length"),
        (Some(only), None) => failure.hint(format!("it has data block {only}")),
        (Some(first), Some(last)) => failure.hint(format!("it has data blocks {first} to {last}")),
    }
}

/// The rows of a dump: a new row begins at each part, whose name stands at its first row.
fn dump(session: &mut Session, bytes: &[u8], node: &Node, (from, to): (u64, u64), depth: usize) {
    let mut cuts: Vec<(u64, String)> = Vec::new();
    let visit = Visit { depth: 0, deepest: depth, decoded: false };
    walk(node, visit, &mut |part, at| {
        if at.decoded {
            return;
        }
        let inside = part.offset < to && part.offset.saturating_add(part.bytes) > from;
        if inside && part.bytes > 0 {
            let name = text::printable(&part.name);
            match cuts.last_mut() {
                // A part that begins where its parent does: both names stand in one row.
                Some((offset, names)) if *offset == part.offset && at.depth > 0 => {
                    names.push_str(": ");
                    names.push_str(&name);
                }
                _ => cuts.push((part.offset, name)),
            }
        }
    });
    let mut at = from;
    let mut cuts = cuts.into_iter().peekable();
    let mut label = String::new();
    while at < to {
        while let Some((_, name)) = cuts.next_if(|(offset, _)| *offset <= at) {
            label = name;
        }
        let end = cuts.peek().map_or(to, |(offset, _)| (*offset).min(to));
        let end = end.min(at.saturating_add(ROW as u64));
        session.say(row(at, slice(bytes, at, end), &std::mem::take(&mut label)));
        at = end;
    }
}

fn row(at: u64, bytes: &[u8], label: &str) -> OutputLine {
    let mut digits = String::new();
    let mut letters = String::new();
    for byte in bytes {
        let _ = write!(digits, "{byte:02x} ");
        let printable = byte.is_ascii_graphic() || *byte == b' ';
        letters.push(if printable { char::from(*byte) } else { '.' });
    }
    let line = OutputLine::new().number(format!("{at:08x}  ")).plain(digits);
    let line = line.pad_to(10 + 3 * ROW + 1).with(Style::Value, letters);
    if label.is_empty() { line } else { line.pad_to(10 + 4 * ROW + 3).dim(label) }
}
