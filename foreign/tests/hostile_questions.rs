//! Every question to directories in which one file was changed: an answer or an error, never a panic, under an allocator
//! with a limit. Records of manifests are changed under checksums that are right again, so that edits of any kind and
//! with any numbers are applied.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and prints its seed"
)]

mod common;

use common::frames::{Style, push_record};
use common::{Random, fixture};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::frame::{LogKind, Records};
use levelscope_foreign::query::Query;
use levelscope_foreign::report::Question;
use levelscope_foreign::{CountedFiles, Engine, Files, MemoryFiles};

const LIMIT: usize = 256 << 20;

#[global_allocator]
static ALLOCATOR: cap::Cap<std::alloc::System> = cap::Cap::new(std::alloc::System, LIMIT);

const FIXTURES: [&str; 10] = [
    "h_history",
    "p_history",
    "l_history",
    "c_families",
    "b_blob_garbage",
    "e_range_deletions",
    "m_universal",
    "p_virtual_tables",
    "p_blob_files",
    "w_unclean",
];

/// Numbers that sums, differences and products do not expect.
const NUMBERS: [u64; 6] = [0, 1, 127, 1 << 32, u64::MAX >> 8, u64::MAX];

fn questions() -> Vec<Query> {
    let mut questions = vec![
        Query::Overview {},
        Query::Levels { family: 0, step: None },
        Query::Levels { family: 0, step: Some(1) },
        Query::Steps { from: 0, limit: 1000 },
        Query::Scan { family: 0, from: None, to: None, limit: 100, sequence: None },
        Query::Get { family: 0, key: "6b6579".into(), sequence: None },
        Query::Check { deep: true },
    ];
    for object in ["", "12", "L1", "@000012.log", "@000012.blob"] {
        questions.push(Query::Facts { family: 0, step: None, object: object.into() });
    }
    for question in Question::all() {
        let key = Some("6b".to_owned());
        questions.push(Query::Report { id: question.id().into(), family: Some(0), key });
    }
    questions
}

/// Changes bytes, or puts a varint of a number over them.
fn change(random: &mut Random, bytes: &mut Vec<u8>) {
    let place = random.below(bytes.len());
    match random.below(4) {
        0 if !bytes.is_empty() => bytes[place] = random.byte(),
        1 => bytes.truncate(place),
        2 => {
            let mut number = Vec::new();
            common::frames::push_varint(&mut number, NUMBERS[random.below(NUMBERS.len())]);
            let end = (place + 1 + random.below(3)).min(bytes.len());
            bytes.splice(place.min(end)..end, number);
        }
        _ => {
            let end = (place + random.below(16)).min(bytes.len());
            let copy = bytes[place.min(end)..end].to_vec();
            bytes.splice(place..place, copy);
        }
    }
}

/// The manifest with one record changed.
fn changed_manifest(
    random: &mut Random,
    files: &MemoryFiles,
    name: &str,
    engine: Engine,
) -> Vec<u8> {
    let mut records = Records::open(files, name, LogKind::Manifest(engine)).unwrap();
    let mut all = Vec::new();
    while let Some(record) = records.read().unwrap() {
        all.push(record.data);
    }
    let chosen = random.below(all.len());
    change(random, &mut all[chosen]);
    let mut bytes = Vec::new();
    for record in all {
        push_record(&mut bytes, Style::Plain, &record);
    }
    bytes
}

fn ask_everything(files: &MemoryFiles) {
    let files = CountedFiles::new(files);
    let Ok(directory) = Directory::open(&files) else { return };
    for question in questions() {
        // Any answer or error counts.
        let _ = directory.answer(&question);
    }
}

#[test]
fn every_question_to_a_changed_directory_has_an_answer_or_an_error() {
    let rounds = std::env::var("ROUNDS").map_or(40, |rounds| rounds.parse().unwrap());
    for name in FIXTURES {
        let sound = fixture(name).files;
        let list: Vec<String> = sound.list().iter().map(|file| file.name.clone()).collect();
        let engine = levelscope_foreign::recognize(&sound).unwrap().engine;
        for seed in 0..rounds {
            println!("{name}, seed {seed}");
            let mut random = Random(seed);
            let manifest = list.iter().find(|file| file.starts_with("MANIFEST-")).unwrap();
            let is_manifest = random.below(2) == 0;
            let file = if is_manifest { manifest } else { &list[random.below(list.len())] };
            let bytes = if is_manifest {
                changed_manifest(&mut random, &sound, file, engine)
            } else {
                let mut bytes = sound.read_whole(file, u64::MAX).unwrap();
                change(&mut random, &mut bytes);
                bytes
            };
            let others = list.iter().filter(|other| *other != file);
            let others =
                others.map(|other| (other.clone(), sound.read_whole(other, u64::MAX).unwrap()));
            ask_everything(&MemoryFiles::new(others.chain([(file.clone(), bytes)])));
        }
    }
}
