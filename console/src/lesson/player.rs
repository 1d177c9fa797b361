//! A lesson that is played: the runner's acts, with a learner in between.

mod asked;
mod expected;
mod lead;
mod probe;
mod recap;
mod shown;
mod standing;

use super::library;
use super::run::Happened;
use super::run::acts::{Act, acts};
use super::{Advance, Complaint, Lesson, Moment, Runner, What, head, parse, shared};
use crate::console::Console;
use crate::history::Step;
use crate::output::{Failure, Response};
use crate::result::{LessonHead, LessonOutcome, LessonReveal, LessonWaits};
use expected::Expected;
pub(super) use lead::Led;
use levelscope::Options;
use levelscope::internals::Few;
use probe::Probe;
use standing::Standing;

/// The wait after acts that were done again.
enum Resume {
    /// The wait of the last act.
    AsLast,
    /// This; `None`: it goes on.
    With(Option<LessonWaits>),
}

/// Where a lesson comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// A lesson of the library, which claims something of what its commands do.
    Lesson,
    /// A lesson that came in a file or a link.
    Read,
    /// A script that was shared, which claims nothing.
    Script,
    /// A lesson of which only the question of this item is asked.
    Recap(usize),
}

/// State of a question.
#[derive(Default)]
struct QuestionState {
    /// The learner's answer; empty: "I do not know".
    given: Option<String>,
    reveal: Option<LessonReveal>,
}

/// State of a task.
#[derive(Default)]
struct Tried {
    outcome: Option<LessonOutcome>,
    /// The goals that do not hold, by their numbers.
    missing: Vec<usize>,
    /// Commands typed for it.
    commands: usize,
    hints: usize,
    sees_solution: bool,
}

/// A lesson that is played.
pub(super) struct Player {
    lesson: Lesson,
    text_hash: u32,
    acts: Vec<Act>,
    /// The scene of each item, from 0.
    scenes: Vec<usize>,
    runner: Runner,
    /// The options of the first database, until it is made.
    fresh: Option<Box<Options>>,
    /// Acts that are done.
    at: usize,
    /// Acts up to here are done again without the learner.
    goal: Option<usize>,
    /// The wait after it.
    resumes: Resume,
    /// The scene on show.
    scene: usize,
    /// What the last act makes the lesson wait for, until the learner goes on.
    pause: Option<LessonWaits>,
    waits: LessonWaits,
    expected: Option<Expected>,
    /// The line of the lesson is to be typed.
    types: bool,
    /// The response to the lesson's line.
    typed: Option<Response>,
    probe: Option<Probe>,
    asked: Few<usize, QuestionState>,
    tried: Few<usize, Tried>,
    /// Contradicted claims, by item.
    wrong: Few<usize, Vec<String>>,
    /// The last step of each line that has run, by item.
    ends: Few<usize, Vec<Step>>,
    origin: Origin,
    /// Whether the lesson has done something since it waited last.
    acted: bool,
    /// Where the database of the lesson was left; it is elsewhere after commands of the learner's own.
    stands: Option<Standing>,
    /// Whether the learner has done a task of this database in a way of their own.
    own_way: bool,
}

impl Player {
    /// The lessons of `library`.
    pub(super) fn heads(library: &[&str]) -> Vec<LessonHead> {
        library.iter().filter_map(|text| head::of(text)).collect()
    }

    /// Begins the lesson of `library` with this id.
    pub(super) fn find(library: &[&str], id: &str) -> Result<Self, Failure> {
        let Some(text) = library::find(library, id) else {
            let shown = crate::text::short_word(id.as_bytes(), 32);
            let failure = Failure::usage(format!("there is no lesson {shown}"));
            return Err(failure.hint("`lesson` lists them"));
        };
        Self::of_text(id, text)
    }

    /// Begins the lesson in `text`.
    pub(super) fn read(name: &str, text: &str) -> Result<Self, Failure> {
        Ok(Self { origin: Origin::Read, ..Self::of_text(name, text)? })
    }

    fn of_text(name: &str, text: &str) -> Result<Self, Failure> {
        let lesson = parse(text).map_err(|complaints| {
            let name = crate::text::printable(name);
            refused(&format!("{name}:"), &complaints).hint(format!(
                "`levelscope lesson check {name}` of the native program prints the same"
            ))
        })?;
        Ok(Self::new(lesson, crc32fast::hash(text.as_bytes())))
    }

