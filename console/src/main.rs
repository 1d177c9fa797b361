//! `levelscope`: the command language in a terminal, in scripts and in pipes.

mod native;

use std::process::ExitCode;

fn main() -> ExitCode {
    native::main()
}
