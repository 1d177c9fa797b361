//! Reads of one file of a set: its live entries in the order of their keys, and the path of a search in it.

use super::{FileSet, FormatFile};
use crate::output::Failure;
use crate::text;
use levelscope::{Among, Error};
use levelscope_foreign::problem::{Problem, Severity};
use levelscope_foreign::query::answer::{Lookup, LookupStop, RowLine, Rows};
use levelscope_foreign::query::{Part, shown};
use levelscope_foreign::read::scan::Passed;
use levelscope_formats::{Access, Entry, Format, SearchMethod, Trail};
use std::collections::BTreeMap;

/// Keys and values of a file that are held at most \[bytes\].
const BYTES_MAX: usize = 256 << 20;
/// Rows of one answer.
const ROWS_MAX: usize = 10_000;
/// Findings of one answer.
const PROBLEMS_MAX: usize = 100;
/// Comparisons and entries that are named of one read.
const NAMED_MAX: usize = 40;

/// The newest entry of each key, tombstones included, in the order of the keys' bytes.
#[derive(Default)]
pub(crate) struct Newest {
    pub(crate) entries: BTreeMap<Vec<u8>, Entry<'static>>,
    /// Entries that were read.
    count: u64,
    /// The damage that was left out.
    pub(crate) problems: Vec<Problem>,
}

/// Keys with their values, and what was left out.
type Live = (Vec<(Vec<u8>, Vec<u8>)>, Vec<String>);

/// How a key is searched for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Way {
    /// `None`: as the file's own program does.
    pub(crate) method: Option<SearchMethod>,
    /// Whether each comparison is listed, too.
    pub(crate) has_detail: bool,
}

impl FileSet<'_> {
    /// The newest entries of `file`, of those with at most this sequence number.
    ///
    /// # Errors
    /// It holds no entries; they are too large together.
    pub(crate) fn newest(
        &self,
        file: &FormatFile,
        sequence: Option<u64>,
    ) -> Result<Newest, Failure> {
        let (format, content) = (file.searchable()?, self.content(&file.name)?);
        let (mut newest, mut bytes) = (Newest::default(), 0);
        for entry in format.scan(&content) {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    newest.problems.push(problem(file, &error));
                    continue;
                }
            };
            newest.count += 1;
            if sequence.is_some_and(|most| entry.sequence.is_some_and(|it| it > most)) {
                continue;
            }
            bytes = size_of_entry(&entry).saturating_add(bytes);
            room(bytes)?;
            let known = newest.entries.get(&*entry.key);
            if known.is_none_or(|known| known.sequence <= entry.sequence) {
                newest.entries.insert(entry.key.to_vec(), entry.into_owned());
            }
        }
        Ok(newest)
    }

    /// Key and value of the live entries of a file, and the damage that was left out.
    ///
    /// # Errors
    /// Those of a scan; damage, unless it is skipped.
    pub fn live(&self, family: u32, skips_damage: bool) -> Result<Live, Failure> {
        let file = self.family(family)?;
        let newest = self.newest(&file, None)?;
        let problems =
            newest.problems.iter().map(|problem| format!("{}: {}", problem.file, problem.message));
        let mut problems: Vec<String> = problems.collect();
        if let Some(first) = problems.first().filter(|_| !skips_damage) {
            return Err(Failure::new("corruption", first.clone()));
        }
        problems.truncate(PROBLEMS_MAX);
        let live = newest.entries.into_values();
        let live = live.filter_map(|it| Some((it.key.into_owned(), it.value?.into_owned())));
        Ok((live.collect(), problems))
    }

    /// The live entries of a file.
    ///
    /// # Errors
    /// Those of [`FileSet::newest`].
    pub(crate) fn rows(&self, family: u32, part: &Part) -> Result<Rows, Failure> {
        let file = self.family(family)?;
        let mut newest = self.newest(&file, part.sequence)?;
        let tombstones = newest.entries.values().filter(|entry| entry.value.is_none()).count();
        let passed = Passed {
            entries: newest.count,
            tombstones: tombstones as u64,
            shadowed: newest.count - newest.entries.len() as u64,
            ..Passed::default()
        };
        let is_in = |key: &&Vec<u8>| {
            part.from.as_ref().is_none_or(|from| *key >= from)
                && part.to.as_ref().is_none_or(|to| *key < to)
        };
        let live = newest.entries.iter().filter(|(key, entry)| is_in(key) && entry.value.is_some());
        let (mut rows, mut next) = (Vec::new(), None);
        for (key, entry) in live {
            if rows.len() >= part.limit.min(ROWS_MAX) {
                next = Some(shown(key));
                break;
            }
            rows.extend(row(entry));
        }
        newest.problems.truncate(PROBLEMS_MAX);
        let (problems, cautions) = (newest.problems, Vec::new());
        Ok(Rows { rows, next, passed, read_bytes: file.bytes, reads: 1, problems, cautions })
    }

    /// The path of a search for `key` in a file.
    ///
    /// # Errors
    /// The file holds no entries, or has no such search.
    pub(crate) fn lookup(
        &self,
        file: &FormatFile,
        key: &[u8],
        sequence: Option<u64>,
        way: Way,
    ) -> Result<Lookup, Failure> {
        let (format, content) = (file.searchable()?, self.content(&file.name)?);
        let method = chosen(format, way.method)?;
        let mut trail = Trail::default();
        let found = format.explain(&content, key, method, &mut trail);
        let mut stops: Vec<LookupStop> =
            trail.accesses.iter().flat_map(|access| stops_of(&file.name, access, way)).collect();
        let is_newer =
            |entry: &Entry<'_>| entry.sequence.zip(sequence).is_some_and(|(it, at)| it > at);
        let found = match found {
            Ok(Some(entry)) if is_newer(&entry) => {
                Ok(self.newest(file, sequence)?.entries.remove(key))
            }
            found => found.map(|entry| entry.map(Entry::into_owned)),
        };
        let (outcome, answer, problems) = match &found {
            Ok(Some(Entry { value: Some(_), .. })) => ("value", "has a value".into(), Vec::new()),
            Ok(Some(_)) => {
                ("none", "was deleted: its newest entry is a tombstone".into(), Vec::new())
            }
            Ok(None) => ("none", "has no entry".into(), Vec::new()),
            Err(error) => {
                let problem = problem(file, error);
                ("unknown", format!("is not known: {}", problem.message), vec![problem])
            }
        };
        if let Some(last) = stops.last_mut() {
            (last.outcome, last.sentence) = ended(&found, &last.sentence);
        }
        Ok(Lookup {
            key: shown(key),
            outcome,
            answer,
            row: found.ok().flatten().as_ref().and_then(row),
            stops,
            read_bytes: trail.accesses.iter().map(|access| access.bytes).sum(),
            problems,
            cautions: Vec::new(),
        })
    }
}

