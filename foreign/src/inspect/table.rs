//! A table: its blocks in their order.

use super::block::{self, Role};
use super::columns::Schema;
use super::footer::{Brand, Foot};
use super::places::{self, Handles};
use super::sink::{Inner, Sink, named, parts};
use super::{Scene, view::View};
use crate::bytes::Cursor;
use crate::key::Engine;
use crate::pebble;
use crate::sorting::sort_by_key;
use crate::table::properties::{INDEX_TWO_LEVEL, index_layout};
use crate::table::{Block, BlockCursor, Layout, Names, Source, TRAILER_BYTES};
use crate::text::{count, number};
use crate::{BlockHandle, Error, Result};
use std::rc::Rc;

/// The start of the only key schema of Pebble that is known.
const DEFAULT_SCHEMA: &[u8] = b"DefaultKeySchema(";
/// Dictionaries have some KiB.
const DICTIONARY_BYTES_MAX: u64 = 16 << 20;
/// The keys of Pebble's index in rows are internal keys.
const PEBBLE_INDEX: Layout = Layout::Index { user_keys: false, deltas: false, first_keys: false };

/// The facts about a table that opening a block needs.
pub(super) struct Table {
    pub(super) foot: Foot,
    metaindex: Names,
    properties: Names,
    index_layout: Layout,
    two_level: bool,
    /// The engine, which defines the numbers of kinds.
    pub(super) engine: Engine,
    /// Failure to read the metaindex or the properties.
    problem: Option<Error>,
}

/// A block that is no data block.
#[derive(Debug, Clone)]
struct Region {
    handle: BlockHandle,
    role: Role,
    name: String,
    /// Whether it is one of several, which are drawn as one part.
    is_one_of: bool,
}

/// The table, and its parts.
pub(super) fn root(_scene: &Scene<'_>) -> (&'static str, String, Inner) {
    ("table", String::new(), parts(write))
}

impl Table {
    fn open(scene: &Scene<'_>) -> Result<Self> {
        let foot = Foot::read(scene)?;
        let engine = match foot.brand {
            Brand::Pebble => Engine::Pebble,
            Brand::LevelDb if scene.engine == Engine::LevelDb => Engine::LevelDb,
            _ => Engine::RocksDb,
        };
        let mut table = Self {
            foot,
            metaindex: Names::default(),
            properties: Names::default(),
            index_layout: PEBBLE_INDEX,
            two_level: false,
            engine,
            problem: None,
        };
        let metaindex = table.names(scene, &Role::Metaindex, table.foot.footer.metaindex);
        table.metaindex = table.found(metaindex);
        let named = ["rocksdb.properties", "rocksdb.stats"];
        if let Some(handle) = named.iter().find_map(|name| table.metaindex.handle(name)) {
            let properties = table.names(scene, &Role::Properties, handle);
            table.properties = table.found(properties);
        }
        let (kind, layout) = index_layout(&table.properties);
        table.two_level = kind == INDEX_TWO_LEVEL;
        if engine != Engine::Pebble {
            table.index_layout = layout;
        }
        Ok(table)
    }

    fn found(&mut self, names: Result<Names>) -> Names {
        names.unwrap_or_else(|error| {
            self.problem.get_or_insert(error);
            Names::default()
        })
    }

    fn names(&self, scene: &Scene<'_>, role: &Role, handle: BlockHandle) -> Result<Names> {
        let view = block::content(scene, self, handle)?;
        if self.columns(role).is_some() {
            return pebble::index::column_names(view.bytes());
        }
        Names::read(self.rows(role, &view)?)
    }

