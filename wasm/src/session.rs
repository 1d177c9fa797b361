//! One console and its database, spoken to in JSON.

use crate::samples::Samples;
use crate::trace::Trace;
use crate::wire::{blocked, refused, wire_events};
use crate::worker::{Place, Wishes, Worker, preset};
use levelscope::event::Event;
use levelscope::storage::MemoryStorage;
use levelscope::view::View;
use levelscope::{Budget, Error, OPTION_INFOS, OptionValue, Options, PRESETS, StepOutcome};
use levelscope_console::{BranchState, Console, Foreign, Progress, Step};
use serde_json::{Value, json};
use std::cell::Cell;
use std::sync::Arc;

/// A console with its database.
pub struct Session {
    console: Console,
    place: Place,
    trace: Arc<Trace>,
    wishes: Arc<Wishes>,
    samples: Samples,
    /// Files that are about to be opened.
    offered: Vec<Foreign>,
    /// Opened files that the page was told of.
    shelf: usize,
    /// Length of all files, as the page was told last \[bytes\].
    file_bytes: Cell<u64>,
}

struct State {
    view: Option<View>,
    next: Option<String>,
    file_bytes: u64,
}

impl Session {
    /// A session without an open database.
    pub fn new(place: Place) -> Self {
        let disk = (place == Place::Memory).then(MemoryStorage::default);
        let (trace, wishes) = (Arc::new(Trace::default()), Arc::new(Wishes::default()));
        let host = Worker { place, disk, trace: Arc::clone(&trace), wishes: Arc::clone(&wishes) };
        Self {
            console: Console::new(Box::new(host)),
            place,
            trace,
            wishes,
            samples: Samples::default(),
            offered: Vec::new(),
            shelf: 0,
            file_bytes: Cell::new(0),
        }
    }

    /// Opens the database with `{"preset": name, "settings": {name: text}}`; answers
    /// `{"state": "opened" | "blocked" | "failed", …}`.
    pub fn open(&mut self, request: &str) -> String {
        let outcome = read_options(request).and_then(|options| self.console.open(options));
        let answer = match outcome {
            Ok(()) => json!({ "state": "opened" }),
            Err(error) => refused(error),
        };
        answer.to_string()
    }

    /// Options and presets: `{"options": […], "presets": […], "preset": name | "custom"}`.
    pub fn settings(&self) -> String {
        let (options, presets, preset) = self.option_states();
        json!({ "options": options, "presets": presets, "preset": preset }).to_string()
    }

    fn option_states(&self) -> (Vec<Value>, Vec<Value>, &'static str) {
        let current = self.console.options();
        let options: Vec<Value> = OPTION_INFOS
            .iter()
            .map(|info| {
                json!({
                    "name": info.name,
                    "unit": info.unit,
                    "words": info.words,
                    "min": info.min,
                    // JavaScript's numbers end at 2^53; the few larger maxima mean "any".
                    "max": info.max.min((1 << 53) - 1),
                    "purpose": info.purpose,
                    "value": value_text(&(info.get)(current)),
                })
            })
            .collect();
        let presets: Vec<Value> = PRESETS
            .iter()
            .map(|preset| json!({ "name": preset.name, "purpose": preset.purpose }))
            .collect();
        let same = |name: &&str| preset(name).as_ref() == Some(current);
        let preset = PRESETS.iter().map(|preset| preset.name).find(same).unwrap_or("custom");
        (options, presets, preset)
    }

    /// Begins a line of commands; [`Session::advance`] does the work.
    pub fn start(&mut self, line: &str) {
        self.console.start(line);
    }

    /// Begins to answer a [`levelscope_console::Query`] that is written as JSON, as of `step`; [`Session::advance`] has the answer.
    /// Says why it is no query, if so.
    pub fn start_query(&mut self, query: &str, step: Option<Step>) -> Option<String> {
        match serde_json::from_str(query) {
            Ok(query) => self.console.start_query(&query, step),
            Err(error) => return Some(format!("this is no query: {error}")),
        }
        None
    }

    /// Takes a file that [`Session::start_files`] is to open.
    pub fn offer_file(&mut self, name: &str, bytes: Vec<u8>) {
        self.offered.push(Foreign { name: name.to_owned(), bytes });
    }

    /// Begins to open the files that were offered, as the command `open` does.
    pub fn start_files(&mut self) {
        self.console.start_files(std::mem::take(&mut self.offered));
    }

    /// The next file of those that a person is to keep.
    pub fn take_exported(&mut self) -> Option<Foreign> {
        self.wishes.take_saved()
    }

