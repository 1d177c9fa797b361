//! The input of a lab: numbers by name, and words.

use super::report::{LabInfo, LabSetting};
use crate::language::Args;
use crate::output::Failure;
use std::fmt::Write as _;

/// The input of one lab.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The lab.
    pub(crate) lab: &'static LabInfo,
    /// A number for each of its parameters, in their order.
    pub(crate) numbers: Vec<LabSetting>,
    /// The words after its id.
    pub(crate) words: Vec<String>,
}

impl Settings {
    /// Reads and checks what `args` says; the first word, the id, is not looked at.
    ///
    /// # Errors
    /// A flag that the lab does not take, a number out of range, words where it takes none.
    pub(crate) fn read(lab: &'static LabInfo, args: &Args) -> Result<Self, Failure> {
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
            let shown = crate::text::printable(word);
            let message = format!("lab {} takes no words, but got {shown}", lab.id);
            return Err(Failure::usage(message));
        }
        Ok(Self { lab, numbers, words })
    }

    /// The number of the parameter `name`; 0 for one that the lab does not have.
    pub(crate) fn number(&self, name: &str) -> u64 {
        self.numbers.iter().find(|setting| setting.name == name).map_or(0, |setting| setting.value)
    }

    /// The command for the same run.
    pub(crate) fn command(&self) -> String {
        let mut command = format!("lab {}", self.lab.id);
        for word in &self.words {
            command.push(' ');
            command.push_str(&crate::text::word(word.as_bytes()));
        }
        for setting in &self.numbers {
            let _ = write!(command, " --{} {}", setting.name, setting.value);
        }
        command
    }
}
