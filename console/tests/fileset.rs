//! Single files of Levelscope and of the experiments, opened to be looked at: their formats, entries, damage, and that nothing in
//! them does harm.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, print their seeds, and read fixtures from files"
)]

mod closed;

use closed::{Shop, closed, run};
use levelscope_console::directory::{DirectorySession, FileSet, Opened};
use levelscope_foreign::directory::Basis;
use levelscope_foreign::query::Query;
use levelscope_foreign::{CountedFiles, MemoryFiles};
use levelscope_formats::FORMATS;
use std::fs;
use std::path::Path;

const DEMO: &[u8] = b"\x03\0\x02\0bar\x011\x03\0\x01\0baz\0\x03\0\x03\0foo\x0122";

fn files(all: &[(&str, &[u8])]) -> MemoryFiles {
    MemoryFiles::new(all.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())))
}

/// Calls `test` with a terminal on `files`, read as `format` if that is given, as the program opens them.
fn on(files: &MemoryFiles, format: Option<&str>, test: impl FnOnce(&mut DirectorySession<'_, '_>)) {
    let basis = Basis::of(files, false).ok().filter(|_| format.is_none());
    let counted = basis.as_ref().map(|basis| CountedFiles::new(basis.files(files)));
    let opened = match basis.as_ref().zip(counted.as_ref()) {
        Some((basis, files)) => Opened::Engine(Box::new(basis.open(files).expect("it opens"))),
        None => Opened::Files(Box::new(FileSet::new(files, format).expect("the format is known"))),
    };
    test(&mut DirectorySession::new(&opened, &Shop::default(), true));
}

fn overview(files: &MemoryFiles) -> serde_json::Value {
    let set = FileSet::new(files, None).expect("no format is given");
    Opened::Files(Box::new(set)).answer(&Query::Overview {}).expect("it answers").value()
}

/// The files of a database with a table, a log, a manifest and `CURRENT`.
fn own() -> Vec<(String, Vec<u8>)> {
    closed("fill 40; flush; run; put last 1; sync")
}

/// Everything that can be asked of a file, answered without harm.
fn look_all_over(session: &mut DirectorySession<'_, '_>, name: &str) {
    let name = levelscope_console::text::word(name.as_bytes());
    for line in [
        format!("family {name}"),
        "stats".to_owned(),
        format!("layout {name} --limit 50"),
        format!("layout {name} -v --limit 300"),
        format!("layout {name} --ribbon 50"),
        format!("layout {name} --node \"\""),
        format!("hex {name} --length 4096"),
        format!("hex {name} --at 99999999999 --length 16"),
        "scan --limit 100".to_owned(),
        "explain get bar --detail".to_owned(),
        "get key --search sequential".to_owned(),
        "get key --search binary".to_owned(),
    ] {
        let out = run(session, &line);
        assert!(!out.chars().any(|c| c.is_control() && c != '\n'), "{out:?}");
    }
}

#[test]
fn a_file_is_recognized_listed_and_searched() {
    on(&files(&[("demo.table", DEMO)]), None, |session| {
        let out = run(session, "files");
        assert!(out.contains("ladder-fixed") && out.contains("3 entries"), "{out}");
        let out = run(session, "scan");
        assert!(out.contains("\"bar\"  \"1\"") && !out.contains("\"baz\""), "{out}");
        assert!(out.contains("2 live entries of 3 read: 1 tombstone"), "{out}");
        assert!(run(session, "scan --limit 1").contains("there are more from \"foo\""));
        let out = run(session, "explain get foo --detail");
        assert!(out.contains("3 comparisons") && out.contains("\"22\""), "{out}");
        assert!(run(session, "explain get baz").contains("tombstone"));
        let out = run(session, "get foo --search binary");
        assert!(out.contains("it has: sequential"), "{out}");
        for line in ["levels", "steps", "report level0"] {
            assert!(run(session, line).contains("have no levels, history"), "{line}");
        }
        assert!(run(session, "put a 1").contains("would change it"));
    });
}

