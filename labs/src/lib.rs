//! Labs: experiments from texts about storage engines, repeated on our own bytes.
//!
//! A lab runs the engine and the formats as they are, never a model of them. Its counts (bytes,
//! tables, blocks, comparisons) are the same on every machine and are compared with those of the original
//! program; its times are shown and never judged.

mod article;
mod commas;
mod compare;
mod counted;
mod engine;
mod froopy;
pub mod generate;
mod ladder;
mod logs;
mod prefixes;
mod report;
mod settings;
mod settling;
mod slides;
mod trial;
pub mod words;

pub(crate) use report::Reference;
pub use report::{
    LabCell, LabChart, LabChartKind, LabClaimVerdict, LabColumn, LabFigure, LabInfo,
    LabOriginalVerdict, LabParameter, LabReport, LabSetting, LabSource, LabTable,
};
pub use settings::Settings;
pub use settling::FullCompaction;

use levelscope::storage::{MemoryStorage, Storage};
use levelscope::{Error, Result};
use std::sync::Arc;

/// An experiment at work, or the reason why it cannot begin.
pub type Begun = std::result::Result<Box<dyn Experiment>, Refused>;

/// Begins a lab.
enum Start {
    /// It accepts all settings.
    Always(fn(&Settings) -> Box<dyn Experiment>),
    /// It checks the settings first.
    Checked(fn(&Settings) -> Begun),
}

/// Makes the list of the labs' descriptions, and separately the list of their beginnings, so that the first does not
/// need the code of any lab.
macro_rules! labs {
    ($($info:path => $how:ident($start:path),)*) => {
        /// All labs, in the order of the list.
        pub static LABS: &[&LabInfo] = &[$(&$info,)*];

        /// How each of [`LABS`] begins.
        static STARTS: &[(&LabInfo, Start)] = &[$((&$info, Start::$how($start)),)*];
    };
}

labs! {
    article::L1 => Always(article::start_l1),
    article::L2 => Always(article::start_l2),
    article::L3 => Always(article::start_l3),
    article::L4 => Always(article::start_l4),
    article::L5 => Always(article::start_l5),
    article::L6 => Always(article::start_l6),
    article::L7 => Always(article::start_l7),
    engine::L8 => Always(engine::start_l8),
    engine::L9 => Always(engine::start_l9),
    engine::L10 => Always(engine::recent),
    engine::L11 => Always(engine::filters),
    logs::L12 => Always(logs::start_l12),
    logs::L13 => Always(logs::start_l13),
    prefixes::L14 => Always(prefixes::start),
    froopy::L15 => Always(froopy::start),
    commas::L16 => Always(commas::start_l16),
    compare::COMPARE => Checked(compare::compare),
    compare::SWEEP => Checked(compare::sweep),
    ladder::LADDER => Always(ladder::start),
}

/// The clock and the files of experiments.
pub trait Surroundings {
    /// Nanoseconds of a clock that only goes forward; `None` without one. Times are shown and never judged.
    fn clock_nanos(&self) -> Option<u64>;

    /// A new place for files, on a real disk where there is one.
    ///
    /// # Errors
    /// Those of making it.
    fn scratch(&self) -> Result<Scratch>;
}

/// A place for a database that is measured and then forgotten.
pub struct Scratch {
    /// Its files.
    pub storage: Arc<dyn Storage>,
    /// Where they are, in words.
    pub place: String,
    /// Dropped after the database: removes the files, where that takes more than forgetting them.
    pub guard: Option<Box<dyn Send>>,
}

impl Scratch {
    /// A place in memory.
    pub fn memory() -> Self {
        let storage = Arc::new(MemoryStorage::default());
        Self { storage, place: "memory".into(), guard: None }
    }
}

/// A lab at work.
pub trait Experiment: Send {
    /// Does one unit; whether that was the last one.
    ///
    /// # Errors
    /// Those of the engine, and of the place where files are made.
    fn step(&mut self, around: &dyn Surroundings) -> Result<bool>;

    /// Units done, and units in all if that is known.
    fn position(&self) -> (u64, Option<u64>);

    /// Adds the results to the report, when the lab is done.
    fn report(&mut self, report: &mut LabReport);
}

/// The reason why a lab cannot begin with its input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The flaw of the input, as a sentence.
    pub message: String,
    /// The correct form, if any.
    pub hint: Option<String>,
}

impl Refused {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
    }

    fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::new(error.message())
    }
}

/// Begins the lab that `settings` are for.
///
/// # Errors
/// When they make no sense to it.
pub fn begin(settings: &Settings) -> Begun {
    let start = STARTS.iter().find(|(lab, _)| lab.id == settings.lab.id);
    let (_, start) = start.ok_or_else(|| Refused::new("there is no such lab"))?;
    match start {
        Start::Always(start) => Ok(start(settings)),
        Start::Checked(start) => start(settings),
    }
}

/// The lab called `id`, in whatever case.
pub fn find(id: &str) -> Option<&'static LabInfo> {
    LABS.iter().copied().find(|lab| lab.id.eq_ignore_ascii_case(id))
}

impl LabReport {
    /// An empty report.
    pub fn new(settings: &Settings, command: &str) -> Self {
        Self {
            lab: settings.lab,
            settings: settings.numbers.clone(),
            words: settings.words.join(" "),
            place: None,
            stopped: false,
            findings: Vec::new(),
            figures: Vec::new(),
            tables: Vec::new(),
            charts: Vec::new(),
            command: format!("levelscope --memory -c '{command}'"),
        }
    }

    /// Whether only the seed, or how often a time is taken, differs from the usual settings.
    fn is_usual(&self) -> bool {
        let mut pairs = self.settings.iter().zip(self.lab.parameters);
        pairs.all(|(setting, parameter)| {
            matches!(setting.name, "seed" | "runs") || setting.value == parameter.default
        })
    }

    /// The value of the parameter `name`; 0 for one that the lab does not have.
    pub(crate) fn setting(&self, name: &str) -> u64 {
        self.settings.iter().find(|setting| setting.name == name).map_or(0, |setting| setting.value)
    }

    /// Adds a figure of ours with the claim about it and the original program's figure. Both are judged apart, provided
    /// that nothing but the seed was changed.
    pub(crate) fn figure(
        &mut self,
        name: impl Into<String>,
        ours: (f64, usize, &'static str),
        references: (Reference, Reference),
        note: &'static str,
    ) {
        self.judged_figure(name, ours, references, self.is_usual(), note);
    }

    /// The same, judged if `is_comparable`.
    pub(crate) fn judged_figure(
        &mut self,
        name: impl Into<String>,
        (ours, digits, unit): (f64, usize, &'static str),
        (claimed, original): (Reference, Reference),
        is_comparable: bool,
        note: &'static str,
    ) {
        let (claimed, claim_verdict) = claimed.claim(ours, is_comparable);
        let (original, original_verdict) = original.original(ours, is_comparable);
        self.figures.push(LabFigure {
            name: name.into(),
            unit,
            digits,
            claimed,
            claim_verdict,
            original,
            original_verdict,
            ours,
            note,
        });
    }

    /// Adds a sentence.
    pub(crate) fn found(&mut self, sentence: impl Into<String>) {
        self.findings.push(sentence.into());
    }
}
