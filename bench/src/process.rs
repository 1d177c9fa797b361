//! The system's figures of this process: processor time, bytes written, peak memory, files on disk.

use crate::failure::Outcome;
use std::path::Path;
use std::time::{Duration, Instant};

/// Processor time used so far \[seconds\].
pub fn processor_seconds(clock: Clock) -> f64 {
    let id = match clock {
        Clock::Thread => libc::CLOCK_THREAD_CPUTIME_ID,
        Clock::Process => libc::CLOCK_PROCESS_CPUTIME_ID,
    };
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the answer.
    unsafe { libc::clock_gettime(id, &raw mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// The threads whose processor time is meant.
#[derive(Debug, Clone, Copy)]
pub enum Clock {
    /// The calling thread.
    Thread,
    /// All threads.
    Process,
}

/// The number after `label` in `/proc/self/FILE`.
fn proc_number(file: &str, label: &str) -> Outcome<u64> {
    let text = std::fs::read_to_string(format!("/proc/self/{file}"))?;
    let line = text.lines().find_map(|line| line.strip_prefix(label)).unwrap_or("0");
    Ok(line.split_whitespace().next().unwrap_or("0").parse()?)
}

/// Bytes that this process has given to write calls.
pub fn written_bytes() -> Outcome<u64> {
    proc_number("io", "wchar:")
}

/// The most memory that this process had resident \[bytes\].
pub fn peak_bytes() -> Outcome<u64> {
    Ok(proc_number("status", "VmHWM:")? * 1024)
}

/// Space that the files below `directory` take on disk \[bytes\].
pub fn disk_bytes(directory: &Path) -> Outcome<u64> {
    use std::os::unix::fs::MetadataExt;
    let mut sum = 0;
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        // A file may be deleted between the listing and the reading of its size.
        let Ok(metadata) = entry.metadata() else { continue };
        sum += if metadata.is_dir() { disk_bytes(&entry.path())? } else { metadata.blocks() * 512 };
    }
    Ok(sum)
}

/// Waits until no thread of this process has used the processor or written for 200 ms: the same test of
/// quiet for every engine, independent of its own reports. How long it was busy before that, to 10 ms.
pub fn wait_until_quiet() -> Outcome<Duration> {
    const PAUSE: Duration = Duration::from_millis(10);
    const QUIET_PAUSES: u32 = 20;
    const LIMIT: Duration = Duration::from_mins(10);
    let start = Instant::now();
    let mut last = (processor_seconds(Clock::Process), written_bytes()?);
    let (mut quiet, mut busy_for) = (0, Duration::ZERO);
    while quiet < QUIET_PAUSES {
        if start.elapsed() > LIMIT {
            return Err("background work did not come to rest in ten minutes".into());
        }
        std::thread::sleep(PAUSE);
        let now = (processor_seconds(Clock::Process), written_bytes()?);
        // Reading /proc costs a little time of its own.
        let busy = now.0 - last.0 > 0.0005 || now.1 != last.1;
        quiet = if busy { 0 } else { quiet + 1 };
        if busy {
            busy_for = start.elapsed();
        }
        last = now;
    }
    Ok(busy_for)
}
