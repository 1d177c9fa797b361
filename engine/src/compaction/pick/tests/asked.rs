//! Compactions of a range that a caller asks for: one merge of several levels.

use super::*;

/// The plan for `range` from L0 to `output_level`.
fn asked(version: &Version, output_level: usize, range: (&str, &str)) -> Option<Plan> {
    let (options, claims) = (options(), Claims::default());
    let picker = beside(version, &options, &claims);
    let range = (range.0.as_bytes(), range.1.as_bytes());
    picker.manual(0, Some(range), AskedTarget::Level(output_level))
}

#[test]
fn all_levels_are_merged_at_once() {
    let version = version(&[
        (0, 12, 1, "a", "k"),
        (0, 13, 1, "c", "d"),
        (1, 1, 1, "b", "f"),
        (1, 2, 1, "x", "z"),
        (2, 3, 1, "e", "m"),
        (2, 4, 1, "p", "r"),
        (3, 5, 1, "a", "l"),
        (3, 6, 1, "n", "o"),
        (3, 7, 1, "s", "t"),
    ]);
    let plan = asked(&version, 3, ("a", "d")).unwrap();
    // Table 3 is taken because table 12 reaches into it, and table 5 because both do.
    assert_eq!(numbers(&plan), [(0, 13), (0, 12), (1, 1), (2, 3), (3, 5)]);
    assert_eq!((plan.level, plan.output_level, plan.trivial_move), (0, 3, false));
    assert_eq!(
        plan.reason,
        "a command asked to compact a range of keys, and L0 has some of them; both are merged with 3 tables of \
         the levels down to L3"
    );
    // Nothing in L0 overlaps table 2, and yet it is in the range.
    let plan = asked(&version, 3, ("a", "z")).unwrap();
    let taken: Vec<_> = numbers(&plan).into_iter().map(|(_, number)| number).collect();
    assert_eq!(taken, [13, 12, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn a_level_without_tables_of_the_range_is_passed() {
    let version = version(&[
        (0, 12, 1, "x", "z"),
        (1, 1, 1, "b", "f"),
        (2, 3, 1, "e", "m"),
        (3, 5, 1, "a", "l"),
    ]);
    let plan = asked(&version, 3, ("a", "d")).unwrap();
    assert_eq!(numbers(&plan), [(1, 1), (2, 3), (3, 5)]);
    assert_eq!(asked(&version, 3, ("n", "o")), None);
}

/// A newer run of a level that is taken takes the older ones that it overlaps along, or its data would sink below theirs.
#[test]
fn a_run_between_takes_older_runs_along() {
    let tables =
        [(0, 12, 1, "b", "c"), (1, 1, 1, "g", "k"), (1, 2, 1, "b", "h"), (2, 5, 1, "a", "l")];
    let mut edit = VersionEdit::default();
    for (level, number, bytes, smallest, largest) in tables {
        let run = if level == 2 { 1 } else { number };
        let table = TableMeta { run, ..meta(number, bytes, (smallest, largest)) };
        edit.added.push((level, Arc::new(table)));
    }
    let version = Version::default().apply(&edit).unwrap();
    let plan = asked(&version, 2, ("b", "c")).unwrap();
    assert_eq!(numbers(&plan), [(0, 12), (1, 2), (1, 1), (2, 5)]);
}
