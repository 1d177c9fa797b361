//! `wbg INPUT.wasm OUTPUT_DIRECTORY`: turns the compiled engine into a module that the page can import.

use std::{env, process::ExitCode};

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output] = arguments.as_slice() else {
        return fail("usage: wbg INPUT.wasm OUTPUT_DIRECTORY");
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).typescript(true);
    // With the default path left in, the bundler sees the .wasm as an asset and gives it a hashed name.
    bindgen.omit_default_module_path(false);
    bindgen.remove_name_section(true).remove_producers_section(true);
    let generated = bindgen.web(true).and_then(|web| web.generate(output));
    match generated {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&format!("wbg could not process {input}: {error:#}")),
    }
}

#[expect(clippy::print_stderr, reason = "a command-line tool reports its failure here")]
fn fail(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::FAILURE
}
