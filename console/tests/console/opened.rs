//! Files from outside the database: what they are taken for, what is told of them, and that nothing in them
//! does harm.

use super::{MemoryHost, console, console_on, text};
use levelscope::Options;
use levelscope::storage::{FileName, MemoryStorage, Storage, read_exactly};
use levelscope_console::{Console, Foreign, Response};
use levelscope_formats::FORMATS;
use std::fs;
use std::path::Path;
use std::sync::Arc;

const DEMO: &[u8] = b"\x03\0\x02\0bar\x011\x03\0\x01\0baz\0\x03\0\x03\0foo\x0122";

/// A small table of another program.
pub(crate) fn demo() -> Foreign {
    foreign("demo.table", DEMO)
}

/// What the examples of the verbs need: a table, and a database under `demo/`.
pub(crate) fn examples() -> Vec<Foreign> {
    let own = own_files().into_iter();
    let own = own.map(|file| Foreign { name: file.name.replace("copy of ", "demo/"), ..file });
    own.chain([demo()]).collect()
}

fn foreign(name: &str, bytes: &[u8]) -> Foreign {
    Foreign { name: name.into(), bytes: bytes.to_vec() }
}

fn opened(name: &str, bytes: &[u8]) -> (Console, Response) {
    let mut console = console("default");
    let response = console.run_files(vec![foreign(name, bytes)], None);
    (console, response)
}

/// The files of a database with a table, a log, a manifest and `CURRENT`.
pub(crate) fn own_files() -> Vec<Foreign> {
    files_after("fill 40; flush; run; put last 1; sync", "copy of ")
}

/// All files of a new database after `line`; `before`: what their names begin with.
fn files_after(line: &str, before: &str) -> Vec<Foreign> {
    let disk = MemoryStorage::default();
    let mut console = console_on(disk.clone(), "classroom");
    assert_eq!(console.run(line).error, None);
    console.close().expect("it closes");
    let mut files = Vec::new();
    for name in disk.list().expect("it lists") {
        let name = FileName::parse(&name).filter(|name| *name != FileName::Lock);
        let Some(name) = name else { continue };
        let file = disk.open(name).expect("it opens");
        let length = usize::try_from(file.len().expect("it has a length")).expect("it is small");
        let bytes = read_exactly(&*file, name, 0, length).expect("it reads");
        files.push(foreign(&format!("{before}{name}"), &bytes));
    }
    files
}

/// Everything that can be asked of a file, answered without harm.
fn look_all_over(console: &mut Console, id: &str) {
    for line in [
        format!("opened {id}"),
        format!("layout {id} --limit 50"),
        format!("layout {id} -v --limit 300"),
        format!("layout {id} --ribbon 50"),
        format!("layout {id} --node \"\""),
        format!("hex {id} --length 4096"),
        format!("hex {id} --at 99999999999 --length 16"),
        format!("entries {id} --limit 100"),
        format!("lookup {id} bar --detail"),
        format!("lookup {id} key --search sequential"),
        format!("lookup {id} key --search binary"),
    ] {
        for line in console.run(&line).lines {
            assert!(!line.to_text().chars().any(char::is_control), "{line:?}");
        }
    }
}

#[test]
fn a_file_is_recognized_listed_searched_and_closed() {
    let (mut console, response) = opened("demo.table", DEMO);
    assert_eq!(response.error, None);
    let file = &response.result["files"][0];
    assert_eq!(file["id"], "@demo.table");
    assert_eq!(file["format"]["id"], "ladder-fixed");
    assert_eq!(file["entries"], 3);
    assert!(file["damage"].is_null(), "{file}");
    let entries = console.run("entries @demo.table");
    assert_eq!(entries.result["entries"][1]["value"], serde_json::Value::Null);
    assert_eq!(console.run("entries @demo.table --limit 1").result["more"], true);
    let found = console.run("lookup @demo.table foo --detail");
    assert_eq!(found.result["value"], "22");
    assert_eq!(found.result["trail"]["comparisons"], 3);
    assert_eq!(console.run("lookup @demo.table baz").result["deleted"], true);
    let refused = console.run("lookup @demo.table foo --search binary");
    let hint = refused.error.and_then(|failure| failure.hint).unwrap_or_default();
    assert_eq!(hint, "it has: sequential");
    assert_eq!(console.run("close @demo.table").error, None);
    assert!(console.run("layout @demo.table").error.is_some());
}

#[test]
fn two_files_of_one_name_are_told_apart() {
    let mut console = console("default");
    let files = vec![foreign("a/demo", DEMO), foreign("a\\demo", b"x"), foreign("a/demo", b"y")];
    let response = console.run_files(files, None);
    let ids: Vec<_> = (0..3).map(|at| response.result["files"][at]["id"].clone()).collect();
    assert_eq!(ids, ["@a/demo", "@a/demo-2", "@a/demo-3"]);
}

