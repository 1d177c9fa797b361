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
        let error = Some(Failure { kind: "io".into(), message, hint: None });
        printer
            .response(&format!("inspect {shown}"), &Response { error, ..Response::default() })?;
        return Ok(false);
    }
    // With a format that is named, it looks at one file after the other.
    if arguments.format.is_none()
        && let Some(sound) = super::foreign::inspect(path, printer)?
    {
        return Ok(sound);
    }
    let files = match files::read(path) {
        Ok(files) => files,
        Err(failure) => {
            let hint = super::below::told(path).or_else(|| failure.hint.clone());
            let error = Some(Failure { hint, ..failure });
            let response = Response { error, ..Response::default() };
            printer.response(&format!("inspect {shown}"), &response)?;
            return Ok(false);
        }
    };
    let named = files.iter().map(|file| {
        let plain = file.name.rsplit('/').next().unwrap_or_default();
        (plain, file.bytes.as_slice())
    });
    let directory = Directory::of(named);
    let whole = path.parent().is_some_and(|place| {
        let place = if place.as_os_str().is_empty() { Path::new(".") } else { place };
        super::foreign::is_foreign(place)
    });
    let mut console = Console::new(Box::new(InspectHost));
    let mut sound = true;
    for file in files {
        let lister = lister(&shown, &file.bytes);
        let mut response =
            console.run_file_of(file, arguments.format.as_deref(), directory.clone());
        if let Some(id) = id_of(&response) {
            add_layout(&mut console, &id, arguments, &mut response);
            if whole && is_read_whole(&response) {
                let place = path.parent().unwrap_or(path).display().to_string();
                let place = text::word(if place.is_empty() { "." } else { &place }.as_bytes());
                let told = format!("`levelscope inspect {place}` reads the whole directory.");
                response.lines.push(OutputLine::note(told));
            }
            if let Some(lister) = lister.filter(|_| !whole && is_read_whole(&response)) {
                let told =
                    format!("Without the directory of its database: {lister} lists its entries.");
                response.lines.push(OutputLine::note(told));
            }
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
        response.error = Some(Failure { kind: "corruption".into(), message, hint: None });
    }
}

/// The command of its own library that lists a table by itself.
fn lister(name: &str, bytes: &[u8]) -> Option<String> {
    let name = text::word(name.as_bytes());
    if bytes.ends_with(&[0xf7, 0xcf, 0xf4, 0x85, 0xb7, 0x41, 0xe2, 0x88]) {
        return Some(format!("`sst_dump --file={name} --command=scan` of RocksDB"));
    }
    let is_pebble = bytes.ends_with(&[0xf0, 0x9f, 0xaa, 0xb3, 0xf0, 0x9f, 0xaa, 0xb3]);
    is_pebble.then(|| format!("`pebble sstable scan {name}` of Pebble"))
}

fn id_of(response: &Response) -> Option<String> {
    let id = response.result.get("files")?.get(0)?.get("id")?.as_str()?;
    Some(id.to_owned())
}

/// Whether the file is one that is read with the others of its database only.
fn is_read_whole(response: &Response) -> bool {
    let file = response.result.get("files").and_then(|files| files.get(0));
    let why = file.and_then(|file| file.get("unread")?.get("why")?.as_str());
    why.is_some_and(|why| why.ends_with(levelscope_console::READ_WITH_DIRECTORY))
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
