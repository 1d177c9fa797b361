//! LOG files of the fixtures: counts, joins with edits, stalls; hostile text.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests read fixtures from the disk and fail where they are odd"
)]

use levelscope_foreign::events::{Events, JobKind, Log, StallCause, What};
use levelscope_foreign::{Engine, FileInfo, Files, MemoryFiles};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

/// Reading hostile text takes less than this beside the text itself.
#[global_allocator]
static ALLOCATOR: cap::Cap<std::alloc::System> = cap::Cap::new(std::alloc::System, 192 << 20);

/// Tests that measure memory run one after the other.
static MEASURED: Mutex<()> = Mutex::new(());

const WITH_EVENTS: [&str; 11] = [
    "h_history",
    "h_reopened",
    "m_fifo",
    "m_levels",
    "m_universal",
    "b_blob_files",
    "c_families",
    "w_unclean",
    "x_ingested",
    "x_tombstones",
    "v7_8_levels",
];

fn folder(fixture: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/lsm").join(fixture)
}

fn logs(fixture: &str) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder(fixture)).unwrap().map(Result::unwrap);
    let named = entries.map(|entry| (entry.file_name().into_string().unwrap(), entry.path()));
    let logs = named.filter(|(name, _)| name.starts_with("LOG"));
    logs.map(|(name, path)| (name, std::fs::read(path).unwrap())).collect()
}

fn events(fixture: &str) -> Events {
    Log::read(&MemoryFiles::new(logs(fixture)))
}

fn log(text: &str) -> Events {
    Log::read(&MemoryFiles::new([("LOG".to_owned(), text.as_bytes().to_vec())]))
}

fn sidecar(fixture: &str) -> Value {
    let text = std::fs::read(folder(&format!("{fixture}.json"))).unwrap();
    serde_json::from_slice(&text).unwrap()
}

#[test]
fn every_event_is_counted() {
    for fixture in WITH_EVENTS {
        let expected: BTreeMap<String, u64> =
            serde_json::from_value(sidecar(fixture)["log_events"].clone()).unwrap();
        let events = events(fixture);
        assert_eq!(events.counts, expected, "{fixture}");
        assert_eq!(events.engine(), Some(Engine::RocksDb));
        assert!(!events.cut_short && events.problems.is_empty());
        assert!(events.events.iter().all(|event| event.what != What::Other), "{fixture}");
    }
}

/// Numbers and strings of all `EVENT_LOG_v1` lines, found by another way: the values of `serde_json`.
fn raw_events(fixture: &str) -> Vec<Value> {
    let mut found = Vec::new();
    for (_, text) in logs(fixture) {
        let text = String::from_utf8(text).unwrap();
        let json = text.lines().filter_map(|line| line.split_once("EVENT_LOG_v1 "));
        found.extend(json.map(|(_, json)| serde_json::from_str::<Value>(json).unwrap()));
    }
    found
}

/// Within one opening: the event `name` of `job`.
fn of_job<'a>(raw: &'a [Value], name: &str, job: &Value) -> Option<&'a Value> {
    raw.iter().find(|event| event["event"] == name && event["job"] == *job)
}

#[test]
fn every_table_that_an_edit_adds_has_its_job_reason_and_duration() {
    for fixture in ["h_history", "m_levels", "m_universal", "c_families"] {
        let (events, raw, sidecar) = (events(fixture), raw_events(fixture), sidecar(fixture));
        let mut joined = 0;
        for edit in sidecar["manifest"]["history"].as_array().unwrap() {
            let Some(added) = edit["add"].as_array() else { continue };
            for add in added {
                let number = add[1].as_u64().unwrap();
                let created = raw.iter().find(|event| {
                    event["event"] == "table_file_creation" && event["file_number"] == number
                });
                let Some(created) = created else {
                    assert!(events.job_of_table(number).is_none());
                    continue;
                };
                let job = events.job_of_table(number).unwrap();
                assert_eq!(Some(job.number.unwrap()), created["job"].as_u64());
                assert_eq!(job.family.as_deref(), created["cf_name"].as_str());
                let flush = of_job(&raw, "flush_started", &created["job"]);
                let compaction = || of_job(&raw, "compaction_started", &created["job"]).unwrap();
                let (word, end) = if flush.is_some() {
                    ("flush_reason", "flush_finished")
                } else {
                    ("compaction_reason", "compaction_finished")
                };
                let started = flush.unwrap_or_else(compaction);
                let reason = &started[word];
                assert_eq!(job.kind == JobKind::Flush, flush.is_some());
                assert_eq!(job.reason.as_deref(), reason.as_str());
                let finished = of_job(&raw, end, &created["job"]).unwrap();
                let micros = |event: &Value| event["time_micros"].as_u64().unwrap();
                let duration = micros(finished) - micros(started);
                assert_eq!(job.duration_micros(), Some(duration), "{fixture}: table {number}");
                assert!(job.tables.contains(&number));
                joined += 1;
            }
        }
        assert!(joined >= 5, "{fixture}: {joined} tables were joined");
    }
}

