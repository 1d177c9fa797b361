//! Results of single commands, slices, stopping, completion.

use super::{console, console_on, text};
use levelscope::storage::MemoryStorage;
use levelscope_console::Progress;

#[test]
fn binary_keys_and_values() {
    let mut console = console("default");
    let response = console.run("put \\x00k\\xff 0x1b5b336d; get 0x006bff");
    assert_eq!(response.result()[1]["value"], "\\x1b[3m", "{}", text(&response));
    let shown = text(&console.run("scan"));
    assert!(shown.contains("\\x00k\\xff = \\x1b[3m"), "{shown}");
    assert!(shown.chars().all(|c| c == '\n' || !c.is_control()));
    assert!(console.run("put \"\" \"\"; get \"\"").result()[1]["found"].as_bool().unwrap_or(false));
}

#[test]
fn batches_are_one_write() {
    let mut console = console("default");
    let response = console.run("put c 0; batch put a 1, put b 2,3, del c; scan");
    assert_eq!(response.result()[1]["count"], 3, "{}", text(&response));
    assert_eq!(response.result()[2]["entries"].as_array().map(Vec::len), Some(2));
    assert_eq!(response.result()[2]["entries"][1]["value"], "2,3");
    let response = console.run("batch {\n  put x 1\n  del a; put y \"2 3\"\n}\nscan");
    assert_eq!(response.result()[0]["count"], 3, "{}", text(&response));
    assert_eq!(response.result()[1]["entries"].as_array().map(Vec::len), Some(3));
}

#[test]
fn scans_have_bounds_limits_and_directions() {
    let mut console = console("classroom");
    console.run("put a 1; put b 2; put ba 3; put c 4; del b; flush; run; put d 5");
    let keys = |console: &mut levelscope_console::Console, line: &str| -> Vec<String> {
        let result = console.run(line).result();
        let entries = result["entries"].as_array().cloned().unwrap_or_default();
        entries.iter().map(|e| e["key"].as_str().unwrap_or("").to_owned()).collect()
    };
    assert_eq!(keys(&mut console, "scan"), ["a", "ba", "c", "d"]);
    assert_eq!(keys(&mut console, "scan b d"), ["ba", "c"]);
    assert_eq!(keys(&mut console, "scan --reverse --limit 2"), ["d", "c"]);
    assert_eq!(keys(&mut console, "prefix b"), ["ba"]);
    assert_eq!(console.run("scan --limit 2").result()["more"], true);
    assert_eq!(console.run("scan --limit 4").result()["more"], false);
}

#[test]
fn transactions_take_what_names_none() {
    let mut console = console("classroom");
    let response =
        console.run("put a 1; begin; put a 2; get a; get a --in none; scan; batch del a, put b 3");
    let result = &response.result();
    assert_eq!((&result[1]["number"], &result[1]["current"]), (&1.into(), &true.into()));
    assert_eq!((&result[2]["transaction"], &result[2]["writes"]), (&1.into(), &1.into()));
    assert_eq!((&result[3]["value"], &result[4]["value"]), (&"2".into(), &"1".into()));
    assert_eq!(result[5]["entries"][0]["value"], "2", "{}", text(&response));
    assert_eq!(result[6]["writes"], 2);
    let response = console.run("begin --serializable; get b; put c 1; transactions; commit 1");
    let open = &response.result()[3];
    assert_eq!((&open[0]["writes"], &open[0]["current"]), (&2.into(), &false.into()));
    assert_eq!((&open[1]["serializable"], &open[1]["reads"]), (&true.into(), &1.into()));
    let ended = serde_json::json!({ "number": 1, "committed": true, "count": 2, "sequence": 3 });
    assert_eq!(response.result()[4], ended);
    let failure = console.run("commit").error.expect("it has read b");
    assert_eq!(failure.kind, "conflict");
    assert!(failure.message.contains("transaction 2 is rolled back: the key \"b\""), "{failure:?}");
    assert_eq!(console.current_transaction(), None);
    assert_eq!(console.run("transactions").result().as_array().map(Vec::len), Some(0));
}

