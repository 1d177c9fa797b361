//! Names and sentences of events.

use levelscope::event::{Event, EventKind, Grain, NAMES, ShownKey};
use levelscope::testing::samples;
use std::collections::BTreeSet;

/// The names under which the kinds are serialized, read from their definition.
fn serialized_names() -> BTreeSet<&'static str> {
    let source = include_str!("../../src/event/kind.rs");
    source.split("serde(rename = \"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn every_kind_has_its_serialized_name() {
    let names: BTreeSet<_> = samples::events().iter().map(|event| event.kind.name()).collect();
    assert_eq!(names, serialized_names());
    assert_eq!(names, NAMES.iter().copied().collect());
}

#[test]
fn every_sentence_is_one_plain_sentence() {
    let mut sentences = BTreeSet::new();
    for event in samples::events() {
        let sentence = event.sentence();
        let name = event.kind.name();
        assert!(sentence.ends_with('.') && !sentence.ends_with(".."), "{name}: {sentence}");
        assert!(!sentence.contains(". "), "{name}: {sentence}");
        assert!(!sentence.chars().any(char::is_control), "{name}: {sentence}");
        assert!(sentence.starts_with(|c: char| c.is_ascii_uppercase()), "{name}: {sentence}");
        assert!(!sentence.contains(" 1 entries") && !sentence.contains("  "), "{name}: {sentence}");
        assert!(sentence.len() < 200, "{name}: {sentence}");
        assert!(sentences.insert(sentence.clone()), "said twice: {sentence}");
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "UPDATE=1 rewrites the expected text")]
fn all_sentences() {
    let said: Vec<String> = samples::events().iter().map(Event::sentence).collect();
    let said = said.join("\n") + "\n";
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/sentences.txt"), &said)
            .unwrap();
    } else {
        assert_eq!(said, include_str!("sentences.txt"), "run the tests with UPDATE=1");
    }
}

#[test]
fn grains_follow_the_names() {
    let grain = |kind: EventKind| kind.grain();
    assert_eq!(grain(EventKind::OpSync), Grain::Operation);
    assert_eq!(grain(EventKind::StallEnd), Grain::Phase);
    for event in samples::events() {
        assert_eq!(event.kind.grain(), EventKind::grain_of(event.kind.name()));
    }
    assert_eq!(EventKind::grain_of("merge.entry"), Grain::Detail);
}

#[test]
fn hostile_keys_stay_text() {
    let key = ShownKey::new(b"\x1b]0;title\x07<img src=x>\r\n\xc2\x9b");
    let event = |kind| Event { id: 1, detail: 0, time: 1, job: None, cause: None, kind };
    let said = event(EventKind::OpGet { key, found: true }).sentence();
    assert!(!said.chars().any(char::is_control), "{said}");
    assert!(said.contains("\\x1b]0;title\\x07<img"), "{said}");
}
