//! A table as comma-separated values (RFC 4180).

use super::{Cell, Table};
use std::fmt::Write as _;

impl Table {
    /// The table as text: a header, then one line for each row, each ended by CR LF. A unit stands in brackets after
    /// the name of its column. Fields with commas, quotes or line breaks are quoted.
    pub fn csv(&self) -> String {
        let mut out = String::new();
        let header = self.columns.iter().map(|column| match column.unit {
            "" => column.name.to_owned(),
            unit => format!("{} ({unit})", column.name),
        });
        line(&mut out, header);
        for row in &self.rows {
            line(&mut out, row.iter().map(field));
        }
        out
    }
}

fn field(cell: &Cell) -> String {
    match cell {
        Cell::Unknown => String::new(),
        Cell::Number(number) => number.to_string(),
        Cell::Decimal(number) => number.to_string(),
        Cell::Text(text) => text.clone(),
    }
}

fn line(out: &mut String, fields: impl Iterator<Item = String>) {
    for (place, field) in fields.enumerate() {
        if place > 0 {
            out.push(',');
        }
        if field.contains([',', '"', '\r', '\n']) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\"{}\"", field.replace('"', "\"\""));
        } else {
            out.push_str(&field);
        }
    }
    out.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::super::{Cell, Column, Table};

    #[test]
    fn fields_are_quoted_where_needed() {
        let columns =
            vec![Column { name: "key", unit: "" }, Column { name: "size", unit: "bytes" }];
        let rows = vec![
            vec![Cell::from("a,\"b\"\n"), Cell::from(12u64)],
            vec![Cell::from("=1"), Cell::Unknown],
            vec![Cell::from("c"), Cell::from(1.5)],
        ];
        let expected = "key,size (bytes)\r\n\"a,\"\"b\"\"\n\",12\r\n=1,\r\nc,1.5\r\n";
        assert_eq!(Table { columns, rows }.csv(), expected);
    }
}
