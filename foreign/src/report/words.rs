//! Figures and cells as people read them, by the rules of [`crate::text`]. CSV has the raw numbers.

use super::{Cell, Column, Figure};
use crate::text::{bytes, duration, moment, number, percentage};

/// Columns and figures whose numbers are names: of files, which are written without thousands set apart.
const NAMES: [&str; 6] = [
    "table",
    "blob file",
    "log",
    "Blob file with the most garbage",
    "Oldest log that is needed",
    "Its largest level",
];

impl Cell {
    /// The value with its unit, in a column or figure of this `name`.
    fn words(&self, name: &str, unit: &str) -> String {
        let whole = match self {
            Self::Unknown => return "–".to_owned(),
            Self::Text(text) => return text.clone(),
            Self::Decimal(value) if is_share(name) => return percentage(*value),
            Self::Decimal(value) if value.fract() == 0.0 && *value >= 0.0 => rounded(*value),
            Self::Decimal(value) => return format!("{value:.2}"),
            Self::Number(whole) => *whole,
        };
        match unit {
            "bytes" if name != "offset" => bytes(whole),
            "bytes/s" => format!("{}/s", bytes(whole)),
            "µs" => duration(whole),
            "µs since 1970" => moment(whole, true),
            "s since 1970" => moment(whole.saturating_mul(1_000_000), false),
            _ if NAMES.contains(&name) => whole.to_string(),
            _ => number(whole),
        }
    }
}

impl Column {
    /// A cell of this column.
    pub fn words(&self, cell: &Cell) -> String {
        cell.words(self.name, self.unit)
    }
}

impl Figure {
    /// Its value with its unit.
    pub fn words(&self) -> String {
        let value = self.value.words(&self.label, self.unit);
        match (self.unit, &self.value) {
            (_, Cell::Unknown)
            | ("" | "bytes" | "bytes/s" | "µs" | "µs since 1970" | "s since 1970", _) => value,
            // A ratio of one is still "1 times".
            (unit, Cell::Number(1)) if unit != "times" => {
                format!("{value} {}", unit.strip_suffix('s').unwrap_or(unit))
            }
            (unit, _) => format!("{value} {unit}"),
        }
    }
}

/// Whether the number is a part of a whole, from 0 to 1.
fn is_share(name: &str) -> bool {
    ["share of ", "Share of ", "Largest share"].iter().any(|start| name.starts_with(start))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is whole and not negative, and the cast saturates"
)]
fn rounded(number: f64) -> u64 {
    number as u64
}

#[cfg(test)]
mod tests {
    use super::{Cell, Column, Figure};

    #[test]
    fn people_read_units_and_programs_raw_numbers() {
        let words = |name, unit, cell: Cell| Column { name, unit }.words(&cell);
        assert_eq!(words("size", "bytes", 13_316u64.into()), "13.0 KiB");
        assert_eq!(words("offset", "bytes", 13_316u64.into()), "13,316");
        assert_eq!(words("entries", "", 13_316u64.into()), "13,316");
        assert_eq!(words("table", "", 13_316u64.into()), "13316");
        assert_eq!(words("duration", "µs", 4_200u64.into()), "4.2 ms");
        assert_eq!(words("share of tombstones", "", 0.5.into()), "50 %");
        assert_eq!(words("entries, estimated", "", 20.0.into()), "20");
        let created = words("created", "s since 1970", 1_764_081_874u64.into());
        assert_eq!(created, "2025-11-25 14:44:34 UTC");
        assert_eq!(words("size", "bytes", Cell::Unknown), "–");
        let figure = |value: Cell, unit| Figure { label: "Files".into(), value, unit }.words();
        assert_eq!(figure(1u64.into(), "files"), "1 file");
        assert_eq!(figure(1_200u64.into(), "files"), "1,200 files");
        assert_eq!(figure(1.25.into(), "times"), "1.25 times");
    }
}
