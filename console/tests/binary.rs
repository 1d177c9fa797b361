//! The program `levelscope` as a shell sees it.
#![cfg(feature = "native")]
#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and damage files without the program's knowledge"
)]

mod common;

use common::{Directory, err, out, program, run, run_with_input};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

#[test]
fn commands_as_an_argument() {
    let output = run(&["--memory", "-c", "put a 1; get a"]);
    assert!(output.status.success(), "{}", err(&output));
    assert!(out(&output).ends_with("\n1\n"), "{}", out(&output));
    assert_eq!(err(&output), "");
}

#[test]
fn files_are_kept() {
    let directory = Directory::new("kept");
    let output =
        run(&[directory.path(), "--preset", "classroom", "-c", "fill 300; put a 1; flush"]);
    assert!(output.status.success(), "{}", err(&output));
    let output = run(&[directory.path(), "-c", "get a; check"]);
    assert!(out(&output).starts_with("1\n"), "{}{}", out(&output), err(&output));
}

#[test]
fn files_are_inspected() {
    let directory = Directory::new("inspected");
    let output = run(&[directory.path(), "--preset", "classroom", "-c", "fill 40; flush; run"]);
    assert!(output.status.success(), "{}", err(&output));
    let output = run(&["inspect", directory.path()]);
    assert!(output.status.success(), "{}{}", out(&output), err(&output));
    for part in ["database of Levelscope", "MANIFEST-000001  ", "data block 1", "record 1"] {
        assert!(out(&output).contains(part), "{part}: {}", out(&output));
    }
    let table = std::fs::read_dir(&directory.0)
        .expect("it lists")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .find(|path| path.extension().is_some_and(|extension| extension == "sst"))
        .expect("there is a table");
    let mut bytes = std::fs::read(&table).expect("it reads");
    bytes[50] ^= 1;
    std::fs::write(&table, bytes).expect("it writes");
    let table = table.to_str().expect("the path is text");
    let output = run(&["inspect", table, "-v", "--limit", "5"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(out(&output).contains(".sst at offset 0"), "{}", out(&output));
    assert!(err(&output).contains("1 error found"), "{}", err(&output));
    let output = run(&["inspect", table, "--json"]);
    let object: serde_json::Value = serde_json::from_str(&out(&output)).expect("JSON");
    assert_eq!(object["problems"][0]["offset"], 0);
    assert!(object["layouts"][0]["part"]["parts"].is_array());
    assert_eq!(run(&["inspect"]).status.code(), Some(2));
    assert_eq!(run(&["inspect", "no-such-file"]).status.code(), Some(1));
    assert_eq!(run(&["inspect", table, "--as", "nonsense"]).status.code(), Some(1));
    let line = format!("files; hex {}", table.rsplit('/').next().expect("a name"));
    let output = run(&[table, "--read-only", "-c", &line]);
    assert!(output.status.success(), "{}", err(&output));
    assert!(out(&output).contains("a table of a level"), "{}", out(&output));
    let output = run(&["inspect", table, "--as", "levelscope-log"]);
    assert!(out(&output).contains("1 log ("), "{}", out(&output));
}

#[test]
fn entries_go_out_become_another_format_and_stay() {
    let directory = Directory::new("saved");
    let database = format!("{}/database", directory.path());
    let log = format!("{}/entries.db", directory.path());
    let path = format!("{}/t.sst", directory.path());
    std::fs::create_dir(directory.path()).expect("it is made");
    assert_eq!(run(&[&database, "-c", "put a 1; put b 2; del b"]).status.code(), Some(0));
    let exported = run(&["export", &database, &log]);
    assert!(out(&exported).contains("1 live entry in a log"), "{}", err(&exported));
    let commands = format!("convert ladder-varint --name t; save t {path}");
    let saved = run(&[&log, "--read-only", "-c", &commands]);
    assert_eq!(saved.status.code(), Some(0), "{}", err(&saved));
    assert_eq!(std::fs::read(&path).expect("it is there"), b"\x01\x02a\x011");
    let again = run(&[&log, "--read-only", "-c", &commands]);
    assert_eq!(again.status.code(), Some(1));
    assert!(err(&again).contains("there already"), "{}", err(&again));
    let forced = run(&[&log, "--read-only", "-c", &format!("{commands} --force")]);
    assert_eq!(forced.status.code(), Some(0));
    assert!(out(&run(&["inspect", &path])).contains("ladder-varint"));
    let files = run(&[&path, "--read-only", "--as", "ladder-fixed", "-c", "files"]);
    assert!(out(&files).contains("given by --as"), "{}", err(&files));
    let imported = run(&["--memory", "-c", &format!("import {log}; get a")]);
    assert!(out(&imported).contains("1 live entry taken"), "{}", err(&imported));
}

#[test]
fn the_first_error_ends_with_exit_code_1() {
    let output = run(&["--memory", "-c", "put a 1\nnope\nget a"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("there is no command nope"), "{}", err(&output));
    assert!(!out(&output).contains("\n1\n"), "{}", out(&output));
    let output = run_with_input(&["--memory"], "put a 1\nnope\nget a\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(!out(&output).contains("\n1\n"), "{}", out(&output));
}

#[test]
fn a_script_on_standard_input() {
    let script = "# a script\nput a 1\nbatch {\n put b 2\n put c \\\n 3\n}\nscan\nget a";
    let output = run_with_input(&["--memory"], script);
    assert!(output.status.success(), "{}", err(&output));
    assert!(out(&output).ends_with("a = 1\nb = 2\nc = 3\n3 entries.\n1\n"), "{}", out(&output));
}

#[test]
fn the_end_of_input_ends_it() {
    assert!(run_with_input(&["--memory"], "").status.success());
    assert!(run(&["--memory"]).status.success());
    let output = run_with_input(&["--memory"], "put 'open");
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("not finished"), "{}", err(&output));
}

#[test]
fn json_is_one_object_a_command() {
    let output = run(&["--memory", "--json", "-c", "put a 1; get a\nnope; get a"]);
    assert_eq!(output.status.code(), Some(1));
    let objects: Vec<serde_json::Value> =
        out(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(objects.len(), 4, "{objects:?}");
    assert_eq!(objects[0]["command"], "put a 1");
    assert_eq!(objects[0]["result"]["sequence"], 1);
    assert_eq!(objects[1]["result"]["value"], "1");
    assert_eq!(objects[1]["lines"], serde_json::json!(["1"]));
    assert!(objects[1]["error"].is_null());
    assert_eq!(objects[2]["error"]["kind"], "usage");
    assert_eq!(
        (&objects[3]["command"], &objects[3]["error"]["kind"]),
        (&"get a".into(), &"notRun".into())
    );
}

#[test]
fn json_has_keys_as_text() {
    let script = "put M\u{fc}ller 1; put \\xff 2; mem; flush; run; lsm";
    let output = run(&["--memory", "--json", "-c", script]);
    let last = out(&output).lines().last().map(str::to_owned).expect("an object");
    let object: serde_json::Value = serde_json::from_str(&last).expect("JSON");
    let table = &object["result"]["levels"][0]["tables"][0];
    assert_eq!(
        table["smallest"],
        serde_json::json!({ "head": "M\u{fc}ller", "bytes": 7 }),
        "{table}"
    );
    assert_eq!(table["largest"], serde_json::json!({ "head": "\\xff", "bytes": 1 }), "{table}");
}

#[test]
fn presets_and_settings() {
    let set =
        ["--memory", "--preset", "classroom", "--set", "bloom_bits=3", "--set", "wal_sync=none"];
    let output = run(&[&set[..], &["--json", "-c", "options"]].concat());
    let object: serde_json::Value = serde_json::from_str(out(&output).trim()).expect("JSON");
    let options = object["result"]["options"].as_array().expect("a list");
    let value = |name: &str| {
        let option = options.iter().find(|option| option["name"] == name);
        option.map(|option| option["value"].clone()).unwrap_or_default()
    };
    assert_eq!(value("bloom_bits"), "3");
    assert_eq!(value("wal_sync"), "none");
    assert_eq!(value("memtable_bytes"), "1024");
}

#[test]
fn a_wrong_command_line_ends_with_exit_code_2() {
    for (wrong, hint) in [
        (&[][..], "hint: levelscope --help"),
        (&["--nope"], "hint: levelscope --help"),
        (&["a", "b"], "hint: levelscope --help"),
        (&["--memory", "a"], "hint: levelscope --help"),
        (&["--memory", "--identity", "zz"], "hint: levelscope --help"),
        (&["--memory", "--set", "memtable_bytes=xx"], "hint: levelscope --help"),
        (&["--memory", "--set", "memtable_byte=1"], "hint: did you mean memtable_bytes?"),
        (&["--memory", "--preset", "nope"], "hint: there are: default, article, classroom"),
        (&["chek", "./x"], "hint: did you mean check?"),
    ] {
        let output = run(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(err(&output).contains(hint), "{}", err(&output));
    }
    assert!(out(&run(&["--help"])).contains("usage: levelscope DIR"));
    assert!(out(&run(&["--version"])).starts_with("levelscope "));
}

#[test]
fn a_second_process_is_refused() {
    let directory = Directory::new("second");
    let mut first = program(&[directory.path()])
        .stdin(Stdio::piped())
        .spawn()
        .expect("the first process starts");
    let mut stdin = first.stdin.take().expect("it has an input");
    let mut stdout = BufReader::new(first.stdout.take().expect("it has an output"));
    stdin.write_all(b"put a 1\n").expect("it reads");
    let mut answer = String::new();
    stdout.read_line(&mut answer).expect("it answers before its input ends");
    assert!(answer.starts_with("ok"), "{answer}");
    let second = run(&[directory.path(), "-c", "get a"]);
    assert_eq!(second.status.code(), Some(1));
    let failure = err(&second);
    assert!(failure.contains("error: ") && failure.contains("one process at a time"), "{failure}");
    drop(stdin);
    assert!(first.wait().expect("it ends").success());
    let third = run(&[directory.path(), "-c", "get a"]);
    assert_eq!(out(&third), "1\n", "{}", err(&third));
}

#[test]
fn benchmarks_leave_nothing_behind() {
    let output = run(&["bench", "--benchmarks=fillseq,readrandom,stats", "--num=2000"]);
    assert!(output.status.success(), "{}", err(&output));
    let printed = out(&output);
    assert!(printed.contains("(2,000 of 2,000 found)"), "{printed}");
    let place = printed.lines().find_map(|line| line.split_once("database    ")).expect("a place");
    let path = place.1.split(';').next().expect("a path").to_owned();
    assert!(!std::path::Path::new(&path).exists(), "{path} is still there");

    let directory = Directory::new("bench-beside");
    let output = run(&[directory.path(), "-c", "put a 1; bench fillrandom --num 2000; count"]);
    assert!(output.status.success(), "{}{}", out(&output), err(&output));
    assert!(out(&output).contains("1 entry"), "{}", out(&output));
    assert!(!directory.0.join("bench").exists());
    assert_eq!(run(&["bench", "nope"]).status.code(), Some(1));
}

#[test]
fn reading_only_beside_the_owner() {
    let directory = Directory::new("read-only");
    let output = run(&[directory.path(), "--read-only", "-c", "get a"]);
    assert!(!output.status.success() && !directory.0.exists(), "{}", err(&output));
    let mut owner = program(&[directory.path()]).stdin(Stdio::piped()).spawn().expect("starts");
    let mut input = owner.stdin.take().expect("it has an input");
    let mut reader = BufReader::new(owner.stdout.take().expect("it has an output"));
    writeln!(input, "put a 1").expect("it listens");
    reader.read_line(&mut String::new()).expect("it answers");
    let output = run(&[directory.path(), "--read-only", "-c", "get a; files"]);
    assert!(output.status.success(), "{}", err(&output));
    let text = out(&output);
    assert!(text.starts_with("1\n") && text.contains("for reading only"), "{text}");
    for refused in ["put b 2", "flush", "reset --yes"] {
        let output = run(&[directory.path(), "--read-only", "-c", refused]);
        assert!(!output.status.success(), "{refused}: {}", out(&output));
        assert!(err(&output).contains("for reading only"), "{refused}: {}", err(&output));
    }
    let output = run(&[directory.path(), "--read-only", "-c", "corrupt CURRENT 3"]);
    assert!(err(&output).contains("open a copy of it"), "{}", err(&output));
    drop(input);
    assert!(owner.wait().expect("it ends").success());
    assert_eq!(out(&run(&[directory.path(), "-c", "get a"])).trim(), "1");
}

#[test]
fn damage_is_reported_and_repaired_into_a_new_directory() {
    let directory = Directory::new("damaged");
    let repaired = Directory::new("repaired");
    let output = run(&[directory.path(), "--preset", "classroom", "-c", "fill 300; flush; run"]);
    assert!(output.status.success(), "{}", err(&output));
    let output = run(&["check", directory.path()]);
    assert!(output.status.success() && out(&output).contains("no damage"), "{}", err(&output));
    let listed = std::fs::read_dir(&directory.0).expect("lists");
    let table = listed
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sst"))
        .min()
        .expect("a table");
    let mut bytes = std::fs::read(&table).expect("reads");
    bytes[30] ^= 4;
    std::fs::write(&table, &bytes).expect("writes");
    let output = run(&["check", directory.path(), "--json"]);
    assert_eq!(output.status.code(), Some(1), "{}", out(&output));
    assert!(out(&output).contains("levelscope repair DIR NEW"), "{}", out(&output));
    let output = run(&[directory.path(), "-c", "count"]);
    assert!(err(&output).contains("levelscope repair DIR NEW"), "{}", err(&output));
    let output = run(&["repair", directory.path(), repaired.path()]);
    assert!(output.status.success(), "{}{}", out(&output), err(&output));
    let report = out(&output);
    assert!(
        report.contains("lost") && report.contains("1 loss; a check of it finds no damage"),
        "{report}"
    );
    assert!(std::fs::read(&table).expect("reads") == bytes, "the source was changed");
    let output = run(&["check", repaired.path()]);
    assert!(output.status.success() && out(&output).contains("no damage"), "{}", err(&output));
    let output = run(&[repaired.path(), "-c", "count"]);
    assert!(output.status.success(), "{}", err(&output));
    let output = run(&["repair", directory.path(), repaired.path()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("is not empty"), "{}", err(&output));
    for wrong in
        [&["check"][..], &["repair", "a"], &["check", "a", "b"], &["repair", "a", "b", "c"]]
    {
        assert_eq!(run(wrong).status.code(), Some(2), "{wrong:?}");
    }
    let output = run(&["check", "/nowhere/at/all"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn an_open_database_is_checked_beside_its_owner() {
    let directory = Directory::new("check-locked");
    let mut owner = program(&[directory.path()]).stdin(Stdio::piped()).spawn().expect("starts");
    let mut input = owner.stdin.take().expect("it has an input");
    let mut reader = BufReader::new(owner.stdout.take().expect("it has an output"));
    writeln!(input, "put a 1").expect("it listens");
    reader.read_line(&mut String::new()).expect("it answers");
    let output = run(&["check", directory.path()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("--read-only -c check"), "{}", err(&output));
    let output = run(&["repair", directory.path(), &format!("{}-new", directory.path())]);
    assert_eq!(output.status.code(), Some(1), "{}", out(&output));
    let _ = std::fs::remove_dir_all(format!("{}-new", directory.path()));
    let output = run(&[directory.path(), "--read-only", "-c", "check"]);
    assert!(output.status.success(), "{}", err(&output));
    drop(input);
    assert!(owner.wait().expect("it ends").success());
    let output = run(&["check", directory.path()]);
    assert!(output.status.success(), "{}", err(&output));
}

#[test]
fn a_database_of_leveldb_is_imported_and_exported() {
    let fixture = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/fixtures/formats/leveldb/f_deletes_overwrites"
    );
    let (imported, exported) = (Directory::new("imported"), Directory::new("exported"));
    let output = run(&["import", fixture, imported.path()]);
    assert!(output.status.success(), "{}{}", out(&output), err(&output));
    let count = "79 live entries (";
    assert!(out(&output).contains(count) && out(&output).contains("no damage"), "{}", out(&output));
    let output = run(&["export", imported.path(), exported.path()]);
    assert!(output.status.success(), "{}{}", out(&output), err(&output));
    assert!(out(&output).contains("79 live entries in 1 table on level 1"), "{}", out(&output));
    let again = Directory::new("imported-again");
    let output = run(&["import", exported.path(), again.path(), "--json"]);
    assert!(output.status.success(), "{}{}", out(&output), err(&output));
    assert!(out(&output).contains("\"entries\":79"), "{}", out(&output));
    let scan = |directory: &Directory| out(&run(&[directory.path(), "-c", "scan --limit 100"]));
    assert!(scan(&imported).contains("79 entries.") && scan(&imported) == scan(&again));
    for words in [["import", fixture], ["export", imported.path()]] {
        let output = run(&[words[0], words[1], again.path()]);
        assert!(err(&output).contains("is not empty"), "{}", err(&output));
        assert_eq!(run(&words).status.code(), Some(2));
    }
}

#[test]
fn a_damaged_database_of_leveldb_is_imported_only_when_asked() {
    let fixture =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/formats/leveldb/g_corrupt_block");
    let target = Directory::new("import-damaged");
    let output = run(&["import", fixture, target.path()]);
    assert_eq!(output.status.code(), Some(1));
    let file = "000005.ldb: ";
    assert!(err(&output).contains(file), "{}", err(&output));
    let salvaged = Directory::new("import-salvaged");
    let output = run(&["import", fixture, salvaged.path(), "--skip-damage"]);
    assert!(output.status.success(), "{}{}", out(&output), err(&output));
    assert!(out(&output).contains(file) && out(&output).contains("358 live"), "{}", out(&output));
    let output = run(&["import", "/nowhere/at/all", salvaged.path()]);
    assert_eq!(output.status.code(), Some(1));
}
