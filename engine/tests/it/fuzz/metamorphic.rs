//! Options change when and how data is stored, never the answers.

use super::ops::{Trouble, sequence};
use super::run::run;
use crate::common::{Random, Technique, small_options};
use levelscope::{Compression, Maintenance, Options, WalSync};

/// Option sets at the edges, the same for every sequence.
fn fixed() -> Vec<Options> {
    let base = Options::default();
    let preset = |name| Options::preset(name).expect("a preset");
    let tiny = preset("classroom").memtable_bytes(64).table_bytes(256);
    let manual = |options: Options| options.maintenance(Maintenance::Manual);
    let threads = |count, options: Options| options.maintenance(Maintenance::Threads(count));
    vec![
        base.clone(),
        preset("article"),
        preset("classroom"),
        tiny.clone(),
        tiny.clone().maintenance(Maintenance::Inline),
        threads(1, tiny.clone()),
        threads(2, preset("classroom")),
        tiny.clone().bloom_bits(0).block_bytes(64).restart_interval(1),
        tiny.clone().bloom_bits(1).compression(Compression::None),
        tiny.clone().bloom_bits(64).cache_bytes(0).open_tables_max(4),
        tiny.clone().level_count(2).l0_trigger(1).l0_stall(1),
        tiny.clone().level_count(12).level_multiplier(2).level_base_bytes(256),
        tiny.clone().immutable_count_max(1).wal_sync(WalSync::None),
        tiny.clone().block_bytes(4 << 20).restart_interval(1024),
        manual(base.flush_trigger_bytes(5000).memtable_bytes(512).wal_sync(WalSync::None)),
        tiny.l0_trigger(16).l0_stall(64).maintenance(Maintenance::Inline),
    ]
}

#[test]
fn options_never_change_an_answer() {
    let mut technique = Technique::new("metamorphic", 12);
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
