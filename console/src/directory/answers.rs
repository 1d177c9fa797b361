//! The answer to each verb.

use super::bytes::{annotated, target};
use super::check::{self, Depth};
use super::fileset::Way;
use super::refusal::unknown;
use super::{Cursor, DirectorySession, Opened, lines, name_of, reads, verbs};
use crate::language::{Args, help as helping};
use crate::nodes::{Titled, Window, hex_lines, part_lines, ribbon_lines, whole};
use crate::output::{Failure, OutputLine, Response};
use crate::text;
use levelscope_foreign::Engine;
use levelscope_foreign::export::Policy;
use levelscope_foreign::query::answer::Lookup;
use levelscope_foreign::query::{Object, Part, bytes_of};
use levelscope_foreign::report::Question;
use levelscope_formats::SearchMethod;

/// Entries of a scan, and steps of a list, when no limit is given.
const LIMIT: usize = 20;
/// Bytes that `hex` shows when no length is given.
const HEX_BYTES: u64 = 512;
/// Parts that are listed when no limit is given.
const PARTS: u64 = 200;

type Answered = Result<Response, Failure>;
type Session<'d, 'f> = DirectorySession<'d, 'f>;

/// Lines for people; the answer itself for programs, where it is wanted.
fn answered<A: serde::Serialize>(
    session: &Session<'_, '_>,
    answer: levelscope_foreign::Result<A>,
    lines: impl Fn(&A) -> Vec<OutputLine>,
) -> Answered {
    let answer = answer?;
    let lines = lines(&answer);
    Ok(if session.has_results { Response::of(lines, answer) } else { lines.into() })
}

fn number(args: &Args, flag: &str) -> Result<Option<usize>, Failure> {
    Ok(args.number(flag)?.map(size))
}

fn size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

pub(super) fn stats(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(0, 0, "nothing")?;
    let mut response = match session.directory {
        Opened::Engine(directory) => answered(session, directory.overview(), lines::overview)?,
        Opened::Files(files) => answered(session, Ok(files.overview()), lines::files_in_short)?,
    };
    response.lines.extend(check::so_far(session.directory).lines);
    Ok(response)
}

pub(super) fn families(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(0, 0, "nothing")?;
    answered(session, session.directory.engine()?.overview(), lines::families)
}

pub(super) fn family(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(1, 1, "a name")?;
    let name = String::from_utf8_lossy(&args.bytes(0)).into_owned();
    let named = name_of(&name);
    let mut families = session.directory.families().into_iter();
    let found = families.find(|(id, name)| name == named || id.to_string() == named);
    let (what, list) = match session.directory {
        Opened::Engine(_) => ("column family", "`families` lists them"),
        Opened::Files(_) => ("file", "`files` lists them"),
    };
    let (id, name) = found.ok_or_else(|| {
        let message = format!("there is no {what} {}", text::word(name.as_bytes()));
        Failure::usage(message).hint(list)
    })?;
    session.cursor.family = id;
    let line =
        OutputLine::text(format!("`get` and `scan` read the {what} {}.", text::printable(&name)));
    Ok(vec![line].into())
}

pub(super) fn levels(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(0, 0, "nothing")?;
    let step = match args.number("--at")? {
        Some(step) => Some(known_step(session, step)?),
        None => session.cursor.step,
    };
    answered(
        session,
        session.directory.engine()?.levels(session.cursor.family, step),
        lines::levels,
    )
}

pub(super) fn about(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(0, 1, "a table, a level, a log or a blob file")?;
    let typed = args.words.first().map(|word| word.bytes.as_slice()).unwrap_or_default();
    let object = Object::parse(&String::from_utf8_lossy(typed))?;
    let Cursor { family, step } = session.cursor;
    answered(session, session.directory.engine()?.facts(family, step, &object), lines::facts)
}

pub(super) fn files(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(0, 0, "nothing")?;
    match session.directory {
        Opened::Engine(directory) => answered(session, directory.overview(), lines::files),
        Opened::Files(files) => answered(session, Ok(files.overview()), |_| files.file_lines()),
    }
}

/// The value of `--node`; empty without one.
fn node(args: &Args) -> String {
    args.string("--node").unwrap_or_default()
}

pub(super) fn layout(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(1, 1, "a file")?;
    let typed = args.bytes(0);
    let typed = String::from_utf8_lossy(&typed);
    let target = target(session.directory, &typed)?;
    let selection = target.selection();
    let titled = |bytes| Titled { name: target.name(), selection: &selection, bytes };
    let limit = || args.number("--limit").map(|limit| limit.unwrap_or(PARTS));
    if args.has("-v") {
        let file = annotated(session.directory, target.name())?;
        let (layout, lines) = whole(&|scope| file.annotate(scope), &titled, true, limit()?)?;
        return answered(session, Ok(layout), |_| lines.clone());
    }
    if let Some(most) = args.number("--ribbon")? {
        let ribbon = target.ribbon(most)?;
        return answered(session, Ok(ribbon), |ribbon| {
            ribbon_lines(&titled(ribbon.file_bytes), &ribbon.stretches)
        });
    }
    let part = target.part(&node(args), (args.number("--skip")?.unwrap_or(0), limit()?))?;
    answered(session, Ok(part), |found| part_lines(&titled(found.file_bytes), &found.part))
}

