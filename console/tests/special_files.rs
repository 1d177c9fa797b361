//! Files that are no regular files: a pipe would never answer, so it is refused before it is opened.
#![cfg(all(feature = "native", unix))]
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests fail by panicking, and prepare files without the program's knowledge"
)]

mod common;
mod room;

use common::program;
use room::{Room, text};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::path::Path;
use std::time::{Duration, Instant};

/// Puts a pipe without another end in the place of a file.
fn pipe_at(path: &Path) {
    let _ = std::fs::remove_file(path);
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
}

/// Whether the program succeeds, and all that it prints; it must end soon.
fn ended(arguments: &[&str]) -> (bool, String) {
    let mut child = program(arguments).spawn().expect("the program starts");
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > Duration::from_secs(20) {
            child.kill().expect("it ends");
            child.wait().expect("it ended");
            panic!("{arguments:?} waits for ever");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("the program ends");
    let printed = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&printed).into_owned())
}

/// All ways into a directory.
fn ways<'a>(path: &'a str, new: &'a str) -> Vec<Vec<&'a str>> {
    vec![
        vec![path, "-c", "get a"],
        vec![path, "--read-only", "-c", "get a"],
        vec!["check", path],
        vec!["repair", path, new],
        vec!["checkpoint", path, new],
        vec!["inspect", path],
        vec!["import", path, new],
        vec!["export", path, new],
    ]
}

#[test]
fn a_pipe_in_the_place_of_current_is_refused() {
    let room = Room::new("pipe-current");
    let own = room.path("own");
    room::accepted(&[text(&own), "-c", "put a 1"]);
    let directories = [own, room.copy("leveldb/a_empty"), room.copy_lsm("m_levels")];
    for directory in &directories {
        pipe_at(&directory.join("CURRENT"));
        for arguments in ways(text(directory), text(&room.path("new"))) {
            let (good, printed) = ended(&arguments);
            // Where the file names identify the engine, that is the reason.
            let other =
                printed.contains("this is a database of") && !arguments.contains(&"inspect");
            let is_named = printed.contains("not a regular file") || other;
            assert!(!good && is_named, "{arguments:?}: {printed}");
        }
    }
    assert!(!room.path("new").join("CURRENT").exists());
}

#[test]
fn no_pipe_with_the_name_of_a_file_makes_the_program_wait() {
    let room = Room::new("pipe-others");
    let own = room.path("own");
    room::accepted(&[text(&own), "-c", "put a 1; flush; put b 2"]);
    let directories = [own, room.copy("leveldb/c_levels_snappy_bloom"), room.copy_lsm("m_levels")];
    for directory in &directories {
        let names: Vec<String> = room::content(directory).into_keys().collect();
        for name in names.iter().filter(|name| *name != "CURRENT") {
            let path = directory.join(name);
            let bytes = std::fs::read(&path).expect("a file");
            pipe_at(&path);
            for arguments in ways(text(directory), text(&room.path("new"))) {
                ended(&arguments);
                let _ = std::fs::remove_dir_all(room.path("new"));
            }
            std::fs::remove_file(&path).expect("the pipe");
            std::fs::write(&path, bytes).expect("a file");
        }
        let table = names.iter().find(|name| name.contains(".sst") || name.contains(".ldb"));
        pipe_at(&directory.join(table.expect("a table")));
        let (_, printed) = ended(&["inspect", text(directory)]);
        assert!(printed.contains("not a regular file"), "{printed}");
    }
}

#[test]
fn a_pipe_in_the_place_of_a_file_that_counts_is_damage_for_every_command() {
    for name in ["000386.log", "MANIFEST-000002"] {
        let room = Room::new("pipe-counts");
        let path = room.copy_lsm("l_history");
        pipe_at(&path.join(name));
        let (path, new) = (text(&path).to_owned(), room.path("new"));
        for arguments in [
            &["inspect", &path][..],
            &[&path, "--read-only", "-c", "check"],
            &["import", &path, text(&new)],
        ] {
            let (good, printed) = ended(arguments);
            assert!(!good, "{arguments:?}: {printed}");
        }
        let (good, printed) = ended(&["import", &path, text(&new), "--skip-damage"]);
        assert!(good && printed.contains("skipped  ") && printed.contains(name), "{printed}");
    }
}

/// Users of `RocksDB` keep tables elsewhere, with `db_paths` or through links: they are read, and reported.
#[test]
fn links_that_lead_out_of_a_directory_are_followed_and_reported() {
    let room = Room::new("links");
    let directory = room.copy_lsm("m_levels");
    let names: Vec<String> = room::content(&directory).into_keys().collect();
    let table = names.iter().find(|name| name.contains(".sst")).expect("a table");
    let elsewhere = room.path("elsewhere.sst");
    std::fs::rename(directory.join(table), &elsewhere).expect("it moves");
    std::os::unix::fs::symlink(&elsewhere, directory.join(table)).expect("a link");
    let (good, printed) = ended(&[text(&directory), "--read-only", "-c", "problems; check"]);
    assert!(good, "{printed}");
    let note = format!("{table}: a symbolic link that leads out of the directory, to ");
    assert!(printed.contains(&note) && printed.matches(&note).count() == 2, "{printed}");
    // One that stays inside, by another name, needs no remark.
    std::fs::remove_file(directory.join(table)).expect("the link");
    std::fs::rename(&elsewhere, directory.join("moved.bin")).expect("it moves");
    std::os::unix::fs::symlink("moved.bin", directory.join(table)).expect("a link");
    let (good, printed) = ended(&[text(&directory), "--read-only", "-c", "check"]);
    assert!(good && !printed.contains("symbolic link"), "{printed}");
}
