//! `options`: listing them, and reopening the database with others.

use crate::commands::Command;
use crate::language::{Args, At, Effect, Statement, Verb, What, offer};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::{OptionState, OptionsResult, PresetState};
use crate::session::{Session, Task, once};
use levelscope::{OPTION_INFOS, Options};

pub(super) const VERBS: &[Command] = &[Verb {
    name: "options",
    group: "settings",
    usage: "options | options set NAME VALUE | options preset NAME",
    purpose: "Lists the options, or reopens the database with others; the data stays.",
    example: "options set bloom_bits 12",
    effect: |args| if args.words.is_empty() { Effect::Look } else { Effect::Change },
    ..Verb::LOOK
}
.starts(options)
.offers(&[
    offer(At::Words(&[]), What::Words(&["set", "preset"])),
    offer(At::Words(&["set"]), What::Options),
    offer(At::Words(&["preset"]), What::Presets),
])];

fn options(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    match args.text(0) {
        None if args.words.is_empty() => Ok(once(|session| {
            let result = states(session);
            list(session, &result);
            Ok(Answer::other(result))
        })),
        Some("set") => {
            args.expect_form(
                "options set",
                3,
                "the name of an option and a value",
                "options set bloom_bits 12",
            )?;
            let name = args.text(1).unwrap_or("").to_owned();
            let value = args.text(2).unwrap_or("").to_owned();
            if !OPTION_INFOS.iter().any(|info| info.name == name) {
                return Err(unknown_option(&name));
            }
            Ok(reopen(move |session| {
                let mut options = session.options.clone();
                options.set(&name, &value)?;
                Ok(options)
            }))
        }
        Some("preset") => {
            let what = "the name of a preset";
            args.expect_form("options preset", 2, what, "options preset classroom")?;
            let name = args.text(1).unwrap_or("");
            let plain = Options::preset(name).ok_or_else(|| unknown_preset(name))?;
            let name = name.to_owned();
            Ok(reopen(move |session| {
                Ok(session.host.preset(&name).unwrap_or_else(|| plain.clone()))
            }))
        }
        _ => Err(args.verb.misused("options takes set NAME VALUE, preset NAME or nothing")),
    }
}

fn unknown_option(name: &str) -> Failure {
    let shown = crate::text::printable(name);
    let failure = Failure::usage(format!("there is no option {shown}"));
    let meant = crate::language::closest(name, OPTION_INFOS.iter().map(|info| info.name));
    failure.meant(meant, "`options` lists all")
}

fn unknown_preset(name: &str) -> Failure {
    let shown = crate::text::printable(name);
    let failure = Failure::usage(format!("there is no preset {shown}"));
    failure.hint(format!("there are: {}", crate::language::presets()))
}

/// Reopens the database with the options that `choose` makes of the present ones.
fn reopen(
    choose: impl Fn(&Session) -> levelscope::Result<Options> + Send + 'static,
) -> Box<dyn Task> {
    let mut chosen: Option<(Options, [u64; 2])> = None;
    once(move |session| {
        // Chosen once: when the host has to open a file, the same opening goes on.
        let held = [session.snapshots.len(), session.transactions.len()];
        let anew =
            || -> levelscope::Result<_> { Ok((choose(session)?, held.map(|held| held as u64))) };
        let (options, live) = chosen.take().map_or_else(anew, Ok)?;
        let before = session.options.clone();
        chosen = Some((options.clone(), live));
        session.open(options)?;
        let mut changed = false;
        for info in OPTION_INFOS {
            let (old, new) = ((info.get)(&before), (info.get)(&session.options));
            if old != new {
                changed = true;
                let line = OutputLine::text(info.name).pad_to(22).dim(old.to_string());
                session.print(line.plain(" -> ").number(new.to_string()));
            }
        }
        session.print(OutputLine::text(if changed {
            "The database was closed and reopened with these options."
        } else {
            "The database was closed and reopened; no option has changed."
        }));
        let [snapshots, transactions] = live;
        if snapshots > 0 {
            let live = crate::text::counted(snapshots, "snapshot");
            session
                .print(OutputLine::note(format!("{live} released: snapshots end with closing.")));
        }
        if transactions > 0 {
            let open = crate::text::counted(transactions, "transaction");
            session.print(OutputLine::note(format!(
                "{open} rolled back: transactions end with closing."
            )));
        }
        Ok(Answer::other(states(session)))
    })
}

fn states(session: &Session) -> OptionsResult {
    OptionsResult {
        preset: session.preset().map(str::to_owned),
        options: OptionState::all(&session.options),
        presets: PresetState::all(),
    }
}

fn list(session: &mut Session, result: &OptionsResult) {
    let widest = result.options.iter().map(|option| option.value.len()).max().unwrap_or(0);
    let values = 22 + widest + 2;
    for option in &result.options {
        let line = OutputLine::text(&option.name).pad_to(22).number(&option.value);
        let unit = if option.min == option.max { "" } else { &option.unit };
        let line = line.pad_to(values).dim(unit).pad_to(values + 11).plain(&option.purpose);
        let differs = option.value != option.default;
        let default =
            if differs { format!(" Default: {}.", option.default) } else { String::new() };
        session.print(line.dim(default));
    }
    for preset in &result.presets {
        let mark = if result.preset.as_deref() == Some(&preset.name) { " (in use)" } else { "" };
        let line = OutputLine::new().dim("preset ").strong(&preset.name).dim(mark);
        session.print(line.pad_to(values).plain(&preset.purpose));
    }
}
