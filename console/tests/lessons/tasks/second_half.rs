//! The ways of the lessons 7 to 12.

use super::judged;

#[test]
fn nothing_of_fig() {
    judged(
        "deleting",
        "forget",
        &[
            &["release 1", "compact 1; run"],
            &["release 1; compact 1; run"],
            &["release 1", "compact; run"],
            &["put zebra striped; flush; run", "release 1", "compact 0; run", "compact 1; run"],
            &["compact 1; run", "release 1", "compact 2; run"],
            &["get fig", "snapshot --list", "release 1", "compact 1", "run"],
        ],
        &[
            (&["release 1"], "follow fig still shows entries of fig"),
            (&["compact 1; run"], "A snapshot is open"),
            (&["compact; run"], "A snapshot is open"),
            (&["release 1; put fig red; compact 1; run"], "follow fig still shows"),
            (&["release 1; del pear; compact 1; run"], "pear is not yellow"),
            (&["reset --yes"], "apple is not red"),
            (&["release 1; del fig; compact 1; run"], "follow fig still shows"),
        ],
    );
}

#[test]
fn records_at_risk() {
    judged(
        "power",
        "risk",
        &[
            &["put a 1 --sync off", "put b 2 --sync off", "put c 3 --sync off"],
            &["put a 1", "put b 2 --sync off; put c 3 --sync off; put d 4 --sync off"],
            &["put a 1 --sync off; put a 2 --sync off; del a --sync off"],
            &["put z 1; flush; run", "put a 1 --sync off; put b 1 --sync off; put c 1 --sync off"],
            &["options set wal_sync none", "put a 1; put b 2; put c 3"],
            &["put a 1 --sync off; put b 1 --sync off; put c 1 --sync off; put d 1 --sync off"],
        ],
        &[
            (&["put a 1; put b 2; put c 3"], "Fewer than three records"),
            (&["put a 1 --sync off; put b 2 --sync off"], "Fewer than three records"),
            (&["put a 1 --sync off; put b 2 --sync off; put c 3"], "Fewer than three"),
            (&["put a 1 --sync off; put b 1 --sync off; put c 1 --sync off; sync"], "Fewer"),
            (&["put a 1 --sync off; put b 1 --sync off; flush; put c 1 --sync off"], "Fewer"),
            (&["fill 3"], "Fewer than three records"),
        ],
    );
}

#[test]
fn records_made_durable() {
    judged(
        "power",
        "safe",
        &[
            &["sync"],
            &["wal", "sync"],
            &["put d 4"],
            &["put d 4 --sync off", "sync"],
            &["rotate"],
            &["flush"],
        ],
        &[
            (&["wal"], "Some records of the log are still unsynced"),
            (&["put d 4 --sync off"], "Some records of the log are still unsynced"),
            (&["flush; run"], "There is a new table"),
            (&["rotate; run; sync"], "There is a new table"),
            (&["reset --yes"], "The writes are gone"),
            (&["sync; put d 4 --sync off"], "Some records of the log"),
        ],
    );
}

#[test]
fn two_hundred_writes_without_a_stall() {
    judged(
        "pressure",
        "calm",
        &[
            &["options set immutable_count_max 64", "fill 200 --words --seed 1"],
            &["options set memtable_bytes 65536", "fill 200 --words --seed 1"],
            &["fill 200 --words", "options set immutable_count_max 64", "fill 200 --words"],
            &["options set maintenance inline", "fill 200 --words"],
            &["options set immutable_count_max 40", "fill 100 --words; run; fill 100 --words"],
            &["options set memtable_bytes 1m; options set l0_stall 50", "fill 300"],
            &["options preset default", "fill 200 --words"],
            &["options preset article; fill 200 --words"],
        ],
        &[
            (&["fill 200 --words --seed 1"], "No option differs"),
            (
                &[
                    "fill 50 --words; run",
                    "fill 50 --words; run",
                    "fill 50 --words; run",
                    "fill 50 --words; run",
                ],
                "No option differs",
            ),
            (&["options set immutable_count_max 64"], "Fewer than 200 writes"),
            (&["fill 200 --words", "options set immutable_count_max 64"], "Fewer than 200 writes"),
            (&["options set immutable_count_max 5", "fill 200 --words"], "A write stalled"),
            (&["options set immutable_count_max 64", "fill 150 --words"], "Fewer than 200"),
            (
                &["options set immutable_count_max 64; fill 200 --words; options set l0_stall 7"],
                "Fewer",
            ),
        ],
    );
}

