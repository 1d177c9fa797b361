//! Interleaved transactions against a reference: all versions of every key in a map.
//!
//! The reference knows, for each transaction, when it began, its writes and the keys that it has read, and decides
//! every commit by itself: lost exactly when one of these keys has a newer version.

use super::*;
use levelscope::ScanOptions;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

const KEYS: u64 = 14;

fn key(index: u64) -> Vec<u8> {
    format!("key{index:02}").into_bytes()
}

fn random_key(random: &mut Random) -> Vec<u8> {
    key(random.below(KEYS))
}

/// The versions of one key, oldest first: sequence number and value.
type Versions = Vec<(u64, Option<Vec<u8>>)>;

/// Of every key its versions, and the newest sequence number of all.
#[derive(Debug, Default)]
struct History {
    versions: BTreeMap<Vec<u8>, Versions>,
    last: u64,
}

impl History {
    fn write(&mut self, key: &[u8], value: Option<&[u8]>) {
        self.last += 1;
        let version = (self.last, value.map(<[u8]>::to_vec));
        self.versions.entry(key.to_vec()).or_default().push(version);
    }

    /// One write deletes the keys with these numbers.
    fn delete_range(&mut self, keys: impl Iterator<Item = u64>) {
        self.last += 1;
        for key in keys.map(key) {
            self.versions.entry(key).or_default().push((self.last, None));
        }
    }

    fn has(&self, key: &[u8], sequence: u64) -> bool {
        self.versions.get(key).is_some_and(|all| all.iter().any(|(seq, _)| *seq == sequence))
    }

    fn newest(&self, key: &[u8]) -> u64 {
        self.versions.get(key).and_then(|versions| versions.last()).map_or(0, |(seq, _)| *seq)
    }

    fn at(&self, sequence: u64) -> Model {
        let visible = |(key, versions): (&Vec<u8>, &Versions)| {
            let newest = versions.iter().rev().find(|(seq, _)| *seq <= sequence)?;
            Some((key.clone(), newest.1.clone()?))
        };
        self.versions.iter().filter_map(visible).collect()
    }
}

/// One transaction, and the reference's state of it.
struct Running {
    real: Transaction,
    serializable: bool,
    begun: u64,
    writes: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    /// The numbers of keys in ranges that it deletes.
    ranges: BTreeSet<u64>,
    looked_at: BTreeSet<Vec<u8>>,
}

impl Running {
    fn begin(db: &Db, options: &TransactionOptions) -> Self {
        let real = db.begin(options);
        Self {
            serializable: options.isolation == Isolation::Serializable,
            begun: real.sequence(),
            real,
            writes: BTreeMap::new(),
            ranges: BTreeSet::new(),
            looked_at: BTreeSet::new(),
        }
    }

    fn seen(&self, history: &History) -> Model {
        let mut seen = history.at(self.begun);
        for number in &self.ranges {
            seen.remove(&key(*number));
        }
        for (key, value) in &self.writes {
            match value {
                Some(value) => drop(seen.insert(key.clone(), value.clone())),
                None => drop(seen.remove(key)),
            }
        }
        seen
    }

    /// The keys that are in the way of its commit.
    fn in_the_way(&self, history: &History) -> BTreeSet<Vec<u8>> {
        if self.is_empty() {
            return BTreeSet::new();
        }
        let read = self.looked_at.iter().filter(|_| self.serializable);
        let newer = |key: &&Vec<u8>| history.newest(key) > self.begun;
        let ranges: Vec<Vec<u8>> = self.ranges.iter().copied().map(key).collect();
        self.writes.keys().chain(&ranges).chain(read).filter(newer).cloned().collect()
    }

    fn is_empty(&self) -> bool {
        self.writes.is_empty() && self.ranges.is_empty()
    }

    fn delete_range(&mut self, from: u64, to: u64) {
        self.real.delete_range(key(from)..key(to)).unwrap();
        self.ranges.extend(from..to);
        self.writes.retain(|written, _| !(key(from)..key(to)).contains(written));
    }

    /// Its deleted ranges, made one where they touch.
    fn runs(&self) -> Vec<Range<u64>> {
        let mut runs: Vec<Range<u64>> = Vec::new();
        for number in &self.ranges {
            match runs.last_mut() {
                Some(run) if run.end == *number => run.end += 1,
                _ => runs.push(*number..number + 1),
            }
        }
        runs
    }

    /// Reads, and compares with the reference.
    fn look(&mut self, history: &History, random: &mut Random) {
        let seen = self.seen(history);
        if random.below(2) == 0 {
            let key = random_key(random);
            assert_eq!(self.real.get(&key).unwrap().as_deref(), seen.get(&key).map(Vec::as_slice));
            let in_range = self.ranges.iter().any(|number| self::key(*number) == key);
            if !self.writes.contains_key(&key) && !in_range {
                self.looked_at.insert(key);
            }
            return;
        }
        // From one key on, a few steps to either side.
        let (from, steps, forward) = (random_key(random), random.below(5), random.below(2) == 0);
        let mut iterator = self.real.iter(&ScanOptions::default()).unwrap();
        if forward { iterator.seek(&from) } else { iterator.seek_for_prev(&from) }.unwrap();
        let mut shown: Vec<Vec<u8>> = Vec::new();
        for _ in 0..=steps {
            if !iterator.valid() {
                break;
            }
            assert_eq!(seen.get(iterator.key()).map(Vec::as_slice), Some(iterator.value()));
            shown.push(iterator.key().to_vec());
            if (shown.len() as u64) <= steps {
                if forward { iterator.next() } else { iterator.prev() }.unwrap();
            }
        }
        let reached = if iterator.valid() { shown.last() } else { None };
        let passed = |key: &Vec<u8>| match (forward, reached) {
            (true, Some(last)) => (&from..=last).contains(&key),
            (true, None) => *key >= from,
            (false, Some(last)) => (last..=&from).contains(&key),
            (false, None) => *key <= from,
        };
        let mut expected: Vec<_> = seen.keys().filter(|key| passed(key)).cloned().collect();
        if !forward {
            expected.reverse();
        }
        assert_eq!(shown, expected);
        self.looked_at.extend((0..KEYS).map(key).filter(passed));
    }
}