    /// Its blocks.
    pub(super) fn source<'f>(&self, scene: &Scene<'f>) -> Source<'f> {
        let footer = &self.foot.footer;
        if self.foot.brand == Brand::RocksDb || self.foot.brand == Brand::LevelDb {
            return Source::new(scene.files, scene.name, footer);
        }
        let form = self.foot.form();
        Source::of_blocks(scene.files, scene.name, footer.offset, footer.checksum, form)
    }

    /// Layout of the entries of a block in rows.
    pub(super) fn layout(&self, role: &Role) -> Layout {
        match role {
            Role::Index | Role::IndexPartition | Role::FilterIndex => self.index_layout,
            Role::Data | Role::RangeDeletions | Role::RangeKeys => Layout::Data,
            _ => Layout::Plain,
        }
    }

    /// A walk over the entries of a block in rows.
    pub(super) fn rows(&self, role: &Role, view: &View) -> Result<BlockCursor> {
        let handle = BlockHandle { offset: view.offset(), bytes: view.len() as u64 };
        let block = Block::new(view.bytes().to_vec(), handle, true)?;
        Ok(BlockCursor::new(block, self.layout(role)))
    }

    /// The columns of a block, unless it is in rows.
    pub(super) fn columns(&self, role: &Role) -> Option<Schema> {
        if self.foot.brand != Brand::Pebble {
            return None;
        }
        let known = || {
            let schema = self.properties.get("pebble.colblk.schema");
            schema.is_none_or(|schema| schema.starts_with(DEFAULT_SCHEMA))
        };
        let (since, schema) = match role {
            Role::Data if known() => (5, Schema::Data),
            Role::Data => (5, Schema::OtherData),
            Role::Index | Role::IndexPartition => (5, Schema::Index),
            Role::RangeDeletions | Role::RangeKeys => (5, Schema::Spans),
            Role::Metaindex => (6, Schema::Names),
            Role::Properties => (7, Schema::Names),
            Role::BlobReferences => (6, Schema::References),
            _ => return None,
        };
        (self.foot.footer.version >= since).then_some(schema)
    }

    /// Whether the values of puts begin with a byte for their place.
    pub(super) fn has_value_prefixes(&self) -> bool {
        self.foot.brand == Brand::Pebble && matches!(self.foot.footer.version, 3 | 4)
    }

    /// The dictionary of the data blocks, empty if they have none.
    pub(super) fn dictionary(&self, scene: &Scene<'_>) -> Result<Vec<u8>> {
        let handle = self.metaindex.handle("rocksdb.compression_dict");
        match handle.filter(|handle| handle.bytes <= DICTIONARY_BYTES_MAX) {
            Some(handle) => Ok(block::content(scene, self, handle)?.bytes().to_vec()),
            None => Ok(Vec::new()),
        }
    }

    /// The index block.
    pub(super) fn index(&self) -> Option<BlockHandle> {
        self.foot.footer.index.or_else(|| self.metaindex.handle("rocksdb.index"))
    }

    /// Whether the data blocks are found in partitions of the index.
    pub(super) fn is_two_level(&self) -> bool {
        self.two_level
    }

    /// All blocks that are no data blocks, in the order of the file.
    fn regions(&self, scene: &Scene<'_>) -> Vec<Region> {
        let mut regions = Vec::new();
        let mut add = |role: Role, handle: BlockHandle, name: &str| {
            regions.push(Region { handle, role, name: name.to_owned(), is_one_of: false });
        };
        let is_block = matches!(self.foot.brand, Brand::RocksDb | Brand::LevelDb | Brand::Pebble);
        add(Role::Metaindex, self.foot.footer.metaindex, "metaindex");
        let mut groups: Vec<(Role, &str, Result<Handles>)> = Vec::new();
        if let Some(handle) = self.index().filter(|_| is_block) {
            let name = if self.two_level { "top index" } else { "index" };
            add(Role::Index, handle, name);
            if self.two_level {
                let handles = Handles::of(scene, self, &Role::Index, handle);
                groups.push((Role::IndexPartition, "index partition", handles));
            }
        }
        for name in self.metaindex.0.keys().filter(|name| *name != "rocksdb.index") {
            let (role, words) = self.role(name);
            let Some(handle) = self.metaindex.handle(name) else { continue };
            add(role.clone(), handle, &words);
            match role {
                Role::FilterIndex => {
                    let handles = Handles::of(scene, self, &role, handle);
                    groups.push((Role::Filter, "filter partition", handles));
                }
                Role::ValueIndex(_) => {
                    let entry = self.metaindex.get(name).unwrap_or_default();
                    let handles = Handles::of_values(&self.source(scene), entry);
                    groups.push((Role::Values, "value block", handles));
                }
                _ => {}
            }
        }
        for (role, name, handles) in groups {
            // Damage shows when the index itself is opened.
            let Ok(mut handles) = handles else { continue };
            // Places in value blocks name these by a stored number, from 0; what only names count begins with 1.
            let first = usize::from(!matches!(role, Role::Values));
            for number in first..first + places::PARTITIONS_MAX {
                let Ok(Some(handle)) = handles.next() else { break };
                let name = format!("{name} {number}");
                regions.push(Region { handle, role: role.clone(), name, is_one_of: true });
            }
        }
        let end = self.foot.footer.offset;
        let fits = |region: &Region| places::end(region.handle).is_some_and(|at| at <= end);
        regions.retain(fits);
        sort_by_key(&mut regions, |region| region.handle);
        regions.dedup_by_key(|region| region.handle.offset);
        regions
    }

    /// The role of the block called `name` in the metaindex.
    fn role(&self, name: &str) -> (Role, String) {
        let (role, words) = match name {
            "rocksdb.properties" | "rocksdb.stats" => (Role::Properties, "properties"),
            "rocksdb.range_del" | "rocksdb.range_del2" => (Role::RangeDeletions, "range deletions"),
            "rocksdb.compression_dict" => (Role::Dictionary, "compression dictionary"),
            "rocksdb.hashindex.prefixes" => (Role::HashPrefixes, "prefixes of the hash index"),
            "rocksdb.hashindex.metadata" => (Role::HashBlocks, "blocks of the hash index"),
            "pebble.range_key" => (Role::RangeKeys, "range keys"),
            "pebble.blob_ref_index" => (Role::BlobReferences, "blob references"),
            "pebble.value_index" => {
                let entry = self.metaindex.get(name).unwrap_or_default();
                (Role::ValueIndex(widths(entry)), "index of the value blocks")
            }
            _ if name.starts_with("partitionedfilter.") => (Role::FilterIndex, "filter index"),
            _ if name.starts_with("fullfilter.") => (Role::Filter, "filter"),
            _ if name.starts_with("filter.") => (Role::FilterByRange, "filter"),
            other => (Role::Other, other),
        };
        (role, crate::text::escaped(words.as_bytes()))
    }

    fn data_words(&self) -> String {
        let counted = |name, one| self.properties.number(name).map(|number| count(number, one));
        let words =
            [counted("rocksdb.num.data.blocks", "block"), counted("rocksdb.num.entries", "entry")];
        words.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// The three widths after the handle of the value index.
fn widths(entry: &[u8]) -> [usize; 3] {
    let mut cursor = Cursor::new(entry, 0);
    let skipped = cursor.varint().and_then(|_| cursor.varint());
    let mut widths = [0; 3];
    if skipped.is_ok() {
        for width in &mut widths {
            *width = usize::from(cursor.u8().unwrap_or(0));
        }
    }
    widths
}

fn write(scene: &Scene<'_>, sink: &mut Sink) -> Result<()> {
    let table = Rc::new(Table::open(scene)?);
    let foot = &table.foot;
    sink.learned = Some(foot.brand.words(foot.footer.version));
    sink.blame(foot.problem.clone());
    sink.blame(table.problem.clone());
    let regions = table.regions(scene);
    let first = regions.first().map_or(foot.footer.offset, |region| region.handle.offset);
    write_data(&table, first, sink)?;
    let mut rest = regions.as_slice();
    while let Some(region) = rest.first() {
        let run =
            rest.iter().take_while(|other| other.is_one_of && other.role == region.role).count();
        if region.handle.offset < sink.position() {
            // A damaged handle: the block before it has these bytes.
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        sink.gap(region.handle.offset, "neither index nor metaindex leads to these bytes")?;
        let (group, after) = rest.split_at_checked(run.max(1)).unwrap_or((rest, &[]));
        if region.is_one_of {
            write_group(&table, group, sink)?;
        } else {
            write_region(scene, &table, region, sink)?;
        }
        rest = after;
    }
    sink.gap(foot.footer.offset, "neither index nor metaindex leads to these bytes")?;
    let (length, footer) = (foot.footer.bytes as u64, foot.clone());
    let draft = || named("footer", "footer").problem(foot.problem.clone());
    sink.open(length, draft, || parts(move |_, sink| footer.write(sink)))
}

fn write_data(table: &Rc<Table>, end: u64, sink: &mut Sink) -> Result<()> {
    let brand = table.foot.brand;
    if let Brand::Plain { .. } | Brand::Cuckoo = brand {
        let message = format!("not read: the rows of a {}", brand.words(0));
        let error = Error::not_read(message).at(0);
        return sink.leaf(end, || named("rows", "unread").problem(Some(error)));
    }
    let draft = || named("data blocks", "blocks").value(table.data_words());
    sink.open(end, draft, || places::data(table))
}

fn write_region(
    scene: &Scene<'_>,
    table: &Rc<Table>,
    region: &Region,
    sink: &mut Sink,
) -> Result<()> {
    let Region { handle, role, name, .. } = region;
    let bytes = handle.bytes.saturating_add(TRAILER_BYTES);
    sink.take(bytes, |sink| {
        let problem = block::glance(scene, table, *handle, sink);
        let draft = named(name.as_str(), role.kind()).problem(problem);
        (draft, Some(block::inner(table, role.clone(), *handle)))
    })
}

/// Blocks of one kind, one after the other.
fn write_group(table: &Rc<Table>, group: &[Region], sink: &mut Sink) -> Result<()> {
    let last = group.last().and_then(|region| places::end(region.handle));
    let end = last.unwrap_or(sink.position()).clamp(sink.position(), sink.end());
    let one = group.first().map_or("", |region| region.name.as_str());
    let name = one.trim_end_matches(|last: char| last.is_ascii_digit() || last == ' ');
    let kind = group.first().map_or("blocks", |region| region.role.kind());
    let words = format!("{} blocks", number(group.len() as u64));
    let draft = || named(format!("{name}s"), kind).value(words);
    sink.open(end - sink.position(), draft, || {
        let (table, group) = (Rc::clone(table), group.to_vec());
        parts(move |scene, sink| {
            for region in &group {
                sink.gap(region.handle.offset, "no index leads to these bytes")?;
                write_region(scene, &table, region, sink)?;
            }
            Ok(())
        })
    })
}
