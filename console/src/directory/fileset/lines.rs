//! A set of files as a whole: its overview, and the findings of a check.

use super::file::Defect;
use super::{FileSet, FormatFile};
use crate::directory::lines::problem;
use crate::nodes::{Titled, whole};
use crate::output::{Failure, OutputLine, Response};
use crate::text;
use levelscope_foreign::files::total;
use levelscope_foreign::problem::{Problem, Severity, sorted};
use levelscope_foreign::query::answer::{CheckOutcome, FamilyLine, FileLine, Overview};
use levelscope_formats::{Format, FormatInfo, Holds, Likeness, infos};
use serde_json::json;

/// Formats that are known, in a sentence about files of others.
const NONE_KNOWN: &str = "nothing here is of a known format: files of Levelscope, RocksDB, Pebble and LevelDB are read, \
                          and those of the formats that `formats` lists";

/// The name in the place of that of an engine.
pub(in crate::directory) const NAME: &str = "Files";

impl FileSet<'_> {
    /// The set as a whole: every file is a family, and those of a known format count.
    pub(crate) fn overview(&self) -> Overview {
        let known = self.known();
        let files = known.iter().map(|file| file_line(file)).collect();
        let families = known.iter().zip(0..).map(|(file, id)| family_line(file, id));
        Overview {
            engine: "files",
            engine_name: NAME,
            evidence: vec!["the content of each file identifies its format".to_owned()],
            manifest: None,
            edits: 0,
            edits_left: 0,
            steps: 0,
            begins_empty: false,
            last_sequence: None,
            families: families.collect(),
            shown_first: self.shown_first(),
            files,
            bytes: self.bytes(),
            problems: self.problems(),
        }
    }

    /// The number of the first file with entries.
    pub(crate) fn shown_first(&self) -> u32 {
        let place = self.known().iter().position(|file| file.entries.is_some_and(|it| it > 0));
        place.and_then(|place| u32::try_from(place).ok()).unwrap_or(0)
    }

    /// The first damage and the first unread place of each file: opening has read all of them. Or that none has a known
    /// format.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let known = self.known();
        let problems = known.iter().flat_map(|file| {
            let defects = [(Severity::Error, &file.damage), (Severity::NotRead, &file.unread)];
            defects.map(|(severity, it)| it.as_ref().map(|it| finding(file, severity, it)))
        });
        let mut problems: Vec<Problem> = problems.flatten().collect();
        if problems.is_empty() && !self.has_known() {
            let first = known.first().map_or("", |file| &file.name);
            problems.push(Problem::new(Severity::NotRead, first, NONE_KNOWN));
        }
        sorted(problems)
    }

    /// Whether one of them has a known format.
    pub(crate) fn has_known(&self) -> bool {
        self.known().iter().any(|file| file.format.is_some())
    }

    /// The outcome of a check: opening has done it.
    pub(crate) fn checked(&self) -> CheckOutcome {
        CheckOutcome { problems: self.problems(), extent: self.extent() }
    }

    /// The extent of a check, as a clause.
    pub(crate) fn extent(&self) -> String {
        if !self.has_known() {
            return "nothing was checked".to_owned();
        }
        let known = self.known();
        let of_format: Vec<_> = known.iter().filter(|file| file.format.is_some()).collect();
        let bytes = text::size(total(of_format.iter().map(|file| file.bytes)));
        let files = text::counted(of_format.len(), "file");
        format!("every checksum and every entry of {files} of a known format was read ({bytes})")
    }

    /// Each file by itself: its format and up to `limit` of its parts, with `deep` those of parts, too. Damage is a failure.
    /// Each file is read when it is its turn.
    pub fn inspected(&self, deep: bool, limit: u64) -> impl Iterator<Item = Response> {
        let inspected = move |file| self.inspected_file(&file, deep, limit);
        self.recognized().map(inspected).map(|response| response.unwrap_or_else(Response::from))
    }

    fn inspected_file(
        &self,
        file: &FormatFile,
        deep: bool,
        limit: u64,
    ) -> Result<Response, Failure> {
        let content = self.content(&file.name)?;
        let selection = format!("@{}", file.name);
        let titled = |bytes| Titled { name: &file.name, selection: &selection, bytes };
        let annotate = |scope| Ok(file.annotate(&content, scope));
        let (layout, parts) = whole(&annotate, &titled, deep, limit)?;
        let mut lines = vec![of_file(file)];
        let unread = file.unread.as_ref().map(|unread| finding(file, Severity::NotRead, unread));
        lines.extend(unread.iter().map(problem));
        let is_unknown = file.format.is_none() && unread.is_none() && file.damage.is_none();
        if is_unknown && self.files.list().len() == 1 {
            lines.push(OutputLine::note(NONE_KNOWN));
        }
        lines.extend(parts.into_iter().skip(1));
        let error = file.damage.as_ref().map(|damage| {
            let (name, why) = (text::printable(&file.name), text::printable(&damage.why));
            let at = damage.offset.map_or_else(String::new, |offset| {
                format!("the first bad byte is at offset {}: ", text::count(offset))
            });
            Failure::new("corruption", format!("{name}: damaged: {at}{why}"))
        });
        let result = json!({ "file": file_line(file), "layout": layout });
        Ok(Response { error, ..Response::of(lines, result) })
    }

    /// Each file in a line: its format, how sure that is, and its damage.
    pub(crate) fn file_lines(&self) -> Vec<OutputLine> {
        self.known().iter().map(|file| of_file(file)).collect()
    }
}

