//! The ways of the lessons 1 to 6.

use super::judged;

#[test]
fn a_log() {
    judged(
        "log",
        "gone",
        &[
            &["put apple red", "del apple"],
            &["del apple", "put apple red", "del apple"],
            &["put banana yellow", "put apple red", "del banana", "del apple"],
            &["put apple red; flush; run", "del apple"],
            &["put apple red", "rotate", "del apple"],
            &["put apple red", "delete-range a b"],
            &["put apple red; put apple green; del apple; del apple"],
            &["begin; put apple red; commit", "begin; del apple; commit"],
            &["batch put apple red, del apple"],
        ],
        &[
            (&["put apple red"], "The newest entry of apple is no tombstone"),
            (&["del apple"], "No older entry of apple holds a value"),
            (&["put banana yellow", "del apple"], "No older entry of apple"),
            (&["del apple", "del apple"], "No older entry of apple"),
            (&["put apple red; del apple; put apple green"], "The newest entry of apple"),
            (&["put apple red; del apple; flush; run"], "No older entry of apple"),
            (&["put apple red; begin; del apple", "get apple --in none", "rollback"], "The newest"),
            (&["put banana yellow", "del banana"], "The newest entry of apple is no tombstone"),
        ],
    );
}

#[test]
fn a_second_table() {
    judged(
        "rotation",
        "all",
        &[
            &["flush", "step job"],
            &["flush; step job"],
            &["put zebra 2", "flush", "step job"],
            &["put zulu 2", "flush", "step job"],
            &["rotate", "step job"],
            &["flush", "until after flush.install"],
            &["get zulu", "lsm", "flush", "lsm", "step job"],
        ],
        &[
            (&["flush"], "No table has zulu yet"),
            (&["flush", "step"], "No table has zulu yet"),
            (&["del zulu", "flush", "step job"], "The pair of zulu is gone"),
            (&["flush; run"], "Table 4 is no longer in L0"),
            (&["compact 0; run", "flush; step job"], "Table 4 is no longer in L0"),
            (&["put zebra 1", "sync"], "No table has zulu yet"),
        ],
    );
}

#[test]
fn one_byte_of_a_key() {
    judged(
        "table",
        "share",
        &[
            &["put aaaa1 x; put aaaa2 y", "flush; run", "layout 4 --node block:1/entry:2"],
            &["put a x; put b y; flush; run; layout 4 --node block:1/entry:1"],
            &["put a x", "flush; run", "layout 4 --node block:1/entry:1"],
            &[
                "put one 1; put two 2; flush; run",
                "put user1 x; put user2 y; put user3 z; flush; step job",
                "layout 6 --node block:1/entry:3",
            ],
            &[
                "put k1 x; put k2 y; put other z; flush; run",
                "layout 4",
                "layout 4 --node block:1/entry:2",
            ],
            &["put aa x; put ab y; rotate; run", "layout table:4 --node block:1/entry:2"],
        ],
        &[
            (&["put aaaa1 x; put aaaa2 y", "flush; run"], "Your last command has to be a layout"),
            (&["put aaaa1 x; put aaaa2 y", "flush; run", "layout 4"], "Your last command"),
            (
                &["put aaaa1 x; put aaaa2 y", "flush; run", "layout 4 --node block:1/entry:1"],
                "The part \"key suffix\"",
            ),
            (
                &["put apple x; put avocado y; flush; run; layout 4 --node block:1/entry:2"],
                "The part",
            ),
            (&["layout 4 --node block:1/entry:2"], "Your last command"),
            (&["put one 1; put two 2; flush; run; layout 4 --node block:1"], "Your last command"),
        ],
    );
}

#[test]
fn one_place() {
    judged(
        "reading",
        "one",
        &[
            &["put apple red"],
            &["put apple green", "put apple red"],
            &["put fig blue", "put apple red"],
            &["flush; run", "put apple red"],
            &["rotate", "put apple red"],
            &["del apple", "put apple red"],
            &["begin; put apple red", "commit"],
        ],
        &[
            (&["put apple green"], "get apple does not find red"),
            (&["get apple"], "A lookup of apple still asks more than one place"),
            (&["del apple"], "get apple does not find red"),
            (&["flush; run"], "A lookup of apple still asks"),
            (&["put apple red; flush; run"], "A lookup of apple still asks"),
            (&["compact; run"], "A lookup of apple still asks"),
            (&["put apple red; rotate"], "A lookup of apple still asks"),
        ],
    );
}

#[test]
fn a_false_positive() {
    judged(
        "filters",
        "positive",
        &[
            &["explain get plum"],
            &["get lemon", "explain get plum"],
            &["explain get cherry", "explain get fig", "explain get plum"],
            &["explain get plum", "explain get plum"],
            &["put kiwi green", "explain get plum"],
            &["scan", "explain get plum"],
            &["explain get fig; explain get plum"],
        ],
        &[
            (&["get plum"], "Your last command has to be an explain get"),
            (&["explain get lemon"], "Your last command"),
            (&["explain get kiwi"], "The fruit has to be one that was never written"),
            (&["scan"], "Your last command"),
            (&["del lemon; flush; run", "explain get lemon"], "Your last command"),
            (&["explain prefix p"], "Your last command"),
            (&["explain get plum; stats"], "Your last command"),
        ],
    );
}

#[test]
fn one_level_deeper() {
    judged(
        "merging",
        "deeper",
        &[
            &["compact 1; run"],
            &["compact 1", "run"],
            &["compact 1; step job"],
            &["put zebra striped", "compact 1; run"],
            &["put zebra striped; flush; run; compact 0; run", "compact 1; run"],
            &["compact; run", "compact 1; run"],
        ],
        &[
            (&["compact 1"], "L1 still has a table"),
            (&["compact 0; run"], "L1 still has a table"),
            (&["run"], "L1 still has a table"),
            (&["compact 1; run; compact 2; run"], "No table of L2 has fig"),
            (&["reset --yes"], "No table of L2 has fig"),
            (&["put fig red; flush; run; compact 0; run"], "L1 still has a table"),
        ],
    );
}
