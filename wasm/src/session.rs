//! One console and its database, spoken to in JSON.

use crate::event_buffer::{Drained, EventBuffer};
use crate::samples::Samples;
use crate::wire::{blocked, json, refused, wire_events};
use crate::worker::{HostRequests, Worker, preset};
use levelscope::event::EventKind;
use levelscope::storage::MemoryStorage;
use levelscope::view::View;
use levelscope::{Budget, Error, Options, PRESETS, StepOutcome};
use levelscope_console::lesson::Tutor;
use levelscope_console::protocol::{
    Arrival, CallState, CurrentOptions, Message, NumberedRequest, PlayGrain, Request, SliceState,
    StorageKind, Work,
};
use levelscope_console::result::{OptionState, PresetState};
use levelscope_console::{Foreign, HistoryUpdate, Progress, Resumed};
use std::cell::Cell;
use std::sync::Arc;

/// A console with its database.
pub struct Session {
    tutor: Tutor,
    place: StorageKind,
    events: Arc<EventBuffer>,
    requests: Arc<HostRequests>,
    samples: Samples,
    /// The request that asked for the window at work.
    asked_window: u64,
    /// Files that are about to be imported.
    offered: Vec<Foreign>,
    /// Length of all files in the last message to the page \[bytes\].
    file_bytes: Cell<u64>,
}

struct State {
    view: Option<Box<View>>,
    next: Option<String>,
    file_bytes: u64,
}

impl Session {
    /// A session without an open database.
    pub fn new(place: StorageKind) -> Self {
        let disk = (place == StorageKind::Memory).then(MemoryStorage::default);
        let (events, requests) =
            (Arc::new(EventBuffer::default()), Arc::new(HostRequests::default()));
        let host =
            Worker { place, disk, events: Arc::clone(&events), requests: Arc::clone(&requests) };
        Self {
            tutor: Tutor::new(Arc::new(host)),
            place,
            events,
            requests,
            samples: Samples::default(),
            asked_window: 0,
            offered: Vec::new(),
            file_bytes: Cell::new(0),
        }
    }

    /// Opens the database as `request` asks, an [`NumberedRequest`] in JSON; answers with a [`CallState`].
    pub fn open(&mut self, request: &str) -> String {
        let outcome =
            read_options(request).and_then(|options| self.tutor.console_mut().open(options));
        json(&outcome.map_or_else(refused, |()| CallState::Done {}))
    }

    /// Goes on after the session whose history is `kept`, before the database is opened: see
    /// [`Console::keep_history`](levelscope_console::Console::keep_history).
    pub fn keep_history(&mut self, version: &str, kept: &[u8]) -> Resumed {
        self.tutor.own_mut().keep_history(version, kept)
    }

    /// The bytes of history since the last call, if they have to be kept now.
    pub fn take_kept(&mut self) -> Option<HistoryUpdate> {
        self.tutor.own_mut().take_kept()
    }

    /// Whether there was room for the history.
    pub fn keeps_history(&self) -> bool {
        self.tutor.own().keeps_history()
    }

    /// Begins to bring back the branches of the earlier session; [`Session::advance`] does the work.
    pub fn begin_returning(&mut self) {
        self.tutor.own_mut().start_returning();
    }

    /// The [`CurrentOptions`].
    pub fn settings(&self) -> String {
        json(&CurrentOptions {
            options: OptionState::all(self.tutor.console().options()),
            presets: PresetState::all(),
            preset: self.preset(),
        })
    }

    /// The preset that the options are equal to.
    fn preset(&self) -> String {
        let current = self.tutor.console().options();
        let same = |name: &&str| preset(name).as_ref() == Some(current);
        PRESETS.iter().map(|preset| preset.name).find(same).unwrap_or("custom").to_owned()
    }

    /// Begins `request`, an [`NumberedRequest`] in JSON: a command, a query, a window or the files that were offered.
    /// [`Session::advance`] does the work.
    ///
    /// # Errors
    /// Why it is no such request, as the message [`Message::Failed`]. The files that were offered are forgotten.
    pub fn begin(&mut self, request: &str) -> Result<(), String> {
        let NumberedRequest { id, request } =
            NumberedRequest::read(request).map_err(|refused| {
                self.offered.clear();
                json(&refused)
            })?;
        match request {
            Request::Command { line, at: None } => self.tutor.start(&line),
            Request::Command { line, at: Some(step) } => self.tutor.instead().start_at(&line, step),
            Request::Query { query, at } => self.tutor.instead().start_query(query, at),
            Request::Window { branch, from, to, details } => {
                self.asked_window = id;
                self.tutor.instead().start_window(branch, from, to, details);
            }
            Request::Files { .. } => {
                self.tutor.instead().start_files(std::mem::take(&mut self.offered));
            }
            Request::Lesson { name, text } => self.tutor.start_text(&name, &text),
            Request::Shared { text, runs } => self.tutor.start_shared(&text, runs),
            _ => return Err("this request begins no work".into()),
        }
        Ok(())
    }

