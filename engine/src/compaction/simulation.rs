//! Whole trees of keys without files: flushes and compactions at random, several at once, under every
//! strategy and changes of it, with reopening in between.
//!
//! After each step: the first run that has a key has its newest version, and reading finds the last write.
#![expect(clippy::cast_possible_truncation, reason = "the numbers of a test are small")]

use super::*;
use crate::event::Verdict;
use crate::key::{SeqNo, compare_internal, internal_key, parse_internal_key, user_key};
use crate::manifest::{TableMeta, Version, VersionEdit};
use crate::memtable::{SplitMix64, for_seeds};
use crate::storage::FileNumber;
use crate::{Options, Strategy, ValueKind};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

struct Running {
    job: u64,
    plan: Plan,
    version: Arc<Version>,
    last_sequence: SeqNo,
}

struct Tree {
    options: Options,
    version: Arc<Version>,
    entries: BTreeMap<FileNumber, Vec<Vec<u8>>>,
    model: BTreeMap<Vec<u8>, (SeqNo, ValueKind)>,
    last_sequence: SeqNo,
    next: u64,
    cursors: Vec<Vec<u8>>,
    claims: Claims,
    running: Vec<Running>,
    dropped: u64,
    most_at_once: usize,
}

impl Tree {
    fn new(options: Options) -> Self {
        Self {
            cursors: vec![Vec::new(); options.level_count],
            options,
            version: Arc::default(),
            entries: BTreeMap::new(),
            model: BTreeMap::new(),
            last_sequence: 0,
            next: 1,
            claims: Claims::default(),
            running: Vec::new(),
            dropped: 0,
            most_at_once: 0,
        }
    }

    fn table(&mut self, run: u64, entries: Vec<Vec<u8>>) -> Arc<TableMeta> {
        let parsed = || entries.iter().map(|key| parse_internal_key(key).unwrap());
        let tombstones = parsed().filter(|key| key.kind == ValueKind::Delete).count() as u64;
        let meta = TableMeta {
            number: self.next,
            run,
            bytes: 10 * entries.len() as u64,
            entries: entries.len() as u64,
            tombstones,
            blocks: 1,
            smallest: entries[0].clone(),
            largest: entries[entries.len() - 1].clone(),
            ranges: None,
            sequence_min: parsed().map(|key| key.sequence).min().unwrap(),
            sequence_max: parsed().map(|key| key.sequence).max().unwrap(),
        };
        self.entries.insert(meta.number, entries);
        self.next += 1;
        Arc::new(meta)
    }

    fn flush(&mut self, random: &mut SplitMix64) {
        let mut entries = Vec::new();
        let (base, width) = (random.below(60), 1 + random.below(30));
        for _ in 0..=random.below(8) {
            self.last_sequence += 1;
            let key = format!("{:03}", base + random.below(width)).into_bytes();
            let kind = if random.one_in(3) { ValueKind::Delete } else { ValueKind::Put };
            entries.push(internal_key(&key, self.last_sequence, kind));
            self.model.insert(key, (self.last_sequence, kind));
        }
        entries.sort_by(|left, right| compare_internal(left, right));
        let table = self.table(self.last_sequence, entries);
        self.install(&VersionEdit { added: vec![(0, table)], ..VersionEdit::default() });
    }

    fn install(&mut self, edit: &VersionEdit) {
        self.version = Arc::new(self.version.apply(edit).unwrap());
        self.check();
    }

