//! One opened file: its bytes, what they were recognized as, and what is wrong with them.

use levelscope::formats::{self, Format, Likeness, Recognized};
use levelscope::inspect::{Fact, Node, Scope, Source, annotate_scope, own_name};
use levelscope::storage::FileName;
use levelscope::{Error, Result};

/// Files up to here are taken apart to their last field to look for damage \[bytes\]; larger ones are read
/// entry by entry.
const TAKEN_APART_MAX: usize = 1 << 20;
/// Entries that are named one by one at most: their names take more memory than the file.
const NAMED_ENTRIES_MAX: u64 = 2_000_000;

/// What a file is.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// Of another program.
    Foreign(&'static dyn Format),
    /// Of the engine: what it would be called in a database.
    Own(FileName),
    /// Bytes of nobody.
    Unknown,
}

/// A place where a file is not what its format demands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Damage {
    /// Where that begins \[bytes\].
    pub(crate) offset: u64,
    /// Why, as a sentence.
    pub(crate) why: String,
}

/// A file that was opened.
pub(crate) struct OpenedFile {
    /// Its name, without the `@`.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) kind: Kind,
    /// How sure the kind is; `None`: somebody said so.
    pub(crate) likeness: Option<Likeness>,
    /// Other formats that it may have, the likeliest first.
    pub(crate) others: Vec<Recognized>,
    /// The first place that is damaged.
    pub(crate) damage: Option<Damage>,
    /// Entries that can be read, where it holds any.
    pub(crate) entries: Option<u64>,
    /// Whether its entries are too many to name them all.
    too_many: bool,
}

impl std::fmt::Debug for OpenedFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "@{}, {} bytes", self.name, self.bytes.len())
    }
}

impl OpenedFile {
    /// A file called `name`; `given`: the format that it has to have. Reads all of it once for each format.
    pub(crate) fn new(name: String, bytes: Vec<u8>, given: Option<Kind>) -> Self {
        let (kind, likeness, others) = match given {
            Some(kind) => (kind, None, Vec::new()),
            None => recognize(&name, &bytes),
        };
        let mut file = Self {
            name,
            bytes,
            kind,
            likeness,
            others,
            damage: None,
            entries: None,
            too_many: false,
        };
        file.look_over();
        file
    }

    /// Its name on the command line and in selections.
    pub(crate) fn id(&self) -> String {
        format!("@{}", self.name)
    }

    /// The format of another program that it has.
    pub(crate) fn format(&self) -> Option<&'static dyn Format> {
        match self.kind {
            Kind::Foreign(format) => Some(format),
            Kind::Own(_) | Kind::Unknown => None,
        }
    }

    /// Its bytes.
    pub(crate) fn source(&self) -> Source<'_> {
        Source::Bytes(&self.bytes)
    }

    /// Names its bytes, as far as `scope` says.
    ///
    /// # Errors
    /// None at present: damage is part of the tree.
    pub(crate) fn annotate(&self, scope: Scope) -> Result<Node> {
        let bytes = self.bytes.len() as u64;
        let whole = |what: &str| Node::leaf(self.name.clone(), "bytes", 0, bytes, what);
        let mut root = match self.kind {
            _ if bytes == 0 => whole("an empty file"),
            _ if self.too_many => whole("too many entries to name them one by one"),
            Kind::Foreign(format) => format.annotate(&self.name, &self.bytes, scope),
            Kind::Own(name) => annotate_scope(name, &self.source(), scope)?,
            Kind::Unknown => whole("of no known format"),
        };
        root.name.clone_from(&self.name);
        Ok(root)
    }

    /// Counts its entries and finds the first damage.
    fn look_over(&mut self) {
        if let Kind::Foreign(format) = self.kind
            && !format.info().searches.is_empty()
        {
            let mut entries = 0_u64;
            let mut first: Option<Error> = None;
            for entry in format.scan(&self.bytes) {
                match entry {
                    Ok(_) => entries = entries.saturating_add(1),
                    Err(error) => {
                        let earlier =
                            first.as_ref().is_none_or(|first| error.offset() < first.offset());
                        first = if earlier { Some(error) } else { first };
                    }
                }
            }
            self.entries = Some(entries);
            self.damage =
                first.map(|error| Damage { offset: error.offset().unwrap_or(0), why: why(&error) });
            self.too_many = entries > NAMED_ENTRIES_MAX;
        }
        let scope = if self.bytes.len() <= TAKEN_APART_MAX { Scope::ALL } else { Scope::WIDE };
        if let Ok(tree) = self.annotate(scope) {
            damage_in(&tree, None, &mut self.damage);
        }
    }
}

/// The formats that a file may have: the one that it is taken for, how sure that is, and the others.
fn recognize(name: &str, bytes: &[u8]) -> (Kind, Option<Likeness>, Vec<Recognized>) {
    // Several formats have tables without entries; an empty file proves none of them.
    if bytes.is_empty() {
        return (Kind::Unknown, Some(Likeness::None), Vec::new());
    }
    let plain = name.rsplit('/').next().unwrap_or(name);
    let mut found = formats::recognize(plain, bytes);
    if let Some((own, proved)) = own_name(bytes) {
        if proved {
            return (Kind::Own(own), Some(Likeness::Certain), Vec::new());
        }
        return (Kind::Own(own), Some(Likeness::Likely), found);
    }
    if let Some(best) = found.first().copied() {
        found.remove(0);
        return (Kind::Foreign(best.format), Some(best.likeness), found);
    }
    (Kind::Unknown, Some(Likeness::None), found)
}

/// Why something is damaged, without the place.
pub(crate) fn why(error: &Error) -> String {
    let text = error.to_string();
    match text.split_once(": ") {
        Some((place, why)) if place.starts_with("damaged at offset") => why.to_owned(),
        _ => text,
    }
}

/// The first damage in a tree that lies before `first`. Decoded content is where its compressed bytes are.
fn damage_in(node: &Node, holder: Option<u64>, first: &mut Option<Damage>) {
    let offset = holder.unwrap_or(node.offset);
    let why = match &node.fact {
        Some(Fact::Checksum { stored, computed, from, .. }) if stored != computed => {
            let from = if holder.is_some() { offset } else { *from };
            let why = format!(
                "these bytes do not match their checksum at offset {offset}: stored 0x{stored:08x}, \
                 computed 0x{computed:08x}"
            );
            Some((from, why))
        }
        _ if node.kind == "damaged" => Some((offset, node.value.clone())),
        _ => None,
    };
    if let Some((offset, why)) = why
        && first.as_ref().is_none_or(|first| offset < first.offset)
    {
        *first = Some(Damage { offset, why });
    }
    for child in &node.children {
        damage_in(child, holder, first);
    }
    for child in &node.inside {
        damage_in(child, Some(offset), first);
    }
}
