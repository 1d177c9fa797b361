//! A history whose checksums are right and whose records are not: what can write the file can write such a one, too.

use super::keeping::{VERSION, Visit};
use super::seeds;
use levelscope::storage::MemoryStorage;

/// Bytes before the first record: the magic line, then the version with its length.
const HEAD_BYTES: usize = b"levelscope history 1\n".len() + 1 + VERSION.len();

/// The payloads of the records of `file`.
fn payloads(file: &[u8]) -> Vec<Vec<u8>> {
    let mut rest = &file[HEAD_BYTES..];
    let mut found = Vec::new();
    while let Some((length, _)) = rest.split_first_chunk::<4>() {
        let end = 8 + u32::from_le_bytes(*length) as usize;
        found.push(rest[8..end].to_vec());
        rest = &rest[end..];
    }
    found
}

/// A file with `payloads`, each under its checksum.
fn forged(file: &[u8], payloads: &[Vec<u8>]) -> Vec<u8> {
    let mut forged = file[..HEAD_BYTES].to_vec();
    for payload in payloads {
        forged.extend(u32::try_from(payload.len()).expect("it is short").to_le_bytes());
        forged.extend(crc32fast::hash(payload).to_le_bytes());
        forged.extend(payload);
    }
    forged
}

/// A generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit.max(1)
    }

    /// Changes, removes, inserts or repeats some bytes of one payload, or puts the payloads in another order.
    fn spoil(&mut self, payloads: &mut [Vec<u8>]) {
        let (one, other) = (self.below(payloads.len()), self.below(payloads.len()));
        let interesting = [0, 1, 0x7f, 0x80, 0xff, u8::try_from(self.below(256)).unwrap_or(0)];
        let byte = interesting[self.below(interesting.len())];
        let payload = &mut payloads[one];
        let at = self.below(payload.len());
        match self.below(6) {
            0 => payload.insert(at, byte),
            1 => drop(payload.drain(at..)),
            2 => payload.extend_from_within(at..),
            3 => payloads.swap(one, other),
            _ if payload.is_empty() => payload.push(byte),
            _ => payload[at] = byte,
        }
    }
}

/// Goes everywhere in what came back; each answer may be a sentence that it cannot.
fn explore(visit: &mut Visit) {
    let ids: Vec<_> = visit.states().iter().map(|branch| (branch.id, branch.steps)).collect();
    for (id, last) in ids {
        for from in [1, last / 2, last] {
            visit.lab.console.start_window(Some(id), from, last, false);
            let _ = visit.lab.finish();
            let _ = visit.lab.console.take_window();
        }
        for line in ["history", "seek 1", "lsm", "seek end", "check", "put k v; flush; run"] {
            let _ = visit.lab.run(line);
        }
        let _ = visit.lab.run(&format!("branch {id}"));
    }
}

#[test]
fn a_forged_history_is_refused_or_harmless() {
    let (storage, mut file) = (MemoryStorage::new(), Vec::new());
    let mut first = Visit::begin(&storage, &file);
    for line in ["put a 1", "put b 2; flush", "run", "fork; put c 3", "crash", "branch main"] {
        first.run(line);
        first.keep(&mut file);
    }
    drop(first);
    let sound = payloads(&file);
    assert_eq!(forged(&file, &sound), file);
    let (mut refused, mut taken) = (0, 0);
    for seed in seeds(400) {
        println!("LEVELSCOPE_SEED={seed}");
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut payloads = sound.clone();
        for _ in 0..=random.below(3) {
            random.spoil(&mut payloads);
        }
        // The database is the visitor's own, and a history may do nothing to it.
        let own = MemoryStorage::new();
        drop(Visit::begin(&own, &[]));
        let mut visit = Visit::begin(&own, &forged(&file, &payloads));
        match visit.resumed.why {
            Some(_) => refused += 1,
            None => taken += 1,
        }
        explore(&mut visit);
    }
    println!("{refused} refused, {taken} taken");
    // One seed alone, when it is replayed, can only be the one or the other.
    assert!(refused + taken == 1 || refused > 0 && taken > 0);
}
