//! The class of docs/TEACHING.md: what its questions are for shows with these sizes, and not by the luck of one seed.

use super::in_memory;
use levelscope::Options;
use levelscope_console::{Console, Progress, Response};
use std::fs;
use std::path::Path;

const TEACHING: &str = "../docs/TEACHING.md";

/// Everything in code in the part about the class.
fn commands() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TEACHING);
    let text = fs::read_to_string(path).expect("the document");
    let (_, class) = text.split_once("## A class of 45 minutes").expect("the class");
    let class = class.split("\n## ").next().expect("its end");
    class.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn typed(console: &mut Console, line: &str) -> Response {
    console.start(line);
    loop {
        if let Progress::Done(response) = console.advance(4096) {
            assert_eq!(response.error, None, "{line}");
            return response;
        }
    }
}

#[test]
fn tiered_writes_less_and_has_more_sorted_runs() {
    let commands = commands();
    let find = |begin: &str| {
        let found = commands.iter().find(|command| command.starts_with(begin));
        found.unwrap_or_else(|| panic!("the class has no {begin}")).clone()
    };
    let options = find("reset --yes; ");
    let compare = find("compare leveled tiered");
    assert!(compare.contains("--seed 7"), "{compare}");
    for seed in [7, 1, 2, 3, 4] {
        let classroom = Options::preset("classroom").expect("a preset");
        let mut console = in_memory(classroom).expect("a console");
        typed(&mut console, &options);
        let line = compare.replace("--seed 7", &format!("--seed {seed}"));
        let response = typed(&mut console, &line);
        let side = |at: usize, figure: &str| {
            let result = response.result();
            let moments = result["sides"][at]["moments"].as_array().expect("moments");
            moments.last().expect("a moment")[figure].as_u64().expect("a number")
        };
        let runs = [side(0, "runs"), side(1, "runs")];
        assert!(runs[0] <= 3 && runs[1] >= 5, "seed {seed}: {runs:?}");
        let written = [side(0, "writtenBytes"), side(1, "writtenBytes")];
        assert!(written[0] * 10 > written[1] * 11, "seed {seed}: {written:?}");
    }
}
