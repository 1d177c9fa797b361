//! A console with a lesson beside it, for a visitor.
//!
//! A lesson has consoles of its own, each around an empty database in memory, so that its branches, steps and opened
//! files are those that its text names, and the visitor's database stays as it is.

use super::lines;
use super::player::{Led, Player};
use super::room::{Door, Room};
use crate::console::{CANCELLED, Console};
use crate::host::{Host, PlayChange};
use crate::output::{Answer, Completion, Failure, OutputLine, Progress, Response};
use crate::result::LessonState;
use crate::session::LessonRequest;
use levelscope::Options;
use std::sync::Arc;

/// The work for a lesson after a line.
enum Stage {
    /// The lesson goes on.
    Leading,
    /// The host reports all events so far, then this database is made.
    Fresh(Box<Options>),
    /// The host reports all events so far, then the lesson is left.
    Leaving,
}

/// The end of a line that waits until the lesson has gone on.
struct After {
    response: Response,
    request: Option<LessonRequest>,
    stage: Stage,
}

struct Playing {
    player: Player,
    /// Around the database of the lesson; `None` before there is one.
    console: Option<Console>,
    /// Of the room that the console is in.
    door: Option<Door>,
}

impl Drop for Playing {
    fn drop(&mut self) {
        self.door.iter().for_each(Door::shut);
    }
}

/// A console with a lesson beside it.
pub struct Tutor {
    host: Arc<dyn Host>,
    own: Console,
    playing: Option<Playing>,
    after: Option<After>,
    /// The line at work, when it was typed for now.
    line: Option<String>,
    /// Whether the lesson has changed since the host took its state.
    changed: bool,
    /// Whether the learner had strayed from it then.
    strayed: bool,
    /// Whether another console is at work since the host asked.
    entered: bool,
    /// The part of the lesson that is printed already.
    printed: lines::PrintedLesson,
}

impl Tutor {
    /// A console on `host` without a database.
    pub fn new(host: Arc<dyn Host>) -> Self {
        Self {
            own: Console::on(Arc::clone(&host)),
            host,
            playing: None,
            after: None,
            line: None,
            changed: false,
            strayed: false,
            entered: false,
            printed: lines::PrintedLesson::default(),
        }
    }

    /// The console at work: that of the lesson, or the visitor's own.
    pub fn console(&self) -> &Console {
        let playing = self.playing.as_ref();
        playing.and_then(|playing| playing.console.as_ref()).unwrap_or(&self.own)
    }

    /// As [`Tutor::console`], to be changed.
    pub fn console_mut(&mut self) -> &mut Console {
        let playing = self.playing.as_mut();
        playing.and_then(|playing| playing.console.as_mut()).unwrap_or(&mut self.own)
    }

    /// Whether the console at work is that of a lesson.
    pub fn is_in_lesson(&self) -> bool {
        self.playing.as_ref().is_some_and(|playing| playing.console.is_some())
    }

    /// The visitor's own console.
    pub fn own(&self) -> &Console {
        &self.own
    }

    /// As [`Tutor::own`], to be changed.
    pub fn own_mut(&mut self) -> &mut Console {
        &mut self.own
    }

    /// The lesson at work, if that has changed since the last call.
    pub fn take_lesson(&mut self) -> Option<Option<LessonState>> {
        let has_strayed = match &self.playing {
            Some(Playing { player, console: Some(console), .. }) => player.has_strayed(console),
            _ => false,
        };
        let strays = std::mem::replace(&mut self.strayed, has_strayed) != has_strayed;
        let changed = std::mem::take(&mut self.changed);
        (changed || strays).then(|| self.lesson())
    }

    /// The lesson at work.
    pub fn lesson(&self) -> Option<LessonState> {
        let playing = self.playing.as_ref()?;
        playing.console.as_ref().map(|console| playing.player.shown(console))
    }

    /// Whether another console is at work since the last call.
    pub fn take_entered(&mut self) -> bool {
        std::mem::take(&mut self.entered)
    }

    /// As [`Console::start`].
    pub fn start(&mut self, line: &str) {
        self.stop();
        self.line = Some(line.to_owned());
        self.console_mut().start(line);
    }

