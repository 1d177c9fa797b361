//! `export`: files for a person to keep.

use super::files_named;
use crate::history::{Copied, Copying};
use crate::language::Args;
use crate::language::lexer::Statement;
use crate::output::{Answer, Failure, OutputLine};
use crate::result::ExportedResult;
use crate::session::{Session, Stop, Task, Turn, once, structured};
use crate::shelf::{FILES_MAX, Foreign};
use crate::text;
use levelscope_formats::exchange::{Export, ExportOptions};

pub(super) fn start(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, FILES_MAX, "opened files")?;
    if args.has("--leveldb") && !args.words.is_empty() {
        return Err(args.verb.misused("--leveldb goes with no file"));
    }
    if !args.words.is_empty() {
        let args = args.clone();
        return Ok(once(move |session| opened(session, &args)));
    }
    if args.has("--leveldb") {
        return Ok(Box::new(Converting { export: None, files: Vec::new() }));
    }
    let copying = Copying::default();
    Ok(Box::new(Exporting { copying }))
}

/// Hands opened files out, as they are.
fn opened(session: &mut Session, args: &Args) -> Result<Answer, Stop> {
    let found = files_named(session, args)?;
    let foreign = |file: &crate::shelf::OpenedFile| Foreign {
        name: file.name.clone(),
        bytes: file.bytes.clone(),
    };
    let files: Vec<Foreign> = found.iter().map(|file| foreign(file)).collect();
    let name = match files.as_slice() {
        [only] => only.name.rsplit('/').next().unwrap_or_default().to_owned(),
        _ => "files.zip".to_owned(),
    };
    hand_out(session, &name, files)
}

/// Gives `files` to the host, as one file that is called `name`.
fn hand_out(session: &mut Session, name: &str, files: Vec<Foreign>) -> Result<Answer, Stop> {
    let count = files.len() as u64;
    let bytes = files.iter().map(|file| file.bytes.len() as u64).sum();
    session.host.save_files(name, files)?;
    let told = text::counted(count, "file");
    let line = OutputLine::text(format!("{told}, {}, handed out as ", text::size(bytes)));
    session.say(line.strong(name));
    Ok(structured(ExportedResult { name: name.to_owned(), files: count, bytes }))
}

/// The files of the current branch on their way out.
struct Exporting {
    copying: Copying,
}

impl Task for Exporting {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let storage = session.storage();
        match self.copying.copy(&*storage, u64::MAX)? {
            Copied::Whole(image) => {
                let files = image.into_files();
                let name = |name: String| format!("levelscope/{name}");
                let files = files.map(|(plain, bytes)| Foreign { name: name(plain), bytes });
                let files = files.collect();
                hand_out(session, "levelscope.zip", files).map(Turn::Done)
            }
            Copied::Refused(message) => Err(Failure::new("io", message).into()),
        }
    }
}

/// The data of the current branch on its way out as files of `LevelDB`.
struct Converting {
    export: Option<Export>,
    files: Vec<Foreign>,
}

impl Task for Converting {
    fn step(&mut self, session: &mut Session) -> Result<Turn, Stop> {
        let Some(export) = &mut self.export else {
            self.export = Some(Export::new(&session.db()?, ExportOptions::default())?);
            return Ok(Turn::More);
        };
        if let Some(file) = export.next_file()? {
            let name = format!("leveldb/{}", file.name);
            self.files.push(Foreign { name, bytes: file.bytes });
            return Ok(Turn::More);
        }
        // Its snapshot ends here, at the same step in every replay.
        self.export = None;
        hand_out(session, "leveldb.zip", std::mem::take(&mut self.files)).map(Turn::Done)
    }
}
