//! `share`: the commands that have led to this database, tried on an empty one before they are handed out.

mod copies;
mod story;

use crate::commands::Command;
use crate::history::{Step, unavailable};
use crate::language::{Args, At, Script, Statement, Verb, What, offer};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::results;
use crate::session::{Rehearsal, Session, Stop, Task, Turn};
use crate::text;
use levelscope::storage::MemoryStorage;
use story::Story;

pub(super) const VERBS: &[Command] = &[Verb {
    name: "share",
    group: super::lessons::GROUP,
    usage: "share | share script | share lesson | share test",
    purpose: "Hands out the commands that lead from an empty database to this one: as a link in the page, as a \
              script, as the beginning of a lesson, as a test in Rust. They are tried first: what would lead \
              elsewhere is not handed out.",
    example: "put apple red; flush; run; share script",
    ..Verb::SESSION
}
.starts(start)
.offers(&[offer(At::Words(&[]), What::Words(&["script", "lesson", "test"]))])];

results! {
    /// `share`: commands that lead from an empty database to this one; they have been tried.
    ShareResult {
        /// The commands as a script, with the options of the database in its first line.
        script: String,
        /// The same as a lesson, to be finished by hand.
        lesson: String,
        /// The same as a test in Rust.
        test: String,
        /// The last step of each command here.
        ends: Vec<Step>,
    }
}

/// Operations of a rehearsal in one unit.
const UNITS: u32 = 64;

/// The copy that is printed.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// The usual form of the host.
    Usual,
    Script,
    Lesson,
    Test,
}

fn start(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 1, "script, lesson, test or nothing")?;
    let form = match args.text(0) {
        None if args.words.is_empty() => Form::Usual,
        Some("script") => Form::Script,
        Some("lesson") => Form::Lesson,
        Some("test") => Form::Test,
        _ => return Err(args.verb.misused("share takes script, lesson or test")),
    };
    Ok(Box::new(Share { form, story: None, rehearsal: None, tried: false }))
}

/// The commands at work on an empty database.
struct Share {
    form: Form,
    story: Option<Story>,
    rehearsal: Option<Rehearsal>,
    /// Whether they have led to this database; the test is tried now.
    tried: bool,
}

impl Task for Share {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let Some(story) = &self.story else {
            self.story = Some(tellable(session)?);
            return Ok(Turn::More);
        };
        let Some(rehearsal) = &mut self.rehearsal else {
            let identity =
                if self.tried { MemoryStorage::IDENTITY } else { session.storage().identity() };
            self.rehearsal = Some(Rehearsal::new(session, &story.script, identity)?);
            return Ok(Turn::More);
        };
        if !rehearsal.advance(UNITS)? {
            return Ok(Turn::More);
        }
        if !self.tried {
            if rehearsal.session().timeless_hash()? != session.timeless_hash()? {
                return Err(elsewhere().into());
            }
            (self.tried, self.rehearsal) = (true, None);
            return Ok(Turn::More);
        }
        let result = ShareResult {
            script: story.script.to_string(),
            lesson: copies::lesson(&story.script, rehearsal.session()),
            test: copies::test(&story.script, rehearsal)?,
            ends: story.ends.clone(),
        };
        self.print(session, &result);
        Ok(Turn::Done(Answer::share(result)))
    }

    fn position(&self) -> (u64, Option<u64>) {
        let done = self.rehearsal.as_ref().map_or(0, Rehearsal::done);
        let all = self.story.as_ref().map(|story| story.script.lines.len() as u64);
        let before = all.filter(|_| self.tried).unwrap_or(0);
        (before + done, all.map(|all| 2 * all))
    }
}

impl Share {
    fn print(&self, session: &mut Session, result: &ShareResult) {
        let text = match self.form {
            Form::Usual if session.host.has_cursor() => {
                let count = text::counted(result.ends.len() as u64, "command");
                let line = format!(
                    "{count} from an empty database to this one: tried, and they lead to the same bytes."
                );
                session.print(OutputLine::text(line));
                return;
            }
            Form::Usual | Form::Script => &result.script,
            Form::Lesson => &result.lesson,
            Form::Test => &result.test,
        };
        session.lines.extend(text.lines().map(|line| OutputLine::text(text::printable(line))));
    }
}

/// The story of the current branch, as it is read from its own text.
fn tellable(session: &Session) -> Result<Story, Failure> {
    let story = story::of(session)?;
    let read = Script::parse(&story.script.to_string()).map_err(|(_, why)| unavailable(&why))?;
    if read != story.script {
        return Err(elsewhere());
    }
    Ok(story)
}

/// The commands do not lead to this database.
fn elsewhere() -> Failure {
    unavailable("the commands of this branch alone lead to another state, so they are not handed out")
        .hint("something else had a part in it, such as a file that failed; `reset --yes` begins with an empty database")
}
