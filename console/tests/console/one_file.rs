//! The entries of one opened file as a branch.

use super::{MemoryHost, text};
use levelscope::Options;
use levelscope_console::{Console, Foreign};
use std::sync::Arc;

#[test]
fn the_entries_of_one_file_become_a_branch() {
    let mut console = Console::new(Box::new(MemoryHost::default()));
    console.open(Options::preset("classroom").expect("it exists")).expect("it opens");
    let first = "put pear green; put apple red; put apple gold; del pear; put fig dark";
    assert_eq!(console.run(first).error, None);
    // A table and a log, in which a key stands more than once and a tombstone hides another.
    for format in ["ladder-blocks", "kvdb-log"] {
        assert_eq!(console.run(&format!("convert {format} --name mine.file")).error, None);
        let response = console.run("import @mine.file");
        assert_eq!(response.error, None, "{format}: {}", text(&response));
        assert!(text(&response).contains("2 live entries taken from @mine.file."), "{format}");
        assert_eq!(console.run("scan").result["entries"].as_array().map(Vec::len), Some(2));
        assert_eq!(console.run("get apple").result["value"], "gold");
        assert_eq!(console.run("check").error, None);
        assert_eq!(console.run("branch main; close --all").error, None);
    }
}

#[test]
fn a_damaged_file_becomes_a_branch_only_without_its_damage() {
    let host = MemoryHost::default();
    let saved = Arc::clone(&host.saved);
    let mut console = Console::new(Box::new(host));
    console.open(Options::preset("classroom").expect("it exists")).expect("it opens");
    let made = console.run("fill 600; convert kvdb-log --name a.db; export @a.db");
    assert_eq!(made.error, None, "{}", text(&made));
    let mut files = saved.lock().expect("no thread panicked").clone();
    let log = files.last_mut().expect("it was saved");
    log.bytes[1000] ^= 4;
    let damaged = Foreign { name: "b.db".into(), bytes: log.bytes.clone() };
    console.run_files(vec![damaged], None);
    let error = console.run("import @b.db").error.expect("it is damaged");
    assert!(error.message.contains("b.db"), "{}", error.message);
    let response = console.run("import @b.db --skip-damage");
    assert_eq!(response.error, None, "{}", text(&response));
    assert!(text(&response).contains("skipped"), "{}", text(&response));
    let left = console.run("scan --limit 1000").result["entries"].as_array().map(Vec::len);
    assert!(left.is_some_and(|left| left > 0 && left < 600), "{left:?}");
}
