//! A file summed up, for a picture to scale.

use super::Node;

/// One stretch of a file: a block or a record, or several neighbours of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Stretch {
    /// Its name: `data block 3`, or `data block 3 to data block 9`.
    pub name: String,
    /// The kind of its nodes.
    pub kind: &'static str,
    /// Number of the first node among those of its kind.
    pub number: u32,
    /// The path of the first node: `block:3`.
    pub path: String,
    /// Where it begins \[bytes\].
    pub offset: u64,
    /// Its length \[bytes\].
    pub bytes: u64,
    /// Nodes of its kind that it stands for; marks between joined records are not counted.
    pub parts: u64,
}

impl Stretch {
    /// One node, which `path` leads to.
    #[doc(hidden)]
    pub fn of(node: &Node, path: String) -> Self {
        let Node { name, kind, number, offset, bytes, .. } = node;
        let (name, parts) = (name.clone(), 1);
        Self { name, kind, number: *number, path, offset: *offset, bytes: *bytes, parts }
    }
}

/// The parts of the file `root`, in order; neighbours of one kind are joined until there are hardly more than `most`,
/// so that every stretch is long enough to be seen.
pub fn stretches(root: &Node, most: u64) -> Vec<Stretch> {
    joined(root.children.iter().map(|node| Stretch::of(node, node.step())).collect(), most)
}

/// As [`stretches`], of parts that are at hand, in order.
#[doc(hidden)]
pub fn joined(parts: Vec<Stretch>, most: u64) -> Vec<Stretch> {
    let bytes = parts.iter().map(|part| part.bytes).fold(0, u64::saturating_add);
    let least = if parts.len() as u64 <= most { 0 } else { bytes / most.max(1) };
    let mut found: Vec<Stretch> = Vec::new();
    let mut last_name = String::new();
    // Missing bytes have no place.
    for part in parts.into_iter().filter(|part| part.bytes > 0) {
        match found.last_mut() {
            Some(last) if last.kind == part.kind && last.bytes < least => {
                last.bytes = last.bytes.saturating_add(part.bytes);
                last.parts = last.parts.saturating_add(1);
                last_name = part.name;
            }
            Some(last) if (last.kind, part.kind) == ("record", "mark") && last.bytes < least => {
                last.bytes = last.bytes.saturating_add(part.bytes);
            }
            _ => {
                end(&mut found, &last_name);
                found.push(part);
            }
        }
    }
    end(&mut found, &last_name);
    found
}

fn end(found: &mut [Stretch], last_name: &str) {
    if let Some(last) = found.last_mut().filter(|last| last.parts > 1) {
        last.name = format!("{} to {last_name}", last.name);
    }
}
