//! Every format under bytes that no program has written.

use crate::mutation::{begin_with, take_anything, take_corpus};
use crate::technique::Technique;
use levelscope_formats::testing::{DECODER, small_files};

#[test]
fn formats_take_the_corpus() {
    take_corpus(&DECODER);
}

#[test]
fn the_corpus_begins_with_sound_files() {
    begin_with(&DECODER, &small_files());
}

#[test]
fn formats_take_anything() {
    take_anything(&mut Technique::new("formats", 20_000), &[(&DECODER, small_files())]);
}
