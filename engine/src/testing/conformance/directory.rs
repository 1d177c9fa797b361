//! Cases about names: creation, deletion, listing, the lock.

use super::{
    Case, LARGE_NUMBER, MANIFEST, MANY, OTHER_WAL, Outcome, TABLE, WAL, create, created, done,
    holds, listed, open, refused, same, that,
};
use crate::ErrorKind::{InvalidArgument, Locked, NotFound};
use crate::storage::{FileName, Storage};

macro_rules! cases {
    ($($name:ident),* $(,)?) => { &[$(Case { name: stringify!($name), run: $name }),*] };
}

pub(super) const CASES: &[Case] = cases![
    a_new_directory_is_empty,
    a_created_file_is_listed,
    a_created_file_is_empty,
    a_name_is_created_only_once,
    a_refused_creation_keeps_the_bytes,
    opening_needs_an_existing_file,
    opening_creates_nothing,
    deleting_needs_an_existing_file,
    a_deleted_file_is_not_listed,
    a_deleted_file_cannot_be_opened,
    a_file_is_deleted_only_once,
    deleting_one_file_keeps_the_others,
    a_name_created_again_is_empty,
    the_list_is_sorted_bytewise,
    every_kind_of_name_is_listed,
    numbers_of_different_kinds_do_not_collide,
    many_files_come_and_go,
    an_open_handle_reads_a_deleted_file,
    an_earlier_reader_reads_a_deleted_file,
    a_deleted_file_keeps_its_length,
    an_empty_directory_can_be_synced,
    a_directory_can_be_synced_again,
    a_directory_sync_changes_nothing_visible,
    a_prepared_name_can_be_created,
    preparing_creates_nothing,
    preparing_keeps_an_existing_file,
    the_lock_is_exclusive,
    the_lock_is_free_again_when_dropped,
    the_lock_can_be_taken_many_times,
    the_lock_does_not_hinder_its_owner,
    a_refused_lock_stays_with_its_owner,
    the_list_is_the_same_twice,
];

fn a_new_directory_is_empty(storage: &dyn Storage) -> Outcome {
    same("the list", &listed(storage)?, &Vec::new())
}

fn a_created_file_is_listed(storage: &dyn Storage) -> Outcome {
    create(storage, WAL)?;
    same("the list", &listed(storage)?, &vec!["000001.wal".to_owned()])
}

fn a_created_file_is_empty(storage: &dyn Storage) -> Outcome {
    let file = create(storage, WAL)?;
    that(done("is_empty", file.is_empty())?, "a new file is empty")?;
    holds(&*file, b"")
}

fn a_name_is_created_only_once(storage: &dyn Storage) -> Outcome {
    let _file = create(storage, WAL)?;
    let error = refused("a second create", storage.create(WAL), InvalidArgument)?;
    same("the file in the error", &error.file(), &Some(WAL))
}

fn a_refused_creation_keeps_the_bytes(storage: &dyn Storage) -> Outcome {
    let file = created(storage, WAL, b"kept")?;
    refused("a second create", storage.create(WAL), InvalidArgument)?;
    holds(&*file, b"kept")?;
    holds(&*open(storage, WAL)?, b"kept")
}

fn opening_needs_an_existing_file(storage: &dyn Storage) -> Outcome {
    create(storage, OTHER_WAL)?;
    let error = refused("open", storage.open(WAL), NotFound)?;
    same("the file in the error", &error.file(), &Some(WAL))
}

fn opening_creates_nothing(storage: &dyn Storage) -> Outcome {
    refused("open", storage.open(FileName::Current), NotFound)?;
    refused("open", storage.open(TABLE), NotFound)?;
    same("the list", &listed(storage)?, &Vec::new())
}

fn deleting_needs_an_existing_file(storage: &dyn Storage) -> Outcome {
    let error = refused("delete", storage.delete(TABLE), NotFound)?;
    same("the file in the error", &error.file(), &Some(TABLE))
}

