//! Words about damaged logs, and about whole ones that recovery leaves out.

use super::Losses;
use super::sentence::{few, offset_words};
use crate::Severity;
use crate::directory::LogFile;
use crate::directory::losses::{batches_words, lost_words, sequences_words};
use crate::files::total;
use crate::name::FileName;
use crate::report::Evidence;
use crate::sorting::set;
use crate::text::{count, listed, number};
use std::collections::BTreeSet;

/// The part of the sentence about logs; `None` when recovery reads all of them.
pub(super) fn words(evidence: &Evidence<'_>, losses: &Losses<'_>) -> Option<String> {
    let is_log = |file: &str| matches!(FileName::parse(file), FileName::Log { .. });
    let files: BTreeSet<&str> = set(losses.files.iter().copied().filter(|file| is_log(file)));
    let logs = evidence.logs.map_or(&[][..], |logs| &logs.files);
    let missing = files.iter().filter(|file| evidence.files.length(file).is_none());
    let missing: Vec<String> = missing.map(|file| (*file).to_owned()).collect();
    if !missing.is_empty() {
        let is = if missing.len() == 1 { "is" } else { "are" };
        let later = logs.iter().any(|log| log.counts);
        let lost = if later { "entries that no table has" } else { "the newest entries" };
        return Some(format!("{} {is} missing, so {lost} are lost", few(missing)));
    }
    let begun = if files.is_empty() {
        let is_left = losses.errors.iter().any(|problem| is_log(&problem.file));
        let (stopped, _) = evidence.logs?.stopped.as_ref().filter(|_| is_left)?;
        format!("the last record of {stopped} is cut off")
    } else {
        let is_own = |one: &&&crate::Problem| {
            one.severity == Severity::Error && files.contains(one.file.as_str())
        };
        let first = losses.errors.iter().find(is_own)?;
        let is = if files.len() == 1 { "is" } else { "are" };
        let at = if files.len() == 1 { offset_words(first) } else { String::new() };
        let named = few(files.iter().map(|file| (*file).to_owned()).collect());
        format!("{named} {is} damaged{at}")
    };
    if evidence.logs.is_none() {
        return Some(begun);
    }
    let damaged: Vec<&LogFile> = logs.iter().filter(|file| files.contains(&*file.name)).collect();
    let kept = total(damaged.iter().map(|file| file.batches));
    let last = damaged.iter().filter_map(|file| file.sequences).map(|(_, last)| last).max();
    let until =
        last.map_or_else(String::new, |last| format!(" up to sequence number {}", number(last)));
    let kept = format!("recovery keeps {}{until}", batches_words(kept));
    let lost: Vec<String> = damaged.iter().filter_map(|file| lost_words(file)).collect();
    let lost = if lost.is_empty() {
        String::new()
    } else {
        format!("; {} in the damaged part", listed(&lost))
    };
    let left = left_words(logs).map_or_else(String::new, |left| format!(" and leaves out {left}"));
    Some(format!("{begun}: {kept}{left}{lost}"))
}

/// The batches of all logs that recovery leaves out; `None` without such a batch.
fn left_words(logs: &[LogFile]) -> Option<String> {
    let left: u64 = total(logs.iter().map(|file| file.left_out.batches));
    if left == 0 {
        return None;
    }
    let sequences = logs.iter().filter_map(|file| file.left_out.sequences);
    let sequences = sequences.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let sequences =
        sequences.map_or_else(String::new, |all| format!(" ({})", sequences_words(all)));
    let (follows, can) = if left == 1 { ("follows", "its") } else { ("follow", "their") };
    let families = logs.iter().flat_map(|file| &file.left_out.families);
    let entries = total(families.map(|(_, entries)| entries.entries));
    let held = match entries {
        0 => format!(", though tables have all {can} entries"),
        some => format!(", with {} that no table has", count(some, "entry")),
    };
    Some(format!("{} that {follows} and can be read{sequences}{held}", batches_words(left)))
}
