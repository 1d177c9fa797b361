//! Files as people have reported them: each is named as what it is, and its answer ends in the next step.
#![cfg(feature = "native")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests fail by panicking, and read files without the program's knowledge"
)]
#![allow(dead_code, reason = "some of the shared helpers are for other binaries")]

mod room;

use room::*;

#[test]
fn a_sound_table_by_itself_is_not_called_damaged() {
    let room = Room::new("sound");
    let chrome = room.copy_report("chrome-indexeddb").join("000012.ldb");
    let world = room.copy_report("minecraft-world").join("000105.ldb");
    for (path, texts) in
        [(&chrome, ["1 table, 437.5 KiB", "no damage"]), (&world, ["1 table", "no damage"])]
    {
        for deep in [&["-v"][..], &[]] {
            let out = accepted(&[&["inspect", text(path)], deep].concat());
            assert!(texts.iter().all(|text| out.contains(text)), "{out}");
            assert!(!out.contains("damaged"), "{out}");
        }
    }
    let mut flipped = std::fs::read(&world).expect("a table");
    flipped[1000] ^= 1;
    std::fs::write(&world, flipped).expect("a table");
    refused(&["inspect", text(&world)], "wrong crc32c checksum");
}

#[test]
fn a_database_of_badger_is_named() {
    let room = Room::new("badger");
    let path = room.copy_report("badger");
    let out = accepted(&["inspect", text(&path)]);
    for what in ["a table of Badger", "a manifest of Badger", "the key registry of Badger"] {
        assert!(out.contains(what), "{what}: {out}");
    }
    refused(&[text(&path), "-c", "get a"], "a database of Badger");
}

#[test]
fn pointers_of_git_lfs_are_named_with_the_command_that_fetches_the_files() {
    let room = Room::new("lfs");
    let path = room.copy_report("git-lfs");
    let new = room.path("new");
    for arguments in [
        &["inspect", text(&path)][..],
        &[text(&path), "--read-only", "-c", "stats"],
        &["import", text(&path), text(&new)],
    ] {
        let (good, out) = run(arguments);
        assert!(!good && out.contains("MANIFEST-007603"), "{out}");
        assert!(out.contains("git lfs pull") && !out.contains("cut off"), "{out}");
    }
    let out = accepted(&["inspect", text(&path.join("004297.ldb"))]);
    assert!(out.contains("git lfs pull") && !out.contains("damaged"), "{out}");
}

/// It was taken for a log that a crash has cut off, and its writes were left out without a word.
#[test]
fn a_log_that_is_a_pointer_of_git_lfs_is_not_passed_over() {
    let room = Room::new("lfs-log");
    let path = room.copy_report("chrome-local-storage");
    let is_log = |name: &String| name.strip_suffix(".log").is_some();
    let log = content(&path).into_keys().find(is_log).expect("a log");
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 13180\n";
    std::fs::write(path.join(&log), pointer).expect("a pointer");
    let new = room.path("new");
    refused(&["import", text(&path), text(&new)], "git lfs pull");
    let (_, out) = run(&[text(&path), "--read-only", "-c", "report damage"]);
    assert!(out.contains("Next step: run `git lfs pull` in the repository"), "{out}");
    refused(&["import", text(&path), text(&new), "--skip-damage"], "nothing could be saved");
    assert!(!new.exists(), "an import that saves nothing leaves nothing");
}

#[test]
fn an_import_that_saves_nothing_of_a_family_names_the_others() {
    let room = Room::new("no-default");
    let path = room.copy_lsm("c_families");
    for name in
        content(&path).into_keys().filter(|name| name.contains(".sst") || name.contains(".log"))
    {
        std::fs::remove_file(path.join(name)).expect("a file that was there");
    }
    let new = room.path("new");
    refused(&["import", text(&path), text(&new), "--skip-damage"], "--family NAME");
    assert!(!new.exists(), "an import that saves nothing leaves nothing");
}

/// A clone of an annex has links to files that were not fetched.
#[test]
#[cfg(unix)]
fn links_of_git_annex_are_named_with_the_command_that_fetches_the_files() {
    let room = Room::new("annex");
    let path = room.path("annex");
    std::fs::create_dir_all(&path).expect("a directory");
    for name in ["CURRENT", "MANIFEST-000004", "000005.ldb"] {
        let target = format!("../../.git/annex/objects/aa/bb/MD5E-s21--x/{name}");
        std::os::unix::fs::symlink(target, path.join(name)).expect("a link");
    }
    let new = room.path("new");
    for arguments in [
        &["inspect", text(&path)][..],
        &[text(&path), "--read-only", "-c", "stats"],
        &["import", text(&path), text(&new)],
        &["check", text(&path)],
    ] {
        let (good, out) = run(arguments);
        assert!(!good && out.contains("3 links of git-annex"), "{arguments:?}: {out}");
        assert!(out.contains("git annex get"), "{arguments:?}: {out}");
    }
}

