//! The result of `follow`.

use levelscope::view::KeyVersions;
use serde::Serialize;

/// `follow`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FollowResult {
    /// The key that is followed; none after `follow --off`.
    pub key: Option<String>,
    /// Its versions.
    pub versions: Option<KeyVersions>,
}