#[test]
fn open_transactions_end_with_their_database() {
    let mut console = console("classroom");
    console.run("begin; put a 1");
    assert_eq!(console.current_transaction(), Some(1));
    let response = console.run("options set bloom_bits 8; get a; transactions");
    assert_eq!(response.result()[1]["found"], false, "{}", text(&response));
    assert_eq!(response.result()[2].as_array().map(Vec::len), Some(0));
    assert_eq!(console.current_transaction(), None);
}

#[test]
fn snapshots_keep_what_they_saw() {
    let mut console = console("classroom");
    let response =
        console.run("put a 1; snapshot; put a 2; get a --snapshot 1; get a; scan --snapshot 1");
    assert_eq!(response.result()[3]["value"], "1", "{}", text(&response));
    assert_eq!(response.result()[4]["value"], "2");
    assert_eq!(response.result()[5]["entries"][0]["value"], "1");
    let response = console.run("explain get a --snapshot 1; release 1; snapshot --list");
    assert_eq!(response.result()[0]["value"], "1", "{}", text(&response));
    assert_eq!(response.result()[2].as_array().map(Vec::len), Some(0));
    assert!(console.run("release 1").error.is_some());
}

#[test]
fn a_fill_ends_also_where_writes_stall() {
    for preset in ["classroom", "article", "default"] {
        let mut console = console(preset);
        let response = console.run("fill 700 --words --seed 7; check");
        assert!(response.error.is_none(), "{}", text(&response));
        assert_eq!(response.result()[0]["entries"], 700);
        let stalled = text(&response).contains("does that work and then goes on");
        assert_eq!(stalled, preset == "classroom", "{}", text(&response));
    }
}

#[test]
fn a_fill_is_the_same_for_the_same_seed() {
    let scan =
        |line: &str| console("classroom").run(&format!("{line}; scan --limit 1000")).result();
    let first = scan("fill 200 --words --seed 7");
    assert_eq!(first, scan("fill 200 --words --seed 7"));
    assert_ne!(first, scan("fill 200 --words --seed 8"));
    let shuffled = scan("fill 200 --order random --value-size 3 --start 50");
    let entries = shuffled[1]["entries"].as_array().cloned().unwrap_or_default();
    assert_eq!(entries.len(), 200);
    assert_eq!(entries[0]["key"], "0000000000000050");
    assert_eq!(entries[0]["valueBytes"], 3);
}

#[test]
fn long_commands_run_in_slices_and_can_be_stopped() {
    let mut console = console("default");
    console.start("fill 1m");
    let Progress::More { done, total, label, .. } = console.advance(10) else {
        panic!("there should be more to do")
    };
    assert!(done <= 10 && total == Some(1 << 20) && label == "fill");
    console.cancel();
    let Progress::Done(response) = console.advance(10) else { panic!("it should have stopped") };
    assert_eq!(response.error.map(|failure| failure.kind), Some("cancelled".into()));
    assert_eq!(console.advance(10), Progress::Idle);
    assert!(console.run("get 0000000000000000").error.is_none());
}

#[test]
fn steps_report_their_work() {
    let mut console = console("classroom");
    console.run("put a 1; put b 2");
    let asked = console.run("flush");
    assert!(asked.result()["next"].is_string(), "{}", text(&asked));
    let stepped = console.run("step phase 3");
    assert_eq!(stepped.result()["steps"], 3, "{}", text(&stepped));
    assert!(text(&stepped).contains("flush.begin"), "{}", text(&stepped));
    let ran = console.run("run");
    assert_eq!(ran.result()["jobs"].as_array().map(Vec::len), Some(1), "{}", text(&ran));
    assert!(text(&console.run("step")).contains("Nothing to do"));
    console.run("put a 3; flush; run; put c 4; flush; run; compact 0");
    let entries = console.run("step entry 40");
    assert!(text(&entries).contains("merge.entry"), "{}", text(&entries));
    assert!(console.run("run").error.is_none());
}

