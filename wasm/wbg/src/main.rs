//! `wbg INPUT.wasm OUTPUT_DIRECTORY`: turns the compiled engine into a module that the page can import, and the part of
//! it that the page fetches later. The input is linked with `--emit-relocs`, which says what each function needs.
//!
//! `wbg INPUT.wasm OUTPUT_DIRECTORY NAME`: turns it into one module of that name, which is given its bytes by who loads it.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use wasm_bindgen_cli_support::Bindgen;
use wasm_split_cli_support::{Options, transform};

/// Adds the part to the module that is loaded, in the place of the loader that the splitter writes: that one reaches for the
/// server by itself, where here the worker does, which tells a failure and tries again.
const LOADER: &str = include_str!("part.js");
const LOADER_TYPES: &str = include_str!("part.d.ts");
const LOADER_NAME: &str = "./part.js";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (input, outcome) = match arguments.as_slice() {
        [input, output] => (input, generate(Path::new(input), Path::new(output))),
        [input, output, name] => (input, generate_whole(Path::new(input), Path::new(output), name)),
        _ => return fail("usage: wbg INPUT.wasm OUTPUT_DIRECTORY [NAME]"),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&format!("wbg could not process {input}: {error:#}")),
    }
}

fn generate(input: &Path, output: &Path) -> Result<(), Box<dyn Error>> {
    let linked = fs::read(input)?;
    fs::create_dir_all(output)?;
    let first = output.join("first.wasm");
    split(&linked, output, &first)?;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(&first).out_name("levelscope_wasm").typescript(true);
    // With the default path left in, the bundler sees the .wasm as an asset and gives it a hashed name.
    bindgen.omit_default_module_path(false);
    // The second part takes the table of functions from the first.
    bindgen.keep_lld_exports(true);
    bindgen.remove_name_section(true).remove_producers_section(true);
    bindgen.web(true)?.generate(output)?;
    fs::remove_file(&first)?;
    Ok(())
}

/// One module without parts. Where its bytes lie is for its user to know: a package has no bundler of its own.
fn generate_whole(input: &Path, output: &Path, name: &str) -> Result<(), Box<dyn Error>> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).out_name(name).typescript(true);
    bindgen.omit_default_module_path(true);
    bindgen.remove_name_section(true).remove_producers_section(true);
    bindgen.web(true)?.generate(output)?;
    Ok(())
}

/// Writes the module that is loaded at once to `first`, and to `output` the part that comes later, with its loader.
fn split(linked: &[u8], output: &Path, first: &Path) -> Result<(), Box<dyn Error>> {
    let mut options = Options::new(linked);
    options.output_dir = output;
    options.main_out_path = first;
    options.link_name = LOADER_NAME;
    let parts = transform(options)?.split_modules;
    let [part] = parts.as_slice() else {
        return Err(format!("one part was expected beside the first, not {}", parts.len()).into());
    };
    // Written anew, numbers that the linker had left room in become short again, and the names go.
    let mut config = walrus::ModuleConfig::new();
    config.generate_name_section(false).generate_producers_section(false);
    config.parse_file(part)?.emit_wasm_file(output.join("levelscope_part.wasm"))?;
    fs::remove_file(part)?;
    fs::write(output.join(LOADER_NAME), LOADER)?;
    fs::write(output.join("part.d.ts"), LOADER_TYPES)?;
    Ok(())
}

#[expect(clippy::print_stderr, reason = "a command-line tool reports its failure here")]
fn fail(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::FAILURE
}
