//! The storage of a database: memory, the files of the origin, or files that a host opens at once.

use js_sys::{Reflect, Uint8Array};
use levelscope::storage::{MemoryStorage, Storage};
use levelscope::{Identity, Result};
use levelscope_origin::{Answer, Directory, Handle, Host, OriginStorage, Refusal};
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::FileSystemSyncAccessHandle;

#[wasm_bindgen]
extern "C" {
    /// Opens files of one directory, synchronously. Failures are exceptions with a `code`.
    pub type JsHost;

    #[wasm_bindgen(method, catch)]
    fn create(this: &JsHost, name: &str) -> std::result::Result<JsFile, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn open(this: &JsHost, name: &str) -> std::result::Result<JsFile, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn remove(this: &JsHost, name: &str) -> std::result::Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = syncDirectory)]
    fn sync_directory(this: &JsHost) -> std::result::Result<(), JsValue>;

    /// One open file.
    pub type JsFile;

    #[wasm_bindgen(method, catch)]
    fn read(this: &JsFile, buffer: &mut [u8], at: f64) -> std::result::Result<f64, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn write(this: &JsFile, bytes: &[u8], at: f64) -> std::result::Result<f64, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn sync(this: &JsFile) -> std::result::Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn truncate(this: &JsFile, bytes: f64) -> std::result::Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn size(this: &JsFile) -> std::result::Result<f64, JsValue>;
    #[wasm_bindgen(method)]
    fn close(this: &JsFile);
}

/// Name or code, and message, of an exception.
fn refusal(thrown: &JsValue) -> Refusal {
    let text = |field: &str| {
        let value = Reflect::get(thrown, &JsValue::from_str(field)).ok();
        value.and_then(|value| value.as_string()).filter(|text| !text.is_empty())
    };
    let name = text("code").or_else(|| text("name")).unwrap_or_default();
    Refusal { name, message: text("message").unwrap_or_default() }
}

fn answer<T>(outcome: std::result::Result<T, JsValue>) -> Answer<T> {
    outcome.map_err(|thrown| refusal(&thrown))
}

#[expect(clippy::cast_precision_loss, reason = "the directory allows no file of 2^53 bytes")]
fn number(bytes: u64) -> f64 {
    bytes as f64
}

impl Host for JsHost {
    fn create(&self, name: &str) -> Answer<Box<dyn Handle>> {
        Ok(Box::new(answer(JsHost::create(self, name))?))
    }

    fn open(&self, name: &str) -> Answer<Box<dyn Handle>> {
        Ok(Box::new(answer(JsHost::open(self, name))?))
    }

    fn remove(&self, name: &str) -> Answer<()> {
        answer(JsHost::remove(self, name))
    }

    fn sync_directory(&self) -> Answer<()> {
        answer(JsHost::sync_directory(self))
    }
}

impl Handle for JsFile {
    fn read(&self, at: u64, buffer: &mut [u8]) -> Answer<f64> {
        answer(JsFile::read(self, buffer, number(at)))
    }

    fn write(&self, at: u64, bytes: &[u8]) -> Answer<f64> {
        answer(JsFile::write(self, bytes, number(at)))
    }

    fn flush(&self) -> Answer<()> {
        answer(JsFile::sync(self))
    }

    fn truncate(&self, bytes: u64) -> Answer<()> {
        answer(JsFile::truncate(self, number(bytes)))
    }

    fn size(&self) -> Answer<f64> {
        answer(JsFile::size(self))
    }

    fn close(&self) {
        JsFile::close(self);
    }
}

/// The files of one database.
#[wasm_bindgen]
pub struct Files {
    storage: Arc<dyn Storage>,
    origin: Option<OriginStorage>,
}

#[wasm_bindgen]
impl Files {
    /// In memory: they live as long as this object.
    pub fn memory() -> Self {
        Self { storage: Arc::new(MemoryStorage::default()), origin: None }
    }

    /// Of a directory with these `names`, which JavaScript opens when it is asked for them. A database that is
    /// created gets the `identity` of 16 bytes.
    pub fn registered(names: Vec<String>, identity: &Uint8Array) -> Self {
        Self::of(names, identity, None)
    }

    /// Of a directory with these `names`, which `host` opens at once.
    pub fn hosted(names: Vec<String>, identity: &Uint8Array, host: JsHost) -> Self {
        Self::of(names, identity, Some(Rc::new(host)))
    }

    fn of(names: Vec<String>, identity: &Uint8Array, host: Option<Rc<dyn Host>>) -> Self {
        let origin = OriginStorage::unused();
        origin.with(|directory| {
            directory.begin(names);
            if let Ok(bytes) = identity.to_vec().as_slice().try_into() {
                directory.identify(Identity::from_bytes(bytes));
            }
            if let Some(host) = host {
                directory.serve(host);
            }
        });
        Self { storage: Arc::new(origin), origin: Some(origin) }
    }

    /// Hands over the open handle of a file of the origin.
    ///
    /// # Errors
    /// As `Directory::register`.
    pub fn register(
        &self,
        name: &str,
        handle: FileSystemSyncAccessHandle,
    ) -> std::result::Result<(), JsValue> {
        let Some(origin) = self.origin else {
            handle.close();
            return Ok(());
        };
        let registered: Result<()> =
            origin.with(|directory| directory.register(name, Box::new(handle)));
        registered.map_err(|error| crate::bindings::thrown(&error))
    }

    /// Whether the engine could use a handle of `name` that it does not have.
    #[wasm_bindgen(js_name = isWanted)]
    pub fn is_wanted(&self, name: &str) -> bool {
        self.origin.is_some_and(|origin| origin.with(|directory| directory.is_wanted(name)))
    }

    /// Files that calls have waited for since the last time.
    #[wasm_bindgen(js_name = takeBlocked)]
    pub fn take_blocked(&self) -> Vec<String> {
        self.origin.map_or_else(Vec::new, |origin| origin.with(Directory::take_blocked))
    }

    /// Deleted files that are no longer read, their handles closed.
    #[wasm_bindgen(js_name = takeRemoved)]
    pub fn take_removed(&self) -> Vec<String> {
        self.origin.map_or_else(Vec::new, |origin| origin.with(Directory::take_removed))
    }

    /// Closes the handles of all but the `cap` tables read last; the names of those closed.
    #[wasm_bindgen(js_name = closeCold)]
    pub fn close_cold(&self, cap: usize) -> Vec<String> {
        let close = |origin: OriginStorage| origin.with(|directory| directory.close_cold(cap));
        self.origin.map_or_else(Vec::new, close)
    }

    /// Closes every handle; the names of empty files that were opened ahead for nothing.
    #[wasm_bindgen(js_name = closeAll)]
    pub fn close_all(&self) -> Vec<String> {
        let names = self.origin.map_or_else(Vec::new, |origin| origin.with(Directory::close_all));
        if let Some(origin) = self.origin {
            origin.forget();
        }
        names
    }

    pub(crate) fn storage(&self) -> Arc<dyn Storage> {
        Arc::clone(&self.storage)
    }
}