#[test]
fn layout_and_hex_name_bytes() {
    let mut console = console("classroom");
    console.run("fill 40 --words; flush; run");
    let files = console.run("files").result();
    let names: Vec<String> = files
        .as_array()
        .expect("files are a list")
        .iter()
        .filter_map(|file| file["name"].as_str().map(str::to_owned))
        .filter(|name| name != "LOCK")
        .collect();
    assert!(names.iter().any(|name| name.contains(".sst")), "{names:?}");
    for name in &names {
        for line in [format!("layout {name}"), format!("layout {name} -v"), format!("hex {name}")] {
            let response = console.run(&line);
            assert!(response.error.is_none(), "{line}: {}", text(&response));
            assert!(response.lines.len() > 1, "{line}: {}", text(&response));
        }
        if name.contains(".sst") {
            let layout = console.run(&format!("layout {name}")).result();
            let first = layout["children"][0]["name"].as_str().unwrap_or("").to_owned();
            let number = first.strip_prefix("data block ").expect("a data block comes first");
            let block = console.run(&format!("hex {name} --block {number}"));
            assert_eq!(block.result()["offset"], 0, "{}", text(&block));
        }
    }
}

/// The numbers at the beginning of a line of `layout`: offset and bytes.
fn place(line: &str) -> Option<(u64, u64)> {
    let mut words = line.split_whitespace();
    let number = |word: Option<&str>| word?.trim_start_matches('+').replace(',', "").parse().ok();
    Some((number(words.next())?, number(words.next())?))
}

#[test]
fn parts_of_files_are_found_by_their_printed_paths() {
    let mut console = console("classroom");
    console.run("fill 60 --words --seed 7; flush; run; put a 1");
    let files = console.run("files").result();
    for name in files.as_array().expect("a list").iter().filter_map(|file| file["name"].as_str()) {
        let ribbon = console.run(&format!("layout {name} --ribbon 500"));
        assert!(ribbon.error.is_none(), "{}", text(&ribbon));
        let stretches = ribbon.result()["stretches"].as_array().expect("a list").clone();
        let layout = console.run(&format!("layout {name} --limit 10000"));
        // The printed text, the structured result and the whole tree give the same offsets.
        let extent =
            |value: &serde_json::Value| (value["offset"].as_u64(), value["bytes"].as_u64());
        let printed: Vec<_> = text(&layout).lines().skip(2).filter_map(place).collect();
        let children = layout.result()["children"].as_array().expect("a list").clone();
        assert_eq!(printed.len(), children.len(), "{name}");
        for ((line, child), stretch) in printed.iter().zip(&children).zip(&stretches) {
            let line = (Some(line.0), Some(line.1));
            assert_eq!((line, line), (extent(child), extent(stretch)), "{name}");
        }
        let part = console.run(&format!("layout {name} --node \"\" --limit 1 --skip 1"));
        assert!(part.error.is_none(), "{}", text(&part));
        assert_eq!(part.result()["part"]["count"], children.len(), "{name}");
        assert_eq!(
            part.result()["part"]["parts"][0]["offset"],
            children.get(1).map_or(serde_json::Value::Null, |child| child["offset"].clone()),
            "{name}"
        );
        let whole = console.run(&format!("hex {name} --length 64k")).result();
        assert_eq!(
            whole["hex"].as_str().map(str::len),
            whole["fileBytes"].as_u64().and_then(|bytes| usize::try_from(2 * bytes).ok())
        );
    }
    let wrong = [
        "layout CURRENT --node slot:9",
        "layout CURRENT --node nonsense",
        "layout CURRENT --ribbon 3 -v",
        "layout CURRENT --skip 3",
        "hex CURRENT --node slot:1 --at 3",
        "hex CURRENT --decoded",
        "hex CURRENT --node slot:1 --decoded",
        "hex CURRENT --find \"\"",
        "hex CURRENT --find nowhere",
    ];
    for line in wrong {
        assert!(console.run(line).error.is_some(), "{line}");
    }
}

