//! The options of the two sides.

use crate::output::Failure;
use crate::result::CompareOption;
use crate::session::Session;
use crate::text;
use levelscope::{Maintenance, OPTION_INFOS, Options};

/// The names of the strategies.
pub(in crate::commands::compare) fn strategies() -> impl Iterator<Item = &'static str> {
    let strategy = OPTION_INFOS.iter().filter(|info| info.name == "strategy");
    strategy.flat_map(|info| info.words.iter().copied())
}

/// The options that `titles` ask for, from those in use.
///
/// # Errors
/// A word is no strategy, preset or option, or both sides have the same options.
pub(super) fn options(session: &Session, titles: &[String; 2]) -> Result<[Options; 2], Failure> {
    let [first, second] = titles;
    let sides = [side(session, first)?, side(session, second)?];
    let [left, right] = &sides;
    if left == right {
        let first = text::printable(first);
        let second = text::printable(second);
        let message =
            format!("{first} and {second} are the same options: there is nothing to compare");
        return Err(Failure::usage(message).hint("for example: compare leveled tiered"));
    }
    Ok(sides)
}

fn side(session: &Session, title: &str) -> Result<Options, Failure> {
    let mut options = session.options.clone();
    for word in title.split(',') {
        if let Some((name, value)) = word.split_once('=') {
            options.set(name, value)?;
        } else if strategies().any(|strategy| strategy == word) {
            options.set("strategy", word)?;
        } else {
            let preset = session.host.preset(word).or_else(|| Options::preset(word));
            options = preset.ok_or_else(|| unknown(word))?;
        }
    }
    if matches!(options.maintenance, Maintenance::Threads(_)) {
        // Threads take turns in another order every time: two runs could not be compared step by step.
        options.maintenance = Maintenance::Inline;
    }
    options.validate()?;
    Ok(options)
}

fn unknown(word: &str) -> Failure {
    let shown = text::printable(word);
    let failure = Failure::usage(format!("{shown} is neither a strategy nor a preset"));
    let strategies: Vec<&str> = strategies().collect();
    failure.hint(format!(
        "strategies: {}; presets: {}; an option is written as bloom_bits=0",
        strategies.join(", "),
        crate::language::presets()
    ))
}

/// The options that the sides do not share, with the value of each side.
pub(super) fn differing(sides: [&Options; 2]) -> [Vec<CompareOption>; 2] {
    let [left, right] = sides;
    let infos = || OPTION_INFOS.iter().filter(|info| (info.get)(left) != (info.get)(right));
    sides.map(|side| {
        let own = infos().map(|info| {
            let value = (info.get)(side).to_string();
            CompareOption { name: info.name.to_owned(), value }
        });
        own.collect()
    })
}
