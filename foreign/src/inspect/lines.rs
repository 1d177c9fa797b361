//! Files of text: lines, in OPTIONS section by section. Other files are bytes.

use super::fields::Fields;
use super::sink::{Draft, Inner, Sink, named, parts};
use super::view::View;
use super::{RAW_BYTES_MAX, Scene};
use crate::Result;
use crate::name::FileName;
use crate::text::{bytes, count, escaped};

/// A stretch of a long text has at least so many bytes, unless it is the last one. It ends where a line ends, or after
/// twice as many bytes.
const STRETCH: u64 = 64 << 10;
/// Larger OPTIONS are not taken apart section by section.
const OPTIONS_MAX: u64 = 16 << 20;
/// Bytes of a line that are shown.
const LINE_MAX: usize = 200;

/// A file that is neither a table nor a log.
pub(super) fn root(scene: &Scene<'_>, name: &FileName) -> (&'static str, String, Inner) {
    match name {
        FileName::Options(_) if scene.length <= OPTIONS_MAX => {
            ("text", "options".to_owned(), parts(write_sections))
        }
        FileName::Options(_) => ("text", "options".to_owned(), parts(write_stretches)),
        FileName::InfoLog { .. } => {
            ("text", "a log of events, as text".to_owned(), parts(write_stretches))
        }
        FileName::Current => {
            ("text", "names the manifest that counts".to_owned(), parts(write_stretches))
        }
        FileName::Identity => ("text", "the id of the database".to_owned(), parts(write_stretches)),
        FileName::Marker { value, .. } => ("text", escaped(value.as_bytes()), parts(write_bytes)),
        FileName::Ignored => ("file", "a lock or a temporary file".to_owned(), parts(write_bytes)),
        _ => ("file", "no file of the database".to_owned(), parts(write_bytes)),
    }
}

/// Bytes without a structure, in pieces that one answer can hold.
fn write_bytes(_scene: &Scene<'_>, sink: &mut Sink) -> Result<()> {
    let piece = RAW_BYTES_MAX as u64;
    let count = usize::try_from(sink.end().div_ceil(piece)).unwrap_or(usize::MAX);
    sink.total = Some(count);
    let first = sink.first_of(piece, 0).min(count);
    sink.skip_to(first, (first as u64).saturating_mul(piece));
    while sink.position() < sink.end() {
        if sink.has_all() {
            sink.stop();
            return Ok(());
        }
        let length = piece.min(sink.end() - sink.position());
        sink.leaf(length, || named("bytes", "bytes").value(bytes(length)))?;
    }
    Ok(())
}

/// A long text in stretches, a short one in lines.
fn write_stretches(scene: &Scene<'_>, sink: &mut Sink) -> Result<()> {
    if sink.end() <= STRETCH {
        return write_lines(scene, sink);
    }
    let count = usize::try_from(sink.end().div_ceil(STRETCH)).unwrap_or(usize::MAX);
    sink.total = Some(count);
    let first = sink.first_of(STRETCH, STRETCH).min(count);
    let start = border(scene, first as u64)?;
    sink.skip_to(first, start);
    for place in first..count {
        if sink.has_all() {
            sink.stop();
            return Ok(());
        }
        let end = border(scene, place as u64 + 1)?;
        let length = end.saturating_sub(sink.position());
        let name = format!("lines, part {}", place + 1);
        let draft = || named(name, "section").value(bytes(length));
        sink.open(length, draft, || parts(write_lines))?;
    }
    Ok(())
}

/// The start of stretch `number`: the first line from its place on, or that place when no line begins soon.
fn border(scene: &Scene<'_>, number: u64) -> Result<u64> {
    let at = number.saturating_mul(STRETCH).min(scene.length);
    if at == 0 || at == scene.length {
        return Ok(at);
    }
    // A line begins here if the byte before is a line break.
    let bytes = scene.read(at - 1, (STRETCH + 1).min(scene.length - at + 1))?;
    let newline = bytes.iter().position(|byte| *byte == b'\n');
    let found = newline.map_or(at, |newline| at + newline as u64);
    Ok(if found < at.saturating_add(STRETCH) { found } else { at })
}

/// The lines of a text that fits into memory.
fn write_lines(scene: &Scene<'_>, sink: &mut Sink) -> Result<()> {
    let start = sink.position();
    let view = View::of_file(scene.read(start, sink.end() - start)?, start);
    let mut at = 0;
    for line in view.bytes().split_inclusive(|byte| *byte == b'\n') {
        let whole = view.part(at..at + line.len());
        at += line.len();
        sink.open(line.len() as u64, || line_draft(line), || line_inner(whole))?;
    }
    Ok(())
}

fn line_draft(line: &[u8]) -> Draft {
    let text = line.strip_suffix(b"\n").unwrap_or(line);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let shown = text.get(..LINE_MAX).unwrap_or(text);
    let rest = if shown.len() < text.len() { "…" } else { "" };
    let name = match text.first() {
        None => "empty line",
        Some(b'#') => "comment",
        Some(b'[') if text.ends_with(b"]") => "title of a section",
        Some(_) => "line",
    };
    named(name, "line").value(format!("{}{rest}", escaped(shown)))
}

/// A line: text and its end; a setting has a name and a value.
fn line_inner(line: View) -> Inner {
    parts(move |scene, sink| {
        let is_setting = matches!(FileName::parse(scene.name), FileName::Options(_));
        let text = line.bytes().strip_suffix(b"\n").unwrap_or(line.bytes());
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let equals = text.iter().position(|byte| *byte == b'=').filter(|_| is_setting);
        let length = text.len();
        let mut fields = Fields::new(&line, sink);
        match equals {
            Some(equals) if !matches!(text.first(), Some(b'[' | b'#')) => {
                fields.text(equals, "name of the option", "key")?;
                fields.field(|cursor| cursor.take(1), |_| named("equals sign", "text"))?;
                fields.text(length - equals - 1, "value of the option", "value")?;
            }
            _ => {
                fields.text(length, "text", "text")?;
            }
        }
        let left = fields.left();
        fields.field(|cursor| cursor.take(left), |_| named("end of the line", "padding"))?;
        fields.end()
    })
}

/// The sections of OPTIONS, each with its title.
fn write_sections(scene: &Scene<'_>, sink: &mut Sink) -> Result<()> {
    let view = View::of_file(scene.read(0, scene.length)?, 0);
    let mut section: Option<(usize, String, u64)> = None;
    let mut at = 0;
    for line in view.bytes().split_inclusive(|byte| *byte == b'\n') {
        let text = line.trim_ascii();
        if text.first() == Some(&b'[') || section.is_none() {
            if let Some((start, title, lines)) = section.take() {
                put_section(at - start, &title, lines, sink)?;
            }
            let title = if text.first() == Some(&b'[') {
                escaped(text)
            } else {
                "before the first section".to_owned()
            };
            section = Some((at, title, 0));
        }
        if let Some((_, _, lines)) = &mut section {
            *lines += 1;
        }
        at += line.len();
    }
    if let Some((start, title, lines)) = section {
        put_section(at - start, &title, lines, sink)?;
    }
    Ok(())
}

fn put_section(length: usize, title: &str, lines: u64, sink: &mut Sink) -> Result<()> {
    let draft = || named(title, "section").value(count(lines, "line"));
    sink.open(length as u64, draft, || parts(write_lines))
}
