//! The files of a directory, wherever they are.

use levelscope::{Error, ErrorKind, Result};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Files by name: a directory, an archive, or memory.
pub trait Files {
    /// The names, without directories.
    ///
    /// # Errors
    /// `Io`.
    fn names(&self) -> Result<Vec<String>>;

    /// The whole content of the file `name`.
    ///
    /// # Errors
    /// `NotFound`; `Io`.
    fn read(&self, name: &str) -> Result<Cow<'_, [u8]>>;
}

impl Files for BTreeMap<String, Vec<u8>> {
    fn names(&self) -> Result<Vec<String>> {
        Ok(self.keys().cloned().collect())
    }

    fn read(&self, name: &str) -> Result<Cow<'_, [u8]>> {
        let file = self.get(name).map(|file| Cow::Borrowed(file.as_slice()));
        file.ok_or_else(|| Error::new(ErrorKind::NotFound, "the file is missing").in_foreign(name))
    }
}

/// The number in a name like `000005.ldb` that ends in one of `extensions`.
pub(crate) fn numbered(name: &str, extensions: &[&str]) -> Option<u64> {
    let (digits, extension) = name.split_once('.')?;
    let all = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    extensions.contains(&extension).then_some(digits).filter(|_| all)?.parse().ok()
}

/// The number in the name of a manifest.
pub(super) fn manifest_number(name: &str) -> Option<u64> {
    let digits = name.strip_prefix("MANIFEST-")?;
    let all = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if all { digits.parse().ok() } else { None }
}
