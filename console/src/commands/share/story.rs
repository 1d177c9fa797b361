//! The commands that lead from an empty database to this one, out of its journal.

use crate::commands;
use crate::history::{Input, Journal, Step, unavailable};
use crate::language::Script;
use crate::language::lexer::lex;
use crate::output::Failure;
use crate::session::Session;
use crate::text;
use levelscope::Options;
use levelscope::storage::Crash;

/// A database as a script, and where each command ended here.
pub(super) struct Story {
    pub(super) script: Script,
    /// The last step of each command.
    pub(super) ends: Vec<Step>,
}

/// A story under construction.
struct Builder<'a> {
    session: &'a Session,
    /// The options of the empty database that it begins with; `None`: the database was not empty.
    begun: Option<Options>,
    /// The options of the database by now.
    options: Options,
    commands: Vec<(String, Step)>,
    /// A command that was stopped, or a power failure in the middle of one.
    broken: Option<Failure>,
}

/// The story of the current branch.
///
/// # Errors
/// No script leads to its state.
pub(super) fn of(session: &Session) -> Result<Story, Failure> {
    let Some(journal) = &session.journal else {
        return Err(unavailable("there is no database yet, so there is nothing to share"));
    };
    let (options, commands) = (session.options.clone(), Vec::new());
    let mut builder = Builder { session, begun: None, options, commands, broken: None };
    builder.journal(journal)?;
    let Some(options) = builder.begun else {
        let message =
            "the database was there before this session began, and a script contains only commands";
        return Err(unavailable(message).hint(
            "`reset --yes` begins with an empty database; `export` hands out the files of this one",
        ));
    };
    if let Some(broken) = builder.broken {
        return Err(broken);
    }
    if builder.commands.is_empty() {
        let message =
            "nothing has been done since the database was made, so there is nothing to share";
        return Err(unavailable(message));
    }
    let (commands, ends): (Vec<String>, Vec<Step>) = builder.commands.into_iter().unzip();
    Ok(Story { script: Script::new(options, commands), ends })
}

impl Builder<'_> {
    fn journal(&mut self, journal: &Journal) -> Result<(), Failure> {
        let crash = journal.crash();
        if let Some((rule, before)) = crash {
            self.journal(before)?;
            if before.end() != journal.first {
                let step = text::count(journal.first);
                self.breaks(&format!(
                    "the power failed at step {step}, in the middle of a command or in the past, which a \
                     script cannot express"
                ));
            }
            self.commands.push((failure_of_power(rule), journal.first));
        }
        if let Some(why) = journal.ended() {
            return Err(unavailable(why));
        }
        let is_empty = journal.base.is_empty() && !journal.has_before();
        for (at, entry) in journal.entries().iter().enumerate() {
            let command = match &entry.input {
                Input::Open(options) => {
                    self.options = (**options).clone();
                    // A branch that a power failure began has opened by itself.
                    if at > 0 || crash.is_none() {
                        self.begin((at == 0 && is_empty).then(|| self.options.clone()));
                    }
                    continue;
                }
                Input::Close => {
                    self.begin(None);
                    continue;
                }
                // A look at keys for a word that is being typed changes nothing that lasts.
                Input::Complete { .. } => continue,
                Input::Line { text, stopped } => {
                    if stopped.is_some() {
                        let command = text::short_word(text.as_bytes(), 40);
                        self.breaks(&format!(
                            "this state begins in the middle of {command}, which a script cannot express"
                        ));
                    }
                    if self.command(text) {
                        continue;
                    }
                    text.to_string()
                }
                Input::Work { count } => format!("step call {count}"),
                Input::Damage { file, offset, mask } => format!("corrupt {file} {offset} {mask}"),
            };
            self.commands.push((command, entry.after));
        }
        Ok(())
    }

    /// A database begins, an empty one with these options or one that no script knows.
    fn begin(&mut self, begun: Option<Options>) {
        self.begun = begun;
        (self.commands, self.broken) = (Vec::new(), None);
    }

    fn breaks(&mut self, message: &str) {
        let failure = unavailable(message);
        self.broken.get_or_insert(failure.hint(
            "`fork STEP` goes on from a step before it; `reset --yes` begins with an empty database",
        ));
    }

    /// Looks for what a command does to the options; whether an empty database begins with it.
    fn command(&mut self, text: &str) -> bool {
        let statements = lex(text).unwrap_or_default();
        let Some((command, args)) = statements.first().and_then(|first| commands::of(first).ok())
        else {
            return false;
        };
        match (command.verb.name, args.text(0), args.text(1), args.text(2)) {
            ("reset", ..) if args.has("--yes") => {
                self.begin(Some(self.options.clone()));
                return true;
            }
            ("options", Some("set"), Some(name), Some(value)) => {
                // Where it failed, nothing was changed.
                let _ = self.options.set(name, value);
            }
            ("options", Some("preset"), Some(name), None) => {
                if let Some(options) = self.session.host.preset(name) {
                    self.options = options;
                }
            }
            _ => {}
        }
        false
    }
}

fn failure_of_power(rule: Crash) -> String {
    match rule {
        Crash::KeepAll => "crash --keep all".to_owned(),
        Crash::KeepSynced => "crash --keep none".to_owned(),
        Crash::Random(seed) => format!("crash --keep torn --seed {seed}"),
    }
}
