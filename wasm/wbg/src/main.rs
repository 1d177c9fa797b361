//! Turns the compiled engine into a module that JavaScript can import. The input is linked with `--emit-relocs`.
//!
//! ```text
//! wbg INPUT.wasm DIRECTORY NAME              one module of that name, which is given its bytes by who loads it
//! wbg --parts INPUT.wasm DIRECTORY PROFILE   the module of the page, and the part of it that is fetched later
//! wbg --count INPUT.wasm DIRECTORY           the module of the page, which notes which functions have run
//! wbg --divide INPUT.wasm DIRECTORY PROFILE  both parts of a module without a JavaScript side
//! ```

mod count;
mod linked;
mod order;
mod parts;
mod plan;
mod sizes;

use std::collections::HashSet;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use linked::Linked;
use plan::Plan;
use walrus::ModuleConfig;
use wasm_bindgen_cli_support::{Bindgen, Output};

/// Fetches the part: in the background, and at once where a function of it is called before.
const LOADER: &str = include_str!("part.js");
const LOADER_TYPES: &str = include_str!("part.d.ts");

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["--parts", input, output, profile] => in_parts(input, Path::new(output), profile),
        ["--count", input, output] => counting(input, Path::new(output)),
        ["--divide", input, output, profile] => divided(input, Path::new(output), profile),
        [input, output, name] => whole(input, Path::new(output), name),
        _ => {
            Err("usage: wbg [--parts|--count|--divide] INPUT.wasm DIRECTORY [NAME|PROFILE]".into())
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&format!("wbg {}: {error:#}", words.join(" "))),
    }
}

/// The JavaScript side of a module for the page, and the module with all names.
fn bound(linked: &[u8]) -> Result<Output, Box<dyn Error>> {
    let mut module = ModuleConfig::new().parse(linked)?;
    parts::add_loader(&mut module);
    let mut bindgen = Bindgen::new();
    bindgen.input_module("levelscope_wasm", module).typescript(true).demangle(false);
    // With the default path left in, the bundler sees the .wasm as an asset and gives it a hashed name.
    bindgen.omit_default_module_path(false);
    bindgen.remove_producers_section(true);
    Ok(bindgen.web(true)?.generate_output()?)
}

fn in_parts(input: &str, output: &Path, profile: &str) -> Result<(), Box<dyn Error>> {
    let bytes = fs::read(input)?;
    let mut made = bound(&bytes)?;
    let whole = made.wasm_mut().emit_wasm();
    let linked = Linked::read(&bytes)?;
    let (first, rest) = divide(&whole, &linked, &fs::read_to_string(profile)?)?;
    made.emit(output)?;
    write(output, "levelscope_wasm_bg.wasm", first)?;
    write(output, "levelscope_part.wasm", rest)?;
    write(output, "part.js", LOADER)?;
    write(output, "part.d.ts", LOADER_TYPES)
}

fn counting(input: &str, output: &Path) -> Result<(), Box<dyn Error>> {
    let mut made = bound(&fs::read(input)?)?;
    let names = count::count(made.wasm_mut());
    fs::create_dir_all(output)?;
    write(output, "counting.wasm", made.wasm_mut().emit_wasm())?;
    write(output, "functions.txt", names.join("\n"))
}

fn divided(input: &str, output: &Path, profile: &str) -> Result<(), Box<dyn Error>> {
    let bytes = fs::read(input)?;
    let mut module = ModuleConfig::new().parse(&bytes)?;
    parts::add_loader(&mut module);
    let whole = module.emit_wasm();
    let linked = Linked::read(&bytes)?;
    let (first, rest) = divide(&whole, &linked, &fs::read_to_string(profile)?)?;
    fs::create_dir_all(output)?;
    write(output, "first.wasm", first)?;
    write(output, "rest.wasm", rest)
}

/// Both parts of `whole`, which was made of `linked`; the first one has the functions that `profile` names.
fn divide(
    whole: &[u8],
    linked: &Linked,
    profile: &str,
) -> Result<(Vec<u8>, Vec<u8>), Box<dyn Error>> {
    let visited: HashSet<&str> = profile.lines().collect();
    let module = parts::read(whole)?;
    let plan = Plan::new(&module, linked, |name| visited.contains(name))?;
    sizes::tell(&module, linked, &plan);
    let (mut rest, shared) = parts::rest(whole, &plan, &linked.constant)?;
    let mut first = parts::first(whole, &plan, &shared)?;
    Ok((order::ordered(&first.emit_wasm())?, order::ordered(&rest.emit_wasm())?))
}

/// One module without parts. Where its bytes lie is for its user to know: a package has no bundler of its own.
fn whole(input: &str, output: &Path, name: &str) -> Result<(), Box<dyn Error>> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).out_name(name).typescript(true);
    bindgen.omit_default_module_path(true);
    bindgen.remove_name_section(true).remove_producers_section(true);
    Ok(bindgen.web(true)?.generate(output)?)
}

fn write(directory: &Path, name: &str, content: impl AsRef<[u8]>) -> Result<(), Box<dyn Error>> {
    Ok(fs::write(directory.join(name), content)?)
}

#[expect(clippy::print_stderr, reason = "a command-line tool reports its failure here")]
fn fail(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::FAILURE
}