#[test]
fn nothing_of_a_known_format_is_said_to_be_so_and_fails_a_check() {
    let unknown: &[(&str, &[u8])] = &[("notes", b"not a table at all")];
    let empty: &[(&str, &[u8])] = &[("empty", b""), ("other", b"")];
    for all in [unknown, empty] {
        on(&files(all), None, |session| {
            for line in ["check", "check --deep", "problems", "stats"] {
                let out = run(session, line);
                assert!(out.contains("nothing here is of a known format: "), "{line}: {out}");
                assert!(!out.contains("no damage"), "{line}: {out}");
                let fails = line.starts_with("check");
                assert_eq!(out.contains("error: nothing was checked"), fails, "{line}: {out}");
            }
        });
    }
    // One file that is known is checked, and only its bytes are counted.
    on(&files(&[("demo.table", DEMO), ("notes", b"x")]), None, |session| {
        let out = run(session, "check");
        assert!(out.contains("every entry of 1 file of a known format was read (27 B)"), "{out}");
    });
}

#[test]
fn every_file_takes_the_place_of_a_family() {
    let both = files(&[("a/one.table", DEMO), ("b/two.table", DEMO)]);
    let shown = overview(&both);
    assert_eq!(
        (&shown["engine"], &shown["families"][1]["name"]),
        (&"files".into(), &"b/two.table".into())
    );
    on(&both, None, |session| {
        assert!(session.prompt().contains("a/one.table"));
        assert!(run(session, "family @b/two.table").contains("read the file b/two.table"));
        assert!(session.prompt().contains("b/two.table"));
    });
}

#[test]
fn files_of_the_engine_are_known_by_their_content() {
    for (name, bytes) in own().iter().filter(|(_, bytes)| !bytes.is_empty()) {
        for called in [name.as_str(), "a copy"] {
            on(&files(&[(called, bytes)]), None, |session| {
                let out = run(session, "stats; check --deep");
                assert!(out.contains("Levelscope"), "{called}: {out}");
                assert!(name.contains("MANIFEST") || out.contains("no damage"), "{called}: {out}");
                look_all_over(session, called);
            });
        }
    }
}

#[test]
fn a_table_without_its_end_gives_the_entries_of_its_blocks() {
    let all = own();
    let (name, table) = all.iter().find(|(name, _)| name.contains(".sst")).expect("a table");
    on(&files(&[(name, &table[..table.len() - 30])]), None, |session| {
        let out = run(session, "scan --limit 3");
        assert!(out.contains("3 live entries of") && out.contains("rows may be missing"), "{out}");
        assert!(run(session, "check").contains("does not end in the magic"));
        assert!(run(session, "convert kvdb-log").contains("does not end in the magic"));
    });
}

#[test]
fn a_log_is_read_after_damage_and_becomes_another_format() {
    let all = closed("put a 1; put b 2; put c 3; delete-range a b; sync");
    let (name, log) =
        all.iter().find(|(name, it)| name.contains(".wal") && !it.is_empty()).expect("a log");
    on(&files(&[(name, log)]), None, |session| {
        // What the range deletion deletes is a tombstone.
        let out = run(session, "scan; convert ladder-fixed --name t; convert nonsense");
        assert!(out.contains("2 live entries of 3"), "{out}");
        assert!(out.contains("3 entries written.") && out.contains("t is saved."), "{out}");
        assert!(out.contains("there is no format"), "{out}");
    });
    let mut damaged = log.clone();
    let second = log.windows(2).position(|window| window == b"b2").expect("the entry");
    damaged[second] ^= 1;
    on(&files(&[(name, &damaged)]), None, |session| {
        let out = run(session, "scan");
        assert!(out.contains("\"c\"  \"3\"") && out.contains("sequence number 2 is lost"), "{out}");
    });
}

