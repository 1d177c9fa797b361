//! Expiry: the helper hides expired entries at once, compactions remove them, snapshots keep them.

use super::model::{Rule, Subject, crash_images_agree, reads_agree};
use super::*;
use levelscope::{Ttl, WriteBatch};
use std::collections::BTreeMap;

fn of_values() -> Arc<Ttl> {
    Arc::new(Ttl::new(|_, stored| Some(Ttl::split_expiry(stored)?.1)))
}

impl Subject for Arc<Ttl> {
    fn filter(&self) -> Arc<dyn CompactionFilter> {
        Arc::<Ttl>::clone(self)
    }

    fn rule(&self) -> Rule {
        let ttl = Self::clone(self);
        Arc::new(move |value| (!ttl.is_expired(b"", value)).then(|| value.to_vec()))
    }

    fn value(&self, random: &mut Random, index: u64) -> Vec<u8> {
        let expiry = match random.below(5) {
            0 => u64::MAX,
            1 => self.now(),
            _ => self.now() + random.below(50),
        };
        Ttl::with_expiry(format!("value {index}"), expiry)
    }

    fn go_on(&self, random: &mut Random) {
        self.advance_to(self.now() + random.below(20));
    }
}

#[test]
fn plain_reads_under_expiry_are_those_of_a_model() {
    let mut technique = Technique::new("expiry", 9);
    while let Some(seed) = technique.next_seed() {
        reads_agree(&of_values(), seed);
        technique.count(1);
    }
}

#[test]
fn every_crash_image_under_expiry_has_a_promised_state() {
    let mut technique = Technique::new("expiry, crash images", 3);
    while let Some(seed) = technique.next_seed() {
        technique.count(crash_images_agree(&of_values(), seed));
    }
}

/// A read through the helper gives the same before and after a compaction.
#[test]
fn reads_with_the_helper_do_not_depend_on_compactions() {
    let mut technique = Technique::new("expiry, helper", 9);
    while let Some(seed) = technique.next_seed() {
        let mut random = Random(seed ^ 0x771);
        let ttl = of_values();
        let options = small(STRATEGIES[(seed % 3) as usize]);
        let disk = MemoryStorage::new();
        let mut db = open_filtered(&disk, &options, ttl.filter());
        let mut model: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
        for index in 0..300 {
            let key = format!("key{:03}", random.below(80)).into_bytes();
            let mut batch = WriteBatch::new();
            if random.below(8) == 0 {
                batch.delete(&key).unwrap();
                model.remove(&key);
            } else {
                let value = ttl.value(&mut random, index);
                batch.put(&key, &value).unwrap();
                model.insert(key, value);
            }
            write(&db, &batch, None).unwrap();
            match random.below(10) {
                0 => drop(db.request_flush().unwrap()),
                1 => drop(db.compact_range(b"key020", b"key060").unwrap()),
                2..=5 => drop(db.step(Budget::Entries(50)).unwrap()),
                6 => ttl.go_on(&mut random),
                7 if random.below(9) == 0 => {
                    drop(db);
                    // For a while without the filter.
                    db = open(&(Arc::new(disk.clone()) as Arc<dyn Storage>), &options);
                    settle(&db);
                    drop(db);
                    db = open_filtered(&disk, &options, ttl.filter());
                }
                _ => {}
            }
            let context = format!("seed {seed}, step {index}");
            model.retain(|_, stored| Ttl::split_expiry(stored).unwrap().1 > ttl.now());
            let live: Vec<_> = ttl.live(db.range(..).unwrap()).map(Result::unwrap).collect();
            let pairs = live.iter().map(|(key, value)| (key.as_slice(), &value[..]));
            let expected = model.iter().map(|(key, value)| (key.as_slice(), &value[..]));
            assert!(pairs.eq(expected), "{context}: {live:?} {model:?}");
            let key = format!("key{:03}", random.below(80)).into_bytes();
            let found = ttl.unexpired(&key, db.get(&key).unwrap());
            assert_eq!(found.as_deref(), model.get(&key).map(Vec::as_slice), "{context}");
        }
        technique.count(1);
    }
}

#[test]
fn time_never_goes_back_and_short_values_never_expire() {
    let ttl = of_values();
    ttl.advance_to(10);
    ttl.advance_to(5);
    assert_eq!(ttl.now(), 10);
    assert!(ttl.is_expired(b"", &Ttl::with_expiry("x", 10)));
    assert!(!ttl.is_expired(b"", &Ttl::with_expiry("x", 11)));
    assert!(!ttl.is_expired(b"", b"short"));
    assert_eq!(Ttl::split_expiry(&Ttl::with_expiry("", 7)), Some((&b""[..], 7)));
}