pub(super) fn hex(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(1, 1, "a file")?;
    let target = target(session.directory, &String::from_utf8_lossy(&args.bytes(0)))?;
    let (path, decoded) = (node(args), args.has("--decoded"));
    let (mut at, mut length) =
        (args.number("--at")?.unwrap_or(0), args.number("--length")?.unwrap_or(HEX_BYTES));
    if path.is_empty() && decoded {
        return Err(args.verb.misused("--decoded needs --node"));
    }
    if !path.is_empty() && !decoded {
        if args.has("--at") || args.has("--length") || args.has("--find") {
            let message = "--node goes with --at, --length and --find only with --decoded";
            return Err(args.verb.misused(message));
        }
        let part = target.part(&path, (0, 0))?.part;
        let last = part.trail.last().map(|step| (step.decoded, step.node.offset, step.node.bytes));
        let (is_inside, offset, bytes) = last.unwrap_or_default();
        if is_inside {
            return Err(Failure::usage("this part is in encoded content")
                .hint("--decoded with the part that is encoded shows the content"));
        }
        (at, length) = (offset, bytes);
    }
    let inside = decoded.then_some(path.as_str());
    let found = match args.value("--find") {
        Some(wanted) => target.find(inside, at, &wanted.bytes, length)?,
        None => target.hex(inside, at, length)?,
    };
    let selection = target.selection();
    let above = inside.map_or(selection.clone(), |inside| format!("{selection}/{inside}"));
    let title = OutputLine::new().link(selection, text::printable(target.name()));
    let title = if decoded { title.plain("  decoded") } else { title };
    let deepest = if args.has("-v") { usize::MAX } else { 2 };
    let bytes = bytes_of(&found.hex)?;
    answered(session, Ok(found), |found| {
        let window = Window {
            offset: found.offset,
            bytes: &bytes,
            total: found.file_bytes,
            root: &found.root,
        };
        hex_lines(title.clone(), &window, &above, deepest)
    })
}

pub(super) fn problems(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(0, 0, "nothing")?;
    Ok(check::so_far(session.directory))
}

pub(super) fn check(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(0, 0, "nothing")?;
    let deep = args.has("--deep");
    let directory = match session.directory {
        Opened::Engine(directory) => directory,
        Opened::Files(files) => return Ok(check::of_files(files)),
    };
    let problems = session.host.check(directory, deep);
    let depth = if deep { Depth::Entries } else { Depth::Checksums };
    Ok(check::response(directory, &problems, depth))
}

/// How a key is searched for in a file.
pub(super) fn way(args: &Args) -> Result<Way, Failure> {
    let method = match args.value("--search").map(|word| word.bytes.as_slice()) {
        None => None,
        Some(b"sequential") => Some(SearchMethod::Sequential),
        Some(b"binary") => Some(SearchMethod::Binary),
        Some(_) => return Err(args.verb.misused("--search takes sequential or binary")),
    };
    Ok(Way { method, has_detail: args.has("--detail") })
}

/// The lookup of the key at `position`, its lines by `lines`.
fn lookup(
    session: &Session<'_, '_>,
    args: &Args,
    position: usize,
    lines: fn(&Lookup) -> Vec<OutputLine>,
) -> Answered {
    let sequence = args.number("--sequence")?;
    let (family, key, way) = (session.cursor.family, args.bytes(position), way(args)?);
    let answer = match session.directory {
        Opened::Engine(it) if way != Way::default() && it.engine() != Engine::Levelscope => {
            return Err(args.verb.misused(verbs::NO_SEARCH));
        }
        Opened::Engine(directory) => {
            let mut answer = directory.lookup(family, &key, sequence)?;
            if way != Way::default() {
                reads::trace_stops(directory, family, &key, way, &mut answer);
            }
            answer
        }
        Opened::Files(files) => files.lookup(&*files.family(family)?, &key, sequence, way)?,
    };
    let error = reads::unread(&answer);
    let response = answered(session, Ok(answer), lines)?;
    Ok(Response { error, ..as_of_now(session, response)? })
}

pub(super) fn get(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(1, 1, "a key")?;
    lookup(session, args, 0, reads::value)
}

pub(super) fn explain(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(1, 2, "a key")?;
    let key = args.words.len() - 1;
    if key == 1 && args.text(0) != Some("get") {
        return Err(args.verb.misused("explain needs a key"));
    }
    lookup(session, args, key, reads::lookup)
}