#[test]
fn the_first_bad_byte_is_named() {
    let cut = files(&[("cut.table", &DEMO[..DEMO.len() - 1])]);
    // Nothing proves that a table without magic is one, so `--as` has to name it.
    on(&cut, None, |session| {
        assert!(run(session, "files").contains("of no known format"));
        let out = run(session, "open @cut.table --as ladder-fixed");
        assert!(out.contains("given by --as; 2 entries"), "{out}");
    });
    on(&cut, Some("ladder-fixed"), |session| {
        assert!(run(session, "files").contains("given by --as; 2 entries"));
        assert!(run(session, "problems").contains("at offset 17"));
        assert!(run(session, "convert kvdb-log").contains("error: cut.table: "));
    });
    let refused = FileSet::new(&cut, Some("ladder-fixd")).err().and_then(|failure| failure.hint);
    assert!(refused.is_some_and(|hint| hint.contains("did you mean ladder-fixed?")));
}

#[test]
fn odd_names_and_contents_do_no_harm() {
    for name in ["", "\u{1b}]0;x\u{7}", "<img src=x>", "a b", "--all", "a/\u{202e}b"] {
        on(&files(&[(name, b"")]), None, |session| look_all_over(session, name));
    }
    for bytes in
        [&b"\0"[..], &[0xff; 64], &[0; 5000], b"lvsc.wal", b"lvsc.man", b"lvsc.cur", b"lvsc.sst"]
    {
        on(&files(&[("odd", bytes)]), None, |session| look_all_over(session, "odd"));
    }
    for format in FORMATS {
        let id = format.info().id;
        on(&files(&[("any", b"not a table at all")]), Some(id), |session| {
            look_all_over(session, "any");
        });
    }
}

#[test]
fn a_file_of_an_engine_is_read_by_itself() {
    let shown = overview(&files(&[("CURRENT", b"MANIFEST-000005\n"), ("notes", b"x")]));
    let why = shown["problems"][0]["message"].as_str().unwrap_or_default();
    assert!(why.starts_with("this is a file of LevelDB, RocksDB or Pebble"), "{shown}");
    let noise: Vec<u8> = (1..=99).collect();
    let shown = overview(&files(&[("1795221886453_9007.log", &noise)]));
    assert!(shown.to_string().contains("called like a log of FroopyDB"), "{shown}");
}

#[test]
fn entries_are_written_in_every_format_that_can_be() {
    on(&files(&[("demo.table", DEMO)]), None, |session| {
        for info in FORMATS.iter().map(|format| format.info()) {
            let out = run(session, &format!("convert {} demo.table", info.id));
            assert!(out.contains("3 entries written") && out.contains(info.id), "{out}");
            assert!(session.has_checked());
            let out = run(session, &format!("family {}; scan", info.id));
            assert!(out.contains("2 live entries of 3"), "{}: {out}", info.id);
        }
        assert!(!session.has_checked(), "the last line only reads");
    });
}

#[test]
fn a_file_that_is_made_anew_stays_the_one_that_is_read() {
    on(&files(&[("a.table", DEMO), ("b.table", DEMO)]), None, |session| {
        run(session, "kvdb put key1 value1 --file c.db; kvdb put key1 value1 --file d.db");
        for (name, line) in [
            ("a.table", "open a.table --as ladder-fixed"),
            ("c.db", "kvdb put key2 value2 --file c.db"),
        ] {
            run(session, &format!("family {name}; {line}"));
            assert_eq!(session.prompt(), format!("Files, {name}"), "{line}");
        }
    });
}

