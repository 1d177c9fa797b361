//! The encoding of version edits: whole, cut, damaged, hostile.

use super::*;
use crate::limits::{FILE_NUMBER_MAX, LEVEL_COUNT_MAX, TABLE_BYTES_MAX};
use crate::storage::Random;

fn random_edit(random: &mut Random) -> VersionEdit {
    let number = |random: &mut Random| 1 + random.below(FILE_NUMBER_MAX);
    let level = |random: &mut Random| random.up_to(LEVEL_COUNT_MAX - 1);
    let mut edit = VersionEdit::default();
    if random.below(2) == 0 {
        edit.log_number = Some(number(random));
        edit.last_sequence = Some(random.below(SEQUENCE_MAX));
    }
    edit.next_file = (random.below(2) == 0).then(|| number(random));
    for _ in 0..random.below(3) {
        edit.sealed_logs.push((number(random), random.any()));
    }
    for _ in 0..random.below(4) {
        let removed = (level(random), number(random));
        edit.removed.push(removed);
    }
    for _ in 0..random.below(4) {
        let mut key = vec![0; random.up_to(30)];
        random.fill(&mut key);
        let mut meta = TableMeta::clone(&table(5, &key, &key));
        meta.smallest = internal_key(&key, SEQUENCE_MAX, ValueKind::Put);
        let size = |random: &mut Random| 1 + random.below(TABLE_BYTES_MAX);
        (meta.number, meta.bytes, meta.entries) = (number(random), size(random), size(random));
        meta.tombstones = random.below(meta.entries);
        meta.run = random.below(SEQUENCE_MAX);
        meta.sequence_max = random.below(SEQUENCE_MAX);
        meta.sequence_min = random.below(meta.sequence_max);
        edit.added.push((level(random), Arc::new(meta)));
    }
    edit
}

#[test]
fn edits_round_trip_and_no_cut_is_missed() {
    for_seeds(100, |random, seed| {
        let edit = random_edit(random);
        let body = edit.encode();
        assert_eq!(VersionEdit::decode(&body, NAME, 0), Ok(edit.clone()), "seed {seed}");
        for cut in 0..body.len() {
            match VersionEdit::decode(&body[..cut], NAME, 100) {
                // Cut between two fields: the count in the header detects it.
                Ok(shorter) => assert_eq!(shorter.encode(), body[..cut], "seed {seed}"),
                Err(error) => assert!(error.offset() >= Some(100), "seed {seed}: {error}"),
            }
        }
    });
}

#[test]
fn random_bodies_never_panic() {
    for_seeds(500, |random, _| {
        let mut body = random_edit(random).encode();
        for _ in 0..=random.below(3) {
            if !body.is_empty() {
                let at = random.up_to(body.len() - 1);
                body[at] = random.any().to_le_bytes()[0];
            }
        }
        if let Ok(edit) = VersionEdit::decode(&body, NAME, 0) {
            assert_eq!(VersionEdit::decode(&edit.encode(), NAME, 0), Ok(edit));
        }
    });
}

#[test]
fn hostile_fields_are_corruption() {
    let mut added = vec![6, 1, 3, 9, 0, 1, 0, 1, 1, 1, 8, 1, 5, 0, 0, 0, 0, 0, 0, 8];
    added.extend_from_slice(&[1, 5, 0, 0, 0, 0, 0, 0]);
    VersionEdit::decode(&added, NAME, 0).unwrap();
    let changed = |at: usize, byte: u8| {
        let mut body = added.clone();
        body[at] = byte;
        body
    };
    for body in [
        vec![0],
        vec![7, 0],
        vec![1],
        vec![1, 5, 1, 6],
        vec![2, 5, 1, 6],
        vec![5, 12, 1],
        vec![5, 0, 0],
        vec![4, 0, 0],
        vec![3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
        vec![6, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
        vec![1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        changed(1, 12),
        changed(3, 0),
        changed(6, 2),
        changed(8, 2),
        changed(10, 7),
        changed(10, 0x7f),
        changed(11, 2),
        changed(19, 9),
        changed(20, 2),
    ] {
        let error = VersionEdit::decode(&body, NAME, 10).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corruption, "{body:?}: {error}");
        assert!(error.offset() >= Some(10), "{body:?}: {error}");
    }
}
