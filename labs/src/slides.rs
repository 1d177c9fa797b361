//! The measurements in the slides of the study of `LevelDB`.

use super::report::{LabCell, LabTable, column};

/// The measurements of the slides; shown, and not compared.
pub(super) fn slides_measured() -> LabTable {
    let columns = [
        column("measured by the slides", "", 0),
        column("calls", "", 0),
        column("without filters", "", 3),
        column("with filters", "", 3),
        column("unit", "", 0),
    ];
    let mut table =
        LabTable::new("what the slides measured (LevelDB 1.23, their machine)", columns);
    for (name, calls, without, with, unit) in [
        ("TableBuilder::Add (uftrace)", Some(832_u64), Some(26.350), 32.790, "ms"),
        ("FilterBlockBuilder::AddKey (uftrace)", Some(832), None, 1.919, "ms"),
        ("fillseq, values of 2,000 bytes: latency", None, Some(11.183), 10.674, "µs a write"),
        ("fillseq, values of 2,000 bytes: throughput", None, Some(172.92), 180.24, "MB/s"),
    ] {
        table.row([
            name.into(),
            calls.map_or(LabCell::Empty, LabCell::from),
            without.map_or(LabCell::Empty, LabCell::from),
            with.into(),
            unit.into(),
        ]);
    }
    table
}
