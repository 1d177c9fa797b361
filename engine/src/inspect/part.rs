//! One node of a file, found by its path: `block:2/entry:5`.

use super::{Node, Scope, Source, annotate_scope};
use crate::Result;
use crate::storage::FileName;
use crate::table::decompress;

/// A node on the way to another.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Step {
    /// Its place among all parts of the node before, from 0; decoded parts come after the others.
    pub index: u64,
    /// Whether its offset counts from the start of decoded content.
    pub decoded: bool,
    /// The node, without its parts.
    pub node: Node,
}

/// One node of a file, and some of its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Part {
    /// From the file down to the node itself.
    pub trail: Vec<Step>,
    /// Some parts of the node, each without its own.
    pub parts: Vec<Node>,
    /// Parts in front of these that are left out.
    pub skipped: u64,
    /// Parts that the node has in all.
    pub count: u64,
}

/// Decoded content: a block after decompression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The content.
    pub bytes: Vec<u8>,
    /// The node that holds it; its parts, `inside`, begin at offset 0 of the content.
    pub node: Node,
}

/// The node at `path` in the file `name`, and up to `limit` of its parts after the first `skip`; `None`
/// when there is no such node. The empty path is the file.
///
/// A path has a step for each depth, `KIND:NUMBER`; a step into a compressed block need not name the
/// compressed leaf.
///
/// # Errors
/// Those of the file that is read.
pub fn part_of(
    name: FileName,
    source: &Source<'_>,
    path: &str,
    window: (u64, u64),
) -> Result<Option<Part>> {
    part_by(&|scope| annotate_scope(name, source, scope), path, window)
}

/// As [`part_of`], in a file whose bytes `annotate` names within a scope.
///
/// # Errors
/// Those of `annotate`.
pub fn part_by(
    annotate: &dyn Fn(Scope) -> Result<Node>,
    path: &str,
    window: (u64, u64),
) -> Result<Option<Part>> {
    Ok(tree_for(annotate, path)?.and_then(|tree| part_in(&tree, path, window)))
}

/// As [`part_of`], in a file whose tree is at hand, as far as that was taken apart.
pub fn part_in(tree: &Node, path: &str, (skip, limit): (u64, u64)) -> Option<Part> {
    let trail = walk(tree, path)?;
    let (_, _, node) = trail.last()?;
    let parts = node.children.iter().chain(&node.inside);
    let window = parts.skip(saturate(skip)).take(saturate(limit));
    Some(Part {
        parts: window.map(Node::alone).collect(),
        skipped: skip,
        count: (node.children.len() + node.inside.len()) as u64,
        trail: trail
            .iter()
            .map(|(index, decoded, node)| Step {
                index: *index,
                decoded: *decoded,
                node: node.alone(),
            })
            .collect(),
    })
}

/// The decoded content of the node at `path`, or of the only leaf in it that has some; `None` when
/// nothing is encoded there.
///
/// # Errors
/// Those of the file that is read.
pub fn decoded_of(name: FileName, source: &Source<'_>, path: &str) -> Result<Option<Decoded>> {
    decoded_by(&|scope| annotate_scope(name, source, scope), source, path)
}

/// As [`decoded_of`], in a file whose bytes `annotate` names within a scope.
///
/// # Errors
/// Those of `annotate` and of the file that is read.
pub fn decoded_by(
    annotate: &dyn Fn(Scope) -> Result<Node>,
    source: &Source<'_>,
    path: &str,
) -> Result<Option<Decoded>> {
    match tree_for(annotate, path)? {
        Some(tree) => decoded_in(&tree, source, path),
        None => Ok(None),
    }
}

/// As [`decoded_of`], in a file whose tree is at hand.
///
/// # Errors
/// Those of the file that is read.
pub fn decoded_in(tree: &Node, source: &Source<'_>, path: &str) -> Result<Option<Decoded>> {
    let node = walk(tree, path).and_then(|trail| trail.last().map(|(_, _, node)| *node));
    let is_encoded = |node: &&Node| node.kind == "compressed";
    let Some(leaf) = node.and_then(|node| Some(node).filter(is_encoded).or_else(|| encoded(node)))
    else {
        return Ok(None);
    };
    let stored = source.read(leaf.offset, leaf.bytes)?;
    Ok(decompress(&stored).ok().map(|bytes| Decoded { bytes, node: leaf.clone() }))
}

fn encoded(node: &Node) -> Option<&Node> {
    node.children.iter().find(|child| child.kind == "compressed")
}

fn saturate(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// A tree in which `path` can be walked: nothing else is taken apart.
fn tree_for(annotate: &dyn Fn(Scope) -> Result<Node>, path: &str) -> Result<Option<Node>> {
    let outline = annotate(Scope::OUTLINE)?;
    let Some(first) = path.split('/').next().filter(|step| !step.is_empty()) else {
        return Ok(Some(outline));
    };
    let Some((kind, number)) = parse(first) else { return Ok(None) };
    let Some((_, node)) = child(&outline, kind, number) else { return Ok(None) };
    let end = node.offset.saturating_add(node.bytes);
    annotate(Scope::between(node.offset, end)).map(Some)
}

fn parse(step: &str) -> Option<(&str, u32)> {
    let (kind, number) = step.split_once(':')?;
    Some((kind, number.parse().ok()?))
}

fn child<'a>(node: &'a Node, kind: &str, number: u32) -> Option<(u64, &'a Node)> {
    let is_it = |part: &Node| part.kind == kind && part.number == number;
    (0..).zip(node.children.iter().chain(&node.inside)).find(|(_, part)| is_it(part))
}

/// The nodes on `path`, each with its place among its siblings and whether it is decoded content.
fn walk<'a>(root: &'a Node, path: &str) -> Option<Vec<(u64, bool, &'a Node)>> {
    let mut trail = vec![(0, false, root)];
    for step in path.split('/').filter(|step| !step.is_empty()) {
        let (kind, number) = parse(step)?;
        let (_, decoded, node) = *trail.last()?;
        let below = |node: &Node, index: u64| decoded || index >= node.children.len() as u64;
        if let Some((index, found)) = child(node, kind, number) {
            trail.push((index, below(node, index), found));
            continue;
        }
        let (index, leaf) =
            (0..).zip(&node.children).find(|(_, child)| child.kind == "compressed")?;
        let (inner, found) = child(leaf, kind, number)?;
        trail.push((index, decoded, leaf));
        trail.push((inner, true, found));
    }
    Some(trail)
}
