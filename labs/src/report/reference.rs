//! The values of a text or of the original program for a figure, beside ours.

use super::{LabClaimVerdict, LabOriginalVerdict};

/// The value of a figure in a text or of the original program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Reference {
    /// No value.
    None,
    /// These words, which hold for ours from the first number to the second.
    Range(&'static str, f64, f64),
    /// These words, which are not compared with ours.
    Words(&'static str),
}

impl Reference {
    /// The words, and whether `ours` lies in the range; `None` where they are not compared.
    fn judge(self, ours: f64, is_usual: bool) -> (&'static str, Option<bool>) {
        match self {
            Self::None => ("", None),
            Self::Range(words, low, high) if is_usual => {
                (words, Some((low..=high).contains(&ours)))
            }
            Self::Range(words, ..) | Self::Words(words) => (words, None),
        }
    }

    /// The words of a claim, and whether `ours` meets it.
    pub(crate) fn claim(self, ours: f64, is_usual: bool) -> (&'static str, LabClaimVerdict) {
        let (words, holds) = self.judge(ours, is_usual);
        let verdict = match holds {
            Some(true) => LabClaimVerdict::Met,
            Some(false) => LabClaimVerdict::NotMet,
            None if self == Self::None => LabClaimVerdict::None,
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
            None if self == Self::None => LabOriginalVerdict::None,
            None => LabOriginalVerdict::NotComparable,
        };
        (words, verdict)
    }
}