    /// Begins a line about the past of the current branch, as it was at `step`.
    pub fn start_at(&mut self, line: &str, step: Step) {
        self.console.start_at(line, step);
    }

    /// Begins to tell the events `from` to `to` again; [`Session::take_window`] has them when
    /// [`Session::advance`] says that it is done.
    pub fn start_window(&mut self, from: Step, to: Step, details: bool) {
        self.console.start_window(from, to, details);
    }

    /// The events that were told again, as the message for the page without its `id`.
    pub fn take_window(&mut self) -> Option<String> {
        let window = self.console.take_window()?;
        let message = json!({
            "type": "window",
            "from": window.from,
            "to": window.to,
            "events": wire_events(&window.events),
            "view": window.view,
        });
        Some(message.to_string())
    }

    /// Messages for the page about branches, breakpoints and opened files, as a list; what `advance` and `step` have
    /// changed.
    pub fn news(&mut self) -> String {
        let mut news = Vec::new();
        let (changed, switched) = self.console.take_branch_changes();
        if changed {
            news.push(self.branches());
        }
        if switched {
            self.samples = Samples::from(self.console.steps());
            news.push(self.switched());
        }
        if self.console.take_breakpoint_changes() {
            let breakpoints = self.console.breakpoints();
            news.push(json!({ "type": "breakpoints", "breakpoints": breakpoints }));
        }
        let shelf = self.console.opened_files();
        if shelf != self.shelf {
            self.shelf = shelf;
            news.push(json!({ "type": "shelf", "files": shelf }));
        }
        for hit in self.console.take_hits() {
            news.push(json!({
                "type": "break",
                "step": hit.step,
                "breakpoint": hit.breakpoint,
                "name": hit.name,
                "before": hit.before,
            }));
        }
        json!(news).to_string()
    }

    /// The message about all branches.
    fn branches(&self) -> Value {
        let (states, current) = self.console.branches();
        let branch = |state: BranchState| {
            json!({
                "id": state.id,
                "name": state.name,
                "parent": state.parent,
                "forkedAt": state.forked_at,
                "storage": self.storage_of(state.id),
                "steps": state.steps,
                "pastless": state.pastless,
                "damaged": state.damaged,
            })
        };
        let branches: Vec<Value> = states.into_iter().map(branch).collect();
        json!({ "type": "branches", "branches": branches, "current": current })
    }

