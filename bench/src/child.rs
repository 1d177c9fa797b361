//! Opens one database and runs workloads on it, in a process of their own, so that memory is theirs.

use crate::engine::{Engine, EngineInfo};
use crate::failure::Outcome;
use crate::process::{
    Clock, disk_bytes, peak_bytes, processor_seconds, wait_until_quiet, written_bytes,
};
use crate::settings::Settings;
use crate::workload::{self, Measure};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The task of a process.
#[derive(Debug, Serialize, Deserialize)]
pub struct Job {
    /// Name of the engine.
    pub engine: String,
    /// The directory of the database.
    pub directory: PathBuf,
    /// Names of the workloads; the first one also prepares the others: it fills, merges or warms up.
    pub workloads: Vec<String>,
    /// The settings.
    pub settings: Settings,
}

/// One workload of one engine.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// Name of the engine.
    pub engine: String,
    /// Name of the workload.
    pub workload: String,
    /// The measurements.
    #[serde(flatten)]
    pub measure: Measure,
    /// Time until background work came to rest \[seconds\].
    pub settle_seconds: f64,
    /// Processor time of all threads until then \[seconds\].
    pub settled_process_seconds: f64,
    /// Bytes written by the workload and the background work after it \[bytes\].
    pub written_bytes: u64,
    /// The database directory after that \[bytes\].
    pub disk_bytes: u64,
    /// Most memory of the process up to then \[bytes\].
    pub peak_bytes: u64,
}

/// Runs `job` and returns a row for each workload.
///
/// # Errors
/// Errors of the engine.
pub fn run(job: &Job) -> Outcome<Vec<Row>> {
    let mut settings = job.settings.clone();
    let cached = job.workloads.first().is_some_and(|name| name == "readcached");
    if cached {
        settings.cache_bytes = (2 * settings.raw_bytes() + (64 << 20)) as usize;
    }
    let engine = EngineInfo::named(&job.engine)?.open(&job.directory, &settings)?;
    wait_until_quiet()?;
    let mut rows = Vec::new();
    let mut warm = false;
    for name in &job.workloads {
        if is_read(name) && !is_cold_read(name) && !warm {
            warm_up(engine.as_ref(), &settings, cached)?;
        }
        warm |= is_read(name);
        rows.push(measure(name, engine.as_ref(), job, &settings)?);
    }
    Ok(rows)
}

fn is_read(name: &str) -> bool {
    name.starts_with("read") || name.starts_with("seek")
}

/// A measured warm-up: what it causes to be merged is counted.
fn is_cold_read(name: &str) -> bool {
    name == "readcold" || name == "seekcold"
}

/// Reads that are not measured, where no cold ones come before: as many lookups as are, and everything when the
/// cache holds everything.
fn warm_up(engine: &dyn Engine, settings: &Settings, cached: bool) -> Outcome<()> {
    if cached {
        engine.scan(None, false, u64::MAX >> 1)?;
    }
    workload::run("readrandom", engine, settings)?;
    wait_until_quiet()?;
    Ok(())
}

fn measure(name: &str, engine: &dyn Engine, job: &Job, settings: &Settings) -> Outcome<Row> {
    let written = written_bytes()?;
    let process = processor_seconds(Clock::Process);
    let measure = workload::run(name, engine, settings)?;
    let start = Instant::now();
    if measure.user_bytes > 0 || name == "compact" {
        engine.settle()?;
    }
    let settling = start.elapsed();
    // Reads cause work in the background, too.
    let settle_seconds = (settling + wait_until_quiet()?).as_secs_f64();
    write_back(&job.directory)?;
    Ok(Row {
        engine: job.engine.clone(),
        workload: name.to_owned(),
        measure,
        settle_seconds,
        settled_process_seconds: processor_seconds(Clock::Process) - process,
        written_bytes: written_bytes()? - written,
        disk_bytes: disk_bytes(&job.directory)?,
        peak_bytes: peak_bytes()?,
    })
}

/// Makes the system write its dirty pages, so that the next engine does not pay for this one.
fn write_back(directory: &Path) -> Outcome<()> {
    use std::os::fd::AsRawFd;
    let handle = std::fs::File::open(directory)?;
    // SAFETY: the descriptor is open until `handle` drops.
    unsafe { libc::syncfs(handle.as_raw_fd()) };
    Ok(())
}
