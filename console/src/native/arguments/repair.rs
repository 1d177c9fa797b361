//! The arguments of a repair.

use super::run::Settings;
use super::{CopyArguments, Request, WrongLine};
use levelscope::{Options, RepairOptions};
use std::ffi::OsString;

/// The arguments of a repair.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RepairArguments {
    pub(crate) copy: CopyArguments,
    after_holes: bool,
    options: Options,
}

impl RepairArguments {
    /// How the repair is done; the options of the new tables as for a run.
    pub(crate) fn options(&self) -> RepairOptions {
        RepairOptions::default().options(self.options.clone()).after_holes(self.after_holes)
    }
}

/// `levelscope repair SOURCE TARGET`.
pub(super) fn repair(words: Vec<OsString>) -> Result<Request, WrongLine> {
    let (mut after_holes, mut settings) = (false, Settings::default());
    let takes = "repair takes two directories: the damaged one and a new one";
    let copy = CopyArguments::read(words, takes, &mut |flag, parser| {
        after_holes |= flag == "--after-holes";
        Ok(flag == "--after-holes" || settings.take(flag, parser)?)
    })?;
    let Some(copy) = copy else { return Ok(Request::Help) };
    let options = settings.options()?;
    Ok(Request::Repair(RepairArguments { copy, after_holes, options }))
}
