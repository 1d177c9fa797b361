//! Commands that look at a directory of another program: text for people, numbers for programs.
#![cfg(feature = "native")]
#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and read files without the program's knowledge"
)]

mod room;

use room::{Room, accepted, refused, run, text};

/// It used to print raw microseconds and cells with commas.
#[test]
fn a_report_is_a_table_for_people_and_raw_numbers_for_programs() {
    let room = Room::new("report");
    let path = room.copy_lsm("h_history");
    let look = |commands: &str| accepted(&[text(&path), "--read-only", "-c", commands]);
    let told = look("report level0");
    for word in ["58.3 ms", "8.4 KiB", "2026-11-22 02:44:34.196 UTC", "4 files at its fullest"] {
        assert!(told.contains(word), "{word}: {told}");
    }
    for word in ["1795315474", "µs since 1970", ",default,", "(bytes)"] {
        assert!(!told.contains(word), "{word}: {told}");
    }
    let told = look("report level0 --csv");
    assert!(
        told.starts_with("step,family,kind,files in level 0,bytes in level 0 (bytes),"),
        "{told}"
    );
    assert!(told.contains(" 2,default,flush,1,"), "{told}");
    assert!(!told.contains("KiB") && !told.contains("58.3 ms"), "{told}");
    assert!(look("report replay").contains("and 152 more rows: --csv prints all"));
}

#[test]
fn a_check_names_the_parts_that_it_read() {
    let room = Room::new("looked-at");
    let path = room.copy_lsm("b_blob_files");
    let look = |commands: &str| accepted(&[text(&path), "--read-only", "-c", commands]);
    let told = look("problems");
    assert!(
        told.contains("no damage so far") && told.contains("2 tables and 6 blob files"),
        "{told}"
    );
    assert!(told.contains("18 version edits of MANIFEST-"), "{told}");
    let told = look("check");
    assert!(told.contains("every checksum of 2 tables and 6 blob files"), "{told}");
    assert!(told.contains("entries were not decoded"), "{told}");
    let told = look("check --deep");
    assert!(told.contains("every checksum and every entry of 2 tables and 6 blob files"), "{told}");
    assert!(!told.contains("nothing was found"), "{told}");
}

#[test]
fn a_check_that_finds_damage_fails() {
    let room = Room::new("damage-found");
    let path = room.copy_lsm("d_table_flip");
    let arguments = [text(&path), "--read-only", "-c", "check"];
    refused(&arguments, "1 error found, the first in 000010.sst");
    refused(&arguments, "every checksum of 2 tables");
    // A list of known findings is no check.
    let (good, told) = run(&[text(&path), "--read-only", "-c", "problems"]);
    assert!(good, "{told}");
    let plain = room.copy_lsm("x_plain_table");
    let told = accepted(&[text(&plain), "--read-only", "-c", "check"]);
    assert!(
        told.contains("0 tables (0 B)") && told.contains("1 of 1 table was not checked"),
        "{told}"
    );
}

#[test]
fn no_column_family_is_named_where_there_are_none() {
    let room = Room::new("no-families");
    for fixture in ["p_history", "l_history", "dp_table_missing"] {
        let path = room.copy_lsm(fixture);
        for command in ["overview", "families", "problems", "report level0", "report damage"] {
            let (_, told) = run(&[text(&path), "--read-only", "-c", command]);
            assert!(!told.contains("default") && !told.contains("famil"), "{fixture}: {told}");
        }
    }
}

#[test]
fn what_a_command_does_not_take_is_refused() {
    let room = Room::new("too-much");
    let path = room.copy_lsm("h_history");
    for (command, told) in [
        ("scan --from a", "scan has no --from"),
        ("report damage --json", "report has no --json"),
        ("report cover a b", "report takes at most 2 words; b is one argument too many"),
        ("files now", "files takes no words; now is one argument too many"),
        ("help nothing", "there is no command"),
    ] {
        refused(&[text(&path), "--read-only", "-c", command], told);
    }
    let told = accepted(&[text(&path), "--read-only", "-c", "help report"]);
    assert!(told.contains("--csv") && !told.contains("scan"), "{told}");
}

#[test]
fn questions_after_a_check_know_what_it_found() {
    let room = Room::new("check-then-report");
    let path = room.copy_lsm("d_table_flip");
    let arguments = [text(&path), "--read-only", "-c", "check --deep; report damage"];
    // The damage is still a failure of the program.
    refused(&arguments, "1 error found, the first in 000010.sst");
    refused(&arguments, "is damaged at offset 0: 1 block cannot be read");
}

/// All logs stood under every family: 2,000 of both printed 253 MB.
#[test]
fn logs_and_families_of_a_crowded_directory_are_told_once_and_bounded() {
    let room = Room::new("crowded");
    let path = room.copy_lsm("c_families");
    let plain = accepted(&["inspect", text(&path)]);
    for number in 900_000..900_300 {
        std::fs::write(path.join(format!("{number}.log")), b"")
            .expect("the room can be written to");
    }
    let told = accepted(&["inspect", text(&path)]);
    assert!(!told.contains("900000.log"), "{told}");
    // Files of one family stand there as before, up to a limit.
    assert!(told.lines().count() <= plain.lines().count() + 2, "{told}");
    let levels = accepted(&[text(&path), "--read-only", "-c", "levels"]);
    assert!(levels.contains("more logs: --json has all"), "{levels}");
    assert!(levels.lines().count() < 200, "{levels}");
}