#[test]
fn moves_ingestions_and_deletions_are_joined_by_number() {
    let history = events("h_history");
    for number in [79, 80] {
        let moved = history.moved(number);
        assert_eq!(moved.len(), 1);
        assert_eq!((moved[0].level, moved[0].micros), (2, 1_795_315_476_626_126));
        let job = &history.jobs[moved[0].job.unwrap() as usize];
        assert_eq!((job.kind, job.number, job.output_bytes), (JobKind::Move, Some(18), 10_585));
        assert_eq!(history.added_at(number, 2), Some(1_795_315_476_626_126));
    }
    let first = history.ingested(10).unwrap();
    let expected = (1_795_315_474_275_998, 6, Some(0));
    assert_eq!((first.micros, first.level, first.sequence), expected);
    let ingested = events("x_ingested");
    let with_number: Vec<_> = (0..100).filter_map(|number| ingested.ingested(number)).collect();
    let sequences: Vec<_> = with_number.iter().map(|table| table.sequence.unwrap()).collect();
    assert_eq!(with_number.len(), 4);
    assert!(sequences.contains(&61) && sequences.contains(&62), "{sequences:?}");

    let raw = raw_events("h_history");
    let deletions = raw.iter().filter(|event| event["event"] == "table_file_deletion");
    for deletion in deletions {
        let number = deletion["file_number"].as_u64().unwrap();
        assert_eq!(history.deleted(number), deletion["time_micros"].as_u64());
    }
    let blobs = events("b_blob_files");
    assert_eq!(blobs.deleted(10), Some(1_795_315_467_775_353));
    assert_eq!(blobs.job_of_table(10).unwrap().blob_files, [10, 11]);
    assert_eq!(blobs.job_of_table(10).unwrap().number, Some(2));
}

#[test]
fn inputs_of_compactions_are_listed_with_their_levels() {
    let levels = events("m_levels");
    let first = levels.compactions_from(0).next().unwrap();
    assert_eq!(*first.inputs, [(0, 11), (0, 9)]);
    assert_eq!((first.output_level, first.output_bytes), (Some(1), 12_178));
    assert_eq!(first.input_entries, Some(154));
    assert_eq!(*first.level_files, [0, 2, 0, 0, 0, 0, 0]);
}

#[test]
fn each_opening_counts_its_jobs_from_one() {
    let reopened = events("h_reopened");
    let files: Vec<_> = reopened.openings.iter().map(|opening| opening.file.as_str()).collect();
    let expected = ["LOG.old.1795315479713110", "LOG.old.1795315480204829", "LOG"];
    assert_eq!(files, expected);
    let starts: Vec<_> = reopened.openings.iter().map(|opening| opening.started).collect();
    assert!(starts.is_sorted());
    for opening in 0..3 {
        let recovery = reopened.jobs.iter().find(|job| job.opening == opening).unwrap();
        assert_eq!((recovery.kind, recovery.number), (JobKind::Recovery, Some(1)));
    }
    // Job 3 exists three times; each made its own table.
    for (table, opening) in [(14, 0), (22, 1), (32, 2)] {
        let job = reopened.job_of_table(table).unwrap();
        assert_eq!((job.number, job.opening, job.kind), (Some(3), opening, JobKind::Flush));
    }
}

#[test]
fn a_log_that_was_rolled_goes_on_with_its_opening() {
    let head = "2026/11/22-02:44:33.953116 1 RocksDB version: 11.8.1\n\
        2026/11/22-02:44:33.953116 1 DB Session ID:  SAME\n";
    let start = r#"2026/11/22-02:44:34.000000 1 EVENT_LOG_v1 {"time_micros": 1795315474000000, "job": 7, "event": "flush_started", "flush_reason": "WAL Full"}"#;
    let end = r#"2026/11/22-02:44:35.000000 1 EVENT_LOG_v1 {"time_micros": 1795315475000000, "job": 7, "event": "flush_finished", "lsm_state": [3, 0]}"#;
    let files = MemoryFiles::new([
        ("LOG.old.17".to_owned(), format!("{head}{start}\n").into_bytes()),
        ("LOG".to_owned(), format!("{head}{end}").into_bytes()),
    ]);
    let events = Log::read(&files);
    assert_eq!((events.openings.len(), events.jobs.len()), (1, 1));
    assert_eq!(events.jobs[0].duration_micros(), Some(1_000_000));
    assert_eq!(events.jobs[0].reason.as_deref(), Some("WAL Full"));
    assert_eq!(events.openings[0].version.as_deref(), Some("11.8.1"));
}

