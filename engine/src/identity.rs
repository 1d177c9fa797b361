//! Whose a file is: the identity of a database, which every file of it carries.
//!
//! A database gets its identity when it is created, from the storage ([`crate::storage::Storage::identity`]), because
//! the engine has no source of randomness. It stands in each slot of `CURRENT`, in the headers of logs and manifests,
//! where it also seals every record, and in the properties of tables. A file of another database under the right name
//! is therefore refused.

use crate::storage::FileNumber;
use std::fmt;

/// Length of an identity in a file \[bytes\].
pub(crate) const IDENTITY_BYTES: usize = 16;

/// The identity of a database: 128 bits that no other database has.
///
/// A copy of a database, file by file, has the identity of its original.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity([u8; IDENTITY_BYTES]);

impl Identity {
    /// The identity with these bytes, in the order in which files have them.
    pub const fn from_bytes(bytes: [u8; IDENTITY_BYTES]) -> Self {
        Self(bytes)
    }

    /// Its bytes, in the order in which files have them.
    pub const fn bytes(self) -> [u8; IDENTITY_BYTES] {
        self.0
    }

    /// The identity whose bytes `bytes` are; `None` when there are more or less of them.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }
}

/// 32 hexadecimal digits.
impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::str::FromStr for Identity {
    type Err = crate::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u128::from_str_radix(text, 16).ok().filter(|_| digits && text.len() == 32);
        let number = number.ok_or_else(|| {
            crate::Error::invalid(
                "an identity is 32 hexadecimal digits, such as those of `layout CURRENT`",
            )
        })?;
        let bytes = number.to_le_bytes();
        Ok(Self(std::array::from_fn(|at| bytes.iter().rev().nth(at).copied().unwrap_or(0))))
    }
}

/// Whose the files of a directory have to be.
///
/// A database that was created before files had identities gets one at its next opening. Files of smaller
/// numbers carry none until they are replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Owner {
    /// The identity of the database; `None` for one of an older version that was only read so far.
    pub(crate) identity: Option<Identity>,
    /// Files with this number or a larger one carry it.
    pub(crate) from: FileNumber,
}

impl Owner {
    /// The identity that the file with this number must carry.
    pub(crate) fn of(self, number: FileNumber) -> Option<Identity> {
        self.identity.filter(|_| number >= self.from)
    }
}

/// The difference between the identity `found` in a file and the `expected` one, as a clause; `None` when they are
/// equal.
pub(crate) fn mismatch(expected: Option<Identity>, found: Option<Identity>) -> Option<String> {
    match (expected, found) {
        (Some(expected), Some(found)) if expected != found => Some(format!(
            "this file belongs to another database: it carries the identity {found}, and this database has {expected}"
        )),
        (None, Some(found)) => Some(format!(
            "this file belongs to another database: it carries the identity {found}, and the files of this \
             database that are as old carry none"
        )),
        (Some(expected), None) => Some(format!(
            "this file belongs to another database: it carries no identity, and this database has {expected}"
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_is_written_and_read_as_hexadecimal_digits() {
        let identity = Identity::from_bytes(*b"\x00\x01levelscope\xfe\xff\x7f\x80");
        assert_eq!(identity.to_string(), "00016c6576656c73636f7065feff7f80");
        assert_eq!(identity.to_string().parse::<Identity>().unwrap(), identity);
        for wrong in
            ["", "1", "+0016c6576656c73636f7065feff7f80", "g0016c6576656c73636f7065feff7f80"]
        {
            assert!(wrong.parse::<Identity>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn files_older_than_the_identity_carry_none() {
        let identity = Identity::from_bytes([7; 16]);
        let owner = Owner { identity: Some(identity), from: 5 };
        assert_eq!((owner.of(4), owner.of(5)), (None, Some(identity)));
        assert_eq!(Owner::default().of(9), None);
    }
}
