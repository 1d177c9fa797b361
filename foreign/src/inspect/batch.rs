//! Batches: their header and their entries.

use super::fields::{Fields, entry_fact, entry_words, fields};
use super::sink::{Draft, Inner, Sink, named};
use super::values;
use super::view::View;
use crate::batch::{Batch, Item, ItemSpan, Operation};
use crate::text::{count, key, number};
use crate::{Engine, Kind, Result};
use levelscope::inspect::KeyFact;

/// `draft` with a batch in words, and with its first key: a batch of one operation is described as that.
pub(super) fn described(engine: Engine, record: &[u8], draft: Draft) -> Draft {
    let Ok(batch) = Batch::open(engine, record) else { return draft };
    let first = batch.items().find_map(|placed| match placed.ok()?.item {
        Item::Operation(operation) => Some(operation),
        _ => None,
    });
    match (batch.count, first) {
        (0, _) => draft.value("no operation on a key"),
        (1, Some(operation)) => described_by(&operation, draft),
        (all, first) => {
            let (all, number) = (count(u64::from(all), "operation"), number(batch.sequence));
            draft
                .value(format!("{all} from sequence number {number} on"))
                .key(first.map(|first| KeyFact { batch: Some(batch.count), ..fact_of(&first) }))
        }
    }
}

/// `draft` with an operation in the words of an entry of a table.
fn described_by(operation: &Operation<'_>, draft: Draft) -> Draft {
    let Operation { family, kind, sequence, .. } = *operation;
    let of = if family == 0 { String::new() } else { format!(", family {family}") };
    let (name, kinds) = (key(operation.key) + &of, (kind, kind.word()));
    let words = entry_words(&name, sequence, kinds, Some(operation.value));
    draft.value(words).key(Some(fact_of(operation)))
}

fn fact_of(operation: &Operation<'_>) -> KeyFact {
    let Operation { family, kind, sequence, key, value, .. } = *operation;
    KeyFact { family: Some(family), ..entry_fact(key, sequence, kind, Some(value)) }
}

/// The parts of the batch `view`.
pub(super) fn write(engine: Engine, view: &View, sink: &mut Sink) -> Result<()> {
    let mut header = Fields::new(view, sink);
    header.u64("sequence number", "sequence")?;
    header.u32("operations on keys", "count")?;
    let batch = Batch::open(engine, view.bytes())?;
    for placed in batch.items() {
        if sink.is_enough() {
            return Ok(());
        }
        let placed = placed.map_err(|error| error.shifted(view.offset()))?;
        let entry = view.part(placed.offset..placed.offset + placed.bytes);
        sink.open(placed.bytes as u64, || draft(&placed), || inner(engine, &placed, &entry))?;
    }
    Ok(())
}

fn draft(placed: &ItemSpan<'_>) -> Draft {
    match placed.item {
        Item::Operation(operation) => described_by(&operation, named("entry", "entry")),
        Item::Note(_) => named("note", "entry").value("only in the log"),
        Item::Noop => named("mark", "entry").value("separates parts of the batch"),
        Item::BeginPrepare(_) => named("begin of a prepared transaction", "entry"),
        Item::EndPrepare(id) => named("end of a prepared transaction", "entry").value(key(id)),
        Item::Commit { id, .. } => {
            named("commit of a prepared transaction", "entry").value(key(id))
        }
        Item::Rollback(id) => named("rollback of a prepared transaction", "entry").value(key(id)),
        Item::Ingested { number: table, .. } => {
            named("ingested table", "entry").value(format!("table {}", number(table)))
        }
        Item::Excised { start, end, .. } => {
            named("excised range", "entry").value(format!("from {} to {}", key(start), key(end)))
        }
    }
}

fn inner(engine: Engine, placed: &ItemSpan<'_>, entry: &View) -> Inner {
    match placed.item {
        Item::Operation(operation) => {
            let (kind, family) = (operation.kind, has_family(engine, entry));
            let has_value = !kind.is_delete() || kind == Kind::DeleteSized;
            fields(entry, move |fields| {
                let place = if family { " in a column family" } else { "" };
                let words = move |byte| format!("{}{place} ({byte})", kind.word());
                fields.byte("type", "kind", words)?;
                if family {
                    fields.varint32("column family", "number")?;
                }
                fields.prefixed(key_name(kind), "key")?;
                if has_value && fields.left() > 0 {
                    let length = fields.varint32("length of the value", "length")? as usize;
                    let value = fields.passed(length)?;
                    values::of_kind(engine, kind, &value, fields.sink())?;
                }
                Ok(())
            })
        }
        _ => fields(entry, |fields| {
            fields.u8("type", "kind")?;
            while fields.left() > 0 {
                fields.prefixed("string", "bytes")?;
            }
            Ok(())
        }),
    }
}

fn has_family(engine: Engine, entry: &View) -> bool {
    let number = entry.bytes().first().copied().unwrap_or_default();
    engine == Engine::RocksDb && matches!(number, 4 | 5 | 6 | 8 | 14 | 16 | 23 | 25)
}

fn key_name(kind: Kind) -> &'static str {
    match kind {
        Kind::RangeDelete | Kind::RangeKeyDelete | Kind::RangeKeyUnset | Kind::RangeKeySet => {
            "start key"
        }
        _ => "key",
    }
}
