//! Compactions that reads make due.

use super::*;

/// The plan for `table`, which `reads` have made due.
fn for_reads(version: &Version, options: &Options, table: FileNumber, reads: u64) -> Option<Plan> {
    let due = [ReadDue { table, reads, walked: 0 }];
    Picker { version, options, cursors: &[], claims: &Claims::default(), read_due: &due }.pick()
}

#[test]
fn reads_take_their_table_down_with_what_overlaps_it() {
    let version = version(&[
        (0, 12, 1, "a", "k"),
        (1, 1, 300, "a", "f"),
        (1, 2, 300, "g", "m"),
        (1, 3, 300, "n", "z"),
        (2, 4, 1000, "c", "h"),
        (2, 5, 1000, "i", "z"),
    ]);
    assert_eq!(pick(&version, &options(), &[]), None, "no level is due");
    let plan = for_reads(&version, &options(), 12, 100).unwrap();
    assert_eq!(numbers(&plan), [(0, 12), (1, 1), (1, 2)]);
    assert_eq!(
        plan.reason,
        "100 reads had to search table 12 and others for the same keys; table 12 is merged with 2 tables of L1 whose \
         keys overlap"
    );
    let plan = for_reads(&version, &options(), 2, 7000).unwrap();
    assert_eq!(numbers(&plan), [(1, 2), (2, 4), (2, 5)]);
    assert_eq!((plan.level, plan.output_level), (1, 2));
    assert!(plan.reason.starts_with("7,000 reads had to search table 2 and others"));
}

#[test]
fn reads_take_all_tables_of_l0_that_overlap() {
    let version = version(&[(0, 10, 1, "a", "k"), (0, 11, 1, "i", "p"), (0, 12, 1, "r", "z")]);
    let options = Options { l0_trigger: 4, ..options() };
    let plan = for_reads(&version, &options, 11, 100).unwrap();
    assert_eq!(numbers(&plan), [(0, 11), (0, 10)]);
    assert_eq!(
        plan.reason,
        "100 reads had to search table 11 and others for the same keys; 2 tables whose keys overlap are merged into L1, \
         where no table overlaps them"
    );
    let plan = for_reads(&version, &options, 12, 100).unwrap();
    assert!(plan.trivial_move);
    assert_eq!(plan.cost_bytes(), 0);
}

#[test]
fn a_level_that_is_due_comes_before_reads() {
    let version = version(&[
        (0, 10, 1, "a", "c"),
        (0, 11, 1, "a", "c"),
        (1, 1, 300, "x", "z"),
        (2, 2, 1, "x", "z"),
    ]);
    let plan = for_reads(&version, &options(), 1, 100).unwrap();
    assert_eq!(plan.level, 0);
}

#[test]
fn reads_of_a_table_that_cannot_go_down_cause_nothing() {
    let deepest = version(&[(3, 1, 300, "a", "z")]);
    assert_eq!(for_reads(&deepest, &options(), 1, 1000), None);
    assert_eq!(for_reads(&deepest, &options(), 99, 1000), None, "the table is gone");
    let several = Options { strategy: crate::Strategy::Tiered, ..options() };
    let added = [(1, 5, 1), (1, 6, 2)].map(|(level, number, run)| {
        (level, Arc::new(TableMeta { run, ..meta(number, 10, ("a", "z")) }))
    });
    let edit = VersionEdit { added: added.to_vec(), ..VersionEdit::default() };
    let runs = Version::default().apply(&edit).unwrap();
    assert_eq!(for_reads(&runs, &several, 6, 1000), None);
}

#[test]
fn reads_wait_for_a_running_compaction_of_their_table() {
    let version = version(&[(1, 1, 300, "a", "f"), (2, 4, 1000, "c", "h")]);
    let mut claims = Claims::default();
    let options = options();
    let due = [ReadDue { table: 1, reads: 100, walked: 0 }];
    let running =
        beside(&version, &options, &Claims::default()).manual(1, None, AskedTarget::Level(2));
    claims.add(3, &running.unwrap(), None);
    let picker = Picker { read_due: &due, ..beside(&version, &options, &claims) };
    assert_eq!(picker.pick(), None);
    claims.release(3);
    let picker = Picker { read_due: &due, ..beside(&version, &options, &claims) };
    assert!(picker.pick().is_some());
}
