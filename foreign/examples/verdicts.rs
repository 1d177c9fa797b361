//! Damages databases of the real `LevelDB` and `RocksDB` at random, lets the real library open each, and compares the
//! result and the entries with the prediction of `report damage`.
//!
//! `cargo run --example verdicts -- LEVELDB_JUDGE ROCKSDB_JUDGE DIRECTORY SECONDS [SEED]`, with the programs of
//! tests/leveldb; `npm test` and `npm run soak` call it. The last line has the number of cases and of violations.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::cast_possible_truncation,
    reason = "a test, which fails by panicking"
)]

use levelscope_foreign::directory::Directory;
use levelscope_foreign::export::{Carrier, Policy};
use levelscope_foreign::name::FileName;
use levelscope_foreign::{CountedFiles, MemoryFiles, Severity};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Damaged copies of one database.
const CASES: usize = 12;

type Contents = BTreeMap<String, Vec<u8>>;

/// Numbers from a seed.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize
    }

    fn below(&mut self, end: usize) -> usize {
        self.next() % end.max(1)
    }
}

/// What an engine, or the lens, makes of a directory: `None` when it is refused.
type Verdict = Option<BTreeMap<String, Entries>>;

/// The entries of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entries {
    count: u64,
    hash: u64,
    /// Whether the walk met damage.
    is_damaged: bool,
}

fn hash(sum: &mut u64, bytes: &[u8]) {
    for byte in bytes {
        *sum = (*sum ^ u64::from(*byte)).wrapping_mul(1_099_511_628_211);
    }
    *sum = sum.wrapping_mul(1_099_511_628_211);
}

fn load(path: &Path) -> Contents {
    let files = fs::read_dir(path).unwrap().map(|entry| {
        let entry = entry.unwrap();
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    });
    files.collect()
}

fn store(path: &Path, contents: &Contents) {
    let _ = fs::remove_dir_all(path);
    fs::create_dir_all(path).unwrap();
    for (name, bytes) in contents {
        fs::write(path.join(name), bytes).unwrap();
    }
}

/// The verdict of the real library, and its words; `None` when the damage ends its process.
fn of_engine(judge: &Path, path: &Path) -> Option<(Verdict, String)> {
    let output = Command::new(judge).arg("open").arg(path).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        return None;
    }
    let mut lines = text.lines();
    if lines.next() != Some("opened") {
        return Some((None, text));
    }
    let family = |line: &str| {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        let (count, hash) = (words[1].parse().unwrap(), u64::from_str_radix(words[2], 16).unwrap());
        (words[0].to_owned(), Entries { count, hash, is_damaged: words[3] != "ok" })
    };
    Some((Some(lines.map(family).collect()), text))
}

/// The verdict of the lens, and its words.
fn of_lens(contents: &Contents) -> (Verdict, String) {
    let files = MemoryFiles::new(contents.clone());
    let counted = CountedFiles::new(&files);
    let directory = match Directory::open(&counted) {
        Ok(directory) => directory,
        Err(error) => return (None, error.to_string()),
    };
    directory.check_all(true);
    let report = directory.report("damage", None, None).unwrap();
    let words = format!("{} {}", report.answer, report.missing.join(" "));
    let refusal = format!("{} refuses to open this directory", directory.engine().name());
    if words.contains(&refusal) {
        return (None, words);
    }
    let mut verdict = BTreeMap::new();
    for family in directory.state().families.values() {
        let policy = Policy { skip_damage: true, lossy: true };
        let mut carrier = match Carrier::new(&directory, family.id, policy) {
            Ok(carrier) => carrier,
            Err(error) => return (None, format!("{words} {error}")),
        };
        let mut entries = Entries { count: 0, hash: 14_695_981_039_346_656_037, is_damaged: false };
        while let Some((key, value)) = carrier.next_entry().unwrap() {
            hash(&mut entries.hash, &key);
            hash(&mut entries.hash, &value);
            entries.count += 1;
        }
        let is_table = |file: &str| matches!(FileName::parse(file), FileName::Table(_));
        let problems = carrier.finish().unwrap().problems;
        let mut errors = problems.iter().filter(|one| one.severity == Severity::Error);
        entries.is_damaged = errors.any(|one| is_table(&one.file) && one.offset.is_some());
        verdict.insert(family.name.clone(), entries);
    }
    (Some(verdict), words)
}

