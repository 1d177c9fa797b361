//! TypeScript of Rust types, as the page has it.

use std::collections::BTreeMap;
use ts_rs::{Config, TS, TypeVisitor};

/// Declarations by name: those asked for and everything that they mention.
pub(crate) struct Declarations {
    config: Config,
    found: BTreeMap<String, String>,
}

impl Declarations {
    pub(crate) fn new() -> Self {
        // Every number that reaches the page is below 2^53.
        let config = Config::default().with_large_int("number");
        Self { config, found: BTreeMap::new() }
    }

    /// All of them, by name, an empty line before each.
    pub(crate) fn text(&self) -> String {
        self.found.values().flat_map(|declaration| ["\n", declaration]).collect()
    }

    pub(crate) fn add<T: TS + 'static + ?Sized>(&mut self) {
        // Types without a name of their own (numbers, strings, lists) have no file either; what they
        // hold is visited on its own.
        if T::output_path().is_none() {
            return;
        }
        let name = T::ident(&self.config);
        let docs = T::docs().unwrap_or_default();
        let declaration = T::decl(&self.config);
        let declaration = format_declaration(&format!("{docs}export {declaration}"));
        if let Some(known) = self.found.insert(name.clone(), declaration.clone()) {
            assert_eq!(known, declaration, "two types are called {name}");
            return;
        }
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