    fn picker(&self) -> Picker<'_> {
        let (version, options) = (&*self.version, &self.options);
        Picker { version, options, cursors: &self.cursors, claims: &self.claims, read_due: &[] }
    }

    fn begin(&mut self, plan: Plan) {
        assert!(!self.claims.forbid(&plan));
        assert!(!plan.reason.is_empty() && plan.reason.is_ascii(), "{}", plan.reason);
        assert!(plan.output_level >= plan.level);
        let job = self.next;
        self.next += 1;
        self.claims.add(job, &plan, None);
        let (version, last_sequence) = (Arc::clone(&self.version), self.last_sequence);
        self.running.push(Running { job, plan, version, last_sequence });
        let inputs = self.running.iter().flat_map(|running| &running.plan.inputs);
        let mut numbers: Vec<u64> = inputs.map(|(_, table)| table.number).collect();
        numbers.sort_unstable();
        assert!(numbers.windows(2).all(|pair| pair[0] != pair[1]), "an input is taken twice");
        self.most_at_once = self.most_at_once.max(self.running.len());
    }

    /// Runs a plan as a compaction job would, and installs the result.
    fn finish(&mut self, index: usize) {
        let Running { job, plan, version, last_sequence } = self.running.swap_remove(index);
        let run = plan.output_run;
        let inputs = plan.inputs.iter().map(|(_, table)| Arc::clone(table));
        let added: Vec<Arc<TableMeta>> = if plan.trivial_move {
            inputs.map(|table| Arc::new(TableMeta { run, ..TableMeta::clone(&table) })).collect()
        } else {
            self.merge(&plan, &version, last_sequence)
        };
        let taken = plan.inputs.iter().filter(|(level, _)| *level == plan.level);
        let largest = taken.map(|(_, table)| user_key(&table.largest)).max().unwrap();
        if let Some(cursor) = self.cursors.get_mut(plan.level) {
            *cursor = largest.to_vec();
        }
        self.claims.release(job);
        self.install(&VersionEdit {
            removed: plan.inputs.iter().map(|(level, table)| (*level, table.number)).collect(),
            added: added.into_iter().map(|table| (plan.output_level, table)).collect(),
            ..VersionEdit::default()
        });
    }

    fn merge(&mut self, plan: &Plan, version: &Version, last: SeqNo) -> Vec<Arc<TableMeta>> {
        let mut merged: Vec<Vec<u8>> =
            plan.inputs.iter().flat_map(|(_, table)| self.entries[&table.number].clone()).collect();
        merged.sort_by(|left, right| compare_internal(left, right));
        let mut retain = Retain::new(&[], last, plan.older_data(version));
        let mut cut = Cut::new(plan, version, self.options.table_bytes);
        let mut outputs: Vec<Vec<Vec<u8>>> = Vec::new();
        for key in merged {
            match retain.judge(&key).unwrap() {
                Verdict::DroppedShadowed => continue,
                Verdict::DroppedTombstone => {
                    self.dropped += 1;
                    continue;
                }
                _ => {}
            }
            let full = outputs.last().is_none_or(|output| {
                let other_key = user_key(&output[output.len() - 1]) != user_key(&key);
                other_key && cut.before(user_key(&key), 10 * output.len() as u64)
            });
            if full {
                cut.begin_output(user_key(&key));
                outputs.push(Vec::new());
            }
            outputs.last_mut().unwrap().push(key);
            cut.added();
        }
        outputs.into_iter().map(|entries| self.table(plan.output_run, entries)).collect()
    }

    /// The runs in the order in which they are read.
    fn check(&self) {
        let mut found: BTreeMap<Vec<u8>, (SeqNo, ValueKind)> = BTreeMap::new();
        let mut oldest: BTreeMap<Vec<u8>, SeqNo> = BTreeMap::new();
        for level in 0..self.version.level_count() {
            for run in self.version.runs(level) {
                let mut here: BTreeMap<Vec<u8>, SeqNo> = BTreeMap::new();
                for key in run.tables().iter().flat_map(|table| &self.entries[&table.number]) {
                    let key = parse_internal_key(key).unwrap();
                    let name = key.user_key.to_vec();
                    assert!(
                        oldest.get(&name).is_none_or(|newer| *newer > key.sequence),
                        "L{level} run {} hides or repeats {name:?}",
                        run.number()
                    );
                    found.entry(name.clone()).or_insert((key.sequence, key.kind));
                    here.insert(name, key.sequence);
                }
                oldest.extend(here);
            }
        }
        for (key, (sequence, kind)) in &self.model {
            match found.get(key) {
                Some(entry) => assert_eq!(entry, &(*sequence, *kind), "{key:?}"),
                None => assert_eq!(*kind, ValueKind::Delete, "{key:?} is lost"),
            }
        }
    }

    /// Compacts one by one until nothing is due.
    fn settle(&mut self) {
        while !self.running.is_empty() {
            self.finish(0);
        }
        for round in 0.. {
            assert!(round < 500, "compaction does not end");
            let Some(plan) = self.picker().pick() else { break };
            self.begin(plan);
            self.finish(0);
        }
        let due: Vec<_> =
            scores(&self.version, &self.options).into_iter().filter(|s| s.due).collect();
        assert!(due.is_empty(), "{:?}: {due:?}", self.options.strategy);
    }
}