#[test]
fn leveldbs_lines_give_jobs_without_numbers() {
    let events = events("l_history");
    assert_eq!(events.engine(), Some(Engine::LevelDb));
    let text = String::from_utf8(logs("l_history").pop().unwrap().1).unwrap();
    let lines = |part: &str| text.lines().filter(|line| line.contains(part)).count();
    let kind = |kind| events.jobs.iter().filter(|job| job.kind == kind).count();
    assert_eq!(kind(JobKind::Compaction), lines(" Compacting "));
    assert_eq!(kind(JobKind::Flush), lines("Level-0 table #") - lines(" bytes OK"));
    let flush = events.job_of_table(15).unwrap();
    assert_eq!((flush.output_bytes, flush.duration_micros()), (52_121, Some(2885)));
    let merged = events.job_of_table(16).unwrap();
    assert_eq!((merged.kind, merged.output_level), (JobKind::Compaction, Some(1)));
    assert_eq!(events.deleted(7).map(|micros| micros % 1_000_000), Some(271_872));
    let waits = events.stalls();
    assert!(!waits.is_empty());
    assert!(waits.iter().all(|span| span.stop && span.cause == StallCause::Memtables));
    assert!(waits.iter().filter(|span| span.ended.is_some()).count() + 1 >= waits.len());
}

/// Lines as RocksDB writes them, one hour ahead of UTC.
const STALLS: &str = r#"2026/11/22-03:00:00.000000 1 RocksDB version: 9.8.4
2026/11/22-03:00:01.000000 1 [WARN] [/column_family.cc:991] [a b] Stalling writes because we have 20 level-0 files rate 16777216
2026/11/22-03:00:02.000000 1 [WARN] [/column_family.cc:991] [a b] Stalling writes because we have 23 level-0 files rate 8388608
2026/11/22-03:00:03.000000 1 [WARN] [/column_family.cc:980] [default] Stopping writes because we have 2 immutable memtables (waiting for flush), max_write_buffer_number is set to 2
2026/11/22-03:00:04.000000 1 (Original Log Time 2026/11/22-03:00:03.900000) EVENT_LOG_v1 {"time_micros": 1795312803900000, "job": 3, "event": "flush_finished", "lsm_state": [21, 0], "immutable_memtables": 1}
2026/11/22-03:00:05.000000 1 [/db_impl.cc:432] [a b] Level summary: files[36 0 0] max score 9.00, estimated pending compaction bytes 700
2026/11/22-03:00:06.000000 1 [WARN] [/column_family.cc:985] [a b] Stopping writes because we have 36 level-0 files
2026/11/22-03:00:07.000000 1 [/db_impl.cc:432] [a b] Level summary: files[2 0 0] max score 0.50, estimated pending compaction bytes 0
2026/11/22-03:00:08.000000 1 [WARN] [/column_family.cc:999] [a b] Stalling writes because of estimated pending compaction bytes 68719476736 rate 100
"#;

#[test]
fn stalls_are_spans_with_family_cause_and_end() {
    let events = log(STALLS);
    let second = |number: u64| 1_795_312_800_000_000 + number * 1_000_000;
    assert_eq!(events.openings[0].started, second(0), "the hour ahead of UTC is taken off");
    let spans = events.stalls();
    let facts: Vec<_> = spans
        .iter()
        .map(|span| (&*span.family, span.stop, span.cause, span.started, span.ended, span.largest))
        .collect();
    let expected = [
        ("a b", false, StallCause::LevelZeroFiles, second(1), Some(second(6)), Some(23)),
        ("default", true, StallCause::Memtables, second(3), Some(second(4) - 100_000), Some(2)),
        ("a b", true, StallCause::LevelZeroFiles, second(6), Some(second(7)), Some(36)),
        ("a b", false, StallCause::PendingBytes, second(8), None, Some(64 << 30)),
    ];
    assert_eq!(facts, expected);
    assert_eq!((spans[0].lines, spans[0].rate), (2, Some(8_388_608)));
    assert_eq!(spans[0].duration_micros(), 5_000_000);
}

