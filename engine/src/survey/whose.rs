//! Whose directory it is, decided before anything in it is opened for writing, locked or created.
//!
//! Names decide first. Several programs share some of them (`CURRENT`, `LOCK`, `MANIFEST-000005`,
//! `000012.sst`), so for these the first and last bytes decide.
//!
//! | content | [`Survey::allow_open`] | [`Survey::allow_reading`] |
//! |---|---|---|
//! | nothing, or a creation that was interrupted | only with [`OpenPolicy::create_if_missing`] | `NotFound` without files |
//! | a database of the engine | yes | yes |
//! | an import, a repair or a checkpoint that was interrupted | no | no |
//! | a file of another program | no | only beside a database of the engine |
//! | a file that the engine did not name | only with [`OpenPolicy::beside_other_files`] | yes |
//! | names of the engine around unknown bytes | no | yes: it reports the errors |

use super::Program;
use super::evidence::{self, Content, Sample};
use super::names::{self, Kind};
use crate::storage::{FileName, Storage};
use crate::{Error, ErrorKind, Result};

/// The directories that [`crate::Builder::open_in`] accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenPolicy {
    /// An empty or absent directory becomes a new database. Otherwise opening it answers `NotFound`.
    pub create_if_missing: bool,
    /// Files that neither the engine nor the operating system put there may lie beside those of the
    /// database; they are never touched. Files of another program's database are refused all the same.
    pub beside_other_files: bool,
}

impl Default for OpenPolicy {
    fn default() -> Self {
        Self { create_if_missing: true, beside_other_files: false }
    }
}

impl OpenPolicy {
    /// The database has to exist.
    pub const EXISTING: Self = Self { create_if_missing: false, beside_other_files: false };

    /// Sets whether an empty or absent directory becomes a new database.
    #[must_use]
    pub const fn create_if_missing(mut self, create_if_missing: bool) -> Self {
        self.create_if_missing = create_if_missing;
        self
    }

    /// Sets whether other files may lie beside those of the database.
    #[must_use]
    pub const fn beside_other_files(mut self, beside_other_files: bool) -> Self {
        self.beside_other_files = beside_other_files;
        self
    }

    /// Whether the directory of `storage` may be opened so; looks, and changes nothing.
    ///
    /// # Errors
    /// Those with which [`crate::Builder::open_in`] refuses a directory.
    pub fn check(self, storage: &dyn Storage) -> Result<()> {
        Survey::of(storage)?.allow_open(self)
    }
}

/// The engine's own part of the directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Own {
    /// Nothing but an empty `LOCK`.
    Nothing,
    /// Files of an interrupted creation: no data.
    Begun,
    /// A database, perhaps a damaged one.
    Database,
    /// An import, a repair or a checkpoint was interrupted.
    Unfinished,
    /// Only the names are those of the engine: this file has bytes of something else.
    Doubtful(FileName),
}

/// The content of a directory, recognized by names and first bytes.
#[derive(Debug)]
pub struct Survey {
    own: Own,
    /// The other program, and the file that shows it.
    other: Option<(Program, String)>,
    /// The first file of unknown origin.
    stranger: Option<String>,
    /// All files that neither the engine nor the operating system has named.
    not_understood: Vec<String>,
}

impl Survey {
    /// Looks at the directory of `storage`; changes nothing.
    ///
    /// # Errors
    /// `WouldBlock`: call again. Those of listing the directory and of reading.
    pub fn of(storage: &dyn Storage) -> Result<Self> {
        Self::of_names(&storage.list()?, &mut |name| evidence::sample(storage, name))
    }

