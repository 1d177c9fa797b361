//! `hex`: every byte of a file by value, and which part of it it belongs to.

use super::bytes::{InspectedFile, Looked, no_node};
use crate::commands::Command;
use crate::language::{Args, At, Statement, Verb, What, flag, offer, switch};
use crate::nodes::{self, digits, hex_lines, named_between, refuse_wanted};
use crate::output::{Answer, Failure};
use crate::result::HexResult;
use crate::session::{Session, Stop, Task, Turn};
use crate::text;
use levelscope::inspect::{Node, Source, decoded_by, part_by};

/// Bytes when no length is given.
const LENGTH: u64 = 512;
/// Most bytes of one `hex`.
const LENGTH_MAX: u64 = 1 << 20;
/// Bytes up to which the answer also names them for programs.
const NAMED_MAX: u64 = 16 * 1024;
/// Bytes searched in one unit of work.
const SEARCH_BYTES: u64 = 256 * 1024;

pub(super) const VERBS: &[Command] = &[Verb {
    name: "hex",
    group: "look inside",
    usage: "hex FILE [--block N|--node PATH] [--decoded] [--at OFFSET] [--length BYTES] \
        [--find BYTES] [-v]",
    purpose: "Shows the bytes of a file, and the parts that they belong to.",
    example: "hex CURRENT --at 0 --length 64",
    flags: &[
        flag("--block", "n", "the data block that layout gives this number"),
        flag("--node", "path", "one part, such as block:2/entry:5"),
        switch("--decoded", "the decompressed content of a block"),
        flag("--at", "offset", "the first offset (0)"),
        flag("--length", "bytes", "number of bytes (512)"),
        flag("--find", "bytes", "from the first place on that has these bytes, such as \"\\x00a\""),
        switch("-v", "a row for every single field"),
    ],
    ..Verb::LOOK
}
.starts(hex)
.synonyms(&["dump"])
.offers(&[offer(At::Words(&[]), What::Files)])];

fn hex(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 1, "a file")?;
    let block = args.number("--block")?;
    let node = args.string("--node");
    let decoded = args.has("--decoded");
    if block.is_some() && node.is_some() {
        return Err(args.verb.misused("--block does not go with --node"));
    }
    let path = block.map(|number| format!("block:{number}")).or(node);
    let range = args.has("--at") || args.has("--length") || args.has("--find");
    if path.is_some() && !decoded && range {
        let message = "--block and --node go with --at, --length and --find only with --decoded";
        return Err(args.verb.misused(message));
    }
    if decoded && path.is_none() {
        return Err(args.verb.misused("--decoded needs --block or --node"));
    }
    let find = args.value("--find").map(|word| word.bytes.clone());
    if let Some(why) = find.as_deref().and_then(refuse_wanted) {
        return Err(args.verb.misused(why));
    }
    let (node, inside) = if decoded { (None, path) } else { (path, None) };
    Ok(Box::new(Hex {
        file: args.bytes(0),
        node,
        inside,
        find,
        found: false,
        at: args.number("--at")?.unwrap_or(0),
        length: args.number("--length")?.unwrap_or(LENGTH),
        deepest: if args.has("-v") { usize::MAX } else { 2 },
    }))
}

struct Hex {
    file: Vec<u8>,
    /// The part whose bytes are shown.
    node: Option<String>,
    /// The part whose decoded content is shown.
    inside: Option<String>,
    /// The bytes that are searched for.
    find: Option<Vec<u8>>,
    /// Whether it shows what it has found.
    found: bool,
    at: u64,
    length: u64,
    deepest: usize,
}

impl Task for Hex {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let target = InspectedFile::find(session, &self.file)?;
        let space = Space { target, inside: self.inside.as_deref() };
        if let Some(wanted) = self.find.as_deref().filter(|_| !self.found) {
            self.found = space.search(session, &mut self.at, wanted)?;
            return Ok(Turn::More);
        }
        let window = match &self.node {
            Some(path) => space.window(session, range_of(session, target, path)?),
            None => space.window(session, (self.at, self.length)),
        }?;
        let title = target.line();
        let (title, above) = match &self.inside {
            Some(path) => (title.plain("  decompressed"), format!("{}/{path}", target.selection())),
            None => (title, target.selection()),
        };
        let Window { offset, ref bytes, total, ref root } = window;
        let shown = nodes::Window { offset, bytes, total, root };
        session.lines.extend(hex_lines(title, &shown, &above, self.deepest));
        let answer = if self.found { Answer::find } else { Answer::hex };
        Ok(Turn::Done(answer(window.result(target))))
    }
}

/// Some bytes of a file, or of the decoded content of a part of it, with their names.
pub(super) fn bytes(
    session: &Session,
    target: InspectedFile,
    inside: Option<&str>,
    range: (u64, u64),
) -> Result<HexResult, Stop> {
    Ok(Space { target, inside }.window(session, range)?.result(target))
}

