//! The browser's synchronous file handle.

use super::host::{Answer, Refusal};
use super::open_handle::Handle;
use js_sys::Reflect;
use wasm_bindgen::JsValue;
use web_sys::{FileSystemReadWriteOptions, FileSystemSyncAccessHandle};

impl From<JsValue> for Refusal {
    fn from(thrown: JsValue) -> Self {
        let text = |field: &str| {
            let value = Reflect::get(&thrown, &JsValue::from_str(field)).ok();
            value.and_then(|value| value.as_string()).unwrap_or_default()
        };
        Self { name: text("name"), message: text("message") }
    }
}

#[expect(clippy::cast_precision_loss, reason = "no file of a browser has 2^53 bytes")]
fn number(bytes: u64) -> f64 {
    bytes as f64
}

fn at(offset: u64) -> FileSystemReadWriteOptions {
    let options = FileSystemReadWriteOptions::new();
    options.set_at(number(offset));
    options
}

impl Handle for FileSystemSyncAccessHandle {
    fn read(&self, offset: u64, buffer: &mut [u8]) -> Answer<f64> {
        Ok(self.read_with_u8_array_and_options(buffer, &at(offset))?)
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> Answer<f64> {
        Ok(self.write_with_u8_array_and_options(bytes, &at(offset))?)
    }

    fn flush(&self) -> Answer<()> {
        Ok(FileSystemSyncAccessHandle::flush(self)?)
    }

    fn truncate(&self, bytes: u64) -> Answer<()> {
        Ok(self.truncate_with_f64(number(bytes))?)
    }

    fn size(&self) -> Answer<f64> {
        Ok(self.get_size()?)
    }

    fn close(&self) {
        FileSystemSyncAccessHandle::close(self);
    }
}
