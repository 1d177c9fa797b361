//! `help` and `history`.

use crate::commands::Command;
use crate::glossary::{self, GLOSSARY, Term};
use crate::language::{self, Args, At, Statement, Verb, What, closest, offer};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::{TermResult, VerbResult};
use crate::session::{Task, once};

const GROUP: &str = "help";

pub(super) const VERBS: &[Command] = &[
    Verb {
        name: "help",
        group: GROUP,
        usage: "help [COMMAND|TERM] | help terms | help words",
        purpose: "Lists the commands, or explains a command or a term. \
            help terms lists the terms; help words explains quoting.",
        example: "help memtable",
        ..Verb::LOOK
    }
    .starts(help)
    .synonyms(&["man", "?"])
    .offers(&[offer(At::Words(&[]), What::VerbsAndTerms)]),
    Verb {
        name: "history",
        group: GROUP,
        usage: "history [N]",
        purpose: "Lists the lines typed so far, or the last N of them.",
        example: "history 5",
        ..Verb::SESSION
    }
    .starts(history),
    Verb {
        name: "exit",
        group: GROUP,
        usage: "exit",
        purpose: "Ends the native program without the commands after it. A page stays open.",
        example: "exit",
        ..Verb::SESSION
    }
    .starts(exit)
    .aliases(&["quit"]),
];

/// Column in which the meanings of terms begin.
const TERMS: usize = 24;

fn result(verb: &Verb) -> VerbResult {
    VerbResult {
        name: verb.name.into(),
        group: verb.group.into(),
        usage: verb.usage.into(),
        purpose: verb.purpose.into(),
        example: verb.example.into(),
    }
}

/// Words of the longest term.
const TERM_WORDS_MAX: usize = 4;

fn help(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, TERM_WORDS_MAX, "a command or a term")?;
    let words: Vec<_> =
        args.words.iter().map(|word| String::from_utf8_lossy(&word.bytes)).collect();
    let text = words.join(" ");
    match text.as_str() {
        "" => return Ok(list()),
        "words" => return Ok(quoting()),
        "terms" => return Ok(terms()),
        _ => {}
    }
    let command = if words.len() == 1 { super::find(&text) } else { None };
    match (command, glossary::find(&text)) {
        (Some(command), term) => Ok(one(&command.verb, term)),
        (None, Some(term)) => Ok(explained(term)),
        (None, None) => Err(unknown(args, &text)),
    }
}

fn unknown(args: &Args, text: &str) -> Failure {
    let typed: Vec<&[u8]> = args.words.iter().map(|word| word.bytes.as_slice()).collect();
    let shown = crate::text::short_word(&typed.join(&b' '), 32);
    let failure = Failure::usage(format!("there is no command or term {shown}"));
    let names = super::verbs().map(|verb| verb.name);
    let names = names.chain(glossary::terms().flat_map(glossary::words));
    let lists = "`help` lists all commands, `help terms` all terms";
    failure.meant(super::synonym(&text.to_lowercase()).or_else(|| closest(text, names)), lists)
}

fn term_result(term: &Term) -> TermResult {
    let also = term.also.iter().map(|word| (*word).to_owned()).collect();
    TermResult { name: term.name.into(), also, meaning: term.meaning.into() }
}

fn explained(term: &'static Term) -> Box<dyn Task> {
    once(|session| {
        session.print(OutputLine::text(term.meaning));
        if !term.also.is_empty() {
            session.print(OutputLine::new().dim("also: ").plain(term.also.join(", ")));
        }
        Ok(Answer::other(term_result(term)))
    })
}

fn terms() -> Box<dyn Task> {
    once(|session| {
        for group in GLOSSARY {
            session.print(OutputLine::new().dim(group.title));
            for term in group.terms {
                let line = OutputLine::text("  ").strong(term.name).pad_to(TERMS);
                session.print(line.plain(term.meaning));
            }
        }
        Ok(Answer::other(glossary::terms().map(term_result).collect::<Vec<_>>()))
    })
}

fn list() -> Box<dyn Task> {
    once(|session| {
        session.lines.extend(language::help::list(super::verbs()));
        let more = "help COMMAND prints its forms and an example, help TERM explains a word; help terms lists the \
            terms; help words explains quoting.";
        session.print(OutputLine::note(more));
        Ok(Answer::other(super::verbs().map(result).collect::<Vec<_>>()))
    })
}

fn quoting() -> Box<dyn Task> {
    once(|session| {
        session.lines.extend(language::help::quoting());
        Ok(Answer::other(()))
    })
}

fn one(verb: &'static Verb, term: Option<&'static Term>) -> Box<dyn Task> {
    once(move |session| {
        session.lines.extend(language::help::one(verb));
        if let Some(term) = term {
            session.print(OutputLine::new().dim("the term: ").plain(term.meaning));
        }
        Ok(Answer::other(result(verb)))
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
            session.print(OutputLine::new().dim(number).plain(crate::text::printable(line)));
        }
        Ok(Answer::other(lines))
    }))
}

fn exit(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(once(|session| {
        session.ended = true;
        session.print(OutputLine::note(
            "The session ends here. On a page nothing ends: close the tab.",
        ));
        Ok(Answer::other(()))
    }))
}
