//! The picker, case by case, and a whole tree driven to rest.
#![expect(clippy::cast_possible_truncation, reason = "the numbers of a test are small")]

use super::*;
use crate::compaction::testing::meta;
use crate::key::user_key;
use crate::manifest::VersionEdit;
use crate::memtable::{SplitMix64, for_seeds};
use crate::storage::FileNumber;

mod asked;
mod reads;

/// A version of tables: level, number, bytes, first and last key. Larger numbers are newer.
fn version(tables: &[(usize, FileNumber, u64, &str, &str)]) -> Version {
    let added = tables.iter().map(|(level, number, bytes, smallest, largest)| {
        let run = if *level == 0 { *number } else { 1 };
        (*level, Arc::new(TableMeta { run, ..meta(*number, *bytes, (smallest, largest)) }))
    });
    let edit = VersionEdit { added: added.collect(), ..VersionEdit::default() };
    Version::default().apply(&edit).unwrap()
}

fn options() -> Options {
    Options {
        level_count: 4,
        l0_trigger: 2,
        l0_stall: 8,
        level_base_bytes: 1000,
        level_multiplier: 10,
        // No table is a crumb.
        table_bytes: CRUMB_SHARE,
        ..Options::default()
    }
}

/// The next compaction when none is under way.
fn pick(version: &Version, options: &Options, cursors: &[Vec<u8>]) -> Option<Plan> {
    Picker { version, options, cursors, claims: &Claims::default(), read_due: &[] }.pick()
}

fn manual(
    version: &Version,
    options: &Options,
    level: usize,
    range: Option<(&[u8], &[u8])>,
) -> Option<Plan> {
    let picker =
        Picker { version, options, cursors: &[], claims: &Claims::default(), read_due: &[] };
    picker.manual(level, range, AskedTarget::Level(level + 1))
}

fn numbers(plan: &Plan) -> Vec<(usize, FileNumber)> {
    plan.inputs.iter().map(|(level, table)| (*level, table.number)).collect()
}

/// Where the next compaction of the level goes on.
fn largest_taken(plan: &Plan) -> Vec<u8> {
    let taken = plan.inputs.iter().filter(|(level, _)| *level == plan.level);
    taken.map(|(_, table)| user_key(&table.largest)).max().unwrap().to_vec()
}

#[test]
fn an_empty_database_has_nothing_to_do() {
    assert_eq!(pick(&Version::default(), &options(), &[]), None);
    for level in 0..5 {
        assert_eq!(manual(&Version::default(), &options(), level, None), None);
    }
}

#[test]
fn scores_measure_how_full_each_level_is() {
    let version = version(&[
        (0, 9, 50, "a", "b"),
        (1, 1, 400, "a", "b"),
        (1, 2, 350, "c", "d"),
        (2, 3, 20_000, "a", "b"),
        (3, 4, 1 << 40, "a", "b"),
    ]);
    let found: Vec<_> = scores(&version, &options())
        .iter()
        .map(|score| (score.level, score.bytes, score.limit, score.score))
        .collect();
    let expected =
        [(0, 50, 2, 0.5), (1, 750, 1000, 0.75), (2, 20_000, 10_000, 2.0), (3, 1 << 40, 0, 0.0)];
    assert_eq!(found, expected);
    assert_eq!(pick(&version, &options(), &[]).unwrap().level, 2);
}

/// Opened with fewer levels than it was written with: the deeper ones still count.
#[test]
fn levels_beyond_the_options_are_not_forgotten() {
    let version = version(&[(1, 1, 5000, "a", "b"), (3, 2, 5000, "a", "b")]);
    let options = Options { level_count: 2, ..options() };
    assert_eq!(scores(&version, &options).len(), 4);
    let plan = pick(&version, &options, &[]).unwrap();
    assert_eq!((plan.level, plan.output_level), (1, 2));
}

#[test]
fn limits_of_deep_levels_do_not_overflow() {
    let options =
        Options { level_count: 12, level_base_bytes: 1 << 40, level_multiplier: 100, ..options() };
    assert_eq!(scores(&Version::default(), &options)[10].limit, u64::MAX);
}

#[test]
fn below_the_trigger_nothing_happens() {
    let version = version(&[(0, 1, 9999, "a", "z"), (1, 2, 999, "a", "z"), (2, 3, 9999, "a", "z")]);
    assert_eq!(pick(&version, &options(), &[]), None);
}

