//! The next step after damage.

use super::Losses;
use super::opening::{Opening, ahead};
use crate::Engine;
use crate::files::total;
use crate::manifest::CutCause;
use crate::name::FileName;
use crate::recognize::fetching;
use crate::report::Evidence;
use crate::text::listed;

/// Next steps after these findings, the copy first; `None` without findings.
pub(super) fn words(
    evidence: &Evidence<'_>,
    losses: &Losses<'_>,
    opening: &Opening,
) -> Option<String> {
    if losses.errors.is_empty() {
        return None;
    }
    if let Some(command) = losses.errors.iter().find_map(|one| fetching(one)) {
        return Some(format!("Next step: run `{command}` in the repository, then look again."));
    }
    if evidence.state.engine == Engine::Levelscope {
        let step = "Next step: `levelscope repair DIR NEW` saves the verified data in a new directory, and changes \
                    nothing in this one.";
        return Some(step.to_owned());
    }
    let mut steps = Vec::new();
    steps.extend(current(evidence, losses));
    steps.extend(logs(evidence));
    let is_current_alone = steps.len() == 1
        && losses.errors.iter().all(|one| FileName::parse(&one.file) == FileName::Current);
    if !is_current_alone {
        let engine = evidence.state.engine;
        let repair = match engine {
            Engine::RocksDb if !opening.refusals.is_empty() => {
                "; `ldb repair --db=DIR` of RocksDB rewrites the copy itself"
            }
            Engine::LevelDb if !opening.refusals.is_empty() => {
                "; RepairDB of LevelDB rewrites the copy itself"
            }
            _ => "",
        };
        steps.push(format!(
            "`levelscope import DIR NEW --skip-damage` saves all readable entries in a new database{repair}"
        ));
    }
    Some(format!(
        "Next step: copy the directory first, because {} changes it on opening. Then {}.",
        evidence.state.engine.name(),
        steps.join("; or ")
    ))
}

/// The fix for a CURRENT that does not name the present manifest.
fn current(evidence: &Evidence<'_>, losses: &Losses<'_>) -> Option<String> {
    let is_current = |file: &str| FileName::parse(file) == FileName::Current;
    losses.errors.iter().find(|one| is_current(&one.file))?;
    let manifest = evidence.manifest?;
    let is_there = !matches!(manifest.cut().map(|cut| &cut.cause), Some(CutCause::Absent));
    is_there.then(|| format!("write `{}` and a newline into CURRENT of the copy", manifest.name()))
}

/// Steps for tables that are ahead of a log.
fn logs(evidence: &Evidence<'_>) -> Option<String> {
    let logs = evidence.logs?;
    let (_, number) = logs.stopped.as_ref()?;
    if evidence.state.engine != Engine::RocksDb || ahead(evidence).is_none() {
        return None;
    }
    let families = logs.files.iter().flat_map(|file| &file.left_out.families);
    let left = total(families.map(|(_, entries)| entries.entries));
    let has_lost = logs.files.iter().any(|file| !file.lost.is_empty());
    let skip = "open the copy with wal_recovery_mode kSkipAnyCorruptedRecords, which reads the logs past the \
                damage";
    if left > 0 || has_lost {
        return Some(skip.to_owned());
    }
    let from = logs.files.iter().filter(|file| file.counts && file.number >= *number);
    let names: Vec<String> = from.map(|file| file.name.clone()).collect();
    Some(format!(
        "{skip}, or remove {} from the copy, because tables have all their entries",
        listed(&names)
    ))
}
