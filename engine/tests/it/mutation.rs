//! Decoders on invalid input: mutations of sound files and of the corpus.
//!
//! `fuzz/corpus/DECODER/*` holds inputs worth keeping, crashers among them; every one is run each time.
//! The coverage-guided fuzzer in `fuzz/` begins with the same files and the same entries.
#![allow(clippy::disallowed_methods, reason = "the corpus is files")]

use crate::common::Random;
use crate::technique::Technique;
use levelscope::testing::decode::Decoder;
use levelscope::testing::forge::varint;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

const LENGTH_MAX: usize = 16 * 1024;

/// Numbers at which length and count arithmetic breaks.
const NUMBERS: [u64; 12] = [
    0,
    1,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0xffff,
    0x7fff_ffff,
    0xffff_ffff,
    0x1_0000_0000,
    0x7fff_ffff_ffff_ffff,
    u64::MAX,
];

fn place(decoder: &Decoder) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(decoder.name)
}

fn corpus(decoder: &Decoder) -> Vec<(PathBuf, Vec<u8>)> {
    let place = place(decoder);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(place).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

/// One change: of a bit, a byte, a number, or of a piece that is moved, repeated or left out.
fn mutate(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8]) {
    let at = random.below(bytes.len() as u64 + 1) as usize;
    let bits = random.below(8);
    let length = 1 + random.below(1 << bits) as usize;
    let end = (at + length).min(bytes.len());
    let number = NUMBERS[random.below(NUMBERS.len() as u64) as usize];
    let number = number.wrapping_add(random.below(3)).wrapping_sub(1);
    match random.below(9) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        1 if at < bytes.len() => bytes[at] = random.next() as u8,
        2 => drop(bytes.drain(at..end)),
        3 => {
            let piece = bytes[at..end].to_vec();
            let to = random.below(bytes.len() as u64 + 1) as usize;
            drop(bytes.splice(to..to, piece));
        }
        4 => {
            let piece = random.bytes(length);
            drop(bytes.splice(at..at, piece));
        }
        5 => {
            let number = varint(number);
            let end = (at + number.len()).min(bytes.len());
            drop(bytes.splice(at..end, number));
        }
        6 => {
            let width = if random.below(2) == 0 { 4 } else { 8 };
            let end = (at + width).min(bytes.len());
            drop(bytes.splice(at..end, number.to_le_bytes()[..width].to_vec()));
        }
        7 if !other.is_empty() => {
            let from = random.below(other.len() as u64) as usize;
            let until = (from + length * 4).min(other.len());
            drop(bytes.splice(at..end, other[from..until].to_vec()));
        }
        _ => bytes.truncate(at),
    }
    bytes.truncate(LENGTH_MAX);
}

fn try_one(decoder: &Decoder, bytes: &[u8], context: &str) {
    let run = decoder.run;
    if catch_unwind(|| run(bytes)).is_err() {
        let name = std::env::temp_dir().join(format!("levelscope-crasher-{}", decoder.name));
        std::fs::write(&name, bytes).unwrap();
        panic!("{}, {context}: a panic; the input is {}", decoder.name, name.display());
    }
}

/// Runs every file of the corpus of `decoder`.
pub fn take_corpus(decoder: &Decoder) {
    let corpus = corpus(decoder);
    assert!(!corpus.is_empty(), "fuzz/corpus/{} has no file", decoder.name);
    for (path, bytes) in &corpus {
        try_one(decoder, bytes, &path.display().to_string());
    }
}

/// The corpus of `decoder` has these sound inputs; `UPDATE=1` writes them.
pub fn begin_with(decoder: &Decoder, seeds: &[Vec<u8>]) {
    for (number, bytes) in seeds.iter().enumerate() {
        let path = place(decoder).join(format!("sound-{number}"));
        if std::env::var_os("UPDATE").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, bytes).unwrap();
        }
        assert!(path.exists(), "{}: UPDATE=1 cargo test writes it", path.display());
    }
}

/// Runs mutations of the corpora and of the sound inputs that come with each decoder.
pub fn take_anything(technique: &mut Technique, decoders: &[(&Decoder, Vec<Vec<u8>>)]) {
    let corpora: Vec<(&Decoder, Vec<Vec<u8>>)> = decoders
        .iter()
        .map(|(decoder, seeds)| {
            let kept = corpus(decoder).into_iter().map(|(_, bytes)| bytes);
            (*decoder, kept.chain(seeds.iter().cloned()).collect())
        })
        .collect();
    while let Some(seed) = technique.next_seed() {
        for (decoder, corpus) in &corpora {
            let mut random = Random(seed ^ 0xdec0);
            let mut draw = || &corpus[random.below(corpus.len() as u64) as usize];
            let (mut bytes, other) = (draw().clone(), draw().clone());
            for _ in 0..=random.below(6) {
                mutate(&mut random, &mut bytes, &other);
            }
            try_one(decoder, &bytes, &format!("seed {seed}"));
            technique.count(1);
        }
    }
}