#[test]
fn kvdb_appends_records_and_cuts_off_a_torn_end() {
    let torn = b"\x29\x8e\xb4\x87\0\0\0\0\x04\0\0\0\x06key1value1\0\0\0";
    on(&files(&[("torn.db", &torn[..])]), None, |session| {
        assert!(run(session, "kvdb get key1").contains("there is no file store.db"));
        let out = run(session, "kvdb put key1 value1");
        assert!(out.contains("A record of 23 bytes at offset 0.\nIt is synced"), "{out}");
        assert!(run(session, "kvdb get key1").contains("\"value1\""));
        assert!(run(session, "hex store.db").contains("29 8e b4 87"));
        // 13 bytes of header count, too.
        assert!(!run(session, "kvdb put k 1234567 --record-limit 21").contains("error"));
        let out = run(session, "kvdb put k 12345678 --record-limit 21");
        assert!(out.contains("22") && out.contains("21"), "{out}");
        assert!(run(session, "kvdb SET k 2 --async").contains("It is not synced"));
        for line in ["kvdb put a 1 --sync --async", "kvdb get key1 --async"] {
            assert!(run(session, line).contains("error"), "{line}");
        }
        let out = run(session, "kvdb del key1 --file @torn.db");
        assert!(out.contains("3 bytes of a torn record at the end were cut off."), "{out}");
        assert!(run(session, "kvdb get key1 --file torn.db").contains("not found"));
        assert!(run(session, "save torn.db copy.db").contains("copy.db written: 40 B."));
    });
}

#[test]
fn keys_are_read_between_two_and_page_by_page() {
    let demo = files(&[("demo.table", DEMO)]);
    let opened = Opened::Files(Box::new(FileSet::new(&demo, None).expect("no format")));
    let scan = |from: Option<&str>, to: Option<&str>| {
        let (from, to) = (from.map(str::to_owned), to.map(str::to_owned));
        let query = Query::Scan { family: 0, from, to, limit: 9, sequence: None };
        opened.answer(&query).expect("it answers").value()["rows"].as_array().map(Vec::len)
    };
    assert_eq!(
        (scan(None, None), scan(Some("63"), None), scan(None, Some("63"))),
        (Some(2), Some(1), Some(1))
    );
    assert!(opened.answer(&Query::Levels { family: 0, step: None }).is_err());
}

/// Every file that other programs have written for the tests.
fn fixtures() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/formats");
    let mut waiting = vec![root.clone()];
    let mut files = Vec::new();
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(directory).expect("it lists") {
            let path = entry.expect("it lists").path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.metadata().is_ok_and(|what| what.len() < 1 << 17) {
                let name = path.strip_prefix(&root).expect("it is in there").to_string_lossy();
                files.push((name.into_owned(), fs::read(&path).expect("it reads")));
            }
        }
    }
    files.sort();
    assert!(files.len() > 20);
    files
}

#[test]
fn every_fixture_can_be_looked_all_over_whole_and_damaged() {
    let given = std::env::var("LEVELSCOPE_SEED").ok().and_then(|seed| seed.parse().ok());
    let mut seed: u64 = given.unwrap_or(0x5eed);
    println!("LEVELSCOPE_SEED={seed}");
    let mut below = |limit: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from((seed >> 33) % limit.max(1) as u64).unwrap_or(0)
    };
    for (name, bytes) in fixtures().into_iter().chain(own()) {
        for round in 0..3 {
            let mut bytes = bytes.clone();
            for _ in 0..round {
                let at = below(bytes.len());
                let value = [0, 0xff, 0x80, 1][below(4)];
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = value;
                }
            }
            if round == 2 {
                bytes.truncate(below(bytes.len() + 1));
            }
            on(&files(&[(&name, &bytes)]), None, |session| look_all_over(session, &name));
        }
    }
}

/// A mebibyte of what hurts decoders: lengths of zero and of the largest kind, varints that never end.
#[test]
fn a_hostile_mebibyte_is_read_by_every_format() {
    let patterns = [&[0][..], &[0xff], &[0x80], &[1, 0, 1, 0, 0, 0], b"lvsc.wal", &[1]];
    for pattern in patterns {
        let content: Vec<u8> = pattern.iter().copied().cycle().take(1 << 20).collect();
        for given in FORMATS.iter().map(|format| Some(format.info().id)).chain([None]) {
            on(&files(&[("hostile", &content)]), given, |session| {
                look_all_over(session, "hostile");
            });
        }
    }
}
