//! Walks over the tree of a file.

#![allow(dead_code, reason = "each test uses its part")]

use crate::common::Random;
use levelscope_foreign::inspect::{self, OpenedPart, PARTS_MAX, Part};
use levelscope_foreign::{Engine, Files};

/// A file whose tree is walked over.
pub(crate) struct Tree<'f> {
    pub(crate) files: &'f dyn Files,
    pub(crate) engine: Engine,
    pub(crate) name: &'f str,
    /// What failures name.
    pub(crate) what: String,
}

impl<'f> Tree<'f> {
    pub(crate) fn new(files: &'f dyn Files, engine: Engine, fixture: &str, name: &'f str) -> Self {
        Self { files, engine, name, what: format!("{fixture}/{name}") }
    }

    pub(crate) fn open(&self, path: &[usize], window: (usize, usize)) -> OpenedPart {
        let opened = inspect::open(self.files, self.engine, self.name, path, window);
        opened.unwrap_or_else(|error| panic!("{}: {path:?}: {error}", self.what))
    }

    /// All parts of the part at `path`, which must follow one another from its start to its end.
    fn parts(&self, path: &[usize]) -> Vec<Part> {
        let (mut parts, mut next) = (Vec::new(), Some(0));
        while let Some(from) = next {
            let opened = self.open(path, (from, PARTS_MAX));
            assert_eq!(opened.trail.len(), path.len() + 1, "{}: {path:?}", self.what);
            self.compare(path, from, &opened, parts.last());
            next = opened.next;
            parts.extend(opened.parts);
            assert!(next.is_none_or(|next| next == parts.len()), "{}: {path:?}", self.what);
            if let Some(count) = opened.count {
                assert!(parts.len() == count || next.is_some(), "{}: {path:?}: {count}", self.what);
            }
            if next.is_none() {
                self.compare_end(path, opened.trail.last().unwrap(), &parts);
            }
        }
        parts
    }

    fn compare(&self, path: &[usize], from: usize, opened: &OpenedPart, before: Option<&Part>) {
        let parent = opened.trail.last().unwrap();
        let mut position = match (before, opened.parts.first()) {
            (Some(before), _) => before.offset + before.bytes,
            (None, Some(first)) if is_content_of(parent, first) => 0,
            _ => parent.offset,
        };
        for part in &opened.parts {
            assert_eq!(part.offset, position, "{}: {path:?} from {from}: {part:?}", self.what);
            assert!(part.bytes > 0, "{}: {path:?}: {part:?}", self.what);
            assert_eq!(part.problem.is_some(), part.state != inspect::PartState::Sound);
            position += part.bytes;
        }
    }

    fn compare_end(&self, path: &[usize], parent: &Part, parts: &[Part]) {
        assert!(!parts.is_empty(), "{}: {path:?} opens and has no part", self.what);
        if let [only] = parts
            && is_content_of(parent, only)
        {
            return;
        }
        let end = parts.last().map(|part| part.offset + part.bytes);
        assert_eq!(end, Some(parent.offset + parent.bytes), "{}: {path:?}", self.what);
    }

    /// All parts below `path`, with their paths.
    pub(crate) fn all(&self, path: &[usize]) -> Vec<(Vec<usize>, Part)> {
        let mut found = Vec::new();
        for (place, part) in self.parts(path).into_iter().enumerate() {
            let below = [path, &[place]].concat();
            let opens = part.opens;
            found.push((below.clone(), part));
            if opens {
                found.append(&mut self.all(&below));
            }
        }
        found
    }

    /// All parts of the file.
    pub(crate) fn whole(&self) -> Vec<(Vec<usize>, Part)> {
        if self.open(&[], (0, 1)).trail[0].opens { self.all(&[]) } else { Vec::new() }
    }

    /// Opens `steps` parts on the way down, each time chosen by chance, and compares their places.
    pub(crate) fn wander(&self, random: &mut Random, steps: usize) {
        let mut path = Vec::new();
        for _ in 0..steps {
            let opened = self.open(&path, (0, 1 + random.below(50)));
            self.compare(&path, 0, &opened, None);
            let places: Vec<usize> =
                (0..opened.parts.len()).filter(|place| opened.parts[*place].opens).collect();
            if places.is_empty() {
                path.clear();
            } else {
                path.push(places[random.below(places.len())]);
            }
        }
    }
}

/// Whether `part` is the decoded content of `parent`, whose offsets begin anew.
pub(crate) fn is_content_of(parent: &Part, part: &Part) -> bool {
    part.kind == "content" && part.decoded && matches!(parent.kind, "compressed" | "bytes")
}