    /// Looks at files with these `names`; `look` reads from those whose names the engine knows.
    ///
    /// # Errors
    /// Those of `look`.
    pub fn of_names(
        names: &[String],
        look: &mut dyn FnMut(FileName) -> Result<Sample>,
    ) -> Result<Self> {
        let (other, stranger, not_understood) = (None, None, Vec::new());
        let mut survey = Self { own: Own::Nothing, other, stranger, not_understood };
        let mut own = Vec::new();
        let mut unfinished = false;
        for name in names {
            match names::kind(name) {
                Kind::Own(FileName::Lock) | Kind::System => {}
                Kind::Own(file) => own.push(file),
                Kind::Unfinished => unfinished = true,
                Kind::Of(program) => {
                    survey.note_program(program, name);
                    survey.not_understood.push(name.clone());
                }
                Kind::Stranger => {
                    survey.stranger.get_or_insert_with(|| name.clone());
                    survey.not_understood.push(name.clone());
                }
            }
        }
        survey.judge(&own, look)?;
        if unfinished && survey.other.is_none() {
            survey.own = Own::Unfinished;
        }
        Ok(survey)
    }

    /// Notes a file of another program; the one whose names are rarest is the likeliest.
    fn note_program(&mut self, program: Program, name: &str) {
        if self.other.as_ref().is_none_or(|(known, _)| program > *known) {
            self.other = Some((program, name.to_owned()));
        }
    }

    /// Looks into the files whose names are those of the engine, as far as it takes.
    fn judge(
        &mut self,
        own: &[FileName],
        look: &mut dyn FnMut(FileName) -> Result<Sample>,
    ) -> Result<()> {
        let (mut proved, mut has_data, mut doubtful) = (false, false, None);
        let current = own.iter().filter(|name| **name == FileName::Current);
        let others = own.iter().filter(|name| **name != FileName::Current);
        for name in current.chain(others).copied() {
            let content = look(name)?.content(name);
            let is_data = matches!(name, FileName::Wal(_) | FileName::Table(_));
            has_data |= is_data && content != Content::Blank;
            match content {
                Content::Blank => {}
                Content::Own => proved = true,
                Content::Of(program) => self.note_program(program, &name.to_string()),
                // A creation writes one before anything else, and a power failure may spoil it.
                Content::Unknown if matches!(name, FileName::Manifest(_)) => {}
                Content::Unknown => doubtful = doubtful.or(Some(name)),
            }
            if name == FileName::Current && (proved || self.other.is_some()) {
                // One proof is enough: the other files need not be opened.
                has_data = proved;
                break;
            }
        }
        self.own = match doubtful {
            _ if proved && has_data => Own::Database,
            Some(name) if !proved => Own::Doubtful(name),
            _ if own.is_empty() => Own::Nothing,
            _ => Own::Begun,
        };
        Ok(())
    }

    /// Whether the directory may be opened, and with it written to.
    ///
    /// # Errors
    /// `UnsupportedFormat` for another program's files, `InvalidArgument` for files of unknown origin,
    /// `Corruption` for an import that was interrupted, `NotFound` when a database has to exist.
    pub fn allow_open(&self, policy: OpenPolicy) -> Result<()> {
        self.refuse_other()?;
        self.refuse_unfinished()?;
        self.allow_beside(policy)?;
        if policy.create_if_missing || self.own == Own::Database {
            return Ok(());
        }
        Err(missing())
    }

    /// Whether a new database may be made here: [`Self::allow_open`] of a directory without one.
    ///
    /// # Errors
    /// As [`Self::allow_open`]; `InvalidArgument` when there is a database.
    pub fn allow_new(&self) -> Result<()> {
        self.refuse_other()?;
        self.refuse_unfinished()?;
        self.allow_beside(OpenPolicy::default())?;
        match self.own {
            Own::Nothing => Ok(()),
            _ => Err(Error::invalid("the directory holds a database: name a new or empty one")),
        }
    }

