//! The input of a lab: numbers by name, and words.

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
    /// The number of the parameter `name`; 0 for one that the lab does not have.
    pub(crate) fn number(&self, name: &str) -> u64 {
        self.numbers.iter().find(|setting| setting.name == name).map_or(0, |setting| setting.value)
    }
}