#[test]
fn bytes_are_found_and_compressed_blocks_are_looked_into() {
    let mut console = console("classroom");
    for number in 0..20 {
        console.run(&format!("put k{number} {}", "again-and-again-".repeat(6)));
    }
    console.run("put needle \"in a haystack\"; flush; run");
    let files = console.run("files").result();
    let names = files.as_array().expect("a list").iter();
    let table = names.filter_map(|file| file["name"].as_str()).find(|name| name.contains(".sst"));
    let table = table.expect("a table").to_owned();
    let found = console.run(&format!("hex {table} --find \"\\x61gain\" --length 5"));
    assert_eq!(found.result()["hex"], "616761696e", "{}", text(&found));
    let at = found.result()["offset"].as_u64().expect("a number");
    let next = console.run(&format!("hex {table} --find again --at {} --length 5", at + 1));
    assert!(next.result()["offset"].as_u64() > Some(at), "{}", text(&next));
    let block = console.run(&format!("layout {table} --node block:1")).result();
    assert_eq!(block["part"]["parts"][0]["kind"], "compressed", "{block}");
    let inside = console.run(&format!("hex {table} --node block:1 --decoded --length 8"));
    assert_eq!(inside.result()["offset"], 0, "{}", text(&inside));
    assert_eq!(inside.result()["root"]["children"][0]["name"], "entry 1", "{}", text(&inside));
    let entry = console.run(&format!("layout {table} --node block:1/entry:1")).result();
    let trail = entry["part"]["trail"].as_array().expect("a list");
    let kinds: Vec<_> = trail.iter().filter_map(|step| step["node"]["kind"].as_str()).collect();
    assert_eq!(kinds, ["table", "block", "compressed", "entry"]);
    let lock = console.run("layout LOCK; hex LOCK");
    assert!(lock.error.is_none(), "{}", text(&lock));
}

#[test]
fn options_reopen_with_the_data() {
    let mut console = console("classroom");
    let response = console.run("put a 1; snapshot; options set bloom_bits 12; get a; options");
    assert!(response.error.is_none(), "{}", text(&response));
    assert_eq!(response.result()[3]["value"], "1");
    assert!(response.result()[4]["preset"].is_null());
    let response = console.run("options preset classroom; get a; options");
    assert_eq!(response.result()[2]["preset"], "classroom", "{}", text(&response));
    assert!(console.run("options set maintenance threads:2").error.is_some());
    assert_eq!(console.run("get a").result()["value"], "1", "wrong options change nothing");
}

#[test]
fn reset_deletes_only_with_yes() {
    let storage = MemoryStorage::default();
    let mut console = console_on(storage, "classroom");
    console.run("fill 100; flush; run");
    let refused = console.run("reset");
    assert_eq!(refused.error.map(|failure| failure.kind), Some("confirm".into()));
    assert_eq!(console.run("get 0000000000000000").result()["found"], true);
    let done = console.run("reset --yes; scan");
    assert!(done.error.is_none(), "{}", text(&done));
    assert_eq!(done.result()[1]["entries"].as_array().map(Vec::len), Some(0));
}

#[test]
fn history_remembers_typed_lines_only() {
    let mut console = console("default");
    console.run("put a 1");
    console.start_quietly("stats");
    while !matches!(console.advance(100), Progress::Done(_)) {}
    let result = console.run("history").result();
    assert_eq!(result, serde_json::json!(["put a 1", "history"]));
}

#[test]
fn completion_knows_verbs_options_keys_and_files() {
    let mut console = console("classroom");
    console.run("put apple 1; put apricot 2; put \"b c\" 3");
    let mut complete = |line: &str| -> Vec<String> {
        console.complete(line, line.len()).into_iter().map(|c| c.text).collect()
    };
    assert_eq!(complete("sc"), ["scan"]);
    assert!(complete("").len() > 20);
    assert_eq!(complete("put a 1; rot"), ["rotate"]);
    assert_eq!(complete("scan --l"), ["--limit"]);
    assert_eq!(complete("get ap"), ["apple", "apricot"]);
    assert_eq!(complete("explain get b"), ["\"b c\""]);
    assert_eq!(complete("help expl"), ["explain"]);
    assert_eq!(complete("options set bloom"), ["bloom_bits"]);
    assert_eq!(complete("options preset c"), ["classroom"]);
    assert_eq!(complete("fill 3 --order r"), ["random"]);
    assert_eq!(complete("layout CUR"), ["CURRENT"]);
    assert_eq!(complete("batch put a 1, d"), ["del", "delete-range"]);
    assert_eq!(complete("delete-range ap"), ["apple", "apricot"]);
    assert_eq!(complete("delete-range apple apr"), ["apricot"]);
    assert_eq!(complete("batch delete-range ap"), ["apple", "apricot"]);
    assert_eq!(complete("put a 1 --in "), ["none"]);
    console.run("begin; begin");
    let mut complete = |line: &str| -> Vec<String> {
        console.complete(line, line.len()).into_iter().map(|c| c.text).collect()
    };
    assert_eq!(complete("put a 1 --in "), ["1", "2", "none"]);
    assert_eq!((complete("commit "), complete("rollback ")), {
        (vec!["1".into(), "2".into()], vec!["1".into(), "2".into(), "all".into()])
    });
    assert_eq!(console.complete("get ap", 6)[0].from, 4);
    assert!(console.complete("\u{fc}", 1).len() > 20, "the cursor is moved out of the letter");
    assert_eq!(console.complete("\u{fc}", 2), []);
}

