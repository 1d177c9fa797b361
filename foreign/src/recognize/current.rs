//! The manifest that counts: the one that CURRENT or Pebble's marker names.

use crate::name::FileName;
use crate::text::count;
use crate::{Engine, Files, Problem, Result, Severity};

/// More bytes than CURRENT has, also with two names or a merge conflict.
const CURRENT_BYTES: usize = 256;

/// Name of the manifest that counts; `newest` when nothing names one that is there.
pub(super) fn manifest(
    files: &dyn Files,
    engine: Engine,
    names: &[(FileName, &str)],
    newest: &str,
    problems: &mut Vec<Problem>,
) -> Result<String> {
    let mut report = |file: &str, offset: Option<u64>, message: String| {
        problems.push(Problem::new(Severity::Error, file, message).at(offset));
    };
    let has_current = names.iter().any(|(name, _)| *name == FileName::Current);
    // Before it had markers, Pebble wrote CURRENT.
    let (namer, named) = if let Some((text, value)) = newest_marker(names, "manifest") {
        (text.to_owned(), Ok(value.to_owned()))
    } else if has_current {
        ("CURRENT".to_owned(), read_current(files)?)
    } else if engine == Engine::Pebble {
        let message = format!("the marker that names the manifest is missing; {newest} is used");
        report(&format!("marker.manifest.000001.{newest}"), None, message);
        return Ok(newest.to_owned());
    } else {
        let way = mend(newest);
        report(
            "CURRENT",
            None,
            format!("CURRENT is missing; {newest}, the newest, is used; {way}"),
        );
        return Ok(newest.to_owned());
    };
    match named {
        Ok(named) if files.length(&named).is_some() && is_manifest(&named) => Ok(named),
        Ok(named) if is_manifest(&named) => {
            let message = format!("it names {named}, which is missing; {newest} is used");
            report(&namer, Some(0), message);
            let message = format!("the manifest that {namer} names is missing; {newest} is used");
            report(&named, None, message);
            Ok(newest.to_owned())
        }
        Ok(_) => {
            let message = format!("it names no manifest; {newest}, the newest, is used");
            report(&namer, Some(0), message);
            Ok(newest.to_owned())
        }
        Err(Flaw { reason, named }) => {
            let named = named.filter(|named| files.length(named).is_some() && is_manifest(named));
            let (used, why) = match &named {
                Some(named) => (named.as_str(), "which it names"),
                None => (newest, "the newest"),
            };
            let message = format!("{reason}; {used}, {why}, is used; {}", mend(used));
            report(&namer, Some(0), message);
            Ok(used.to_owned())
        }
    }
}

/// The flaw of a CURRENT that is here without its directory.
pub(crate) fn flaw_of_current(files: &dyn Files) -> Option<Problem> {
    let Flaw { reason, named } = read_current(files).ok()?.err()?;
    let way = named.map(|named| format!("; {}", mend(&named))).unwrap_or_default();
    Some(Problem::new(Severity::Error, "CURRENT", format!("{reason}{way}")).at(0))
}

/// The command or edit that mends CURRENT.
fn mend(manifest: &str) -> String {
    format!("to mend it, make a copy of the directory, then write `{manifest}\\n` into CURRENT")
}

/// Reason that CURRENT names no manifest in its one line.
struct Flaw {
    reason: String,
    /// The only name in it, where the line is the flaw.
    named: Option<String>,
}

/// Judges the content of a CURRENT that is not one line with a name.
fn flaw(content: &[u8]) -> Flaw {
    let text = String::from_utf8_lossy(content);
    let lines = || text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let named = lines().next().filter(|line| is_manifest(line) && lines().count() == 1);
    let reason = if content.is_empty() {
        "it is empty".to_owned()
    } else if content.iter().all(|byte| *byte == 0) {
        format!("it holds {}, as a crash leaves them", count(content.len() as u64, "zero byte"))
    } else if content.starts_with(b"<<<<<<< ") {
        "it holds a merge conflict of Git".to_owned()
    } else if named.is_some() && content.ends_with(b"\r\n") {
        "its line ends in CR LF in place of LF, as Git and editors on Windows leave it".to_owned()
    } else if lines().filter(|line| is_manifest(line)).count() > 1 {
        "it holds the names of several manifests".to_owned()
    } else if named.is_some() && !content.ends_with(b"\n") {
        "it does not end in a newline".to_owned()
    } else {
        "it names no manifest".to_owned()
    };
    Flaw { reason, named: named.map(str::to_owned) }
}

fn is_manifest(name: &str) -> bool {
    matches!(FileName::parse(name), FileName::Manifest(_))
}

/// The name in CURRENT, or its flaw.
fn read_current(files: &dyn Files) -> Result<std::result::Result<String, Flaw>> {
    let mut content = vec![0; CURRENT_BYTES];
    let read = files.read_at("CURRENT", 0, &mut content);
    content.truncate(read.map_err(|error| error.in_file("CURRENT"))?);
    let name = content.strip_suffix(b"\n").and_then(|line| std::str::from_utf8(line).ok());
    Ok(match name.filter(|name| is_manifest(name)) {
        Some(name) => Ok(name.to_owned()),
        None => Err(flaw(&content)),
    })
}

/// The marker of a kind with the largest iteration: its name and its value.
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