/// The finding that a file has a defect.
fn finding(file: &FormatFile, severity: Severity, defect: &Defect) -> Problem {
    let problem = Problem::new(severity, &file.name, text::printable(&defect.why));
    Problem { offset: defect.offset, ..problem }
}

/// A file in a line.
pub(crate) fn of_file(file: &FormatFile) -> OutputLine {
    let name = text::printable(&file.name);
    let line = OutputLine::new().link(format!("@{}", file.name), name).plain("  ");
    line.number(text::size(file.bytes)).plain("  ").plain(what(file))
}

/// Lists the formats.
pub(crate) fn format_lines() -> Vec<OutputLine> {
    let width = infos().map(|info| info.id.len()).max().unwrap_or(0) + 2;
    let line = |info: &FormatInfo| {
        let line = OutputLine::new().strong(info.id).pad_to(width);
        line.plain(format!("{}. ", info.name)).dim(info.purpose)
    };
    infos().map(line).collect()
}

/// How certain the format of a file is.
fn likeness_words(likeness: Likeness) -> &'static str {
    match likeness {
        Likeness::None => "nothing speaks for it",
        Likeness::Perhaps => "perhaps",
        Likeness::Likely => "likely: all its bytes fit this format",
        Likeness::Certain => "certain: the checksum of a record is right",
    }
}

/// The format of a file, how sure that is, what else it may be, and its entries.
fn what(file: &FormatFile) -> String {
    let mut what = match file.format.map(Format::info) {
        Some(info) => {
            let sure = match file.likeness {
                Some(likeness) => likeness_words(likeness),
                None => "given by --as",
            };
            format!("{} ({}), {sure}", info.name, info.id)
        }
        None if file.bytes == 0 => "an empty file".to_owned(),
        None if file.damage.is_some() => "damaged".to_owned(),
        None => "of no known format".to_owned(),
    };
    if let Some(entries) = file.entries {
        let readable = if file.unread.is_some() { " can be read" } else { "" };
        what = format!("{what}; {}{readable}", text::counted(entries, "entry"));
    }
    if !file.others.is_empty() {
        let others = file.others.iter().map(|other| {
            format!("{} ({})", other.format.info().id, likeness_words(other.likeness))
        });
        let others: Vec<String> = others.collect();
        what = format!("{what}; it could also be: {}", others.join(", "));
    }
    what
}

fn file_line(file: &FormatFile) -> FileLine {
    let kind = match file.format.map(|format| format.info().holds) {
        Some(Holds::Table) => "table",
        Some(Holds::Log) => "log",
        None => "other",
    };
    FileLine {
        name: file.name.clone(),
        bytes: file.bytes,
        kind,
        counts: file.format.is_some(),
        in_no_level: false,
        why: what(file),
    }
}

fn family_line(file: &FormatFile, id: u32) -> FamilyLine {
    let holds = file.format.map(|format| format.info().holds);
    let is_table = holds == Some(Holds::Table);
    let entries = file.entries.and_then(|entries| usize::try_from(entries).ok()).unwrap_or(0);
    FamilyLine {
        id,
        name: file.name.clone(),
        comparator: "bytewise".to_owned(),
        order_known: true,
        is_reverse: false,
        tables: usize::from(is_table),
        table_bytes: if is_table { file.bytes } else { 0 },
        blob_files: 0,
        blob_bytes: 0,
        log_entries: if is_table { 0 } else { entries },
        compaction_style: None,
    }
}
