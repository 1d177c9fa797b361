//! The native program: arguments in, a console around files or memory, lines out.

mod arguments;
mod below;
mod checkpoint;
mod clock;
mod exchange;
mod files;
mod foreign;
mod inspect;
mod lesson;
mod leveldb_lock;
mod live;
mod new_directory;
mod print;
mod repair;
mod repl;
mod scratch;
mod script;
mod tally;
mod usage;

use arguments::{
    Arguments, CopyArguments, ExportArguments, ImportArguments, Location, RepairArguments, Request,
    Selection,
};
use clock::Clock;
use levelscope::internals::survey::Survey;
use levelscope::storage::{MemoryStorage, NativeStorage, Storage};
use levelscope::{Error, ErrorKind, OpenPolicy};
use levelscope_console::lesson::{LIBRARY, Tutor};
use levelscope_console::{Failure, Foreign, Host, Response, Scratch};
use print::Printer;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set by Ctrl-C while a command is at work.
pub(crate) type Interrupt = Arc<AtomicBool>;

/// Files of a directory that are read at the start, so that its past can be replayed \[bytes\]: more would
/// be felt by every short command.
const REPLAY_BYTES_MAX: u64 = 16 << 20;

/// Files in a directory, or memory.
struct NativeHost {
    storage: Arc<dyn Storage>,
    disk: Option<MemoryStorage>,
    /// Whether there is a directory that a program can check and repair.
    kept: bool,
    bytes_shown_by: &'static str,
    place: String,
    /// Where benchmark databases are made when no directory is named; `None`: in memory.
    scratch: Option<PathBuf>,
    clock: Clock,
    read_only: bool,
    beside_other_files: bool,
}

impl Host for NativeHost {
    fn storage(&self) -> Arc<dyn Storage> {
        Arc::clone(&self.storage)
    }

    fn lessons(&self) -> Option<&'static [&'static str]> {
        Some(LIBRARY)
    }

    fn place(&self) -> String {
        self.place.clone()
    }

    fn bytes_shown_by(&self) -> &'static str {
        self.bytes_shown_by
    }

    fn advice(&self) -> Option<&'static str> {
        self.kept.then_some(REPAIR)
    }

    fn disk(&self) -> Option<MemoryStorage> {
        self.disk.clone()
    }

    fn replay_bytes_max(&self) -> u64 {
        REPLAY_BYTES_MAX
    }

    fn threads_allowed(&self) -> bool {
        true
    }

    fn clock_nanos(&self) -> Option<u64> {
        self.clock.nanos()
    }

    fn scratch(&self, directory: Option<&str>) -> levelscope::Result<Scratch> {
        // Beside a database that does not exist yet there is no place.
        let usual = self.scratch.as_deref();
        let beside = usual.filter(|path| path.parent().is_some_and(Path::is_dir));
        let elsewhere = usual.is_some().then(scratch::temporary);
        scratch::make(directory, beside.or(elsewhere.as_deref()))
    }

    fn real_scratch(&self) -> levelscope::Result<Scratch> {
        scratch::make(None, Some(&scratch::temporary()))
    }

    fn read_only(&self) -> bool {
        self.read_only
    }

    fn open_policy(&self) -> OpenPolicy {
        OpenPolicy::default().beside_other_files(self.beside_other_files)
    }

    fn read_files(&self, path: &str) -> Result<Vec<Foreign>, Failure> {
        files::read(Path::new(path))
    }
}