pub(super) fn scan(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(0, 2, "at most two keys")?;
    let part = Part {
        from: args.words.first().map(|word| word.bytes.clone()),
        to: args.words.get(1).map(|word| word.bytes.clone()),
        limit: number(args, "--limit")?.unwrap_or(LIMIT),
        sequence: args.number("--sequence")?,
    };
    let family = session.cursor.family;
    let rows = match session.directory {
        Opened::Engine(directory) => directory.rows(family, &part)?,
        Opened::Files(files) => files.rows(family, &part)?,
    };
    let error = reads::incomplete(&rows);
    let response = answered(session, Ok(rows), reads::rows)?;
    Ok(Response { error, ..as_of_now(session, response)? })
}

/// Adds that reads are of the last step, where the cursor is on another one.
fn as_of_now(session: &Session<'_, '_>, mut response: Response) -> Answered {
    if let Some(step) = session.cursor.step {
        let last = last_step(session)?;
        response.lines.push(OutputLine::note(format!(
            "Read from the files that are here, as of step {}: step {} is only that of levels. --sequence reads an \
             earlier moment.",
            text::count(last as u64),
            text::count(step as u64)
        )));
    }
    Ok(response)
}

pub(super) fn report(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(0, 2, "the name of a report and a key")?;
    let Some(id) = args.words.first() else {
        let line = |question: Question| {
            OutputLine::new().strong(format!("{:<12}", question.id())).plain(question.text())
        };
        return Ok(Question::all().map(line).collect::<Vec<_>>().into());
    };
    let id = String::from_utf8_lossy(&id.bytes);
    let key = args.words.get(1).map(|word| word.bytes.as_slice());
    let report = session.directory.engine()?.report(&id, Some(session.cursor.family), key);
    let report = report.map_err(|error| Failure::from(error).hint("`report` lists them"))?;
    if args.has("--csv") {
        let csv = report.table.csv();
        let lines = csv.lines().map(|line| OutputLine::text(text::printable(line))).collect();
        return Ok(Response::of(lines, csv));
    }
    answered(session, Ok(report), super::report::lines)
}

pub(super) fn export(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(1, 1, "a file")?;
    let path = String::from_utf8_lossy(&args.bytes(0)).into_owned();
    let policy = Policy { lossy: args.has("--lossy"), skip_damage: args.has("--skip-damage") };
    session.host.export(session.directory.engine()?, session.cursor.family, &path, policy)
}

pub(super) fn steps(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(0, 1, "at most a step")?;
    let from = args.number_at(0, "the step")?.map_or(0, size);
    let directory = session.directory.engine()?;
    if !directory.has_manifest() {
        let line = OutputLine::text("There is no history: only a manifest keeps one.");
        return Ok(vec![line].into());
    }
    let limit = number(args, "--limit")?.unwrap_or(LIMIT);
    answered(session, directory.step_lines(from, limit), |steps| lines::steps(steps))
}

pub(super) fn back(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    go(session, args, usize::saturating_sub)
}

pub(super) fn forward(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    go(session, args, usize::saturating_add)
}

/// Goes the given number of steps, 1 without one.
fn go(session: &mut Session<'_, '_>, args: &Args, from: fn(usize, usize) -> usize) -> Answered {
    args.expect(0, 1, "a number of steps")?;
    let count = args.number_at(0, "the number of steps")?.map_or(1, size);
    let last = last_step(session)?;
    arrive(session, from(session.cursor.step.unwrap_or(last), count).min(last))
}

pub(super) fn goto(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(1, 1, "a step")?;
    let step = args.number_at(0, "the step")?.unwrap_or(0);
    let step = known_step(session, step)?;
    arrive(session, step)
}

/// A step of the history.
fn known_step(session: &Session<'_, '_>, step: u64) -> Result<usize, Failure> {
    let last = last_step(session)?;
    if step > last as u64 {
        let message = format!("there is no step {}", text::count(step));
        let hint = format!("the last one is {}", text::count(last as u64));
        return Err(Failure::usage(message).hint(hint));
    }
    Ok(size(step))
}

pub(super) fn now(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(0, 0, "nothing")?;
    let last = last_step(session)?;
    arrive(session, last)
}

fn last_step(session: &Session<'_, '_>) -> Result<usize, Failure> {
    let directory = session.directory.engine()?;
    Ok(directory.manifest().steps().len().saturating_sub(1))
}

/// Puts the cursor on `step`, and prints what it did.
fn arrive(session: &mut Session<'_, '_>, step: usize) -> Answered {
    session.cursor.step = (step < last_step(session)?).then_some(step);
    answered(session, session.directory.engine()?.step_lines(step, 1), |steps| lines::steps(steps))
}

pub(super) fn help(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(0, 1, "a command")?;
    let lines = match args.words.first() {
        None => helping::list(verbs::verbs()),
        Some(word) if word.bytes == b"words" => helping::quoting(),
        Some(word) => {
            let found = std::str::from_utf8(&word.bytes).ok().and_then(verbs::find);
            let engine = session.directory.name();
            helping::one(&found.ok_or_else(|| unknown(&word.bytes, engine))?.verb)
        }
    };
    Ok(lines.into())
}

pub(super) fn exit(session: &mut Session<'_, '_>, args: &Args) -> Answered {
    args.expect(0, 0, "nothing")?;
    session.has_ended = true;
    Ok(Response::default())
}
