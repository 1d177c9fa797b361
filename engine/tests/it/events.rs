//! Names and sentences of events.

use levelscope::event::{CATALOGUE, Event, EventKind, Grain, KindInfo, ShownKey, TableAt};
use levelscope::testing::samples;
use std::collections::BTreeSet;
use std::fmt::Write as _;

#[test]
fn every_kind_has_a_sample_and_one_name() {
    let names: BTreeSet<_> = samples::events().iter().map(|event| event.kind.name()).collect();
    assert_eq!(names, CATALOGUE.iter().map(|info| info.name).collect());
    assert_eq!(names.len(), CATALOGUE.len());
}

#[cfg(feature = "serde")]
#[test]
fn a_kind_is_serialized_under_its_name() {
    for event in samples::events() {
        let value = serde_json::to_value(&event).unwrap();
        assert_eq!(value["kind"], event.kind.name());
    }
}

#[test]
fn every_kind_has_a_purpose_and_the_prefix_of_its_family() {
    for info in CATALOGUE {
        assert!(
            info.purpose.trim() == info.purpose && info.purpose.ends_with('.'),
            "{}",
            info.purpose
        );
        let operation = info.name.starts_with("op.");
        assert_eq!(operation, info.grain == Grain::Operation, "{}", info.name);
        assert_eq!(KindInfo::named(info.name), Some(info));
    }
    assert_eq!(KindInfo::named("op.pit"), None);
}

/// Breakpoints, links and the page depend on the objects of events.
#[test]
fn an_event_lists_the_objects_that_it_touches() {
    let touches = |kind: EventKind| {
        let touches = kind.touches();
        touches
            .iter()
            .map(|touch| format!("{} {:?}", touch.object, touch.effect))
            .collect::<Vec<_>>()
    };
    assert_eq!(touches(EventKind::WalDelete { wal: 7 }), ["wal:7 Removed"]);
    let at = |level, table| TableAt { level, table };
    let pick = EventKind::CompactionPick {
        level: 0,
        output_level: 1,
        reason: String::new(),
        inputs: vec![at(0, 12), at(1, 7)],
        trivial_move: false,
    };
    assert_eq!(touches(pick), ["level:0 Read", "level:1 Read", "table:12 Read", "table:7 Read"]);
    let install = EventKind::CompactionInstall {
        removed: vec![at(0, 12), at(0, 9), at(1, 7)],
        added: Vec::new(),
        positions: Vec::new(),
        output_level: 1,
        scores: Vec::new(),
    };
    assert_eq!(
        touches(install),
        [
            "level:1 Changed",
            "table:12 Removed",
            "level:0 Changed",
            "table:9 Removed",
            "table:7 Removed"
        ]
    );
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
        assert!(sentences.insert(sentence.clone()), "a sentence of two events: {sentence}");
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "UPDATE=1 rewrites the expected text")]
fn all_sentences() {
    let sentences: Vec<String> = samples::events().iter().map(Event::sentence).collect();
    let sentences = sentences.join("\n") + "\n";
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/sentences.txt"), &sentences)
            .unwrap();
    } else {
        assert_eq!(sentences, include_str!("sentences.txt"), "run the tests with UPDATE=1");
    }
}

/// docs/EVENTS.md, as the catalogue has it.
fn reference() -> String {
    let mut text = "# Events\n\nGenerated from `engine/src/event/catalogue`; \
                    `UPDATE=1 cargo test -p levelscope --test it -- events::` rewrites it.\n\n\
                    Everything that the engine does and decides is an event. Breakpoints, `why` and the page know \
                    a kind by its name.\nThe Rust type is `levelscope::event::EventKind`. \
                    An event also has a number, a time, the job that did it and its cause.\n"
        .to_owned();
    for info in CATALOGUE {
        let grain = format!("{:?}", info.grain).to_lowercase();
        let _ = write!(text, "\n## {}\n\n{} ({grain})\n", info.name, plain(info.purpose));
        if !info.fields().is_empty() {
            text.push_str("\n| field | type | meaning |\n|---|---|---|\n");
        }
        for field in info.fields() {
            let (name, type_name) = (field.name, field.type_name);
            let _ = writeln!(text, "| `{name}` | `{type_name}` | {} |", plain(field.purpose));
        }
    }
    text
}

/// Documentation as Markdown outside of rustdoc: brackets need no escape.
fn plain(docs: &str) -> String {
    docs.replace("\\[", "[").replace("\\]", "]")
}

#[test]
#[expect(clippy::disallowed_methods, reason = "UPDATE=1 rewrites the reference")]
fn the_reference_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/EVENTS.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, reference()).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap();
    assert!(committed == reference(), "docs/EVENTS.md is out of date: run the tests with UPDATE=1");
}

#[test]
fn every_field_is_described_by_a_sentence() {
    for info in CATALOGUE {
        for field in info.fields() {
            let (name, purpose) = (field.name, field.purpose);
            assert!(
                purpose.ends_with('.') && !purpose.contains('\n'),
                "{}.{name}: {purpose}",
                info.name
            );
        }
    }
}

#[test]
fn hostile_keys_stay_text() {
    let key = ShownKey::new(b"\x1b]0;title\x07<img src=x>\r\n\xc2\x9b");
    let event = |kind| Event { id: 1, detail: 0, time: 1, job: None, cause: None, kind };
    let sentence = event(EventKind::OpGet { key, value: None }).sentence();
    assert!(!sentence.chars().any(char::is_control), "{sentence}");
    assert!(sentence.contains("\\x1b]0;title\\x07<img"), "{sentence}");
}
