//! Commands for a page: pictures that go on by themselves, bytes on show, bookmarks, a screen.
//!
//! A page does these itself. They are in the one list of verbs, so that help and completion know them
//! everywhere; a program without a page names what to use instead.

use crate::commands::Command;
use crate::host::{PlayChange, SPEEDS};
use crate::language::{Args, At, Statement, Verb, What, flag, offer};
use crate::output::{Answer, Failure, OutputLine};
use crate::result::PlayResult;
use crate::session::{Task, once};

const GROUP: &str = "in the page";

pub(super) const VERBS: &[Command] = &[
    Verb {
        name: "play",
        group: GROUP,
        usage: "play [0.5|1|4|max]",
        purpose: "In the page: background work goes on by itself, at the chosen speed.",
        example: "play",
        ..Verb::HOST
    }
    .starts(play),
    Verb {
        name: "pause",
        group: GROUP,
        usage: "pause",
        purpose: "In the page: background work waits for step and run again.",
        example: "pause",
        ..Verb::HOST
    }
    .starts(pause),
    Verb {
        name: "bytes",
        group: GROUP,
        usage: "bytes [OBJECT]",
        purpose: "In the page: shows every byte of a file, such as table:12/block:2.",
        example: "bytes wal:3",
        ..Verb::HOST
    }
    .starts(bytes)
    .offers(&[offer(At::Words(&[]), What::Files)]),
    Verb {
        name: "bookmark",
        group: GROUP,
        usage: "bookmark [NAME] [--at STEP] [--delete] | bookmark --list",
        purpose: "In the page: marks the step on show, under a name; the mark lasts as long as the history.",
        example: "bookmark",
        flags: &[
            flag("--at", "step", "another step than the one on show"),
            flag("--delete", "", "removes the bookmark"),
            flag("--list", "", "lists the bookmarks of this branch"),
        ],
        ..Verb::HOST
    }
    .starts(bookmark),
    Verb {
        name: "clear",
        group: GROUP,
        usage: "clear",
        purpose: "In the page: empties the terminal; the database stays as it is.",
        example: "clear",
        ..Verb::HOST
    }
    .starts(clear),
];

fn play(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 1, "at most a speed")?;
    let Some(word) = args.text(0) else {
        return Ok(playing(PlayChange::On { steps_per_second: None }));
    };
    let speed = SPEEDS.iter().find(|speed| speed.word == word).ok_or_else(|| {
        let words: Vec<&str> = SPEEDS.iter().map(|speed| speed.word).collect();
        args.verb.misused(format!("play takes one of these speeds: {}", words.join(", ")))
    })?;
    Ok(playing(PlayChange::On { steps_per_second: Some(speed.steps_per_second) }))
}

fn pause(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(playing(PlayChange::Off {}))
}

fn playing(change: PlayChange) -> Box<dyn Task> {
    once(move |session| {
        let playing = matches!(change, PlayChange::On { .. });
        let done = session.host.play(change);
        session.print(match (done, playing) {
            (true, true) => OutputLine::text("Playing: background work goes on by itself."),
            (true, false) => OutputLine::text("Paused: background work waits for step and run."),
            (false, _) => OutputLine::note(
                "Nothing plays by itself here: `run` does all background work that waits.",
            ),
        });
        Ok(Answer::other(PlayResult { playing: done && playing }))
    })
}

fn bytes(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 1, "at most an object")?;
    Ok(only_there(
        "Nothing is shown: in the page `bytes` stands alone on its line. `hex FILE` and `layout FILE` print bytes.",
    ))
}

fn bookmark(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.number("--at")?;
    Ok(only_there(
        "Nothing was marked: in the page `bookmark` stands alone on its line. `goto STEP` leads to a step.",
    ))
}

fn clear(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 0, "nothing")?;
    Ok(only_there(
        "Nothing was cleared: in the page `clear` stands alone on its line. `reset` deletes the data.",
    ))
}

fn only_there(note: &'static str) -> Box<dyn Task> {
    once(move |session| {
        session.print(OutputLine::note(note));
        Ok(Answer::other(()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::PLAY_RATE;

    #[test]
    fn the_usage_of_play_names_every_speed() {
        let words: Vec<&str> = SPEEDS.iter().map(|speed| speed.word).collect();
        assert_eq!(VERBS[0].verb.usage, format!("play [{}]", words.join("|")));
        assert!(SPEEDS.iter().any(|speed| speed.steps_per_second == PLAY_RATE));
    }
}
