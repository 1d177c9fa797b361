//! The whole engine under random sequences of everything that can be done to it.
//!
//! A failing sequence is made as short as possible and printed: as Rust, to be kept in
//! `regressions.rs`, and as a script for the console. `LEVELSCOPE_SEED` runs one seed again.

mod metamorphic;
pub mod ops;
mod print;
mod regressions;
mod run;
mod shrink;
pub mod walker;

use crate::common::{Random, Technique, small_options};
use levelscope::Options;
use ops::{Op, Trouble, sequence};
use run::{Verdict, run};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Like [`run`], with a panic as one more thing that can go wrong.
fn judged(options: &Options, ops: &[Op]) -> Verdict {
    match catch_unwind(AssertUnwindSafe(|| run(options, ops))) {
        Ok(verdict) => verdict.map(drop),
        Err(_) => Err("a panic".into()),
    }
}

/// Makes the sequence short and fails with it.
fn report(seed: u64, what: &str, options: &Options, ops: Vec<Op>) -> ! {
    let short = shrink::shrink(ops, &|ops| judged(options, ops).is_err());
    let now = judged(options, &short).err().unwrap_or_default();
    panic!(
        "seed {seed}: {what}\n\nshortest found: {now}\n\n{}\n\n{}",
        print::rust(options, &short),
        print::console(options, &short)
    );
}

#[test]
fn random_sequences_with_every_kind_of_trouble() {
    let mut technique = Technique::new("whole engine", 500);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0xf022);
        let options = small_options(&mut random);
        let count = 20 + random.below(160) as usize;
        let ops = sequence(&mut random, count, Trouble::All);
        if let Err(what) = judged(&options, &ops) {
            report(seed, &what, &options, ops);
        }
        technique.count(1);
    }
}

#[test]
fn the_shrinker_finds_the_two_operations_that_matter() {
    let ops = sequence(&mut Random(1), 150, Trouble::All);
    let fails = |ops: &[Op]| {
        let put = ops.iter().position(|op| matches!(op, Op::Put(..)));
        put.is_some_and(|put| ops[put..].contains(&Op::Flush))
    };
    assert!(fails(&ops), "the sequence has both");
    let short = shrink::shrink(ops, &fails);
    assert!(matches!(&short[..], [Op::Put(_, value), Op::Flush] if value.is_empty()), "{short:?}");
}

#[test]
fn a_printed_sequence_can_be_pasted() {
    let mut options = Options::default();
    options.set("wal_sync", "none").expect("an option");
    let ops = [Op::Put(b"a\x00".to_vec(), b"\"".to_vec()), Op::Compact(Some(1))];
    let text = print::rust(&options, &ops);
    assert!(text.contains("(\"wal_sync\", \"none\")"), "{text}");
    assert!(text.contains(r#"Op::Put(b"a\x00".to_vec(), b"\"".to_vec()),"#), "{text}");
    let script = print::console(&options, &ops);
    assert_eq!(script, "levelscope --memory --set wal_sync=none\nput 0x6100 0x22\ncompact 1\n");
}