#[test]
fn a_line_that_was_cut_loses_only_itself() {
    let whole = &logs("m_levels")[0].1;
    let all = events("m_levels");
    for end in (0..whole.len()).step_by(4001) {
        let files = MemoryFiles::new([("LOG".to_owned(), whole[..end].to_vec())]);
        let part = Log::read(&files);
        assert!(part.events.len() <= all.events.len());
        assert_eq!(part.counts.len() <= all.counts.len(), part.problems.is_empty());
    }
}

/// A LOG that repeats another one, without taking the memory for it.
struct RepeatedLog {
    content: Vec<u8>,
    list: Vec<FileInfo>,
}

impl Files for RepeatedLog {
    fn list(&self) -> &[FileInfo] {
        &self.list
    }

    fn read_at(
        &self,
        _name: &str,
        offset: u64,
        buffer: &mut [u8],
    ) -> levelscope_foreign::Result<usize> {
        let start = usize::try_from(offset % self.content.len() as u64).unwrap();
        let left = usize::try_from(self.list[0].bytes - offset).unwrap();
        let count = buffer.len().min(self.content.len() - start).min(left);
        buffer[..count].copy_from_slice(&self.content[start..start + count]);
        Ok(count)
    }
}

#[test]
fn a_large_log_takes_a_part_of_its_size() {
    let _alone = MEASURED.lock().unwrap();
    let content = logs("m_levels").pop().unwrap().1;
    let bytes = content.len() as u64 * (100_000_000 / content.len() as u64);
    let list = vec![FileInfo { name: "LOG".into(), bytes }];
    let files = RepeatedLog { content, list };
    let before = ALLOCATOR.allocated();
    let events = Log::read(&files);
    let taken = ALLOCATOR.allocated().saturating_sub(before);
    println!("{} events, {} jobs, {taken} bytes", events.events.len(), events.jobs.len());
    assert!(!events.cut_short);
    assert_eq!(events.counts["table_file_creation"] % 34, 0);
    assert!(taken < 40_000_000, "{taken} bytes");
}

/// A small generator with a fixed seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }
}

const SEED: u64 = 0x5eed_1096;

#[test]
fn flipped_bytes_give_events_or_nothing() {
    println!("seed {SEED:#x}");
    let mut random = Random(SEED);
    for fixture in ["m_levels", "l_history", "b_blob_files"] {
        let whole = &logs(fixture)[0].1;
        for _ in 0..15 {
            let mut bytes = whole.clone();
            for _ in 0..200 {
                let at = random.below(bytes.len());
                bytes[at] = u8::try_from(random.next() & 255).unwrap();
            }
            let events = Log::read(&MemoryFiles::new([("LOG".to_owned(), bytes)]));
            events.stalls();
            for job in &events.jobs {
                assert!(job.opening as usize <= events.openings.len());
                job.duration_micros();
            }
        }
    }
}

#[test]
fn hostile_text_takes_bounded_memory() {
    let _alone = MEASURED.lock().unwrap();
    println!("seed {SEED:#x}");
    let mut random = Random(SEED);
    let start = "2026/11/22-02:44:34.184026 140 EVENT_LOG_v1 ";
    let noise: Vec<u8> = (0..4 << 20).map(|_| u8::try_from(random.next() & 255).unwrap()).collect();
    let deep = format!("{start}{{\"event\": {}", "[".repeat(2 << 20)).into_bytes();
    let objects = format!("{start}{}", "{\"job\":".repeat(1 << 19)).into_bytes();
    let numbers = format!("{start}{{\"files_L0\": [{}1]}}", "1,".repeat(200_000)).into_bytes();
    let one_line = vec![b'x'; 16 << 20];
    let zeros = vec![0; 8 << 20];
    let mut names = String::new();
    let mut moves = String::new();
    for number in 0..40_000 {
        use std::fmt::Write as _;
        writeln!(names, "{start}{{\"event\": \"e{number}\", \"job\": {number}}}").unwrap();
        writeln!(
            moves,
            "2026/11/22-02:44:34.184026 1 [f{number}] Moved #{number} to level-9 1 bytes"
        )
        .unwrap();
    }
    let before = ALLOCATOR.allocated();
    for bytes in [noise, deep, objects, numbers, one_line, zeros, names.into(), moves.into()] {
        let length = bytes.len();
        let events = Log::read(&MemoryFiles::new([("LOG".to_owned(), bytes)]));
        events.stalls();
        assert!(events.counts.len() <= 200);
        let taken = ALLOCATOR.allocated().saturating_sub(before);
        assert!(taken < 3 * length + (64 << 20), "{taken} bytes for a LOG of {length}");
    }
}
