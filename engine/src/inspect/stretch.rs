//! A file summed up, for a picture to scale.

use super::Node;

/// One stretch of a file: a block or a record, or several neighbours of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Stretch {
    /// What it is: `data block 3`, or `data block 3 to data block 9`.
    pub name: String,
    /// The kind of its nodes.
    pub kind: &'static str,
    /// Number of the first node among those of its kind.
    pub number: u32,
    /// Where it begins \[bytes\].
    pub offset: u64,
    /// Its length \[bytes\].
    pub bytes: u64,
    /// Nodes of its kind that it stands for; marks between joined records are not counted.
    pub parts: u64,
}

/// The parts of the file `root`, in order; neighbours of one kind are joined until there are hardly
/// more than `most`, so that no stretch is much shorter than what can be seen.
pub fn stretches(root: &Node, most: u64) -> Vec<Stretch> {
    let least = match root.children.len() as u64 {
        count if count <= most => 0,
        _ => root.bytes / most.max(1),
    };
    let mut found: Vec<Stretch> = Vec::new();
    let mut last_name = String::new();
    // Missing bytes have no place.
    for node in root.children.iter().filter(|node| node.bytes > 0) {
        match found.last_mut() {
            Some(last) if last.kind == node.kind && last.bytes < least => {
                last.bytes = last.bytes.saturating_add(node.bytes);
                last.parts = last.parts.saturating_add(1);
                last_name.clone_from(&node.name);
            }
            Some(last) if (last.kind, node.kind) == ("record", "mark") && last.bytes < least => {
                last.bytes = last.bytes.saturating_add(node.bytes);
            }
            _ => {
                end(&mut found, &last_name);
                found.push(Stretch {
                    name: node.name.clone(),
                    kind: node.kind,
                    number: node.number,
                    offset: node.offset,
                    bytes: node.bytes,
                    parts: 1,
                });
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
