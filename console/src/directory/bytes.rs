//! The bytes of a file as `layout` and `hex` answer them, for the terminal and the page alike.
//!
//! A part is named by the way to it, as in files of this program: `blocks:1/block:3`. The number of a step is the place among
//! all parts beside it, from 1.

use super::annotated::Annotated;
use super::{Opened, name_of};
use crate::commands::Query;
use crate::nodes::{digits, refuse_wanted};
use crate::output::{Answer, Failure};
use crate::result::{HexResult, PartResult, RibbonResult};
use crate::text;
use levelscope::inspect::{self as own, Fact, Node, Step, Stretch};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::inspect::{self, Branch, Part, PartState, RAW_BYTES_MAX};
use levelscope_foreign::{Engine, FileInfo, Files};

/// Blocks of a group that a ribbon separates.
const BLOCKS_MAX: usize = 1_000;

pub(super) type Answered<T> = Result<T, Failure>;

/// A file that is looked into.
pub(super) trait FileBytes {
    /// Its name.
    fn name(&self) -> &str;

    /// The part at `path`, with up to `limit` of its parts after the first `skip`.
    fn part(&self, path: &str, window: (u64, u64)) -> Answered<PartResult>;

    /// Up to `length` bytes from `offset` on: of the file, or of the content of the encoded part at `inside`.
    fn hex(&self, inside: Option<&str>, offset: u64, length: u64) -> Answered<HexResult>;

    /// The first place from `from` on that has `wanted`.
    fn place_of(&self, inside: Option<&str>, from: u64, wanted: &[u8]) -> Answered<u64>;

    /// As [`FileBytes::hex`], from the first place on that has `wanted`.
    fn find(
        &self,
        inside: Option<&str>,
        from: u64,
        wanted: &[u8],
        length: u64,
    ) -> Answered<HexResult> {
        if let Some(why) = refuse_wanted(wanted) {
            return Err(Failure::usage(why));
        }
        self.hex(inside, self.place_of(inside, from, wanted)?, length)
    }

    /// The file summed up in about `most` stretches.
    fn ribbon(&self, most: u64) -> Answered<RibbonResult>;

    /// The selection of the file.
    fn selection(&self) -> String {
        format!("@{}", self.name())
    }
}

/// The file that `typed` names: by its name, as a selection such as `@CURRENT`, or by its number.
pub(super) fn target<'d>(opened: &'d Opened<'_>, typed: &str) -> Answered<Box<dyn FileBytes + 'd>> {
    let name = name_of(typed);
    Ok(match opened {
        Opened::Engine(directory) if directory.engine() != Engine::Levelscope => {
            Box::new(Target { directory, file: named(directory, name) })
        }
        _ => Box::new(annotated(opened, name)?),
    })
}

/// The file called `name`, or of that number, where its parts can be named all at once.
///
/// # Errors
/// It is one of an engine whose parts are opened one by one.
pub(super) fn annotated<'d>(opened: &'d Opened<'_>, name: &str) -> Answered<Annotated<'d>> {
    match opened {
        Opened::Engine(directory) if directory.engine() == Engine::Levelscope => {
            Annotated::own(directory.files(), &named(directory, name))
        }
        _ => Annotated::of_set(opened.files()?, name),
    }
}

/// The name of the file of `directory` that is called `name` or has that number; without one `name` itself.
fn named(directory: &Directory<'_>, name: &str) -> String {
    let list = directory.files().list();
    let is_it = |file: &&FileInfo| file.name == name;
    let number = name.parse().ok();
    let has_number = |file: &&FileInfo| {
        number.is_some() && directory.files().kind(&file.name).number() == number
    };
    let found = list.iter().find(is_it).or_else(|| list.iter().find(has_number));
    found.map_or(name, |file| &file.name).to_owned()
}

/// A file of a directory of another engine.
struct Target<'d, 'f> {
    directory: &'d Directory<'f>,
    /// Its name.
    file: String,
}

