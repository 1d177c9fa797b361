//! A directory of another engine as one JSON object, for scripts.

use crate::directory::{Directory, LogFile};
use crate::files::total;
use crate::problem::{bounds, distinct};
use crate::read::{RowValue, Snapshot};
use crate::text::hex;
use crate::{CountedFiles, Family, Files, Problem, Result, TableFile, TableReader};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Live entries that stand in the summary themselves.
const ROWS_SHOWN: u64 = 20;

/// Directories up to this size are read whole: every checksum is compared and live entries are counted.
const WHOLE_BYTES_MAX: u64 = 256 << 20;

/// The directory as JSON: engine, evidence, families with levels, history, logs and problems. One of at most 256 MiB is
/// checked as a whole, and its live entries are counted.
pub fn summarize(files: &dyn Files) -> Value {
    let files = CountedFiles::new(files);
    let directory = match Directory::open(&files) {
        Ok(directory) => directory,
        Err(error) => return json!({ "problems": [Problem::of(&error, "MANIFEST")] }),
    };
    let bytes = total(files.list().iter().map(|file| file.bytes));
    let whole = bytes <= WHOLE_BYTES_MAX;
    let mut problems = if whole { directory.check_all(true) } else { directory.problems() };
    let mut object = of(&directory, whole, &mut problems);
    let problems = distinct(problems, &files);
    if let Some(fields) = object.as_object_mut() {
        fields.insert("checked".into(), whole.into());
        fields.insert("problems".into(), json!(problems));
    }
    object
}

/// The summary of the directory; parts that cannot be read are added to `problems`.
fn of(directory: &Directory<'_>, with_live: bool, problems: &mut Vec<Problem>) -> Value {
    let state = directory.state();
    let families: Vec<Value> = state
        .families
        .values()
        .map(|family| of_family(directory, family, with_live, problems))
        .collect();
    let mut object = json!({
        "engine": state.engine.id(),
        "evidence": directory.recognized().evidence,
        "manifest": directory.has_manifest().then(|| directory.manifest().name()),
        "edits": directory.manifest().edits().len(),
        "steps": directory.manifest().steps().len(),
        "history": history(directory),
        "column_families": families,
        "logs": logs(directory),
    });
    let last = directory.last_sequence().ok().filter(|_| directory.has_manifest());
    if let (Some(fields), Some(last)) = (object.as_object_mut(), last) {
        fields.insert("last_sequence".into(), last.into());
    }
    object
}

/// Tables that each edit adds (level, number, bytes) and removes (level, number).
fn history(directory: &Directory<'_>) -> Value {
    let manifest = directory.manifest();
    let mut edits = Vec::new();
    let count = u32::try_from(manifest.edits().len()).unwrap_or(u32::MAX);
    // The manifest was read once already. If it has changed since, the list ends early.
    let _ = manifest.read_edits(directory.files(), 0..count, |_, edit| {
        let added: Vec<Value> = edit
            .added
            .iter()
            .map(|(level, table)| json!([level, table.number, table.bytes]))
            .collect();
        edits.push(json!({ "add": added, "del": edit.removed }));
    });
    edits.into()
}

fn of_family(
    directory: &Directory<'_>,
    family: &Family,
    with_live: bool,
    problems: &mut Vec<Problem>,
) -> Value {
    let levels: Vec<Value> = family
        .levels
        .iter()
        .filter(|(_, tables)| !tables.is_empty())
        .map(|(level, tables)| {
            let files: Vec<Value> =
                tables.iter().map(|table| of_table(directory, family, table)).collect();
            json!({ "level": level, "files": files })
        })
        .collect();
    let blobs: Vec<Value> = family
        .blob_files
        .values()
        .map(|blob| {
            json!({
                "number": blob.number,
                "bytes": blob.file_bytes,
                "count": blob.count,
                "total_bytes": blob.total_bytes,
                "garbage_count": blob.garbage_count,
                "garbage_bytes": blob.garbage_bytes,
            })
        })
        .collect();
    let mut object = json!({
        "id": family.id,
        "name": family.name,
        "comparator": family.comparator_name,
        "levels": levels,
        "blob_files": blobs,
    });
    if with_live {
        let live = live(directory, family, problems);
        if let (Some(fields), Ok(live)) = (object.as_object_mut(), live) {
            fields.insert("live".into(), live);
        }
    }
    object
}

