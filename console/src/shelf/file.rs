//! One opened file: its bytes, what they were recognized as, and what is wrong with them.

use crate::text;
use levelscope::inspect::{Fact, Node, Scope, Source};
use levelscope::{Error, ErrorKind};
use levelscope_formats::{self as formats, Directory, Format, Likeness, Recognized};

/// Files up to here are taken apart to their last field to look for damage \[bytes\]; larger ones are read
/// entry by entry.
const TAKEN_APART_MAX: usize = 1 << 20;
/// Entries that are named one by one at most: their names take more memory than the file.
const NAMED_ENTRIES_MAX: u64 = 2_000_000;

/// A part of a file that breaks the rules of its format, or that Levelscope does not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Defect {
    /// Where that begins \[bytes\]: always a byte of the file. `None`: no byte is wrong, but some are missing,
    /// or it concerns the whole file.
    pub(crate) offset: Option<u64>,
    /// Why, as a sentence.
    pub(crate) why: String,
}

impl Defect {
    /// The defect that `error` reports in a file of `length` \[bytes\].
    pub(crate) fn of(error: &Error, length: u64) -> Self {
        Self::at(error.offset(), text::printable(error.message()), length)
    }

    /// An offset after the last byte means that the file ends too early.
    fn at(offset: Option<u64>, why: String, length: u64) -> Self {
        match offset {
            Some(offset) if offset >= length => Self {
                offset: None,
                why: format!("the file ends at byte {}: {why}", text::count(length)),
            },
            offset => Self { offset, why },
        }
    }

    /// Makes it the one that `first` holds, when it lies before that.
    fn note(self, first: &mut Option<Self>) {
        let order = |place: &Self| place.offset.unwrap_or(u64::MAX);
        if first.as_ref().is_none_or(|first| order(&self) < order(first)) {
            *first = Some(self);
        }
    }
}

/// A file that was opened.
pub(crate) struct OpenedFile {
    /// Its name, without the `@`.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// What it is; `None`: bytes of no known format.
    pub(crate) format: Option<&'static dyn Format>,
    /// How sure that is; `None`: the format was given.
    pub(crate) likeness: Option<Likeness>,
    /// Other formats that it may have, the likeliest first.
    pub(crate) others: Vec<Recognized>,
    /// What the files of its directory say.
    pub(crate) directory: Directory,
    /// The first place that is damaged.
    pub(crate) damage: Option<Defect>,
    /// The first place that is sound as far as it is known, but not read.
    pub(crate) unread: Option<Defect>,
    /// Entries that can be read, where it holds any.
    pub(crate) entries: Option<u64>,
    /// Tombstones among these.
    pub(crate) tombstones: u64,
    /// Records, where it is a log.
    pub(crate) records: u64,
    /// Whether its entries are too many to name them all.
    too_many: bool,
}

impl std::fmt::Debug for OpenedFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "@{}, {} bytes", self.name, self.bytes.len())
    }
}

impl OpenedFile {
    /// A file called `name` among others in a `directory`; `given`: the format that it has to have. Reads all
    /// of it once for each format.
    pub(crate) fn new(
        name: String,
        bytes: Vec<u8>,
        given: Option<&'static dyn Format>,
        directory: Directory,
    ) -> Self {
        let (format, likeness, others) = match given {
            Some(format) => (Some(format), None, Vec::new()),
            None => recognize(plain(&name), &bytes),
        };
        let mut file = Self {
            name,
            bytes,
            format,
            likeness,
            others,
            directory,
            damage: None,
            unread: None,
            entries: None,
            tombstones: 0,
            records: 0,
            too_many: false,
        };
        file.look_over();
        file
    }

    /// Its name on the command line and in selections.
    pub(crate) fn id(&self) -> String {
        format!("@{}", self.name)
    }

    /// The name of its directory on the command line; `None`: it was opened by itself.
    pub(crate) fn directory_id(&self) -> Option<String> {
        self.name.rsplit_once('/').map(|(place, _)| format!("@{place}"))
    }

    /// The word for `import` that opens the database which it belongs to; `None`: it belongs to none.
    pub(crate) fn database(&self) -> Option<String> {
        let place = || self.directory_id().unwrap_or_else(|| "@CURRENT".to_owned());
        self.directory.is_database.then(place)
    }