    /// Begins the script in `text`, which was shared.
    pub(super) fn shared(text: &str) -> Result<Self, Failure> {
        let lesson = shared::lesson(text).map_err(|complaints| refused("line ", &complaints))?;
        let player = Self::new(lesson, crc32fast::hash(text.as_bytes()));
        Ok(Self { origin: Origin::Script, ..player })
    }

    fn new(lesson: Lesson, text_hash: u32) -> Self {
        let opening = std::iter::repeat_n(0, lesson.opening.len());
        let others = lesson.scenes.iter().enumerate();
        let others = others.flat_map(|(at, scene)| std::iter::repeat_n(at + 1, scene.items.len()));
        Self {
            scenes: opening.chain(others).collect(),
            acts: acts(&lesson).into(),
            runner: Runner::new(&lesson),
            fresh: Some(Box::new(lesson.options())),
            lesson,
            text_hash,
            at: 0,
            goal: None,
            resumes: Resume::AsLast,
            scene: 0,
            pause: None,
            waits: LessonWaits::Read { scene: false },
            expected: None,
            types: false,
            typed: None,
            probe: None,
            asked: Few::new(),
            tried: Few::new(),
            wrong: Few::new(),
            ends: Few::new(),
            origin: Origin::Lesson,
            acted: true,
            stands: None,
            own_way: false,
        }
    }

    fn what(&self, item: usize) -> Option<&What> {
        self.lesson.items().nth(item).map(|item| &item.what)
    }

    fn scene_of(&self, item: usize) -> usize {
        self.scenes.get(item).copied().unwrap_or(0)
    }

    /// The act that was done last.
    fn last_act(&self) -> Option<&Act> {
        self.acts.get(self.at.checked_sub(1)?)
    }

    /// Does all up to the act `goal` again, in an empty database, without the learner.
    fn restart(&mut self, goal: usize) {
        let first = self.acts.iter().position(|act| self.scene_of(act.item()) >= self.scene);
        let before = self.acts.get(..=first.unwrap_or(goal)).unwrap_or(&self.acts);
        let begin = before.iter().rposition(|act| matches!(act, Act::Fresh(..)));
        let options = match begin.and_then(|begin| self.acts.get(begin)) {
            Some(Act::Fresh(_, options)) => options.clone(),
            _ => Box::new(self.lesson.options()),
        };
        self.at = begin.map_or(0, |begin| begin + 1);
        let again = self.acts.get(self.at).map_or(usize::MAX, Act::item);
        self.ends.retain(|item, _| *item < again);
        self.runner = Runner::new(&self.lesson);
        self.runner.skip(self.at);
        self.fresh = Some(options);
        self.goal = Some(goal);
        self.acted = true;
        (self.pause, self.expected, self.probe, self.stands) = (None, None, None, None);
        (self.typed, self.own_way, self.resumes) = (None, false, Resume::AsLast);
    }

    /// One act of those that are done again, or left out where nothing that is shown depends on it.
    fn replay(&mut self, console: &mut Console, units: u32) -> Led {
        let is_needed = match self.runner.next_act() {
            Some(Act::Fresh(..) | Act::Type(..) | Act::Solve(..)) => true,
            Some(act @ (Act::Ask(_) | Act::Answer(_) | Act::Try(_))) => {
                self.scene_of(act.item()) >= self.scene
            }
            _ => false,
        };
        if is_needed {
            return self.run(console, units);
        }
        self.runner.skip(1);
        self.at += 1;
        Led::More
    }

    fn run(&mut self, console: &mut Console, units: u32) -> Led {
        match self.runner.advance(console, units) {
            Advance::More => Led::More,
            Advance::Fresh(options) => {
                self.at += 1;
                self.own_way = false;
                Led::Fresh(options)
            }
            Advance::Moment(moment) => {
                self.happened(moment, console);
                Led::More
            }
            // A disk in memory has no files to wait for.
            Advance::Blocked(_) | Advance::Over => {
                self.stop_short();
                Led::Rests
            }
        }
    }

    /// The lesson takes too long: it ends here.
    fn stop_short(&mut self) {
        let complaints = self.runner.take_complaints().into_iter();
        let item = self.acts.get(self.at).map_or(0, Act::item);
        self.wrong.or_default(item).extend(complaints.map(|complaint| complaint.message));
        (self.goal, self.pause, self.resumes) = (None, None, Resume::AsLast);
        self.waits = LessonWaits::Over {};
    }

