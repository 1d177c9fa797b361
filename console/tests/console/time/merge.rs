//! `merge`: the text twin of the picture of a merge.

use super::Lab;
use crate::text;
use levelscope::event::{Event, EventKind, Verdict};

#[test]
fn merge_shows_the_inputs_where_the_events_put_them() {
    let mut lab = Lab::classroom();
    lab.run("fill 60 --words --seed 7; run; fill 60 --words --seed 7; run");
    let last = lab.console.steps();
    lab.console.start_window(None, 1, last, true);
    lab.finish();
    let window = lab.console.take_window().expect("it is there");
    let mut merged = 0;
    for step in (1..=last).step_by(7) {
        let response = lab.run(&format!("merge {step}"));
        assert!(response.error.is_none(), "{step}: {}", text(&response));
        // The last entry judged up to this step, at most 64 steps before it.
        let entry = window.events.iter().rev().find_map(|(at, event)| match &event.kind {
            EventKind::MergeEntry { heads, .. } if *at <= step && at + 64 >= step => {
                Some((*at, event.sentence(), heads))
            }
            _ => None,
        });
        let Some((at, sentence, heads)) = entry else {
            assert_eq!(response.result()["step"], 0, "{step}");
            continue;
        };
        merged += 1;
        assert_eq!(response.result()["step"], at, "{step}");
        assert_eq!(
            response.result()["heads"],
            serde_json::to_value(heads).expect("JSON"),
            "{step}"
        );
        let result = response.result();
        let sentences = result["sentences"].as_array().expect("a list");
        assert_eq!(sentences.last().and_then(|it| it.as_str()), Some(sentence.as_str()));
        assert!(text(&response).contains("* table") || heads.iter().all(|head| !head.first));
    }
    assert!(merged > 10, "only {merged} steps were near a merge");
    // At a moment of the past, without a number.
    lab.run("goto 200");
    assert_eq!(lab.run("merge").result(), lab.run("merge 200").result());
}

#[test]
fn the_first_compaction_of_the_classroom_drops_a_shadowed_version_and_a_tombstone() {
    for seed in 0..20 {
        let mut lab = Lab::classroom();
        lab.run(&format!("fill 60 --words --seed {seed}; run"));
        let last = lab.console.steps();
        lab.console.start_window(None, 1, last, true);
        lab.finish();
        let window = lab.console.take_window().expect("it is there");
        let begun = |event: &Event| matches!(event.kind, EventKind::CompactionBegin { .. });
        let (_, first) = window.events.iter().find(|(_, event)| begun(event)).expect("it compacts");
        let entries = window.events.iter().filter_map(|(_, event)| match &event.kind {
            EventKind::MergeEntry { verdict, .. } if event.job == first.job => Some(*verdict),
            _ => None,
        });
        let entries: Vec<Verdict> = entries.collect();
        let count = |which: Verdict| entries.iter().filter(|it| **it == which).count();
        assert!(count(Verdict::DroppedShadowed) > 0, "seed {seed}: {entries:?}");
        assert!(count(Verdict::DroppedTombstone) > 0, "seed {seed}: {entries:?}");
        assert!(count(Verdict::KeptNewest) > 20, "seed {seed}: {entries:?}");
    }
}
