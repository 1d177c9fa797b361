//! Opened directories: each one object, with its damage and its files.

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

/// A directory is one object: with its damage first, and closed as a whole.
#[test]
fn a_directory_is_told_and_closed_as_a_whole() {
    let mut console = console("default");
    let mut files = in_directory("mine");
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
    let told = text(&response);
    assert!(told.contains("damaged at"), "{told}");

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
    let directory = |console: &mut Console| console.run("opened").result["directories"][0].clone();
    let before = directory(&mut console);
    console.run_files(vec![late.clone()], None);
    assert_ne!(before, directory(&mut console));
    console.run(&format!("close @{}", late.name));
    assert_eq!(directory(&mut console), before);
}
