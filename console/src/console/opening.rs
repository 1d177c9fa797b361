//! Files from outside that a host hands in.

use super::Console;
use crate::commands::Importing;
use crate::host::Foreign;
use crate::output::Response;

impl Console {
    /// Begins to make a branch of `files`, as the command `import` does with those that it has read.
    pub fn start_files(&mut self, files: Vec<Foreign>) {
        self.begin("import", Box::new(Importing::of_files(files)));
    }

    /// As [`Console::start_files`], to its end.
    pub fn run_files(&mut self, files: Vec<Foreign>) -> Response {
        self.start_files(files);
        self.finish()
    }
}
