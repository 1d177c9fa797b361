//! `levelscope inspect FILE...`: the format of each file, its content, and where it is damaged.

use super::arguments::InspectArguments;
use super::files;
use super::print::Printer;
use levelscope::storage::{MemoryStorage, Storage};
use levelscope_console::{Console, Failure, Host, OutputLine, Response, text};
use levelscope_formats::Directory;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// A host around nothing but opened files.
struct InspectHost;

impl Host for InspectHost {
    fn storage(&self) -> Arc<dyn Storage> {
        Arc::new(MemoryStorage::default())
    }

    fn place(&self) -> String {
        "memory".into()
    }

    fn opened_bytes_max(&self) -> u64 {
        files::BYTES_MAX
    }
}

/// Prints the findings; exit code 0 when all files are sound, 1 when one is damaged or cannot be read.
pub(crate) fn run(arguments: &InspectArguments) -> ExitCode {
    let mut printer = Printer::new(arguments.json);
    let mut sound = true;
    for (index, path) in arguments.paths.iter().enumerate() {
        if index > 0 && !arguments.json {
            let _ = printer.lines(&[OutputLine::new()]);
        }
        match inspect(path, arguments, &mut printer) {
            Ok(good) => sound &= good,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Err(_) => return ExitCode::FAILURE,
        }
    }
    if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// One path, with a console of its own, so that only its files are in memory; whether it is sound.
fn inspect(path: &Path, arguments: &InspectArguments, printer: &mut Printer) -> io::Result<bool> {
    let shown = path.to_string_lossy();
    if let Some(message) = super::foreign::refusal(path) {
        printer.response(&format!("inspect {shown}"), &Failure::new("io", message).into())?;
        return Ok(false);
    }
    // With a format that is named, it looks at one file after the other.
    if arguments.format.is_none()
        && let Some(sound) = super::foreign::inspect(path, arguments.limit, printer)?
    {
        return Ok(sound);
    }
    let files = match files::read(path) {
        Ok(files) => files,
        Err(failure) => {
            let hint = super::below::told(path).or_else(|| failure.hint.clone());
            let response = Failure { hint, ..failure }.into();
            printer.response(&format!("inspect {shown}"), &response)?;
            return Ok(false);
        }
    };
    let named = files.iter().map(|file| {
        let plain = file.name.rsplit('/').next().unwrap_or_default();
        (plain, file.bytes.as_slice())
    });
    let directory = Directory::of(named);
    let mut console = Console::new(Box::new(InspectHost));
    let mut sound = true;
    for file in files {
        let mut response =
            console.run_file_of(file, arguments.format.as_deref(), directory.clone());
        if let Some(id) = id_of(&response) {
            add_layout(&mut console, &id, arguments, &mut response);
            console.run("close --all");
        }
        sound &= response.error.is_none();
        printer.response(&format!("inspect {shown}"), &response)?;
    }
    if let Some(failure) = super::foreign::lost_manifest(path) {
        let response = failure.into();
        printer.response(&format!("inspect {shown}"), &response)?;
        sound = false;
    }
    if let Some(told) = super::below::told(path).filter(|_| !arguments.json) {
        printer.lines(&[OutputLine::note(told)])?;
    }
    Ok(sound)
}

/// Adds the layout of a file to what its opening answered, and its damage as a failure.
fn add_layout(
    console: &mut Console,
    id: &str,
    arguments: &InspectArguments,
    response: &mut Response,
) {
    let deep = if arguments.deep { " -v" } else { "" };
    let layout = console.run(&format!("layout {id}{deep} --limit {}", arguments.limit));
    if !arguments.json {
        // What the file is stands in the line above already, and what to type is for a console.
        response.lines.retain(|line| !line.to_text().starts_with("Look inside"));
        response.lines.extend(layout.lines.into_iter().skip(1));
    } else if let Some(fields) = response.result.as_object_mut() {
        fields.insert("layout".into(), layout.result);
    }
    if let (Some(message), None) = (damage_of(response), &response.error) {
        response.error = Some(Failure::new("corruption", message));
    }
}

fn id_of(response: &Response) -> Option<String> {
    let id = response.result.get("files")?.get(0)?.get("id")?.as_str()?;
    Some(id.to_owned())
}

fn damage_of(response: &Response) -> Option<String> {
    let file = response.result.get("files")?.get(0)?;
    let damage = file.get("damage").filter(|damage| !damage.is_null())?;
    let (id, why) = (file.get("name")?.as_str()?, damage.get("why")?.as_str()?);
    Some(match damage.get("offset").and_then(serde_json::Value::as_u64) {
        Some(offset) => {
            let offset = text::count(offset);
            format!("{id}: damaged: the first bad byte is at offset {offset}: {why}")
        }
        None => format!("{id}: damaged: {why}"),
    })
}
