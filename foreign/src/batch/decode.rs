//! The items of a batch.

use super::{Batch, HEADER_BYTES, Item, ItemSpan, Operation};
use crate::bytes::Cursor;
use crate::{Engine, Error, Kind, Result};
use levelscope::internals::batch::{BatchEntries, decode};

/// A walk over the items of a batch. It ends after the first failure.
#[derive(Debug, Clone)]
pub struct Items<'a> {
    engine: Engine,
    cursor: Cursor<'a>,
    sequence: u64,
    expected: u32,
    found: u32,
    done: bool,
    /// The operations of a batch of Levelscope, which the engine's decoder reads.
    own: Option<BatchEntries<'a>>,
}

/// Fields of an operation after its type.
enum Shape {
    /// A key, and a value unless it is false.
    Key {
        number: u8,
        family: bool,
        value: bool,
    },
    Note,
    Noop,
    Begin,
    End,
    Commit,
    CommitWithTime,
    Rollback,
    Ingested,
    Excise,
}

impl<'a> Items<'a> {
    pub(super) fn new(batch: Batch<'a>) -> Self {
        Self {
            engine: batch.engine,
            cursor: Cursor::new(batch.body, HEADER_BYTES as u64),
            sequence: batch.sequence,
            expected: batch.count,
            found: 0,
            done: false,
            own: (batch.engine == Engine::Levelscope).then(|| decode(batch.body, batch.count)),
        }
    }

    fn item(&mut self) -> Result<ItemSpan<'a>> {
        let at = self.cursor;
        let kind = self.cursor.u8()?;
        let Some(shape) = shape(self.engine, kind) else {
            return Err(at.damaged(format!("unknown type {kind} in a batch")));
        };
        let item = match shape {
            Shape::Key { number, family, value } => {
                let family = if family { self.cursor.varint32()? } else { 0 };
                let key = self.cursor.prefixed()?;
                let value = if value { self.cursor.prefixed()? } else { &[] };
                let kind = Kind::of(self.engine, number);
                let sequence = self.take_sequence();
                Item::Operation(Operation { family, kind, number, key, value, sequence })
            }
            Shape::Note => Item::Note(self.cursor.prefixed()?),
            Shape::Noop => Item::Noop,
            Shape::Begin => Item::BeginPrepare(kind),
            Shape::End => Item::EndPrepare(self.cursor.prefixed()?),
            Shape::Commit => Item::Commit { id: self.cursor.prefixed()?, timestamp: &[] },
            Shape::CommitWithTime => {
                let timestamp = self.cursor.prefixed()?;
                Item::Commit { id: self.cursor.prefixed()?, timestamp }
            }
            Shape::Rollback => Item::Rollback(self.cursor.prefixed()?),
            Shape::Ingested => {
                let start = self.cursor;
                let number = Cursor::new(self.cursor.prefixed()?, start.offset()).varint()?;
                Item::Ingested { number, sequence: self.take_sequence() }
            }
            Shape::Excise => {
                let (start, end) = (self.cursor.prefixed()?, self.cursor.prefixed()?);
                Item::Excised { start, end, sequence: self.take_sequence() }
            }
        };
        let place = |cursor: Cursor<'_>| usize::try_from(cursor.offset()).unwrap_or(usize::MAX);
        let offset = place(at);
        Ok(ItemSpan { item, offset, bytes: place(self.cursor) - offset })
    }

    /// The next operation of a batch of Levelscope.
    fn own_item(&mut self) -> Option<Result<ItemSpan<'a>>> {
        let entry = self.own.as_mut()?.next()?;
        let (own, key, value) = match entry {
            Ok(entry) => entry,
            Err(error) => return Some(Err(Error::from(error).at(HEADER_BYTES as u64))),
        };
        let number = own as u8;
        let (kind, sequence) = (Kind::of(self.engine, number), self.take_sequence());
        let item = Item::Operation(Operation { family: 0, kind, number, key, value, sequence });
        Some(Ok(ItemSpan { item, offset: HEADER_BYTES, bytes: key.len() + value.len() }))
    }

    fn take_sequence(&mut self) -> u64 {
        let taken = self.sequence;
        self.sequence = self.sequence.saturating_add(1);
        self.found = self.found.saturating_add(1);
        taken
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Result<ItemSpan<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.own.is_some() {
            return self.own_item();
        }
        if self.done {
            return None;
        }
        if self.cursor.is_empty() {
            self.done = true;
            if self.found == self.expected {
                return None;
            }
            let (expected, found) = (self.expected, self.found);
            let message = format!("a batch of {expected} operations has {found}");
            return Some(Err(Error::damaged(8, message)));
        }
        let item = self.item();
        self.done = item.is_err();
        Some(item)
    }
}

