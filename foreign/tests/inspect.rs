//! Every byte of every file of the fixtures has a name.
#![cfg(test)]

mod common;

use common::{engine_of, fixture, fixtures};
use levelscope_foreign::inspect::{self, Opened, Part, PartState};
use levelscope_foreign::{Engine, Files};

/// Names of nothing, which no part of a sound file has.
const NAMELESS: [&str; 3] = ["damaged", "unnamed", "not known"];

/// Walks over the whole tree of a file.
struct Tree<'f> {
    files: &'f dyn Files,
    engine: Engine,
    name: &'f str,
    what: String,
    leaves: Vec<Part>,
}

impl Tree<'_> {
    fn open(&self, path: &[usize], from: usize) -> Opened {
        inspect::open(self.files, self.engine, self.name, path, (from, inspect::PARTS_MAX))
            .unwrap_or_else(|error| panic!("{}: {path:?}: {error}", self.what))
    }

    fn visit(&mut self, path: &mut Vec<usize>) {
        let mut next = Some(0);
        let (mut position, mut end, mut count) = (None, 0, None);
        while let Some(from) = next {
            let opened = self.open(path, from);
            let parent = opened.trail.last().unwrap().clone();
            if path.len() + 1 != opened.trail.len() {
                panic!("{}: {path:?}: the trail has {} parts", self.what, opened.trail.len());
            }
            for (place, part) in opened.parts.iter().enumerate() {
                if position.is_none() {
                    // Decoded content begins anew.
                    let is_new = part.decoded && (!parent.decoded || part.kind == "content");
                    position = Some(if is_new { 0 } else { parent.offset });
                    end = if is_new { part.bytes } else { parent.offset + parent.bytes };
                }
                let wanted = position.unwrap();
                assert_eq!(part.offset, wanted, "{}: {path:?}: {part:?}", self.what);
                assert!(part.bytes > 0, "{}: {path:?}: {part:?}", self.what);
                position = Some(wanted + part.bytes);
                if part.opens {
                    path.push(from + place);
                    self.visit(path);
                    path.pop();
                } else {
                    self.leaves.push(part.clone());
                }
            }
            if opened.next.is_none() {
                count = opened.count.map(|count| (count, from + opened.parts.len()));
            }
            next = opened.next;
        }
        if let Some(position) = position {
            assert_eq!(position, end, "{}: {path:?} does not end where its parts do", self.what);
        }
        if let Some((told, counted)) = count {
            assert_eq!(told, counted, "{}: {path:?}", self.what);
        }
    }
}

fn leaves(files: &dyn Files, engine: Engine, what: &str, name: &str) -> Vec<Part> {
    let what = format!("{what}/{name}");
    let mut tree = Tree { files, engine, name, what, leaves: Vec::new() };
    tree.visit(&mut Vec::new());
    tree.leaves
}

#[test]
fn every_byte_of_every_file_has_a_name() {
    let (mut files, mut all) = (0, 0);
    for fixture in fixtures(&[""]) {
        let engine = engine_of(&fixture.json);
        let damaged = fixture.json["damage"]["file"].as_str();
        for file in fixture.files.list() {
            let found = leaves(&fixture.files, engine, &fixture.name, &file.name);
            let is_sound = damaged.is_none_or(|damaged| !file.name.contains(damaged));
            for part in found.iter().filter(|_| is_sound) {
                let what = format!("{}/{}: {part:?}", fixture.name, file.name);
                assert_ne!(part.state, PartState::Damaged, "{what}");
                assert!(!NAMELESS.iter().any(|word| part.name.contains(word)), "{what}");
                assert!(!part.value.contains("unknown"), "{what}");
                let is_read = part.state == PartState::Sound;
                assert!(
                    is_read || fixture.name.starts_with("x_") || fixture.name.starts_with("t_"),
                    "{what}"
                );
            }
            files += 1;
            all += found.len();
        }
    }
    println!("{files} files, {all} leaves");
    assert!(files > 700);
}
