//! The options as documents show them: docs/OPTIONS.md, and defaults that match their texts.

use levelscope::{Maintenance, OPTION_INFOS, OptionInfo, OptionValue, Options, text};
use std::fmt::Write as _;

/// A value as a reader writes it.
fn shown(info: &OptionInfo, value: &OptionValue) -> String {
    match value {
        OptionValue::Number(number @ 1..) if info.unit == "bytes" => size(*number),
        OptionValue::Number(number) => text::count(*number),
        word => word.to_string(),
    }
}

/// A number of bytes in the largest unit of which it is a multiple.
fn size(bytes: u64) -> String {
    let units = [(1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let fitting = units.into_iter().find(|(unit, _)| bytes > 0 && bytes.is_multiple_of(*unit));
    fitting.map_or_else(|| text::bytes(bytes), |(unit, name)| format!("{} {name}", bytes / unit))
}

fn range(info: &OptionInfo) -> String {
    if !info.words.is_empty() {
        return info.unit.to_owned();
    }
    let [min, max] = [info.min, info.max].map(|number| shown(info, &OptionValue::Number(number)));
    if info.unit == "bytes" {
        format!("{min} to {max}")
    } else {
        format!("{min} to {max} {}", info.unit)
    }
}

/// docs/OPTIONS.md, as [`OPTION_INFOS`] has it.
fn reference() -> String {
    let mut text = "# Options\n\nGenerated from `engine/src/options/list.rs`; \
                    `UPDATE=1 cargo test -p levelscope --test it -- options::` rewrites it.\n\n\
                    An option never changes what is stored, only when and how; a database may be opened with other \
                    options each time.\nIn Rust each is a field of `levelscope::Options` and a method that sets it, \
                    in the terminal it is set with `options set NAME VALUE`.\nNumbers may end in `k`, `m` or `g` there. \
                    The presets of the terminal and of the page change some defaults (`options`).\n\n\
                    | option | default | values | purpose |\n|---|---|---|---|\n"
        .to_owned();
    for info in OPTION_INFOS {
        let OptionInfo { name, purpose, advice, default, .. } = info;
        let more = if advice.is_empty() { String::new() } else { format!(" {advice}") };
        let _ = writeln!(text, "| `{name}` | {default} | {} | {purpose}{more} |", range(info));
    }
    text
}

#[test]
#[expect(clippy::disallowed_methods, reason = "UPDATE=1 rewrites the reference")]
fn the_reference_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/OPTIONS.md");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, reference()).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap();
    assert!(
        committed == reference(),
        "docs/OPTIONS.md is out of date: run the tests with UPDATE=1"
    );
}

#[test]
fn defaults_match_their_texts() {
    for info in OPTION_INFOS {
        let value = (info.get)(&Options::default());
        assert_eq!(info.default, shown(info, &value), "{}", info.name);
        let mut set = Options::default();
        set.set(info.name, &value.to_string()).unwrap();
        assert_eq!(set, Options::default(), "{} reads what it shows", info.name);
    }
}

/// Every option that the struct has is listed, by its name.
#[test]
fn every_option_is_listed() {
    let debug = format!("{:?}", Options::default());
    let fields: Vec<&str> = debug
        .trim_start_matches("Options { ")
        .split(", ")
        .filter_map(|field| Some(field.split_once(": ")?.0))
        .collect();
    let listed: Vec<&str> = OPTION_INFOS.iter().map(|info| info.name).collect();
    assert_eq!(fields, listed);
}

/// Where nothing else is asked for, a directory has threads and memory has none, whichever way it is opened.
#[test]
fn one_option_does_not_end_the_threads() {
    use levelscope::storage::{MemoryStorage, NativeStorage};
    use levelscope::{Db, storage::Storage};
    use std::sync::Arc;

    let place = crate::native::Directory::new("maintenance");
    let one = || Options::default().memtable_bytes(16 << 20);
    let chosen = |db: levelscope::Result<Db>| db.unwrap().options().maintenance;
    let path = || place.path();
    let native = || -> Arc<dyn Storage> { Arc::new(NativeStorage::open(path()).unwrap()) };
    let threads = Maintenance::Threads(2);
    assert_eq!(chosen(Db::open(path())), threads);
    assert_eq!(chosen(Db::builder().options(one()).open(path())), threads);
    assert_eq!(chosen(Db::builder().open_in(native())), threads);
    assert_eq!(chosen(Db::builder().options(one()).open_in(native())), threads);
    let inline = one().maintenance(Maintenance::Inline);
    assert_eq!(chosen(Db::builder().options(inline).open(path())), Maintenance::Inline);
    let memory = Arc::new(MemoryStorage::new());
    assert_eq!(chosen(Db::builder().options(one()).open_in(memory)), Maintenance::Inline);
}