/// Fields after type `number` in a batch of `engine`.
fn shape(engine: Engine, number: u8) -> Option<Shape> {
    let key = |number, family, value| Some(Shape::Key { number, family, value });
    match engine {
        Engine::LevelDb => match number {
            0 => key(0, false, false),
            1 => key(1, false, true),
            _ => None,
        },
        Engine::Pebble => match number {
            0 | 7 => key(number, false, false),
            1 | 2 | 15 | 18 | 19 | 20 | 21 | 23 => key(number, false, true),
            3 => Some(Shape::Note),
            22 => Some(Shape::Ingested),
            24 => Some(Shape::Excise),
            _ => None,
        },
        Engine::RocksDb => rocksdb_shape(number),
        Engine::Levelscope => None,
    }
}

fn rocksdb_shape(number: u8) -> Option<Shape> {
    let key = |number, family, value| Some(Shape::Key { number, family, value });
    match number {
        0 | 7 => key(number, false, false),
        1 | 2 | 15 | 17 | 22 | 24 => key(number, false, true),
        4 => key(0, true, false),
        5 => key(1, true, true),
        6 => key(2, true, true),
        8 => key(7, true, false),
        14 => key(15, true, true),
        16 => key(17, true, true),
        23 => key(22, true, true),
        25 => key(24, true, true),
        3 => Some(Shape::Note),
        13 => Some(Shape::Noop),
        9 | 18 | 19 => Some(Shape::Begin),
        10 => Some(Shape::End),
        11 => Some(Shape::Commit),
        12 => Some(Shape::Rollback),
        21 => Some(Shape::CommitWithTime),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Batch, Item};
    use crate::{Engine, Kind};

    fn record(sequence: u64, count: u32, body: &[u8]) -> Vec<u8> {
        let mut record = sequence.to_le_bytes().to_vec();
        record.extend_from_slice(&count.to_le_bytes());
        record.extend_from_slice(body);
        record
    }

    #[test]
    fn operations_take_consecutive_sequence_numbers_and_notes_none() {
        let bytes = record(7, 2, b"\x01\x01a\x01x\x03\x02hi\x04\x05\x01b");
        let batch = Batch::open(Engine::RocksDb, &bytes).unwrap();
        let items: Vec<_> = batch.items().map(|item| item.unwrap().item).collect();
        let Item::Operation(put) = items[0] else { panic!("{items:?}") };
        assert_eq!(
            (put.family, put.kind, put.key, put.value),
            (0, Kind::Put, &b"a"[..], &b"x"[..])
        );
        assert_eq!(put.sequence, 7);
        assert_eq!(items[1], Item::Note(b"hi"));
        let Item::Operation(delete) = items[2] else { panic!("{items:?}") };
        assert_eq!((delete.family, delete.kind, delete.sequence), (5, Kind::Delete, 8));
        assert_eq!(batch.last_sequence(), 8);
    }

    #[test]
    fn a_wrong_count_and_an_unknown_type_are_damage() {
        let bytes = record(1, 5, b"\x00\x01a");
        let batch = Batch::open(Engine::LevelDb, &bytes).unwrap();
        let error = batch.items().last().unwrap().unwrap_err();
        assert_eq!(error.message(), "a batch of 5 operations has 1");
        let bytes = record(1, 1, b"\x05\x00\x01a\x00");
        let batch = Batch::open(Engine::LevelDb, &bytes).unwrap();
        let error = batch.items().last().unwrap().unwrap_err();
        assert_eq!((error.message(), error.offset()), ("unknown type 5 in a batch", Some(12)));
    }

    #[test]
    fn pebble_has_kinds_of_its_own() {
        let bytes = record(1, 3, b"\x12\x01a\x01v\x16\x01\x09\x18\x01a\x01c");
        let batch = Batch::open(Engine::Pebble, &bytes).unwrap();
        let items: Vec<_> = batch.items().map(|item| item.unwrap().item).collect();
        assert!(matches!(items[0], Item::Operation(put) if put.kind == Kind::Put));
        assert_eq!(items[1], Item::Ingested { number: 9, sequence: 2 });
        assert_eq!(items[2], Item::Excised { start: b"a", end: b"c", sequence: 3 });
    }
}
