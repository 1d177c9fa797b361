//! The JavaScript interface: a mapping, method by method. Failures are exceptions with `kind`.

use crate::files::{Host, folders};
use crate::lens::{Lens, Reply, kind, sentence};
use crate::work::{Form, Progress};
use js_sys::Reflect;
use levelscope_foreign::Error;
use levelscope_foreign::export::Policy;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

type Thrown<T> = Result<T, JsValue>;

#[wasm_bindgen]
extern "C" {
    /// Reads the files of the worker. Failures are exceptions whose message is a clause.
    pub type JsHost;

    #[wasm_bindgen(method, catch)]
    fn read(this: &JsHost, file: usize, at: f64, buffer: &mut [u8]) -> Result<usize, JsValue>;
}

impl Host for JsHost {
    fn read(&self, file: usize, offset: u64, buffer: &mut [u8]) -> Result<usize, String> {
        #[expect(clippy::cast_precision_loss, reason = "no file has 2^53 bytes")]
        let at = offset as f64;
        JsHost::read(self, file, at, buffer).map_err(|thrown| {
            let message = Reflect::get(&thrown, &JsValue::from_str("message")).ok();
            let message = message.and_then(|message| message.as_string());
            message.unwrap_or_else(|| "the browser could not read it".to_owned())
        })
    }
}

/// The exception for `error`: a sentence.
fn thrown(error: &Error) -> JsValue {
    let exception = js_sys::Error::new(&sentence(error));
    let kind = JsValue::from_str(kind(error));
    // Only a frozen object refuses, and this one is new.
    let _ = Reflect::set(&exception, &JsValue::from_str("kind"), &kind);
    exception.into()
}

fn or_thrown<T>(outcome: levelscope_foreign::Result<T>) -> Thrown<T> {
    outcome.map_err(|error| thrown(&error))
}

/// The folders among `names` that look like a database; each is empty or ends in `/`.
#[expect(clippy::needless_pass_by_value, reason = "JavaScript hands over a list as it is")]
#[wasm_bindgen(js_name = foldersOf)]
pub fn folders_of(names: Vec<String>) -> Vec<String> {
    folders(&names)
}

/// An answer, or its progress.
#[wasm_bindgen]
pub struct Outcome {
    answer: Option<String>,
    progress: Progress,
}

#[expect(clippy::cast_precision_loss, reason = "no directory has 2^53 bytes")]
#[wasm_bindgen]
impl Outcome {
    /// JSON; `undefined`: it takes longer.
    #[wasm_bindgen(js_name = takeAnswer)]
    pub fn take_answer(&mut self) -> Option<String> {
        self.answer.take()
    }

    /// The work done.
    #[wasm_bindgen(getter)]
    pub fn done(&self) -> f64 {
        self.progress.done as f64
    }

    /// Of how much, where that is known.
    #[wasm_bindgen(getter)]
    pub fn total(&self) -> Option<f64> {
        self.progress.total.map(|total| total as f64)
    }
}

impl From<Reply> for Outcome {
    fn from(reply: Reply) -> Self {
        match reply {
            Reply::Answer(answer) => {
                Self { answer: Some(answer), progress: Progress { done: 0, total: None } }
            }
            Reply::More(progress) => Self { answer: None, progress },
        }
    }
}

/// A file that a person is to keep.
#[wasm_bindgen(getter_with_clone)]
pub struct Saved {
    /// Its name.
    pub name: String,
    /// All of its bytes.
    pub content: Vec<u8>,
}

/// The open directory. Its calls are described at [`Lens`].
#[wasm_bindgen]
pub struct OpenDirectory {
    lens: Lens,
}

#[wasm_bindgen]
impl OpenDirectory {
    /// Opens the database in `folder` of files with these names and lengths.
    pub fn open(names: Vec<String>, lengths: Vec<f64>, folder: &str, host: JsHost) -> Thrown<Self> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "lengths of files: whole numbers from 0 to 2^53"
        )]
        let all: Vec<(String, u64)> =
            names.into_iter().zip(lengths.into_iter().map(|length| length as u64)).collect();
        Ok(Self { lens: or_thrown(Lens::open(&all, folder, host))? })
    }

    /// See [`Lens::ask`].
    pub fn ask(&mut self, question: &str) -> Thrown<Outcome> {
        or_thrown(self.lens.ask(question)).map(Outcome::from)
    }

    /// See [`Lens::advance`].
    pub fn advance(&mut self) -> Thrown<Outcome> {
        or_thrown(self.lens.advance()).map(Outcome::from)
    }

    /// See [`Lens::check_news`].
    #[wasm_bindgen(js_name = checkNews)]
    pub fn check_news(&mut self) -> Option<String> {
        self.lens.check_news()
    }

    /// See [`Lens::run`].
    pub fn run(&mut self, line: &str, family: u32, step: Option<usize>) -> String {
        self.lens.run(line, family, step)
    }

    /// The next file that a line has saved.
    #[wasm_bindgen(js_name = takeSaved)]
    pub fn take_saved(&mut self) -> Option<Saved> {
        self.lens.take_saved().map(|(name, content)| Saved { name, content })
    }

    /// See [`Lens::is_database`].
    #[wasm_bindgen(js_name = isDatabase)]
    pub fn is_database(&self) -> bool {
        self.lens.is_database()
    }

    /// See [`Lens::complete`].
    pub fn complete(&self, line: &str, at: usize) -> String {
        self.lens.complete(line, at)
    }

    /// See [`Lens::csv`].
    pub fn csv(&self, question: &str) -> Thrown<String> {
        or_thrown(self.lens.csv(question))
    }

    /// See [`Lens::begin_export`].
    #[wasm_bindgen(js_name = beginExport)]
    pub fn begin_export(
        &mut self,
        family: u32,
        lossy: bool,
        skip_damage: bool,
        is_log: bool,
    ) -> Thrown<()> {
        let form = if is_log { Form::Log } else { Form::Table };
        or_thrown(self.lens.begin_export(family, Policy { lossy, skip_damage }, form))
    }

    /// See [`Lens::losses`].
    pub fn losses(&self) -> Vec<String> {
        self.lens.losses().to_vec()
    }

    /// See [`Lens::is_refused`].
    #[wasm_bindgen(js_name = isRefused)]
    pub fn is_refused(&self) -> bool {
        self.lens.is_refused()
    }

    /// See [`Lens::export`].
    pub fn export(&mut self) -> Thrown<Option<Vec<u8>>> {
        or_thrown(self.lens.export())
    }

    /// Entries in the table so far.
    #[expect(clippy::cast_precision_loss, reason = "no directory has 2^53 entries")]
    pub fn exported(&self) -> f64 {
        self.lens.exported().done as f64
    }
}
