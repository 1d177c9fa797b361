//! The named parts of a file as lines: `layout` and `hex` of every file.

mod whole;

use whole::Annotate;
pub(crate) use whole::whole;

use crate::output::{OutputLine, Style};
use crate::text;
use levelscope::inspect::{Node, Part, Scope, Stretch};
use std::fmt::Write as _;

/// Bytes in one row of `hex`.
const ROW: usize = 16;

/// Most bytes that are searched for.
const WANTED_MAX: usize = 1024;

/// Whether so many bytes can be searched for; else why not.
pub(crate) fn refuse_wanted(wanted: &[u8]) -> Option<&'static str> {
    let fits = (1..=WANTED_MAX).contains(&wanted.len());
    (!fits).then_some("--find takes 1 to 1,024 bytes")
}

/// A file with its name, its selection, and its length \[bytes\].
pub(crate) struct Titled<'a> {
    pub(crate) name: &'a str,
    pub(crate) selection: &'a str,
    pub(crate) bytes: u64,
}

impl Titled<'_> {
    /// Its name as a link, and its length.
    pub(crate) fn line(&self) -> OutputLine {
        OutputLine::new()
            .link(self.selection, text::printable(self.name))
            .plain("  ")
            .number(text::bytes(self.bytes))
    }
}

/// How the parts of a file are visited.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Visit<'a> {
    /// How far below the file the present part is.
    pub(crate) depth: usize,
    /// Parts that lie deeper are not visited.
    pub(crate) deepest: usize,
    /// Whether the present part lies in decoded content: its offset counts from the start of that.
    pub(crate) decoded: bool,
    /// Path of the node whose part it is, as a selection: `table:4/block:1`.
    pub(crate) above: &'a str,
}

/// Visits the descendants of `node` in the order of the file.
pub(crate) fn walk(node: &Node, at: Visit<'_>, visit: &mut impl FnMut(&Node, Visit<'_>)) {
    let parts = node.children.iter().map(|child| (child, at.decoded));
    for (part, decoded) in parts.chain(node.inside.iter().map(|part| (part, true))) {
        visit(part, Visit { decoded, ..at });
        if at.depth + 1 < at.deepest {
            let above = format!("{}/{}", at.above, part.step());
            walk(part, Visit { depth: at.depth + 1, decoded, above: &above, ..at }, visit);
        }
    }
}

/// One part of a file in a line, selectable; offsets in decoded content begin with a plus.
pub(crate) fn node_line(node: &Node, at: Visit<'_>) -> OutputLine {
    let plus = if at.decoded { "+" } else { "" };
    let offset = format!("{plus}{}", text::count(node.offset));
    let place = format!("{offset:>10} {:>10}  ", text::count(node.bytes));
    let line = OutputLine::new().number(place).plain("  ".repeat(at.depth.min(16)));
    let target = format!("{}/{}", at.above, node.step());
    let line = line.link(target, text::printable(&node.name));
    if node.value.is_empty() {
        return line;
    }
    // The reason of damage is printed whole; a key or value is cut.
    let most = if node.kind == "damaged" { usize::MAX } else { 100 };
    let value: String = node.value.chars().take(most).collect();
    let cut = if value.len() < node.value.len() { "..." } else { "" };
    line.dim(" = ").with(Style::Value, format!("{}{cut}", text::printable(&value)))
}

/// The heading above such lines.
pub(crate) fn heading() -> OutputLine {
    OutputLine::note(format!("{:>10} {:>10}  part", "offset", "bytes"))
}

/// The way to a part, and some of its own parts.
pub(crate) fn part_lines(file: &Titled<'_>, part: &Part) -> Vec<OutputLine> {
    let summary = part.trail.first().map_or("", |root| root.node.value.as_str());
    let title = if summary.is_empty() {
        file.line()
    } else {
        file.line().plain("  ").with(Style::Value, text::printable(summary))
    };
    let mut lines = vec![title, heading()];
    let mut above = file.selection.to_owned();
    let mut at = (0, false);
    for step in part.trail.iter().skip(1) {
        let visit = Visit { depth: at.0, deepest: 0, decoded: step.decoded, above: &above };
        lines.push(node_line(&step.node, visit));
        above = format!("{above}/{}", step.node.step());
        at = (at.0 + 1, step.decoded);
    }
    let is_encoded = part.trail.last().is_some_and(|step| step.node.kind == "compressed");
    for node in &part.parts {
        let decoded = at.1 || is_encoded;
        let visit = Visit { depth: at.0, deepest: 0, decoded, above: &above };
        lines.push(node_line(node, visit));
    }
    let shown = part.skipped.saturating_add(part.parts.len() as u64);
    if shown < part.count {
        let more = text::counted(part.count - shown, "part");
        lines.push(OutputLine::note(format!("{more} more: --skip N and --limit N show them.")));
    }
    lines
}