fn of_table(directory: &Directory<'_>, family: &Family, table: &TableFile) -> Value {
    let reader = directory.tables().reader(family.id, table.number).ok();
    let summary = reader.map(TableReader::summary);
    // The properties of a virtual table count its whole file.
    let whole = summary.filter(|_| !table.is_virtual());
    // Longer keys are cut.
    let (smallest, largest) = bounds(&table.smallest.user_key, &table.largest.user_key);
    json!({
        "number": table.number,
        "file": directory.tables().name_of(family.id, table.number),
        "virtual": table.is_virtual(),
        "bytes": table.bytes,
        "smallest": smallest,
        "largest": largest,
        "smallest_seq": table.smallest_sequence,
        "largest_seq": table.largest_sequence,
        "entries": whole.and_then(|summary| summary.entries),
        "deletions": whole.and_then(|summary| summary.deletions),
        "format": summary.map(|summary| summary.format.clone()),
        "compression": summary.map(|summary| summary.compression.clone()),
        "oldest_blob_file": table.oldest_blob_file,
        "epoch": table.epoch,
        "created": table.created_seconds,
    })
}

/// All live entries of a family: how many, their digest, and the first ones.
fn live(directory: &Directory<'_>, family: &Family, problems: &mut Vec<Problem>) -> Result<Value> {
    let mut scan = directory.scan(family.id, None, None, Snapshot::default())?;
    let (mut digest, mut count, mut shown) = (Sha256::new(), 0u64, Vec::new());
    let mut unjoined = 0u64;
    scan.first()?;
    while let Some(row) = scan.next_row()? {
        count += 1;
        unjoined += u64::from(matches!(row.value, RowValue::Merge { .. }));
        add(&mut digest, &row.key);
        let plain = match &row.value {
            RowValue::Bytes(value) => value.clone(),
            RowValue::Columns(columns) => {
                let default = columns.iter().find(|(name, _)| name.is_empty());
                default.map(|(_, value)| value.clone()).unwrap_or_default()
            }
            RowValue::Merge { base, .. } => base.clone().unwrap_or_default(),
        };
        add(&mut digest, &plain);
        if let RowValue::Columns(columns) = &row.value {
            digest.update(b"C");
            digest.update(length(columns.len()));
            for (name, value) in columns {
                add(&mut digest, name);
                add(&mut digest, value);
            }
        }
        if count <= ROWS_SHOWN {
            shown.push(json!([hex(&row.key), hex(&plain)]));
        }
    }
    let unread = scan.problems();
    if !unread.is_empty() {
        problems.extend(unread);
        // A count of the rest would pass for the count of all.
        return Ok(json!({ "incomplete": true, "readable_count": count }));
    }
    let digest = hex(&digest.finalize());
    let mut live = json!({ "count": count, "sha256": digest, "first_entries": shown });
    if let Some(fields) = live.as_object_mut().filter(|_| unjoined > 0) {
        // The digest has the values below their operands: the operator that joins them is not known.
        fields.insert("unjoined_merges".into(), unjoined.into());
    }
    Ok(live)
}

fn add(digest: &mut Sha256, bytes: &[u8]) {
    digest.update(length(bytes.len()));
    digest.update(bytes);
}

fn length(length: usize) -> [u8; 4] {
    u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes()
}

fn logs(directory: &Directory<'_>) -> Value {
    let Ok(logs) = directory.logs() else { return Value::Null };
    let file = |file: &LogFile| json!({ "file": file.name, "bytes": file.bytes, "counts": file.counts, "batches": file.batches });
    logs.files.iter().map(file).collect::<Vec<_>>().into()
}
