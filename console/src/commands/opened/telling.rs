//! What is known of opened files and directories, in lines.

use super::state::{directory_state, likeness_words, state};
use crate::output::{Answer, OutputLine, Style};
use crate::result::{OpenResult, PlaceOfDamage};
use crate::session::Session;
use crate::shelf::{OpenedDirectory, OpenedFile, plain};
use crate::text;
use levelscope_formats::Holds;
use std::sync::Arc;

/// Files of a directory that are listed one by one; of more only the damaged ones are.
const LISTED_MAX: usize = 12;
/// Damaged files that are named at most.
const NAMED_MAX: usize = 8;

/// Tells `directories`, and those of `files` that are in none of them.
pub(super) fn told(
    session: &mut Session,
    files: &[Arc<OpenedFile>],
    directories: &[OpenedDirectory],
) -> Answer {
    for directory in directories {
        tell_directory(session, directory);
    }
    for file in files {
        if !directories.iter().any(|known| file.directory_id().as_ref() == Some(&known.id)) {
            tell(session, file);
        }
    }
    let files = files.iter().map(|file| state(file)).collect();
    let directories = directories.iter().map(directory_state).collect();
    Answer::opened(OpenResult { files, directories })
}

/// A file in some lines: what it is, how sure that is, what is wrong.
pub(in crate::commands) fn tell(session: &mut Session, file: &OpenedFile) {
    let state = state(file);
    let line = OutputLine::new().link(state.id.clone(), state.id.clone()).plain("  ");
    let line = line.number(text::size(state.bytes)).plain("  ");
    session.say(line.plain(state.what.clone()));
    if !state.others.is_empty() {
        let others: Vec<String> = state
            .others
            .iter()
            .map(|guess| format!("{} ({})", guess.format, likeness_words(guess.likeness, "")))
            .collect();
        session.say(OutputLine::note(format!("    it could also be: {}", others.join(", "))));
    }
    if let Some(damage) = &state.damage {
        let line = OutputLine::text("    ").with(Style::Bad, "damaged");
        session.say(with_damage(file, line, damage));
    }
    if let Some(unread) = &state.unread {
        session.say(with_damage(file, OutputLine::text("    ").strong("not read"), unread));
    }
}

/// A directory in some lines: its files, as long as they are few, then what it is and what is damaged.
pub(super) fn tell_directory(session: &mut Session, directory: &OpenedDirectory) {
    let files = &directory.files;
    if files.len() <= LISTED_MAX {
        for file in files {
            tell(session, file);
        }
    }
    let line = OutputLine::new().strong(directory.id.clone()).plain(" is ");
    session.say(line.plain(format!("{}: {}", directory.what(), contents(directory))));
    for file in directory.damaged().take(NAMED_MAX) {
        tell_damage(session, file);
    }
    let hidden = directory.damaged().count().saturating_sub(NAMED_MAX);
    if hidden > 0 {
        let more = text::counted(hidden, "damaged file");
        session.say(OutputLine::text(format!("    and {more} more")));
    }
}

fn tell_damage(session: &mut Session, file: &OpenedFile) {
    let Some(damage) = &state(file).damage else { return };
    let line = OutputLine::text("    ").with(Style::Bad, "damaged").plain("  ");
    let line = line.link(file.id(), plain(&file.name).to_owned());
    session.say(with_damage(file, line, damage));
}

/// Its files by kind, and its length.
fn contents(directory: &OpenedDirectory) -> String {
    let kinds = [
        (Some(Holds::Table), "table"),
        (Some(Holds::Log), "log"),
        (Some(Holds::Metadata), "manifest or CURRENT file"),
        (None, "other file"),
    ];
    let counted = |(kind, noun)| match directory.holding(kind).count() {
        0 => None,
        number => Some(text::counted(number, noun)),
    };
    let told: Vec<String> = kinds.into_iter().filter_map(counted).collect();
    let read = match directory.holding(Some(Holds::Table)).count() {
        0 => String::new(),
        _ => format!("; {} can be read in the tables", text::counted(directory.entries(), "entry")),
    };
    format!("{}, {}{read}", told.join(", "), text::size(directory.bytes()))
}

/// `line`, followed by the offset, with a link to the byte, and the reason.
pub(super) fn with_damage(
    file: &OpenedFile,
    line: OutputLine,
    place: &PlaceOfDamage,
) -> OutputLine {
    let line = match place.offset {
        Some(offset) => {
            let target = format!("{}/bytes:{offset}-{offset}", file.id());
            line.plain(" at ").link(target, format!("offset {}", text::count(offset)))
        }
        None => line,
    };
    line.plain(format!(": {}", place.why))
}
