//! Lengths, counts, offsets and numbers, in every field that has one.

use crate::common::Technique;
use crate::fixture::{files, fixtures};
use crate::judge::{Verdict, judge};
use crate::technique::effort;
use levelscope::limits::{
    BATCH_COUNT_MAX, FILE_NUMBER_MAX, KEY_BYTES_MAX, SEQUENCE_MAX, VALUE_BYTES_MAX,
};
use levelscope::storage::FileName;
use levelscope::testing::forge::{
    BlockForge, EditForge, LogForge, RecordFields, TableClaim, TableForge, batch_entry, database,
    internal_key, put_entry, slot, varint,
};
use levelscope::testing::rewrite::{number_fields, patch};

/// The values of a length or number at its edges.
const VALUES: [u64; 22] = [
    0,
    1,
    2,
    127,
    128,
    0xffff,
    KEY_BYTES_MAX as u64,
    KEY_BYTES_MAX as u64 + 1,
    BATCH_COUNT_MAX as u64,
    VALUE_BYTES_MAX as u64,
    VALUE_BYTES_MAX as u64 + 1,
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
    1 << 32,
    FILE_NUMBER_MAX,
    FILE_NUMBER_MAX + 1,
    SEQUENCE_MAX,
    1 << 62,
    1 << 63,
    u64::MAX - 1,
    u64::MAX,
];

/// An address was computed from fields of a file without a check, and overflowed.
#[test]
fn every_field_of_fixed_width_may_have_any_value() {
    let mut technique = Technique::new("hostile fields", 1);
    technique.next_seed();
    let all = effort() > 1;
    for (turn, fixture) in fixtures().into_iter().enumerate() {
        for name in files(&fixture.disk) {
            let good = fixture.disk.read(name).unwrap();
            for (index, field) in number_fields(name, &good).into_iter().enumerate() {
                // Each field meets a tenth of the values in each fixture, and all of them over many fields.
                let chosen =
                    (0..VALUES.len()).filter(|value| all || (value + index + turn) % 10 == 0);
                for value in chosen.map(|value| VALUES[value]) {
                    let disk = fixture.disk.fork();
                    let bytes = &value.to_le_bytes()[..field.bytes];
                    disk.put(&name.to_string(), &patch(name, &good, field.offset, bytes));
                    let context = format!("{name}: {} at {} is {value}", field.name, field.offset);
                    judge(&disk, &context);
                    technique.count(1);
                }
            }
        }
    }
}

fn with_log(log: LogForge) -> levelscope::storage::MemoryStorage {
    database(vec![EditForge::snapshot(6, 7, 0)], &[(FileName::Wal(6), log.finish())])
}

#[test]
fn batches_may_claim_any_length_and_count() {
    let mut technique = Technique::new("hostile batches", 1);
    technique.next_seed();
    for value in VALUES {
        let entries = [
            batch_entry(1, value, 1, b"kv"),
            batch_entry(1, 1, value, b"kv"),
            batch_entry(0, value, value, b"kv"),
            batch_entry(value.to_le_bytes()[0], 1, 1, b"kv"),
        ];
        for (index, entry) in entries.iter().enumerate() {
            let log = LogForge::wal(6).record(RecordFields::batch(1, 1), entry);
            judge(&with_log(log), &format!("batch entry {index} with {value}"));
        }
        let count = value.min(u64::from(u32::MAX)) as u32;
        let good = put_entry(b"k", b"v");
        for fields in [
            RecordFields::batch(1, count),
            RecordFields::batch(value, 1),
            RecordFields { body_bytes: Some(count), ..RecordFields::batch(1, 1) },
            RecordFields { synced_bytes: value, ..RecordFields::batch(1, 1) },
            RecordFields { kind: value.to_le_bytes()[0], ..RecordFields::batch(1, 1) },
        ] {
            let log = LogForge::wal(6).record(fields, &good);
            judge(&with_log(log), &format!("{fields:?}"));
            technique.count(1);
        }
    }
}

