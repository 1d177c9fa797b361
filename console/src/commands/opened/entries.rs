//! `entries`: what a file holds, entry by entry.

use super::file_at;
use super::state::place;
use super::telling::with_damage;
use crate::language::Args;
use crate::language::lexer::Statement;
use crate::output::{Answer, Failure, OutputLine, Style};
use crate::result::{EntriesResult, FileEntryResult};
use crate::session::{Task, once};
use crate::shelf::{Defect, OpenedFile};
use crate::text;
use levelscope::ErrorKind;
use levelscope_formats::{Entry, Format};

/// Entries when no limit is given.
const ENTRIES: u64 = 20;
/// Most entries of one answer.
const ENTRIES_MAX: u64 = 10_000;
/// Places of damage that one answer names.
const DAMAGE_MAX: usize = 20;
/// Most bytes of a value that are printed \[bytes\].
const VALUE_SHOWN_MAX: usize = 60;

pub(super) fn start(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(1, 1, "an opened file")?;
    let limit = args.number("--limit")?.unwrap_or(ENTRIES).min(ENTRIES_MAX);
    let skip = args.number("--skip")?.unwrap_or(0);
    let args = args.clone();
    Ok(once(move |session| {
        let file = file_at(session, &args, 0)?;
        let format = searchable(&file)?;
        let result = listed(&file, format, skip, limit);
        for entry in &result.entries {
            session.say(line(&file, entry));
        }
        for damage in &result.damage {
            session.say(with_damage(&file, OutputLine::new().with(Style::Bad, "damaged"), damage));
        }
        for unread in &result.unread {
            session.say(with_damage(&file, OutputLine::new().strong("not read"), unread));
        }
        let shown = text::counted(result.entries.len() as u64, "entry");
        session.say(OutputLine::note(if result.more {
            format!("{shown}, and there are more: --skip N and --limit N show them.")
        } else {
            format!("{shown}.")
        }));
        Ok(Answer::entries(result))
    }))
}

/// The format of a file that holds entries.
pub(in crate::commands) fn searchable(file: &OpenedFile) -> Result<&'static dyn Format, Failure> {
    let format = file.format.ok_or_else(|| {
        let failure = Failure::usage(format!("@{} holds no entries that can be listed", file.name));
        failure
            .hint("`layout` shows its parts; `open @FILE --as FORMAT` reads it as another format")
    })?;
    if format.info().searches.is_empty() {
        let message =
            format!("a {} holds no entries: it says which other files count", format.info().name);
        return Err(Failure::usage(message).hint("`layout` shows what it says"));
    }
    Ok(format)
}

fn listed(file: &OpenedFile, format: &dyn Format, skip: u64, limit: u64) -> EntriesResult {
    let mut result = EntriesResult {
        file: file.id(),
        skipped: skip,
        entries: Vec::new(),
        damage: Vec::new(),
        unread: Vec::new(),
        more: false,
        count: file.entries.unwrap_or(0),
    };
    let mut seen = 0_u64;
    for entry in format.scan(&file.bytes) {
        match entry {
            Ok(_) if seen < skip => seen += 1,
            Ok(_) if result.entries.len() as u64 >= limit => {
                result.more = true;
                break;
            }
            Ok(entry) => result.entries.push(entry_result(&entry)),
            Err(error) => {
                let is_unread = error.kind() == ErrorKind::UnsupportedFormat;
                let places = if is_unread { &mut result.unread } else { &mut result.damage };
                if places.len() < DAMAGE_MAX {
                    places.push(place(&Defect::of(&error, file.length())));
                }
            }
        }
    }
    result
}

fn entry_result(entry: &Entry<'_>) -> FileEntryResult {
    FileEntryResult {
        key: text::escape(entry.key.get(..KEY_SHOWN_MAX).unwrap_or(&entry.key)),
        key_bytes: entry.key.len() as u64,
        value: entry.value.as_deref().map(crate::commands::data::shown_value),
        value_bytes: entry.value.as_ref().map_or(0, |value| value.len() as u64),
        sequence: entry.sequence,
        offset: entry.offset,
    }
}

/// Most bytes of a key that are given \[bytes\].
const KEY_SHOWN_MAX: usize = 1024;

fn line(file: &OpenedFile, entry: &FileEntryResult) -> OutputLine {
    let target = format!("{}/bytes:{}-{}", file.id(), entry.offset, entry.offset);
    let place = format!("{:>10}", text::count(entry.offset));
    let line = OutputLine::new().link(target, place).plain("  ");
    let key: String = entry.key.chars().take(64).collect();
    let line = line.with(Style::Key, key).dim(" = ");
    let line = match &entry.value {
        None => line.strong("deleted"),
        Some(value) => {
            let cut: String = value.chars().take(VALUE_SHOWN_MAX).collect();
            let dots = if cut.len() < value.len() { "..." } else { "" };
            line.with(Style::Value, format!("{cut}{dots}"))
        }
    };
    match entry.sequence {
        Some(sequence) => line.dim(format!("  #{}", text::count(sequence))),
        None => line,
    }
}
