//! Answers of commands, word for word where words matter: outcomes, ratios, events, advice.

use super::{console, text};

#[test]
fn a_deleted_key_differs_from_one_that_was_never_written() {
    let mut console = console("classroom");
    console.run("put a 1; del a; flush; run");
    let gone = "deleted (tombstone with sequence number 2)";
    for (line, outcome, deleted) in [("get a", gone, true), ("get b", "not found", false)] {
        let got = console.run(line);
        assert_eq!(got.result()["outcome"], outcome, "{line}");
        assert_eq!(got.result()["deleted"], deleted, "{line}");
        assert_eq!(got.result()["found"], false, "{line}");
        assert!(text(&got).ends_with(&format!(": {outcome}\n")), "{}", text(&got));
        let explained = console.run(&format!("explain {line}"));
        assert_eq!(explained.result()["outcome"], outcome, "{line}");
        assert!(text(&explained).contains(&format!(": {outcome}\n")), "{}", text(&explained));
        let short = console.run(&line.replace("get", "explain"));
        assert_eq!(short.result()["stops"], explained.result()["stops"], "{line}");
        assert_eq!(short.result()["outcome"], outcome, "{line}");
    }
    let own = console.run("put c 1; begin; del c; get c; rollback");
    assert_eq!(own.result()[3]["outcome"], "deleted by this transaction, not committed");
    assert_eq!(console.run("get c").result()["outcome"], "found");
}

#[test]
fn contents_lists_each_table_once_and_names_missing_ones() {
    let mut console = console("classroom");
    let made = console.run("put a 1; flush; run; levels").result();
    let levels = console.run("levels").result();
    let table =
        levels["levels"][0]["tables"][0]["table"].as_u64().unwrap_or_else(|| panic!("{made}"));
    let printed = console.run(&format!("contents 999 {table} 999 {table}"));
    assert_eq!(printed.result().as_array().map(Vec::len), Some(1), "{}", text(&printed));
    assert_eq!(text(&printed).matches("table 999").count(), 1, "{}", text(&printed));
    assert!(console.run("contents 999").error.is_some());
}

/// A unit of which nothing is heard, such as an entry that only comes into the table, is passed over: a key that
/// is pressed shows something.
#[test]
fn each_step_by_entry_prints_a_sentence() {
    let mut console = console("classroom");
    console.run("fill 60 --words --seed 7; fill 60 --words --seed 7; flush");
    let mut steps = 0;
    loop {
        let response = console.run("step entry");
        if response.result()["changed"] == false {
            break;
        }
        steps += 1;
        let printed = text(&response);
        let events = printed.lines().filter(|line| line.starts_with("  "));
        assert!(events.count() > 0, "step {steps} prints nothing: {printed}");
    }
    assert!(steps > 100, "{steps} steps");
}

#[test]
fn background_work_lists_its_events_with_their_steps() {
    let mut console = console("classroom");
    let before = console.steps();
    console.run("put a 1; flush");
    let step = console.run("step 2");
    let run = console.run("run");
    let mut steps = Vec::new();
    for response in [&step, &run] {
        for event in response.result()["events"].as_array().expect("a list") {
            steps.push(event["step"].as_u64().expect("a number"));
            assert!(event["name"].as_str().is_some_and(|name| name.contains('.')), "{event}");
        }
    }
    assert!(steps.len() > 5 && steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
    assert!(steps[0] > before && steps[steps.len() - 1] <= console.steps(), "{steps:?}");
    let names = run.result()["events"].to_string();
    assert!(names.contains("flush.install"), "{names}");
    // A step is what `why` knows by the same number.
    let first = &step.result()["events"][0];
    let why = console.run(&format!("why {}", first["step"]));
    assert_eq!(why.result()[0]["name"], first["name"], "{}", text(&why));
}

#[test]
fn damage_in_memory_is_not_answered_with_directories() {
    let mut console = console("classroom");
    console.run("put a 1; flush; run; options set cache_bytes 0; corrupt 4 3");
    let failure = console.run("get a").error.expect("the block is damaged");
    let hint = failure.hint.expect("advice");
    assert!(hint.contains("`check`") && !hint.contains("DIR"), "{hint}");
}

#[test]
fn a_ratio_without_a_denominator_is_a_dash() {
    let mut console = console("classroom");
    let stats = console.run("stats");
    let printed = text(&stats);
    for name in ["write", "read", "space"] {
        let line = format!("{name} amplification");
        let line = printed.lines().find(|next| next.starts_with(&line)).expect("a line of its own");
        assert!(line.contains('–') && !line.contains("0.00"), "{line}");
        assert!(stats.result()[format!("{name}Amplification")].is_null(), "{}", stats.result());
    }
    let stats = console.run("put a 1; get a; stats").result()[2].clone();
    assert!(stats["writeAmplification"].as_f64().is_some_and(|ratio| ratio > 1.0), "{stats}");
    assert_eq!(stats["readAmplification"], 0.0);
    assert!(stats["spaceAmplificationEstimate"].is_null(), "{stats}");
}

#[test]
fn live_data_is_the_count_and_called_an_estimate() {
    let mut console = console("classroom");
    let response = console.run("put k 1; put k 2; put k 3; del k; flush; run; stats; count");
    assert!(text(&response).contains(" / about 0 B\n"), "{}", text(&response));
    let stats = &response.result()[6];
    assert_eq!(stats["liveBytesEstimate"], 0, "{stats}");
    assert!(stats["spaceAmplificationEstimate"].is_null(), "{stats}");
    assert_eq!(console.run("put a 1; stats").result()[1]["liveBytesEstimate"], 2);
    let help = text(&console.run("help stats"));
    assert!(help.contains("Live data is estimated"), "{help}");
}

#[test]
fn reset_names_versions_where_it_counts_versions() {
    let mut console = console("classroom");
    console.run("put a 1; put a 2; del a");
    let failure = console.run("reset").error.expect("it asks first");
    assert!(failure.message.contains(" with 3 key versions ("), "{failure:?}");
}

#[test]
fn reset_counts_files_as_files_does_and_names_the_way_back() {
    let mut console = console("classroom");
    console.run("fill 60 --seed 1; run; options set bloom_bits 8");
    let files = console.run("files");
    // There is no lock file in memory: each file is one that reset deletes.
    let (count, total) = (files.result().as_array().expect("files").len(), console.file_bytes());
    let bytes: u64 =
        files.result().as_array().into_iter().flatten().filter_map(|f| f["bytes"].as_u64()).sum();
    assert_eq!(total, Some(bytes), "the header of the page has the same");
    let printed = text(&files);
    let size = printed
        .trim_end()
        .lines()
        .last()
        .and_then(|line| line.split(", ").nth(1))
        .expect("a total");
    let size = size.split(" in ").next().expect("a size");
    let failure = console.run("reset").error.expect("it asks first");
    assert!(failure.message.contains(&format!("delete {count} files with ")), "{failure:?}");
    assert!(failure.message.contains(&format!("({size})")), "{failure:?}");
    assert!(!failure.message.contains("for good"), "{failure:?}");
    let step = console.steps();
    let printed = text(&console.run("reset --yes"));
    assert!(printed.contains(&format!("{count} files deleted")), "{printed}");
    assert!(console.run(&format!("fork {step}; check")).error.is_none());
    assert!(console.run("count").result()["entries"].as_u64().is_some_and(|entries| entries > 0));
}
