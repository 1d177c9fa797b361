//! Prints what there is to know of a database directory, as JSON: `cargo run --example summary DIR`.
#![expect(clippy::disallowed_methods, clippy::print_stdout, reason = "a program of its own")]

use levelscope_foreign::{MemoryFiles, summary::summarize};

fn main() -> std::io::Result<()> {
    let root = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root)? {
        let entry = entry?;
        if entry.path().is_file() {
            let name = entry.file_name().to_string_lossy().into_owned();
            files.push((name, std::fs::read(entry.path())?));
        }
    }
    println!("{}", summarize(&MemoryFiles::new(files)));
    Ok(())
}
