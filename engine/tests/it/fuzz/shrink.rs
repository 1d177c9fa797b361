//! Shrinking of a failing sequence: drop the operations that are not needed, simplify the others.

use super::ops::Op;
use levelscope::Bound;

/// How often a sequence may be tried while it is made shorter.
const TRIES_MAX: usize = 4000;

/// The shortest part of `ops` found that still fails, with the simplest operations found.
pub fn shrink(ops: Vec<Op>, fails: &dyn Fn(&[Op]) -> bool) -> Vec<Op> {
    let mut shrinking = Shrinking { ops, fails, tries: 0 };
    while shrinking.leave_out() | shrinking.simplify() {}
    shrinking.ops
}

struct Shrinking<'a> {
    ops: Vec<Op>,
    fails: &'a dyn Fn(&[Op]) -> bool,
    tries: usize,
}

impl Shrinking<'_> {
    fn take_if_it_fails(&mut self, candidate: Vec<Op>) -> bool {
        self.tries += 1;
        let shorter = self.tries <= TRIES_MAX && (self.fails)(&candidate);
        if shorter {
            self.ops = candidate;
        }
        shorter
    }

    /// Leaves out runs of operations: half of all, then quarters, down to single ones.
    fn leave_out(&mut self) -> bool {
        let mut any = false;
        let mut length = self.ops.len().div_ceil(2);
        while length > 0 {
            let mut start = 0;
            while start < self.ops.len() {
                let mut candidate = self.ops.clone();
                candidate.drain(start..(start + length).min(candidate.len()));
                if self.take_if_it_fails(candidate) {
                    any = true;
                } else {
                    start += length;
                }
            }
            length /= 2;
        }
        any
    }

    fn simplify(&mut self) -> bool {
        let mut any = false;
        for index in 0..self.ops.len() {
            while simpler(&self.ops[index]).into_iter().any(|op| {
                let mut candidate = self.ops.clone();
                candidate[index] = op;
                self.take_if_it_fails(candidate)
            }) {
                any = true;
            }
        }
        any
    }
}

/// Simpler forms of one operation, the simplest first; each is smaller, so that this comes to an end.
fn simpler(op: &Op) -> Vec<Op> {
    match op {
        Op::Put(key, value) if !value.is_empty() => {
            let half = value[..value.len() / 2].to_vec();
            vec![Op::Put(key.clone(), Vec::new()), Op::Put(key.clone(), half)]
        }
        Op::Batch(entries) if !entries.is_empty() => {
            let single = match &entries[..] {
                [(key, Some(value))] => vec![Op::Put(key.clone(), value.clone())],
                [(key, None)] => vec![Op::Delete(key.clone())],
                _ => Vec::new(),
            };
            let fewer = (0..entries.len()).map(|index| {
                let mut entries = entries.clone();
                entries.remove(index);
                Op::Batch(entries)
            });
            single.into_iter().chain(fewer).collect()
        }
        Op::DeleteRange(begin, end, entries) if !entries.is_empty() => {
            vec![Op::DeleteRange(begin.clone(), end.clone(), Vec::new())]
        }
        Op::Scan { lower, upper, backward } => {
            let (open, back) = (Bound::Unbounded, *backward);
            let mut forms = Vec::new();
            if *lower != open {
                forms.push(Op::Scan { lower: open.clone(), upper: upper.clone(), backward: back });
            }
            if *upper != open {
                forms.push(Op::Scan { lower: lower.clone(), upper: open, backward: back });
            }
            forms
        }
        Op::Prefix(prefix, backward) if !prefix.is_empty() => {
            vec![Op::Prefix(prefix[..prefix.len() - 1].to_vec(), *backward)]
        }
        Op::Iterator { lower, upper, at } => {
            let open = Bound::Unbounded;
            let mut forms = Vec::new();
            if *lower != open {
                forms.push(Op::Iterator { lower: open.clone(), upper: upper.clone(), at: *at });
            }
            if *upper != open {
                forms.push(Op::Iterator { lower: lower.clone(), upper: open, at: *at });
            }
            forms
        }
        Op::Move(number, moves) if moves.len() > 1 => (0..moves.len())
            .map(|index| {
                let mut moves = moves.clone();
                moves.remove(index);
                Op::Move(*number, moves)
            })
            .collect(),
        Op::Step(entries) if *entries > 1 => vec![Op::Step(1), Op::Step(entries / 2)],
        Op::Crash(crash, Some(_)) => vec![Op::Crash(*crash, None)],
        Op::Fail(fault, at, true) => vec![Op::Fail(*fault, *at, false)],
        _ => Vec::new(),
    }
}
