//! `levelscope DIR --read-only` for a directory of another engine: commands that ask, none that writes into it.

use super::check::Depth;
use super::files::NativeFiles;
use super::given::{Given, number, size};
use super::{bytes, check, tell, tell_reads};
use crate::native::print;
use levelscope_console::lexer::{LexError, Word, lex};
use levelscope_console::{Failure, OutputLine, Response, text};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::export::Policy;
use levelscope_foreign::query::Part;
use levelscope_foreign::report::Question;
use serde_json::json;

/// Entries of a scan, and steps of a list, when no limit is given.
const LIMIT: usize = 20;

/// What can be typed, with what it does.
pub(super) const COMMANDS: [(&str, &str); 17] = [
    ("overview", "whose database it is, its families and what was found"),
    ("families", "the column families"),
    ("family NAME", "chooses the family that the other commands are about"),
    ("levels [--at STEP]", "tables by level, now or after a step of the history"),
    ("steps [FROM] [--limit N]", "the history: what each version edit did"),
    ("table NUMBER", "where a table was born, moved to and died"),
    ("get KEY [--sequence N]", "looks a key up and shows every place that was read"),
    ("scan [FROM [TO]] [--limit N] [--sequence N]", "live entries in order"),
    ("reports", "the ten questions that can be answered"),
    ("report NAME [KEY] [--csv]", "answers one of them; --csv prints its rows with raw numbers"),
    ("files", "every file, and whether the database would read it"),
    (
        "bytes FILE [PATH] [--from N] [--limit N]",
        "the parts of a file, or of the part at a path such as 0/3",
    ),
    ("bytes FILE --at OFFSET", "the smallest part that has a byte"),
    ("problems", "findings without a check, and the files that were read for them"),
    (
        "check [--deep]",
        "compares every checksum; --deep decodes every entry, too; damage is a failure",
    ),
    (
        "export FILE.sst [--lossy] [--skip-damage]",
        "live entries of the family as a table that RocksDB ingests",
    ),
    ("help [COMMAND], quit", "this list, or what it says of one command; the end"),
];

/// A session that looks at a directory.
pub(super) struct Explorer<'d, 'f> {
    directory: &'d Directory<'f>,
    files: &'d NativeFiles,
    family: u32,
    /// Whether answers for programs are wanted, too: they take many times the memory of the lines.
    is_json: bool,
    has_ended: bool,
}

impl<'d, 'f> Explorer<'d, 'f> {
    /// Begins with the first family.
    pub(super) fn new(directory: &'d Directory<'f>, files: &'d NativeFiles, is_json: bool) -> Self {
        let family = directory.state().families.keys().next().copied().unwrap_or(0);
        Self { directory, files, family, is_json, has_ended: false }
    }

    /// Whether `quit` was typed.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// What stands before the cursor.
    pub(super) fn prompt(&self) -> String {
        let engine = self.directory.state().engine.name();
        match self.directory.family(self.family) {
            Ok(family) if engine == "RocksDB" => {
                format!("{engine}, {}> ", text::printable(&family.name))
            }
            _ => format!("{engine}> "),
        }
    }

    /// Runs the commands of a line until one fails: each with its text, also those that were not run after it.
    pub(super) fn run(&mut self, line: &str) -> Vec<(String, Response)> {
        let statements = match lex(line) {
            Ok(statements) => statements,
            Err(error) => {
                let failure = match error {
                    LexError::Unfinished(what) => Failure::usage(what),
                    LexError::Wrong(failure) => failure,
                };
                return vec![(line.to_owned(), failed(failure))];
            }
        };
        let mut responses: Vec<(String, Response)> = Vec::new();
        let mut failure: Option<usize> = None;
        for statement in statements {
            let command = line.get(statement.start..statement.end).unwrap_or("").trim().to_owned();
            if failure.is_some() {
                responses.push((command, failed(print::not_run())));
                continue;
            }
            let words: Vec<Word> = statement.words().cloned().collect();
            let response = self.command(&words).unwrap_or_else(failed);
            // Damage that a check finds is its answer: the questions after it are about that.
            let is_answer = words.first().and_then(Word::as_bare) == Some("check");
            failure = (response.error.is_some() && !is_answer).then_some(responses.len());
            responses.push((command, response));
            if self.has_ended {
                break;
            }
        }
        if let Some((place, rest)) = failure.map(|place| (place, place + 1)) {
            let left: Vec<String> = responses
                .get(rest..)
                .unwrap_or_default()
                .iter()
                .map(|left| left.0.clone())
                .collect();
            let failure = responses.get_mut(place).and_then(|failed| failed.1.error.as_mut());
            if let Some(failure) = failure {
                print::name_not_run(failure, &left);
            }
        }
        responses
    }

