//! Cases about appending, reading and syncing.

use super::{
    Case, OTHER_WAL, Outcome, TABLE, WAL, create, created, done, holds, open, pattern, read,
    refused, same, that,
};
use crate::ErrorKind::{Corruption, InvalidArgument};
use crate::storage::{Storage, read_exactly};

macro_rules! cases {
    ($($name:ident),* $(,)?) => { &[$(Case { name: stringify!($name), run: $name }),*] };
}

pub(super) const CASES: &[Case] = cases![
    appended_bytes_can_be_read,
    appends_follow_each_other,
    an_append_is_seen_by_other_handles_at_once,
    a_length_is_seen_by_other_handles_at_once,
    an_empty_append_changes_nothing,
    a_large_append_is_whole,
    a_thousand_small_appends_are_whole,
    appends_of_awkward_sizes_are_whole,
    all_byte_values_come_back,
    appends_and_reads_may_alternate,
    a_read_in_the_middle_gets_the_middle,
    a_read_at_the_end_gets_nothing,
    a_read_behind_the_end_gets_nothing,
    a_read_far_behind_the_end_gets_nothing,
    a_read_across_the_end_is_short,
    a_short_read_keeps_the_rest_of_the_buffer,
    an_empty_read_gets_nothing,
    an_empty_file_reads_as_nothing,
    reads_do_not_move_anything,
    reads_do_not_move_the_end,
    every_offset_reads_right,
    an_exact_read_behind_the_end_is_corruption,
    an_exact_read_gets_all,
    a_sync_keeps_the_bytes,
    a_sync_can_be_repeated,
    an_empty_file_can_be_synced,
    appends_go_on_after_a_sync,
    a_reader_can_sync,
    bytes_stay_when_all_handles_are_dropped,
    a_file_opened_for_reading_takes_no_append,
    files_do_not_mix,
    two_readers_do_not_disturb_each_other,
    the_first_writer_goes_on_beside_readers,
    appends_go_on_where_they_were_after_a_reservation,
    a_reservation_can_be_given_back,
];

fn appended_bytes_can_be_read(storage: &dyn Storage) -> Outcome {
    holds(&*created(storage, WAL, b"hello")?, b"hello")
}

fn appends_follow_each_other(storage: &dyn Storage) -> Outcome {
    let file = created(storage, WAL, b"one ")?;
    done("append", file.append(b"two "))?;
    done("append", file.append(b"three"))?;
    holds(&*file, b"one two three")
}

fn an_append_is_seen_by_other_handles_at_once(storage: &dyn Storage) -> Outcome {
    let writer = create(storage, WAL)?;
    let reader = open(storage, WAL)?;
    done("append", writer.append(b"fresh"))?;
    same("the bytes", &read(&*reader, 0, 5)?, &b"fresh".to_vec())
}

fn a_length_is_seen_by_other_handles_at_once(storage: &dyn Storage) -> Outcome {
    let writer = create(storage, WAL)?;
    let reader = open(storage, WAL)?;
    for length in 1..=10 {
        done("append", writer.append(b"x"))?;
        same("the length", &done("len", reader.len())?, &length)?;
    }
    Ok(())
}

fn an_empty_append_changes_nothing(storage: &dyn Storage) -> Outcome {
    let file = created(storage, WAL, b"")?;
    holds(&*file, b"")?;
    done("append", file.append(b"a"))?;
    done("append", file.append(b""))?;
    holds(&*file, b"a")
}

fn a_large_append_is_whole(storage: &dyn Storage) -> Outcome {
    let bytes = pattern(1 << 20);
    holds(&*created(storage, TABLE, &bytes)?, &bytes)
}

fn a_thousand_small_appends_are_whole(storage: &dyn Storage) -> Outcome {
    let bytes = pattern(3000);
    let file = create(storage, WAL)?;
    for part in bytes.chunks(3) {
        done("append", file.append(part))?;
    }
    holds(&*file, &bytes)
}

fn appends_of_awkward_sizes_are_whole(storage: &dyn Storage) -> Outcome {
    let sizes = [511, 512, 513, 4095, 4096, 4097, 65_535, 65_536, 65_537, 1, 0, 7];
    let bytes = pattern(sizes.iter().sum());
    let file = create(storage, TABLE)?;
    let mut rest = &bytes[..];
    for size in sizes {
        let (part, others) = rest.split_at_checked(size).unwrap_or((rest, &[]));
        done("append", file.append(part))?;
        rest = others;
    }
    holds(&*file, &bytes)
}