#[test]
fn explanations_add_up() {
    let mut console = console("classroom");
    console.run("fill 300 --words --seed 3; flush; run");
    let entries = console.run("scan --limit 300").result()["entries"].clone();
    for entry in entries.as_array().expect("a list").iter().step_by(17) {
        let key = entry["key"].as_str().expect("a key");
        let response = console.run(&format!("explain get {key}"));
        assert_eq!(response.result()["value"], entry["value"], "{}", text(&response));
        assert!(response.result()["winner"]["sequence"].is_u64(), "{}", text(&response));
        let blocks = response.result()["blocksRead"]
            .as_u64()
            .zip(response.result()["blocksCached"].as_u64());
        assert!(blocks.is_some_and(|(read, cached)| read + cached > 0), "{}", text(&response));
    }
}

#[test]
fn both_prefix_indexes_are_shown_bucket_by_bucket() {
    let mut console = console("classroom");
    assert_eq!(console.run("buckets").result().as_array().map(Vec::len), Some(0));
    console.run("options set prefix until:.; options set prefix_index compact");
    for number in 0..40 {
        console.run(&format!("put user{:02}.{number} value", number / 2));
    }
    console.run("flush; run; compact; run");
    let stats = console.run("stats").result()["prefixIndexBytes"].as_u64().expect("bytes");
    let shown = console.run("buckets --limit 4096");
    assert!(shown.error.is_none(), "{}", text(&shown));
    let result = shown.result();
    let forms = result.as_array().expect("both forms");
    assert_eq!((&forms[0]["form"], &forms[1]["form"]), (&"exact".into(), &"compact".into()));
    assert!(stats == 0 || stats >= forms[1]["memoryBytes"].as_u64().expect("bytes"), "{stats}");
    for form in forms {
        let rows = form["rows"].as_array().expect("rows");
        assert_eq!(rows.len() as u64, form["buckets"].as_u64().expect("a number"));
        let prefixes = rows.iter().flat_map(|row| row["prefixes"].as_array().expect("prefixes"));
        let mut prefixes: Vec<&str> =
            prefixes.map(|prefix| prefix["head"].as_str().expect("text")).collect();
        prefixes.sort_unstable();
        prefixes.dedup();
        assert_eq!(prefixes.len() as u64, form["prefixes"].as_u64().expect("a number"), "{form}");
        let free = rows.iter().filter(|row| row["word"] == 0x7fff_ffff_u32).count() as u64;
        assert_eq!(free, form["free"].as_u64().expect("a number"));
        assert!(
            rows.iter().all(|row| (row["blockCount"] == 0) == (row["word"] == 0x7fff_ffff_u32))
        );
    }
    let exact = forms[0]["memoryBytes"].as_u64().zip(forms[1]["memoryBytes"].as_u64());
    assert!(exact.is_some_and(|(exact, compact)| compact < exact), "{exact:?}");
    let some = console.run("buckets --form compact --skip 2 --limit 3");
    assert_eq!(some.result()[0]["rows"].as_array().map(Vec::len), Some(3));
    assert_eq!(some.result()[0]["rows"][0]["bucket"], 2);
    assert!(console.run("buckets 999").error.is_some());
}
