//! The commands that run on both sides.

use crate::commands;
use crate::history::{Input, Step, unavailable};
use crate::language::Effect;
use crate::language::lexer::lex;
use crate::output::Failure;
use crate::session::Session;
use crate::text;
use std::sync::Arc;

/// Commands of one comparison.
const COMMANDS_MAX: usize = 10_000;

/// The commands, and what is left out, as sentences.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    pub(super) commands: Vec<Arc<str>>,
    pub(super) notes: Vec<String>,
}

impl Chosen {
    fn checked(self) -> Result<Self, Failure> {
        if self.commands.len() <= COMMANDS_MAX {
            return Ok(self);
        }
        let (count, most) = (self.commands.len() as u64, COMMANDS_MAX as u64);
        let (count, most) = (text::count(count), text::count(most));
        let message = format!("{count} commands are too many to compare: at most {most} are");
        Err(Failure::usage(message).hint(HINT))
    }

    /// All pending background work, once.
    fn run_work(&mut self) {
        if self.commands.last().is_some_and(|last| &**last != RUN) {
            self.commands.push(RUN.into());
        }
    }
}

/// The command for all pending background work.
const RUN: &str = "run";

const HINT: &str =
    "commands can be given in braces: compare leveled tiered { fill 300 --words; run }";

/// The commands in braces.
///
/// # Errors
/// There are none, one cannot be understood, or one does more than to read and write data.
pub(super) fn of_block(block: &str) -> Result<Chosen, Failure> {
    let mut chosen = Chosen::default();
    for statement in lex(block).map_err(|error| error.of("the commands in braces are"))? {
        let (command, args) = commands::of(&statement)?;
        let effect = (command.verb.effect)(&args);
        let name = command.verb.name;
        if name == "options" || !matches!(effect, Effect::Change | Effect::Read) {
            let message =
                format!("{name} cannot be compared: only commands that write or read data");
            return Err(Failure::usage(message).hint(HINT));
        }
        // A wrong command fails before anything runs.
        (command.start)(&args, &statement)?;
        chosen.commands.push(block.get(statement.start..statement.end).unwrap_or_default().into());
    }
    if chosen.commands.is_empty() {
        return Err(Failure::usage("there is no command between the braces").hint(HINT));
    }
    chosen.checked()
}

/// The commands of the current branch that wrote or read data, up to the step that is looked at.
///
/// Options are those in use, so commands about them are left out. Background work that was stepped or played is done
/// whole, because the sides have different jobs.
///
/// # Errors
/// The branch has no journal, or no such command.
pub(super) fn of_journal(session: &Session) -> Result<Chosen, Failure> {
    let Some(journal) = &session.journal else {
        return Err(
            unavailable("no database is open, so there are no commands to run again").hint(HINT)
        );
    };
    if let Some(why) = journal.ended() {
        return Err(unavailable(why).hint(HINT));
    }
    let until = session.time.moment().unwrap_or(Step::MAX);
    let (mut chosen, mut stopped, mut from_empty) =
        (Chosen::default(), 0_u64, journal.base.is_empty());
    for entry in journal.entries().iter().take_while(|entry| entry.after <= until) {
        match &entry.input {
            Input::Line { text, stopped: early } => match role(text) {
                Role::Reset => (chosen, stopped, from_empty) = (Chosen::default(), 0, true),
                Role::Data if early.is_some() => stopped += 1,
                Role::Data => chosen.commands.push(Arc::clone(text)),
                Role::Work => chosen.run_work(),
                Role::Other => {}
            },
            Input::Work { .. } => chosen.run_work(),
            Input::Open(_) | Input::Close | Input::Complete { .. } | Input::Damage { .. } => {}
        }
    }
    chosen.run_work();
    if chosen.commands.is_empty() {
        let message = "no command of this branch has written data that could be compared";
        return Err(Failure::usage(message).hint(HINT));
    }
    if !from_empty {
        let note = "The data that the branch began with is on neither side: both begin empty.";
        chosen.notes.push(note.to_owned());
    }
    if stopped > 0 {
        let which = text::counted(stopped, "command");
        chosen.notes.push(format!("Left out, because stopped before the end: {which}."));
    }
    chosen.checked()
}

/// The role of a journal's command in a comparison.
enum Role {
    /// It writes or reads data.
    Data,
    /// It does background work.
    Work,
    /// It begins anew.
    Reset,
    /// It is none of it.
    Other,
}

fn role(line: &str) -> Role {
    let statements = lex(line).unwrap_or_default();
    let Some(Ok((command, args))) = statements.first().map(commands::of) else {
        return Role::Other;
    };
    match (command.verb.name, (command.verb.effect)(&args)) {
        ("reset", _) => Role::Reset,
        ("step" | "run", _) => Role::Work,
        ("options", _) => Role::Other,
        (_, Effect::Change) => Role::Data,
        // Lookups and scans count for read amplification; what explains or checks them does not.
        (_, Effect::Read) if command.verb.group == "read and write" => Role::Data,
        _ => Role::Other,
    }
}