fn a_deleted_file_is_not_listed(storage: &dyn Storage) -> Outcome {
    create(storage, WAL)?;
    done("delete", storage.delete(WAL))?;
    same("the list", &listed(storage)?, &Vec::new())
}

fn a_deleted_file_cannot_be_opened(storage: &dyn Storage) -> Outcome {
    created(storage, WAL, b"gone")?;
    done("delete", storage.delete(WAL))?;
    refused("open", storage.open(WAL), NotFound).map(drop)
}

fn a_file_is_deleted_only_once(storage: &dyn Storage) -> Outcome {
    create(storage, WAL)?;
    done("delete", storage.delete(WAL))?;
    refused("a second delete", storage.delete(WAL), NotFound).map(drop)
}

fn deleting_one_file_keeps_the_others(storage: &dyn Storage) -> Outcome {
    let kept = created(storage, WAL, b"kept")?;
    created(storage, OTHER_WAL, b"gone")?;
    done("delete", storage.delete(OTHER_WAL))?;
    same("the list", &listed(storage)?, &vec!["000001.wal".to_owned()])?;
    holds(&*kept, b"kept")
}

fn a_name_created_again_is_empty(storage: &dyn Storage) -> Outcome {
    drop(created(storage, WAL, b"old bytes")?);
    done("delete", storage.delete(WAL))?;
    let file = created(storage, WAL, b"new")?;
    holds(&*file, b"new")
}

fn the_list_is_sorted_bytewise(storage: &dyn Storage) -> Outcome {
    let names = [TABLE, FileName::Current, WAL, LARGE_NUMBER, MANIFEST, OTHER_WAL];
    for name in names {
        create(storage, name)?;
    }
    let found = listed(storage)?;
    let mut sorted = found.clone();
    sorted.sort_unstable();
    same("the number of names", &found.len(), &names.len())?;
    same("the list", &found, &sorted)
}

fn every_kind_of_name_is_listed(storage: &dyn Storage) -> Outcome {
    let names = [LARGE_NUMBER, WAL, FileName::Current, MANIFEST];
    for name in names {
        create(storage, name)?;
    }
    let mut found: Vec<_> = listed(storage)?.iter().map(|name| FileName::parse(name)).collect();
    let mut wanted = names.map(Some).to_vec();
    found.sort_unstable();
    wanted.sort_unstable();
    same("the parsed list", &found, &wanted)
}

fn numbers_of_different_kinds_do_not_collide(storage: &dyn Storage) -> Outcome {
    let wal = created(storage, FileName::Wal(5), b"wal")?;
    let table = created(storage, FileName::Table(5), b"table")?;
    let manifest = created(storage, FileName::Manifest(5), b"manifest")?;
    holds(&*wal, b"wal")?;
    holds(&*table, b"table")?;
    holds(&*manifest, b"manifest")
}

fn many_files_come_and_go(storage: &dyn Storage) -> Outcome {
    for number in MANY {
        created(storage, FileName::Table(number), &number.to_le_bytes())?;
    }
    for number in MANY.filter(|number| number % 2 == 0) {
        done("delete", storage.delete(FileName::Table(number)))?;
    }
    let left: Vec<u64> = MANY.filter(|number| number % 2 == 1).collect();
    same("the number of files", &listed(storage)?.len(), &left.len())?;
    for number in left {
        holds(&*open(storage, FileName::Table(number))?, &number.to_le_bytes())?;
    }
    Ok(())
}

fn an_open_handle_reads_a_deleted_file(storage: &dyn Storage) -> Outcome {
    let file = created(storage, TABLE, b"still here")?;
    done("delete", storage.delete(TABLE))?;
    holds(&*file, b"still here")
}

