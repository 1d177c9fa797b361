//! Single parts of the engine, one figure each: `cargo bench --no-default-features` in `bench/`.
//!
//! `cargo bench --no-default-features -- memtable` measures those whose name has the word.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a benchmark stops by panicking"
)]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use levelscope::WriteBatch;
use levelscope::storage::MemoryStorage;
use levelscope::testing::parts::{
    Block, Filter, Log, Memtable, encode_varints, merge, sum_varints,
};
use std::hint::black_box;

/// Keys of 16 decimal digits, as `fill` and `bench` write them.
fn keys(count: u64) -> Vec<Vec<u8>> {
    (0..count).map(|number| format!("{number:016}").into_bytes()).collect()
}

/// The same keys in an order without pattern.
fn shuffled(count: u64) -> Vec<Vec<u8>> {
    let mut keys = keys(count);
    let mut word = 0x9e37_79b9_7f4a_7c15_u64;
    for last in (1..keys.len()).rev() {
        word ^= word << 13;
        word ^= word >> 7;
        word ^= word << 17;
        keys.swap(last, usize::try_from(word % (last as u64 + 1)).expect("it is below the count"));
    }
    keys
}

fn single(key: &[u8], value: &[u8]) -> WriteBatch {
    let mut batch = WriteBatch::new();
    batch.put(key, value).expect("the pair is small");
    batch
}

fn filled(count: u64) -> Memtable {
    let memtable = Memtable::new(64 << 20);
    for (sequence, key) in (1..).zip(shuffled(count)) {
        memtable.insert(sequence, &single(&key, &[b'v'; 100])).expect("a memtable takes it");
    }
    memtable
}

fn varints(bench: &mut Criterion) {
    let numbers: Vec<u64> = (0..64).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit]).collect();
    let mut group = bench.benchmark_group("varint");
    group.throughput(Throughput::Elements(numbers.len() as u64));
    let mut bytes = Vec::new();
    group.bench_function("encode", |bench| {
        bench.iter(|| {
            bytes.clear();
            encode_varints(black_box(&numbers), &mut bytes);
        });
    });
    let mut encoded = Vec::new();
    encode_varints(&numbers, &mut encoded);
    group.bench_function("decode", |bench| bench.iter(|| sum_varints(black_box(&encoded))));
    group.finish();
}

fn blocks(bench: &mut Criterion) {
    let pairs: Vec<_> = keys(34).into_iter().map(|key| (key, vec![b'v'; 100])).collect();
    let block = Block::build(&pairs, 16).expect("it has pairs");
    let mut at = 0;
    bench.bench_function("block/search of 4 KiB", |bench| {
        bench.iter(|| {
            at = (at + 7) % pairs.len();
            block.search(black_box(&pairs[at].0))
        });
    });
}

fn filters(bench: &mut Criterion) {
    let keys = keys(20_000);
    bench.bench_function("filter/build of 20,000 keys", |bench| {
        bench.iter(|| Filter::build(black_box(&keys), 10));
    });
    let filter = Filter::build(&keys, 10).expect("it has bits");
    let (present, absent) = (&keys[777], b"0000000000000777.");
    bench.bench_function("filter/ask for a key that is there", |bench| {
        bench.iter(|| filter.may_contain(black_box(present)));
    });
    bench.bench_function("filter/ask for a key that is not", |bench| {
        bench.iter(|| filter.may_contain(black_box(absent)));
    });
}

fn memtables(bench: &mut Criterion) {
    const COUNT: u64 = 27_000;
    let mut group = bench.benchmark_group("memtable of 4 MiB");
    group.throughput(Throughput::Elements(COUNT));
    for (name, keys) in [("in order", keys(COUNT)), ("in random order", shuffled(COUNT))] {
        let batches: Vec<_> = keys.iter().map(|key| single(key, &[b'v'; 100])).collect();
        group.bench_function(format!("insert {name}"), |bench| {
            bench.iter_batched(
                || Memtable::new(64 << 20),
                |memtable| {
                    for (sequence, batch) in (1..).zip(&batches) {
                        memtable.insert(sequence, batch).expect("a memtable takes it");
                    }
                    memtable
                },
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
    let (memtable, keys) = (filled(COUNT), shuffled(COUNT));
    let mut at = 0;
    bench.bench_function("memtable of 4 MiB/get", |bench| {
        bench.iter(|| {
            at = (at + 1) % keys.len();
            memtable.has(black_box(&keys[at]), u64::MAX >> 8)
        });
    });
}

fn merging(bench: &mut Criterion) {
    let mut group = bench.benchmark_group("merging cursor");
    for children in [2, 5] {
        let memtables: Vec<Memtable> = (0..children).map(|_| filled(5_000)).collect();
        group.throughput(Throughput::Elements(5_000 * children));
        group.bench_function(format!("walk over {children} memtables"), |bench| {
            bench.iter(|| merge(black_box(&memtables)).expect("memtables cannot fail"));
        });
    }
    group.finish();
}

fn logs(bench: &mut Criterion) {
    const COUNT: u64 = 10_000;
    let batch = single(&keys(1)[0], &[b'v'; 100]);
    let mut group = bench.benchmark_group("log in memory");
    group.throughput(Throughput::Elements(COUNT));
    group.bench_function("append", |bench| {
        bench.iter_batched(
            || Log::create(&MemoryStorage::default()).expect("memory takes it"),
            |mut log| {
                for sequence in 1..=COUNT {
                    log.append(sequence, &batch).expect("memory takes it");
                }
                log
            },
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

criterion_group!(parts, varints, blocks, filters, memtables, merging, logs);
criterion_main!(parts);
