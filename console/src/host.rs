//! The interface of the command language to the program around it.

pub use crate::experiments::Scratch;
use crate::experiments::{Running, Settings, begin_here};
use crate::history::Listener;
use crate::output::Failure;
use levelscope::storage::{MemoryStorage, Storage};
use levelscope::{Error, OpenPolicy, Options};
use serde::Serialize;
use std::sync::Arc;

/// The commands that show the bytes of a file, as a clause.
pub const BYTES_SHOWN_BY: &str = "`layout` and `hex` show the bytes of a file";

/// A file from outside, or one that goes out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foreign {
    /// Its name, with its folders; any text.
    pub name: String,
    /// All bytes of the file.
    pub bytes: Vec<u8>,
}

/// A speed of Play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Speed {
    /// The word that `play` takes for it.
    pub word: &'static str,
    /// Steps of background work a second; 0: as many as possible.
    pub steps_per_second: u32,
}

/// The speeds of Play.
pub const SPEEDS: [Speed; 4] = [
    Speed { word: "0.5", steps_per_second: 1 },
    Speed { word: "1", steps_per_second: PLAY_RATE },
    Speed { word: "4", steps_per_second: 8 },
    Speed { word: "max", steps_per_second: 0 },
];

/// Steps a second while no other speed was chosen.
pub const PLAY_RATE: u32 = 2;

/// A command's change to Play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "play", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PlayChange {
    /// Background work goes on by itself.
    On {
        /// Steps a second, 0 as many as possible; `null`: as fast as before.
        steps_per_second: Option<u32>,
    },
    /// Background work waits for commands.
    Off {},
}

/// The services of the program around the command language.
pub trait Host: Send + Sync {
    /// Where the database lives; every call gives the same place.
    fn storage(&self) -> Arc<dyn Storage>;

    /// The listener of the host for the events of the current branch.
    fn listener(&self) -> Option<Arc<dyn Listener>> {
        None
    }

    /// The disk, where the files are in memory: what a crash leaves can be asked of it, and it can be
    /// damaged.
    fn disk(&self) -> Option<MemoryStorage> {
        None
    }

    /// The commands of this host that show the bytes of a file, as a clause.
    fn bytes_shown_by(&self) -> &'static str {
        BYTES_SHOWN_BY
    }

    /// Advice of this host against damage, besides the commands that inspect it.
    fn advice(&self) -> Option<&'static str> {
        None
    }

    /// Up to how many bytes of files are copied at the start, so that the past can be replayed.
    fn replay_bytes_max(&self) -> u64 {
        64 << 20
    }

    /// Where the database lives, as it stands after "in": `memory`, a path, `this browser`.
    fn place(&self) -> String;

    /// Whether background threads exist here.
    fn threads_allowed(&self) -> bool {
        false
    }

    /// Whether the database is to be opened for reading only.
    fn read_only(&self) -> bool {
        false
    }

    /// The policy for opening the directory of the database.
    fn open_policy(&self) -> OpenPolicy {
        OpenPolicy::default()
    }

    /// Whether no call may take long. Then inline work is done here, phase by phase in between, with
    /// the same result as when the engine does it inside the call. A host whose storage answers
    /// `WouldBlock` must return `true`: only so is inline work that had to wait finished in the same command.
    fn in_slices(&self) -> bool {
        false
    }

    /// The options of the preset `name` as this host runs it.
    fn preset(&self, name: &str) -> Option<Options> {
        Options::preset(name)
    }

    /// Nanoseconds since some moment, for measuring, because the engine has no clock; `None` without a clock.
    fn clock_nanos(&self) -> Option<u64> {
        None
    }

    /// A place for a database that is measured: never the one of [`Host::storage`], and empty unless
    /// `directory` names one that is not.
    ///
    /// # Errors
    /// There are no directories here; those of the storage.
    fn scratch(&self, directory: Option<&str>) -> levelscope::Result<Scratch> {
        match directory {
            None => Ok(Scratch::memory()),
            Some(_) => Err(Error::invalid("there are no directories here: leave --db out")),
        }
    }

    /// Begins an experiment; `csv`: only tables are printed.
    ///
    /// # Errors
    /// When `settings` make no sense to it.
    fn experiment(&self, settings: &Settings, csv: bool) -> Result<Box<dyn Running>, Failure> {
        begin_here(settings, csv)
    }

    /// The texts of the lessons, in their order; `None`: the host fetches them, and what needs them waits.
    fn lessons(&self) -> Option<&'static [&'static str]> {
        Some(&[])
    }

    /// Whether the host is a page, which has a cursor of its own.
    fn has_cursor(&self) -> bool {
        false
    }

    /// The files at `path`: one file, or those of a directory.
    ///
    /// # Errors
    /// There are no paths here; the system's error, as a sentence.
    fn read_files(&self, path: &str) -> Result<Vec<Foreign>, Failure> {
        let shown = crate::text::short_word(path.as_bytes(), 64);
        let failure =
            Failure::usage(format!("there are no paths here, so {shown} cannot be imported"));
        Err(failure.hint("open it: a button there makes it a branch"))
    }

    /// Asks a person for files, which are opened beside the database; `false` when the host cannot ask.
    fn pick_files(&self) -> bool {
        false
    }

    /// Lets a person keep `files`, as a directory or an archive called `name`.
    ///
    /// # Errors
    /// The host cannot save files; errors of the system.
    fn save_files(&self, name: &str, files: Vec<Foreign>) -> Result<(), Failure> {
        let _ = (name, files);
        let failure = Failure::usage("only the page saves an archive: the files are here already");
        Err(failure.hint("`levelscope export DIR LEVELDB_DIR` writes a directory of LevelDB"))
    }

    /// As [`Host::scratch`], on the slowest and safest storage that there is: for measuring syncs.
    ///
    /// # Errors
    /// Those of [`Host::scratch`].
    fn real_scratch(&self) -> levelscope::Result<Scratch> {
        self.scratch(None)
    }

    /// Starts or stops doing background work by itself; `false` when the host cannot.
    fn play(&self, change: PlayChange) -> bool {
        let _ = change;
        false
    }
}
