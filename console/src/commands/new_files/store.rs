//! `kvdb`: a database of one log, at work on an opened file.

use super::shelve;
use crate::commands::opened::lookup;
use crate::language::{Args, Statement};
use crate::output::{Answer, Failure, OutputLine};
use crate::session::{Session, Stop, Task, once};
use crate::shelf::{OpenedFile, tidy};
use crate::text;
use levelscope::storage::MemoryStorage;
use levelscope_formats::kvdb::{FILE, RECORD_BYTES_MAX, Store, StoreSettings};
use levelscope_formats::{Directory, SearchMethod, Trail};

/// What is done.
#[derive(Clone)]
enum Operation {
    Put(Vec<u8>, Vec<u8>),
    Get(Vec<u8>),
    Delete(Vec<u8>),
}

pub(super) fn start(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    let operation = args.text(0).map(str::to_ascii_lowercase);
    let operation = match (operation.as_deref(), args.words.len()) {
        (Some("put" | "set"), 3) => Operation::Put(args.bytes(1), args.bytes(2)),
        (Some("get"), 2) => Operation::Get(args.bytes(1)),
        (Some("del"), 2) => Operation::Delete(args.bytes(1)),
        _ => return Err(args.verb.misused("kvdb takes put KEY VALUE, get KEY or del KEY")),
    };
    let limit = args.number("--record-limit")?.unwrap_or(RECORD_BYTES_MAX as u64);
    let record_bytes_max = usize::try_from(limit).unwrap_or(usize::MAX);
    let writes = !matches!(operation, Operation::Get(_));
    if args.has("--sync") && args.has("--async") {
        return Err(args
            .verb
            .misused("a record is synced or it is not: one of --sync and --async"));
    }
    if !writes && (args.has("--sync") || args.has("--async")) {
        return Err(args.verb.misused("--sync and --async are for put and del"));
    }
    let settings = StoreSettings { record_bytes_max, sync: !args.has("--async") };
    let name = args.string("--file").unwrap_or_else(|| FILE.to_string());
    let name = tidy(name.strip_prefix('@').unwrap_or(&name));
    Ok(once(move |session| run(session, &name, settings, operation.clone())))
}

fn run(
    session: &mut Session,
    name: &str,
    settings: StoreSettings,
    operation: Operation,
) -> Result<Answer, Stop> {
    // The store works on a storage: here on one in memory, which holds the opened file.
    let disk = MemoryStorage::new();
    if let Some(file) = session.shelf.find(&format!("@{name}")) {
        disk.put(&FILE.to_string(), &file.bytes);
    }
    let mut store = Store::open(&disk, settings)?;
    if store.torn_bytes() > 0 {
        let torn = text::counted(store.torn_bytes(), "byte");
        let what = format!("{torn} of a torn record at the end were cut off.");
        session.say(OutputLine::note(what));
    }
    let before = store.bytes();
    match operation {
        Operation::Put(key, value) => store.put(&key, &value)?,
        Operation::Delete(key) => store.delete(&key)?,
        Operation::Get(key) => {
            let mut trail = Trail::default();
            let entry = store.explain(&key, &mut trail)?;
            let id = format!("@{name}");
            for access in &trail.accesses {
                lookup::tell(session, &id, access, false);
            }
            let way = SearchMethod::Sequential;
            return Ok(lookup::conclude(session, &id, before, &key, way, entry.as_ref(), trail));
        }
    }
    let appended = store.bytes().saturating_sub(before);
    let record = text::counted(appended, "byte");
    session
        .say(OutputLine::note(format!("A record of {record} at offset {}.", text::count(before))));
    session.say(OutputLine::note(if disk.durable_bytes(FILE) == store.bytes() {
        "It is synced: it survives a power failure."
    } else {
        "It is not synced: it survives the death of the program, but a power failure may lose it."
    }));
    Ok(shelve(
        session,
        OpenedFile::new(name.to_owned(), disk.read(FILE)?, None, Directory::default()),
    )?)
}
