//! Collects the wanted parts of one part, without a gap between them.

use super::Scene;
use super::part::{Part, PartState};
use super::view::Space;
use crate::{Error, ErrorKind, Result};
use levelscope::inspect::KeyFact;

/// Parts after those that are wanted are counted when they have at most so many bytes.
const COUNTED_BYTES_MAX: u64 = 1 << 20;

/// A part without its place.
#[derive(Debug, Default)]
pub(super) struct Draft {
    name: String,
    kind: &'static str,
    value: String,
    key: Option<KeyFact>,
    problem: Option<Error>,
}

/// A part called `name`, of type `kind`.
pub(super) fn named(name: impl Into<String>, kind: &'static str) -> Draft {
    Draft { name: name.into(), kind, ..Draft::default() }
}

impl Draft {
    /// With another name.
    pub(super) fn called(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// With `value` in words.
    pub(super) fn value(mut self, value: impl Into<String>) -> Self {
        self.value = value.into();
        self
    }

    /// With its key, where it is an entry.
    pub(super) fn key(mut self, key: Option<KeyFact>) -> Self {
        self.key = key;
        self
    }

    /// With its damage, where it has any. An offset counts in the space of the part.
    pub(super) fn problem(mut self, problem: Option<Error>) -> Self {
        self.problem = problem;
        self
    }
}

/// Writes the parts of a part.
type Open = Box<dyn FnOnce(&Scene<'_>, &mut Sink) -> Result<()>>;

/// The parts of a part, not yet written.
pub(super) struct Inner(Open);

/// Parts that `open` writes.
pub(super) fn parts(open: impl FnOnce(&Scene<'_>, &mut Sink) -> Result<()> + 'static) -> Inner {
    Inner(Box::new(open))
}

impl Inner {
    /// Writes the parts. Failures become parts; only those of the host are returned.
    pub(super) fn write(self, scene: &Scene<'_>, sink: &mut Sink) -> Result<()> {
        let written = (self.0)(scene, sink);
        sink.close(scene, written)
    }
}

/// The wanted parts.
#[derive(Debug, Clone, Copy)]
pub(super) enum Want {
    /// Those from a place on, at most so many.
    Some { from: usize, limit: usize },
    /// The one at a place, with its inner parts.
    One(usize),
    /// Those with bytes from an offset on and before another one, with their inner parts.
    Within(u64, u64),
}

/// Takes parts in order.
pub(super) struct Sink {
    space: Space,
    position: u64,
    end: u64,
    place: usize,
    want: Want,
    file: String,
    /// The parts that were wanted.
    pub(super) parts: Vec<Part>,
    /// The inner parts of the one that was wanted.
    pub(super) inner: Option<Inner>,
    /// Of several that are wanted with their inner parts, the place of each, and these.
    pub(super) within: Vec<(usize, Option<Inner>)>,
    /// Damage of the part whose parts these are.
    pub(super) blame: Option<Error>,
    /// Value of the part, learned when it was opened.
    pub(super) learned: Option<String>,
    /// Whether parts after the wanted ones were not written.
    pub(super) cut: bool,
    /// Parts in all, where that is known without writing them.
    pub(super) total: Option<usize>,
}

impl Sink {
    /// For the parts of the bytes from `position` to `end` of `space`.
    pub(super) fn new(file: &str, space: Space, (position, end): (u64, u64), want: Want) -> Self {
        Self {
            space,
            position,
            end,
            place: 0,
            want,
            file: file.to_owned(),
            parts: Vec::new(),
            inner: None,
            within: Vec::new(),
            blame: None,
            learned: None,
            cut: false,
            total: None,
        }
    }

    /// For the parts of `part`, which this one took.
    pub(super) fn below(&self, part: &Part, want: Want) -> Self {
        let range = (part.offset, part.offset.saturating_add(part.bytes));
        Self::new(&self.file, self.space.clone(), range, want)
    }

    /// From here on parts are those of decoded content.
    pub(super) fn enter(&mut self, space: Space, bytes: u64) {
        (self.space, self.position, self.end) = (space, 0, bytes);
    }

    /// All bytes as one part.
    pub(super) fn whole(&mut self, draft: Draft) -> Part {
        self.push(self.end - self.position, draft, None);
        let mut part = self.parts.pop().unwrap_or_default();
        part.opens = part.bytes > 0;
        part
    }

    /// Adds to `part` the facts that writing its parts has shown.
    pub(super) fn describe(&self, part: &mut Part) {
        if let Some(learned) = &self.learned {
            part.value.clone_from(learned);
        }
        if let (Some(problem), None) = (&self.blame, &part.problem) {
            part.state = state_of(problem);
            part.problem = Some(problem.clone().in_file(&self.file).to_string());
        }
    }

    /// Parts in all, where they were counted.
    pub(super) fn count(&self) -> Option<usize> {
        if self.cut { self.total } else { Some(self.place) }
    }

    /// Start of the next part.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// End of the last part.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// The number of the next part, as names and addresses count: from 1.
    pub(super) fn number(&self) -> usize {
        self.place + 1
    }

    /// Space of the offsets.
    pub(super) fn space(&self) -> &Space {
        &self.space
    }

    /// Whether all wanted parts were taken. A writer for which going on is expensive then calls [`Sink::stop`].
    pub(super) fn has_all(&self) -> bool {
        match self.want {
            Want::Some { from, limit } => self.place >= from.saturating_add(limit),
            Want::One(place) => self.place > place,
            Want::Within(_, to) => self.position >= to,
        }
    }

    /// Whether the rest of the parts need not be written: all wanted ones were taken, and the others would be counted
    /// only, which is left out where there may be millions. Stops then.
    pub(super) fn is_enough(&mut self) -> bool {
        let is_long = self.end - self.position > COUNTED_BYTES_MAX;
        let is_enough = self.has_all() && (is_long || !self.is_list());
        self.cut |= is_enough;
        is_enough
    }

    /// Whether several parts are wanted, and none of them is opened.
    pub(super) fn is_list(&self) -> bool {
        matches!(self.want, Want::Some { .. })
    }

    /// Parts after those that are wanted are not written.
    pub(super) fn stop(&mut self) {
        self.cut = true;
    }

    /// The first place that is wanted.
    pub(super) fn first(&self) -> usize {
        match self.want {
            Want::Some { from, .. } => from,
            Want::One(place) => place,
            Want::Within(..) => 0,
        }
    }

    /// The first place that is wanted, where each part begins at a multiple of `piece`, or up to `late` bytes after it.
    pub(super) fn first_of(&self, piece: u64, late: u64) -> usize {
        match self.want {
            Want::Within(offset, _) => {
                usize::try_from(offset.saturating_sub(late) / piece).unwrap_or(usize::MAX)
            }
            _ => self.first(),
        }
    }

    /// Goes to the part at `place`, which begins at `position`: those before it are not wanted.
    pub(super) fn skip_to(&mut self, place: usize, position: u64) {
        self.place = place;
        self.position = position.clamp(self.position, self.end);
    }

    /// Notes damage of the part whose parts these are; the first finding counts.
    pub(super) fn blame(&mut self, problem: Option<Error>) {
        if let (None, Some(problem)) = (&self.blame, problem) {
            self.blame = Some(self.space.locate(&problem, self.position));
        }
    }

    /// The next part, without inner parts. One without bytes is left out.
    ///
    /// # Errors
    /// `Damaged` when it does not end inside.
    pub(super) fn leaf(&mut self, bytes: u64, draft: impl FnOnce() -> Draft) -> Result<()> {
        self.take(bytes, |_| (draft(), None))
    }

    /// The next part, with inner parts.
    ///
    /// # Errors
    /// `Damaged` when it does not end inside.
    pub(super) fn open(
        &mut self,
        bytes: u64,
        draft: impl FnOnce() -> Draft,
        inner: impl FnOnce() -> Inner,
    ) -> Result<()> {
        self.take(bytes, |_| (draft(), Some(inner())))
    }

    /// The next part; `make` is called for a wanted one and gives its inner parts, too.
    ///
    /// # Errors
    /// `Damaged` when it does not end inside.
    pub(super) fn take(
        &mut self,
        bytes: u64,
        make: impl FnOnce(&Self) -> (Draft, Option<Inner>),
    ) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        let end = self.position.checked_add(bytes).filter(|end| *end <= self.end);
        let Some(end) = end else {
            let left = self.end - self.position;
            let message = format!("{bytes} bytes expected, {left} are left");
            return Err(Error::damaged(self.position, message));
        };
        if self.wants(end) {
            let (draft, inner) = make(self);
            self.push(bytes, draft, inner);
        }
        self.place += 1;
        self.position = end;
        Ok(())
    }

    /// The bytes up to `offset`, which nothing leads to.
    ///
    /// # Errors
    /// `Damaged` when `offset` was passed already.
    pub(super) fn gap(&mut self, offset: u64, why: &str) -> Result<()> {
        let Some(bytes) = offset.checked_sub(self.position) else {
            let message = format!("a part begins here before the one at {} ends", self.position);
            return Err(Error::damaged(offset, message));
        };
        let at = self.position;
        self.leaf(bytes, || {
            named("unnamed bytes", "damaged").problem(Some(Error::damaged(at, why)))
        })
    }

    /// Whether the next part, which ends at `end`, is wanted.
    fn wants(&self, end: u64) -> bool {
        match self.want {
            Want::Within(from, to) => self.position < to && end > from,
            Want::Some { from, .. } => self.place >= from && !self.has_all(),
            Want::One(place) => self.place == place,
        }
    }

    fn push(&mut self, bytes: u64, draft: Draft, inner: Option<Inner>) {
        let problem = draft
            .problem
            .map(|problem| self.space.locate(&problem, self.position).in_file(&self.file));
        let state = problem.as_ref().map_or(PartState::Sound, state_of);
        self.parts.push(Part {
            name: draft.name,
            kind: draft.kind,
            offset: self.position,
            bytes,
            value: draft.value,
            key: draft.key,
            opens: inner.is_some(),
            decoded: self.space.is_decoded(),
            state,
            problem: problem.map(|problem| problem.to_string()),
        });
        match self.want {
            Want::Some { .. } => {}
            Want::Within(..) => self.within.push((self.place, inner)),
            Want::One(_) => self.inner = inner,
        }
    }

    /// After the last part: the rest has the damage of `written`, or nothing leads to it.
    fn close(&mut self, scene: &Scene<'_>, written: Result<()>) -> Result<()> {
        let error = match written {
            Ok(()) if self.cut => return Ok(()),
            Ok(()) => None,
            Err(error) => match error.kind() {
                ErrorKind::Damaged | ErrorKind::NotRead => Some(error),
                _ => return Err(error.in_file(scene.name)),
            },
        };
        let left = self.end - self.position;
        let error = match error {
            None if left == 0 => return Ok(()),
            None => Error::damaged(self.position, "nothing leads to these bytes"),
            Some(error) => error,
        };
        if left == 0 {
            self.blame(Some(error));
            return Ok(());
        }
        let (name, kind) = match error.kind() {
            ErrorKind::NotRead => ("bytes that are not read", "unread"),
            _ => ("damaged bytes", "damaged"),
        };
        self.leaf(left, || named(name, kind).problem(Some(error)))
    }
}

/// State of a part with this problem.
pub(super) fn state_of(error: &Error) -> PartState {
    if error.kind() == ErrorKind::NotRead { PartState::NotRead } else { PartState::Damaged }
}
