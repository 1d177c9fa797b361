//! Manifests and `CURRENT`: files without entries.

use super::{PROOF, annotate, known, likeness};
use crate::{Format, FormatInfo, Holds, Likeness};
use levelscope::inspect::{Node, Scope};
use levelscope::storage::FileName;

/// Manifests.
#[derive(Debug)]
pub(crate) struct ManifestFile;
/// `CURRENT`.
#[derive(Debug)]
pub(crate) struct CurrentFile;

pub(super) static MANIFEST: FormatInfo = FormatInfo {
    id: "levelscope-manifest",
    name: "manifest of Levelscope",
    purpose: "Which tables and logs count: one version edit after the other.",
    holds: Holds::Metadata,
    searches: &[],
    writable: false,
    proof: PROOF,
};

pub(super) static CURRENT: FormatInfo = FormatInfo {
    id: "levelscope-current",
    name: "CURRENT of Levelscope",
    purpose: "The number of the manifest that counts, in two slots that are written in turn.",
    holds: Holds::Metadata,
    searches: &[],
    writable: false,
    proof: PROOF,
};

fn is_manifest(name: FileName) -> bool {
    matches!(name, FileName::Manifest(_))
}

fn is_current(name: FileName) -> bool {
    name == FileName::Current
}

impl Format for ManifestFile {
    fn info(&self) -> &'static FormatInfo {
        &MANIFEST
    }

    fn recognize(&self, name: &str, file: &[u8]) -> Likeness {
        likeness(name, file, is_manifest)
    }

    fn annotate(&self, name: &str, file: &[u8], scope: Scope) -> Node {
        let own = known(name, file, is_manifest).map_or(FileName::Manifest(1), |(own, _)| own);
        annotate(own, name, file, scope)
    }

    without_entries!();
}

impl Format for CurrentFile {
    fn info(&self) -> &'static FormatInfo {
        &CURRENT
    }

    fn recognize(&self, name: &str, file: &[u8]) -> Likeness {
        likeness(name, file, is_current)
    }

    fn annotate(&self, name: &str, file: &[u8], scope: Scope) -> Node {
        annotate(FileName::Current, name, file, scope)
    }

    without_entries!();
}