#[test]
fn files_of_two_databases_with_the_same_names_stay_apart() {
    for directory in ["", "db/"] {
        let mut console = console("classroom");
        for key in ["first", "second"] {
            let files = files_after(&format!("put {key} 1; flush; run"), directory);
            assert_eq!(console.run_files(files, None).error, None);
        }
        let word = if directory.is_empty() { "@files-2" } else { "@db-2" };
        let told = console.run(&format!("import {word}"));
        let found = console.run("scan");
        assert_eq!(told.error, None, "{directory:?}");
        let entries = &found.result["entries"];
        assert_eq!((&entries[0]["key"], &entries[1]), (&"second".into(), &().into()), "{entries}");
    }
}

#[test]
fn the_database_and_its_past_do_not_notice() {
    let mut console = console("classroom");
    console.run("put a 1; put b 2");
    let (hash, steps) = (console.state_hash().expect("it has a state"), console.steps());
    console.run_files(vec![demo()], None);
    look_all_over(&mut console, "@demo.table");
    assert_eq!(console.state_hash().expect("it has a state"), hash);
    assert_eq!(console.steps(), steps);
    // The past sees the same files, and branches do too.
    console.start_at("layout @demo.table", 1);
    let answer = loop {
        match console.advance(64) {
            levelscope_console::Progress::Done(response) => break response,
            levelscope_console::Progress::More { .. } => {}
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(answer.error, None);
    console.run("fork");
    assert_eq!(console.run("entries @demo.table").error, None);
}

#[test]
fn files_of_the_engine_are_known_by_their_content() {
    let mut kinds = Vec::new();
    for file in own_files() {
        let mut console = console("default");
        let response = console.run_files(vec![file], None);
        let state = &response.result["files"][0];
        assert!(state["damage"].is_null(), "{state}");
        let id = state["id"].as_str().expect("it has an id").to_owned();
        kinds.push(state["format"]["id"].as_str().unwrap_or("none").to_owned());
        let layout = console.run(&format!("layout {id} -v"));
        assert!(layout.result["children"].as_array().is_some_and(|parts| parts.len() > 1));
        look_all_over(&mut console, &id);
    }
    kinds.sort();
    kinds.dedup();
    let all = ["levelscope-current", "levelscope-log", "levelscope-manifest", "levelscope-table"];
    assert_eq!(kinds, all);
}

#[test]
fn the_first_bad_byte_is_named() {
    for file in own_files() {
        if !file.name.contains("sst") {
            continue;
        }
        let mut bytes = file.bytes;
        bytes[100] ^= 1;
        let (mut console, response) = opened("bad.sst", &bytes);
        let damage = &response.result["files"][0]["damage"];
        let offset = damage["offset"].as_u64().expect("it is damaged");
        assert!(offset <= 100, "{damage}");
        assert!(text(&response).contains("damaged"), "{}", text(&response));
        look_all_over(&mut console, "@bad.sst");
    }
    let (_, response) = opened("cut.table", &DEMO[..DEMO.len() - 1]);
    // Nothing proves that a table without magic is one, so it has to be said.
    assert!(response.result["files"][0]["format"].is_null());
    let mut console = console("default");
    let cut = foreign("cut.table", &DEMO[..DEMO.len() - 1]);
    let response = console.run_files(vec![cut], Some("ladder-fixed"));
    let state = &response.result["files"][0];
    assert_eq!((&state["damage"]["offset"], &state["entries"]), (&17.into(), &2.into()));
}

#[test]
fn odd_names_and_contents_do_no_harm() {
    for (name, id) in [
        ("", "@unnamed"),
        ("\u{1b}]0;x\u{7}", "@__0_x_"),
        ("<img src=x>", "@_img_src_x_"),
        ("\u{fffd}\u{fffd}", "@__"),
        ("../../../etc/passwd", "@etc/passwd"),
    ] {
        let (mut console, response) = opened(name, b"");
        assert_eq!(response.result["files"][0]["id"], id);
        look_all_over(&mut console, id);
    }
    for bytes in
        [&b"\0"[..], &[0xff; 64], &[0; 5000], b"lvsc.wal", b"lvsc.man", b"lvsc.cur", b"lvsc.sst"]
    {
        let (mut console, _) = opened("odd", bytes);
        look_all_over(&mut console, "@odd");
    }
}

#[test]
fn what_is_too_much_is_refused() {
    let mut console = console("default");
    let large = foreign("large", &vec![0; (300 << 20) + 1]);
    let response = console.run_files(vec![large], None);
    assert_eq!(response.error.map(|failure| failure.kind).as_deref(), Some("tooLarge"));
    let many = (0..1030).map(|number| foreign(&number.to_string(), b"x")).collect();
    let response = console.run_files(many, None);
    assert_eq!(response.error.map(|failure| failure.kind).as_deref(), Some("tooLarge"));
    let open = console.run("opened");
    assert_eq!(open.result["files"].as_array().map(Vec::len), Some(1024));
}

#[test]
fn opened_files_go_out_as_they_are() {
    let host = MemoryHost::default();
    let saved = Arc::clone(&host.saved);
    let mut console = Console::new(Box::new(host));
    console.run_files(vec![demo()], None);
    assert_eq!(console.run("export @demo.table").result["name"], "demo.table");
    assert_eq!(*saved.lock().expect("no thread panicked"), [demo()]);
}

/// An export in the past hands out the files of that step; a replay hands nothing out again.
#[test]
fn a_database_of_the_past_goes_out() {
    let host = MemoryHost::default();
    let saved = Arc::clone(&host.saved);
    let take = || std::mem::take(&mut *saved.lock().expect("no test panicked with it"));
    let mut console = Console::new(Box::new(host));
    console.open(Options::preset("classroom").expect("it exists")).expect("it opens");
    assert_eq!(console.run("put a 1; export").error, None);
    let (then, step) = (take(), console.steps());
    assert_eq!(console.run("export --leveldb; put a 2").error, None);
    let exported = console.steps();
    assert!(!take().is_empty());
    assert_eq!(console.run(&format!("put a 3; goto {exported}; get a")).error, None);
    assert_eq!(take(), []);
    assert_eq!(console.run(&format!("goto {step}; export")).error, None);
    assert_eq!(take(), then);
}

#[test]
fn a_database_goes_out_and_comes_in_as_a_branch() {
    let host = MemoryHost::default();
    let saved = Arc::clone(&host.saved);
    let mut console = Console::new(Box::new(host));
    console.open(Options::preset("classroom").expect("it exists")).expect("it opens");
    assert_eq!(console.run("fill 60 --start 1; flush; run; put main yes").error, None);
    assert_eq!(console.run("export").error, None);
    let mut files = saved.lock().expect("no thread panicked").clone();
    assert!(files.len() >= 4, "{}", files.len());
    console.run("del main");
    for file in &mut files {
        file.name = file.name.replace("levelscope/", "mine/");
    }
    files.push(foreign("mine/readme.txt", b"hello"));
    console.run_files(files.clone(), None);
    let response = console.run("import @mine");
    assert_eq!(response.error, None, "{}", text(&response));
    assert_eq!(response.result["name"], "import 1");
    assert_eq!(console.run("get main").result["value"], "yes");
    assert_eq!(console.run("check").error, None);
    console.run("branch main");
    assert_eq!(console.run("get main").result["found"], false);
    // A damaged or incomplete database is not opened, and changes nothing.
    let hash = console.state_hash().expect("it has a state");
    let mut damaged = files.clone();
    let table = damaged.iter_mut().find(|file| file.name.contains("sst")).expect("a table");
    table.bytes[20] ^= 4;
    let without = files.iter().filter(|file| !file.name.ends_with("CURRENT")).cloned().collect();
    for wrong in [damaged, without, vec![demo()]] {
        console.run("close --all");
        console.run_files(wrong, None);
        assert!(console.run("import @mine").error.is_some());
        assert_eq!(console.state_hash().expect("it has a state"), hash);
    }
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
    let own = own_files().into_iter().map(|file| (file.name, file.bytes));
    let mut console = console("default");
    for (name, bytes) in fixtures().into_iter().chain(own) {
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
            let response = console.run_files(vec![foreign(&name, &bytes)], None);
            let id = response.result["files"][0]["id"].as_str().expect("it opens").to_owned();
            look_all_over(&mut console, &id);
            console.run("close --all");
        }
    }
}

#[test]
fn files_are_what_somebody_says_they_are() {
    let mut console = console("default");
    console.run_files(vec![foreign("any", b"not a table at all")], None);
    for format in FORMATS {
        let id = format.info().id;
        assert_eq!(console.run(&format!("open @any --as {id}")).error, None, "{id}");
        look_all_over(&mut console, "@any");
    }
    let refused = console.run("open @any --as ladder-fixd");
    let hint = refused.error.and_then(|failure| failure.hint).unwrap_or_default();
    assert!(hint.contains("did you mean"), "{hint}");
}

/// A mebibyte of what hurts decoders: lengths of zero and of the largest kind, varints that never end.
#[test]
fn a_hostile_mebibyte_is_read_by_every_format() {
    let mut console = console("default");
    let contents: Vec<Vec<u8>> =
        [&[0][..], &[0xff], &[0x80], &[1, 0, 1, 0, 0, 0], b"lvsc.wal", &[1]]
            .iter()
            .map(|pattern| pattern.iter().copied().cycle().take(1 << 20).collect())
            .collect();
    for content in &contents {
        for given in FORMATS.iter().map(|format| Some(format.info().id)).chain([None]) {
            let response = console.run_files(vec![foreign("hostile", content)], given);
            assert_eq!(response.error, None);
            look_all_over(&mut console, "@hostile");
            console.run("close --all");
        }
    }
}