/// A file from its first byte to its last.
pub(crate) fn ribbon_lines(file: &Titled<'_>, stretches: &[Stretch]) -> Vec<OutputLine> {
    let head = OutputLine::note(format!("{:>10} {:>10}  stretch", "offset", "bytes"));
    let line = |stretch: &Stretch| {
        let place =
            format!("{:>10} {:>10}  ", text::count(stretch.offset), text::count(stretch.bytes));
        let target = format!("{}/{}", file.selection, stretch.path);
        OutputLine::new().number(place).link(target, text::printable(&stretch.name))
    };
    [file.line(), head].into_iter().chain(stretches.iter().map(line)).collect()
}

/// Some bytes, and the parts that they belong to.
pub(crate) struct Window<'a> {
    /// Where the bytes begin \[bytes\].
    pub(crate) offset: u64,
    pub(crate) bytes: &'a [u8],
    /// Bytes of the whole.
    pub(crate) total: u64,
    /// The whole, with the parts that the bytes belong to.
    pub(crate) root: &'a Node,
}

/// The bytes of a window: a new row begins at each part, whose name stands at its first row. `above`: the selection of the
/// part that `root` is.
pub(crate) fn hex_lines(
    title: OutputLine,
    window: &Window<'_>,
    above: &str,
    deepest: usize,
) -> Vec<OutputLine> {
    let from = window.offset;
    let to = from + window.bytes.len() as u64;
    let title = title.plain("  bytes ").number(text::count(from));
    let title = title.plain(" to ").number(text::count(to)).plain(" of ");
    let mut lines = vec![title.number(text::count(window.total))];
    let mut cuts: Vec<(u64, String)> = Vec::new();
    let visit = Visit { depth: 0, deepest, decoded: false, above };
    walk(window.root, visit, &mut |part, at| {
        let name = text::printable(&part.name);
        match cuts.last_mut() {
            // A part that begins where its parent does: both names stand in one row.
            Some((offset, names)) if *offset == part.offset && at.depth > 0 => {
                names.push_str(": ");
                names.push_str(&name);
            }
            _ => cuts.push((part.offset, name)),
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
        let bytes = slice(window.bytes, at - from, end - from);
        lines.push(row(at, bytes, &std::mem::take(&mut label)));
        at = end;
    }
    lines
}

fn slice(bytes: &[u8], from: u64, to: u64) -> &[u8] {
    let range = usize::try_from(from).ok().zip(usize::try_from(to).ok());
    range.and_then(|(from, to)| bytes.get(from..to)).unwrap_or_default()
}

fn row(at: u64, bytes: &[u8], label: &str) -> OutputLine {
    let mut letters = String::new();
    for byte in bytes {
        let printable = byte.is_ascii_graphic() || *byte == b' ';
        letters.push(if printable { char::from(*byte) } else { '.' });
    }
    let line = OutputLine::new().number(format!("{at:08x}  ")).plain(digits(bytes, " "));
    let line = line.pad_to(10 + 3 * ROW + 1).with(Style::Value, letters);
    if label.is_empty() { line } else { line.pad_to(10 + 4 * ROW + 3).dim(label) }
}

/// The whole, with the parts that the bytes `from` to `to` belong to: a file, or the `total` bytes that the part `holder` is
/// decoded to.
pub(crate) fn named_between(
    annotate: &Annotate<'_>,
    holder: Option<Node>,
    total: u64,
    (from, to): (u64, u64),
) -> levelscope::Result<Node> {
    let mut root = match holder {
        None => annotate(Scope::between(from, to))?,
        Some(Node { name, kind, value, inside: children, .. }) => {
            Node { children, ..Node::leaf(name, kind, 0, total, value) }
        }
    };
    root.keep_between(from, to);
    Ok(root)
}

/// Two hexadecimal digits for each byte, and `after` each.
pub(crate) fn digits(bytes: &[u8], after: &str) -> String {
    let mut digits = String::with_capacity(bytes.len() * (2 + after.len()));
    for byte in bytes {
        let _ = write!(digits, "{byte:02x}{after}");
    }
    digits
}
