//! What is known of opened files and directories, for programs.

use super::search_word;
use crate::result::{DirectoryState, FormatGuess, FormatState, OpenedState, PlaceOfDamage};
use crate::shelf::{Defect, OpenedDirectory, OpenedFile};
use crate::text;
use levelscope_formats::{Format, FormatInfo, Holds, Likeness};

/// A place of a file for programs.
pub(super) fn place(place: &Defect) -> PlaceOfDamage {
    PlaceOfDamage { offset: place.offset, why: text::printable(&place.why) }
}

/// How certain the format of a file is; `proof`: the evidence that makes it certain.
pub(super) fn likeness_words(likeness: Likeness, proof: &str) -> String {
    match likeness {
        Likeness::None => "nothing speaks for it".into(),
        Likeness::Perhaps => "perhaps".into(),
        Likeness::Likely => "likely: all its bytes fit this format".into(),
        Likeness::Certain if proof.is_empty() => "certain".into(),
        Likeness::Certain => format!("certain: {proof}"),
    }
}

/// The description of an opened file, for programs and people.
pub(in crate::commands) fn state(file: &OpenedFile) -> OpenedState {
    let info = file.format.map(Format::info);
    let format = info.map(described);
    let sure = match file.likeness {
        Some(likeness) => likeness_words(likeness, info.map_or("", |info| info.proof)),
        None => "as you said with --as".into(),
    };
    let mut what = match &format {
        Some(format) => format!("{} ({}), {sure}", format.name, format.id),
        None if file.bytes.is_empty() => "an empty file".to_owned(),
        None => "of no known format: shown as plain bytes".to_owned(),
    };
    if let Some(entries) = file.entries {
        let readable = if file.unread.is_some() { " can be read" } else { "" };
        what = format!("{what}; {}{readable}", text::counted(entries, "entry"));
    }
    OpenedState {
        id: file.id(),
        name: file.name.clone(),
        bytes: file.bytes.len() as u64,
        format,
        likeness: file.likeness,
        others: file
            .others
            .iter()
            .map(|found| FormatGuess {
                format: found.format.info().id.to_owned(),
                likeness: found.likeness,
            })
            .collect(),
        damage: file.damage.as_ref().map(place),
        unread: file.unread.as_ref().map(place),
        entries: file.entries,
        database: file.database(),
        what,
    }
}

pub(super) fn described(info: &FormatInfo) -> FormatState {
    FormatState {
        id: info.id.to_owned(),
        name: info.name.to_owned(),
        purpose: info.purpose.to_owned(),
        holds: info.holds,
        searches: info.searches.iter().map(|search| search_word(*search).to_owned()).collect(),
    }
}

/// The description of an opened directory, for programs.
pub(super) fn directory_state(directory: &OpenedDirectory) -> DirectoryState {
    let count = |kind: Option<Holds>| directory.holding(kind).count() as u64;
    DirectoryState {
        id: directory.id.clone(),
        what: directory.what(),
        files: directory.files.len() as u64,
        tables: count(Some(Holds::Table)),
        logs: count(Some(Holds::Log)),
        metadata: count(Some(Holds::Metadata)),
        others: count(None),
        bytes: directory.bytes(),
        entries: directory.entries(),
        damaged: directory.damaged().map(|file| file.id()).collect(),
        database: directory.files.iter().find_map(|file| file.database()),
    }
}
