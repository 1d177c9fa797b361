//! A family as plain keys and values, the only content of another database or a table, and a count of everything that
//! this form leaves out.

use crate::directory::Directory;
use crate::read::{RowValue, Scan, Snapshot};
use crate::{Error, ErrorKind, Problem, Result, Severity, text};

/// Keys of each kind that are named.
const KEYS_NAMED: usize = 3;

/// Losses that are allowed. Without it the copy holds everything or is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Policy {
    /// Entries without a plain value are left out or lose their columns.
    pub lossy: bool,
    /// Damaged parts, and parts that are not read, are left out.
    pub skip_damage: bool,
}

/// Entries of one kind: how many, and the first of their keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Their number.
    pub count: u64,
    /// The first keys.
    pub keys: Vec<Vec<u8>>,
}

impl Tally {
    fn add(&mut self, key: &[u8]) {
        self.count += 1;
        if self.keys.len() < KEYS_NAMED {
            self.keys.push(key.to_vec());
        }
    }

    /// `2 entries ("a", "b")`; the number and the first keys.
    fn words(&self, one: &str) -> String {
        let mut keys: Vec<String> = self.keys.iter().map(|key| text::key(key)).collect();
        let more = self.count - keys.len() as u64;
        if more > 0 {
            keys.push(format!("{} more", text::number(more)));
        }
        format!("{} ({})", text::count(self.count, one), text::listed(&keys))
    }
}

/// The entries that were carried over, and all that was not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Carried {
    /// Entries.
    pub entries: u64,
    /// Bytes of their keys and values.
    pub bytes: u64,
    /// Merge operands of an operator that is not known: there is no value.
    pub merges: Tally,
    /// Columns beside the default one.
    pub columns: Tally,
    /// Timestamps: of each key the newest version is carried over, without it.
    pub timestamps: Tally,
    /// Range keys of Pebble, which are no entries; they are counted as written, not as seen by a read.
    pub range_keys: u64,
    /// Prepared transactions without a commit.
    pub pending: u64,
    /// Damage that was left out.
    pub problems: Vec<Problem>,
    /// Remainders of a crash, such as a record that is cut off; the other program would pass over it, too.
    pub remarks: Vec<Problem>,
}

impl Carried {
    /// A sentence for each kind of entry that was changed or left out.
    pub fn losses(&self) -> Vec<String> {
        let mut losses = Vec::new();
        if self.merges.count > 0 {
            let entries = self.merges.words("entry");
            losses.push(format!("{entries} left out: merge operands without a known operator"));
        }
        if self.columns.count > 0 {
            let entries = self.columns.words("entry");
            losses.push(format!("{entries} with the default column only: other columns left out"));
        }
        if self.range_keys > 0 {
            losses.push(format!("{} left out", text::count(self.range_keys, "range key")));
        }
        losses
    }

    /// A sentence for each kind of thing that a reader of the copy should know, though no live value is missing.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.timestamps.count > 0 {
            let entries = text::count(self.timestamps.count, "entry");
            notes.push(format!(
                "{entries} had a timestamp: of each key the newest version was taken, without it"
            ));
        }
        if self.pending > 0 {
            let transactions = text::count(self.pending, "prepared transaction");
            notes.push(format!("{transactions} without a commit left out"));
        }
        let note = |remark: &Problem| format!("{}: {}", remark.file, remark.message);
        notes.extend(self.remarks.iter().map(note));
        notes
    }
}

impl Carried {
    /// Adds what could not be read, or fails.
    fn meet(&mut self, mut problems: Vec<Problem>, policy: Policy) -> Result<()> {
        let Some(first) = problems.first().filter(|_| !policy.skip_damage) else {
            self.problems.append(&mut problems);
            return Ok(());
        };
        let kind = match first.severity {
            Severity::NotRead => ErrorKind::NotRead,
            _ => ErrorKind::Damaged,
        };
        let error = Error::new(kind, first.message.clone()).in_file(&first.file);
        Err(first.offset.map_or(error.clone(), |offset| error.at(offset)))
    }
}