    /// Takes a file that the next request for files imports.
    pub fn offer_file(&mut self, name: &str, bytes: Vec<u8>) {
        self.offered.push(Foreign { name: name.to_owned(), bytes });
    }

    /// The next file of those that a person is to keep.
    pub fn take_exported(&mut self) -> Option<Foreign> {
        self.requests.take_saved()
    }

    /// The events that were repeated, as the message [`Message::Window`].
    pub fn take_window(&mut self) -> Option<String> {
        let window = self.tutor.console_mut().take_window()?;
        Some(json(&Message::Window {
            id: self.asked_window,
            from: window.from,
            to: window.to,
            events: wire_events(&window.events),
            view: Box::new(window.view),
        }))
    }

    /// [`Message`]s about branches and breakpoints, as a list; the changes of `advance` and `step`.
    pub fn news(&mut self) -> String {
        let mut news = Vec::new();
        let entered = self.tutor.take_entered();
        if entered {
            self.samples = Samples::from(self.tutor.console().steps());
            let lesson = self.tutor.is_in_lesson();
            news.push(Message::Entered { lesson, arrival: self.arrival() });
        }
        let (changed, switched) = self.tutor.console_mut().take_branch_changes();
        if changed || entered {
            let (branches, current) = self.tutor.console().branches();
            news.push(Message::Branches { branches, current });
        }
        if switched && !entered {
            self.samples = Samples::from(self.tutor.console().steps());
            news.push(Message::Switched(self.arrival()));
        }
        if self.tutor.console_mut().take_breakpoint_changes() || entered {
            news.push(Message::Breakpoints { breakpoints: self.tutor.console().breakpoints() });
        }
        for hit in self.tutor.console_mut().take_hits() {
            news.push(Message::Break {
                step: hit.step,
                breakpoint: hit.breakpoint,
                name: hit.name,
                before: hit.before,
            });
        }
        if let Some(lesson) = self.tutor.take_lesson() {
            news.push(Message::Lesson { lesson: lesson.map(Box::new) });
        }
        json(&news)
    }

    /// The state of the console at work, for a page that comes to it.
    fn arrival(&self) -> Arrival {
        let state = self.state();
        let console = self.tutor.console();
        let branch = console.branch();
        let is_own = branch == 0 && !self.tutor.is_in_lesson();
        Arrival {
            branch,
            storage: if is_own { self.place } else { StorageKind::Memory },
            step: console.steps(),
            view: state.view.unwrap_or_default(),
            options: OptionState::all(console.options()),
            preset: self.preset(),
            next: state.next,
            file_bytes: state.file_bytes,
            follows: !self.events.is_empty(),
        }
    }

    /// Does at most about `units` operations of the work at hand; answers with [`Work`].
    pub fn advance(&mut self, units: u32) -> String {
        let (lines, state) = match self.tutor.advance(units) {
            Progress::Idle => (Vec::new(), SliceState::Idle {}),
            Progress::More { done, total, label, lines, turns } => {
                (lines, SliceState::More { done, total, label, turns })
            }
            Progress::Blocked(file, lines) => {
                (lines, SliceState::Blocked { file: file.to_string() })
            }
            Progress::Done(mut response) => {
                let lines = std::mem::take(&mut response.lines);
                let error = response.error.take();
                (lines, SliceState::Done { answers: response.answers, error })
            }
        };
        self.sample();
        let (play, pick) = (self.requests.take_play(), self.requests.take_pick());
        let wants = self.requests.take_wants();
        json(&Work { lines, play, pick, wants, save: self.requests.saved_name(), state })
    }

    /// Stops the line at work.
    pub fn cancel(&mut self) {
        self.tutor.cancel();
    }

    /// Does up to `count` steps of background work of the [`PlayGrain`] that is called `grain`; answers with a
    /// [`CallState`].
    pub fn step(&mut self, grain: &str, count: u32) -> String {
        let state = read_budget(grain).and_then(|budget| self.step_with(budget, count));
        let answer = json(&state.unwrap_or_else(refused));
        self.sample();
        answer
    }

