//! Data for pictures: series over axes. The host draws them.

use crate::text::plain;

/// A picture.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Picture {
    /// Its title.
    pub title: String,
    /// The axis from left to right.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// Its series.
    pub series: Vec<Series>,
    /// Lines at fixed values of `y`, such as triggers.
    pub references: Vec<Reference>,
}

/// An axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Axis {
    /// The counted quantity.
    pub label: &'static str,
    /// The unit, empty for plain counts and for names.
    pub unit: &'static str,
}

/// Something that is drawn.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Series {
    /// Its name.
    pub label: String,
    /// Its values.
    pub data: SeriesData,
}

/// Values of a series.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SeriesData {
    /// Points whose value holds until the next one.
    Steps(Vec<(f64, f64)>),
    /// Named bars.
    Bars(Vec<(String, f64)>),
    /// Spans along the axis `x`.
    Spans(Vec<Span>),
}

/// A span along the axis `x`.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Span {
    /// Its start.
    pub start: f64,
    /// Its end.
    pub end: f64,
    /// Its name.
    pub label: String,
}

/// A line at a fixed value.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Reference {
    /// Its name.
    pub label: String,
    /// The value of `y`.
    pub value: f64,
}

/// Points of a series that are kept at most.
const POINTS_MAX: usize = 4000;

impl Picture {
    pub(super) fn new(
        title: impl Into<String>,
        x: (&'static str, &'static str),
        y: (&'static str, &'static str),
    ) -> Self {
        let axis = |(label, unit)| Axis { label, unit };
        let title = title.into();
        Self { title, x: axis(x), y: axis(y), series: Vec::new(), references: Vec::new() }
    }

    pub(super) fn steps(&mut self, label: impl Into<String>, points: &[(u64, u64)]) {
        let data = SeriesData::Steps(thinned(points));
        self.series.push(Series { label: label.into(), data });
    }

    pub(super) fn bars(&mut self, label: impl Into<String>, bars: Vec<(String, f64)>) {
        self.series.push(Series { label: label.into(), data: SeriesData::Bars(bars) });
    }

    pub(super) fn spans(&mut self, label: impl Into<String>, mut spans: Vec<Span>) {
        spans.truncate(POINTS_MAX);
        self.series.push(Series { label: label.into(), data: SeriesData::Spans(spans) });
    }

    pub(super) fn reference(&mut self, label: impl Into<String>, value: Option<u64>) {
        if let Some(value) = value {
            self.references.push(Reference { label: label.into(), value: plain(value) });
        }
    }
}

/// At most [`POINTS_MAX`] points: of each run of neighbours the largest stays, so that peaks are not lost.
fn thinned(points: &[(u64, u64)]) -> Vec<(f64, f64)> {
    let run = points.len().div_ceil(POINTS_MAX).max(1);
    let largest = |run: &[(u64, u64)]| run.iter().copied().max_by_key(|point| point.1);
    let kept = points.chunks(run).filter_map(largest);
    kept.map(|(x, y)| (plain(x), plain(y))).collect()
}
