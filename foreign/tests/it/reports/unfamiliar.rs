//! Pebble and LevelDB have no column families: no report speaks of them.

use super::case::{case, word};
use levelscope_foreign::report::{Cell, Figure, Question};

#[test]
fn reports_of_pebble_and_leveldb_do_not_speak_of_families() {
    for name in ["p_history", "l_history", "p_blob_files", "p_virtual_tables"] {
        let read = case(name);
        for question in Question::all() {
            let report = read.answer(question);
            let columns = report.table.columns.iter().map(|column| column.name);
            let labels = report.figures.iter().map(|figure| figure.label.as_str());
            let series = report.pictures.iter().flat_map(|picture| &picture.series);
            let series = series.map(|series| series.label.as_str());
            let words = columns.chain(labels).chain(series).chain([report.answer.as_str()]);
            for text in words.chain(report.missing.iter().map(String::as_str)) {
                let lower = text.to_lowercase();
                assert!(!lower.contains("famil"), "{name} {}: {text}", report.id);
                assert!(!lower.contains("default"), "{name} {}: {text}", report.id);
            }
            let width = report.table.columns.len();
            assert!(report.table.rows.iter().all(|row| row.len() == width), "{name} {}", report.id);
        }
    }
    let stalls = case("l_history").answer(Question::Stalls);
    assert!(matches!(stalls.figure_named("Time stalled"), Some(Cell::Number(_))));
    assert_eq!(word(&case("h_history").answer(Question::Sizes), "Largest family"), "default");
}

/// The sentence used to round where the figure cut off: 94.6 KiB beside 94.5 KiB.
#[test]
fn sentences_and_figures_write_one_number_in_one_way() {
    let mut compared = 0;
    for (name, question, label) in [
        ("h_history", Question::Replay, "Bytes written by compactions"),
        ("h_history", Question::Sizes, "Size of the largest family"),
        ("b_blob_garbage", Question::Blobs, "Garbage"),
        ("x_tombstones", Question::Tombstones, "Share of tombstones"),
        ("m_levels", Question::Stalls, "Largest compaction debt, estimated"),
    ] {
        let report = case(name).answer(question);
        let figure: Option<&Figure> = report.figures.iter().find(|figure| figure.label == label);
        let words = figure.unwrap().words();
        assert!(report.answer.contains(&words), "{label}: {words} in {}", report.answer);
        compared += 1;
    }
    assert_eq!(compared, 5);
}
