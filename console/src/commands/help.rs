//! `help` and `history`.

use crate::commands::Command;
use crate::language::lexer::Statement;
use crate::language::{Args, At, Effect, Typing, Verb, What, offer};
use crate::output::{Failure, OutputLine};
use crate::result::VerbResult;
use crate::session::{Task, once, structured};

const GROUP: &str = "help";

pub(super) const VERBS: &[Command] = &[
    Command {
        verb: Verb {
            name: "help",
            group: GROUP,
            usage: "help [COMMAND] | help words",
            purpose: "Lists the commands, or explains one; help words explains quoting.",
            example: "help put",
            flags: &[],
            effect: |_| Effect::Look,
        },
        typing: Typing {
            synonyms: &["man", "?"],
            offers: &[offer(At::Words(&[]), What::Verbs)],
            ..Typing::NONE
        },
        start: help,
    },
    Command {
        verb: Verb {
            name: "history",
            group: GROUP,
            usage: "history [N]",
            purpose: "Lists the lines typed so far, or the last N of them.",
            example: "history 5",
            flags: &[],
            effect: |_| Effect::Session,
        },
        typing: Typing::NONE,
        start: history,
    },
    Command {
        verb: Verb {
            name: "exit",
            group: GROUP,
            usage: "exit",
            purpose: "Ends the native program without the commands after it. A page stays open.",
            example: "exit",
            flags: &[],
            effect: |_| Effect::Session,
        },
        typing: Typing { aliases: &["quit"], ..Typing::NONE },
        start: exit,
    },
];

/// The rules for quoting words, with an example each.
const WORDS: &[(&str, &str)] = &[
    ("put \"two words\" 'x y'", "quotes keep spaces"),
    ("put \\x00\\xff v", "\\xNN is one byte; also \\n \\t \\r \\0 \\\\"),
    ("put 0x00ff v", "0x... is a whole word of bytes; \"0x00ff\" is text"),
    ("put a 1; get a", "; or the end of the line ends a command"),
    ("get -- --key", "after -- nothing is an option"),
    ("put key \\", "a backslash at the end continues on the next line"),
    ("batch {", "an open brace does so, too, up to }"),
    ("get a  # why", "# and a space begin a comment"),
];

/// Between the forms of a usage.
const FORMS: &str = " | ";
/// Column in which the meanings of options begin, unless one of them is longer.
const FLAGS: usize = 26;

fn result(verb: &Verb) -> VerbResult {
    VerbResult {
        name: verb.name.into(),
        group: verb.group.into(),
        usage: verb.usage.into(),
        purpose: verb.purpose.into(),
        example: verb.example.into(),
    }
}

fn help(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 1, "at most one command")?;
    match args.words.first() {
        None => Ok(list()),
        Some(word) if word.bytes == b"words" => Ok(words()),
        Some(word) => Ok(one(&super::named(&word.bytes)?.verb)),
    }
}

fn list() -> Box<dyn Task> {
    once(|session| {
        let mut group = "";
        for verb in super::verbs() {
            if verb.group != group {
                group = verb.group;
                session.say(OutputLine::new().dim(group));
            }
            let first = verb.purpose.split_inclusive(". ").next().unwrap_or_default().trim_end();
            session.say(OutputLine::text("  ").strong(verb.name).pad_to(16).plain(first));
        }
        let more = "help COMMAND tells its forms and an example; help words is about quoting.";
        session.say(OutputLine::note(more));
        Ok(structured(super::verbs().map(result).collect::<Vec<_>>()))
    })
}

fn words() -> Box<dyn Task> {
    once(|session| {
        for (example, meaning) in WORDS {
            session.say(OutputLine::new().strong(*example).pad_to(26).plain(*meaning));
        }
        Ok(serde_json::Value::Null.into())
    })
}

fn one(verb: &'static Verb) -> Box<dyn Task> {
    once(move |session| {
        session.say(OutputLine::text(verb.purpose));
        for usage in verb.usage.split(FORMS) {
            session.say(OutputLine::text("  ").strong(usage));
        }
        let forms: Vec<String> =
            verb.flags.iter().map(|flag| format!("  {} {}", flag.name, flag.value)).collect();
        let widest = forms.iter().map(|form| form.trim_end().chars().count()).max();
        let column = widest.unwrap_or_default().saturating_add(2).max(FLAGS);
        for (flag, form) in verb.flags.iter().zip(forms) {
            session.say(OutputLine::text(form).pad_to(column).plain(flag.purpose));
        }
        session.say(OutputLine::new().dim("example: ").plain(verb.example));
        Ok(structured(result(verb)))
    })
}

fn history(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 1, "at most a number")?;
    let count = args.number_at(0, "the number of lines")?.unwrap_or(u64::MAX);
    Ok(once(move |session| {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let skipped = session.history.len().saturating_sub(count);
        let lines: Vec<String> = session.history.iter().skip(skipped).cloned().collect();
        for (index, line) in lines.iter().enumerate() {
            let number = format!("{:>5}  ", skipped + index + 1);
            session.say(OutputLine::new().dim(number).plain(crate::text::printable(line)));
        }
        Ok(structured(lines))
    }))
}

fn exit(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(once(|session| {
        session.ended = true;
        session
            .say(OutputLine::note("The session ends here. On a page nothing ends: close the tab."));
        Ok(serde_json::Value::Null.into())
    }))
}