/// The key and the sequence number that the engine names as the reason.
fn named(recorder: &Recorder) -> (Vec<u8>, u64) {
    let (events, _) = recorder.drain();
    let found = events.into_iter().rev().find_map(|event| match event.kind {
        EventKind::OpConflict { key, winner, .. } => Some((key.head, winner)),
        _ => None,
    });
    found.expect("a conflict is reported")
}

fn commit(mut running: Running, db: &Db, history: &mut History, recorder: &Recorder) -> bool {
    let in_the_way = running.in_the_way(history);
    let outcome = loop {
        match running.real.commit(None) {
            Err(error) if error.kind() == ErrorKind::Stalled => {
                assert!(!running.real.has_ended());
                db.step(Budget::Job).unwrap();
            }
            outcome => break outcome,
        }
    };
    match outcome {
        Ok(sequence) => {
            assert!(in_the_way.is_empty(), "committed in spite of {in_the_way:?}");
            for run in running.runs() {
                history.delete_range(run);
            }
            for (key, value) in &running.writes {
                history.write(key, value.as_deref());
            }
            let expected = if running.is_empty() { running.begun } else { history.last };
            assert_eq!(sequence, expected);
            true
        }
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Conflict, "{error}");
            let (key, winner) = named(recorder);
            assert!(in_the_way.contains(&key), "{error}, but in the way are {in_the_way:?}");
            assert!(winner > running.begun && history.has(&key, winner), "{error}");
            false
        }
    }
}

#[test]
fn every_verdict_is_that_of_the_reference() {
    let mut technique = Technique::new("interleaved transactions", 120);
    while let Some(seed) = technique.next_seed() {
        println!("LEVELSCOPE_SEED={seed}");
        let [committed, lost] = interleave(seed);
        technique.count(committed + lost);
    }
}

fn interleave(seed: u64) -> [u64; 2] {
    let mut random = Random(seed ^ 0x7a5);
    let options = small_options(&mut random);
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let recorder = Arc::new(Recorder::new(64, Grain::Operation));
    let reopen = || {
        let sink = Some(Arc::clone(&recorder) as _);
        open_watched(Arc::clone(&storage), options.clone(), sink).unwrap()
    };
    let mut db = reopen();
    let (mut history, mut running, mut verdicts) = (History::default(), Vec::new(), [0, 0]);
    for index in 0..220 {
        let open = running.len();
        let chosen = random.below(open.max(1) as u64) as usize;
        match (random.below(40), running.get_mut(chosen)) {
            (0..=5, _) if open < 5 => {
                let own = Running::begin(&db, &BOTH[random.below(2) as usize]);
                assert_eq!(own.begun, history.last);
                running.push(own);
            }
            (6..=15, Some(own)) => {
                let (key, value) = (random_key(&mut random), format!("{index}").into_bytes());
                if random.below(8) == 0 {
                    let from = random.below(KEYS);
                    own.delete_range(from, from + 1 + random.below(KEYS - from));
                } else if random.below(3) == 0 {
                    own.real.delete(&key).unwrap();
                    own.writes.insert(key, None);
                } else {
                    own.real.put(&key, &value).unwrap();
                    own.writes.insert(key, Some(value));
                }
            }
            (16..=23, Some(own)) => own.look(&history, &mut random),
            (24..=27, Some(_)) => {
                let own = running.swap_remove(chosen);
                let won = commit(own, &db, &mut history, &recorder);
                verdicts[usize::from(!won)] += 1;
            }
            (28, Some(_)) => drop(running.swap_remove(chosen)),
            (29..=32, _) => {
                let (key, value) = (random_key(&mut random), random.bytes(12));
                let value = (random.below(3) > 0).then_some(value);
                let op = Op::Batch(vec![(key.clone(), value.clone())]);
                run(&db, &op).unwrap();
                history.write(&key, value.as_deref());
            }
            (33, _) if random.below(2) == 0 => {
                let from = random.below(KEYS);
                let to = from + 1 + random.below(KEYS - from);
                run(&db, &Op::DeleteRange(key(from), Some(key(to)))).unwrap();
                history.delete_range(from..to);
            }
            (33, _) => run(&db, &Op::Flush).unwrap(),
            (34, _) => run(&db, &Op::Compact(None)).unwrap(),
            (35, _) => run(&db, &Op::Rotate).unwrap(),
            (36..=38, _) => run(&db, &Op::Step(1 + random.below(300) as u32)).unwrap(),
            (39, _) if random.below(8) == 0 => {
                running.clear();
                drop(db);
                db = reopen();
                assert_eq!(contents(&db).unwrap(), history.at(history.last));
            }
            _ => {}
        }
    }
    drop(running);
    assert_same(&db, &history.at(history.last), &format!("seed {seed}, at the end"));
    verdicts
}
