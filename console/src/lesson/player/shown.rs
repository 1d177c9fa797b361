//! The state of a lesson, as a page or a terminal shows it: nothing is revealed before its time.

use super::expected::commands as commands_of;
use super::{Origin, Player};
use crate::console::Console;
use crate::lesson::run::acts::Act;
use crate::lesson::{Answer, Ask, Try, ValueKind, What};
use crate::result::{
    LessonAnswerKind, LessonItem, LessonKind, LessonPart, LessonQuestion, LessonScene, LessonState,
    LessonTask, LessonWaits,
};

impl Player {
    /// The state.
    pub(in crate::lesson) fn shown(&self, console: &Console) -> LessonState {
        LessonState {
            head: self.lesson.head.clone(),
            text_hash: self.text_hash,
            kind: match self.origin {
                Origin::Lesson => LessonKind::Lesson,
                Origin::Read => LessonKind::Read,
                Origin::Script => LessonKind::Script,
                Origin::Recap(_) => LessonKind::Recap,
            },
            scenes: self.scenes_shown(),
            scene: self.scene,
            items: self.items_shown(),
            waits: self.waits.clone(),
            strayed: self.has_strayed(console),
            at: self.at,
            end: self.acts.len(),
        }
    }

    fn scenes_shown(&self) -> Vec<LessonScene> {
        let titles = self.lesson.scenes.iter().map(|scene| scene.title.clone());
        let titles = std::iter::once(Vec::new()).chain(titles);
        let scene = |(number, title)| {
            let at = self.acts.iter().position(|act| self.scene_of(act.item()) >= number);
            LessonScene { title, at: at.unwrap_or(self.acts.len()) }
        };
        titles.enumerate().map(scene).collect()
    }

    /// The items of the current scene up to the current act.
    fn items_shown(&self) -> Vec<LessonItem> {
        // The line that comes next, or the one at which it was stopped.
        let is_at = matches!(self.waits, LessonWaits::Typed { .. } | LessonWaits::Over {});
        let count = self.at + usize::from(is_at);
        let acts = self.acts.get(..count).unwrap_or(&self.acts);
        let mut items: Vec<LessonItem> = Vec::new();
        for act in acts {
            let number = act.item();
            let known = items.iter().any(|item| item.number == number);
            let is_other = self.leaves_out(Some(act));
            if known || is_other || self.scene_of(number) != self.scene {
                continue;
            }
            if let Some(what) = self.what(number) {
                items.push(LessonItem { number, what: self.part(number, what) });
            }
        }
        items
    }

    fn part(&self, item: usize, what: &What) -> LessonPart {
        let wrong = self.wrong.get(&item).cloned().unwrap_or_default();
        match what {
            What::Paragraph(prose) => LessonPart::Paragraph { prose: prose.clone() },
            What::List { ordered, items } => {
                LessonPart::List { ordered: *ordered, items: items.clone() }
            }
            What::Note(paragraphs) => LessonPart::Note { paragraphs: paragraphs.clone() },
            What::Run(lines) => {
                let done = self.acts.get(..self.at).unwrap_or_default().iter();
                let ran = done.filter(|act| matches!(act, Act::Type(of, _) if *of == item)).count();
                let lines = lines.iter().map(|line| line.command.clone()).collect();
                let ends = self.ends.get(&item).cloned().unwrap_or_default();
                LessonPart::Run { lines, ran, ends, wrong }
            }
            What::Ask(ask) => LessonPart::Ask(self.question(item, ask)),
            What::Check(claims) => LessonPart::Check { claims: claims.len(), wrong },
            What::Try(task) => LessonPart::Try(self.task(item, task)),
            What::Show(show) => LessonPart::Show {
                object: show.object.clone(),
                views: show.views.iter().map(|(_, view)| view.clone()).collect(),
            },
            What::Start(_) => LessonPart::Start {},
        }
    }

    fn question(&self, item: usize, ask: &Ask) -> LessonQuestion {
        let asked = self.asked.get(&item);
        let revealed = asked.and_then(|asked| asked.reveal.clone());
        let done = self.acts.get(..self.at).unwrap_or_default();
        let is_answered = done.iter().any(|act| matches!(act, Act::Answer(of) if *of == item));
        LessonQuestion {
            name: ask.name.clone(),
            text: ask.text.clone(),
            kind: match &ask.answer {
                Answer::Choices(_) => LessonAnswerKind::Choice,
                Answer::Value { kind: ValueKind::Number, .. } => LessonAnswerKind::Number,
                Answer::Value { kind: ValueKind::Word, .. } => LessonAnswerKind::Word,
                Answer::Value { kind: ValueKind::Pick, .. } => LessonAnswerKind::Pick,
            },
            choices: ask.answer.choices().iter().map(|choice| choice.text.clone()).collect(),
            given: asked.and_then(|asked| asked.given.clone()),
            revealed: revealed.filter(|_| is_answered),
        }
    }

    fn task(&self, item: usize, task: &Try) -> LessonTask {
        let tried = self.tried.get(&item);
        let hints = tried.map_or(0, |tried| tried.hints);
        let outcome = tried.and_then(|tried| tried.outcome);
        let shows = outcome.is_some() || tried.is_some_and(|tried| tried.sees_solution);
        let solution = task.solution.iter().filter(|_| shows);
        let commands = tried.map_or(0, |tried| tried.commands);
        let own = task.solution.iter().filter_map(|(_, line)| commands_of(line)).flatten().count();
        let missing = tried.filter(|tried| tried.commands > 0 && tried.outcome.is_none());
        let missing = missing.map_or(&[][..], |tried| &tried.missing).iter();
        let missing = missing.filter_map(|goal| Some(task.done.get(*goal)?.missing.clone()));
        let missing = missing.collect();
        LessonTask {
            name: task.name.clone(),
            text: task.text.clone(),
            outcome,
            missing,
            starts_over: commands > own,
            hints: task.hints.iter().take(hints).cloned().collect(),
            hints_left: task.hints.len().saturating_sub(hints),
            solution: solution.map(|(_, line)| line.clone()).collect(),
        }
    }
}