    /// Notes the figures after a call.
    fn sample(&mut self) {
        self.samples.note(self.tutor.console().steps(), self.tutor.console().db());
    }

    fn step_with(&mut self, budget: Budget, count: u32) -> levelscope::Result<CallState> {
        for _ in 0..count {
            let outcome = self.tutor.console_mut().step(budget);
            if self.tutor.console().is_busy() {
                return Ok(CallState::Stopped {});
            }
            match outcome? {
                StepOutcome::Idle => return Ok(CallState::Done {}),
                StepOutcome::More | StepOutcome::Finished(_) => {}
                StepOutcome::Blocked(file) => return Ok(blocked(file)),
            }
        }
        Ok(if self.has_work() { CallState::More {} } else { CallState::Done {} })
    }

    /// The events since the last call, as the message [`Message::Events`]; `None` when there are none.
    /// `checkpoint` adds the view in any case; it is there too when the database was opened anew.
    pub fn events(&mut self, checkpoint: bool) -> Option<String> {
        let drained = self.events.drain();
        self.message(drained, checkpoint)
    }

    /// As [`Session::events`], in the middle of work. When it outruns the page, there are fewer events: sending them
    /// costs more than the work itself, and the next message takes the place of this one in a moment.
    pub fn newest_events(&mut self) -> Option<String> {
        let drained = self.events.drain_newest();
        self.message(drained, false)
    }

    fn message(
        &mut self,
        Drained { events, elided, detailed }: Drained,
        checkpoint: bool,
    ) -> Option<String> {
        if events.is_empty() && elided == 0 && !checkpoint {
            return None;
        }
        let opens = |kind: &EventKind| matches!(kind, EventKind::RecoveryBegin { .. });
        let shown = checkpoint || elided > 0 || events.iter().any(|(_, event)| opens(&event.kind));
        self.sample();
        let state = self.state();
        Some(json(&Message::Events {
            events: wire_events(&events),
            elided,
            detailed,
            landmarks: self.events.take_landmarks(),
            samples: self.samples.take(),
            view: state.view.filter(|_| shown),
            next: state.next,
            file_bytes: state.file_bytes,
        }))
    }

    /// The state of the current branch that the page draws.
    fn state(&self) -> State {
        let db = self.tutor.console().db();
        // While a file has to be opened first, it is as it was.
        let file_bytes = self.tutor.console().file_bytes().unwrap_or(self.file_bytes.get());
        self.file_bytes.set(file_bytes);
        let view = db.map(|db| Box::new(db.view()));
        State { view, next: db.and_then(levelscope::Db::next_step), file_bytes }
    }

    /// Whether there is background work to step.
    pub fn has_work(&self) -> bool {
        self.tutor.console().db().is_some_and(levelscope::Db::has_work)
    }

    /// Ways to go on typing; `cursor` and `from` count UTF-16 units.
    pub fn complete(&mut self, line: &str, cursor: usize) -> String {
        let mut items = self.tutor.complete(line, bytes_before(line, cursor));
        for item in &mut items {
            let before = line.get(..item.from).unwrap_or(line);
            item.from = before.encode_utf16().count();
        }
        json(&items)
    }

    /// Closes the database; answers with a [`CallState`].
    pub fn close(&mut self) -> String {
        json(&self.tutor.close().map_or_else(refused, |()| CallState::Done {}))
    }
}

fn read_options(request: &str) -> levelscope::Result<Options> {
    let asked = NumberedRequest::read(request).map_err(|refused| Error::invalid(json(&refused)))?;
    let Request::Open { preset: name, settings, .. } = asked.request else {
        return Err(Error::invalid("this request opens nothing"));
    };
    let mut options =
        preset(&name).ok_or_else(|| Error::invalid(format!("there is no preset {:?}", &*name)))?;
    for (name, value) in settings.iter() {
        options.set(name, value)?;
    }
    Ok(options)
}

fn read_budget(grain: &str) -> levelscope::Result<Budget> {
    match PlayGrain::read(grain) {
        Some(PlayGrain::Entry) => Ok(Budget::Entry),
        Some(PlayGrain::Phase) => Ok(Budget::Phase),
        Some(PlayGrain::Job) => Ok(Budget::Job),
        None => Err(Error::invalid(format!("there are no steps of {grain:?}"))),
    }
}

/// Bytes of `line` before the UTF-16 position `cursor`.
fn bytes_before(line: &str, cursor: usize) -> usize {
    let mut units = 0;
    for (index, character) in line.char_indices() {
        if units >= cursor {
            return index;
        }
        units += character.len_utf16();
    }
    line.len()
}
