//! `check` of a database that cannot be opened, and the advice that damage comes with.

use super::{MemoryHost, console_on, text};
use levelscope::Options;
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope_console::Console;

/// A disk with one damaged data block and one damaged log.
fn damaged() -> MemoryStorage {
    let disk = MemoryStorage::default();
    let mut console = console_on(disk.clone(), "classroom");
    let response = console.run("fill 60 --words --seed 7; flush; run; put last 1; put least 2");
    assert!(response.error.is_none(), "{}", text(&response));
    console.close().expect("closes");
    drop(console);
    let names = disk.list().expect("lists");
    let named = |wanted: fn(&FileName) -> bool| {
        names.iter().rev().filter_map(|name| FileName::parse(name)).find(wanted).expect("is there")
    };
    disk.corrupt(named(|name| matches!(name, FileName::Table(_))), 40, 8).expect("damages");
    disk.corrupt(named(|name| matches!(name, FileName::Wal(_))), 60, 8).expect("damages");
    disk
}

#[test]
fn a_database_that_cannot_be_opened_can_be_checked() {
    let disk = damaged();
    let mut console = Console::new(Box::new(MemoryHost::on(disk.clone())));
    let error = console.open(Options::preset("classroom").expect("exists")).expect_err("damaged");
    let failure = levelscope_console::Failure::from(error);
    let hint = failure.hint.unwrap_or_default();
    assert!(hint.contains("`check`") && !hint.contains("DIR"), "there is no directory: {hint}");
    disk.put("notes.txt", b"mine");
    let before = disk.hash();
    let printed = text(&console.run("check"));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(GOLDEN, &printed).expect("the file can be written");
    }
    let expected = std::fs::read_to_string(GOLDEN).expect("the golden file is there");
    assert_eq!(printed, expected, "UPDATE=1 accepts it");
    assert_eq!(disk.hash(), before, "a check changes nothing");
}

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/check-of-damage.out");
