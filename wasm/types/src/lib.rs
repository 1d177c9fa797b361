//! The TypeScript types and lists of the page, which are those of Rust. The build runs this module in Node and writes the files.

mod declarations;
mod directories;
mod page;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen::prelude::wasm_bindgen;

const HEADER: &str = "// Made from the Rust types by wasm/types.\n";

/// The files: for each its path from `web/src` on, and its text.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen)]
pub fn files() -> Vec<String> {
    let files = [
        ("model/engine.generated.ts", page::types()),
        ("model/terms.generated.ts", page::glossary()),
        ("model/lessons.generated.ts", page::lessons()),
        ("lens/lens.generated.ts", directories::types()),
    ];
    files.into_iter().flat_map(|(name, text)| [name.to_owned(), text]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_in_camel_case() {
        for text in files().chunks(2) {
            let field = |line: &str| line.split_once(':').map(|(name, _)| name.trim().to_owned());
            let snake: Vec<String> =
                text[1].lines().filter_map(field).filter(|name| name.contains('_')).collect();
            assert!(snake.iter().all(|name| name.contains(' ')), "{}: {snake:?}", text[0]);
        }
    }
}
