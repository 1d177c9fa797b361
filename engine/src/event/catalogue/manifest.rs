//! The manifest and `CURRENT`.

use crate::event::TableAt;
use crate::text;

macro_rules! manifest {
    ($next:ident $($families:ident)* ; $($kinds:tt)*) => { $next! { $($families)* ; $($kinds)*
        /// A new manifest was written, with the whole state as its first edit.
        ManifestCreate = "manifest.create" phase {
            /// The manifest.
            manifest: FileNumber,
            /// Its length \[bytes\].
            bytes: u64,
        } => {
            sentence |_| format!(
                "Manifest {manifest} was created with the whole state of the database in {}.",
                text::bytes(*bytes)
            );
            touches [made(Manifest(*manifest))];
            patches |_| [Patch::Manifest {
                manifest: *manifest,
                bytes: *bytes,
                edit: Some(EditView { snapshot: true, added: Vec::new(), removed: Vec::new() }),
                synced: true,
            }];
        }
        /// `CURRENT` names another manifest.
        ManifestSwitch = "manifest.switch" phase {
            /// The manifest that counts from now on.
            manifest: FileNumber,
            /// How often `CURRENT` has been written.
            epoch: u64,
        } => {
            sentence |_| format!("CURRENT now names manifest {manifest}, in epoch {epoch}.");
            touches [changed(Current), read(Manifest(*manifest))];
            patches |_| [Patch::Current { manifest: *manifest }];
        }
        /// An edit was appended to the manifest; it takes effect when the manifest is synced.
        ManifestAppend = "manifest.append" phase {
            /// The manifest.
            manifest: FileNumber,
            /// Tables that enter a level.
            added: Vec<TableAt>,
            /// Tables that leave a level.
            removed: Vec<TableAt>,
            /// Length of the manifest, with the edit \[bytes\].
            bytes: u64,
        } => {
            sentence |job| format!(
                "{job} appended an edit to manifest {manifest} that {}; it has {} now.",
                edited(added, removed),
                text::bytes(*bytes)
            );
            touches {
                let tables = added.iter().chain(removed).map(|at| read(Table(at.table)));
                std::iter::once(changed(Manifest(*manifest))).chain(tables).collect::<Vec<_>>()
            };
            patches |_| [Patch::Manifest {
                manifest: *manifest,
                bytes: *bytes,
                edit: Some(EditView {
                    snapshot: false,
                    added: added.iter().map(|at| at.table).collect(),
                    removed: removed.iter().map(|at| at.table).collect(),
                }),
                synced: false,
            }];
        }
        /// The manifest was synced: its edits are durable.
        ManifestSync = "manifest.sync" phase {
            /// The manifest.
            manifest: FileNumber,
            /// Its length \[bytes\].
            bytes: u64,
            /// How much of it is durable \[bytes\]: all but the mark that was written afterwards.
            synced_bytes: u64,
        } => {
            sentence |job| format!(
                "{job} synced manifest {manifest}: {}.",
                durable(*bytes, *synced_bytes, "")
            );
            touches [changed(Manifest(*manifest))];
            patches |_| [Patch::Manifest {
                manifest: *manifest,
                bytes: *bytes,
                edit: None,
                synced: true,
            }];
        }
        /// An older manifest was deleted.
        ManifestDelete = "manifest.delete" phase {
            /// The manifest.
            manifest: FileNumber,
        } => {
            sentence |_| format!("Manifest {manifest} was deleted: CURRENT names a newer one.");
            touches [removed(Manifest(*manifest))];
        }
    } };
}

/// How much of a file a sync has made durable. A mark that was written after the sync is not.
pub(super) fn durable(bytes: u64, synced_bytes: u64, what: &str) -> String {
    if bytes == synced_bytes {
        return format!("all its {}{what} are durable", text::bytes(bytes));
    }
    format!(
        "its first {}{what} are durable; a sync mark of {} after them records this",
        text::bytes(synced_bytes),
        text::bytes(bytes.saturating_sub(synced_bytes))
    )
}

/// Describes the change of an edit to the set of tables.
pub(super) fn edited(added: &[TableAt], removed: &[TableAt]) -> String {
    let part = |verb: &str, all: &[TableAt]| {
        let named: Vec<String> =
            all.iter().map(|at| format!("{} ({})", at.table, text::level(at.level))).collect();
        let noun = if named.len() == 1 { "table" } else { "tables" };
        (!named.is_empty()).then(|| format!("{verb} {noun} {}", text::list(&named)))
    };
    let parts: Vec<String> =
        [part("adds", added), part("removes", removed)].into_iter().flatten().collect();
    if parts.is_empty() { "changes no table".to_owned() } else { parts.join(" and ") }
}
