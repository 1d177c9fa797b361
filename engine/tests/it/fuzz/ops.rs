//! The operations of a sequence, and how a random sequence is drawn.

use crate::common::{Random, random_key};
use levelscope::Bound;
use levelscope::storage::Crash;
use levelscope::storage::fault::Fault;

pub type Key = Vec<u8>;
pub type Value = Vec<u8>;

/// One operation on a database. A number that chooses a snapshot, an iterator or a file is taken modulo the
/// number of them that exist, so that any part of a sequence is a valid sequence.
#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    Put(Key, Value),
    Delete(Key),
    Batch(Vec<(Key, Option<Value>)>),
    /// A range delete, without an end or with one, and the later writes of the same batch.
    DeleteRange(Key, Option<Key>, Vec<(Key, Option<Value>)>),
    Get(Key),
    Scan {
        lower: Bound<Key>,
        upper: Bound<Key>,
        backward: bool,
    },
    Prefix(Key, bool),
    Snapshot,
    GetAt(usize, Key),
    ScanAt(usize, bool),
    Release(usize),
    Iterator {
        lower: Bound<Key>,
        upper: Bound<Key>,
        at: Option<usize>,
    },
    Move(usize, Vec<Walk>),
    Forget(usize),
    Step(u32),
    Rotate,
    Flush,
    Compact(Option<usize>),
    Sync,
    Reopen,
    /// The machine (or with `KeepAll` the process) dies; the opening after it may meet a fault.
    Crash(Crash, Option<(Fault, u64)>),
    /// From here on the storage fails, until the next opening.
    Fail(Fault, u64, bool),
    /// From here on the storage takes so many bytes more.
    Full(u64),
    /// A copy of the database with one bit flipped: file and offset by number.
    Flip(u64, u64, u32),
    Check,
}

/// One move of an iterator.
#[derive(Debug, Clone, PartialEq)]
pub enum Walk {
    First,
    Last,
    Seek(Key),
    SeekForPrev(Key),
    Next,
    Prev,
}

/// Which operations a sequence may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// None that depends on options or loses anything.
    None,
    /// Crashes, faults, full disks and flipped bits too.
    All,
}

fn value(random: &mut Random) -> Value {
    let length = match random.below(24) {
        0 => 0,
        1 => 200 + random.below(900) as usize,
        _ => random.below(50) as usize,
    };
    let fill = b'a' + random.below(26) as u8;
    let mut value = vec![fill; length];
    for (place, byte) in value.iter_mut().zip(random.next().to_le_bytes()) {
        *place = byte;
    }
    value
}

fn bound(random: &mut Random) -> Bound<Key> {
    match random.below(3) {
        0 => Bound::Unbounded,
        1 => Bound::Included(random_key(random)),
        _ => Bound::Excluded(random_key(random)),
    }
}

fn walk(random: &mut Random) -> Walk {
    match random.below(16) {
        0 => Walk::First,
        1 => Walk::Last,
        2 | 3 => Walk::Seek(random_key(random)),
        4 | 5 => Walk::SeekForPrev(random_key(random)),
        6..=11 => Walk::Next,
        _ => Walk::Prev,
    }
}

fn some(random: &mut Random) -> usize {
    random.below(8) as usize
}

fn fault(random: &mut Random) -> Fault {
    Fault::ALL[random.below(Fault::ALL.len() as u64) as usize]
}

fn crash(random: &mut Random) -> Op {
    let crash = match random.below(4) {
        0 => Crash::KeepAll,
        1 => Crash::KeepSynced,
        _ => Crash::Random(random.next()),
    };
    let during_recovery = random.below(3) == 0;
    Op::Crash(crash, during_recovery.then(|| (fault(random), 1 + random.below(30))))
}

fn trouble(random: &mut Random) -> Op {
    match random.below(8) {
        0..=2 => crash(random),
        3 | 4 => Op::Fail(fault(random), 1 + random.below(40), random.below(2) == 0),
        5 => Op::Full(random.below(3000)),
        _ => Op::Flip(random.next(), random.next(), random.below(8) as u32),
    }
}

fn delete_range(random: &mut Random) -> Op {
    // Short ones are more frequent, so that something is left.
    let begin = random_key(random);
    let end = match random.below(12) {
        0 => None,
        1 => Some(random_key(random)),
        _ => {
            let number = random.below(120);
            let end = number + 1 + random.below(12);
            let key = |number: u64| format!("key{number:03}").into_bytes();
            return Op::DeleteRange(key(number), Some(key(end)), after_range(random));
        }
    };
    Op::DeleteRange(begin, end, after_range(random))
}

fn after_range(random: &mut Random) -> Vec<(Key, Option<Value>)> {
    let count = random.below(6).saturating_sub(3);
    let entry = |random: &mut Random| (random_key(random), Some(value(random)));
    (0..count).map(|_| entry(random)).collect()
}

fn op(random: &mut Random) -> Op {
    match random.below(100) {
        0..=27 => Op::Put(random_key(random), value(random)),
        28..=34 => Op::Delete(random_key(random)),
        35 | 36 => delete_range(random),
        37..=42 => {
            let entry = |random: &mut Random| {
                let put = random.below(3) > 0;
                (random_key(random), put.then(|| value(random)))
            };
            Op::Batch((0..random.below(9)).map(|_| entry(random)).collect())
        }
        43..=49 => Op::Get(random_key(random)),
        50 => {
            let mut prefix = random_key(random);
            prefix.truncate(random.below(7) as usize);
            Op::Prefix(prefix, random.below(2) == 0)
        }
        51..=53 => {
            let (lower, upper) = (bound(random), bound(random));
            Op::Scan { lower, upper, backward: random.below(2) == 0 }
        }
        54..=57 => Op::Snapshot,
        58..=60 => Op::GetAt(some(random), random_key(random)),
        61 | 62 => Op::ScanAt(some(random), random.below(2) == 0),
        63 | 64 => Op::Release(some(random)),
        65..=67 => {
            let (lower, upper) = (bound(random), bound(random));
            let at = (random.below(3) == 0).then(|| some(random));
            Op::Iterator { lower, upper, at }
        }
        68..=75 => {
            let moves = 1 + random.below(6);
            Op::Move(some(random), (0..moves).map(|_| walk(random)).collect())
        }
        76 => Op::Forget(some(random)),
        77..=84 => Op::Step(1 + random.below(300) as u32),
        85..=87 => Op::Rotate,
        88..=91 => Op::Flush,
        92..=94 => Op::Compact((random.below(2) == 0).then(|| random.below(3) as usize)),
        95 | 96 => Op::Sync,
        97 => Op::Check,
        _ => Op::Reopen,
    }
}

/// `count` random operations.
pub fn sequence(random: &mut Random, count: usize, allowed: Trouble) -> Vec<Op> {
    let odds = 8 + random.below(40);
    (0..count)
        .map(|_| match allowed {
            Trouble::All if random.below(odds) == 0 => trouble(random),
            Trouble::All | Trouble::None => op(random),
        })
        .collect()
}
