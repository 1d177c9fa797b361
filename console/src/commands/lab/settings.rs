//! The input of a lab, read from the words of a command and written as one.

use crate::language::Args;
use crate::output::Failure;
use crate::text::printable;
use levelscope_labs::{LabInfo, LabSetting, Settings};

/// Reads and checks `args`; the first word, the id, is not looked at.
///
/// # Errors
/// A flag that the lab does not take, a number out of range, words where it takes none.
pub(super) fn read(lab: &'static LabInfo, args: &Args) -> Result<Settings, Failure> {
    let mut numbers = Vec::new();
    for parameter in lab.parameters {
        let flag = format!("--{}", parameter.name);
        let value = args.number(&flag)?.unwrap_or(parameter.default);
        if !(parameter.min..=parameter.max).contains(&value) {
            let (min, max) = (parameter.min, parameter.max);
            let message = format!("{flag} is {value}, but must be {min} to {max}");
            return Err(Failure::usage(message));
        }
        numbers.push(LabSetting { name: parameter.name, value });
    }
    let taken = |name: &str| lab.parameters.iter().any(|parameter| parameter.name == name);
    let given = args.verb.flags.iter().filter(|flag| !flag.value.is_empty());
    for flag in given.filter(|flag| args.has(flag.name)) {
        if !taken(flag.name.trim_start_matches('-')) {
            let names: Vec<String> =
                lab.parameters.iter().map(|taken| format!("--{}", taken.name)).collect();
            let takes = format!("it takes: {}", names.join(" "));
            let message = format!("lab {} has no {}", lab.id, flag.name);
            return Err(Failure::usage(message).hint(takes));
        }
    }
    let words = args.words.iter().skip(1);
    let mut words: Vec<String> =
        words.map(|word| String::from_utf8_lossy(&word.bytes).into_owned()).collect();
    if words.is_empty() {
        words.extend(lab.usual_words.split_whitespace().map(str::to_owned));
    }
    if let (Some(word), true) = (words.first(), lab.words.is_empty()) {
        let shown = printable(word);
        let message = format!("lab {} takes no words, but got {shown}", lab.id);
        return Err(Failure::usage(message));
    }
    Ok(Settings { lab, numbers, words })
}