/// Runs the program: 0 when all went well, 1 when a command or the opening failed, 2 for a wrong
/// command line.
pub(crate) fn main() -> ExitCode {
    let request = match arguments::parse(std::env::args_os()) {
        Ok(request) => request,
        Err(wrong) => {
            print::complain(&wrong.into());
            return ExitCode::from(2);
        }
    };
    let arguments = match request {
        Request::Help => return print_and_exit(usage::USAGE),
        Request::Version => {
            return print_and_exit(concat!("levelscope ", env!("CARGO_PKG_VERSION"), "\n"));
        }
        Request::Repair(repair) => return repaired(&repair),
        Request::Import(of) => {
            return print_response("import", &of.copy, imported(&of));
        }
        Request::Export(of) => {
            return print_response("export", &of.copy, exported(&of));
        }
        Request::Checkpoint(of) => {
            let response = checkpoint::run(&of.source, &of.target);
            return print_response("checkpoint", &of, response);
        }
        Request::Lesson(arguments) => return lesson::run(&arguments),
        Request::Inspect(arguments) => return inspect::run(&arguments),
        Request::Run(arguments) => arguments,
    };
    let mut printer = Printer::new(arguments.json);
    if let Location::Directory(path) = &arguments.place
        && arguments.read_only
        && (arguments.format.is_some()
            || foreign::can_explore(path)
            // Damage that keeps the engine from opening it does not keep anyone from asking for it.
            || arguments.commands.as_ref().is_some_and(|line| foreign::asks_files(path, line)))
    {
        let (format, commands) = (arguments.format.as_deref(), arguments.commands.as_deref());
        let explored = foreign::explored(path, format, commands, &mut printer);
        return print::exit_code(explored, Some(""));
    }
    if let Location::Directory(path) | Location::Evidence(path) = &arguments.place
        && path.is_file()
    {
        let _ = printer.response("open", &a_file(path).into());
        return ExitCode::FAILURE;
    }
    let interrupt = Interrupt::default();
    let flag = Arc::clone(&interrupt);
    // Without the handler Ctrl-C ends the program; recovery deals with that, too.
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::SeqCst));
    match open(&arguments) {
        Ok(tutor) => run(tutor, &arguments, &mut printer, &interrupt),
        Err(failure) => {
            let mut response = failure.into();
            if let Location::Directory(path) | Location::Evidence(path) = &arguments.place {
                response = below::led_on(path, response);
            }
            let _ = printer.response("open", &response);
            ExitCode::FAILURE
        }
    }
}

/// The failure of a file in the place of a directory.
fn a_file(path: &Path) -> Failure {
    let shown = levelscope_console::text::word(path.to_string_lossy().as_bytes());
    let failure = Failure::usage(format!("{shown} is a file, and a database is a directory"));
    failure.hint(format!("`levelscope {shown} --read-only` looks into it"))
}

/// A new database from one of another program; what the source is decides how it is read.
fn imported(arguments: &ImportArguments) -> Response {
    let source = &arguments.copy.source;
    if let Some(failure) = foreign::stand_in(source).or_else(|| foreign::refused(source)) {
        return failure.into();
    }
    let other = arguments.selection.family.as_ref().filter(|name| *name != "default");
    if other.is_some() && foreign::is_leveldb(source) {
        let failure = Failure::usage("a database of LevelDB has one column family, \"default\"");
        return failure.into();
    }
    foreign::import(arguments)
}

/// A table or a directory of another program; the name of the target decides which.
fn exported(arguments: &ExportArguments) -> Response {
    let CopyArguments { source, target, .. } = &arguments.copy;
    if target.extension().is_some_and(|extension| extension == "sst") {
        return foreign::export(arguments);
    }
    let Selection { family, lossy, skip_damage } = &arguments.selection;
    if family.is_some() || *lossy || *skip_damage {
        let message =
            "--family, --lossy and --skip-damage are for exports to a file that ends in .sst";
        return Failure::usage(message).into();
    }
    if target.extension().is_some_and(|extension| extension == "db") {
        return exchange::export_log(source, target);
    }
    exchange::export(source, target)
}

/// Without a handler of its own for Ctrl-C: a target that has no `CURRENT` yet is no database.
fn repaired(arguments: &RepairArguments) -> ExitCode {
    let CopyArguments { source, target, .. } = &arguments.copy;
    let response = repair::run(source, target, &arguments.options());
    print_response("repair", &arguments.copy, response)
}

