//! The input of a lab: numbers by name, and words.

use super::find;
use super::report::{LabInfo, LabSetting};

/// The input of one lab.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The lab.
    pub lab: &'static LabInfo,
    /// A number for each of its parameters, in their order.
    pub numbers: Vec<LabSetting>,
    /// The words after its id.
    pub words: Vec<String>,
}

impl Settings {
    /// The input of the lab `id`, with a number for each of its parameters; `None`: there is no such lab.
    pub fn of(id: &str, numbers: &[u64], words: Vec<String>) -> Option<Self> {
        let lab = find(id)?;
        let named = lab.parameters.iter().zip(numbers);
        let numbers =
            named.map(|(parameter, value)| LabSetting { name: parameter.name, value: *value });
        Some(Self { lab, numbers: numbers.collect(), words })
    }

    /// The number of the parameter `name`; 0 for one that the lab does not have.
    pub(crate) fn number(&self, name: &str) -> u64 {
        self.numbers.iter().find(|setting| setting.name == name).map_or(0, |setting| setting.value)
    }
}
