//! Files from outside that a host hands in: dropped on the page, or named on the command line.

use super::Console;
use crate::commands::{Opening, format_called};
use crate::output::Response;
use crate::shelf::Foreign;
use levelscope_formats::{Directory, Format};

impl Console {
    /// Begins to open `files`, as the command `open` does with those that it has read.
    pub fn start_files(&mut self, files: Vec<Foreign>) {
        self.begin("open", Box::new(Opening::of(files, None)));
    }

    /// As [`Console::start_files`], to its end; as files of the format that is called `given`, if any.
    pub fn run_files(&mut self, files: Vec<Foreign>, given: Option<&str>) -> Response {
        self.run_opening(given, |given| Opening::of(files, given))
    }

    /// As [`Console::run_files`], of one `file` of a `directory` whose other files are not opened.
    pub fn run_file_of(
        &mut self,
        file: Foreign,
        given: Option<&str>,
        directory: Directory,
    ) -> Response {
        self.run_opening(given, |given| Opening::of_one(file, given, directory))
    }

    fn run_opening(
        &mut self,
        given: Option<&str>,
        opening: impl FnOnce(Option<&'static dyn Format>) -> Opening,
    ) -> Response {
        match given.map(|word| format_called(word.as_bytes())).transpose() {
            Ok(given) => self.begin("open", Box::new(opening(given))),
            Err(failure) => return failure.into(),
        }
        self.finish()
    }
}