    /// Begins the lesson in `text`, of a file called `name`; [`Tutor::advance`] does the work.
    pub fn start_text(&mut self, name: &str, text: &str) {
        self.begin_with(LessonRequest::Read { name: name.to_owned(), text: text.to_owned() });
    }

    /// Begins the script in `text`, which was shared, and runs all of it if it `runs`; [`Tutor::advance`] does the work.
    pub fn start_shared(&mut self, text: &str, runs: bool) {
        self.begin_with(LessonRequest::Shared { text: text.to_owned(), runs });
    }

    fn begin_with(&mut self, request: LessonRequest) {
        self.instead().start_quietly("");
        let response = Response::default();
        self.after = Some(After { response, request: Some(request), stage: Stage::Leading });
    }

    /// The console at work, for something else than a line that is typed.
    pub fn instead(&mut self) -> &mut Console {
        self.stop();
        self.console_mut()
    }

    /// Ends the work at hand, for good.
    fn stop(&mut self) {
        (self.line, self.after) = (None, None);
    }

    /// As [`Console::cancel`]; a lesson whose text is on its way is not begun.
    pub fn cancel(&mut self) {
        if let Some(after) = &mut self.after
            && after.request.take().is_some()
        {
            after.response.error = Some(Failure::new(CANCELLED, "the lesson was not begun"));
        }
        self.console_mut().cancel();
        self.playing.iter_mut().for_each(|playing| playing.player.stop());
    }

    /// As [`Console::complete`].
    pub fn complete(&mut self, line: &str, cursor: usize) -> Vec<Completion> {
        let items = self.console_mut().complete(line, cursor);
        if let Some(Playing { player, console: Some(console), .. }) = &mut self.playing {
            player.forgive(console);
        }
        items
    }

    /// Closes all databases; see [`Console::close`].
    ///
    /// # Errors
    /// Those of [`Console::close`].
    pub fn close(&mut self) -> levelscope::Result<()> {
        self.stop();
        self.playing = None;
        self.own.close()
    }

    /// As [`Console::advance`], and then lets the lesson go on.
    pub fn advance(&mut self, units: u32) -> Progress {
        if let Some(after) = self.after.take() {
            return self.go_on(after, units);
        }
        let response = match self.console_mut().advance(units) {
            Progress::Done(response) => response,
            other => return other,
        };
        let line = self.line.take();
        let request = self.console_mut().take_lesson_request();
        match (&request, line, &mut self.playing) {
            // Where the page looks at the past, the lesson is asked all the same.
            (Some(_), ..) => {}
            (None, Some(line), Some(Playing { player, console: Some(console), .. })) => {
                player.has_typed(&line, &response, console);
            }
            _ => return Progress::Done(response),
        }
        self.after = Some(After { response, request, stage: Stage::Leading });
        more(Vec::new(), false)
    }

    fn go_on(&mut self, mut after: After, units: u32) -> Progress {
        match std::mem::replace(&mut after.stage, Stage::Leading) {
            Stage::Leading => {}
            Stage::Fresh(options) => return self.enter(after, *options),
            Stage::Leaving => {
                self.playing = None;
                (self.entered, self.changed) = (true, true);
                let own = match self.host.place().as_str() {
                    "memory" => "the database of this page again, which is in memory only",
                    _ => "your own database again",
                };
                let line = format!("The lesson is left. This is {own}.");
                after.response.lines.push(OutputLine::note(line));
                return Progress::Done(after.response);
            }
        }
        if let Some(request) = after.request.take() {
            let library = if request.needs_library() { self.host.lessons() } else { Some(&[][..]) };
            let Some(library) = library else {
                after.request = Some(request);
                self.after = Some(after);
                return more(Vec::new(), false);
            };
            match self.ask(&request, library, &mut after) {
                Ok(true) => {}
                Ok(false) => return Progress::Done(after.response),
                Err(failure) => {
                    after.response.error = Some(failure);
                    return Progress::Done(after.response);
                }
            }
            if matches!(after.stage, Stage::Leaving) {
                self.after = Some(after);
                return more(Vec::new(), true);
            }
        }
        self.lead(after, units)
    }