    fn command(&mut self, words: &[Word]) -> Result<Response, Failure> {
        let Some((verb, rest)) = words.split_first() else { return Ok(Response::default()) };
        let verb = String::from_utf8_lossy(&verb.bytes).into_owned();
        let given = Given::of(&verb, rest)?;
        let directory = self.directory;
        match verb.as_str() {
            "overview" => {
                let mut response = self.answered(&directory.overview(), tell::overview)?;
                let problems = directory.problems();
                response
                    .lines
                    .append(&mut check::response(directory, &problems, Depth::Opened).lines);
                Ok(response)
            }
            "families" => self.answered(&directory.overview(), tell::families),
            "files" => self.answered(&directory.overview(), tell::files),
            "problems" => Ok(check::response(directory, &directory.problems(), Depth::Opened)),
            "family" => self.choose(&given),
            "levels" => {
                let step = given.number("at")?.map(size);
                self.answered(&directory.levels(self.family, step), tell::levels)
            }
            "steps" => {
                let from = given.text(0).map(|from| number(&from)).transpose()?.unwrap_or(0);
                let limit = given.number("limit")?.map_or(LIMIT, size);
                answered(&directory.step_lines(size(from), limit), |steps| tell::steps(steps))
            }
            "table" => self.table(&given),
            "get" => self.get(&given),
            "scan" => self.scan(&given),
            "reports" => Ok(reports()),
            "report" => self.report(&given),
            "bytes" => {
                let file = given.text(0);
                let file = file.ok_or_else(|| Failure::usage("bytes takes a file"))?;
                let path = match given.number("at")? {
                    Some(offset) => bytes::path_at(directory, &file, offset)?,
                    None => bytes::path(&given.text(1).unwrap_or_default())?,
                };
                let from = given.number("from")?.map_or(0, size);
                let limit = given.number("limit")?.map_or(bytes::LIMIT, size);
                bytes::response(directory, &file, &path, (from, limit))
            }
            "check" => {
                let deep = given.has("deep");
                let problems = check::check(directory, self.files, deep);
                let depth = if deep { Depth::Entries } else { Depth::Checksums };
                Ok(check::response(directory, &problems, depth))
            }
            "export" => self.export(&given),
            "help" => help(given.text(0).as_deref()),
            "quit" | "exit" => {
                self.has_ended = true;
                Ok(Response::default())
            }
            other => {
                let message = format!(
                    "there is no command {} here: this is a database of {}, which is only looked at",
                    text::word(other.as_bytes()),
                    directory.state().engine.name()
                );
                Err(Failure::usage(message).hint("help lists the commands; none of them writes"))
            }
        }
    }

    fn get(&self, given: &Given) -> Result<Response, Failure> {
        let key = given.words.first().ok_or_else(|| Failure::usage("get takes a key"))?;
        let answer = self.directory.lookup(self.family, key, given.number("sequence")?);
        let error = answer.as_ref().ok().and_then(tell_reads::unread);
        Ok(Response { error, ..answered(&answer, tell_reads::lookup)? })
    }

    fn scan(&self, given: &Given) -> Result<Response, Failure> {
        let part = Part {
            from: given.words.first().cloned(),
            to: given.words.get(1).cloned(),
            limit: given.number("limit")?.map_or(LIMIT, size),
            sequence: given.number("sequence")?,
        };
        answered(&self.directory.rows(self.family, &part), tell_reads::rows)
    }

    /// As [`answered`], with the answer for programs only where it is wanted.
    fn answered<A: serde::Serialize>(
        &self,
        answer: &levelscope_foreign::Result<A>,
        lines: impl Fn(&A) -> Vec<OutputLine>,
    ) -> Result<Response, Failure> {
        match answer {
            Ok(answer) if !self.is_json => {
                Ok(Response { lines: lines(answer), ..Response::default() })
            }
            answer => answered(answer, lines),
        }
    }

