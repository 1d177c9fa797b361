//! Logs that should be in a directory, and are not.

use super::Directory;
use crate::name::FileName;
use crate::problem;
use crate::{Engine, Files, Problem, Severity};

/// Bytes of LOG that are searched for the path of the database.
const LOG_BYTES: usize = 64 << 10;

/// Reports that no log is here that may count: a database that was opened once always has one, with a number that is
/// not less than that in the manifest. OPTIONS may name another directory for the logs.
pub(super) fn logs(files: &dyn Files, directory: &Directory<'_>) -> Option<Problem> {
    if directory.engine() == Engine::Levelscope {
        return recorded_log(files, directory);
    }
    let numbers = directory.state().families.values().map(|family| family.log_number);
    // A number that is not given out is that of a log to come.
    let is_given = |number: &u64| (1..directory.state().next_file).contains(number);
    let newest = numbers.max().filter(is_given)?;
    let counts = |name: &str| match FileName::parse(name) {
        FileName::Log { number, archived: false, .. } => number >= newest,
        _ => false,
    };
    if files.list().iter().any(|file| counts(&file.name)) {
        return superseded_log(files, directory, newest);
    }
    let named = directory.options.as_ref().and_then(|options| {
        let place = options.database()?.get("wal_dir").filter(|place| !place.is_empty())?;
        Some((options, place)).filter(|_| !is_own(files, place))
    });
    let Some((options, place)) = named else {
        let name = format!("{newest:06}.log");
        let message = format!(
            "log {newest}, which the manifest names, is not here, nor a later one: the writes after the last flush \
             are missing"
        );
        if directory.engine() == Engine::LevelDb {
            let problem = Problem::new(Severity::Error, &name, message);
            return Some(problem.standing(problem::Standing::Missing));
        }
        let message = format!("{message}, unless this is a checkpoint, which has no log");
        return Some(Problem::new(Severity::Note, &name, message));
    };
    let message = format!(
        "the logs are in another directory, {place} (wal_dir), and none is here: the newest entries may be \
         in them; with its files copied beside the tables they are read"
    );
    Some(Problem::new(Severity::NotRead, &options.file, message))
}

/// Reports a log of Levelscope that is not here although the manifest records it and tables lack what it holds.
fn recorded_log(files: &dyn Files, directory: &Directory<'_>) -> Option<Problem> {
    let state = directory.state();
    let needed = state.families.values().map(|family| family.log_number).min()?;
    let name = |number: &u64| format!("{number:06}.wal");
    let mut recorded = state.tracked_logs.keys().filter(|number| **number >= needed).map(name);
    let lost = recorded.find(|name| files.length(name).is_none())?;
    let message = "it is missing, although the manifest records it: its writes are lost";
    let problem = Problem::new(Severity::Error, &lost, message);
    Some(problem.standing(problem::Standing::Missing))
}

/// Reports that log `newest` is not here, though later ones are. LevelDB deletes it only after an edit that names a
/// later one: no crash explains a manifest that ends before such an edit.
fn superseded_log(files: &dyn Files, directory: &Directory<'_>, newest: u64) -> Option<Problem> {
    let name = format!("{newest:06}.log");
    let is_cut = directory.manifest().cut().is_some_and(|cut| !cut.is_normal());
    if directory.engine() != Engine::LevelDb || is_cut || files.length(&name).is_some() {
        return None;
    }
    let lost = match directory.manifest().cut() {
        None => "its writes are missing",
        Some(_) => "its writes are missing, or in tables that the record that is cut off has added",
    };
    let message =
        format!("log {newest}, which the manifest names, is not here, but a later one is: {lost}");
    let problem = Problem::new(Severity::Error, &name, message);
    Some(problem.standing(problem::Standing::Missing))
}

/// Whether `wal_dir` names the directory itself: RocksDB before 6.17 writes its own path there, and its LOG notes the path
/// of the database.
fn is_own(files: &dyn Files, place: &str) -> bool {
    let last = |path: &str| path.trim_end_matches('/').rsplit('/').next().unwrap_or("").to_owned();
    let log = files.read_at("LOG", 0, &mut [0; 0]).is_ok().then(|| {
        let mut start = vec![0; LOG_BYTES];
        let read = files.read_at("LOG", 0, &mut start).unwrap_or(0);
        start.truncate(read);
        String::from_utf8_lossy(&start).into_owned()
    });
    let log = log.unwrap_or_default();
    // RocksDB lists its files at the beginning: `SST files in PATH dir, …`.
    let path =
        log.lines().find_map(|line| line.split_once("SST files in ")?.1.split(" dir").next());
    path.is_some_and(|path| path == place || last(path) == last(place))
}
