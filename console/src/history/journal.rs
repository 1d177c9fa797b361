//! The inputs to a database: enough to do everything again, step for step.

use super::image::Image;
use crate::output::Failure;
use levelscope::Options;
use levelscope::storage::{Crash, FileName};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::sync::Arc;

/// A position in the history of a branch: operations and phases, counted from 1 over all openings.
/// At step 0 nothing has happened yet.
pub type Step = u64;

/// Capacity of a journal \[bytes\]: a quarter of a million commands and steps of background work.
const BYTES_MAX: usize = 16 << 20;
/// Size of one entry besides its text \[bytes\].
const ENTRY_BYTES: usize = 64;

/// One thing that was done from outside.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Input {
    /// The host opened the database.
    Open(#[serde(with = "settings")] Box<Options>),
    /// A command, and where it was stopped.
    Line { text: Arc<str>, stopped: Option<Stopped> },
    /// Smallest steps of background work.
    Work { count: u64 },
    /// The host closed it.
    Close,
    /// Completion has looked at keys for a word being typed.
    Complete { line: Arc<str>, cursor: usize },
    /// A byte was damaged.
    Damage {
        #[serde(deserialize_with = "file_name")]
        file: FileName,
        offset: u64,
        mask: u8,
    },
}

impl Input {
    /// Length of its text \[bytes\].
    fn bytes(&self) -> usize {
        match self {
            Self::Line { text, .. } | Self::Complete { line: text, .. } => text.len(),
            Self::Open(_) | Self::Close | Self::Work { .. } | Self::Damage { .. } => 0,
        }
    }
}

/// Where a command was stopped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stopped {
    /// Units of its work that were done.
    pub(crate) units: u64,
    /// Calls of background work that were made of the next unit.
    pub(crate) calls: u64,
}

fn file_name<'de, D: Deserializer<'de>>(from: D) -> Result<FileName, D::Error> {
    let name = String::deserialize(from)?;
    FileName::parse(&name).ok_or_else(|| Error::custom("no file is called that"))
}

/// Options as pairs of a name and a value.
mod settings {
    use super::{Deserialize, Deserializer, Error, Options};
    use levelscope::OPTION_INFOS;
    use serde::Serializer;

    pub(super) fn serialize<S: Serializer>(options: &Options, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(OPTION_INFOS.iter().map(|info| (info.name, (info.get)(options).to_string())))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Box<Options>, D::Error> {
        let mut options = Box::<Options>::default();
        for (name, value) in Vec::<(String, String)>::deserialize(from)? {
            options.set(&name, &value).map_err(Error::custom)?;
        }
        Ok(options)
    }
}

/// An input, and the last step that it made.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) input: Input,
    pub(crate) after: Step,
}

/// Files to begin with, and everything that was done from then on. The engine is deterministic, so doing
/// it again gives the same events, bytes and numbers.
#[derive(Debug, Clone)]
pub(crate) struct Journal {
    /// The files before the first input.
    pub(crate) base: Arc<Image>,
    /// The last step before the first input.
    pub(crate) first: Step,
    /// The journal of the time before these files: a crash is no input.
    before: Option<Arc<Journal>>,
    /// The power failure that left these files.
    crash: Option<Crash>,
    entries: Vec<Entry>,
    bytes: usize,
    /// The reason why recording has stopped.
    ended: Option<String>,
}

impl Journal {
    /// An empty journal of the inputs to `base` from `first` on; `before` holds earlier ones.
    pub(crate) fn new(base: Image, first: Step, before: Option<Arc<Self>>) -> Self {
        let (entries, bytes) = (Vec::new(), 0);
        Self { base: Arc::new(base), first, before, crash: None, entries, bytes, ended: None }
    }

    /// An empty journal of the inputs to what a power failure has left of the database of `before`.
    pub(crate) fn after_crash(
        base: Image,
        first: Step,
        before: Option<Arc<Self>>,
        crash: Crash,
    ) -> Self {
        Self { crash: Some(crash), ..Self::new(base, first, before) }
    }

    /// A journal that never holds anything.
    pub(crate) fn off(why: String) -> Self {
        Self { ended: Some(why), ..Self::new(Image::default(), 0, None) }
    }

    /// A journal out of its parts, before its entries. Without `before`, it gets one that is off and names `first`.
    pub(crate) fn restored(
        base: Arc<Image>,
        first: Step,
        before: Option<Arc<Self>>,
        crash: Option<Crash>,
    ) -> Self {
        let off = || {
            let step = crate::text::count(first);
            let why = format!("what happened up to step {step} is not kept any more");
            (first > 0).then(|| Arc::new(Self::off(why)))
        };
        Self { base, crash, ..Self::new(Image::default(), first, before.or_else(off)) }
    }

