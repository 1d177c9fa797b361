//! Commands that look at a directory of another program: text for people, numbers for programs.
#![cfg(feature = "native")]
#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
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
    let out = look("report level0");
    for word in ["58.3 ms", "8.4 KiB", "2026-11-22 02:44:34.196 UTC", "4 files at its fullest"] {
        assert!(out.contains(word), "{word}: {out}");
    }
    for word in ["1795315474", "µs since 1970", ",default,", "(bytes)"] {
        assert!(!out.contains(word), "{word}: {out}");
    }
    let out = look("report level0 --csv");
    assert!(
        out.starts_with("step,family,kind,files in level 0,bytes in level 0 (bytes),"),
        "{out}"
    );
    assert!(out.contains(" 2,default,flush,1,"), "{out}");
    assert!(!out.contains("KiB") && !out.contains("58.3 ms"), "{out}");
    assert!(look("report replay").contains("and 152 more rows: --csv prints all"));
}

#[test]
fn a_check_names_the_parts_that_it_read() {
    let room = Room::new("looked-at");
    let path = room.copy_lsm("b_blob_files");
    let look = |commands: &str| accepted(&[text(&path), "--read-only", "-c", commands]);
    let out = look("problems");
    assert!(out.contains("no damage so far") && out.contains("2 tables and 6 blob files"), "{out}");
    assert!(out.contains("18 version edits of MANIFEST-"), "{out}");
    let out = look("check");
    assert!(out.contains("every checksum of 2 tables and 6 blob files"), "{out}");
    assert!(out.contains("entries were not decoded"), "{out}");
    let out = look("check --deep");
    assert!(out.contains("every checksum and every entry of 2 tables and 6 blob files"), "{out}");
    assert!(!out.contains("nothing was found"), "{out}");
}

#[test]
fn a_check_that_finds_damage_fails() {
    let room = Room::new("damage-found");
    let path = room.copy_lsm("d_table_flip");
    let arguments = [text(&path), "--read-only", "-c", "check"];
    refused(&arguments, "1 error found, the first in 000010.sst");
    refused(&arguments, "every checksum of 2 tables");
    // A list of known findings is no check.
    let (good, out) = run(&[text(&path), "--read-only", "-c", "problems"]);
    assert!(good, "{out}");
    let plain = room.copy_lsm("x_plain_table");
    let out = accepted(&[text(&plain), "--read-only", "-c", "check"]);
    assert!(
        out.contains("0 tables (0 B)") && out.contains("1 of 1 table was not checked"),
        "{out}"
    );
}

#[test]
fn no_column_family_is_named_where_there_are_none() {
    let room = Room::new("no-families");
    for fixture in ["p_history", "l_history", "dp_table_missing"] {
        let path = room.copy_lsm(fixture);
        for command in ["stats", "families", "problems", "report level0", "report damage"] {
            let (_, out) = run(&[text(&path), "--read-only", "-c", command]);
            assert!(!out.contains("default") && !out.contains("famil"), "{fixture}: {out}");
        }
    }
}

#[test]
fn the_largest_family_is_read_first() {
    let room = Room::new("largest-family");
    let path = room.copy_lsm("c_families");
    let look = |commands: &str| accepted(&[text(&path), "--read-only", "-c", commands]);
    for question in ["levels", "scan"] {
        let (first, chosen) = (look(question), look(&format!("family users; {question}")));
        assert!(chosen.ends_with(&first), "{question}: {first}");
    }
}

