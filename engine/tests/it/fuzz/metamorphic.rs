//! Options change when and how data is stored, never the answers.

use super::ops::{Trouble, sequence};
use super::run::run;
use crate::common::{Random, Technique, small_options};
use levelscope::{Compression, Maintenance, Options, WalSync};

/// Option sets at the edges, the same for every sequence.
fn fixed() -> Vec<Options> {
    let base = Options::default();
    let preset = |name| Options::preset(name).expect("a preset");
    let tiny = Options { memtable_bytes: 64, table_bytes: 256, ..preset("classroom") };
    let manual = |options: Options| Options { maintenance: Maintenance::Manual, ..options };
    let threads =
        |count, options: Options| Options { maintenance: Maintenance::Threads(count), ..options };
    vec![
        base.clone(),
        preset("article"),
        preset("classroom"),
        tiny.clone(),
        Options { maintenance: Maintenance::Inline, ..tiny.clone() },
        threads(1, tiny.clone()),
        threads(2, preset("classroom")),
        Options { bloom_bits: 0, block_bytes: 64, restart_interval: 1, ..tiny.clone() },
        Options { bloom_bits: 1, compression: Compression::None, ..tiny.clone() },
        Options { bloom_bits: 64, cache_bytes: 0, open_tables_max: 4, ..tiny.clone() },
        Options { level_count: 2, l0_trigger: 1, l0_stall: 1, ..tiny.clone() },
        Options { level_count: 12, level_multiplier: 2, level_base_bytes: 256, ..tiny.clone() },
        Options { immutable_count_max: 1, wal_sync: WalSync::None, ..tiny.clone() },
        Options { block_bytes: 4 << 20, restart_interval: 1024, ..tiny.clone() },
        manual(Options {
            flush_trigger_bytes: 5000,
            memtable_bytes: 512,
            wal_sync: WalSync::None,
            ..base
        }),
        Options { l0_trigger: 16, l0_stall: 64, maintenance: Maintenance::Inline, ..tiny },
    ]
}

#[test]
fn options_never_change_an_answer() {
    let mut technique = Technique::new("metamorphic", 50);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x3e7a);
        let ops = sequence(&mut random, 150, Trouble::None);
        let drawn: Vec<Options> = (0..16).map(|_| small_options(&mut random)).collect();
        let mut first = None;
        for options in fixed().iter().chain(&drawn) {
            let answers = run(options, &ops)
                .unwrap_or_else(|what| super::report(seed, &what, options, ops.clone()));
            let first = first.get_or_insert_with(|| answers.clone());
            assert_eq!(*first, answers, "seed {seed}: other answers with {options:?}");
            technique.count(1);
        }
    }
}
