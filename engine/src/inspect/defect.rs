//! The parts of a tree that break a rule of their format.

use super::{Fact, Node};
use crate::text;

/// A part of a file that breaks a rule of its format, or that is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defect {
    /// Where it begins in the file \[bytes\].
    pub offset: u64,
    /// Why, as a clause.
    pub why: String,
    /// Whether it is only not read.
    pub is_unread: bool,
}

impl Node {
    /// The defects in it, in the order of the parts.
    pub fn defects(&self) -> Vec<Defect> {
        let mut found = Vec::new();
        self.look_into(None, &mut found);
        found
    }

    /// Decoded content is where its compressed bytes are: at `holder`.
    fn look_into(&self, holder: Option<u64>, found: &mut Vec<Defect>) {
        let offset = holder.unwrap_or(self.offset);
        match &self.fact {
            Some(Fact::Checksum { stored, computed, from, .. }) if stored != computed => {
                let why = format!(
                    "these bytes do not match their checksum at offset {}: stored 0x{stored:08x}, computed \
                     0x{computed:08x}",
                    text::count(offset)
                );
                found.push(Defect { offset: holder.unwrap_or(*from), why, is_unread: false });
            }
            _ if self.kind == "damaged" || self.kind == "unread" => {
                let is_unread = self.kind == "unread";
                found.push(Defect { offset, why: self.value.clone(), is_unread });
            }
            _ => {}
        }
        let below = self.children.iter().map(|child| (child, holder));
        let inside = self.inside.iter().map(|child| (child, Some(offset)));
        below.chain(inside).for_each(|(child, holder)| child.look_into(holder, found));
    }
}