/// The answer to a question about bytes.
///
/// # Errors
/// The file or the part is not there, or cannot be read; the question is about something else.
pub fn answer(opened: &Opened<'_>, query: &Query) -> Result<Answer, Failure> {
    let target = |file: &str| target(opened, file);
    Ok(match query {
        Query::Ribbon { file, stretches } => Answer::ribbon(target(file)?.ribbon(*stretches)?),
        Query::Part { file, path, skip, limit } => {
            Answer::part(target(file)?.part(path, (*skip, *limit))?)
        }
        Query::Hex { file, inside, offset, length } => {
            Answer::hex(target(file)?.hex(inside.as_deref(), *offset, *length)?)
        }
        Query::Find { file, inside, offset, bytes } => {
            Answer::find(target(file)?.find(inside.as_deref(), *offset, bytes, 1)?)
        }
        _ => return Err(Failure::usage("this is no question about bytes")),
    })
}

impl Target<'_, '_> {
    fn files(&self) -> &dyn Files {
        self.directory.files()
    }

    /// The path of the content of the encoded part at `inside`.
    fn content(&self, inside: Option<&str>) -> Answered<Option<Vec<usize>>> {
        let Some(inside) = inside else { return Ok(None) };
        self.part(inside, (0, 0))?;
        let engine = self.directory.engine();
        let found = inspect::content(self.files(), engine, &self.file, &self.places(inside)?)?;
        found.map(Some).ok_or_else(|| nothing_encoded(&self.file, inside))
    }

    /// The places that `path` leads through.
    fn places(&self, path: &str) -> Answered<Vec<usize>> {
        let place = |step: &str| {
            let (_, number) = step.split_once(':')?;
            number.parse::<usize>().ok()?.checked_sub(1)
        };
        steps(path).map(|step| place(step).ok_or_else(|| no_node(&self.file, path))).collect()
    }
}

impl FileBytes for Target<'_, '_> {
    fn name(&self) -> &str {
        &self.file
    }

    fn part(&self, path: &str, (skip, limit): (u64, u64)) -> Answered<PartResult> {
        let places = self.places(path)?;
        let [skip, limit] =
            [skip, limit].map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        let mut opened = self.directory.opened(&self.file, &places, (skip, limit.max(1)))?;
        opened.parts.truncate(limit);
        let kinds = steps(path).map(|step| step.split_once(':').map_or(step, |(kind, _)| kind));
        let is_other = |(kind, part): (&str, &Part)| kind != part.kind && kind != kind_of(part);
        if kinds.zip(opened.trail.iter().skip(1)).any(is_other) {
            return Err(no_node(&self.file, path));
        }
        let numbers = [0].into_iter().chain(places);
        let trail = opened.trail.iter().zip(numbers).enumerate().map(|(depth, (part, place))| {
            let number = if depth == 0 { 0 } else { number(place) };
            Step { index: place as u64, decoded: part.decoded, node: node(part, number) }
        });
        let shown = skip.saturating_add(opened.parts.len());
        let count = opened.count.unwrap_or(shown + usize::from(opened.next.is_some()));
        let parts = opened.parts.iter().enumerate();
        let part = own::Part {
            trail: trail.collect(),
            parts: parts.map(|(at, part)| node(part, number(skip + at))).collect(),
            skipped: skip as u64,
            count: count as u64,
        };
        Ok(PartResult { file: self.file.clone(), file_bytes: opened.length, part })
    }

    fn hex(&self, inside: Option<&str>, offset: u64, length: u64) -> Answered<HexResult> {
        let length = usize::try_from(length).unwrap_or(usize::MAX).min(RAW_BYTES_MAX);
        let content = self.content(inside)?;
        let path = content.as_deref().unwrap_or_default();
        let raw = self.directory.raw(&self.file, path, (offset, length))?;
        if offset > raw.length {
            return Err(no_offset(&self.file, inside, offset, raw.length));
        }
        let range = (offset, offset.saturating_add(raw.hex.len() as u64 / 2));
        let engine = self.directory.engine();
        let branch = inspect::branch(self.files(), engine, &self.file, path, range)?;
        let root = match content {
            None => grown(&branch, 0),
            // Its content is the only part of the part that is encoded.
            Some(_) => Node { children: vec![grown(&branch, 1)], ..Node::default() },
        };
        let file = self.file.clone();
        Ok(HexResult { file, offset, hex: raw.hex, file_bytes: raw.length, root })
    }

