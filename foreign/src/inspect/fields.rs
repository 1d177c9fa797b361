//! Fields that follow one another: each is read and becomes a part.

use super::sink::{Draft, Sink, named, parts};
use super::view::View;
use crate::bytes::Cursor;
use crate::key::split;
use crate::text::{key, number};
use crate::{Engine, Error, Kind, Result};
use levelscope::event::ShownKey;
use levelscope::inspect::{KeyFact, shown};

/// Reads the fields of `view` one by one.
pub(super) struct Fields<'v, 's> {
    view: &'v View,
    cursor: Cursor<'v>,
    sink: &'s mut Sink,
}

impl<'v, 's> Fields<'v, 's> {
    /// At the first byte of `view`, which is the next byte of `sink`.
    pub(super) fn new(view: &'v View, sink: &'s mut Sink) -> Self {
        Self { view, cursor: Cursor::new(view.bytes(), view.offset()), sink }
    }

    /// Offset of the next field.
    pub(super) fn offset(&self) -> u64 {
        self.cursor.offset()
    }

    /// Bytes that are left.
    pub(super) fn left(&self) -> usize {
        self.cursor.rest().len()
    }

    /// The bytes that are left.
    pub(super) fn rest(&self) -> &'v [u8] {
        self.cursor.rest()
    }

    /// The sink, to add parts of other shapes; their bytes go through [`Fields::passed`].
    pub(super) fn sink(&mut self) -> &mut Sink {
        self.sink
    }

    /// The next `bytes` bytes, without a part; they are added to the sink by the caller.
    pub(super) fn passed(&mut self, bytes: usize) -> Result<View> {
        let view = self.view.at(self.cursor.offset(), bytes)?;
        self.cursor.take(bytes)?;
        Ok(view)
    }

    /// Makes the bytes that `read` takes a part, which `draft` describes.
    pub(super) fn field<T>(
        &mut self,
        read: impl FnOnce(&mut Cursor<'v>) -> Result<T>,
        draft: impl FnOnce(&T) -> Draft,
    ) -> Result<T> {
        let at = self.cursor.offset();
        let value = read(&mut self.cursor)?;
        let bytes = self.cursor.offset() - at;
        self.sink.leaf(bytes, || draft(&value))?;
        Ok(value)
    }

    /// A byte.
    pub(super) fn u8(&mut self, name: &str, kind: &'static str) -> Result<u8> {
        self.field(Cursor::u8, |value| named(name, kind).value(value.to_string()))
    }

    /// A byte, in words.
    pub(super) fn byte(
        &mut self,
        name: &str,
        kind: &'static str,
        words: impl FnOnce(u8) -> String,
    ) -> Result<u8> {
        self.field(Cursor::u8, |value| named(name, kind).value(words(*value)))
    }

    /// Two bytes.
    pub(super) fn u16(&mut self, name: &str, kind: &'static str) -> Result<u16> {
        self.field(Cursor::u16, |value| named(name, kind).value(number(u64::from(*value))))
    }

    /// Four bytes.
    pub(super) fn u32(&mut self, name: &str, kind: &'static str) -> Result<u32> {
        self.field(Cursor::u32, |value| named(name, kind).value(number(u64::from(*value))))
    }

    /// Eight bytes.
    pub(super) fn u64(&mut self, name: &str, kind: &'static str) -> Result<u64> {
        self.field(Cursor::u64, |value| named(name, kind).value(number(*value)))
    }

    /// A varint.
    pub(super) fn varint(&mut self, name: &str, kind: &'static str) -> Result<u64> {
        self.field(Cursor::varint, |value| named(name, kind).value(number(*value)))
    }

    /// A varint of at most 32 bits.
    pub(super) fn varint32(&mut self, name: &str, kind: &'static str) -> Result<u32> {
        self.field(Cursor::varint32, |value| named(name, kind).value(number(u64::from(*value))))
    }

    /// A checksum, with the right one, where it can be computed.
    pub(super) fn checksum(&mut self, name: &str, right: Option<u32>) -> Result<()> {
        let at = self.cursor.offset();
        self.field(Cursor::u32, |stored| checksum(name, *stored, right, at))?;
        Ok(())
    }

    /// `bytes` bytes as text in quotes.
    pub(super) fn text(
        &mut self,
        bytes: usize,
        name: &str,
        kind: &'static str,
    ) -> Result<&'v [u8]> {
        self.field(|cursor| cursor.take(bytes), |value| named(name, kind).value(key(value)))
    }

    /// The bytes that are left as text in quotes.
    pub(super) fn rest_as(&mut self, name: &str, kind: &'static str) -> Result<&'v [u8]> {
        self.text(self.left(), name, kind)
    }

    /// A string after its length, as two parts.
    pub(super) fn prefixed(&mut self, name: &str, kind: &'static str) -> Result<&'v [u8]> {
        let bytes = self.varint32(&format!("length of the {name}"), "length")? as usize;
        self.text(bytes, name, kind)
    }

    /// An internal key of `bytes` bytes: the user key, the kind and the sequence number.
    pub(super) fn internal_key(&mut self, bytes: usize, name: &str, engine: Engine) -> Result<()> {
        let at = self.cursor;
        let whole = self.view.at(at.offset(), bytes)?;
        let (user_key, ..) = split(whole.bytes()).map_err(|error| at.damaged(error.message()))?;
        self.text(user_key.len(), name, "key")?;
        self.key_trailer(engine)
    }

    /// The last eight bytes of an internal key.
    pub(super) fn key_trailer(&mut self, engine: Engine) -> Result<()> {
        self.byte("kind", "kind", |byte| kind_words(engine, byte))?;
        let read = |cursor: &mut Cursor<'v>| cursor.take(7).map(little_endian);
        self.field(read, |value| named("sequence number", "sequence").value(number(*value)))?;
        Ok(())
    }

    /// A handle: offset and length of a block, as two parts.
    pub(super) fn handle(&mut self) -> Result<()> {
        self.varint("offset of the block", "offset")?;
        self.varint("length of the block", "length")?;
        Ok(())
    }

    /// Nothing may be left.
    ///
    /// # Errors
    /// `Damaged` when something is.
    pub(super) fn end(self) -> Result<()> {
        if self.cursor.is_empty() {
            return Ok(());
        }
        Err(self.cursor.damaged("nothing leads to these bytes"))
    }
}

/// A part with inner parts, the fields that `read` takes.
pub(super) fn fields(
    view: &View,
    read: impl FnOnce(&mut Fields<'_, '_>) -> Result<()> + 'static,
) -> super::sink::Inner {
    let view = view.clone();
    parts(move |_, sink| {
        let mut fields = Fields::new(&view, sink);
        read(&mut fields)?;
        fields.end()
    })
}

/// A checksum that is stored at `at`, compared with the right one.
pub(super) fn checksum(name: &str, stored: u32, right: Option<u32>, at: u64) -> Draft {
    let draft = named(name, "checksum");
    match right {
        None => draft.value(format!("{stored:08x}")),
        Some(right) if right == stored => draft.value(format!("{stored:08x}, right")),
        Some(right) => {
            let message = format!(
                "the checksum is wrong: {stored:08x} is stored, the bytes give {right:08x}"
            );
            draft.value(format!("{stored:08x}, wrong")).problem(Some(Error::damaged(at, message)))
        }
    }
}

/// The number of a kind with its word.
pub(super) fn kind_words(engine: Engine, number: u8) -> String {
    let kind = Kind::of(engine, number);
    let obsolete = if engine == Engine::Pebble && number & 64 != 0 { ", obsolete" } else { "" };
    match (engine, number) {
        (Engine::Pebble, 17) => "separator (17)".to_owned(),
        (_, 0xff) => "a bound (255)".to_owned(),
        _ => format!("{} ({number}{obsolete})", kind.word()),
    }
}

/// An entry in words: its key in words, its number, its kind in words, and its value where that is at hand.
pub(super) fn entry_words(
    key: &str,
    sequence: u64,
    (kind, word): (Kind, &str),
    value: Option<&[u8]>,
) -> String {
    let words = format!("{key}, sequence number {}, {word}", number(sequence));
    match own_value(kind, value) {
        Some(value) => format!("{words}: {}", shown(value)),
        None => words,
    }
}

/// An entry of the database as data: its key, its number, its kind, and its value where that is at hand.
pub(super) fn entry_fact(key: &[u8], sequence: u64, kind: Kind, value: Option<&[u8]>) -> KeyFact {
    KeyFact {
        key: ShownKey::new(key),
        of_entry: true,
        sequence: Some(sequence),
        tombstone: kind.is_delete(),
        kind: Some(kind.word()),
        value: own_value(kind, value).map(ShownKey::of_value),
        ..KeyFact::default()
    }
}

/// The stored value of an entry, unless it leads to another one or ends a range.
fn own_value(kind: Kind, value: Option<&[u8]>) -> Option<&[u8]> {
    value.filter(|_| matches!(kind, Kind::Put | Kind::Merge))
}

/// Little-endian bytes as a number.
pub(super) fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
