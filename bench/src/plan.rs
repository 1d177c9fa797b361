//! Which workloads run on which database, and in which process.

use crate::failure::Outcome;
use crate::workload::WORKLOADS;
use serde::{Deserialize, Serialize};

/// Workloads that one child process runs on an open database, one after the other.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Step {
    /// Names of the workloads.
    pub workloads: Vec<String>,
    /// Whether the cache is large enough for everything.
    pub cached: bool,
    /// Whether they run on a copy of the database, so that they leave it as it was.
    pub copied: bool,
}

/// Steps that follow each other on one database directory.
#[derive(Debug, Clone)]
pub struct Chain {
    /// Name of the directory.
    pub name: &'static str,
    /// The first one begins with an empty directory.
    pub steps: Vec<Step>,
}

/// The first workload of a step also prepares the others: it fills, merges or warms up.
type Steps = &'static [&'static [&'static str]];

/// Begins a step on a copy: reads cause compactions, so lookups and seeks each begin with what the fill left.
const COPIED: &str = "seekcold";

const CHAINS: &[(&str, Steps)] = &[
    ("sequential", &[&["fillseq"], &["deleteseq"]]),
    ("batched", &[&["fillbatch"]]),
    ("synced", &[&["fillsync"]]),
    ("synced4", &[&["fillsync/4"]]),
    ("synced16", &[&["fillsync/16"]]),
    ("synced64", &[&["fillsync/64"]]),
    (
        "random",
        &[
            &["fillrandom"],
            &["seekcold", "seekrandom"],
            &[
                "readcold",
                "readrandom",
                "readrandom/2threads",
                "readmissing",
                "readhot",
                "readseq",
                "readreverse",
            ],
            &["readcached"],
            &["overwrite"],
            &["readwhilewriting"],
            &[
                "compact",
                "readrandom/compacted",
                "readmissing/compacted",
                "seekrandom/compacted",
                "readseq/compacted",
                "readreverse/compacted",
            ],
            &["deleterandom"],
        ],
    ),
];

/// The chains that lead to the `wanted` workloads, with the workloads that they need before; empty: all.
///
/// # Errors
/// When there is no workload of that name.
pub fn plan(wanted: &[String]) -> Outcome<Vec<Chain>> {
    for name in wanted {
        if !WORKLOADS.iter().any(|workload| workload.name == name) {
            let names: Vec<_> = WORKLOADS.iter().map(|workload| workload.name).collect();
            return Err(format!("no workload {name:?}; there are {}", names.join(", ")).into());
        }
    }
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|other| other == name);
    let mut chains = Vec::new();
    for (name, steps) in CHAINS {
        let mut kept: Vec<Step> = Vec::new();
        for (position, names) in steps.iter().enumerate() {
            let any = names.iter().any(|name| is_wanted(name));
            // All later workloads need the one that fills the database.
            let needed = position == 0 && steps.iter().flat_map(|s| s.iter()).any(|n| is_wanted(n));
            let workloads: Vec<String> = names
                .iter()
                .enumerate()
                .filter(|(at, name)| is_wanted(name) || needed || (any && *at == 0))
                .map(|(_, name)| (*name).to_owned())
                .collect();
            if !workloads.is_empty() {
                let (cached, copied) = (workloads[0] == "readcached", workloads[0] == COPIED);
                kept.push(Step { workloads, cached, copied });
            }
        }
        if !kept.is_empty() {
            chains.push(Chain { name, steps: kept });
        }
    }
    Ok(chains)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_is_preceded_by_the_fill_it_needs() {
        let chains = plan(&["readrandom/compacted".to_owned()]).unwrap();
        let names: Vec<_> = chains[0].steps.iter().map(|step| step.workloads.join(" ")).collect();
        assert_eq!(names, ["fillrandom", "compact readrandom/compacted"]);
    }

    #[test]
    fn seeks_begin_with_what_the_fill_left() {
        let chains = plan(&["seekrandom".to_owned(), "readmissing".to_owned()]).unwrap();
        let steps: Vec<_> =
            chains[0].steps.iter().map(|s| (s.workloads.join(" "), s.copied)).collect();
        let expected =
            [("fillrandom", false), ("seekcold seekrandom", true), ("readcold readmissing", false)];
        assert_eq!(steps, expected.map(|(names, copied)| (names.to_owned(), copied)));
    }

    #[test]
    fn every_workload_is_in_a_chain() {
        let all: Vec<_> = plan(&[]).unwrap().into_iter().flat_map(|chain| chain.steps).collect();
        for workload in WORKLOADS {
            assert!(all.iter().any(|step| step.workloads.iter().any(|n| n == workload.name)));
        }
    }
}