#[test]
fn a_current_that_ends_in_cr_lf_is_reported_with_its_cure() {
    let room = Room::new("crlf");
    let path = room.copy_report("current-crlf");
    std::fs::write(path.join("CURRENT"), b"MANIFEST-000009\r\n").expect("CURRENT");
    let cure = r"write `MANIFEST-000009\n` into CURRENT";
    for target in [path.clone(), path.join("CURRENT")] {
        let (_, out) = run(&["inspect", text(&target)]);
        assert!(out.contains("CR LF") && out.contains(cure), "{out}");
    }
}

#[test]
fn the_folder_above_databases_leads_to_them() {
    let room = Room::new("above");
    let above = room.with("world", &[("level.dat", b"x")]);
    let database = above.join("db");
    std::fs::create_dir_all(&database).expect("a directory");
    for (name, bytes) in content(&room.copy_report("chrome-local-storage")) {
        std::fs::write(database.join(name), bytes).expect("a file");
    }
    let command = format!("`levelscope {} --read-only`", text(&database));
    let new = room.path("new");
    let table = room.path("new.sst");
    for arguments in [
        &["inspect", text(&above)][..],
        &[text(&above), "--read-only", "-c", "stats"],
        &["check", text(&above)],
        &["repair", text(&above), text(&new)],
        &["import", text(&above), text(&new)],
        &["export", text(&above), text(&new)],
        &["export", text(&above), text(&table)],
        &["checkpoint", text(&above), text(&new)],
    ] {
        let (_, out) = run(arguments);
        assert!(out.contains("1 database in its folders") && out.contains(&command), "{out}");
    }
    assert!(!accepted(&["inspect", text(&database)]).contains("in its folders"));
}

/// Its file names identify the engine, so no command may refer back to another.
#[test]
fn a_database_that_has_lost_its_manifest_is_recognized() {
    let room = Room::new("lost");
    let (new, missing) = (room.path("new"), "the manifest is missing: found");
    for fixture in ["x_empty", "h_history"] {
        let path = room.copy_lsm(fixture);
        std::fs::remove_file(path.join("MANIFEST-000005")).expect("a file");
        let (path, new) = (text(&path), text(&new));
        let (good, out) = run(&["inspect", path]);
        assert!(!good && out.contains(missing), "{out}");
        let is_rescued = fixture == "h_history";
        assert_eq!(out.contains("--skip-damage` saves"), is_rescued, "{out}");
        assert_eq!(run(&[path, "--read-only", "-c", "stats"]).0, is_rescued);
        assert_eq!(run(&["import", path, new, "--skip-damage"]).0, is_rescued);
        if !is_rescued {
            for arguments in [
                &["check", path][..],
                &[path, "--read-only"],
                &["import", path, new],
                &["repair", path, new],
            ] {
                let (good, out) = run(arguments);
                assert!(!good && out.contains(missing), "{arguments:?}: {out}");
            }
        }
    }
}

#[test]
fn a_lone_table_is_read() {
    let room = Room::new("lone");
    let path = room.copy_report("lone-sst");
    for (name, engine) in [("000009.sst", "RocksDB"), ("pebble-sound-000001.sst", "Pebble")] {
        let out = accepted(&["inspect", text(&path.join(name))]);
        assert!(out.contains(&format!("A database of {engine}")), "{out}");
        assert!(out.contains("no damage") && out.contains("footer"), "{out}");
    }
}

/// Each answer named the command that had just been typed.
#[test]
fn remains_without_a_file_of_entries_are_recognized() {
    for kept in ["OPTIONS-000007", "IDENTITY", "CURRENT"] {
        let room = Room::new("remnants");
        let path = room.copy_lsm("h_history");
        for name in content(&path).into_keys().filter(|name| name != kept) {
            std::fs::remove_file(path.join(name)).expect("a file");
        }
        let path = text(&path);
        for arguments in [&[path, "--read-only", "-c", "stats"][..], &["check", path]] {
            let (good, out) = run(arguments);
            assert!(!good && !out.contains("--read-only` looks into it"), "{arguments:?}: {out}");
        }
    }
}

/// A log that a person has made longer costs the memory of what it holds.
#[cfg(target_os = "linux")]
#[test]
fn a_sparse_file_takes_the_memory_of_what_it_holds() {
    const LENGTH: u64 = 1 << 30;
    let room = Room::new("sparse");
    let own = room.path("own");
    accepted(&[text(&own), "-c", "put a 1; put b 2"]);
    let level = room.copy_report("chrome-local-storage");
    let log = content(&own)
        .into_keys()
        .find(|name| name.split('.').any(|part| part == "wal"))
        .expect("a log");
    for path in [own.join(log), level.join("000003.log")] {
        let file = std::fs::OpenOptions::new().write(true).open(&path).expect("a log");
        file.set_len(LENGTH).expect("a sparse file");
    }
    for command in [
        &[text(&own), "--read-only", "-c", "count"][..],
        &["check", text(&own)],
        &[text(&level), "--read-only", "-c", "stats"],
    ] {
        // Less address space than the file has bytes.
        let limited = std::process::Command::new("sh")
            .args(["-c", "ulimit -v 800000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_levelscope")])
            .args(command)
            .output()
            .expect("a shell");
        let out = String::from_utf8_lossy(&[limited.stdout, limited.stderr].concat()).into_owned();
        assert!(limited.status.success(), "{command:?}: {out}");
    }
}