    fn choose(&mut self, given: &Given) -> Result<Response, Failure> {
        let name = given.text(0).ok_or_else(|| Failure::usage("family takes a name"))?;
        let mut families = self.directory.state().families.values();
        let found = families.find(|family| family.name == name || family.id.to_string() == name);
        let found = found.ok_or_else(|| {
            let message = format!("there is no column family {}", text::word(name.as_bytes()));
            Failure::usage(message).hint("families lists them")
        })?;
        self.family = found.id;
        let line = OutputLine::text(format!("Column family {}.", text::printable(&found.name)));
        Ok(Response { lines: vec![line], ..Response::default() })
    }

    fn table(&self, given: &Given) -> Result<Response, Failure> {
        let told = given.text(0).ok_or_else(|| Failure::usage("table takes a number"))?;
        let number = number(&told)?;
        let lives = self.directory.life_lines(number).map_err(|error| tell::failure(&error))?;
        let mut lines: Vec<OutputLine> = lives.iter().map(tell::life).collect();
        if lives.is_empty() {
            let which = match self.directory.manifest().cut() {
                Some(_) => " that can be read",
                None => "",
            };
            let told = format!("No edit{which} of this manifest names table {number}.");
            lines.push(OutputLine::text(told));
        }
        Ok(Response { lines, result: json!(lives), ..Response::default() })
    }

    fn report(&self, given: &Given) -> Result<Response, Failure> {
        let Some(id) = given.text(0) else { return Ok(reports()) };
        let key = given.words.get(1).map(Vec::as_slice);
        let report = self.directory.report(&id, Some(self.family), key);
        let report = report.map_err(|error| tell::failure(&error).hint("reports lists them"))?;
        if given.has("csv") {
            let csv = report.table.csv();
            let lines = csv.lines().map(|line| OutputLine::text(text::printable(line))).collect();
            return Ok(Response { lines, result: json!(csv), ..Response::default() });
        }
        answered(&Ok(report), super::report::lines)
    }

    fn export(&self, given: &Given) -> Result<Response, Failure> {
        let path = given.text(0).ok_or_else(|| Failure::usage("export takes a file"))?;
        let policy = Policy { lossy: given.has("lossy"), skip_damage: given.has("skip-damage") };
        let done = super::export::family(self.directory, self.family, path.as_ref(), policy)?;
        Ok(super::export::response(&done))
    }
}

/// The response that an answer becomes: lines for people, the answer itself for programs.
fn answered<A: serde::Serialize>(
    answer: &levelscope_foreign::Result<A>,
    lines: impl Fn(&A) -> Vec<OutputLine>,
) -> Result<Response, Failure> {
    match answer {
        Ok(answer) => {
            let result = json!(answer);
            Ok(Response { lines: lines(answer), result, ..Response::default() })
        }
        Err(error) => Err(tell::failure(error)),
    }
}

fn failed(failure: Failure) -> Response {
    Response { error: Some(failure), ..Response::default() }
}

fn reports() -> Response {
    let line = |question: &Question| {
        OutputLine::new().strong(format!("{:<12}", question.id())).plain(question.text())
    };
    let lines = Question::ALL.iter().map(line).collect();
    Response { lines, ..Response::default() }
}

/// All commands, or those that begin with `word`.
fn help(word: Option<&str>) -> Result<Response, Failure> {
    let line = |(command, what): &(&str, &str)| {
        OutputLine::new().strong(format!("{command:<45}")).plain(*what)
    };
    let is_wanted = |(command, _): &&(&str, &str)| {
        word.is_none_or(|word| command.split([' ', ',']).next() == Some(word))
    };
    let lines: Vec<OutputLine> = COMMANDS.iter().filter(is_wanted).map(line).collect();
    match word {
        Some(word) if lines.is_empty() => {
            let message = format!("there is no command {} here", text::word(word.as_bytes()));
            Err(Failure::usage(message).hint("help lists the commands"))
        }
        _ => Ok(Response { lines, ..Response::default() }),
    }
}
