//! Goes past the entries that a range tombstone hides, and compares with a walk over every entry.

use super::*;
use crate::iter::HiddenSpan;
use crate::key::{Cut, Span};

fn is_hidden(hidden: &HiddenSpan<'_>, key: &[u8]) -> bool {
    let entry = parse_internal_key(key).unwrap();
    entry.sequence < hidden.sequence && hidden.span.holds(entry.user_key)
}

#[test]
fn a_skip_ends_where_steps_would() {
    for_seeds(80, |seed| {
        let (memtable, model, count) = random_memtable(seed);
        let expected = flat(&model);
        let mut random = SplitMix64::new(!seed);
        for _ in 0..if expected.is_empty() { 0 } else { 60 } {
            let key = |random: &mut SplitMix64| match random.below(5) {
                0 => Vec::new(),
                1 => vec![0xff; 3],
                _ => user_key(&expected[random.below(expected.len())].0).to_vec(),
            };
            let mut ends = [key(&mut random), key(&mut random)];
            ends.sort();
            let to =
                if random.one_in(4) { Cut::End } else { Cut::At(&ends[1][..], random.one_in(2)) };
            let span = Span { from: Cut::At(&ends[0], random.one_in(2)), to };
            // Mostly newer than nearly all entries, as a tombstone that has just been written.
            let sequence = if random.one_in(3) {
                count / 2
            } else {
                count - count.min(random.below(4) as u64)
            };
            let hidden = HiddenSpan { span, sequence, forward: random.one_in(2) };
            let at = random.below(expected.len());
            let mut cursor = memtable.cursor();
            cursor.seek(&expected[at].0).unwrap();
            cursor.skip_hidden(&hidden);
            let stays = |(key, _): &&(Vec<u8>, Vec<u8>)| !is_hidden(&hidden, key);
            let found = if hidden.forward {
                expected[at..].iter().find(stays)
            } else {
                expected[..=at].iter().rev().find(stays)
            };
            assert_eq!(cursor.valid().then(|| cursor.key()), found.map(|(key, _)| &key[..]));
        }
    });
}
