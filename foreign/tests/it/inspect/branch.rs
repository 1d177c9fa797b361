//! The parts of a range of bytes are those that the tree has there.

use super::tree::Tree;
use crate::common::{Random, engine_of, fixtures};
use levelscope_foreign::Files;
use levelscope_foreign::inspect::{self, Branch, Part};

/// Identity of a part. Words that opening a part adds are in a branch only.
type PartIdentity = (Vec<usize>, String, u64, u64);

fn named(path: &[usize], part: &Part) -> PartIdentity {
    (path.to_vec(), part.name.clone(), part.offset, part.bytes)
}

fn flat(branch: &Branch, path: &[usize], found: &mut Vec<PartIdentity>) {
    for below in &branch.parts {
        let path = [path, &[below.place]].concat();
        found.push(named(&path, &below.part));
        flat(below, &path, found);
    }
}

/// Compares the parts in `range` of the space of the part at `path` with those of the whole tree.
fn compare(tree: &Tree<'_>, whole: &[(Vec<usize>, Part)], path: &[usize], range: (u64, u64)) {
    let branch = inspect::branch(tree.files, tree.engine, tree.name, path, range);
    let branch = branch.unwrap_or_else(|error| panic!("{}: {path:?}: {error}", tree.what));
    let mut found = Vec::new();
    flat(&branch, path, &mut found);
    let is_there = |(at, part): &&(Vec<usize>, Part)| {
        at.len() > path.len()
            && at.starts_with(path)
            && part.decoded == branch.part.decoded
            && part.offset < range.1
            && part.offset + part.bytes > range.0
    };
    let expected: Vec<PartIdentity> =
        whole.iter().filter(is_there).map(|(at, part)| named(at, part)).collect();
    assert_eq!(found, expected, "{}: {path:?}: {range:?}", tree.what);
}

#[test]
fn a_range_has_the_parts_of_the_tree() {
    let mut random = Random(7);
    let (mut ranges, mut contents) = (0, 0);
    for fixture in fixtures(&[""]) {
        for file in fixture.files.list() {
            let engine = engine_of(&fixture.json);
            let tree = Tree::new(&fixture.files, engine, &fixture.name, &file.name);
            let whole = tree.whole();
            let mut range = |bytes: u64| {
                let from = random.below(usize::try_from(bytes).unwrap()) as u64;
                (from, from + 1 + random.below(4096) as u64)
            };
            compare(&tree, &whole, &[], range(file.bytes.max(1)));
            ranges += 1;
            let encoded = whole.iter().filter(|(_, part)| part.kind == "compressed" && part.opens);
            for (path, _) in encoded.take(2) {
                let content = inspect::content(tree.files, engine, tree.name, path)
                    .unwrap()
                    .expect("content");
                let (_, part) = whole.iter().find(|(at, _)| *at == content).unwrap();
                compare(&tree, &whole, &content, range(part.bytes));
                contents += 1;
            }
        }
    }
    assert!(ranges > 800 && contents > 50, "{ranges} {contents}");
}
