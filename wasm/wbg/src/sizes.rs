//! Tells who needs the room.

use std::collections::HashMap;

use walrus::{FunctionKind, Module};

use crate::linked::{Linked, readable};
use crate::plan::Plan;

/// How many are listed.
const LISTED: usize = 20;

/// Prints the crates and the functions that have the most code in the first part [instructions]: the first number; the
/// second one is that of the rest.
#[expect(clippy::print_stdout, reason = "a command-line tool reports here")]
pub(crate) fn tell(module: &Module, linked: &Linked, plan: &Plan) {
    let mut crates: HashMap<String, (u64, u64)> = HashMap::new();
    let mut largest = Vec::new();
    for (number, function) in module.funcs.iter().enumerate() {
        let FunctionKind::Local(local) = &function.kind else { continue };
        let name = readable(function.name.as_deref().unwrap_or_default());
        let (first, rest) = crates.entry(krate(&name).to_owned()).or_default();
        if plan.stays(number) {
            *first += local.size();
            largest.push((local.size(), name));
        } else {
            *rest += local.size();
        }
    }
    let stubs = plan.stubs.len();
    let rest: u64 = plan.rest_data.iter().map(|range| u64::from(range.end - range.start)).sum();
    let data: u64 =
        linked.data.iter().map(|piece| u64::from(piece.range.end - piece.range.start)).sum();
    println!("{} of {data} bytes of data and {stubs} stubs are in the first part.", data - rest);
    println!("Instructions in the first part, and in the rest:");
    let mut crates: Vec<_> = crates.into_iter().collect();
    crates.sort_by_key(|(_, (first, _))| std::cmp::Reverse(*first));
    for (name, (first, rest)) in crates.iter().take(LISTED) {
        println!("{first:8} {rest:8} {name}");
    }
    largest.sort_unstable_by(|one, other| other.cmp(one));
    println!("The largest functions of the first part:");
    for (size, name) in largest.iter().take(LISTED) {
        println!("{size:8} {name}");
    }
}

/// The crate of a function.
fn krate(name: &str) -> &str {
    let start = name.trim_start_matches(['<', '&', '[', '(', '*']);
    let end = start.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(start.len());
    start.get(..end).unwrap_or_default()
}
