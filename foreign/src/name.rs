//! Names of files: the name alone decides the kind of a file.

/// Kind of a file, by its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileName {
    /// `CURRENT`: names the manifest that counts.
    Current,
    /// `IDENTITY`: the id of the database.
    Identity,
    /// `MANIFEST-000005`.
    Manifest(u64),
    /// `000012.sst` or `000012.ldb`.
    Table(u64),
    /// `000012.log`, of Levelscope `000012.wal`; `wal/000012.log`; `archive/000012.log`; Pebble's `000012-003.log`, a part of a log after a failover.
    Log {
        /// The number.
        number: u64,
        /// The part of the log, 0 for the first.
        part: u32,
        /// Whether it is in the folder `archive`: tables hold all its entries.
        archived: bool,
    },
    /// `000012.blob`.
    Blob(u64),
    /// `OPTIONS-000007`.
    Options(u64),
    /// `LOG`, the text log; `LOG.old.1700000000000000`, an older one, with the number in its name
    /// (0 for LevelDB's `LOG.old`).
    InfoLog {
        /// The number of an older one, `None` for the newest.
        old: Option<u64>,
    },
    /// Pebble's `marker.manifest.000001.MANIFEST-000001`.
    Marker {
        /// Name of the marker: `manifest`, `format-version`.
        kind: String,
        /// The largest one counts.
        iteration: u64,
        /// Its value.
        value: String,
    },
    /// Locks and temporary files, which hold nothing of the database.
    Ignored,
    /// Anything else.
    Unknown,
}

impl FileName {
    /// Parses `name`, relative to the directory.
    pub fn parse(name: &str) -> Self {
        // `wal_dir` is often a folder of this name in the directory itself.
        if let Some(log @ Self::Log { .. }) = name.strip_prefix("wal/").map(Self::parse_plain) {
            return log;
        }
        if let Some(archived) = name.strip_prefix("archive/") {
            return match Self::parse_plain(archived) {
                Self::Log { number, part, .. } => Self::Log { number, part, archived: true },
                _ => Self::Unknown,
            };
        }
        if name.contains('/') { Self::Unknown } else { Self::parse_plain(name) }
    }

    fn parse_plain(name: &str) -> Self {
        match name {
            "CURRENT" => return Self::Current,
            "IDENTITY" => return Self::Identity,
            "LOCK" => return Self::Ignored,
            "LOG" => return Self::InfoLog { old: None },
            "LOG.old" => return Self::InfoLog { old: Some(0) },
            _ => {}
        }
        if is_temporary(name) {
            return Self::Ignored;
        }
        if let Some(number) = name.strip_prefix("MANIFEST-") {
            return decimal(number).map_or(Self::Unknown, Self::Manifest);
        }
        if let Some(number) = name.strip_prefix("OPTIONS-") {
            return decimal(number).map_or(Self::Unknown, Self::Options);
        }
        if let Some(number) = name.strip_prefix("LOG.old.") {
            return decimal(number)
                .map_or(Self::Unknown, |number| Self::InfoLog { old: Some(number) });
        }
        if let Some(marker) = name.strip_prefix("marker.") {
            return Self::marker(marker).unwrap_or(Self::Unknown);
        }
        Self::numbered(name).unwrap_or(Self::Unknown)
    }

    fn marker(rest: &str) -> Option<Self> {
        let (kind, rest) = rest.split_once('.')?;
        let (iteration, value) = rest.split_once('.')?;
        let iteration = decimal(iteration)?;
        Some(Self::Marker { kind: kind.to_owned(), iteration, value: value.to_owned() })
    }

    fn numbered(name: &str) -> Option<Self> {
        let (stem, extension) = name.rsplit_once('.')?;
        match extension {
            "sst" | "ldb" => Some(Self::Table(decimal(stem)?)),
            "blob" => Some(Self::Blob(decimal(stem)?)),
            "wal" => Some(Self::Log { number: decimal(stem)?, part: 0, archived: false }),
            "log" => {
                let (number, part) = match stem.split_once('-') {
                    Some((number, part)) => (number, u32::try_from(decimal(part)?).ok()?),
                    None => (stem, 0),
                };
                Some(Self::Log { number: decimal(number)?, part, archived: false })
            }
            _ => None,
        }
    }

    /// The number in the name, where it has one.
    pub fn number(&self) -> Option<u64> {
        match self {
            Self::Manifest(number)
            | Self::Table(number)
            | Self::Log { number, .. }
            | Self::Blob(number)
            | Self::Options(number) => Some(*number),
            _ => None,
        }
    }
}

/// A name without its folders.
pub fn plain(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Files that are written and renamed or deleted at once.
fn is_temporary(name: &str) -> bool {
    name.starts_with("COMPACTION_PROGRESS-")
        || name.starts_with("temporary.")
        || [".dbtmp", ".trash", ".tmp"].iter().any(|end| name.ends_with(end))
}

/// A number of decimal digits and nothing else.
fn decimal(digits: &str) -> Option<u64> {
    let all = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if all { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::FileName;

    fn log(number: u64, part: u32, archived: bool) -> FileName {
        FileName::Log { number, part, archived }
    }

    #[test]
    fn names_of_all_kinds_are_distinguished() {
        for (name, expected) in [
            ("CURRENT", FileName::Current),
            ("IDENTITY", FileName::Identity),
            ("MANIFEST-000005", FileName::Manifest(5)),
            ("MANIFEST-", FileName::Unknown),
            ("MANIFEST-+5", FileName::Unknown),
            ("OPTIONS-000007", FileName::Options(7)),
            ("OPTIONS-000007.dbtmp", FileName::Ignored),
            ("000012.sst", FileName::Table(12)),
            ("1234567.ldb", FileName::Table(1_234_567)),
            ("000012.blob", FileName::Blob(12)),
            ("000012.log", log(12, 0, false)),
            ("000012.wal", log(12, 0, false)),
            ("000012-003.log", log(12, 3, false)),
            ("archive/000012.log", log(12, 0, true)),
            ("archive/000012.sst", FileName::Unknown),
            ("copy/000012.log", FileName::Unknown),
            ("LOG", FileName::InfoLog { old: None }),
            ("LOG.old", FileName::InfoLog { old: Some(0) }),
            ("LOG.old.17", FileName::InfoLog { old: Some(17) }),
            ("LOCK", FileName::Ignored),
            ("000003.dbtmp", FileName::Ignored),
            ("000003.sst.trash", FileName::Ignored),
            ("99999999999999999999.sst", FileName::Unknown),
            ("readme.txt", FileName::Unknown),
        ] {
            assert_eq!(FileName::parse(name), expected, "{name}");
        }
    }

    #[test]
    fn a_marker_has_a_kind_an_iteration_and_a_value() {
        let marker = FileName::Marker {
            kind: "manifest".to_owned(),
            iteration: 3,
            value: "MANIFEST-000001".to_owned(),
        };
        assert_eq!(FileName::parse("marker.manifest.000003.MANIFEST-000001"), marker);
        assert_eq!(FileName::parse("marker.manifest"), FileName::Unknown);
    }
}
