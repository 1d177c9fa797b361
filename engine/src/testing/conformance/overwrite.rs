//! Cases about `write_at`, which only `CURRENT` uses.

use super::{
    Case, Outcome, WAL, create, created, done, holds, open, pattern, read, refused, same, that,
};
use crate::ErrorKind::InvalidArgument;
use crate::storage::{FileName, Storage};

macro_rules! cases {
    ($($name:ident),* $(,)?) => { &[$(Case { name: stringify!($name), run: $name }),*] };
}

pub(super) const CASES: &[Case] = cases![
    a_write_replaces_what_was_there,
    a_write_keeps_its_surroundings,
    a_write_into_an_empty_file_makes_it_longer,
    a_write_across_the_end_extends,
    a_write_at_the_end_extends,
    a_write_behind_the_end_leaves_zeros,
    an_empty_write_changes_nothing,
    an_empty_write_behind_the_end_does_not_extend,
    a_write_is_seen_by_other_handles_at_once,
    an_opened_current_can_be_written,
    an_opened_current_can_be_synced,
    two_slots_are_written_in_turn,
    a_write_that_ends_nowhere_is_refused,
    a_file_opened_for_reading_takes_no_write,
];

const CURRENT: FileName = FileName::Current;

fn a_write_replaces_what_was_there(storage: &dyn Storage) -> Outcome {
    let file = create(storage, CURRENT)?;
    done("write_at", file.write_at(0, b"old"))?;
    done("write_at", file.write_at(0, b"new"))?;
    holds(&*file, b"new")
}

fn a_write_keeps_its_surroundings(storage: &dyn Storage) -> Outcome {
    let file = create(storage, CURRENT)?;
    done("write_at", file.write_at(0, b"0123456789"))?;
    done("write_at", file.write_at(3, b"abc"))?;
    holds(&*file, b"012abc6789")
}

fn a_write_into_an_empty_file_makes_it_longer(storage: &dyn Storage) -> Outcome {
    let file = create(storage, CURRENT)?;
    done("write_at", file.write_at(0, &pattern(5000)))?;
    holds(&*file, &pattern(5000))
}

fn a_write_across_the_end_extends(storage: &dyn Storage) -> Outcome {
    let file = create(storage, CURRENT)?;
    done("write_at", file.write_at(0, b"0123"))?;
    done("write_at", file.write_at(2, b"abcd"))?;
    holds(&*file, b"01abcd")
}

fn a_write_at_the_end_extends(storage: &dyn Storage) -> Outcome {
    let file = create(storage, CURRENT)?;
    done("write_at", file.write_at(0, b"0123"))?;
    done("write_at", file.write_at(4, b"45"))?;
    holds(&*file, b"012345")
}

fn a_write_behind_the_end_leaves_zeros(storage: &dyn Storage) -> Outcome {
    let file = create(storage, CURRENT)?;
    done("write_at", file.write_at(0, b"a"))?;
    done("write_at", file.write_at(5000, b"b"))?;
    let mut wanted = vec![0; 5001];
    if let [first, .., last] = &mut *wanted {
        (*first, *last) = (b'a', b'b');
    }
    holds(&*file, &wanted)
}

fn an_empty_write_changes_nothing(storage: &dyn Storage) -> Outcome {
    let file = create(storage, CURRENT)?;
    done("write_at", file.write_at(0, b"0123"))?;
    done("write_at", file.write_at(2, b""))?;
    holds(&*file, b"0123")
}

fn an_empty_write_behind_the_end_does_not_extend(storage: &dyn Storage) -> Outcome {
    let file = create(storage, CURRENT)?;
    done("write_at", file.write_at(100, b""))?;
    holds(&*file, b"")
}

fn a_write_is_seen_by_other_handles_at_once(storage: &dyn Storage) -> Outcome {
    let writer = create(storage, CURRENT)?;
    done("write_at", writer.write_at(0, b"old"))?;
    let reader = open(storage, CURRENT)?;
    same("the bytes", &read(&*reader, 0, 9)?, &b"old".to_vec())?;
    done("write_at", writer.write_at(0, b"new one"))?;
    holds(&*reader, b"new one")
}

fn an_opened_current_can_be_written(storage: &dyn Storage) -> Outcome {
    let file = create(storage, CURRENT)?;
    done("write_at", file.write_at(0, b"first"))?;
    drop(file);
    let file = open(storage, CURRENT)?;
    done("write_at", file.write_at(1, b"IRST"))?;
    drop(file);
    holds(&*open(storage, CURRENT)?, b"fIRST")
}

fn an_opened_current_can_be_synced(storage: &dyn Storage) -> Outcome {
    drop(create(storage, CURRENT)?);
    let file = open(storage, CURRENT)?;
    done("write_at", file.write_at(0, b"slot"))?;
    done("sync", file.sync())?;
    holds(&*file, b"slot")
}

fn two_slots_are_written_in_turn(storage: &dyn Storage) -> Outcome {
    let file = create(storage, CURRENT)?;
    done("write_at", file.write_at(0, &[0; 8192]))?;
    let mut wanted = vec![0; 8192];
    for epoch in 1..=6_u8 {
        let offset = usize::from(epoch % 2) * 4096;
        done("write_at", file.write_at(offset as u64, &[epoch; 64]))?;
        done("sync", file.sync())?;
        wanted.iter_mut().skip(offset).take(64).for_each(|byte| *byte = epoch);
        holds(&*file, &wanted)?;
    }
    Ok(())
}

fn a_write_that_ends_nowhere_is_refused(storage: &dyn Storage) -> Outcome {
    let file = create(storage, CURRENT)?;
    done("write_at", file.write_at(0, b"kept"))?;
    that(file.write_at(u64::MAX, b"x").is_err(), "a write at the largest offset fails")?;
    that(file.write_at(u64::MAX - 1, b"xyz").is_err(), "a write across the largest offset fails")?;
    holds(&*file, b"kept")
}

fn a_file_opened_for_reading_takes_no_write(storage: &dyn Storage) -> Outcome {
    drop(created(storage, WAL, b"bytes")?);
    let reader = open(storage, WAL)?;
    refused("write_at", reader.write_at(0, b"BYTES"), InvalidArgument)?;
    holds(&*reader, b"bytes")
}
