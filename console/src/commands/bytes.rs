//! Code shared by `layout` and `hex`: the files that they look into.

use crate::output::{Failure, OutputLine, selection};
use crate::session::{Session, Stop};
use crate::text;
use levelscope::inspect::{Node, Scope, Source, annotate_scope};
use levelscope::storage::FileName;

const FILE: &str = "FILE is a number, table:12, wal:7, manifest:3, a file name, or CURRENT";

/// A file of the database that is looked into.
#[derive(Debug, Clone, Copy)]
pub(super) struct InspectedFile(pub(super) FileName);

impl InspectedFile {
    /// The file that `typed` names; a bare number is looked up, because all files share one counter.
    pub(super) fn find(session: &Session, typed: &[u8]) -> Result<Self, Failure> {
        let unknown = || {
            let shown = text::short_word(typed, 32);
            Failure::usage(format!("there is no file {shown}"))
                .hint(format!("{FILE}; `files` lists all"))
        };
        let typed = std::str::from_utf8(typed).unwrap_or_default();
        let listed = session.storage().list().unwrap_or_default();
        let listed = || listed.iter().filter_map(|name| FileName::parse(name));
        if let Ok(number) = typed.parse::<u64>() {
            let found = listed().find(|name| name.number() == Some(number));
            return found.map(Self).ok_or_else(unknown);
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
            None if typed.eq_ignore_ascii_case("lock") => FileName::Lock,
            None => FileName::parse(typed).ok_or_else(unknown)?,
        };
        let there = name == FileName::Lock || listed().any(|listed| listed == name);
        if there { Ok(Self(name)) } else { Err(unknown()) }
    }

    /// Its name.
    pub(super) fn name(self) -> String {
        self.0.to_string()
    }

    /// Its selection.
    pub(super) fn selection(self) -> String {
        selection(self.0)
    }

    /// Its name as a link.
    pub(super) fn line(self) -> OutputLine {
        OutputLine::new().link(self.selection(), self.name())
    }

    /// Calls `look` with its bytes and the annotator that names them.
    pub(super) fn look<T>(
        self,
        session: &Session,
        look: impl FnOnce(&Looked<'_>) -> levelscope::Result<T>,
    ) -> Result<T, Stop> {
        Ok(session.look_into(self.0, |source| look(&Looked { name: self.0, source: *source }))?)
    }
}

/// A file that is being looked into.
pub(super) struct Looked<'a> {
    name: FileName,
    pub(super) source: Source<'a>,
}

impl Looked<'_> {
    /// Names its bytes within `scope`.
    pub(super) fn annotate(&self, scope: Scope) -> levelscope::Result<Node> {
        annotate_scope(self.name, &self.source, scope)
    }
}

/// No node of the file has this path.
pub(super) fn no_node(target: InspectedFile, path: &str) -> Failure {
    let shown = text::short_word(path.as_bytes(), 64);
    let name = target.name();
    Failure::usage(format!("{name} has no node {shown}"))
        .hint("a path has a step for each depth, such as block:2/entry:5; `layout` links to them")
}