    /// Adds an entry that was recorded before.
    pub(crate) fn append(&mut self, entry: Entry) {
        self.bytes += entry.input.bytes() + ENTRY_BYTES;
        self.entries.push(entry);
    }

    /// Puts `entry` in the place of the last one; `None`: there is none.
    pub(crate) fn replace_last(&mut self, entry: Entry) -> Option<()> {
        *self.entries.last_mut()? = entry;
        Some(())
    }

    /// Size of its entries \[bytes\].
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The journal of the time before its files.
    pub(crate) fn before(&self) -> Option<&Arc<Self>> {
        self.before.as_ref()
    }

    /// The rule of the power failure that it begins with, if any.
    pub(crate) fn rule(&self) -> Option<Crash> {
        self.crash
    }

    /// Whether another journal covers the time before its files.
    pub(crate) fn has_before(&self) -> bool {
        self.before.is_some()
    }

    /// The power failure that it begins with, and the journal of the time before it.
    pub(crate) fn crash(&self) -> Option<(Crash, &Self)> {
        self.crash.zip(self.before.as_deref())
    }

    /// Records an input that has made all steps up to `after`.
    pub(crate) fn push(&mut self, input: Input, after: Step) {
        if self.ended.is_some() {
            return;
        }
        let text = input.bytes();
        if self.bytes.saturating_add(text) > BYTES_MAX {
            let steps = self.end();
            self.ended = Some(format!(
                "the journal of this branch is full: what came after step {steps} is not in it"
            ));
            return;
        }
        self.bytes += text + ENTRY_BYTES;
        self.entries.push(Entry { input, after });
    }

    /// The command written down last has ended, at `after`; `stopped`: early.
    pub(crate) fn end_line(&mut self, stopped: Option<Stopped>, after: Step) {
        if self.ended.is_none()
            && let Some(last) = self.entries.last_mut()
            && let Input::Line { stopped: known, .. } = &mut last.input
        {
            *known = stopped;
            last.after = after;
        }
    }

    /// Records one smallest step of background work.
    pub(crate) fn work(&mut self, after: Step) {
        if self.ended.is_none()
            && let Some(last) = self.entries.last_mut()
            && let Input::Work { count } = &mut last.input
        {
            *count += 1;
            last.after = after;
            return;
        }
        self.push(Input::Work { count: 1 }, after);
    }

    /// Why the past after this point cannot be replayed; `None` if it can.
    pub(crate) fn ended(&self) -> Option<&str> {
        self.ended.as_deref()
    }

    /// Its last step.
    pub(crate) fn end(&self) -> Step {
        self.entries.last().map_or(self.first, |entry| entry.after)
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Stops recording.
    pub(crate) fn stop(&mut self, why: &str) {
        self.ended.get_or_insert_with(|| why.to_owned());
    }

    /// The journal that covers `step`: this one, or an earlier one.
    ///
    /// # Errors
    /// No journal covers it: the journal was not kept, or the session made unrecorded steps.
    pub(crate) fn of(self: &Arc<Self>, step: Step) -> Result<Arc<Self>, Failure> {
        if let Some(before) = self.before.as_ref().filter(|_| step <= self.first) {
            return before.of(step);
        }
        match &self.ended {
            Some(why) if step > self.end() || self.entries.is_empty() => Err(unavailable(why)),
            _ if step > self.end() => Err(astray(step, self.end())),
            _ => Ok(Arc::clone(self)),
        }
    }

    /// Bytes that were flipped right after `step`: file, offset, bits.
    pub(crate) fn damage_after(&self, step: Step) -> impl Iterator<Item = (FileName, u64, u8)> {
        self.entries.iter().filter_map(move |entry| match entry.input {
            Input::Damage { file, offset, mask } if entry.after == step => {
                Some((file, offset, mask))
            }
            _ => None,
        })
    }

    /// The same up to and without entry `position`, with `last` after it.
    pub(crate) fn cut(&self, position: usize, last: Option<Entry>) -> Self {
        let mut entries: Vec<Entry> = self.entries.iter().take(position).cloned().collect();
        entries.extend(last);
        Self { entries, ended: None, ..self.clone() }
    }
}

/// The past cannot be replayed.
pub(crate) fn unavailable(why: &str) -> Failure {
    Failure::new("unavailable", why)
}

/// The kind of failure after which a new history begins.
pub(crate) const ASTRAY: &str = "astray";

/// A replay came to step `found` where the session was at step `expected`.
pub(crate) fn astray(expected: Step, found: Step) -> Failure {
    let message = format!(
        "the replay came to step {found} where the session was at step {expected}: something from \
         outside, such as a file that failed, had a part in what happened"
    );
    Failure::new(ASTRAY, message)
}
