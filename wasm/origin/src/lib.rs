//! Files that JavaScript opens, as a [`Storage`](levelscope::storage::Storage) of the engine.
//!
//! ```text
//! OriginStorage ── number ── Directory ── Handle   one open file: of the browser (OPFS), or of node:fs
//!                                └─────── Host     opens files at once, where that is possible
//! ```
//!
//! A browser opens files only asynchronously. There a directory has no [`Host`]: a call that needs a file answers
//! `WouldBlock`, the worker opens it, [registers](Directory::register) its handle and calls again. With the feature
//! `staging`, new files and bytes may also wait in memory until the worker [settles](Directory::settle) them.

mod closing;
mod directory;
mod entry;
#[cfg(target_arch = "wasm32")]
mod handle;
mod host;
mod numbered;
mod open_handle;
mod staging;
mod storage;

pub use directory::Directory;
pub use host::{Answer, Host, Refusal};
pub use numbered::Numbered;
pub use open_handle::Handle;
pub use storage::OriginStorage;