    fn happened(&mut self, moment: Moment, console: &Console) {
        let Moment { item, what, .. } = moment;
        if let (Happened::Ran(_), Some(What::Run(_))) = (&what, self.what(item)) {
            self.ends.or_default(item).push(console.steps());
        }
        let complaints = self.runner.take_complaints();
        let is_task = matches!(self.what(item), Some(What::Try(_)));
        if self.goal.is_none() && !is_task && self.origin != Origin::Script {
            let wrong = complaints.into_iter().map(|complaint| complaint.message);
            self.wrong.or_default(item).extend(wrong);
        }
        if let Happened::Answered { choice, words, value } = what {
            self.reveal(item, choice, words, &value);
        }
        self.at += 1;
        self.acted = true;
        if self.goal.is_none() {
            self.pause_after();
        }
    }

    /// What the act that was done last makes the lesson wait for.
    fn pause_after(&mut self) {
        let next = self.acts.get(self.at);
        let scene = next.is_some_and(|act| self.scene_of(act.item()) != self.scene);
        // A note for the presenter is nothing that a learner waits for.
        let done = self.acts.get(..self.at).unwrap_or_default().iter();
        let last = done.rev().find(|act| !self.is_note(act)).cloned();
        if self.leaves_out(last.as_ref()) {
            self.pause = None;
            return;
        }
        if next.is_some_and(|act| self.is_note(act))
            && !matches!(last, Some(Act::Ask(_) | Act::Try(_)))
        {
            self.pause = None;
            return;
        }
        self.pause = match last {
            Some(Act::Ask(item)) if self.asked.get(&item).is_none_or(|it| it.given.is_none()) => {
                self.name(item).map(|name| LessonWaits::Answered { name })
            }
            Some(Act::Answer(_)) if !matches!(next, Some(Act::Answer(_))) => {
                Some(LessonWaits::Read { scene })
            }
            Some(Act::Solved(_)) => Some(LessonWaits::Read { scene }),
            Some(Act::Try(item)) => {
                let tried = self.tried.or_default(item);
                let (hints, sees_solution) = (tried.hints, tried.sees_solution);
                *tried = Tried { hints, sees_solution, ..Tried::default() };
                self.probe = Some(Probe::of(item));
                self.name(item).map(|name| LessonWaits::Done { name })
            }
            _ => None,
        };
    }

    fn is_note(&self, act: &Act) -> bool {
        matches!(act, Act::Text(item) if matches!(self.what(*item), Some(What::Note(_))))
    }

    fn name(&self, item: usize) -> Option<String> {
        match self.what(item)? {
            What::Ask(ask) => Some(ask.name.clone()),
            What::Try(task) => Some(task.name.clone()),
            _ => None,
        }
    }

    /// What the lesson waits for before `act`; `None`: it goes on by itself.
    fn pause(&mut self, act: &Act) -> Option<LessonWaits> {
        if let Some(pause) = &self.pause {
            return Some(pause.clone());
        }
        if let Origin::Recap(_) = self.origin {
            return None;
        }
        if self.scene_of(act.item()) != self.scene {
            return Some(LessonWaits::Read { scene: true });
        }
        let Act::Type(item, number) = act else { return None };
        let Some(What::Run(lines)) = self.what(*item) else { return None };
        let text = lines.get(*number)?.command.clone();
        let expected = self.expected.get_or_insert_with(|| Expected::of(text));
        Some(LessonWaits::Typed { line: expected.line() })
    }

    /// Whether what follows in this database takes it to be as the author's solution leaves it.
    fn needs_authors_way(&self) -> bool {
        self.ahead().any(|act| matches!(act, Act::Type(..) | Act::Ask(_) | Act::Check(..)))
    }

    /// The acts that follow in this database.
    fn ahead(&self) -> impl Iterator<Item = &Act> {
        self.acts.iter().skip(self.at).take_while(|act| !matches!(act, Act::Fresh(..)))
    }
}

/// Why a text is no lesson: its complaints, each with `place` and its line.
fn refused(place: &str, complaints: &[Complaint]) -> Failure {
    let lines = complaints.iter().map(|complaint| {
        format!("{place}{}: {}", complaint.line, crate::text::printable(&complaint.message))
    });
    Failure::usage(lines.collect::<Vec<_>>().join("\n"))
}