#[test]
fn l0_takes_all_that_overlap_through_others() {
    let version = version(&[
        (0, 10, 1, "a", "c"),
        (0, 11, 1, "m", "p"),
        (0, 12, 1, "e", "g"),
        (0, 13, 1, "b", "f"),
        (1, 1, 1, "a", "b"),
        (1, 2, 1, "g", "h"),
        (1, 3, 1, "i", "k"),
    ]);
    let plan = pick(&version, &options(), &[]).unwrap();
    // 10 overlaps 13, 13 overlaps 12; 11 overlaps none and stays. Newest first.
    assert_eq!(numbers(&plan), [(0, 13), (0, 12), (0, 10), (1, 1), (1, 2)]);
    assert_eq!((plan.level, plan.output_level, plan.trivial_move), (0, 1, false));
    assert_eq!(
        plan.reason,
        "L0 has 4 tables, above its trigger of 2 (score 2.00); 3 tables whose keys overlap are merged with 2 tables of \
         L1 whose keys overlap"
    );
    assert_eq!(largest_taken(&plan), b"g");
}

#[test]
fn l0_without_overlap_moves_its_oldest_table() {
    let version = version(&[(0, 10, 1, "a", "c"), (0, 11, 1, "d", "f"), (1, 1, 1, "x", "z")]);
    let plan = pick(&version, &options(), &[]).unwrap();
    assert_eq!(numbers(&plan), [(0, 10)]);
    assert!(plan.trivial_move);
    assert_eq!(
        plan.reason,
        "L0 has reached its trigger of 2 tables (score 1.00); table 10, the oldest, moves to L1 as it is, because no \
         table there has keys in its range"
    );
}

/// A picker while `running` is under way.
fn beside<'a>(version: &'a Version, options: &'a Options, claims: &'a Claims) -> Picker<'a> {
    Picker { version, options, cursors: &[], claims, read_due: &[] }
}

#[test]
fn l0_goes_on_beside_a_running_compaction_of_other_keys() {
    let version = version(&[
        (0, 10, 1, "a", "c"),
        (0, 11, 1, "b", "d"),
        (0, 12, 1, "m", "p"),
        (1, 1, 1, "n", "o"),
    ]);
    let options = Options { l0_trigger: 1, ..options() };
    let mut claims = Claims::default();
    let first = beside(&version, &options, &claims).pick().unwrap();
    assert_eq!(numbers(&first), [(0, 11), (0, 10)]);
    claims.add(1, &first, None);
    let second = beside(&version, &options, &claims).pick().unwrap();
    assert_eq!(numbers(&second), [(0, 12), (1, 1)]);
    assert!(second.reason.contains("table 12, the oldest that need not wait, is merged"));
    claims.add(2, &second, None);
    assert_eq!(beside(&version, &options, &claims).pick(), None);
}

/// Programs that write little and close would leave a table each.
#[test]
fn a_crumb_is_merged_with_the_crumbs_beside_it() {
    let tables = [
        (0, 10, 1, "m", "n"),
        (0, 11, 1, "o", "p"),
        (1, 1, 9, "a", "b"),
        (1, 2, 10, "c", "d"),
        (1, 3, 9, "e", "f"),
        (1, 4, 9, "g", "h"),
        (1, 5, 9, "x", "y"),
        (1, 6, 10, "z", "z"),
    ];
    let options = Options { table_bytes: 10 * CRUMB_SHARE, ..options() };
    let plan = pick(&version(&tables), &options, &[]).unwrap();
    assert_eq!(numbers(&plan), [(0, 10), (1, 3), (1, 4), (1, 5)]);
    assert!(!plan.trivial_move && plan.output_level == 1);
    assert_eq!(
        plan.reason,
        "L0 has reached its trigger of 2 tables (score 1.00); table 10, the oldest, is merged with 3 small tables of L1 \
         beside it"
    );
    // A table that is no crumb moves.
    let larger = tables.map(|table| if table.1 == 10 { (0, 10, 10, "m", "n") } else { table });
    assert!(pick(&version(&larger), &options, &[]).unwrap().trivial_move);
}

