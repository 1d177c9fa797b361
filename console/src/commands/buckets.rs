//! `buckets`: both prefix indexes of a table, bucket by bucket.

use super::contents::{no_table, tables};
use crate::commands::Command;
use crate::language::{Args, Statement, Verb, flag};
use crate::output::{Answer, Failure, OutputLine};
use crate::session::{Session, Stop, Task, once};
use crate::text;
use levelscope::{PrefixBucket, PrefixBuckets, PrefixIndexForm};

/// Buckets that are shown without `--limit`, and at most.
const LIMIT: u64 = 32;
const LIMIT_MAX: u64 = 4096;
/// Both forms of the index.
pub(super) const FORMS: [PrefixIndexForm; 2] = [PrefixIndexForm::Exact, PrefixIndexForm::Compact];
/// Prefixes and blocks of one bucket that are printed.
const PARTS_MAX: usize = 6;

pub(super) const VERBS: &[Command] = &[Verb {
    name: "buckets",
    group: "look inside",
    usage: "buckets [TABLE] [--form exact|compact] [--skip N] [--limit N]",
    purpose: "Shows the buckets of the exact and of the compact prefix index of a table.",
    example: "buckets",
    flags: &[
        flag("--form", "exact|compact", "only this form (both)"),
        flag("--skip", "n", "the first bucket (0)"),
        flag("--limit", "n", "how many buckets (32)"),
    ],
    ..Verb::LOOK
}
.starts(buckets)];

fn buckets(args: &Args, _: &Statement) -> Result<Box<dyn Task>, Failure> {
    args.expect(0, 1, "at most the number of a table")?;
    let forms = match args.value("--form").map(|word| word.bytes.as_slice()) {
        None => FORMS.to_vec(),
        Some(b"exact") => vec![PrefixIndexForm::Exact],
        Some(b"compact") => vec![PrefixIndexForm::Compact],
        Some(_) => return Err(args.verb.misused("--form takes exact or compact")),
    };
    let table = args.table_at(0)?;
    let window = (args.number("--skip")?.unwrap_or(0), args.number("--limit")?.unwrap_or(LIMIT));
    Ok(once(move |session| {
        let found = of(session, table, &forms, window)?;
        if found.is_empty() {
            let which = table
                .map_or("No table has".to_owned(), |table| format!("Table {table} does not have"));
            session.print(OutputLine::note(format!(
                "{which} a prefix index. `options set prefix until:.` and `options set prefix_index compact` give \
                 one to tables that are written from then on."
            )));
        }
        for buckets in &found {
            print(session, buckets);
        }
        Ok(Answer::buckets(found))
    }))
}

/// Up to `limit` buckets after the first `skip`, in each of the `forms`: of a table, or of the first one that has some.
pub(super) fn of(
    session: &Session,
    table: Option<u64>,
    forms: &[PrefixIndexForm],
    (skip, limit): (u64, u64),
) -> Result<Vec<PrefixBuckets>, Stop> {
    let known = tables(session)?;
    if let Some(table) = table.filter(|table| !known.contains(table)) {
        return Err(no_table(table).into());
    }
    let [skip, limit] =
        [skip, limit.min(LIMIT_MAX)].map(|number| usize::try_from(number).unwrap_or(usize::MAX));
    let mut found = Vec::new();
    for table in table.map_or(known, |table| vec![table]) {
        for form in forms {
            found.extend(session.db()?.prefix_buckets(table, *form, skip, limit)?);
        }
        if !found.is_empty() {
            break;
        }
    }
    Ok(found)
}

fn print(session: &mut Session, buckets: &PrefixBuckets) {
    let (form, unit, what) = match buckets.form {
        PrefixIndexForm::Compact => {
            ("compact", "bucket", "the word is a block, or a list of blocks")
        }
        _ => ("exact", "slot", "the word is the number of a stored prefix"),
    };
    let line = OutputLine::new()
        .link(format!("table:{}", buckets.table), format!("table {}", buckets.table));
    let line = line.plain(", ").strong(form).plain(": ");
    let line = line.number(text::counted(buckets.prefixes, "prefix")).plain(" in ");
    let line = line.number(text::counted(buckets.buckets, unit));
    let line = line.plain(format!(
        ", {} free, {} shared; ",
        text::count(buckets.free),
        text::count(buckets.shared)
    ));
    session.print(line.number(text::size(buckets.memory_bytes)).plain(" in memory"));
    let head = OutputLine::text("  ").dim(unit).pad_to(11).dim("word").pad_to(21).dim("blocks");
    session.print(head.pad_to(41).dim(if form == "exact" {
        "prefix"
    } else {
        "prefixes that lead here (not stored)"
    }));
    session.lines.extend(buckets.rows.iter().map(row_line));
    let shown = buckets.skip + buckets.rows.len() as u64;
    if shown < buckets.buckets {
        let more = text::count(buckets.buckets - shown);
        session.print(OutputLine::note(format!("  {more} more: --skip {shown}; {what}")));
    } else {
        session.print(OutputLine::note(format!("  {what}; 7fffffff is free")));
    }
}

fn row_line(row: &PrefixBucket) -> OutputLine {
    let line = OutputLine::text("  ").number(text::count(row.bucket)).pad_to(11);
    if row.blocks.is_empty() {
        return line.dim(format!("{:08x}  free", row.word));
    }
    let line = line.plain(format!("{:08x}", row.word)).pad_to(21);
    let mut blocks: Vec<String> =
        row.blocks.iter().take(PARTS_MAX).map(|block| (block + 1).to_string()).collect();
    if row.block_count > blocks.len() as u64 {
        blocks.push(format!("… {} in all", text::count(row.block_count)));
    }
    let mut line = line.number(blocks.join(", ")).pad_to(41);
    for (place, prefix) in row.prefixes.iter().take(PARTS_MAX).enumerate() {
        line = if place > 0 { line.plain(", ") } else { line }.key(&prefix.head);
    }
    match row.prefixes.len().checked_sub(PARTS_MAX + 1) {
        None => line,
        Some(_) => line.plain(format!(", {} in all", row.prefixes.len())),
    }
}
