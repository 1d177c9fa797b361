//! Shared by every random test: its seeds, its duration, and the line with its result.
//!
//! ```text
//! LEVELSCOPE_SEED=17      run this seed only: replays a failure
//! LEVELSCOPE_EFFORT=10    ten times as many seeds as a commit runs
//! LEVELSCOPE_SECONDS=60   as many seeds as fit this time, instead of a number of them
//! LEVELSCOPE_FIRST=5000   begin with this seed instead of 0
//! ```
//!
//! The line is `NAME: N cases, V violations, seeds A to B`; `npm run soak` adds these lines up.
#![allow(clippy::disallowed_types, reason = "the clock is in the tests, not in the engine")]

use std::time::{Duration, Instant};

/// One random test under way; its line is printed when it is dropped, also by a panic.
#[derive(Debug)]
pub struct Technique {
    name: &'static str,
    first: u64,
    next: u64,
    limit: Limit,
    cases: u64,
}

#[derive(Debug, Clone, Copy)]
enum Limit {
    /// Up to this seed, not included.
    Before(u64),
    Until(Instant),
}

fn variable(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.trim().parse().unwrap_or_else(|_| panic!("{name} must be a number, not {text:?}")))
}

/// How many times the work of a commit is asked for.
pub fn effort() -> u64 {
    variable("LEVELSCOPE_EFFORT").unwrap_or(1).max(1)
}

impl Technique {
    /// Begins `name`, which runs `seeds` seeds for a commit.
    pub fn new(name: &'static str, seeds: u64) -> Self {
        let first = variable("LEVELSCOPE_FIRST").unwrap_or(0);
        let seconds = variable("LEVELSCOPE_SECONDS").map(Duration::from_secs);
        let (first, limit) = match (variable("LEVELSCOPE_SEED"), seconds) {
            (Some(seed), _) => (seed, Limit::Before(seed + 1)),
            (None, Some(seconds)) => (first, Limit::Until(Instant::now() + seconds)),
            (None, None) => (first, Limit::Before(first + seeds * effort())),
        };
        Self { name, first, next: first, limit, cases: 0 }
    }

    /// The next seed; `None` when enough were run. The first is always given.
    pub fn next_seed(&mut self) -> Option<u64> {
        let more = match self.limit {
            Limit::Before(end) => self.next < end,
            Limit::Until(end) => self.next == self.first || Instant::now() < end,
        };
        more.then(|| {
            self.next += 1;
            self.next - 1
        })
    }

    /// Counts `cases` more that held.
    pub fn count(&mut self, cases: u64) {
        self.cases += cases;
    }
}

impl Drop for Technique {
    fn drop(&mut self) {
        let (name, cases, first) = (self.name, self.cases, self.first);
        let last = self.next.max(first + 1) - 1;
        if !std::thread::panicking() {
            println!("{name}: {cases} cases, 0 violations, seeds {first} to {last}");
            return;
        }
        println!("{name}: {cases} cases, 1 violations, seeds {last} to {last}");
        let thread = std::thread::current();
        let test = thread.name().filter(|name| *name != "main").unwrap_or_default();
        println!("replay: LEVELSCOPE_SEED={last} cargo test {test}");
    }
}

#[test]
fn a_technique_runs_the_seeds_it_is_asked_for() {
    let mut technique = Technique::new("seeds", 3);
    if ["SEED", "EFFORT", "SECONDS", "FIRST"]
        .iter()
        .all(|name| std::env::var_os(format!("LEVELSCOPE_{name}")).is_none())
    {
        let seeds: Vec<u64> = std::iter::from_fn(|| technique.next_seed()).collect();
        assert_eq!(seeds, [0, 1, 2]);
    } else {
        assert!(technique.next_seed().is_some());
    }
    // Its line would not describe the engine.
    std::mem::forget(technique);
}