fn all_byte_values_come_back(storage: &dyn Storage) -> Outcome {
    let bytes: Vec<u8> = (0..=255).collect();
    holds(&*created(storage, WAL, &bytes)?, &bytes)
}

fn appends_and_reads_may_alternate(storage: &dyn Storage) -> Outcome {
    let file = create(storage, WAL)?;
    let mut wanted = Vec::new();
    for round in 0..50_u8 {
        done("append", file.append(&[round; 9]))?;
        wanted.extend_from_slice(&[round; 9]);
        same("the newest bytes", &read(&*file, u64::from(round) * 9, 20)?, &vec![round; 9])?;
    }
    holds(&*file, &wanted)
}

fn a_read_in_the_middle_gets_the_middle(storage: &dyn Storage) -> Outcome {
    let file = created(storage, WAL, b"0123456789")?;
    same("the bytes", &read(&*file, 3, 4)?, &b"3456".to_vec())
}

fn a_read_at_the_end_gets_nothing(storage: &dyn Storage) -> Outcome {
    let file = created(storage, WAL, b"0123")?;
    same("the bytes", &read(&*file, 4, 10)?, &Vec::new())
}

fn a_read_behind_the_end_gets_nothing(storage: &dyn Storage) -> Outcome {
    let file = created(storage, WAL, b"0123")?;
    same("the bytes", &read(&*file, 5, 10)?, &Vec::new())
}

fn a_read_far_behind_the_end_gets_nothing(storage: &dyn Storage) -> Outcome {
    let file = created(storage, WAL, b"0123")?;
    for offset in [1 << 20, 1 << 32, 1 << 40, 1 << 53, u64::MAX - 1, u64::MAX] {
        same("the bytes", &read(&*file, offset, 10)?, &Vec::new())?;
    }
    Ok(())
}

fn a_read_across_the_end_is_short(storage: &dyn Storage) -> Outcome {
    let file = created(storage, WAL, b"0123456789")?;
    same("the bytes", &read(&*file, 8, 10)?, &b"89".to_vec())
}

fn a_short_read_keeps_the_rest_of_the_buffer(storage: &dyn Storage) -> Outcome {
    let file = created(storage, WAL, b"ab")?;
    let mut buffer = [7; 5];
    same("the count", &done("read_at", file.read_at(0, &mut buffer))?, &2)?;
    same("the buffer", &buffer, &[b'a', b'b', 7, 7, 7])
}

fn an_empty_read_gets_nothing(storage: &dyn Storage) -> Outcome {
    let file = created(storage, WAL, b"ab")?;
    same("the count", &done("read_at", file.read_at(1, &mut []))?, &0)
}

fn an_empty_file_reads_as_nothing(storage: &dyn Storage) -> Outcome {
    let file = create(storage, WAL)?;
    same("the bytes", &read(&*file, 0, 10)?, &Vec::new())
}

fn reads_do_not_move_anything(storage: &dyn Storage) -> Outcome {
    let file = created(storage, WAL, b"0123456789")?;
    same("the bytes", &read(&*file, 6, 2)?, &b"67".to_vec())?;
    same("the bytes", &read(&*file, 1, 2)?, &b"12".to_vec())?;
    same("the bytes", &read(&*file, 1, 2)?, &b"12".to_vec())
}

fn reads_do_not_move_the_end(storage: &dyn Storage) -> Outcome {
    let file = created(storage, WAL, b"0123")?;
    read(&*file, 1, 1)?;
    done("append", file.append(b"4"))?;
    holds(&*file, b"01234")
}

fn every_offset_reads_right(storage: &dyn Storage) -> Outcome {
    let bytes = pattern(1500);
    let file = created(storage, TABLE, &bytes)?;
    for offset in 0..bytes.len() {
        let wanted = bytes.iter().skip(offset).take(33).copied().collect::<Vec<u8>>();
        same("the bytes", &read(&*file, offset as u64, 33)?, &wanted)?;
    }
    Ok(())
}

fn an_exact_read_behind_the_end_is_corruption(storage: &dyn Storage) -> Outcome {
    let file = created(storage, TABLE, b"0123")?;
    let error = refused("read_exactly", read_exactly(&*file, TABLE, 2, 3), Corruption)?;
    same("the place", &(error.file(), error.offset()), &(Some(TABLE), Some(2)))
}

fn an_exact_read_gets_all(storage: &dyn Storage) -> Outcome {
    let file = created(storage, TABLE, b"0123")?;
    let found = done("read_exactly", read_exactly(&*file, TABLE, 1, 3))?;
    same("the bytes", &found, &b"123".to_vec())
}