/// The first byte from `at` on that begins `wanted`; `None`: the search goes on at `at`.
pub(super) fn find(
    session: &Session,
    target: InspectedFile,
    inside: Option<&str>,
    at: &mut u64,
    wanted: &[u8],
) -> Result<Option<HexResult>, Stop> {
    if let Some(why) = refuse_wanted(wanted) {
        return Err(Failure::usage(why).into());
    }
    let is_found = Space { target, inside }.search(session, at, wanted)?;
    is_found.then(|| bytes(session, target, inside, (*at, 1))).transpose()
}

/// A file, or the decoded content of the part at a path.
#[derive(Clone, Copy)]
struct Space<'a> {
    target: InspectedFile,
    inside: Option<&'a str>,
}

/// Some bytes of a space.
#[derive(Default)]
struct Window {
    /// Where they begin \[bytes\].
    offset: u64,
    bytes: Vec<u8>,
    /// Bytes of the whole.
    total: u64,
    /// The whole, with the parts that the bytes belong to.
    root: Node,
}

impl Window {
    fn result(self, target: InspectedFile) -> HexResult {
        let named = self.bytes.len() as u64 <= NAMED_MAX;
        HexResult {
            file: target.name(),
            offset: self.offset,
            hex: digits(&self.bytes, ""),
            file_bytes: self.total,
            root: if named { self.root } else { self.root.alone() },
        }
    }
}

/// Looks at bytes, of a file or of the decoded content of a part of it.
type Look<'a> = dyn FnMut(&Source<'_>, &Looked<'_>, Option<Node>) -> levelscope::Result<()> + 'a;

impl Space<'_> {
    /// Calls `look` with the file, or with what is decoded of it and the node that holds that.
    fn look(self, session: &Session, look: &mut Look<'_>) -> Result<(), Stop> {
        let is_there = self.target.look(session, |file| {
            let Some(path) = self.inside else {
                return look(&file.source, file, None).map(|()| true);
            };
            let annotate = |scope| file.annotate(scope);
            let decoded = decoded_by(&annotate, &file.source, path)?;
            let Some(decoded) = decoded else { return Ok(false) };
            look(&Source::Bytes(&decoded.bytes), file, Some(decoded.node)).map(|()| true)
        })?;
        if is_there {
            return Ok(());
        }
        let failure = no_node(self.target, self.inside.unwrap_or_default());
        Err(failure.hint("--decoded is for compressed blocks; `layout` shows which are").into())
    }

    /// Looks for `wanted` from `at` on, and moves `at` there; `false`: it goes on from there.
    fn search(self, session: &Session, at: &mut u64, wanted: &[u8]) -> Result<bool, Stop> {
        let (from, mut found, mut is_end) = (*at, None, false);
        self.look(session, &mut |source, _, _| {
            let overlap = (wanted.len() as u64).saturating_sub(1);
            let bytes = source.read(from, SEARCH_BYTES + overlap)?;
            found = bytes.windows(wanted.len()).position(|window| window == wanted);
            is_end = from.saturating_add(SEARCH_BYTES) >= source.length();
            Ok(())
        })?;
        *at = from.saturating_add(found.map_or(SEARCH_BYTES, |distance| distance as u64));
        if found.is_none() && is_end {
            let (name, shown) = (self.target.name(), text::short_word(wanted, 32));
            let message = format!("{name} does not have {shown} from there on");
            return Err(Failure::new("notFound", message).into());
        }
        Ok(found.is_some())
    }

    /// Up to `length` bytes from `at` on.
    fn window(self, session: &Session, (at, length): (u64, u64)) -> Result<Window, Stop> {
        let mut window = Window::default();
        self.look(session, &mut |source, file, holder| {
            let total = source.length();
            let offset = at.min(total);
            let bytes = source.read(offset, length.min(LENGTH_MAX))?.into_owned();
            let to = offset + bytes.len() as u64;
            let root = named_between(&|scope| file.annotate(scope), holder, total, (offset, to))?;
            window = Window { offset, bytes, total, root };
            Ok(())
        })?;
        if at > window.total {
            let (name, total) = (self.target.name(), text::bytes(window.total));
            let message =
                format!("{name} has only {total}: there is no offset {}", text::count(at));
            return Err(Failure::usage(message).into());
        }
        Ok(window)
    }
}

/// Where the node at `path` is in the file, and its length \[bytes\].
fn range_of(session: &Session, target: InspectedFile, path: &str) -> Result<(u64, u64), Stop> {
    let part = target.look(session, |file| part_by(&|scope| file.annotate(scope), path, (0, 0)))?;
    match part.as_ref().and_then(|part| part.trail.last()) {
        Some(step) if step.decoded => {
            Err(no_node(target, path).hint("it is in a compressed block: use --decoded").into())
        }
        Some(step) => Ok((step.node.offset, step.node.bytes)),
        None => Err(no_node(target, path).into()),
    }
}
