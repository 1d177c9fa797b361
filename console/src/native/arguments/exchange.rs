//! The arguments of an import, an export and a checkpoint.

use super::run::Settings;
use super::{Own, Request, WrongLine, value, words_of};
use levelscope::Options;
use lexopt::Parser;
use std::ffi::OsString;
use std::path::PathBuf;

/// The arguments of a checkpoint, and those that everything has that reads one path and writes another.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CopyArguments {
    pub(crate) source: PathBuf,
    pub(crate) target: PathBuf,
    pub(crate) json: bool,
}

impl CopyArguments {
    /// Reads both paths and whether JSON is wanted, and with `own` what the verb takes besides; `takes`: the message
    /// about another number of paths. `None`: help is wanted.
    pub(super) fn read(
        words: Vec<OsString>,
        takes: &str,
        own: &mut Own<'_>,
    ) -> Result<Option<Self>, WrongLine> {
        let Some((paths, json)) = words_of(words, own)? else { return Ok(None) };
        let [source, target] = <[PathBuf; 2]>::try_from(paths).map_err(|_| takes)?;
        Ok(Some(Self { source, target, json }))
    }
}

/// The arguments of an import.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ImportArguments {
    pub(crate) copy: CopyArguments,
    pub(crate) selection: Selection,
    /// The options of the new database, as for a run.
    pub(crate) options: Options,
}

/// The arguments of an export; its target is a new directory for `LevelDB`, or a new file whose name ends in `.sst`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ExportArguments {
    pub(crate) copy: CopyArguments,
    pub(crate) selection: Selection,
}

/// The part of another program's database that is taken.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    /// The column family; `None`: the only one, or `default`.
    pub(crate) family: Option<String>,
    /// Entries without a plain value are left out or lose their columns.
    pub(crate) lossy: bool,
    /// Damaged parts are left out.
    pub(crate) skip_damage: bool,
}

impl Selection {
    fn take(&mut self, flag: &str, parser: &mut Parser) -> Result<bool, lexopt::Error> {
        match flag {
            "--skip-damage" => self.skip_damage = true,
            "--lossy" => self.lossy = true,
            "--family" => self.family = Some(value(parser)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// `levelscope import SOURCE TARGET`.
pub(super) fn import(words: Vec<OsString>) -> Result<Request, WrongLine> {
    let (mut selection, mut settings) = (Selection::default(), Settings::default());
    let takes = "import takes two directories: that of another program and a new one";
    let copy = CopyArguments::read(words, takes, &mut |flag, parser| {
        Ok(selection.take(flag, parser)? || settings.take(flag, parser)?)
    })?;
    let Some(copy) = copy else { return Ok(Request::Help) };
    let options = settings.options()?;
    Ok(Request::Import(ImportArguments { copy, selection, options }))
}

/// `levelscope export SOURCE TARGET`.
pub(super) fn export(words: Vec<OsString>) -> Result<Request, WrongLine> {
    let mut selection = Selection::default();
    let takes = "export takes the directory of a database, and a new directory or a new file that ends in .sst";
    let mut own = |flag: &str, parser: &mut Parser| selection.take(flag, parser);
    let copy = CopyArguments::read(words, takes, &mut own)?;
    Ok(copy.map_or(Request::Help, |copy| Request::Export(ExportArguments { copy, selection })))
}

/// `levelscope checkpoint SOURCE TARGET`.
pub(super) fn checkpoint(words: Vec<OsString>) -> Result<Request, WrongLine> {
    let takes = "checkpoint takes two directories: that of the database and a new one";
    let copy = CopyArguments::read(words, takes, &mut |_, _| Ok(false))?;
    Ok(copy.map_or(Request::Help, Request::Checkpoint))
}
