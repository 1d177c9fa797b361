//! Files that are made from the database and from others, and the database of one log.

use super::{console, text};
use levelscope_console::Foreign;
use levelscope_formats::FORMATS;

#[test]
fn entries_of_the_database_are_written_in_every_format_that_can_be() {
    let mut console = console("classroom");
    assert_eq!(console.run("fill 200 --words --seed 7; del absent; run").error, None);
    let scanned = console.run("scan --limit 1000").result["entries"].clone();
    for format in FORMATS.iter().map(|format| format.info()).filter(|info| info.writable) {
        let made = console.run(&format!("convert {}", format.id));
        assert_eq!(made.error, None, "{}", text(&made));
        assert_eq!(made.result["format"]["id"], format.id);
        let listed = console.run(&format!("entries @{} --limit 1000", format.id));
        let listed = listed.result["entries"].as_array().expect("a list").clone();
        assert_eq!(listed.len(), scanned.as_array().expect("a list").len(), "{}", format.id);
        for (ours, theirs) in scanned.as_array().expect("a list").iter().zip(&listed) {
            assert_eq!(ours["key"], theirs["key"], "{}", format.id);
        }
    }
}

#[test]
fn a_log_becomes_a_table_of_the_newest_entries() {
    let mut console = console("default");
    for line in ["kvdb put b 1", "kvdb put a 2", "kvdb put b 3", "kvdb del a"] {
        assert_eq!(console.run(line).error, None, "{line}");
    }
    let made = console.run("convert ladder-varint @store.db --name t");
    assert_eq!(made.error, None, "{}", text(&made));
    let entries = console.run("entries @t").result["entries"].clone();
    assert_eq!(entries.as_array().map(Vec::len), Some(2), "{entries}");
    assert!(text(&console.run("lookup @t b")).contains('3'));
    let failure = console.run("convert levelscope-table").error.expect("the engine makes those");
    assert!(failure.message.contains("can only be read"), "{failure:?}");
}

#[test]
fn kvdb_reads_what_it_wrote_and_cuts_off_a_torn_end() {
    let mut console = console("default");
    let got = text(&console.run("kvdb get key1"));
    assert_eq!(got, "key1: not found in @store.db\n0 reads, 0 of 0 bytes read, 0 comparisons.\n");
    let put = console.run("kvdb put key1 value1");
    assert!(text(&put).contains("A record of 23 bytes at offset 0."), "{}", text(&put));
    let got = console.run("kvdb get key1");
    let told = "read records at 0, 23 bytes, 1 comparison\nkey1 = value1, stored at offset 0\n\
                1 read, 23 of 23 bytes read, 1 comparison.\n";
    assert_eq!(text(&got), told);
    assert_eq!((&got.result["found"], &got.result["offset"]), (&true.into(), &0.into()));
    let hex = text(&console.run("hex @store.db"));
    assert!(hex.contains("29 8e b4 87"), "{hex}");
    // 13 bytes of header count, too.
    assert!(console.run("kvdb put k 1234567 --record-limit 21").error.is_none());
    let failure = console.run("kvdb put k 12345678 --record-limit 21").error.expect("too long");
    assert!(failure.message.contains("22") && failure.message.contains("21"), "{failure:?}");
    let torn = b"\x29\x8e\xb4\x87\0\0\0\0\x04\0\0\0\x06key1value1\0\0\0";
    console.run_files(vec![Foreign { name: "torn.db".into(), bytes: torn.to_vec() }], None);
    let put = console.run("kvdb del key1 --file @torn.db");
    assert!(
        text(&put).contains("3 bytes of a torn record at the end were cut off."),
        "{}",
        text(&put)
    );
    let got = console.run("kvdb get key1 --file @torn.db");
    assert_eq!(got.result["outcome"], "deleted (tombstone)", "{}", text(&got));
    assert!(
        text(&got).contains("key1: deleted (tombstone), stored at offset 23"),
        "{}",
        text(&got)
    );
}

#[test]
fn a_record_of_kvdb_is_synced_unless_it_is_told_not_to() {
    let mut console = console("default");
    for (line, told) in [
        ("kvdb put key1 value1", "It is synced"),
        ("kvdb SET key2 value2 --async", "It is not synced"),
        ("kvdb put key3 value3 --sync", "It is synced"),
        ("kvdb del key1 --async", "It is not synced"),
    ] {
        let response = console.run(line);
        assert!(response.error.is_none() && text(&response).contains(told), "{}", text(&response));
    }
    assert_eq!(console.run("kvdb get key2").result["value"], "value2");
    for line in ["kvdb put a 1 --sync --async", "kvdb get key2 --async"] {
        assert!(console.run(line).error.is_some(), "{line}");
    }
}