    fn storage_of(&self, branch: usize) -> &'static str {
        if branch == 0 && self.place == Place::Origin { "opfs" } else { "memory" }
    }

    fn switched(&self) -> Value {
        let state = self.state();
        let (options, _, preset) = self.option_states();
        let branch = self.console.branches().1;
        json!({
            "type": "switched",
            "branch": branch,
            "storage": self.storage_of(branch),
            "step": self.console.steps(),
            "view": state.view.unwrap_or_default(),
            "options": options,
            "preset": preset,
            "next": state.next,
            "fileBytes": state.file_bytes,
        })
    }

    /// Does at most about `units` operations of the line at work; answers
    /// `{"state": "idle" | "more" | "blocked" | "done", "lines": […], "play": bool | null, "pick": bool, "save": name | null, …}`. `turns`:
    /// the page has to get the events so far before the next call.
    pub fn advance(&mut self, units: u32) -> String {
        let mut answer = match self.console.advance(units) {
            Progress::Idle => json!({ "state": "idle", "lines": [] }),
            Progress::More { done, total, label, lines, turns } => json!({
                "state": "more",
                "done": done,
                "total": total,
                "label": label,
                "lines": lines,
                "turns": turns,
            }),
            Progress::Blocked(file, lines) => {
                json!({ "state": "blocked", "file": file, "lines": lines })
            }
            Progress::Done(response) => json!({
                "state": "done",
                "lines": response.lines,
                "result": response.result,
                "error": response.error,
            }),
        };
        self.sample();
        if let Some(fields) = answer.as_object_mut() {
            fields.insert("play".into(), json!(self.wishes.take_play()));
            fields.insert("pick".into(), json!(self.wishes.take_pick()));
            fields.insert("save".into(), json!(self.wishes.saved_name()));
        }
        answer.to_string()
    }

    /// Stops the line at work.
    pub fn cancel(&mut self) {
        self.console.cancel();
    }

    /// Does up to `count` steps of background work of the grain `entry`, `phase` or `job`; answers
    /// `{"state": "idle" | "more" | "stopped" | "blocked" | "failed", …}`. `stopped`: a breakpoint struck,
    /// and [`Session::advance`] has what is to be said about it.
    pub fn step(&mut self, grain: &str, count: u32) -> String {
        let budget = match grain {
            "entry" => Budget::Entry,
            "job" => Budget::Job,
            _ => Budget::Phase,
        };
        let answer = self.step_with(budget, count).unwrap_or_else(refused).to_string();
        self.sample();
        answer
    }

    /// Notes the figures after a call.
    fn sample(&mut self) {
        self.samples.note(self.console.steps(), self.console.db());
    }

    fn step_with(&mut self, budget: Budget, count: u32) -> levelscope::Result<Value> {
        for _ in 0..count {
            let outcome = self.console.step(budget);
            if self.console.is_busy() {
                return Ok(json!({ "state": "stopped" }));
            }
            match outcome? {
                StepOutcome::Idle => return Ok(json!({ "state": "idle" })),
                StepOutcome::More | StepOutcome::Finished(_) => {}
                StepOutcome::Blocked(file) => return Ok(blocked(file)),
            }
        }
        Ok(json!({ "state": if self.has_work() { "more" } else { "idle" } }))
    }

    /// Whether merged entries are told one by one.
    pub fn want_details(&mut self, wanted: bool) {
        self.trace.want_details(wanted);
    }

    /// The events since the last call, as the message for the page; `None` when there are none.
    /// `checkpoint` adds the view in any case; it is there too when the database was opened anew.
    pub fn events(&mut self, checkpoint: bool) -> Option<String> {
        let (events, elided) = self.trace.drain();
        if events.is_empty() && elided == 0 && !checkpoint {
            return None;
        }
        let opened = |(_, event): &(Step, Event)| event.kind.name() == "recovery.begin";
        let shown = checkpoint || elided > 0 || events.iter().any(opened);
        self.sample();
        let state = self.state();
        let message = json!({
            "type": "events",
            "events": wire_events(&events),
            "elided": elided,
            "landmarks": self.trace.take_landmarks(),
            "samples": self.samples.take(),
            "view": state.view.filter(|_| shown),
            "next": state.next,
            "fileBytes": state.file_bytes,
        });
        Some(message.to_string())
    }

    /// What the page draws of the current branch.
    fn state(&self) -> State {
        let db = self.console.db();
        // While a file has to be opened first, it is as it was.
        let file_bytes = self.console.file_bytes().unwrap_or(self.file_bytes.get());
        self.file_bytes.set(file_bytes);
        let view = db.map(levelscope::Db::view);
        State { view, next: db.and_then(levelscope::Db::next_step), file_bytes }
    }

    /// Whether there is background work to step.
    pub fn has_work(&self) -> bool {
        self.console.db().is_some_and(levelscope::Db::has_work)
    }

    /// Names of files that the engine will create soon, as a list.
    pub fn files_wanted_soon(&self) -> String {
        let db = self.console.db().filter(|_| self.console.branches().1 == 0);
        let files = db.map(levelscope::Db::files_wanted_soon);
        json!(files.unwrap_or_default()).to_string()
    }

    /// Ways to go on typing; `cursor` and `from` count UTF-16 units.
    pub fn complete(&mut self, line: &str, cursor: usize) -> String {
        let mut items = self.console.complete(line, bytes_before(line, cursor));
        for item in &mut items {
            let before = line.get(..item.from).unwrap_or(line);
            item.from = before.encode_utf16().count();
        }
        json!(items).to_string()
    }

    /// Closes the database; answers `{"state": "closed" | "blocked" | "failed", …}`.
    pub fn close(&mut self) -> String {
        let answer = match self.console.close() {
            Ok(()) => json!({ "state": "closed" }),
            Err(error) => refused(error),
        };
        answer.to_string()
    }
}

fn read_options(request: &str) -> levelscope::Result<Options> {
    let request: Value = serde_json::from_str(request)
        .map_err(|error| Error::invalid(format!("the request is not JSON: {error}")))?;
    let name = request.get("preset").and_then(Value::as_str).unwrap_or("default");
    let mut options =
        preset(name).ok_or_else(|| Error::invalid(format!("there is no preset {name:?}")))?;
    for (name, value) in request.get("settings").and_then(Value::as_object).into_iter().flatten() {
        options.set(name, value.as_str().unwrap_or_default())?;
    }
    Ok(options)
}

fn value_text(value: &OptionValue) -> String {
    value.to_string()
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
