//! The files of the origin as a [`Storage`](levelscope::storage::Storage).

mod directory;
mod entry;
#[cfg(target_arch = "wasm32")]
mod handle;
mod storage;

pub use directory::Directory;
pub use entry::{Answer, Handle, Refusal};
pub use storage::OriginStorage;