/// Prints the only response of a run, which is about the source of `of`.
fn print_response(verb: &str, of: &CopyArguments, response: Response) -> ExitCode {
    let response = below::led_on(&of.source, response);
    let printed = Printer::new(of.json).response(verb, &response);
    let done = response.error.is_none() && printed.is_ok();
    if done { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print_and_exit(text: &str) -> ExitCode {
    match io::Write::write_all(&mut io::stdout(), text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn open(arguments: &Arguments) -> Result<Tutor, Failure> {
    let options = arguments.options.clone();
    let disk = MemoryStorage::default();
    let memory = || (Arc::new(disk.clone()) as Arc<dyn Storage>, "memory".to_owned());
    let ((storage, place), scratch) = match &arguments.place {
        Location::Memory => (memory(), None),
        Location::Benchmark => (memory(), Some(scratch::temporary())),
        Location::Directory(path) | Location::Evidence(path) if arguments.read_only => {
            let storage = Arc::new(NativeStorage::read_only(path)?);
            let place = format!("{}, opened for reading only", path.display());
            ((storage as Arc<dyn Storage>, place), Some(scratch::temporary()))
        }
        Location::Directory(path) | Location::Evidence(path) => {
            let storage = NativeStorage::open(path)?;
            let storage = Arc::new(match arguments.identity {
                Some(identity) => storage.with_identity(identity),
                None => storage,
            });
            let place = path.display().to_string();
            ((storage as Arc<dyn Storage>, place), Some(path.join("bench")))
        }
    };
    if let Location::Evidence(path) = &arguments.place {
        levelscope_formats::exchange::refuse_other_formats(&*storage)?;
        let readable = Survey::of(&*storage)?.allow_reading();
        if let Err(error) = readable
            && let Some(failure) = below::better(path, &error.into())
        {
            return Err(failure);
        }
    }
    let (clock, read_only) = (Clock::start(), arguments.read_only);
    let disk = (!matches!(arguments.place, Location::Directory(_))).then_some(disk);
    let beside_other_files = arguments.beside_other_files;
    let kept = matches!(arguments.place, Location::Directory(_) | Location::Evidence(_));
    // After `levelscope check DIR` no command can follow.
    let alone = matches!(arguments.place, Location::Evidence(_));
    let bytes_shown_by = if alone { INSPECT } else { levelscope_console::BYTES_SHOWN_BY };
    let host = NativeHost {
        storage,
        disk,
        kept,
        bytes_shown_by,
        place,
        scratch,
        clock,
        read_only,
        beside_other_files,
    };
    let mut tutor = Tutor::new(Arc::new(host));
    let console = tutor.console_mut();
    match &arguments.place {
        Location::Evidence(_) => {}
        Location::Directory(_) if !read_only => {
            console.open_existing(options).map_err(|error| refused(error, beside_other_files))?;
        }
        Location::Directory(_) => console.open(options).map_err(|error| unopened(error.into()))?,
        Location::Memory | Location::Benchmark => console.open(options)?,
    }
    Ok(tutor)
}

/// The hint after damage in a directory.
const REPAIR: &str = "`levelscope repair DIR NEW` saves the verified data into a new directory";

/// The hint at the bytes of a file while no database is open.
const INSPECT: &str = "`levelscope inspect FILE` shows the bytes of a file";

/// Names what looks at damage and saves the rest of a database that was not opened: no command can run there.
fn unopened(mut failure: Failure) -> Failure {
    if failure.kind == ErrorKind::Corruption.name() && failure.hint.is_some() {
        failure.hint = Some(format!(
            "nothing was changed; `levelscope check DIR` reports all damage; {INSPECT}; {REPAIR}"
        ));
    }
    failure
}

/// Names the option that allows other files, or the programs that look at damage, where it would help.
fn refused(error: Error, beside_other_files: bool) -> Failure {
    let strangers = error.kind() == ErrorKind::InvalidArgument && !beside_other_files;
    let failure = Failure::from(error);
    if strangers {
        return failure.hint("--create-in-nonempty leaves such files alone");
    }
    unopened(failure)
}

fn run(
    mut tutor: Tutor,
    arguments: &Arguments,
    printer: &mut Printer,
    interrupt: &Interrupt,
) -> ExitCode {
    let read_only = match &arguments.place {
        Location::Directory(path) if arguments.read_only => Some(path.as_path()),
        _ => None,
    };
    let mut session = script::Session { tutor: &mut tutor, interrupt, read_only };
    let outcome = match &arguments.commands {
        Some(commands) => script::run(&mut session, commands, printer),
        None if io::stdin().is_terminal() => live::run(session, printer).map(|()| true),
        None => script::run_lines(&mut session, io::stdin().lock(), printer),
    };
    let closed = tutor.close();
    if let Err(error) = closed {
        print::complain(&error.into());
        return ExitCode::FAILURE;
    }
    print::exit_code(outcome, Some("input or output failed: "))
}
