//! `read` and `count`, the commands for measuring.

use super::{console, text};

#[test]
fn read_finds_what_fill_wrote() {
    let mut console = console("classroom");
    console.run("fill 300 --order random --seed 4 --value-size 10; run");
    for line in ["read 300", "read 300 --order seq", "read 300 --seed 9"] {
        let response = console.run(line);
        assert_eq!(response.result()["found"], 300, "{line}: {}", text(&response));
        assert_eq!(response.result()["bytes"], 3000, "{line}");
    }
    assert_eq!(console.run("read 20 --start 290 --order seq").result()["found"], 10);
    assert_eq!(console.run("read 50 --start 1000").result()["found"], 0);
}

#[test]
fn count_walks_over_exactly_what_scan_lists() {
    let mut console = console("classroom");
    console.run("fill 100 --value-size 4; put zz 1; del 0000000000000007; flush; run; put a 22");
    let response = console.run("count");
    assert_eq!(response.result()["entries"], 101, "{}", text(&response));
    assert_eq!(response.result()["bytes"], 99 * 20 + 3 + 3);
    let range = "0000000000000005 0000000000000010";
    assert_eq!(console.run(&format!("count {range}")).result()["entries"], 4);
    let listed = console.run(&format!("scan {range}")).result()["entries"].as_array().map(Vec::len);
    assert_eq!(listed, Some(4));
    assert_eq!(console.run("count zzz").result()["entries"], 0);
}

#[test]
fn the_cache_reports_what_it_saved() {
    let mut console = console("default");
    console.run("fill 500; flush; run");
    assert_eq!(console.run("stats").result()["cacheHitBytes"], 0);
    console.run("read 500");
    let stats = console.run("stats").result();
    let figure = |name: &str| stats[name].as_u64().expect("a number");
    // Each hit is a block that was neither read nor decompressed again, and blocks have 4 KiB.
    let (hits, saved) = (figure("cacheHits"), figure("cacheHitBytes"));
    assert!(hits > 400 && saved > hits * 2_000 && saved < hits * 8_000, "{hits} {saved}");
    assert!(text(&console.run("stats")).contains("not read and decompressed again"));
}
