//! The options of the engine, as data.

use levelscope::{OPTION_INFOS, Options, PRESETS};
use serde::Serialize;

/// One option.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OptionState {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Its value when nothing else is asked for, written as `value`.
    pub default: String,
    /// Unit of a number, or the words to choose from.
    pub unit: String,
    /// The words to choose from; one that ends in a colon goes on with a value. Empty: it takes a number.
    pub words: Vec<String>,
    /// Smallest number.
    pub min: u64,
    /// Largest number.
    pub max: u64,
    /// Its effect.
    pub purpose: String,
}

/// One preset.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PresetState {
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub purpose: String,
}

results! {
    /// `options`.
    OptionsResult {
        /// The preset that the options are equal to.
        preset: Option<String>,
        /// Every option.
        options: Vec<OptionState>,
        /// Every preset.
        presets: Vec<PresetState>,
    }
}

impl OptionState {
    /// Every option, with its value in `options`.
    pub fn all(options: &Options) -> Vec<Self> {
        let defaults = Options::default();
        let state = |info: &levelscope::OptionInfo| Self {
            name: info.name.into(),
            value: (info.get)(options).to_string(),
            default: (info.get)(&defaults).to_string(),
            unit: info.unit.into(),
            words: info.words.iter().map(|word| (*word).into()).collect(),
            min: info.min,
            max: info.max,
            purpose: info.purpose.into(),
        };
        OPTION_INFOS.iter().map(state).collect()
    }
}

impl PresetState {
    /// Every preset.
    pub fn all() -> Vec<Self> {
        let state = |preset: &levelscope::Preset| Self {
            name: preset.name.into(),
            purpose: preset.purpose.into(),
        };
        PRESETS.iter().map(state).collect()
    }
}
