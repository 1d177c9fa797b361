//! Labs: experiments from texts about storage engines, repeated on our own bytes.
//!
//! A lab runs the engine and the formats as they are, never a model of them. What it counts (bytes,
//! tables, blocks, comparisons) is the same on every machine and is compared with what the original
//! program gave; what it times is shown and never judged.

mod article;
mod commas;
mod compare;
mod counted;
mod engine;
mod froopy;
mod ladder;
mod logs;
mod prefixes;
mod print;
mod report;
mod settings;
mod slides;
mod trial;

pub(crate) use print::{csv, list, text};
pub(crate) use report::Told;
pub use report::{
    LabCell, LabChart, LabChartKind, LabClaimVerdict, LabColumn, LabFigure, LabInfo,
    LabOriginalVerdict, LabParameter, LabReport, LabSetting, LabSource, LabTable,
};
pub(crate) use settings::Settings;

use crate::host::Host;
use crate::output::Failure;
use crate::session::Stop;

/// All labs, in the order of the list.
pub(crate) static LABS: &[&LabInfo] = &[
    &article::L1,
    &article::L2,
    &article::L3,
    &article::L4,
    &article::L5,
    &article::L6,
    &article::L7,
    &engine::L8,
    &engine::L9,
    &engine::L10,
    &engine::L11,
    &logs::L12,
    &logs::L13,
    &prefixes::L14,
    &froopy::L15,
    &commas::L16,
    &compare::COMPARE,
    &compare::SWEEP,
    &ladder::LADDER,
];

/// Begins a lab.
pub(crate) type Start = fn(&Settings) -> Box<dyn Lab>;

/// A lab at work.
pub(crate) trait Lab: Send {
    /// Does one unit; whether that was the last one.
    ///
    /// # Errors
    /// Those of the engine, and of the place where files are made.
    fn step(&mut self, host: &dyn Host) -> Result<bool, Stop>;

    /// Units done, and units in all if that is known.
    fn position(&self) -> (u64, Option<u64>);

    /// Adds the results to the report, when the lab is done.
    fn tell(&mut self, report: &mut LabReport);
}

/// A lab with invalid parameters.
struct Wrong(Option<Failure>);

impl Wrong {
    fn begin(failure: Failure) -> Box<dyn Lab> {
        Box::new(Self(Some(failure)))
    }
}

impl Lab for Wrong {
    fn step(&mut self, _: &dyn Host) -> Result<bool, Stop> {
        self.0.take().map_or(Ok(true), |failure| Err(failure.into()))
    }

    fn position(&self) -> (u64, Option<u64>) {
        (0, None)
    }

    fn tell(&mut self, _: &mut LabReport) {}
}

/// The lab called `id`, in whatever case.
pub(crate) fn find(id: &str) -> Option<&'static LabInfo> {
    LABS.iter().copied().find(|lab| lab.id.eq_ignore_ascii_case(id))
}

impl LabReport {
    /// An empty report.
    pub(crate) fn new(settings: &Settings) -> Self {
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
            command: format!("levelscope --memory -c '{}'", settings.command()),
        }
    }

    /// Whether only the seed, or how often a time is taken, differs from what is usual.
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

    /// Adds a figure of ours with what was claimed of it and what the original program gave. Both are
    /// judged apart, provided that nothing but the seed was changed.
    pub(crate) fn figure(
        &mut self,
        name: impl Into<String>,
        ours: (f64, usize, &'static str),
        claimed: Told,
        original: Told,
        note: &'static str,
    ) {
        self.judged_figure(name, ours, (claimed, original), self.is_usual(), note);
    }

    /// The same, judged if `is_comparable`.
    pub(crate) fn judged_figure(
        &mut self,
        name: impl Into<String>,
        (ours, digits, unit): (f64, usize, &'static str),
        (claimed, original): (Told, Told),
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