    /// Its length \[bytes\].
    pub(crate) fn length(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Whether its format is the one called `id`.
    pub(crate) fn is(&self, id: &str) -> bool {
        self.format.is_some_and(|format| format.info().id == id)
    }

    /// Its bytes.
    pub(crate) fn source(&self) -> Source<'_> {
        Source::Bytes(&self.bytes)
    }

    /// Names its bytes, as far as `scope` says; damage is part of the tree.
    pub(crate) fn annotate(&self, scope: Scope) -> Node {
        let bytes = self.length();
        let whole = |what: &str| Node::leaf(self.name.clone(), "bytes", 0, bytes, what);
        let mut root = match self.format {
            _ if bytes == 0 => whole("an empty file"),
            _ if self.too_many => whole("too many entries to name them one by one"),
            Some(format) => format.annotate(plain(&self.name), &self.bytes, scope),
            None => whole("of no known format"),
        };
        root.name.clone_from(&self.name);
        root
    }

    /// Counts its entries and finds the first damage.
    fn look_over(&mut self) {
        let length = self.length();
        if let Some(format) = self.format.filter(|format| !format.info().searches.is_empty()) {
            let mut entries = 0_u64;
            for entry in format.scan(&self.bytes) {
                match entry {
                    Ok(entry) => {
                        entries = entries.saturating_add(1);
                        self.tombstones += u64::from(entry.value.is_none());
                    }
                    Err(error) if error.kind() == ErrorKind::UnsupportedFormat => {
                        Defect::of(&error, length).note(&mut self.unread);
                    }
                    Err(error) => Defect::of(&error, length).note(&mut self.damage),
                }
            }
            self.entries = Some(entries);
            self.too_many = entries > NAMED_ENTRIES_MAX;
        }
        match formats::judge_unknown(plain(&self.name), &self.bytes, &self.directory) {
            Some(_) if self.format.is_some() => {}
            Some(error) if error.kind() == ErrorKind::UnsupportedFormat => {
                self.unread = Some(Defect::of(&error, length));
            }
            Some(error) => self.damage = Some(Defect::of(&error, length)),
            None => {}
        }
        let scope = if self.bytes.len() <= TAKEN_APART_MAX { Scope::ALL } else { Scope::WIDE };
        let root = self.annotate(scope);
        let records = root.children.iter().filter(|node| node.kind == "record");
        self.records = records.count() as u64;
        self.look_into(&root, None);
    }

    /// Notes what a tree says of damage. Decoded content is where its compressed bytes are: at `holder`.
    fn look_into(&mut self, node: &Node, holder: Option<u64>) {
        let length = self.length();
        let offset = holder.unwrap_or(node.offset);
        match &node.fact {
            Some(Fact::Checksum { stored, computed, from, .. }) if stored != computed => {
                let from = if holder.is_some() { offset } else { *from };
                let why = format!(
                    "these bytes do not match their checksum at offset {}: stored 0x{stored:08x}, \
                     computed 0x{computed:08x}",
                    text::count(offset)
                );
                Defect::at(Some(from), why, length).note(&mut self.damage);
            }
            _ if node.kind == "damaged" => {
                Defect::at(Some(offset), node.value.clone(), length).note(&mut self.damage);
            }
            _ if node.kind == "unread" => {
                Defect::at(Some(offset), node.value.clone(), length).note(&mut self.unread);
            }
            _ => {}
        }
        for child in &node.children {
            self.look_into(child, holder);
        }
        for child in &node.inside {
            self.look_into(child, Some(offset));
        }
    }
}

/// A name without its directories.
pub(crate) fn plain(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// The format that a file is taken for, how sure that is, and the others that it may have.
fn recognize(
    name: &str,
    bytes: &[u8],
) -> (Option<&'static dyn Format>, Option<Likeness>, Vec<Recognized>) {
    // Several formats have tables without entries; an empty file proves none of them.
    if bytes.is_empty() {
        return (None, Some(Likeness::None), Vec::new());
    }
    let mut found = formats::recognize(name, bytes);
    if found.is_empty() {
        return (None, Some(Likeness::None), found);
    }
    let best = found.remove(0);
    (Some(best.format), Some(best.likeness), found)
}
