//! Reads one family of a directory: its layers as one walk, lookups, scans.

use super::Directory;
use super::tables::Tables;
use crate::read::deletions::Cut;
use crate::read::{Deletions, Layer, MergeCursor, RunCursor, Scan, Snapshot};
use crate::{Error, ErrorKind, Family, Problem, Result, TableFile};
use std::sync::Arc;

/// Keys of a read: they decide which tables are opened for range deletions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span<'k> {
    pub(super) from: Option<&'k [u8]>,
    /// Included, so that one key is a span, too.
    pub(super) to: Option<&'k [u8]>,
    /// Numbers of tables that are left out: a newer place has the answer.
    left_out: &'k [u64],
}

impl Span<'_> {
    /// Whether a table is read, because it may hold keys of it.
    pub(super) fn meets(&self, family: &Family, table: &TableFile) -> bool {
        let is_in = family.comparator.meets(table.user_keys(), (self.from, self.to));
        !self.left_out.contains(&table.number) && (is_in || !table.has_bounds)
    }
}

impl<'f> Directory<'f> {
    /// A walk over the live entries of a family, not yet at the first one; call [`Scan::first`] or [`Scan::seek`].
    /// `to` bounds which tables are read, not where the walk ends.
    ///
    /// # Errors
    /// `Invalid` when there is no such family; `NotRead` when its order of keys is not known.
    pub fn scan(
        &self,
        family: u32,
        from: Option<&[u8]>,
        to: Option<&[u8]>,
        snapshot: Snapshot,
    ) -> Result<Scan<'_>> {
        self.scan_of(family, Span { from, to, left_out: &[] }, snapshot)
    }

    /// A walk over `key` only, as [`Directory::scan`], without the tables whose numbers are in `left_out`.
    pub(crate) fn scan_key(
        &self,
        family: u32,
        key: &[u8],
        left_out: &[u64],
        snapshot: Snapshot,
    ) -> Result<Scan<'_>> {
        let mut scan =
            self.scan_of(family, Span { from: Some(key), to: Some(key), left_out }, snapshot)?;
        scan.seek(key)?;
        Ok(scan)
    }

    fn scan_of(&self, family: u32, span: Span<'_>, snapshot: Snapshot) -> Result<Scan<'_>> {
        let of = self.family(family)?;
        if !of.comparator.is_known() {
            let named = match of.comparator_name.as_str() {
                "" => String::new(),
                name => format!(" \"{name}\""),
            };
            let message =
                format!("the order of keys{named} is not known, so entries cannot be put in order");
            return Err(Error::not_read(message));
        }
        let (merged, deletions, problems) = self.merged(of, span)?;
        let operator = self.merge_operator(of);
        let mut scan =
            Scan::new(merged, deletions, of.comparator, operator, self.blobs(), snapshot);
        scan.add_problems(problems);
        Ok(scan)
    }

    /// A walk over all versions of all keys of a family, not yet at the first one; its range deletions; their damage.
    ///
    /// # Errors
    /// `Invalid` when there is no such family.
    pub fn versions(&self, family: u32) -> Result<(MergeCursor<'_>, Deletions, Vec<Problem>)> {
        self.merged(self.family(family)?, Span { from: None, to: None, left_out: &[] })
    }

    fn merged<'a>(
        &'a self,
        family: &'a Family,
        span: Span<'_>,
    ) -> Result<(MergeCursor<'a>, Deletions, Vec<Problem>)> {
        let (deletions, problems) = self.deletions(family, span, self.tables())?;
        let layers = self.layers(family, span, self.tables())?;
        Ok((MergeCursor::new(layers, family.comparator), deletions, problems))
    }

    /// The family with this number.
    ///
    /// # Errors
    /// `Invalid` without such a family.
    pub fn family(&self, family: u32) -> Result<&Family> {
        let found = self.state().families.get(&family);
        found.ok_or_else(|| {
            Error::new(ErrorKind::Invalid, format!("there is no column family {family}"))
        })
    }

    /// The runs of a family that may hold keys of `span`, the newest first.
    fn layers<'a>(
        &'a self,
        family: &'a Family,
        span: Span<'_>,
        tables: &'a Tables<'f>,
    ) -> Result<Vec<Layer<'a>>> {
        let mut layers = Vec::new();
        if let Some(run) = self.logs()?.runs.get(&family.id) {
            let cursor = Box::new(run.cursor());
            layers.push(Layer { name: "logs".into(), level: None, tables: Vec::new(), cursor });
        }
        for level in family.levels.keys() {
            let runs = family.runs(*level);
            let all = runs.clone().count();
            for run in runs.filter(|run| run.iter().any(|table| span.meets(family, table))) {
                let name = match run.first().map(AsRef::as_ref) {
                    Some(table) if *level == 0 => format!("L0 table {}", table.number),
                    Some(table) if all > 1 => format!("L{level} run {}", table.run),
                    _ => format!("L{level}"),
                };
                layers.push(run_layer(name, *level, run, family, tables));
            }
        }
        Ok(layers)
    }

    /// The range deletions of a family in the logs.
    ///
    /// # Errors
    /// The logs cannot be read.
    pub(crate) fn log_cuts(&self, family: &Family) -> Result<Vec<Cut>> {
        let all = self.logs()?.deletions.get(&family.id).into_iter().flatten().cloned();
        Ok(all.filter_map(|deletion| Cut::within(deletion, None, family.comparator)).collect())
    }

    /// The range deletions that cover keys of `span`, and the damage of their tables.
    fn deletions(
        &self,
        family: &Family,
        span: Span<'_>,
        tables: &Tables<'f>,
    ) -> Result<(Deletions, Vec<Problem>)> {
        let order = family.comparator;
        let mut cuts = self.log_cuts(family)?;
        let mut problems = Vec::new();
        for (level, table) in family.tables().filter(|(_, table)| span.meets(family, table)) {
            match tables.cut_deletions(family, table) {
                Ok(mut of_table) => cuts.append(&mut of_table),
                Err(error) => {
                    let name = tables.name_of(family.id, table.number);
                    let mut problem = Problem::of(&error, &name);
                    // The others have no column families.
                    if self.engine() == crate::Engine::RocksDb {
                        problem.family = Some(family.name.clone());
                    }
                    problem.level = Some(level);
                    problems.push(problem);
                }
            }
        }
        Ok((Deletions::new(&cuts, order), problems))
    }
}

fn run_layer<'a>(
    name: String,
    level: u32,
    tables: &'a [Arc<TableFile>],
    family: &Family,
    source: &'a Tables<'_>,
) -> Layer<'a> {
    let id = family.id;
    let open = Box::new(move |table: &TableFile| source.cursor(id, table.number));
    let cursor = RunCursor::new(tables, family.comparator, open);
    Layer { name, level: Some(level), tables: tables.to_vec(), cursor: Box::new(cursor) }
}