/// Whether the lens predicted the result. Where a walk meets damage in a table, engines end it in different places.
fn agrees(real: &Verdict, lens: &Verdict) -> bool {
    match (real, lens) {
        (None, None) => true,
        (Some(real), Some(lens)) => {
            real.len() == lens.len()
                && real.iter().all(|(name, entries)| {
                    lens.get(name).is_some_and(|claimed| {
                        let is_damaged = entries.is_damaged || claimed.is_damaged;
                        is_damaged || (claimed.count, claimed.hash) == (entries.count, entries.hash)
                    })
                })
        }
        _ => false,
    }
}

/// Changes one file; what was done.
fn damage(contents: &mut Contents, draw: &mut Draw) -> String {
    let kind = ["manifest", "log", "log", "table", "CURRENT"][draw.below(5)];
    let is_kind = |name: &String| match FileName::parse(name) {
        FileName::Manifest(_) => kind == "manifest",
        FileName::Log { .. } => kind == "log",
        FileName::Table(_) => kind == "table",
        FileName::Current => kind == "CURRENT",
        _ => false,
    };
    let names: Vec<String> = contents.keys().filter(|name| is_kind(name)).cloned().collect();
    if names.is_empty() {
        return format!("no {kind}");
    }
    let name = names[draw.below(names.len())].clone();
    let bytes = contents.get_mut(&name).unwrap();
    let at = draw.below(bytes.len());
    match draw.below(8) {
        0..=3 if !bytes.is_empty() => {
            bytes[at] ^= 1 << draw.below(8);
            format!("{name}: a bit of byte {at} flipped")
        }
        4 => {
            bytes.truncate(at);
            format!("{name}: cut at {at}")
        }
        5 | 6 if !bytes.is_empty() => {
            let sector = at / 512 * 512;
            let end = bytes.len().min(sector + 512);
            bytes[sector..end].fill(0);
            format!("{name}: zeros from {sector} to {end}")
        }
        _ => {
            contents.remove(&name);
            format!("{name}: removed")
        }
    }
}

/// Judges damaged copies of the database with this seed; what went wrong.
fn judge(engine: &str, program: &Path, place: &Path, seed: u64) -> Vec<String> {
    let path = place.join(engine);
    let _ = fs::remove_dir_all(&path);
    let made = Command::new(program).arg("make").arg(&path).arg(seed.to_string()).status();
    assert!(made.unwrap().success(), "{engine} makes no database of seed {seed}");
    let sound = load(&path);
    let mut draw = Draw(seed);
    let mut violations = Vec::new();
    for case in 0..CASES {
        let mut contents = sound.clone();
        let mut done = Vec::new();
        // The first one is as its engine left it.
        let times = if case == 0 { 0 } else { 1 + usize::from(draw.below(5) == 0) };
        for _ in 0..times {
            done.push(damage(&mut contents, &mut draw));
        }
        store(&path, &contents);
        let (lens, words) = of_lens(&contents);
        let Some((real, output)) = of_engine(program, &path) else { continue };
        if !agrees(&real, &lens) {
            violations.push(format!(
                "{engine}, seed {seed}, case {case}: {}\n  engine: {}\n  lens:   {lens:?} {words}",
                done.join("; "),
                output.trim().replace('\n', "; ")
            ));
        }
    }
    violations
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [leveldb, rocksdb, place, seconds, rest @ ..] = words.as_slice() else {
        panic!("usage: verdicts LEVELDB_JUDGE ROCKSDB_JUDGE DIRECTORY SECONDS [SEED]");
    };
    let place = PathBuf::from(place);
    fs::create_dir_all(&place).unwrap();
    let first: u64 = rest.first().map_or(1, |seed| seed.parse().unwrap());
    let limit = Duration::from_secs(seconds.parse().unwrap());
    let start = Instant::now();
    let (mut seed, mut cases, mut violations) = (first, 0, 0);
    while start.elapsed() < limit {
        for (engine, program) in [("leveldb", leveldb), ("rocksdb", rocksdb)] {
            let found = judge(engine, Path::new(program), &place, seed);
            for violation in &found {
                println!("{violation}");
            }
            (cases, violations) = (cases + CASES, violations + found.len());
        }
        seed += 1;
    }
    println!(
        "verdicts of engines: {cases} cases, {violations} violations, seeds {first} to {}",
        seed - 1
    );
    std::process::exit(i32::from(violations > 0));
}