/// Otherwise L0 would wait for one table of L1 after the other.
#[test]
fn what_a_more_urgent_compaction_waits_for_is_left_alone() {
    let tables = [
        (0, 10, 1, "a", "z"),
        (0, 11, 1, "a", "z"),
        (1, 1, 900, "a", "c"),
        (1, 2, 900, "d", "f"),
        (1, 3, 900, "g", "i"),
        (2, 4, 9000, "a", "c"),
        (2, 5, 9000, "x", "z"),
    ];
    let version = version(&tables);
    let busy = Options { l0_trigger: 1000, ..options() };
    let mut claims = Claims::default();
    let first = beside(&version, &busy, &claims).pick().unwrap();
    assert_eq!(numbers(&first), [(1, 1), (2, 4)]);
    claims.add(1, &first, None);
    let second = beside(&version, &busy, &claims).pick().unwrap();
    assert_eq!(numbers(&second), [(1, 2)], "nothing more urgent waits");
    // L0 is due, more than L1, and needs all of L1. A compaction that is not in its way may begin.
    let urgent = Options { l0_trigger: 1, level_base_bytes: 2700, ..options() };
    assert_eq!(beside(&version, &urgent, &claims).pick(), None);
    let deeper = Options { level_multiplier: 4, ..urgent };
    let third = beside(&version, &deeper, &claims).pick().unwrap();
    assert_eq!(numbers(&third), [(2, 5)]);
}

#[test]
fn touching_at_one_key_is_an_overlap() {
    let version = version(&[(0, 10, 1, "a", "c"), (0, 11, 1, "c", "f"), (1, 1, 1, "f", "z")]);
    let plan = pick(&version, &options(), &[]).unwrap();
    assert_eq!(numbers(&plan), [(0, 11), (0, 10), (1, 1)]);
    assert!(plan.reason.contains("both are merged with 1 table of L1"), "{}", plan.reason);
}

#[test]
fn levels_are_taken_in_turns() {
    let version = version(&[
        (1, 1, 600, "a", "c"),
        (1, 2, 600, "e", "g"),
        (1, 3, 600, "i", "k"),
        (2, 4, 5, "b", "f"),
        (2, 5, 5, "x", "z"),
    ]);
    let turn = |cursor: &str| {
        let cursors = [Vec::new(), cursor.as_bytes().to_vec()];
        pick(&version, &options(), &cursors).unwrap()
    };
    assert_eq!(numbers(&turn("")), [(1, 1), (2, 4)]);
    assert_eq!(numbers(&turn("c")), [(1, 2), (2, 4)]);
    // A cursor within a table: the rest of that table has not had its turn.
    assert_eq!(numbers(&turn("f")), [(1, 2), (2, 4)]);
    assert_eq!(numbers(&turn("g")), [(1, 3)]);
    assert!(turn("g").trivial_move);
    assert_eq!(numbers(&turn("k")), [(1, 1), (2, 4)]);
    assert_eq!(numbers(&pick(&version, &options(), &[]).unwrap()), [(1, 1), (2, 4)]);
    assert_eq!(
        turn("").reason,
        "L1 has 1,800 bytes, its limit is 1,000 (score 1.80); table 1, the next in turn, is merged with 1 table of \
         L2 whose keys overlap"
    );
}

#[test]
fn the_highest_score_goes_first_and_upper_levels_win_ties() {
    let both = version(&[(0, 8, 1, "a", "b"), (0, 9, 1, "a", "b"), (1, 1, 1000, "x", "z")]);
    assert_eq!(pick(&both, &options(), &[]).unwrap().level, 0);
    let deeper = version(&[(0, 8, 1, "a", "b"), (0, 9, 1, "a", "b"), (1, 1, 1001, "x", "z")]);
    assert_eq!(pick(&deeper, &options(), &[]).unwrap().level, 1);
}

/// A move would carry tombstones down that a rewrite can drop.
#[test]
fn a_table_with_droppable_tombstones_is_rewritten() {
    let with_tombstones = |deeper: &[(usize, FileNumber, u64, &str, &str)]| {
        let table = TableMeta { tombstones: 3, ..meta(1, 2000, ("a", "c")) };
        let edit = VersionEdit { added: vec![(1, Arc::new(table))], ..VersionEdit::default() };
        let version = version(deeper).apply(&edit).unwrap();
        pick(&version, &options(), &[]).unwrap()
    };
    assert!(!with_tombstones(&[]).trivial_move);
    assert!(!with_tombstones(&[(3, 9, 1, "x", "z")]).trivial_move);
    assert!(with_tombstones(&[(3, 9, 1, "b", "b")]).trivial_move);
}