    fn place_of(&self, inside: Option<&str>, from: u64, wanted: &[u8]) -> Answered<u64> {
        let content = self.content(inside)?;
        let path = content.as_deref().unwrap_or_default();
        let digits = digits(wanted, "");
        let mut at = from;
        loop {
            let raw = self.directory.raw(&self.file, path, (at, RAW_BYTES_MAX))?;
            let places = raw.hex.match_indices(&digits).map(|(place, _)| place);
            // Half of the places begin in the middle of a byte.
            if let Some(place) = places.into_iter().find(|place| place % 2 == 0) {
                return Ok(at + place as u64 / 2);
            }
            let read = raw.hex.len() as u64 / 2;
            let step = read.saturating_sub(wanted.len() as u64 - 1);
            if at.saturating_add(read) >= raw.length || step == 0 {
                return Err(not_found(&self.file, wanted));
            }
            at = at.saturating_add(step);
        }
    }

    fn ribbon(&self, most: u64) -> Answered<RibbonResult> {
        let engine = self.directory.engine();
        let parts = inspect::outline(self.files(), engine, &self.file, BLOCKS_MAX)?;
        let stretch = |(places, part): (Vec<usize>, Part)| {
            let (last, groups) = places.split_last().unwrap_or((&0, &[]));
            let node = node(&part, number(*last));
            let groups = groups.iter().map(|place| format!("blocks:{}/", number(*place)));
            let path = groups.collect::<String>() + &node.step();
            Stretch::of(&node, path)
        };
        let stretches = own::joined(parts.into_iter().map(stretch).collect(), most);
        let file_bytes = self.files().length(&self.file).unwrap_or(0);
        Ok(RibbonResult { file: self.file.clone(), file_bytes, stretches })
    }
}

/// The failure for a part of `file` that is not encoded.
pub(super) fn nothing_encoded(file: &str, path: &str) -> Failure {
    let (name, path) = (text::printable(file), text::printable(path));
    let failure = Failure::usage(format!("nothing is encoded at {path} of {name}"));
    failure.hint("`layout` shows which parts are compressed")
}

/// The failure for an offset after the `total` bytes of `file`, or of its part at `inside`.
pub(super) fn no_offset(file: &str, inside: Option<&str>, offset: u64, total: u64) -> Failure {
    Failure::usage(format!(
        "there is no offset {} in {}{}, which has {}",
        text::count(offset),
        if inside.is_some() { "this part of " } else { "" },
        text::printable(file),
        text::bytes(total)
    ))
}

/// The failure of a path that leads nowhere.
pub(super) fn no_node(file: &str, path: &str) -> Failure {
    let name = text::printable(file);
    Failure::usage(format!("there is no node {} in {name}", text::printable(path)))
        .hint("a path has a step for each depth, such as blocks:1/block:3; `layout` links to them")
}

/// The failure of bytes that are not in a file.
pub(super) fn not_found(file: &str, wanted: &[u8]) -> Failure {
    let (shown, name) = (text::short_word(wanted, 32), text::printable(file));
    Failure::new("notFound", format!("there is no {shown} in {name} from there on"))
}

/// The steps of a path.
fn steps(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|step| !step.is_empty())
}

/// The number of the step to the part at `place`.
fn number(place: usize) -> u32 {
    u32::try_from(place.saturating_add(1)).unwrap_or(u32::MAX)
}

/// A part without its parts.
fn node(part: &Part, number: u32) -> Node {
    let value = part.problem.clone().unwrap_or_else(|| part.value.clone());
    let leaf = Node::leaf(part.name.clone(), kind_of(part), part.offset, part.bytes, value);
    Node { number, more: part.opens, fact: part.key.clone().map(Fact::Key), ..leaf }
}

/// Its kind; bytes without parts have the look of their damage.
fn kind_of(part: &Part) -> &'static str {
    match part.state {
        PartState::Damaged if !part.opens => "damaged",
        _ => part.kind,
    }
}

/// A part with those of its parts that are known.
fn grown(branch: &Branch, number_of: u32) -> Node {
    let children = branch.parts.iter().map(|below| grown(below, number(below.place))).collect();
    Node { children, ..node(&branch.part, number_of) }
}