    /// Takes what a line asked; whether there is anything to go on with.
    fn ask(
        &mut self,
        request: &LessonRequest,
        library: &[&str],
        after: &mut After,
    ) -> Result<bool, Failure> {
        match (request, &mut self.playing) {
            (LessonRequest::List, _) => {
                let heads = Player::heads(library);
                after.response.lines.extend(lines::list(&heads));
                after.response.answers = vec![Answer::other(heads)];
                return Ok(false);
            }
            (LessonRequest::Start { id, at }, Some(playing)) if playing.player.id() == id => {
                playing.player.go_to(*at);
            }
            (LessonRequest::Start { id, at }, _) => {
                self.begin(Player::find(library, id)?, *at);
            }
            (LessonRequest::Read { name, text }, _) => {
                self.begin(Player::read(name, text)?, 0);
            }
            (LessonRequest::Recap { id, question }, _) => {
                self.replace(Player::recap(library, id, question)?);
            }
            (LessonRequest::Shared { text, runs }, _) => {
                self.begin(Player::shared(text)?, if *runs { usize::MAX } else { 0 });
            }
            (_, None) => {
                let failure = Failure::usage("no lesson is at work");
                let ways = "`lesson` lists them; `lesson start log` starts the first";
                return Err(failure.hint(ways));
            }
            (LessonRequest::Leave, Some(_)) => {
                self.host.play(PlayChange::Off {});
                after.stage = Stage::Leaving;
            }
            (request, Some(Playing { player, console: Some(console), .. })) => {
                player.ask(request, console)?;
            }
            (_, Some(_)) => {}
        }
        Ok(true)
    }

    fn begin(&mut self, mut player: Player, at: usize) {
        player.go_to(at);
        self.replace(player);
    }

    /// Plays `player` from where it stands.
    fn replace(&mut self, player: Player) {
        match &mut self.playing {
            Some(playing) => playing.player = player,
            None => self.playing = Some(Playing { player, console: None, door: None }),
        }
        self.printed = lines::PrintedLesson::default();
        self.host.play(PlayChange::Off {});
    }

    /// Lets the lesson go on until it waits for the learner.
    fn lead(&mut self, mut after: After, units: u32) -> Progress {
        let Some(playing) = &mut self.playing else { return Progress::Done(after.response) };
        let console = playing.console.as_mut().unwrap_or(&mut self.own);
        match playing.player.advance(console, units) {
            Led::More => {
                self.after = Some(after);
                more(Vec::new(), false)
            }
            Led::Fresh(options) => {
                after.stage = Stage::Fresh(options);
                self.after = Some(after);
                more(Vec::new(), true)
            }
            Led::Type(line) => {
                let mut lines = std::mem::take(&mut after.response.lines);
                lines.push(OutputLine::new().dim("> ").plain(crate::text::printable(&line)));
                console.start(&line);
                self.line = Some(line);
                more(lines, false)
            }
            Led::Rests => {
                self.changed = true;
                if !self.host.has_cursor()
                    && let Some(state) = self.lesson()
                {
                    after.response.lines.extend(self.printed.of(&state));
                }
                Progress::Done(after.response)
            }
        }
    }

    /// Makes the empty database that the lesson wants.
    fn enter(&mut self, mut after: After, options: Options) -> Progress {
        let Some(playing) = &mut self.playing else { return Progress::Done(after.response) };
        playing.door.iter().for_each(Door::shut);
        playing.console = None;
        let room = Room::new(Arc::clone(&self.host));
        playing.door = Some(room.door());
        let console = playing.console.insert(Console::new(Box::new(room)));
        let opened = console.open(options);
        self.entered = true;
        if let Err(error) = opened {
            after.response.error = Some(error.into());
            return Progress::Done(after.response);
        }
        self.after = Some(after);
        more(Vec::new(), true)
    }
}

fn more(lines: Vec<OutputLine>, turns: bool) -> Progress {
    Progress::More { done: 0, total: None, label: "lesson".into(), lines, turns }
}