#[test]
fn edits_and_slots_may_claim_any_number() {
    let mut technique = Technique::new("hostile edits", 1);
    technique.next_seed();
    let good = TableClaim {
        numbers: [1, 1, 9, 100, 1, 0, 1, 1, 1],
        smallest: internal_key(b"a", 1, 1),
        largest: internal_key(b"b", 1, 1),
    };
    let mut opened = 0;
    for value in VALUES {
        let mut edits = vec![
            EditForge::snapshot(value, 21, 0),
            EditForge::snapshot(20, value, 0),
            EditForge::snapshot(20, 21, value),
            EditForge::snapshot(20, 21, 0).sealed(value, 10),
            EditForge::snapshot(20, 21, 0).sealed(20, value),
            EditForge::snapshot(20, 21, 0).field(5, &[value, 9]),
        ];
        for position in 0..good.numbers.len() {
            let mut claim = good.clone();
            claim.numbers[position] = value;
            edits.push(EditForge::snapshot(20, 21, 9).added(&claim));
            // Twice: sums of their claims must not overflow either.
            let mut twin = claim.clone();
            twin.numbers[2] = 10;
            (twin.smallest, twin.largest) = (internal_key(b"c", 1, 1), internal_key(b"d", 1, 1));
            edits.push(EditForge::snapshot(20, 21, 9).added(&claim).added(&twin));
        }
        for (index, edit) in edits.into_iter().enumerate() {
            let tables = [9, 10].map(|number| (FileName::Table(number), vec![0; 100]));
            let disk = database(vec![edit], &tables);
            let verdict = judge(&disk, &format!("edit {index} with {value}"));
            opened += u32::from(verdict != Verdict::Refused);
            technique.count(1);
        }
        for (epoch, manifest) in [(value, 1), (1, value), (value, value)] {
            for both in [false, true] {
                let disk = database(vec![EditForge::snapshot(6, 7, 0)], &[]);
                let slots = if epoch & 1 == 0 {
                    [slot(1, epoch, manifest), if both { slot(1, 1, 1) } else { vec![0; 4096] }]
                } else {
                    [if both { slot(1, 2, 1) } else { vec![0; 4096] }, slot(1, epoch, manifest)]
                };
                disk.put("CURRENT", &slots.concat());
                let context = format!("slot of epoch {epoch}, manifest {manifest}");
                judge(&disk.fork(), &context);
                disk.put("000099.wal", b"not empty");
                disk.put("MANIFEST-000050", b"");
                judge(&disk, &context);
                technique.count(2);
            }
        }
    }
    assert!(opened > 100, "most were refused before anything could go wrong: {opened} were not");
}

/// A table in L1 with one block, made by `change`.
pub fn with_table(change: impl FnOnce(&mut TableForge)) -> levelscope::storage::MemoryStorage {
    let mut table = TableForge::new(5);
    table.claim([2, 0, 1, 2], b"key003", b"key010");
    change(&mut table);
    let (file, claim) = table.finish();
    database(vec![EditForge::snapshot(6, 7, 2).added(&claim)], &[(FileName::Table(5), file)])
}

/// Two entries, each a restart point.
pub fn sound_block() -> BlockForge {
    BlockForge::default()
        .restart()
        .entry(0, &internal_key(b"key003", 2, 1), b"red")
        .restart()
        .entry(0, &internal_key(b"key010", 1, 1), b"pink")
}

#[test]
fn the_sound_table_is_taken() {
    let disk = with_table(|table| {
        table.data(&internal_key(b"key010", 1, 1), &sound_block().finish(), 0);
    });
    assert_eq!(judge(&disk, "sound"), Verdict::Taken);
}

#[test]
fn blocks_and_handles_may_claim_any_length() {
    let mut technique = Technique::new("hostile blocks", 1);
    technique.next_seed();
    let (first, last) = (internal_key(b"key003", 2, 1), internal_key(b"key010", 1, 1));
    for value in VALUES {
        let small = value.min(u64::from(u32::MAX)) as u32;
        let length = first.len() as u64;
        let blocks = [
            BlockForge::default()
                .restart()
                .claimed([value, length, 3], &[&first[..], b"red"].concat()),
            BlockForge::default().restart().claimed([0, value, 3], &[&first[..], b"red"].concat()),
            BlockForge::default()
                .restart()
                .claimed([0, length, value], &[&first[..], b"red"].concat()),
            sound_block().claimed([value, value, value], b""),
            sound_block().restart_at(small),
            BlockForge::default().restart_at(small).entry(0, &first, b"red"),
        ];
        for (index, block) in blocks.into_iter().enumerate() {
            let counted = block.clone().finish_counting(small);
            for block in [block.finish(), counted] {
                let disk = with_table(|table| table.data(&last, &block, 0));
                judge(&disk, &format!("block {index} with {value}"));
                technique.count(1);
            }
        }
        for (offset, bytes) in [(value, 40), (0, value), (value, value)] {
            let disk = with_table(|table| {
                table.data(&last, &sound_block().finish(), 0);
                table.index[0] = (last.clone(), offset, bytes);
            });
            judge(&disk, &format!("index handle {offset}, {bytes}"));
            let disk = with_table(|table| {
                table.data(&last, &sound_block().finish(), 0);
                table.metas.push((b"filter.bloom".to_vec(), offset, bytes));
            });
            judge(&disk, &format!("meta handle {offset}, {bytes}"));
            technique.count(2);
        }
        let claimed = with_table(|table| {
            table.data(&last, &sound_block().finish(), 0);
            table.claim([value, value / 2, 0, value.min(SEQUENCE_MAX)], b"key003", b"key010");
        });
        judge(&claimed, &format!("properties with {value}"));
        let stored = [varint(value), vec![0; 20]].concat();
        judge(
            &with_table(|table| table.data(&last, &stored, 1)),
            &format!("snappy of {value} bytes"),
        );
        technique.count(2);
    }
}
