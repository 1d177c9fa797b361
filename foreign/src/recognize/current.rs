//! The manifest that counts: the one that CURRENT or Pebble's marker names.

use crate::name::FileName;
use crate::{Engine, Files, Problem, Result, Severity};

/// More bytes than any name of a manifest has.
const CURRENT_BYTES: usize = 64;

/// Name of the manifest that counts; `newest` when nothing names one that is there.
pub(super) fn manifest(
    files: &dyn Files,
    engine: Engine,
    names: &[(FileName, &str)],
    newest: &str,
    problems: &mut Vec<Problem>,
) -> Result<String> {
    let mut tell = |file: &str, offset, message: String| {
        let mut problem = Problem::new(Severity::Error, file, message);
        problem.offset = offset;
        problems.push(problem);
    };
    let has_current = names.iter().any(|(name, _)| *name == FileName::Current);
    // Before it had markers, Pebble wrote CURRENT.
    let (namer, named) = if let Some((text, value)) = newest_marker(names, "manifest") {
        (text.to_owned(), Ok(value.to_owned()))
    } else if has_current {
        ("CURRENT".to_owned(), read_current(files)?)
    } else if engine == Engine::Pebble {
        let message = format!("the marker that names the manifest is missing; {newest} is used");
        tell(&format!("marker.manifest.000001.{newest}"), None, message);
        return Ok(newest.to_owned());
    } else {
        tell("CURRENT", None, format!("CURRENT is missing; {newest}, the newest, is used"));
        return Ok(newest.to_owned());
    };
    match named {
        Ok(named) if files.length(&named).is_some() && is_manifest(&named) => Ok(named),
        Ok(named) if is_manifest(&named) => {
            let message = format!("it names {named}, which is missing; {newest} is used");
            tell(&namer, Some(0), message);
            let message = format!("the manifest that {namer} names is missing; {newest} is used");
            tell(&named, None, message);
            Ok(newest.to_owned())
        }
        Ok(_) => {
            let message = format!("it names no manifest; {newest}, the newest, is used");
            tell(&namer, Some(0), message);
            Ok(newest.to_owned())
        }
        Err(reason) => {
            let message = format!("{reason}; {newest}, the newest, is used");
            tell(&namer, Some(0), message);
            Ok(newest.to_owned())
        }
    }
}

fn is_manifest(name: &str) -> bool {
    matches!(FileName::parse(name), FileName::Manifest(_))
}

/// The name in CURRENT, or why there is none.
fn read_current(files: &dyn Files) -> Result<std::result::Result<String, String>> {
    let mut content = vec![0; CURRENT_BYTES];
    let read = files.read_at("CURRENT", 0, &mut content);
    content.truncate(read.map_err(|error| error.in_file("CURRENT"))?);
    if content.is_empty() {
        return Ok(Err("it is empty".to_owned()));
    }
    let Some((line, rest)) = content
        .iter()
        .position(|byte| *byte == b'\n')
        .and_then(|end| content.split_at_checked(end))
    else {
        return Ok(Err("it does not end in a newline".to_owned()));
    };
    let name = String::from_utf8_lossy(line).into_owned();
    if rest.len() > 1 || !is_manifest(&name) {
        return Ok(Err("it names no manifest".to_owned()));
    }
    Ok(Ok(name))
}

/// The marker of a kind with the largest iteration: its name and what it says.
pub(super) fn newest_marker<'a>(
    names: &'a [(FileName, &'a str)],
    wanted: &str,
) -> Option<(&'a str, &'a str)> {
    let markers = names.iter().filter_map(|(name, text)| match name {
        FileName::Marker { kind, iteration, value } if kind == wanted => {
            Some((*iteration, (*text, value.as_str())))
        }
        _ => None,
    });
    markers.max().map(|(_, marker)| marker)
}