#[test]
fn what_a_command_does_not_take_is_refused() {
    let room = Room::new("too-much");
    let path = room.copy_lsm("h_history");
    for (command, reason) in [
        ("scan --from a", "scan has no option --from"),
        ("report damage --json", "report has no option --json"),
        (
            "report cover a b",
            "report takes the name of a report and a key; b is one argument too many",
        ),
        ("files now", "files takes no arguments, but got now"),
        ("help nothing", "there is no command nothing"),
        (
            "get x --detail",
            "--search and --detail are for files without an engine, or of Levelscope",
        ),
        ("put a 1", "put would change it: this is a database of RocksDB"),
        ("overview", "did you mean stats?"),
    ] {
        refused(&[text(&path), "--read-only", "-c", command], reason);
    }
    let out = accepted(&[text(&path), "--read-only", "-c", "help report"]);
    assert!(out.contains("--csv") && !out.contains("scan"), "{out}");
    let out = accepted(&[text(&path), "--read-only", "-c", "help get"]);
    assert_eq!(out.matches("files without an engine, or of Levelscope").count(), 2, "{out}");
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
fn logs_and_families_of_a_crowded_directory_are_listed_once_and_bounded() {
    let room = Room::new("crowded");
    let path = room.copy_lsm("c_families");
    let plain = accepted(&["inspect", text(&path)]);
    for number in 900_000..900_300 {
        std::fs::write(path.join(format!("{number}.log")), b"")
            .expect("the room can be written to");
    }
    let out = accepted(&["inspect", text(&path)]);
    assert!(!out.contains("900000.log"), "{out}");
    // Files of one family stand there as before, up to a limit.
    assert!(out.lines().count() <= plain.lines().count() + 2, "{out}");
    let levels = accepted(&[text(&path), "--read-only", "-c", "levels"]);
    assert!(levels.contains("more logs: --json has all"), "{levels}");
    assert!(levels.lines().count() < 200, "{levels}");
}

#[test]
fn the_history_is_walked_as_that_of_an_own_database() {
    let room = Room::new("walk");
    let path = room.copy_lsm("h_history");
    let look = |commands: &str| accepted(&[text(&path), "--read-only", "-c", commands]);
    let at_three = look("levels --at 3");
    assert_ne!(at_three, look("levels"));
    for there in ["goto 3", "goto 2; forward", "goto 5; back 2"] {
        let out = look(&format!("{there}; levels"));
        assert!(out.ends_with(&at_three), "{there}: {out}");
    }
    assert!(look("goto 3; now; levels").ends_with(&look("levels")));
    refused(&[text(&path), "--read-only", "-c", "goto 99999"], "there is no step 99,999");
}

#[test]
fn a_lookup_prints_the_value_and_explained_its_path() {
    let room = Room::new("explained");
    let path = room.copy_lsm("h_history");
    let look = |commands: &str| accepted(&[text(&path), "--read-only", "-c", commands]);
    let value = look("get user:000875");
    assert!(value.starts_with("\"user:000875\""), "{value}");
    let path_of = look("explain get user:000875");
    assert!(path_of.ends_with(&value) && path_of.contains("L2 table 134"), "{path_of}");
    assert!(look("hex CURRENT --at 4 --length 4").contains("46 45 53 54"));
}

/// They used to know only what opening had found.
#[test]
fn problems_are_those_found_so_far() {
    let room = Room::new("so-far");
    let path = room.copy_lsm("d_table_flip");
    let (_, out) = run(&[text(&path), "--read-only", "-c", "check; problems; stats"]);
    assert_eq!(out.matches("damaged   000010.sst").count(), 3, "{out}");
    let whole = room.copy_lsm("p_history");
    let out = accepted(&[text(&whole), "--read-only", "-c", "check; problems"]);
    assert!(!out.contains("were not read"), "{out}");
}

/// Those after the last live entry used to be left out.
#[test]
fn a_scan_counts_the_tombstones_of_its_whole_range() {
    let room = Room::new("all-tombstones");
    let path = room.copy_lsm("x_tombstones");
    let scan =
        |to: &str| accepted(&[text(&path), "--read-only", "-c", &format!("scan user:000000 {to}")]);
    assert!(scan("user:000380").contains("0 live entries of 860 read: 380 tombstones"));
    assert!(scan("user:000381").contains("1 live entry of 861 read: 380 tombstones"));
}

#[test]
fn only_damage_that_a_check_found_lets_a_line_go_on() {
    let room = Room::new("goes-on");
    let path = room.copy_lsm("d_table_flip");
    let line = |commands: &str| run(&[text(&path), "--read-only", "-c", commands]).1;
    assert!(line("CHECK; families").contains("default"));
    assert!(!line("check --nonsense; families").contains("leveled"));
    refused(&[text(&path), "--read-only", "-c", "hex CURRENT --find \"\""], "1 to 1,024 bytes");
}

/// It used to succeed with the rows that were left.
#[test]
fn a_scan_that_lacks_rows_fails() {
    let room = Room::new("lacks-rows");
    let path = room.copy_lsm("dp_table_flip");
    let scan = [text(&path), "--read-only", "-c", "scan fleet/00000 fleet/00005"];
    refused(&scan, "rows may be missing: 1 place could not be read, the first in 000005.sst");
}

#[test]
fn a_read_in_the_past_is_marked_as_of_now() {
    let room = Room::new("read-in-the-past");
    let path = room.copy_lsm("h_history");
    let look = |commands: &str| accepted(&[text(&path), "--read-only", "-c", commands]);
    for command in ["get user:000875", "scan --limit 1", "explain get user:000875"] {
        assert!(look(&format!("goto 3; {command}")).contains("as of step 191"), "{command}");
        assert!(!look(command).contains("as of step"), "{command}");
    }
    for (command, reason) in [
        ("hex 134 --node blocks:1 --at 5", "only with --decoded"),
        ("hex 134 --decoded", "--decoded needs --node"),
        ("levels --at 4294967296", "there is no step 4,294,967,296"),
    ] {
        refused(&[text(&path), "--read-only", "-c", command], reason);
    }
}

/// A directory of the disk, as the files that a person gave to the page.
struct MemoryHost {
    files: Vec<(String, Vec<u8>)>,
}

impl levelscope_lens::Host for MemoryHost {
    fn read(&self, file: usize, offset: u64, buffer: &mut [u8]) -> Result<usize, String> {
        let bytes = self.files.get(file).map_or(&[][..], |(_, bytes)| bytes);
        let from = usize::try_from(offset).map_or(bytes.len(), |from| from.min(bytes.len()));
        let part = &bytes[from..];
        let length = part.len().min(buffer.len());
        buffer[..length].copy_from_slice(&part[..length]);
        Ok(length)
    }
}

/// The family that the page shows first.
fn shown_first(lens: &mut levelscope_lens::Lens) -> u32 {
    let Ok(levelscope_lens::Reply::Answer(overview)) = lens.ask(r#"{"ask":"overview"}"#) else {
        return 0;
    };
    let overview: serde_json::Value = serde_json::from_str(&overview).expect("JSON");
    overview["shownFirst"].as_u64().and_then(|id| id.try_into().ok()).unwrap_or(0)
}

/// What the page's terminal prints, as [`run`] returns what the program prints.
fn on_the_page(lens: &mut levelscope_lens::Lens, line: &str, family: u32) -> String {
    let ran: serde_json::Value = serde_json::from_str(&lens.run(line, family, None)).expect("JSON");
    let lines = ran["lines"].as_array().expect("lines").iter().map(|line| {
        let spans = line["spans"].as_array().expect("spans").iter();
        spans.map(|span| span["text"].as_str().expect("text")).collect::<String>()
    });
    let mut words: Vec<String> = lines.collect();
    if let Some(message) = ran["failure"]["message"].as_str() {
        words.push(format!("error: {message}"));
        words.extend(ran["failure"]["hint"].as_str().map(|hint| format!("hint: {hint}")));
    }
    words.join(" ").trim_end().to_owned()
}

#[test]
fn page_and_program_print_the_same_of_every_directory() {
    let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/lsm");
    let mut compared = 0;
    for entry in std::fs::read_dir(fixtures).expect("fixtures") {
        let path = entry.expect("an entry").path();
        let files: Vec<_> = room::content(&path).into_iter().collect();
        let list: Vec<_> =
            files.iter().map(|(name, bytes)| (name.clone(), bytes.len() as u64)).collect();
        let opened = || levelscope_lens::Lens::open(&list, "", MemoryHost { files: files.clone() });
        let family = opened().map_or(0, |mut lens| shown_first(&mut lens));
        for line in [
            "stats; steps",
            "levels; goto 1; levels",
            "scan --limit 9; get a",
            "put a 1",
            "explain get user:000875",
            "layout CURRENT; hex CURRENT",
            "files; report damage",
            "check",
        ] {
            // A new one for each line: reads are counted, and a second one needs fewer.
            let Ok(mut lens) = opened() else { continue };
            if !lens.is_database() {
                continue;
            }
            let (_, out) = run(&[text(&path), "--read-only", "-c", line]);
            let page = on_the_page(&mut lens, line, family);
            assert_eq!(page, out.trim_end(), "{}: {line}", path.display());
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared}");
}