fn an_earlier_reader_reads_a_deleted_file(storage: &dyn Storage) -> Outcome {
    let writer = created(storage, TABLE, b"still here")?;
    done("sync", writer.sync())?;
    drop(writer);
    let reader = open(storage, TABLE)?;
    done("delete", storage.delete(TABLE))?;
    done("sync_directory", storage.sync_directory())?;
    holds(&*reader, b"still here")
}

fn a_deleted_file_keeps_its_length(storage: &dyn Storage) -> Outcome {
    let file = created(storage, TABLE, &[7; 5000])?;
    done("delete", storage.delete(TABLE))?;
    same("the length", &done("len", file.len())?, &5000)
}

fn an_empty_directory_can_be_synced(storage: &dyn Storage) -> Outcome {
    done("sync_directory", storage.sync_directory())
}

fn a_directory_can_be_synced_again(storage: &dyn Storage) -> Outcome {
    create(storage, WAL)?;
    done("sync_directory", storage.sync_directory())?;
    done("sync_directory", storage.sync_directory())?;
    done("delete", storage.delete(WAL))?;
    done("sync_directory", storage.sync_directory())
}

fn a_directory_sync_changes_nothing_visible(storage: &dyn Storage) -> Outcome {
    let file = created(storage, WAL, b"bytes")?;
    create(storage, TABLE)?;
    done("delete", storage.delete(TABLE))?;
    let before = listed(storage)?;
    done("sync_directory", storage.sync_directory())?;
    same("the list", &listed(storage)?, &before)?;
    holds(&*file, b"bytes")
}

fn a_prepared_name_can_be_created(storage: &dyn Storage) -> Outcome {
    done("prepare", storage.prepare(WAL))?;
    let file = created(storage, WAL, b"bytes")?;
    holds(&*file, b"bytes")
}

fn preparing_creates_nothing(storage: &dyn Storage) -> Outcome {
    done("prepare", storage.prepare(WAL))?;
    same("the list", &listed(storage)?, &Vec::new())?;
    refused("open", storage.open(WAL), NotFound).map(drop)
}

fn preparing_keeps_an_existing_file(storage: &dyn Storage) -> Outcome {
    let file = created(storage, WAL, b"bytes")?;
    done("prepare", storage.prepare(WAL))?;
    holds(&*file, b"bytes")?;
    refused("a second create", storage.create(WAL), InvalidArgument).map(drop)
}

fn the_lock_is_exclusive(storage: &dyn Storage) -> Outcome {
    let _lock = done("lock", storage.lock())?;
    refused("a second lock", storage.lock(), Locked).map(drop)
}

fn the_lock_is_free_again_when_dropped(storage: &dyn Storage) -> Outcome {
    drop(done("lock", storage.lock())?);
    done("lock after drop", storage.lock()).map(drop)
}

fn the_lock_can_be_taken_many_times(storage: &dyn Storage) -> Outcome {
    for _ in 0..20 {
        let lock = done("lock", storage.lock())?;
        refused("a second lock", storage.lock(), Locked)?;
        drop(lock);
    }
    Ok(())
}

fn the_lock_does_not_hinder_its_owner(storage: &dyn Storage) -> Outcome {
    let _lock = done("lock", storage.lock())?;
    let file = created(storage, WAL, b"bytes")?;
    done("sync", file.sync())?;
    done("sync_directory", storage.sync_directory())?;
    holds(&*open(storage, WAL)?, b"bytes")?;
    done("delete", storage.delete(WAL))
}

fn a_refused_lock_stays_with_its_owner(storage: &dyn Storage) -> Outcome {
    let lock = done("lock", storage.lock())?;
    refused("a second lock", storage.lock(), Locked)?;
    refused("a third lock", storage.lock(), Locked)?;
    drop(lock);
    done("lock after drop", storage.lock()).map(drop)
}

fn the_list_is_the_same_twice(storage: &dyn Storage) -> Outcome {
    create(storage, WAL)?;
    create(storage, MANIFEST)?;
    same("the second list", &listed(storage)?, &listed(storage)?)
}
