//! The order of writes: no file is used before it is durable.

use crate::common::open_watched;
use levelscope::storage::{FileName, MemoryStorage};
use levelscope::testing::order::OrderWatcher;
use levelscope::{Maintenance, Options, WalSync, WriteBatch};
use std::path::Path;
use std::sync::Arc;

fn options(maintenance: Maintenance, sync: bool) -> Options {
    Options::default()
        .memtable_bytes(2048)
        .block_bytes(256)
        .level_base_bytes(8192)
        .maintenance(maintenance)
        .wal_sync(if sync { WalSync::Group } else { WalSync::None })
}

fn key(number: u64) -> Vec<u8> {
    format!("key{:04}", number.wrapping_mul(7919) % 500).into_bytes()
}

#[test]
fn nothing_is_used_before_it_is_durable() {
    for (maintenance, sync) in [
        (Maintenance::Inline, true),
        (Maintenance::Inline, false),
        (Maintenance::Threads(2), false),
    ] {
        let (order, storage) = OrderWatcher::over(Arc::new(MemoryStorage::new()));
        for _ in 0..3 {
            let db = open_watched(Arc::clone(&storage), options(maintenance, sync), None).unwrap();
            for number in 0..1500 {
                db.put(key(number), [b'v'; 40]).unwrap();
                if number % 5 == 0 {
                    db.delete(key(number / 2)).unwrap();
                }
                if number % 100 == 0 {
                    let mut batch = WriteBatch::default();
                    batch.put(b"a", b"1").unwrap();
                    batch.put(b"b", b"2").unwrap();
                    db.write(&batch, Some(true)).unwrap();
                }
            }
            db.request_compaction(None).unwrap();
            db.close().unwrap();
        }
        assert_eq!(order.breaches(), Vec::<String>::new(), "{maintenance:?}, sync {sync}");
        let names = storage.list().unwrap();
        let table = |name: &String| matches!(FileName::parse(name), Some(FileName::Table(_)));
        assert!(names.iter().any(table), "the script flushes");
    }
}

/// Whether `text` opens a database for writing without the watcher.
fn opens_unwatched(text: &str) -> bool {
    let opens = format!(".open{}", "_in(");
    let mut statements = text.split(';').filter(|statement| statement.contains(&opens));
    statements.any(|statement| !statement.contains(".read_only()"))
}

/// Every test must open its databases under the watcher, so that the rule is checked in all of them. Reads write
/// nothing that could be watched; the ways of opening have tests of their own.
#[test]
fn every_test_opens_its_databases_under_the_watch() {
    fn visit(directory: &Path, problems: &mut Vec<String>) {
        for entry in std::fs::read_dir(directory).expect("the tests are there") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                visit(&path, problems);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("readable");
                let by_path = text.contains(&format!("Db::{}", "open("));
                let own = ["common/watched.rs", "everyday.rs", "options.rs"];
                let may = own.iter().any(|own| path.ends_with(own));
                if (opens_unwatched(&text) || by_path) && !may {
                    problems.push(format!("{}: use common::open_watched", path.display()));
                }
            }
        }
    }
    assert!(opens_unwatched(&format!("let a = b; Db::builder().open{}storage);", "_in(")));
    let mut problems = Vec::new();
    visit(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"), &mut problems);
    assert!(problems.is_empty(), "{problems:#?}");
}
