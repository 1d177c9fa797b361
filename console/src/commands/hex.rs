//! `hex`: every byte of a file by value, and which part of it it belongs to.

use super::bytes::{InspectedFile, Looked, no_node};
use crate::commands::Command;
use crate::language::{Args, At, Statement, Verb, What, flag, offer, switch};
use crate::nodes::{self, digits, hex_lines, refuse_wanted};
use crate::output::{Answer, Failure};
use crate::result::HexResult;
use crate::session::{Session, Stop, Task, Turn};
use crate::text;
use levelscope::inspect::{Node, Scope, Source, decoded_by, part_by};

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
    Ok(Box::new(Hex {
        args: args.clone(),
        path,
        decoded,
        find,
        found: false,
        at: args.number("--at")?.unwrap_or(0),
        length: args.number("--length")?.unwrap_or(LENGTH).min(LENGTH_MAX),
        deepest: if args.has("-v") { usize::MAX } else { 2 },
    }))
}

#[derive(Debug)]
struct Hex {
    args: Args,
    path: Option<String>,
    decoded: bool,
    /// The rest of the search.
    find: Option<Vec<u8>>,
    /// Whether it shows what it has found.
    found: bool,
    at: u64,
    length: u64,
    deepest: usize,
}

/// Some bytes of a file, or of what a block of it holds.
struct Window {
    /// Where they begin \[bytes\].
    offset: u64,
    bytes: Vec<u8>,
    /// Bytes of the whole.
    total: u64,
    /// The whole, with the parts that the bytes belong to.
    root: Node,
}

impl Task for Hex {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let target = InspectedFile::find(session, &self.args)?;
        if let Some(wanted) = &self.find {
            match self.search(session, target, wanted)? {
                Search::Found(at) => {
                    self.at = at;
                    self.find = None;
                    self.found = true;
                }
                Search::NotYet(at) => self.at = at,
                Search::Nowhere => {
                    let shown = text::short_word(wanted, 32);
                    let name = target.name();
                    let message = format!("{name} does not have {shown} from there on");
                    return Err(Failure::new("notFound", message).into());
                }
            }
            return Ok(Turn::More);
        }
        let window = self.window(session, target)?;
        if self.at > window.total {
            let (name, total) = (target.name(), text::bytes(window.total));
            let message =
                format!("{name} has only {total}: there is no offset {}", text::count(self.at));
            return Err(Failure::usage(message).into());
        }
        let title = target.line();
        let title = if self.decoded { title.plain("  decompressed") } else { title };
        let Window { offset, ref bytes, total, ref root } = window;
        let shown = nodes::Window { offset, bytes, total, root };
        session.lines.extend(hex_lines(title, &shown, &self.above(target), self.deepest));
        let named = window.bytes.len() as u64 <= NAMED_MAX;
        let root = if named { window.root } else { window.root.alone() };
        let answer = if self.found { Answer::find } else { Answer::hex };
        Ok(Turn::Done(answer(HexResult {
            file: target.name(),
            offset: window.offset,
            hex: digits(&window.bytes, ""),
            file_bytes: window.total,
            root,
        })))
    }
}

/// The annotator of the bytes on show.
enum Holder<'a, 'b> {
    /// The file.
    File(&'a Looked<'b>),
    /// The part whose decoded content they are.
    Node(Node),
}

enum Search {
    Found(u64),
    NotYet(u64),
    Nowhere,
}

impl Hex {
    /// The selection that the parts of the window are parts of.
    fn above(&self, target: InspectedFile) -> String {
        match (&self.path, self.decoded) {
            (Some(path), true) => format!("{}/{path}", target.selection()),
            _ => target.selection(),
        }
    }

    /// Calls `look` with the file, or with what is decoded of it and the node that holds that.
    fn look<T>(
        &self,
        session: &Session,
        target: InspectedFile,
        look: impl FnOnce(&Source<'_>, Holder<'_, '_>) -> levelscope::Result<T>,
    ) -> Result<T, Stop> {
        let path = self.path.as_deref().unwrap_or("");
        let found = target.look(session, |file| {
            if !self.decoded {
                return look(&file.source, Holder::File(file)).map(Some);
            }
            let annotate = |scope| file.annotate(scope);
            let decoded = decoded_by(&annotate, &file.source, path)?;
            let Some(decoded) = decoded else { return Ok(None) };
            look(&Source::Bytes(&decoded.bytes), Holder::Node(decoded.node)).map(Some)
        })?;
        found.ok_or_else(|| {
            let failure = no_node(target, path);
            failure.hint("--decoded is for compressed blocks; `layout` shows which are").into()
        })
    }

    fn search(
        &self,
        session: &Session,
        target: InspectedFile,
        wanted: &[u8],
    ) -> Result<Search, Stop> {
        let from = self.at;
        self.look(session, target, |source, _| {
            let overlap = (wanted.len() as u64).saturating_sub(1);
            let bytes = source.read(from, SEARCH_BYTES + overlap)?;
            let found = bytes.windows(wanted.len()).position(|window| window == wanted);
            Ok(match found {
                Some(distance) => Search::Found(from + distance as u64),
                None if from.saturating_add(SEARCH_BYTES) >= source.length() => Search::Nowhere,
                None => Search::NotYet(from + SEARCH_BYTES),
            })
        })
    }

    fn window(&self, session: &Session, target: InspectedFile) -> Result<Window, Stop> {
        let (at, length) = match &self.path {
            Some(path) if !self.decoded => range_of(session, target, path)?,
            _ => (self.at, self.length),
        };
        self.look(session, target, |source, holder| {
            let total = source.length();
            let offset = at.min(total);
            let bytes = source.read(offset, length)?.into_owned();
            let to = offset + bytes.len() as u64;
            let mut root = match holder {
                Holder::Node(holder) => {
                    let (name, children) = (holder.name, holder.inside);
                    Node { children, ..Node::leaf(name, holder.kind, 0, total, holder.value) }
                }
                Holder::File(file) => file.annotate(Scope::between(offset, to))?,
            };
            root.keep_between(offset, to);
            Ok(Window { offset, bytes, total, root })
        })
    }
}

/// Where the node at `path` is in the file, and its length \[bytes\].
fn range_of(session: &Session, target: InspectedFile, path: &str) -> Result<(u64, u64), Stop> {
    let part = target.look(session, |file| part_by(&|scope| file.annotate(scope), path, (0, 0)))?;
    match part.as_ref().and_then(|part| part.trail.last()) {
        Some(step) if step.decoded => {
            Err(no_node(target, path).hint("it is in a compressed block: use --decoded").into())
        }
        Some(step) => Ok((step.node.offset, step.node.bytes.min(LENGTH_MAX))),
        None => Err(no_node(target, path).into()),
    }
}
