//! Whether a tree of nodes names every byte of a file.

use crate::inspect::Node;

/// Checks that the leaves of `tree` are all bytes of `file`, in order, without gaps, and those of decoded
/// content so too.
///
/// # Panics
/// At the first gap.
pub fn assert_covers(tree: &Node, file: &[u8]) {
    let mut next = 0;
    walk(tree, &mut next);
    assert_eq!(next, file.len() as u64, "bytes at the end of {} are not named", tree.name);
}

fn walk(node: &Node, next: &mut u64) {
    assert_eq!(node.offset, *next, "{node:?}");
    let end = node.offset + node.bytes;
    for child in &node.children {
        walk(child, next);
    }
    if !node.inside.is_empty() {
        let mut next = 0;
        node.inside.iter().for_each(|part| walk(part, &mut next));
    }
    if node.children.is_empty() {
        let is_missing = node.name == "missing bytes";
        let is_empty = node.bytes == 0 && end > 0 && node.kind == "damaged";
        assert!(is_missing || !is_empty, "{node:?}");
        *next = end;
    }
    assert_eq!(*next, end, "{node:?}");
}