fn options(random: &mut SplitMix64) -> Options {
    Options {
        strategy: Strategy::ALL[random.below(3)],
        level_count: 2 + random.below(4),
        l0_trigger: 1 + random.below(4),
        level_base_bytes: 100 + 100 * random.below(4) as u64,
        level_multiplier: 2 + random.below(3) as u64,
        table_bytes: 20 + 30 * random.below(4) as u64,
        ..Options::default()
    }
}

fn random_key(random: &mut SplitMix64) -> Vec<u8> {
    format!("{:03}", random.below(90)).into_bytes()
}

#[test]
fn no_order_of_jobs_and_no_change_of_strategy_hides_a_newer_version() {
    let (most_at_once, dropped) = (Cell::new(0), Cell::new(0));
    for_seeds(600, |seed| {
        let mut random = SplitMix64::new(seed);
        let mut tree = Tree::new(options(&mut random));
        for _ in 0..150 {
            match random.below(20) {
                0..=6 => tree.flush(&mut random),
                7..=11 => {
                    if let Some(plan) = tree.picker().pick() {
                        tree.begin(plan);
                    }
                }
                12..=16 if !tree.running.is_empty() => {
                    tree.finish(random.below(tree.running.len()));
                }
                17 | 18 => {
                    let targets = [
                        AskedTarget::Level(1 + random.below(5)),
                        AskedTarget::OneRun,
                        AskedTarget::Rewritten { before: tree.next },
                    ];
                    let (level, target) = (random.below(4), targets[random.below(3)]);
                    let (from, to) = (random_key(&mut random), random_key(&mut random));
                    let range = (!random.one_in(3)).then_some((from.as_slice(), to.as_slice()));
                    let plan = tree.picker().manual(level, range, target);
                    if let Some(plan) = plan.filter(|plan| !tree.claims.forbid(plan)) {
                        tree.begin(plan);
                    }
                }
                19 if random.one_in(2) => {
                    // A reopening: running compactions are forgotten, and the strategy may change.
                    tree.running.clear();
                    tree.claims = Claims::default();
                    let level_count = tree.options.level_count;
                    tree.options = Options { level_count, ..options(&mut random) };
                    tree.cursors = vec![Vec::new(); level_count];
                }
                _ => {}
            }
        }
        tree.settle();
        for level in 1..tree.version.level_count() {
            let runs = tree.version.runs(level).len();
            let limit = match tree.options.strategy {
                Strategy::Leveled => 1,
                Strategy::LazyLeveled if level + 1 == tree.version.level_count() => 1,
                _ => tree.options.level_multiplier as usize - 1,
            };
            assert!(runs <= limit, "{:?}: L{level} has {runs}", tree.options.strategy);
        }
        most_at_once.set(most_at_once.get().max(tree.most_at_once));
        dropped.set(dropped.get() + tree.dropped);
    });
    // Without these the test would show nothing.
    let shown = most_at_once.get() >= 3 && dropped.get() > 100;
    assert!(shown || std::env::var("LEVELSCOPE_SEED").is_ok());
}
