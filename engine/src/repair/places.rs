//! Identifies each file by its content, not by its name.
//!
//! Tables and logs carry the identity of their database and their number. So a file of another database is set aside,
//! and files with exchanged names are recognized. A file too damaged for that is taken by its name.

use crate::Result;
use crate::identity::{Identity, mismatch};
use crate::sorting;
use crate::storage::{FileName, FileNumber, Storage};
use crate::survey::{Belonging, claims};
use std::collections::{BTreeMap, BTreeSet};

/// Number and identity in the content of a file; `None` when it is too damaged.
type Claim = Option<(FileNumber, Option<Identity>)>;

/// Where a log or a table is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// In this file: its content proves that, or is too damaged and its name matches.
    File(FileName),
    /// Nowhere: the file with the name is something else, and what it is, as a clause.
    Elsewhere(String),
}

/// The numbers and identities in the logs and tables of a directory.
#[derive(Debug)]
pub(super) struct Places {
    belonging: Belonging,
    claims: BTreeMap<FileName, Claim>,
}

impl Places {
    /// Asks every log and table in `names`.
    ///
    /// # Errors
    /// `WouldBlock`.
    pub(super) fn read(
        storage: &dyn Storage,
        names: &[FileName],
        belonging: Belonging,
    ) -> Result<Self> {
        let mut claims_by_name = BTreeMap::new();
        for name in names {
            if matches!(name, FileName::Wal(_) | FileName::Table(_)) {
                let claim = match claims(storage, *name) {
                    Err(error) if error.blocked_on().is_some() => return Err(error),
                    claim => claim.unwrap_or(None),
                };
                claims_by_name.insert(*name, claim);
            }
        }
        Ok(Self { belonging, claims: claims_by_name })
    }

    pub(super) fn belonging(&self) -> Belonging {
        self.belonging
    }

    /// `None` when a file with the content `claim` belongs to this database; otherwise the reason, as a clause.
    fn foreign(&self, claim: Claim) -> Option<String> {
        let (number, found) = claim?;
        mismatch(self.belonging.expected(number, found), found)
    }

    /// The log or table that the file `name` proves to be.
    fn proved(&self, name: FileName) -> Option<FileName> {
        let claim = self.claims.get(&name).copied().flatten();
        let (number, _) = claim.filter(|_| self.foreign(claim).is_none())?;
        match name {
            FileName::Wal(_) => Some(FileName::Wal(number)),
            FileName::Table(_) => Some(FileName::Table(number)),
            _ => None,
        }
    }

    /// Where the log or table `wanted` is.
    pub(super) fn place_of(&self, wanted: FileName) -> Place {
        if self.proved(wanted) == Some(wanted) {
            return Place::File(wanted);
        }
        let proof = self.claims.keys().find(|name| self.proved(**name) == Some(wanted));
        if let Some(proof) = proof {
            return Place::File(*proof);
        }
        match self.claims.get(&wanted) {
            Some(claim @ Some((number, _))) => {
                let other = || format!("its content carries the number {number}");
                Place::Elsewhere(self.foreign(*claim).unwrap_or_else(other))
            }
            _ => Place::File(wanted),
        }
    }

    /// Whether some file proves to be the log or table `wanted`.
    pub(super) fn is_proved(&self, wanted: FileName) -> bool {
        self.claims.keys().any(|name| self.proved(*name) == Some(wanted))
    }

    /// Every log or table that some file has as its name or proves to be: all that may be looked for.
    pub(super) fn all(&self) -> BTreeSet<FileName> {
        let proved = self.claims.keys().filter_map(|name| self.proved(*name));
        // A name whose file proves to be something else stands for nothing.
        let named = self.claims.keys().copied();
        sorting::set(proved.chain(named.filter(|name| self.proved(*name).is_none())))
    }

    /// Sentences about files that were not used under their names.
    pub(super) fn notes(&self) -> Vec<String> {
        let note = |name: &FileName| {
            let claim = self.claims.get(name).copied().flatten();
            if let Some(what) = self.foreign(claim) {
                return Some(format!("{name} was set aside: {what}"));
            }
            let proved = self.proved(*name).filter(|proved| proved != name)?;
            if self.place_of(proved) == Place::File(*name) {
                return Some(format!(
                    "{name} was taken for {proved}, because its content carries that number"
                ));
            }
            Some(format!("{name} was set aside: it is a copy of {proved}"))
        };
        self.claims.keys().filter_map(note).collect()
    }
}
