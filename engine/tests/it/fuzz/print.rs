//! A failing sequence on paper: as Rust for `regressions.rs`, and as a script for the console.

use super::ops::{Key, Op, Walk};
use levelscope::{Bound, OPTION_INFOS, Options};
use std::fmt::Write;

/// The options that differ from the defaults: name and value.
pub fn settings(options: &Options) -> Vec<(&'static str, String)> {
    let default = Options::default();
    let differs = OPTION_INFOS.iter().filter(|info| (info.get)(options) != (info.get)(&default));
    differs.map(|info| (info.name, (info.get)(options).to_string())).collect()
}

/// A call of `holds` that fails as the sequence does.
pub fn rust(options: &Options, ops: &[Op]) -> String {
    let mut out = String::from("holds(\n    &[");
    for (name, value) in settings(options) {
        let _ = write!(out, "({name:?}, {value:?}), ");
    }
    out.push_str("],\n    &[\n");
    for op in ops {
        let _ = writeln!(out, "        {},", rust_op(op));
    }
    out.push_str("    ],\n);");
    out
}

fn bytes(bytes: &[u8]) -> String {
    format!("b\"{}\".to_vec()", bytes.escape_ascii())
}

fn rust_bound(bound: &Bound<Key>) -> String {
    match bound {
        Bound::Unbounded => "Bound::Unbounded".into(),
        Bound::Included(key) => format!("Bound::Included({})", bytes(key)),
        Bound::Excluded(key) => format!("Bound::Excluded({})", bytes(key)),
    }
}

fn rust_op(op: &Op) -> String {
    match op {
        Op::Put(key, value) => format!("Op::Put({}, {})", bytes(key), bytes(value)),
        Op::Delete(key) => format!("Op::Delete({})", bytes(key)),
        Op::Batch(entries) => {
            let entry = |(key, value): &(Key, Option<Key>)| match value {
                Some(value) => format!("({}, Some({}))", bytes(key), bytes(value)),
                None => format!("({}, None)", bytes(key)),
            };
            let entries: Vec<String> = entries.iter().map(entry).collect();
            format!("Op::Batch(vec![{}])", entries.join(", "))
        }
        Op::DeleteRange(begin, end, entries) => {
            let end = end.as_ref().map_or("None".into(), |end| format!("Some({})", bytes(end)));
            let entry = |(key, value): &(Key, Option<Key>)| match value {
                Some(value) => format!("({}, Some({}))", bytes(key), bytes(value)),
                None => format!("({}, None)", bytes(key)),
            };
            let entries: Vec<String> = entries.iter().map(entry).collect();
            format!("Op::DeleteRange({}, {end}, vec![{}])", bytes(begin), entries.join(", "))
        }
        Op::Get(key) => format!("Op::Get({})", bytes(key)),
        Op::Scan { lower, upper, backward } => {
            let (lower, upper) = (rust_bound(lower), rust_bound(upper));
            format!("Op::Scan {{ lower: {lower}, upper: {upper}, backward: {backward} }}")
        }
        Op::Prefix(prefix, backward) => format!("Op::Prefix({}, {backward})", bytes(prefix)),
        Op::GetAt(number, key) => format!("Op::GetAt({number}, {})", bytes(key)),
        Op::Iterator { lower, upper, at } => {
            let (lower, upper) = (rust_bound(lower), rust_bound(upper));
            format!("Op::Iterator {{ lower: {lower}, upper: {upper}, at: {at:?} }}")
        }
        Op::Move(number, moves) => {
            let one = |walk: &Walk| match walk {
                Walk::Seek(key) => format!("Walk::Seek({})", bytes(key)),
                Walk::SeekForPrev(key) => format!("Walk::SeekForPrev({})", bytes(key)),
                other => format!("Walk::{other:?}"),
            };
            let moves: Vec<String> = moves.iter().map(one).collect();
            format!("Op::Move({number}, vec![{}])", moves.join(", "))
        }
        Op::Crash(crash, fault) => {
            let fault = fault.map(|(fault, at)| format!("Some((Fault::{fault:?}, {at}))"));
            format!("Op::Crash(Crash::{crash:?}, {})", fault.unwrap_or("None".into()))
        }
        Op::Fail(fault, at, forever) => format!("Op::Fail(Fault::{fault:?}, {at}, {forever})"),
        other => format!("Op::{other:?}"),
    }
}

/// The operations that the console has; the others become comments.
pub fn console(options: &Options, ops: &[Op]) -> String {
    let mut out = String::from("levelscope --memory");
    for (name, value) in settings(options) {
        let _ = write!(out, " --set {name}={value}");
    }
    out.push('\n');
    for op in ops {
        let _ = writeln!(out, "{}", console_op(op));
    }
    out
}

fn word(bytes: &[u8]) -> String {
    let plain = bytes.iter().all(u8::is_ascii_alphanumeric) && !bytes.starts_with(b"0x");
    match bytes {
        [] => "\"\"".into(),
        _ if plain => String::from_utf8_lossy(bytes).into_owned(),
        _ => bytes.iter().fold("0x".into(), |text, byte| format!("{text}{byte:02x}")),
    }
}

fn console_op(op: &Op) -> String {
    match op {
        Op::Put(key, value) => format!("put {} {}", word(key), word(value)),
        Op::Delete(key) => format!("del {}", word(key)),
        Op::Batch(entries) => {
            let entry = |(key, value): &(Key, Option<Key>)| match value {
                Some(value) => format!("put {} {}", word(key), word(value)),
                None => format!("del {}", word(key)),
            };
            let entries: Vec<String> = entries.iter().map(entry).collect();
            format!("batch {}", entries.join(", "))
        }
        Op::DeleteRange(begin, end, entries) => {
            let end = end.as_ref().map_or(String::new(), |end| format!(" {}", word(end)));
            let range = format!("delete-range {}{end}", word(begin));
            if entries.is_empty() {
                return range;
            }
            let put = |(key, value): &(Key, Option<Key>)| {
                format!(", put {} {}", word(key), word(value.as_deref().unwrap_or_default()))
            };
            format!("batch {range}{}", entries.iter().map(put).collect::<String>())
        }
        Op::Get(key) => format!("get {}", word(key)),
        Op::Scan { backward: true, .. } => "scan --reverse".into(),
        Op::Scan { .. } => "scan".into(),
        Op::Prefix(prefix, backward) => {
            let reverse = if *backward { " --reverse" } else { "" };
            format!("scan --prefix {}{reverse}", word(prefix))
        }
        Op::Snapshot => "snapshot".into(),
        Op::Step(count) => format!("step entry {count}"),
        Op::Rotate => "rotate".into(),
        Op::Flush => "flush".into(),
        Op::Compact(None) => "compact".into(),
        Op::Compact(Some(level)) => format!("compact {level}"),
        Op::Sync => "sync".into(),
        Op::Check => "check".into(),
        other => format!("# {}", rust_op(other)),
    }
}