/// Key and value \[bytes\].
pub(crate) fn size_of_entry(entry: &Entry<'_>) -> usize {
    entry.key.len().saturating_add(entry.value.as_ref().map_or(0, |value| value.len()))
}

/// Refuses more than is held in memory.
pub(crate) fn room(bytes: usize) -> Result<(), Failure> {
    if bytes <= BYTES_MAX {
        return Ok(());
    }
    let message = format!("keys and values have more than {}", text::size(BYTES_MAX as u64));
    Err(Failure::new("tooLarge", message).hint("all of them have to be in memory"))
}

/// The finding that `error` is about `file`.
fn problem(file: &FormatFile, error: &Error) -> Problem {
    let is_unread = error.kind() == levelscope::ErrorKind::UnsupportedFormat;
    let severity = if is_unread { Severity::NotRead } else { Severity::Error };
    let problem = Problem::new(severity, &file.name, text::printable(error.message()));
    Problem { offset: error.offset(), ..problem }
}

/// A live entry for an answer; `None` for a tombstone.
fn row(entry: &Entry<'_>) -> Option<RowLine> {
    Some(RowLine {
        key: shown(&entry.key),
        value: shown(entry.value.as_deref()?),
        kind: "value",
        parts: Vec::new(),
        sequence: entry.sequence.unwrap_or(0),
        timestamp: None,
        found_in: format!("offset {}", text::count(entry.offset)),
    })
}

/// The word for a way of searching.
fn search_word(search: SearchMethod) -> &'static str {
    match search {
        SearchMethod::Sequential => "sequential",
        SearchMethod::Binary => "binary",
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

/// One read of a file, with the searches in it; with details each comparison follows as a stop of its own.
pub(crate) fn stops_of(file: &str, access: &Access, way: Way) -> Vec<LookupStop> {
    let mut parts = vec![format!("Offset {}", text::count(access.offset))];
    if access.comparisons > 0 {
        parts.push(text::counted(u64::from(access.comparisons), "comparison"));
    }
    for search in &access.searches {
        let among = match search.among {
            Among::Tables => "tables",
            Among::Blocks => "blocks",
            Among::Restarts => "restart points",
            Among::Entries => "entries",
        };
        parts.push(format!("binary search among {} {among}", text::count(search.count as u64)));
    }
    if !access.entries.is_empty() {
        parts.push(format!("{} scanned", text::counted(access.entries.len(), "entry")));
    }
    if let Some(filter) = &access.filter {
        let answer = if filter.maybe { "maybe" } else { "no" };
        parts.push(format!("the filter answers {answer}"));
    }
    let sentence = format!("{}.", parts.join(", "));
    let read = (file.to_owned(), access.offset, access.bytes);
    let mut stops = vec![stop(access.what, sentence, vec![read])];
    if way.has_detail {
        let turns = access.searches.iter().flat_map(|search| &search.turns).take(NAMED_MAX);
        stops.extend(turns.map(|turn| {
            let is = if turn.before { "lies before it" } else { "does not lie before it" };
            let key = text::short_word(&turn.key.head, 64);
            let sentence = format!("{}..{}: {} {key} {is}.", turn.low, turn.high, turn.middle);
            stop("  comparison", sentence, Vec::new())
        }));
        stops.extend(access.entries.iter().take(NAMED_MAX).map(|entry| {
            let key = text::short_word(&entry.key.head, 64);
            let is = match entry.order {
                levelscope::EntryOrder::Before => "lies before it",
                levelscope::EntryOrder::Found => "is the key",
                levelscope::EntryOrder::After => "lies after it: the key is not here",
            };
            let offset = text::count(entry.offset as u64);
            stop("  entry", format!("Offset {offset}: {key} {is}."), Vec::new())
        }));
    }
    stops
}

fn stop(place: &str, sentence: String, reads: Vec<(String, u64, u64)>) -> LookupStop {
    let (level, table, outcome) = (None, None, "nothing");
    LookupStop { place: place.to_owned(), level, table, outcome, sentence, reads }
}

/// How the last read ended.
fn ended(found: &levelscope::Result<Option<Entry<'_>>>, sentence: &str) -> (&'static str, String) {
    match found {
        Ok(Some(Entry { value: Some(_), .. })) => {
            ("found", format!("{sentence} The entry is here."))
        }
        Ok(Some(_)) => ("deleted", format!("{sentence} A tombstone is here.")),
        Ok(None) => ("nothing", format!("{sentence} The key is not here.")),
        Err(error) => ("failed", format!("{sentence} It cannot be read: {}.", error.message())),
    }
}
