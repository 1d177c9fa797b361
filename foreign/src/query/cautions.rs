//! Gaps of an answer: entries of logs and tables that do not count, because a log or the manifest is damaged.

use crate::directory::Directory;
use crate::directory::losses::{lost_words, sequences_words};
use crate::directory::outside::Outside;
use crate::directory::{LogFile, logs};
use crate::frame::End;
use crate::read::Snapshot;
use crate::text::{count, listed, number};
use crate::{Comparator, Family, Result};

/// Tables that one sentence names.
const NAMED: usize = 3;

/// The keys and versions that an answer is about.
struct About<'k> {
    from: Option<&'k [u8]>,
    /// Included.
    to: Option<&'k [u8]>,
    limit: u64,
}

impl About<'_> {
    fn is_one(&self) -> bool {
        self.from.is_some() && self.from == self.to
    }

    fn meets(&self, order: Comparator, smallest: &[u8], largest: &[u8]) -> bool {
        order.meets((smallest, largest), (self.from, self.to))
    }

    /// Whether a version from sequence number `first` on is visible.
    fn sees(&self, first: Option<u64>) -> bool {
        first.is_none_or(|first| first <= self.limit)
    }

    /// `this key`
    fn keys(&self) -> &'static str {
        if self.is_one() { "this key" } else { "these keys" }
    }
}

impl Directory<'_> {
    /// Sentences about logs and tables that do not count and may hold newer versions of keys in `[from, to]`.
    pub(super) fn cautions(
        &self,
        family: u32,
        from: Option<&[u8]>,
        to: Option<&[u8]>,
        snapshot: Snapshot,
    ) -> Result<Vec<String>> {
        let family = self.family(family)?;
        let about = About { from, to, limit: snapshot.sequence };
        let mut sentences = Vec::new();
        for file in self.logs()?.files.iter().filter(|file| file.counts) {
            if logs::needs(self.state(), file.number, family.id) {
                sentences.extend(of_log(file, family, &about));
            }
        }
        sentences.extend(of_tables(self.outside()?, family, &about));
        Ok(sentences)
    }
}

/// Entries that the damage in a log may hide.
fn of_log(file: &LogFile, family: &Family, about: &About<'_>) -> Option<String> {
    let mut parts = Vec::new();
    let first = file.lost.first().map(|(first, _)| *first);
    if let Some(lost) = lost_words(file).filter(|_| about.sees(first)) {
        parts.push(format!("{lost} in its damaged part"));
    }
    let first = file.left_out.sequences.map(|(first, _)| first);
    let left = file.left_out.families.iter().find(|(id, _)| *id == family.id);
    let is_met = |smallest: &[u8], largest: &[u8]| {
        about.meets(family.comparator, smallest, largest) && about.sees(first)
    };
    if let Some((_, left)) = left.filter(|(_, left)| is_met(&left.smallest, &left.largest)) {
        let sequences = file.left_out.sequences.map(sequences_words);
        let sequences = sequences.map_or_else(String::new, |words| format!(" ({words})"));
        let entries = count(left.entries, "entry");
        parts.push(format!("recovery leaves out {entries} after the damage{sequences}"));
    }
    let damaged = match &file.end {
        Some(End::Damaged(error)) => error.offset(),
        _ => None,
    };
    // Without a batch after it, the damage may have taken any number of them.
    if let Some(offset) = damaged.filter(|_| !file.reads_on) {
        let after = file.sequences.map(|(_, last)| last.saturating_add(1));
        if about.sees(after) {
            parts.push(format!("everything written from offset {} on is lost", number(offset)));
        }
    }
    let follows = format!("newer versions of {} may be among them", about.keys());
    let begun = if file.end.as_ref().is_some_and(|end| matches!(end, End::Damaged(_))) {
        format!("{} is damaged", file.name)
    } else {
        format!("{} is not read whole", file.name)
    };
    (!parts.is_empty()).then(|| format!("{begun}: {}; {follows}.", listed(&parts)))
}

/// The tables in no level that may hold keys of the answer.
fn of_tables(tables: &[Outside], family: &Family, about: &About<'_>) -> Option<String> {
    let may_hold = |table: &&Outside| {
        let is_other = table.family.as_ref().is_some_and(|(_, id)| *id != Some(family.id));
        let keys = table.keys.as_ref();
        let meets = keys
            .is_none_or(|(smallest, largest)| about.meets(family.comparator, smallest, largest));
        !is_other && meets && !table.in_logs && about.sees(table.sequences.map(|(first, _)| first))
    };
    let all: Vec<&Outside> = tables.iter().filter(may_hold).collect();
    let mut names: Vec<String> = all.iter().map(|table| table.name.clone()).collect();
    if names.len() > NAMED {
        let more = names.split_off(NAMED).len();
        names.push(format!("{} more", count(more as u64, "table")));
    }
    let (cover, are) = if all.len() == 1 { ("covers", "is") } else { ("cover", "are") };
    let cover = if all.iter().all(|table| table.keys.is_some()) {
        cover.to_owned()
    } else {
        "may cover".to_owned()
    };
    (!all.is_empty()).then(|| {
        format!(
            "{} {cover} {} but {are} in no level, because the history ends too early; {} may hold \
             other versions.",
            listed(&names),
            about.keys(),
            if all.len() == 1 { "it" } else { "they" }
        )
    })
}
