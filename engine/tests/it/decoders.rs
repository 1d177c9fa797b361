//! The decoders of the engine under bytes that no program has written.

use crate::mutation::{begin_with, take_anything, take_corpus};
use crate::technique::Technique;
use levelscope::testing::decode::{DECODERS, seeds};

#[test]
fn decoders_take_the_corpus() {
    DECODERS.iter().for_each(take_corpus);
}

#[test]
fn the_corpus_begins_with_sound_inputs() {
    for decoder in DECODERS {
        begin_with(decoder, &seeds(decoder.name));
    }
}

#[test]
fn decoders_take_anything() {
    let decoders: Vec<_> = DECODERS.iter().map(|decoder| (decoder, seeds(decoder.name))).collect();
    take_anything(&mut Technique::new("decoders", 3_000), &decoders);
}
