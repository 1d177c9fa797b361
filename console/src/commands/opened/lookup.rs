//! `lookup`: one key in one file, with each read and comparison on the way.

use super::entries::searchable;
use super::{file_at, search_word};
use crate::language::Args;
use crate::language::lexer::Statement;
use crate::output::{Answer, Failure, OutputLine};
use crate::result::LookupResult;
use crate::session::{Session, Stop, Task, once};
use crate::shelf::OpenedFile;
use crate::text;
use levelscope::{Among, EntryOrder, Outcome};
use levelscope_formats::{Access, Entry, Format, SearchMethod, Trail};

/// Entries and comparisons that are printed of each read.
const LINES_MAX: usize = 40;

pub(super) fn start(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(2, 2, "an opened file and a key")?;
    let search = match args.value("--search").map(|word| word.bytes.as_slice()) {
        None => None,
        Some(b"sequential") => Some(SearchMethod::Sequential),
        Some(b"binary") => Some(SearchMethod::Binary),
        Some(_) => return Err(args.verb.misused("--search takes sequential or binary")),
    };
    let detail = args.has("--detail");
    let args = args.clone();
    Ok(once(move |session| {
        let file = file_at(session, &args, 0)?;
        let format = searchable(&file)?;
        let method = chosen(format, search)?;
        let key = args.bytes(1);
        let mut trail = Trail::default();
        let found = format.explain(&file.bytes, &key, method, &mut trail);
        for access in &trail.accesses {
            tell(session, &file.id(), access, detail);
        }
        let entry = found.map_err(|error| failure_of(&file, &error))?;
        Ok(conclude(
            session,
            &file.id(),
            file.bytes.len() as u64,
            &key,
            method,
            entry.as_ref(),
            trail,
        ))
    }))
}

/// Prints the result of a search for `key` and its cost; returns the result of the command.
pub(in crate::commands) fn conclude(
    session: &mut Session,
    file: &str,
    file_bytes: u64,
    key: &[u8],
    method: SearchMethod,
    entry: Option<&Entry<'_>>,
    trail: Trail,
) -> Answer {
    let outcome = outcome_of(entry);
    let value = entry.and_then(|entry| entry.value.as_deref());
    let line = OutputLine::new().key(key);
    let line = match value {
        Some(value) => line.dim(" = ").value(value, 60),
        None => line.plain(format!(": {outcome}")),
    };
    session.say(match entry.map(|entry| entry.offset) {
        Some(offset) => {
            let target = format!("{file}/bytes:{offset}-{offset}");
            line.plain(", stored at ").link(target, format!("offset {}", text::count(offset)))
        }
        None => line.plain(" in ").link(file, file),
    });
    session.say(OutputLine::note(format!(
        "{}, {} of {} read, {}.",
        text::counted(trail.accesses.len(), "read"),
        text::count(trail.accesses.iter().map(|access| access.bytes).sum()),
        text::bytes(file_bytes),
        text::counted(trail.comparisons, "comparison"),
    )));
    Answer::lookup(LookupResult {
        file: file.to_owned(),
        file_bytes,
        key: text::escape(key),
        search: search_word(method).to_owned(),
        found: outcome.is_found(),
        deleted: outcome.is_deleted(),
        outcome: outcome.to_string(),
        value: value.map(crate::commands::data::shown_value),
        offset: entry.map(|entry| entry.offset),
        sequence: entry.and_then(|entry| entry.sequence),
        trail,
    })
}

fn outcome_of(entry: Option<&Entry<'_>>) -> Outcome {
    match entry {
        None => Outcome::NotFound,
        Some(Entry { value: Some(_), .. }) => Outcome::Found,
        Some(Entry { value: None, sequence, .. }) => Outcome::Deleted { sequence: *sequence },
    }
}

/// The requested search method, or the default one.
fn chosen(format: &dyn Format, asked: Option<SearchMethod>) -> Result<SearchMethod, Failure> {
    let info = format.info();
    let usual = info.searches.first().copied().unwrap_or(SearchMethod::Sequential);
    let method = asked.unwrap_or(usual);
    if info.searches.contains(&method) {
        return Ok(method);
    }
    let words: Vec<&str> = info.searches.iter().map(|search| search_word(*search)).collect();
    let failure = Failure::usage(format!("a {} has no {} search", info.name, search_word(method)));
    Err(failure.hint(format!("it has: {}", words.join(", "))))
}

fn failure_of(file: &OpenedFile, error: &levelscope::Error) -> Stop {
    let mut failure = Failure::from(error.clone());
    failure.message = format!("@{} is {}", file.name, text::printable(&error.to_string()));
    if error.offset().is_none() {
        failure.message = text::printable(&error.to_string());
    }
    failure.hint = Some(format!("`hex @{}` and `layout @{}` show its bytes", file.name, file.name));
    failure.into()
}

/// Prints one read of `file`, and the comparisons in it.
pub(in crate::commands) fn tell(session: &mut Session, file: &str, access: &Access, detail: bool) {
    let end = access.offset.saturating_add(access.bytes.max(1)).saturating_sub(1);
    let target = format!("{file}/bytes:{}-{end}", access.offset);
    let line = OutputLine::text("read ").link(target, access.what).plain(" at ");
    let line = line.number(text::count(access.offset)).plain(", ");
    let line = line.number(text::bytes(access.bytes));
    let line = match access.comparisons {
        0 => line,
        count => line.plain(", ").number(text::counted(u64::from(count), "comparison")),
    };
    session.say(line);
    for search in &access.searches {
        let among = match search.among {
            Among::Tables => "tables",
            Among::Blocks => "blocks",
            Among::Restarts => "restart points",
            Among::Entries => "entries",
        };
        let line = OutputLine::text("  binary search among ");
        let line = line.number(text::count(search.count as u64)).plain(format!(" {among}: "));
        let turns = text::counted(search.turns.len() as u64, "comparison");
        session.say(line.number(turns).plain(format!(", place {}", search.found)));
        for turn in search.turns.iter().take(if detail { LINES_MAX } else { 0 }) {
            let line = OutputLine::text(format!("    {}..{}: ", turn.low, turn.high));
            let line = line.number(turn.middle.to_string()).plain(" ");
            let line = line.key(&turn.key.head);
            session.say(line.dim(if turn.before { "  before it" } else { "  not before it" }));
        }
    }
    if !access.entries.is_empty() {
        let walked = text::counted(access.entries.len() as u64, "entry");
        session.say(OutputLine::text("  walked over ").number(walked));
    }
    for entry in access.entries.iter().take(if detail { LINES_MAX } else { 0 }) {
        let line = OutputLine::text(format!("    {:>8} ", text::count(entry.offset as u64)));
        let line = line.key(&entry.key.head);
        session.say(line.dim(match entry.order {
            EntryOrder::Before => "  before it",
            EntryOrder::Found => "  found",
            EntryOrder::After => "  after it: the key is not here",
        }));
    }
}
