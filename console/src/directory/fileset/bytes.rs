//! The bytes of a file of a set, named by its format.

use super::{FileSet, FormatFile};
use crate::directory::bytes::{
    Answered, FileBytes, no_node, no_offset, not_found, nothing_encoded,
};
use crate::nodes::{digits, refuse_wanted};
use crate::output::Failure;
use crate::result::{HexResult, PartResult, RibbonResult};
use levelscope::inspect::{Node, Scope, Source, decoded_by, part_by, stretches};
use std::rc::Rc;

/// Most bytes of one answer.
const LENGTH_MAX: u64 = 1 << 20;

/// A file of a set that is looked into.
pub(crate) struct SetBytes {
    file: Rc<FormatFile>,
    content: Rc<Vec<u8>>,
}

impl SetBytes {
    /// The file called `name`.
    ///
    /// # Errors
    /// It is not there, or cannot be read.
    pub(crate) fn new(set: &FileSet<'_>, name: &str) -> Answered<Self> {
        let file = set.file(name)?;
        let content = set.content(name)?;
        Ok(Self { file, content })
    }

    /// Its parts within `scope`.
    pub(crate) fn annotate(&self, scope: Scope) -> Node {
        self.file.annotate(&self.content, scope)
    }

    /// Calls `look` with the file, or with the content of the encoded part at `inside` and that part.
    fn look<T>(
        &self,
        inside: Option<&str>,
        look: impl FnOnce(&[u8], Option<Node>) -> Answered<T>,
    ) -> Answered<T> {
        let Some(path) = inside else { return look(&self.content, None) };
        let source = Source::Bytes(&self.content);
        let decoded = decoded_by(&|scope| Ok(self.annotate(scope)), &source, path)?;
        let decoded = decoded.ok_or_else(|| nothing_encoded(&self.file.name, path))?;
        look(&decoded.bytes, Some(decoded.node))
    }
}

impl FileBytes for SetBytes {
    fn name(&self) -> &str {
        &self.file.name
    }

    fn part(&self, path: &str, (skip, limit): (usize, usize)) -> Answered<PartResult> {
        let window = (skip as u64, limit as u64);
        let part = part_by(&|scope| Ok(self.annotate(scope)), path, window)?;
        let part = part.ok_or_else(|| no_node(&self.file.name, path))?;
        Ok(PartResult { file: self.file.name.clone(), file_bytes: self.file.bytes, part })
    }

    fn hex(&self, inside: Option<&str>, offset: u64, length: u64) -> Answered<HexResult> {
        self.look(inside, |content, holder| {
            let total = content.len() as u64;
            if offset > total {
                return Err(no_offset(&self.file.name, inside, offset, total));
            }
            let to = offset.saturating_add(length.min(LENGTH_MAX)).min(total);
            let (begin, end) = (usize::try_from(offset), usize::try_from(to));
            let bytes = begin.ok().zip(end.ok()).and_then(|(begin, end)| content.get(begin..end));
            let mut root = match holder {
                None => self.annotate(Scope::between(offset, to)),
                Some(holder) => {
                    let (name, children) = (holder.name, holder.inside);
                    Node { children, ..Node::leaf(name, holder.kind, 0, total, holder.value) }
                }
            };
            root.keep_between(offset, to);
            let hex = digits(bytes.unwrap_or_default(), "");
            Ok(HexResult { file: self.file.name.clone(), offset, hex, file_bytes: total, root })
        })
    }

    fn find(
        &self,
        inside: Option<&str>,
        from: u64,
        wanted: &[u8],
        length: u64,
    ) -> Answered<HexResult> {
        if let Some(why) = refuse_wanted(wanted) {
            return Err(Failure::usage(why));
        }
        let place = self.look(inside, |content, _| {
            let begin = usize::try_from(from).unwrap_or(usize::MAX);
            let rest = content.get(begin..).unwrap_or_default();
            let place = rest.windows(wanted.len()).position(|window| window == wanted);
            place.ok_or_else(|| not_found(&self.file.name, wanted))
        })?;
        self.hex(inside, from.saturating_add(place as u64), length)
    }

    fn ribbon(&self, most: u64) -> Answered<RibbonResult> {
        let node = self.annotate(Scope::OUTLINE);
        let (file, file_bytes) = (self.file.name.clone(), self.file.bytes);
        Ok(RibbonResult { file, file_bytes, stretches: stretches(&node, most) })
    }
}
