//! Generates the JavaScript side of a compiled module, as the program `wasm-bindgen` does with `--target web`. The program
//! would have to be installed in the version of the library; this is always that one.
//!
//! ```text
//! bindgen INPUT.wasm DIRECTORY NAME   writes NAME.js, NAME.d.ts and NAME_bg.wasm
//! ```

use std::env;
use std::error::Error;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let outcome = match words.as_slice() {
        [input, directory, name] => generate(input, directory, name),
        _ => Err("usage: bindgen INPUT.wasm DIRECTORY NAME".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&format!("{error:#}")),
    }
}

/// Where the module lies is for its user to know: a bundler gives it another name, and a package has no bundler.
fn generate(input: &str, directory: &str, name: &str) -> Result<(), Box<dyn Error>> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).out_name(name).typescript(true).omit_default_module_path(true);
    bindgen.remove_name_section(true).remove_producers_section(true);
    Ok(bindgen.web(true)?.generate(directory)?)
}

#[expect(clippy::print_stderr, reason = "a command-line tool reports its failure here")]
fn fail(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::FAILURE
}
