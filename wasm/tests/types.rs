//! The TypeScript types of the page are those of Rust: one committed file, checked here.
//!
//! `UPDATE=1 cargo test -p levelscope-wasm --test types` rewrites it.

use levelscope::event::Grain;
use levelscope::inspect::Node;
use levelscope::view::{MemtableTree, View};
use levelscope::{CheckReport, ReadStop};
use levelscope_console::protocol::{MarkedStep, WireEvent};
use levelscope_console::result::{
    Answers, BenchResult, EntryResult, ExplainResult, ExportedResult, FillResult, GetResult,
    LabReport, OpenResult, OptionsResult, ScanResult, SnapshotResult, VerbResult, WalResult,
    WorkResult, WriteResult,
};
use levelscope_console::{Completion, Query, Response, Verb, verbs};
use std::collections::BTreeMap;
use std::path::PathBuf;
use ts_rs::{Config, TS, TypeVisitor};

const HEADER: &str = "\
// Generated from the Rust types; do not edit.
// UPDATE=1 cargo test -p levelscope-wasm --test types
";

/// Declarations by name: those asked for and everything that they mention.
struct Declarations {
    config: Config,
    found: BTreeMap<String, String>,
}

impl Declarations {
    fn add<T: TS + 'static + ?Sized>(&mut self) {
        // Types without a name of their own (numbers, strings, lists) have no file either; what they
        // hold is visited on its own.
        if T::output_path().is_none() {
            return;
        }
        let name = T::ident(&self.config);
        if self.found.contains_key(&name) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        let declaration = T::decl(&self.config);
        let declaration = format_declaration(&format!("{docs}export {declaration}"));
        self.found.insert(name, declaration);
        T::visit_dependencies(self);
    }
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        self.add::<T>();
    }
}

/// One field and one alternative a line, one-line comments, no escapes of the Rust documentation.
fn format_declaration(text: &str) -> String {
    let is_union = text.contains(" = { \"");
    let text = text
        .replace("\\[", "[")
        .replace("\\]", "]")
        .replace(" | { \"", "\n  | { \"")
        .replace(" = { \"", " =\n  | { \"")
        .replace(", };", if is_union { " };" } else { ",\n};" })
        .replace(", } & ", ",\n} & ")
        .replace(", }", " }");
    let mut lines: Vec<String> = Vec::new();
    let mut indent = "";
    for line in text.lines().map(str::trim_end) {
        match lines.last_mut() {
            // A comment of three lines becomes one.
            Some(last) if line == " */" && last.trim_start().starts_with("/** ") => {
                last.push_str(" */");
            }
            Some(last) if line.starts_with(" * ") && last.trim_start() == "/**" => {
                last.push_str(line.trim_start_matches(" *"));
            }
            _ if line.starts_with('}') || line.starts_with("  |") => lines.push(line.to_owned()),
            _ => lines.push(format!("{indent}{line}")),
        }
        if line.starts_with("export type") {
            indent = if is_union { "      " } else { "  " };
        }
    }
    lines.join("\n") + "\n"
}

/// The names of the verbs that `is`, as a constant.
fn list(docs: &str, name: &str, is: impl Fn(&'static Verb) -> bool) -> String {
    let names: Vec<&str> = verbs().filter(|verb| is(verb)).map(|verb| verb.name).collect();
    let names = names.join("',\n  '");
    format!("\n/** {docs} */\nexport const {name} = [\n  '{names}',\n] as const;\n")
}

fn generate() -> String {
    // Every number of the engine that reaches the page is below 2^53.
    let config = Config::default().with_large_int("number");
    let mut declarations = Declarations { config, found: BTreeMap::new() };
    declarations.add::<WireEvent>();
    declarations.add::<MarkedStep>();
    declarations.add::<Grain>();
    declarations.add::<View>();
    declarations.add::<ReadStop>();
    declarations.add::<MemtableTree>();
    macro_rules! add_all {
        ($($result:ty),* $(,)?) => { $( declarations.add::<$result>(); )* };
    }
    add_all![Query, Answers, Response, Completion, CheckReport, Node];
    add_all![WriteResult, GetResult, EntryResult, ScanResult, FillResult, SnapshotResult];
    add_all![BenchResult, LabReport];
    add_all![WorkResult, ExplainResult, WalResult];
    add_all![OptionsResult, VerbResult];
    add_all![OpenResult, ExportedResult];
    let mut text = HEADER.to_owned();
    for declaration in declarations.found.values() {
        text.push('\n');
        text.push_str(declaration);
    }
    text.push_str(&list("Verbs that the page does itself.", "PAGE_VERBS", Verb::is_of_page));
    text
}

#[test]
fn the_committed_types_are_those_of_rust() {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../web/src/model/engine.generated.ts");
    let expected = generate();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().expect("the file has a directory")).expect("made");
        std::fs::write(&path, &expected).expect("written");
        return;
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == expected,
        "{} is out of date; UPDATE=1 cargo test -p levelscope-wasm --test types rewrites it",
        path.display()
    );
}
