//! What a text or the original program tells of a figure, beside ours.

use super::{LabClaimVerdict, LabOriginalVerdict};

/// The value of a figure in a text or of the original program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Told {
    /// Nothing.
    Nothing,
    /// These words, which hold for ours from the first number to the second.
    Range(&'static str, f64, f64),
    /// These words, which are not compared with ours.
    Shown(&'static str),
}

impl Told {
    /// The words, and whether `ours` lies in the range; `None` where that is not to be said.
    fn judge(self, ours: f64, is_usual: bool) -> (&'static str, Option<bool>) {
        match self {
            Self::Nothing => ("", None),
            Self::Range(words, low, high) if is_usual => {
                (words, Some((low..=high).contains(&ours)))
            }
            Self::Range(words, ..) | Self::Shown(words) => (words, None),
        }
    }

    /// The words of a claim, and whether `ours` meets it.
    pub(crate) fn claim(self, ours: f64, is_usual: bool) -> (&'static str, LabClaimVerdict) {
        let (words, holds) = self.judge(ours, is_usual);
        let verdict = match holds {
            Some(true) => LabClaimVerdict::Met,
            Some(false) => LabClaimVerdict::NotMet,
            None if self == Self::Nothing => LabClaimVerdict::None,
            None => LabClaimVerdict::NotComparable,
        };
        (words, verdict)
    }

    /// The words of the original program's figure, and whether `ours` agrees with it.
    pub(crate) fn original(self, ours: f64, is_usual: bool) -> (&'static str, LabOriginalVerdict) {
        let (words, holds) = self.judge(ours, is_usual);
        let verdict = match holds {
            Some(true) => LabOriginalVerdict::Agrees,
            Some(false) => LabOriginalVerdict::Differs,
            None if self == Self::Nothing => LabOriginalVerdict::None,
            None => LabOriginalVerdict::NotComparable,
        };
        (words, verdict)
    }
}
