//! Stand-in.
use super::Node;
pub(super) fn annotate_table(_: crate::storage::FileName, bytes: &[u8]) -> Node {
    Node::leaf("table", "table", 0, bytes.len() as u64, String::new())
}
