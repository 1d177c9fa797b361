//! The parts of a range of bytes, down to the smallest.

use super::Scene;
use super::part::Part;
use super::sink::{Inner, Sink, Want};
use crate::{Engine, Files, Result};

/// Parts of one answer; those below are left out then.
const PARTS_MAX: usize = 20_000;

/// A part, and those of its parts that are in the range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// The part.
    pub part: Part,
    /// Its place among its siblings.
    pub place: usize,
    /// Its parts, in order; empty where it has none, and where their offsets count elsewhere.
    pub parts: Vec<Self>,
}

/// The part at `path` of file `name`, with its parts that have bytes in `range`: offsets of the file, or of the decoded
/// content that the part is in.
///
/// # Errors
/// Those of [`super::open`].
pub fn branch(
    files: &dyn Files,
    engine: Engine,
    name: &str,
    path: &[usize],
    range: (u64, u64),
) -> Result<Branch> {
    let scene = Scene::new(files, name, engine)?;
    let mut way = scene.walk(path)?;
    let part = way.trail.pop().unwrap_or_default();
    let place = path.last().copied().unwrap_or(0);
    let mut left = PARTS_MAX;
    grown(&scene, &way.sink, (place, part), way.inner, range, &mut left)
}

/// The path of the decoded content of the part at `path`; `None`: nothing is encoded there.
///
/// # Errors
/// Those of [`super::open`].
pub fn content(
    files: &dyn Files,
    engine: Engine,
    name: &str,
    path: &[usize],
) -> Result<Option<Vec<usize>>> {
    let scene = Scene::new(files, name, engine)?;
    let way = scene.walk(path)?;
    let (Some(part), Some(inner)) = (way.trail.last(), way.inner) else { return Ok(None) };
    let mut below = way.sink.below(part, Want::One(0));
    inner.write(&scene, &mut below)?;
    let is_content = below.parts.first().is_some_and(|found| found.decoded && !part.decoded);
    Ok(is_content.then(|| [path, &[0]].concat()))
}

/// The parts of file `name` from its first byte to its last, each with its path; groups of blocks as their blocks, where a
/// group has at most `most`.
///
/// # Errors
/// Those of [`super::open`].
pub fn outline(
    files: &dyn Files,
    engine: Engine,
    name: &str,
    most: usize,
) -> Result<Vec<(Vec<usize>, Part)>> {
    let top = super::open(files, engine, name, &[], (0, most))?;
    let mut found = Vec::new();
    let mut waiting: Vec<(Vec<usize>, Part)> =
        top.parts.into_iter().enumerate().rev().map(|(place, part)| (vec![place], part)).collect();
    while let Some((path, part)) = waiting.pop() {
        if part.kind == "blocks" {
            let inside = super::open(files, engine, name, &path, (0, most))?;
            if inside.next.is_none() && !inside.parts.is_empty() {
                let below = |(place, part)| ([path.as_slice(), &[place]].concat(), part);
                waiting.extend(inside.parts.into_iter().enumerate().rev().map(below));
                continue;
            }
        }
        found.push((path, part));
    }
    Ok(found)
}

fn grown(
    scene: &Scene<'_>,
    above: &Sink,
    (place, part): (usize, Part),
    inner: Option<Inner>,
    range: (u64, u64),
    left: &mut usize,
) -> Result<Branch> {
    let mut branch = Branch { part, place, parts: Vec::new() };
    let Some(inner) = inner.filter(|_| *left > 0) else { return Ok(branch) };
    let mut below = above.below(&branch.part, Want::Within(range.0, range.1));
    inner.write(scene, &mut below)?;
    below.describe(&mut branch.part);
    let parts = std::mem::take(&mut below.parts);
    for (part, (place, inner)) in parts.into_iter().zip(std::mem::take(&mut below.within)) {
        // Offsets of decoded content do not count in the range.
        if part.decoded == branch.part.decoded {
            *left = left.saturating_sub(1);
            branch.parts.push(grown(scene, &below, (place, part), inner, range, left)?);
        }
    }
    Ok(branch)
}