    /// Whether the directory may be read as a database of the engine, whole or damaged.
    ///
    /// # Errors
    /// `UnsupportedFormat` for another program's database, `Corruption` for an import that was
    /// interrupted, `NotFound` when there are no files of a database.
    pub fn allow_reading(&self) -> Result<()> {
        match self.own {
            Own::Database => Ok(()),
            Own::Unfinished => self.refuse_unfinished(),
            Own::Nothing | Own::Begun | Own::Doubtful(_) => {
                self.refuse_other()?;
                if self.own == Own::Nothing { Err(missing()) } else { Ok(()) }
            }
        }
    }

    /// The file that has a name of the engine and other content, while nothing proves a database.
    pub fn doubtful(&self) -> Option<FileName> {
        match self.own {
            Own::Doubtful(name) if self.other.is_none() => Some(name),
            _ => None,
        }
    }

    /// The files of which the engine knows nothing.
    pub fn not_understood(self) -> Vec<String> {
        self.not_understood
    }

    /// Whether the files may be read as those of `LevelDB`.
    ///
    /// # Errors
    /// `UnsupportedFormat` with the owner of the files.
    pub fn allow_import(&self) -> Result<()> {
        let is_ours = matches!(self.own, Own::Database | Own::Unfinished);
        let way = match &self.other {
            Some((Program::LevelDb, _)) | None if !is_ours => return Ok(()),
            None => "open it with `levelscope DIR`",
            Some(_) => "`levelscope inspect DIR` identifies its files",
        };
        let holds = self.holds();
        let message = format!(
            "this directory holds {holds}, and import takes databases of LevelDB, RocksDB and Pebble: {way}"
        );
        Err(Error::new(ErrorKind::UnsupportedFormat, message))
    }

    /// The database's owner in words, the same for every command.
    fn holds(&self) -> String {
        let is_ours = matches!(self.own, Own::Database | Own::Unfinished);
        match &self.other {
            Some((program, file)) if is_ours => {
                format!("a database of Levelscope and a file of {program} ({file})")
            }
            Some((program, file)) => format!("a database of {program} ({file})"),
            None => "a database of Levelscope".to_owned(),
        }
    }

    fn refuse_other(&self) -> Result<()> {
        let Some((program, file)) = &self.other else { return Ok(()) };
        let way = match program {
            _ if self.own == Own::Database => {
                format!("move {file} away, or read with --read-only, `check` or `repair`")
            }
            Program::LevelDb | Program::RocksDb | Program::Pebble => {
                "`levelscope DIR --read-only` looks into it, `levelscope import DIR NEW` makes a \
                 Levelscope database of it"
                    .to_owned()
            }
            _ => "`levelscope inspect DIR` identifies its files".to_owned(),
        };
        let holds = self.holds();
        let message = format!("this directory holds {holds}; nothing in it was changed: {way}");
        Err(Error::new(ErrorKind::UnsupportedFormat, message))
    }

    fn refuse_unfinished(&self) -> Result<()> {
        if self.own != Own::Unfinished {
            return Ok(());
        }
        let message = "an import, a repair or a checkpoint into this directory was interrupted, so the \
                       database is incomplete: delete the directory, then do it again";
        Err(Error::new(ErrorKind::Corruption, message))
    }

    fn allow_beside(&self, policy: OpenPolicy) -> Result<()> {
        if let Own::Doubtful(name) = self.own {
            let message = format!(
                "{name} has the name of a file of Levelscope, but not its content, and nothing else \
                 here is a database of Levelscope; nothing was changed: `inspect` shows the file"
            );
            return Err(Error::new(ErrorKind::UnsupportedFormat, message));
        }
        let Some(name) = self.stranger.as_ref().filter(|_| !policy.beside_other_files) else {
            return Ok(());
        };
        let name: String = name.escape_debug().take(80).collect();
        Err(Error::invalid(format!(
            "this directory holds \"{name}\", which is not a file of a Levelscope database; nothing \
             was changed: name another directory, or move the file away"
        )))
    }
}

/// There is no database.
pub(crate) fn missing() -> Error {
    Error::new(ErrorKind::NotFound, "there is no database here")
}

#[cfg(test)]
mod tests;
