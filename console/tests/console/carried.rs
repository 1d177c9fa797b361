//! Databases and entries that go out, and come in as branches.

use super::{MemoryHost, console_on, text};
use levelscope::Options;
use levelscope::storage::{FileName, MemoryStorage, Storage, read_exactly};
use levelscope_console::{Console, Foreign};
use levelscope_formats::kvdb;
use std::sync::{Arc, Mutex};

fn foreign(name: &str, bytes: &[u8]) -> Foreign {
    Foreign { name: name.into(), bytes: bytes.to_vec() }
}

/// The files of a database with a table, a log, a manifest and `CURRENT`.
pub(crate) fn own_files() -> Vec<Foreign> {
    files_after("fill 40; flush; run; put last 1; sync")
}

/// All files of a new database after `line`.
fn files_after(line: &str) -> Vec<Foreign> {
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
        files.push(foreign(&name.to_string(), &bytes));
    }
    files
}

fn started() -> (Console, Arc<Mutex<Vec<Foreign>>>) {
    let host = MemoryHost::default();
    let saved = Arc::clone(&host.saved);
    let mut console = Console::new(Box::new(host));
    console.open(Options::preset("classroom").expect("it exists")).expect("it opens");
    (console, saved)
}

/// An export in the past hands out the files of that step; a replay hands nothing out again.
#[test]
fn a_database_of_the_past_goes_out() {
    let (mut console, saved) = started();
    let take = || std::mem::take(&mut *saved.lock().expect("no test panicked with it"));
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
    let (mut console, saved) = started();
    assert_eq!(console.run("fill 60 --start 1; flush; run; put main yes").error, None);
    assert_eq!(console.run("export").error, None);
    let mut files = saved.lock().expect("no thread panicked").clone();
    assert!(files.len() >= 4, "{}", files.len());
    console.run("del main");
    files.push(foreign("levelscope/readme.txt", b"hello"));
    let response = console.run_files(files.clone());
    assert_eq!(response.error, None, "{}", text(&response));
    assert_eq!(response.result()["name"], "import 1");
    assert_eq!(console.run("get main").result()["value"], "yes");
    assert_eq!(console.run("check").error, None);
    console.run("branch main");
    assert_eq!(console.run("get main").result()["found"], false);
    // A damaged or incomplete database is not opened, and changes nothing.
    let hash = console.state_hash().expect("it has a state");
    let mut damaged = files.clone();
    let table = damaged.iter_mut().find(|file| file.name.contains("sst")).expect("a table");
    table.bytes[20] ^= 4;
    let without = files.iter().filter(|file| !file.name.ends_with("CURRENT")).cloned().collect();
    for wrong in [damaged, without, vec![foreign("demo.table", b"no log")], Vec::new()] {
        assert!(console.run_files(wrong).error.is_some());
        assert_eq!(console.state_hash().expect("it has a state"), hash);
    }
}

#[test]
fn entries_go_out_as_a_log_and_come_in_as_a_branch() {
    let (mut console, saved) = started();
    let first = "put pear green; put apple red; put apple gold; del pear; put fig dark";
    assert_eq!(console.run(first).error, None);
    let response = console.run("export --entries");
    assert_eq!(response.error, None, "{}", text(&response));
    let mut files = saved.lock().expect("no thread panicked").clone();
    let [log] = files.as_mut_slice() else { panic!("one file: {files:?}") };
    // Of a key that stands in it more than once the last record counts.
    kvdb::put(&mut log.bytes, b"fig", Some(b"light")).expect("it fits");
    let response = console.run_files(files.clone());
    assert_eq!(response.error, None, "{}", text(&response));
    assert!(text(&response).contains("2 live entries taken from entries.db."), "{response:?}");
    assert_eq!(console.run("scan").result()["entries"].as_array().map(Vec::len), Some(2));
    assert_eq!(console.run("get apple").result()["value"], "gold");
    assert_eq!(console.run("get fig").result()["value"], "light");
    assert_eq!(console.run("check").error, None);
}

#[test]
fn a_damaged_log_becomes_a_branch_only_without_its_damage() {
    let mut log = Vec::new();
    for number in 0..600 {
        kvdb::put(&mut log, format!("key{number}").as_bytes(), Some(b"value")).expect("it fits");
    }
    log[1000] ^= 4;
    let host = MemoryHost { there: vec![foreign("b.db", &log)], ..MemoryHost::default() };
    let mut console = Console::new(Box::new(host));
    console.open(Options::preset("classroom").expect("it exists")).expect("it opens");
    let error = console.run("import b.db").error.expect("it is damaged");
    assert!(error.message.contains("b.db"), "{}", error.message);
    let response = console.run("import b.db --skip-damage");
    assert_eq!(response.error, None, "{}", text(&response));
    assert!(text(&response).contains("skipped"), "{}", text(&response));
    let left = console.run("scan --limit 1000").result()["entries"].as_array().map(Vec::len);
    assert!(left.is_some_and(|left| left > 0 && left < 600), "{left:?}");
}

/// The verbs on opened files moved to the terminal of a directory.
#[test]
fn verbs_on_opened_files_name_where_they_are_now() {
    let (mut console, _) = started();
    for (line, there) in [
        ("opened", "`files`"),
        ("formats", "`formats`"),
        ("entries @a.sst", "`scan`"),
        ("lookup @a.sst key", "`explain get KEY`"),
        ("convert kvdb-log", "`convert`"),
        ("kvdb put a 1", "`kvdb`"),
        ("save @a.sst b", "`save`"),
        ("open a.sst", "--read-only"),
    ] {
        let hint = console.run(line).error.and_then(|failure| failure.hint).unwrap_or_default();
        assert!(hint.contains(there) && hint.contains("--read-only"), "{line}: {hint}");
    }
}
