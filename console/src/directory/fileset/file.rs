//! One file of a set: the format that its content has, and its damage.

use crate::output::Failure;
use crate::text;
use levelscope::inspect::{Node, Scope};
use levelscope::{Error, ErrorKind};
use levelscope_foreign::name::plain;
use levelscope_formats::{self as formats, Format, Likeness, Recognized};

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

/// A file of a set: its format, its entries, and its damage. Its bytes are not held.
pub(crate) struct FormatFile {
    /// Its name, with its folders.
    pub(crate) name: String,
    /// Its length.
    pub(crate) bytes: u64,
    /// Its format; `None`: bytes of no known format.
    pub(crate) format: Option<&'static dyn Format>,
    /// How sure that is; `None`: the format was given.
    pub(crate) likeness: Option<Likeness>,
    /// Other formats that it may have, the likeliest first.
    pub(crate) others: Vec<Recognized>,
    /// The first place that is damaged.
    pub(crate) damage: Option<Defect>,
    /// The first unread place, which has no known damage.
    pub(crate) unread: Option<Defect>,
    /// Entries that can be read, where it holds any.
    pub(crate) entries: Option<u64>,
    /// Whether its entries are too many to name them all.
    too_many: bool,
}

impl std::fmt::Debug for FormatFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, {} bytes", self.name, self.bytes)
    }
}

impl FormatFile {
    /// The file called `name` with `content`; `given`: the format that it has to have; `owner`: the engine whose file it
    /// is. Reads all of it once for each format.
    pub(crate) fn new(
        name: &str,
        content: &[u8],
        given: Option<&'static dyn Format>,
        owner: Option<&str>,
    ) -> Self {
        let (format, likeness, others) = match given {
            Some(format) => (Some(format), None, Vec::new()),
            None => recognize(plain(name), content),
        };
        let bytes = content.len() as u64;
        let mut file = Self { format, likeness, others, ..Self::unread(name, bytes, None) };
        file.look_over(content, owner);
        file
    }

    /// A file of so many bytes that is not read; `why`: the reason.
    pub(crate) fn unread(name: &str, bytes: u64, why: Option<String>) -> Self {
        Self {
            name: name.to_owned(),
            bytes,
            format: None,
            likeness: Some(Likeness::None),
            others: Vec::new(),
            damage: None,
            unread: why.map(|why| Defect { offset: None, why }),
            entries: None,
            too_many: false,
        }
    }

    /// Its format.
    ///
    /// # Errors
    /// None is known.
    pub(crate) fn searchable(&self) -> Result<&'static dyn Format, Failure> {
        let name = text::printable(&self.name);
        self.format.ok_or_else(|| {
            Failure::usage(format!("{name} holds no entries that can be listed"))
                .hint("`layout` shows its parts; --as FORMAT reads it as another format")
        })
    }

    /// Names its bytes within `scope`; damage is part of the tree.
    pub(crate) fn annotate(&self, content: &[u8], scope: Scope) -> Node {
        let bytes = content.len() as u64;
        let whole = |what: &str| Node::leaf(self.name.clone(), "bytes", 0, bytes, what);
        let mut root = match self.format {
            _ if bytes == 0 => whole("an empty file"),
            _ if self.too_many => whole("too many entries to name them one by one"),
            Some(format) => format.annotate(plain(&self.name), content, scope),
            None => whole("of no known format"),
        };
        root.name.clone_from(&self.name);
        root
    }

    /// Counts its entries and finds the first damage.
    fn look_over(&mut self, content: &[u8], owner: Option<&str>) {
        let length = self.bytes;
        if let Some(format) = self.format {
            let mut entries = 0_u64;
            for entry in format.scan(content) {
                match entry {
                    Ok(_) => entries = entries.saturating_add(1),
                    Err(error) if error.kind() == ErrorKind::UnsupportedFormat => {
                        Defect::of(&error, length).note(&mut self.unread);
                    }
                    Err(error) => Defect::of(&error, length).note(&mut self.damage),
                }
            }
            self.entries = Some(entries);
            self.too_many = entries > NAMED_ENTRIES_MAX;
        }
        match formats::judge_unknown(plain(&self.name), content, owner) {
            Some(_) if self.format.is_some() => {}
            Some(error) if error.kind() == ErrorKind::UnsupportedFormat => {
                self.unread = Some(Defect::of(&error, length));
            }
            Some(error) => self.damage = Some(Defect::of(&error, length)),
            None => {}
        }
        let scope = if content.len() <= TAKEN_APART_MAX { Scope::ALL } else { Scope::WIDE };
        let root = self.annotate(content, scope);
        for defect in root.defects() {
            let first = if defect.is_unread { &mut self.unread } else { &mut self.damage };
            Defect::at(Some(defect.offset), defect.why, length).note(first);
        }
    }
}

/// The format that a file is taken for, how sure that is, and the others that it may have.
pub(super) fn recognize(
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