/// A walk over the live entries of a family as plain keys and values. Values in blob files are read from there, and
/// merge operands of a known operator are joined.
pub struct Carrier<'d> {
    scan: Scan<'d>,
    policy: Policy,
    carried: Carried,
}

impl<'d> Carrier<'d> {
    /// At the first entry of `family`.
    ///
    /// # Errors
    /// There is no such family, or its order of keys is not known. Without [`Policy::skip_damage`]: damage in the
    /// manifest or in a log, or a file that is missing.
    pub fn new(directory: &'d Directory<'_>, family: u32, policy: Policy) -> Result<Self> {
        let of = directory.family(family)?;
        let concerns = |problem: &Problem| {
            let is_of_family = problem.family.as_ref().is_none_or(|name| *name == of.name);
            // Without options no operator is known, which is counted for each entry that needs one.
            let is_of_options = problem.file.starts_with("OPTIONS");
            is_of_family && !is_of_options
        };
        let found = directory.problems().into_iter().filter(concerns);
        let (remarks, problems) = found.partition(|problem| problem.severity == Severity::Note);
        let logs = directory.logs()?;
        let mut carried = Carried {
            pending: logs.pending.len() as u64,
            remarks,
            range_keys: logs.range_keys.get(&family).copied().unwrap_or(0),
            ..Carried::default()
        };
        for table in of.levels.values().flatten().filter(|table| table.has_range_keys) {
            let reader = directory.tables().reader(family, table.number);
            // A table that cannot be opened is a finding of the walk.
            let keys = reader.and_then(crate::TableReader::range_keys).unwrap_or_default();
            carried.range_keys += keys.len() as u64;
        }
        // Damage of the manifest explains a family without an order of keys, so it is reported first.
        carried.meet(problems, policy)?;
        let mut scan = directory.scan(family, None, None, Snapshot::default())?;
        scan.first()?;
        Ok(Self { scan, policy, carried })
    }

    /// The next entry; `None` at the end and after an entry that cannot be carried over: the rest is only counted, for
    /// [`Carrier::finish`].
    ///
    /// # Errors
    /// Without [`Policy::skip_damage`]: something cannot be read.
    pub fn next_entry(&mut self) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
        loop {
            let row = self.scan.next_row()?;
            let problems = self.scan.problems();
            self.carried.meet(problems, self.policy)?;
            let Some(row) = row else { return Ok(None) };
            if row.timestamp.is_some() {
                self.carried.timestamps.add(&row.key);
            }
            let value = match row.value {
                RowValue::Bytes(value) => value,
                RowValue::Columns(columns) => {
                    if columns.iter().any(|(name, _)| !name.is_empty()) {
                        self.carried.columns.add(&row.key);
                    }
                    let default = columns.into_iter().find(|(name, _)| name.is_empty());
                    // A plain read of an entry without that column gives an empty value.
                    default.map(|(_, value)| value).unwrap_or_default()
                }
                RowValue::Merge { .. } => {
                    self.carried.merges.add(&row.key);
                    continue;
                }
            };
            if self.is_refused() {
                continue;
            }
            self.carried.entries += 1;
            self.carried.bytes += (row.key.len() + value.len()) as u64;
            return Ok(Some((row.key, value)));
        }
    }

    /// The counts of the walk.
    ///
    /// # Errors
    /// `Invalid` when the policy forbids the losses: a sentence with numbers and keys.
    pub fn finish(self) -> Result<Carried> {
        if self.is_refused() {
            let losses = self.carried.losses().join("; ");
            let message = format!("not every entry can be carried over unchanged: {losses}");
            return Err(Error::new(ErrorKind::Invalid, message));
        }
        Ok(self.carried)
    }

    fn is_refused(&self) -> bool {
        let Carried { merges, columns, range_keys, .. } = &self.carried;
        !self.policy.lossy && (merges.count > 0 || columns.count > 0 || *range_keys > 0)
    }
}
