//! A closed database of Levelscope, made in memory, and a host that keeps what a terminal on it saves.

use levelscope::Options;
use levelscope::storage::{FileName, MemoryStorage, Storage};
use levelscope_console::directory::{DirectoryHost, DirectorySession};
use levelscope_console::{Console, Failure, Host, Response};
use levelscope_foreign::directory::Directory;
use levelscope_foreign::export::Policy;
use std::cell::RefCell;
use std::sync::Arc;

/// A host around a disk in memory.
struct MemoryHost(MemoryStorage);

impl Host for MemoryHost {
    fn storage(&self) -> Arc<dyn Storage> {
        Arc::new(self.0.clone())
    }

    fn place(&self) -> String {
        "memory".into()
    }
}

/// A host that keeps what is saved.
#[derive(Default)]
pub(crate) struct Shop {
    pub(crate) saved: RefCell<Vec<(String, Vec<u8>)>>,
}

impl DirectoryHost for Shop {
    fn export(&self, _: &Directory<'_>, _: u32, _: &str, _: Policy) -> Result<Response, Failure> {
        Err(Failure::usage("this host writes nothing"))
    }

    fn save(&self, path: &str, content: &[u8], _: bool) -> Result<(), Failure> {
        self.saved.borrow_mut().push((path.to_owned(), content.to_vec()));
        Ok(())
    }
}

/// The files of a database in which the commands of `line` were run.
pub(crate) fn closed(line: &str) -> Vec<(String, Vec<u8>)> {
    let disk = MemoryStorage::default();
    let mut console = Console::new(Box::new(MemoryHost(disk.clone())));
    console.open(Options::preset("classroom").expect("it exists")).expect("it opens");
    assert_eq!(console.run(line).error, None);
    console.close().expect("it closes");
    let names = disk.list().expect("it lists");
    let names = names.iter().filter_map(|name| FileName::parse(name));
    let names = names.filter(|name| *name != FileName::Lock);
    names.map(|name| (name.to_string(), disk.read(name).expect("it reads"))).collect()
}

/// All that a line prints, with its failures.
pub(crate) fn run(session: &mut DirectorySession<'_, '_>, line: &str) -> String {
    let mut out = String::new();
    for (_, response) in session.run(line) {
        for line in response.lines {
            out += line.to_text().trim_end();
            out.push('\n');
        }
        if let Some(failure) = response.error {
            let hint = failure.hint.unwrap_or_default();
            out += &["error: ", &failure.message, "\nhint: ", &hint, "\n"].concat();
        }
    }
    out
}
