//! Opened directories: each one object, with its levels, its damage, and its files.

use super::opened::{demo, own_files};
use super::{console, text};
use levelscope_console::{Console, Foreign};

fn in_directory(name: &str) -> Vec<Foreign> {
    let own = own_files().into_iter();
    own.map(|file| Foreign { name: file.name.replace("copy of ", &format!("{name}/")), ..file })
        .collect()
}

fn is_a(file: &Foreign, extension: &str) -> bool {
    file.name.rsplit_once('.').is_some_and(|(_, known)| known == extension)
}

/// A directory is one object: with its levels, its damage first, and closed as a whole.
#[test]
fn a_directory_is_told_and_closed_as_a_whole() {
    let mut console = console("default");
    let mut files = in_directory("mine");
    let table = files.iter().position(|file| is_a(file, "sst")).expect("a table");
    let missing = files.remove(table);
    let log = files.iter_mut().find(|file| is_a(file, "wal")).expect("a log");
    log.bytes[60] ^= 1;
    let damaged = log.name.clone();
    files.push(demo());
    let count = files.len();
    let response = console.run_files(files, None);
    assert_eq!(response.error, None);
    let directory = &response.result["directories"][0];
    assert_eq!(directory["id"], "@mine");
    assert_eq!(directory["what"], "a database of Levelscope");
    assert_eq!(directory["damaged"][0], format!("@{damaged}"));
    let plain = missing.name.trim_start_matches("mine/");
    assert_eq!(directory["flaws"][0]["name"], plain);
    assert_eq!(directory["flaws"][0]["file"], serde_json::Value::Null);
    let drawn = directory["view"]["levels"].as_array().expect("its levels");
    let drawn = drawn.iter().flat_map(|level| level["tables"].as_array().expect("tables"));
    assert!(drawn.clone().any(|table| table["entries"].as_u64() > Some(0)), "{directory}");
    let gone = directory["objects"].as_array().expect("objects");
    let gone: Vec<_> = gone.iter().filter(|object| object["file"].is_null()).collect();
    assert_eq!(gone.len(), 1, "{gone:?}");
    let told = text(&response);
    let at = |word: &str| told.find(word).unwrap_or_else(|| panic!("{word} in {told}"));
    assert!(at("damaged") < at("missing") && at("missing") < at("L0  "), "{told}");

    assert_eq!(console.run("opened @mine").result["directories"][0]["id"], "@mine");
    assert_eq!(console.run("opened").result["files"].as_array().map(Vec::len), Some(count));
    assert_eq!(console.run("close @mine").error, None);
    let left = console.run("opened").result;
    assert_eq!(left["files"].as_array().map(Vec::len), Some(1));
    assert_eq!(left["directories"].as_array().map(Vec::len), Some(0));
}

/// A file that is opened later, or closed, changes its directory.
#[test]
fn a_directory_follows_its_files() {
    let mut console = console("default");
    let mut files = in_directory("mine");
    let late = files.pop().expect("a file");
    console.run_files(files, None);
    let flaws = |console: &mut Console| console.run("opened").result["directories"][0].clone();
    let before = flaws(&mut console);
    console.run_files(vec![late.clone()], None);
    let after = flaws(&mut console);
    assert_eq!(after["flaws"].as_array().map(Vec::len), Some(0), "{after}");
    assert_ne!(before, after);
    console.run(&format!("close @{}", late.name));
    assert_eq!(flaws(&mut console), before);
}