fn a_sync_keeps_the_bytes(storage: &dyn Storage) -> Outcome {
    let file = created(storage, WAL, b"bytes")?;
    done("sync", file.sync())?;
    holds(&*file, b"bytes")
}

fn a_sync_can_be_repeated(storage: &dyn Storage) -> Outcome {
    let file = created(storage, WAL, b"bytes")?;
    done("sync", file.sync())?;
    done("sync", file.sync())
}

fn an_empty_file_can_be_synced(storage: &dyn Storage) -> Outcome {
    let file = create(storage, WAL)?;
    done("sync", file.sync())?;
    holds(&*file, b"")
}

fn appends_go_on_after_a_sync(storage: &dyn Storage) -> Outcome {
    let file = created(storage, WAL, b"one")?;
    done("sync", file.sync())?;
    done("append", file.append(b"two"))?;
    done("sync", file.sync())?;
    holds(&*file, b"onetwo")
}

fn a_reader_can_sync(storage: &dyn Storage) -> Outcome {
    drop(created(storage, WAL, b"bytes")?);
    let reader = open(storage, WAL)?;
    done("sync", reader.sync())?;
    holds(&*reader, b"bytes")
}

fn bytes_stay_when_all_handles_are_dropped(storage: &dyn Storage) -> Outcome {
    drop(created(storage, WAL, b"bytes")?);
    holds(&*open(storage, WAL)?, b"bytes")
}

fn a_file_opened_for_reading_takes_no_append(storage: &dyn Storage) -> Outcome {
    drop(created(storage, WAL, b"bytes")?);
    let reader = open(storage, WAL)?;
    let error = refused("append", reader.append(b"more"), InvalidArgument)?;
    same("the file in the error", &error.file(), &Some(WAL))?;
    holds(&*reader, b"bytes")
}

fn files_do_not_mix(storage: &dyn Storage) -> Outcome {
    let (left, right) = (create(storage, WAL)?, create(storage, OTHER_WAL)?);
    for _ in 0..20 {
        done("append", left.append(b"left "))?;
        done("append", right.append(b"right "))?;
    }
    holds(&*left, b"left ".repeat(20).as_slice())?;
    holds(&*right, b"right ".repeat(20).as_slice())
}

fn two_readers_do_not_disturb_each_other(storage: &dyn Storage) -> Outcome {
    let bytes = pattern(64);
    drop(created(storage, TABLE, &bytes)?);
    let (first, second) = (open(storage, TABLE)?, open(storage, TABLE)?);
    for offset in 0..32 {
        let (left, right) = (read(&*first, offset, 8)?, read(&*second, 31 - offset, 8)?);
        that(bytes.windows(8).any(|part| part == left), "the first reader is right")?;
        that(bytes.windows(8).any(|part| part == right), "the second reader is right")?;
    }
    drop(first);
    holds(&*second, &bytes)
}

fn the_first_writer_goes_on_beside_readers(storage: &dyn Storage) -> Outcome {
    let writer = created(storage, WAL, b"one")?;
    drop(open(storage, WAL)?);
    done("append", writer.append(b"two"))?;
    done("sync", writer.sync())?;
    holds(&*open(storage, WAL)?, b"onetwo")
}

/// A file may have zeros after the appended bytes now, nothing else.
fn appends_go_on_where_they_were_after_a_reservation(storage: &dyn Storage) -> Outcome {
    let file = created(storage, WAL, b"one ")?;
    for (end, more) in [(4096, "two "), (0, "three "), (10, "four "), (8192, "five")] {
        file.reserve(end);
        done("append", file.append(more.as_bytes()))?;
        done("sync", file.sync())?;
    }
    let bytes = read(&*open(storage, WAL)?, 0, 10_000)?;
    let (written, rest) = bytes.split_at_checked(23).unwrap_or((&bytes, &[]));
    same("the bytes", &written, &&b"one two three four five"[..])?;
    that(rest.iter().all(|byte| *byte == 0), "zeros follow")?;
    same("the length", &done("len", file.len())?, &(bytes.len() as u64))
}

fn a_reservation_can_be_given_back(storage: &dyn Storage) -> Outcome {
    let file = created(storage, WAL, b"before ")?;
    file.reserve(100_000);
    done("append", file.append(b"after"))?;
    file.reserve(0);
    holds(&*file, b"before after")?;
    done("append", file.append(b"!"))?;
    holds(&*file, b"before after!")
}