#[test]
fn manual_compaction_takes_a_level_or_a_range() {
    let version = version(&[
        (0, 10, 1, "a", "c"),
        (0, 11, 1, "b", "f"),
        (0, 12, 1, "m", "p"),
        (1, 1, 1, "a", "b"),
        (1, 2, 1, "n", "o"),
        (2, 3, 1, "n", "o"),
        (3, 4, 1, "n", "o"),
    ]);
    let manual = |level, range: Option<(&str, &str)>| {
        let range = range.map(|(smallest, largest)| (smallest.as_bytes(), largest.as_bytes()));
        manual(&version, &options(), level, range)
    };
    let all = manual(0, None).unwrap();
    assert_eq!(numbers(&all), [(0, 12), (0, 11), (0, 10), (1, 1), (1, 2)]);
    assert!(all.reason.starts_with("a command asked to compact L0; all 3"), "{}", all.reason);
    assert_eq!(numbers(&manual(0, Some(("e", "g"))).unwrap()), [(0, 11), (0, 10), (1, 1)]);
    assert_eq!(numbers(&manual(1, Some(("a", "b"))).unwrap()), [(1, 1)]);
    assert!(!manual(1, Some(("a", "b"))).unwrap().trivial_move);
    assert_eq!(manual(0, Some(("q", "z"))), None);
    assert_eq!(numbers(&manual(2, None).unwrap()), [(2, 3), (3, 4)]);
    assert_eq!(manual(3, None), None, "the deepest level has nowhere to go");
    assert_eq!(manual(9, None), None);
}

/// Invariants of every plan, and: work ends, also when tables are larger than any limit.
#[test]
fn random_trees_come_to_rest() {
    for_seeds(60, |seed| {
        let mut random = SplitMix64::new(seed);
        let options = Options { level_base_bytes: 256, level_multiplier: 2, ..options() };
        let mut version = Version::default();
        let mut cursors = vec![Vec::new(); options.level_count];
        let mut next = 1;
        for _ in 0..40 {
            let (first, length) = (random.below(26) as u8, random.below(6) as u8);
            let keys = ((b'a' + first), (b'a' + (first + length).min(25)));
            let keys = ((keys.0 as char).to_string(), (keys.1 as char).to_string());
            let bytes = 1 + random.below(400) as u64;
            let table = TableMeta { run: next, ..meta(next, bytes, (&keys.0, &keys.1)) };
            next += 1;
            let edit = VersionEdit { added: vec![(0, Arc::new(table))], ..VersionEdit::default() };
            version = version.apply(&edit).unwrap();
            let mut steps = 0;
            while let Some(plan) = pick(&version, &options, &cursors) {
                steps += 1;
                assert!(steps < 500, "compaction does not end");
                check(&version, &plan);
                cursors[plan.level] = largest_taken(&plan);
                version = run(&version, &plan, &mut next);
            }
            assert!(scores(&version, &options).iter().all(|score| score.score < 1.0));
        }
    });
}

fn check(version: &Version, plan: &Plan) {
    assert_eq!(plan.output_level, plan.level + 1);
    assert!(!plan.reason.is_empty() && plan.reason.is_ascii());
    let inputs = numbers(plan);
    for (level, input) in &plan.inputs {
        assert!(version.level(*level).any(|table| table == input));
        for other in version.tables() {
            let concerned = other.0 == plan.output_level || (plan.level == 0 && other.0 == 0);
            let overlap = other.1.overlaps(&input.span());
            if *level == plan.level && concerned && overlap {
                assert!(inputs.contains(&(other.0, other.1.number)), "{inputs:?} {other:?}");
            }
        }
    }
    assert!(!plan.trivial_move || inputs.len() == 1);
}

/// The version after a compaction: its inputs as one table, or moved.
fn run(version: &Version, plan: &Plan, next: &mut FileNumber) -> Version {
    let inputs: Vec<_> = plan.inputs.iter().map(|(_, table)| Arc::clone(table)).collect();
    let span = span_of(inputs.iter()).unwrap();
    let (smallest, largest) = (span.from.key().unwrap(), span.to.key().unwrap());
    let text = |key: &[u8]| String::from_utf8(key.to_vec()).unwrap();
    let bytes = inputs.iter().map(|table| table.bytes).sum();
    let mut table = meta(*next, bytes, (&text(smallest), &text(largest)));
    *next += 1;
    if plan.trivial_move {
        table = TableMeta { run: plan.output_run, ..TableMeta::clone(&inputs[0]) };
    }
    version
        .apply(&VersionEdit {
            removed: numbers(plan),
            added: vec![(plan.output_level, Arc::new(table))],
            ..VersionEdit::default()
        })
        .unwrap()
}
