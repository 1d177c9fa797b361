//! `levelscope inspect FILE...`: the format of each file, its content, and where it is damaged.

use super::arguments::InspectArguments;
use super::files;
use super::print::{self, Printer};
use levelscope_console::directory::FileSet;
use levelscope_console::{Failure, OutputLine, Response};
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// Prints the findings; exit code 0 when all files are sound, 1 when one is damaged or cannot be read.
pub(crate) fn run(arguments: &InspectArguments) -> ExitCode {
    print::exit_code(inspect_all(arguments), None)
}

fn inspect_all(arguments: &InspectArguments) -> io::Result<bool> {
    let mut printer = Printer::new(arguments.json);
    let mut sound = true;
    for (index, path) in arguments.paths.iter().enumerate() {
        if index > 0 && !arguments.json {
            let _ = printer.lines(&[OutputLine::new()]);
        }
        sound &= inspect(path, arguments, &mut printer)?;
    }
    Ok(sound)
}

/// One path; whether it is sound.
fn inspect(path: &Path, arguments: &InspectArguments, printer: &mut Printer) -> io::Result<bool> {
    let command = format!("inspect {}", path.to_string_lossy());
    if let Some(message) = super::foreign::refusal(path) {
        printer.response(&command, &Failure::new("io", message).into())?;
        return Ok(false);
    }
    if let Some(sound) = super::foreign::inspect(path, arguments, printer)? {
        return Ok(sound);
    }
    let listed = files::regular(path).and_then(|()| {
        super::foreign::NativeFiles::open(path).map_err(|error| files::failed(path, "read", &error))
    });
    let listed = match listed {
        Ok(listed) => listed,
        Err(failure) => {
            let hint = super::below::hint(path).or_else(|| failure.hint.clone());
            printer.response(&command, &Failure { hint, ..failure }.into())?;
            return Ok(false);
        }
    };
    let mut sound = true;
    let mut print = |response: Response| {
        sound &= response.error.is_none();
        printer.response(&command, &response)
    };
    match FileSet::new(&listed, arguments.format.as_deref()) {
        Ok(set) => set.inspected(arguments.deep, arguments.limit).try_for_each(print)?,
        Err(failure) => print(failure.into())?,
    }
    if let Some(failure) = super::foreign::lost_manifest(path) {
        printer.response(&command, &failure.into())?;
        sound = false;
    }
    if let Some(hint) = super::below::hint(path).filter(|_| !arguments.json) {
        printer.lines(&[OutputLine::note(hint)])?;
    }
    Ok(sound)
}
