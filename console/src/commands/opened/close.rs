//! `close`: files go out again.

use super::files_named;
use crate::language::Args;
use crate::language::lexer::Statement;
use crate::output::{Failure, OutputLine};
use crate::session::{Task, once, structured};
use crate::text;

pub(super) fn start(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    let all = args.has("--all");
    if all != args.words.is_empty() {
        return Err(args.verb.misused("close needs opened files or directories, or --all"));
    }
    let args = args.clone();
    Ok(once(move |session| {
        let mut closed = if all { session.shelf.clear() } else { 0 };
        for file in files_named(session, &args)? {
            closed += u64::from(session.shelf.close(&file.id()));
        }
        session.say(OutputLine::note(format!("{} closed.", text::counted(closed, "file"))));
        Ok(structured(closed))
    }))
}