#[test]
fn a_tiered_tree() {
    judged(
        "strategies",
        "tiered",
        &[
            &["options set strategy tiered", "fill 200 --words --seed 1", "run"],
            &["fill 200 --words", "options set strategy tiered", "run"],
            &["options set strategy tiered; fill 100 --words; run; fill 100; run"],
            &["fill 150 --words; options set strategy tiered; fill 50; run"],
            &["options set strategy tiered; fill 400 --words; run"],
            &[
                "options set strategy tiered",
                "options set memtable_bytes 64k",
                "fill 200 --words",
                "run",
            ],
        ],
        &[
            (&["fill 200 --words; run"], "The strategy is not tiered"),
            (&["options set strategy tiered", "fill 150 --words", "run"], "Fewer than 200 writes"),
            (&["options set strategy tiered", "fill 200 --words"], "An immutable memtable"),
            (
                &["options set strategy lazy-leveled; fill 200 --words; run"],
                "The strategy is not tiered",
            ),
            (&["options set strategy tiered", "run"], "Fewer than 200 writes"),
            (
                &[
                    "options set strategy tiered; fill 200 --words; run; options set strategy leveled",
                ],
                "The strategy is not tiered",
            ),
        ],
    );
}

#[test]
fn one_table_with_prefixes() {
    judged(
        "prefixes",
        "one",
        &[
            &["compact; run"],
            &["compact", "run"],
            &["put ann.3.logout web; flush; run", "compact; run"],
            &["compact 0; run"],
            &["prefix fay.", "compact; run"],
            &["flush; run", "compact; run", "compact 1; run"],
            &["options set prefix_filter off; compact; run"],
        ],
        &[
            (&["compact"], "There has to be exactly one table"),
            (&["put ann.3.logout web", "compact; run"], "A memtable still has entries"),
            (&["reset --yes; put a 1; flush; run"], "Some of the five events are gone"),
            (&["put fay.1.login web; flush; run", "compact; run"], "A scan of fay. reads a block"),
            (
                &["options set prefix_index none; options set prefix none", "compact; run"],
                "A scan of fay. reads a block",
            ),
            (
                &[
                    "options set prefix_index none; options set prefix none; compact; run; prefix fay.",
                ],
                "A scan of fay. reads a block, from the cache",
            ),
        ],
    );
}

#[test]
fn a_read_inside_and_one_outside() {
    judged(
        "together",
        "inside",
        &[
            &["begin; put stock 0; get stock"],
            &["begin", "put stock 0"],
            &["begin", "put stock 5", "put stock 0"],
            &["begin", "rollback", "begin", "put stock 0"],
            &["put stock 0", "put stock 1", "begin", "put stock 0"],
            &["begin --serializable", "get stock", "put stock 0"],
        ],
        &[
            (&["begin"], "A read inside the transaction does not find 0"),
            (&["put stock 0"], "A read outside does not find 1"),
            (&["begin; rollback"], "A read inside the transaction"),
            (&["begin; put stock 0; commit"], "A read outside does not find 1"),
            (&["begin; put stock 0; rollback"], "A read inside the transaction"),
            (&["begin; del stock"], "A read inside the transaction"),
        ],
    );
}

#[test]
fn a_transaction_undone() {
    judged(
        "together",
        "undo",
        &[
            &["rollback"],
            &["get stock", "rollback"],
            &["put stock 3", "rollback"],
            &["transactions", "rollback"],
            &["begin", "rollback", "rollback 1"],
        ],
        &[
            (&["commit"], "The stock is not 1"),
            (&["commit; put stock 1"], "A transaction was committed"),
            (&["put stock 1"], "A transaction is still open"),
            (&["put stock 1; commit"], "A transaction was committed"),
            (&["begin", "rollback"], "A transaction is still open"),
            (&["get stock"], "A transaction is still open"),
        ],
    );
}
