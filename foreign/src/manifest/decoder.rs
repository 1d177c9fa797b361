//! Reads the fields of an edit and, where asked, notes where each of them lies.

use crate::bytes::Cursor;
use crate::{Engine, Error, InternalKey, Result};

/// Levels of Pebble and LevelDB.
const FIXED_LEVELS: u32 = 7;

/// Encoding of a part of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The tag of a field, a varint.
    Tag,
    /// A varint.
    Number,
    /// A byte.
    Byte,
    /// A string after its length.
    Text,
    /// An internal key after its length.
    Key,
}

/// Gets each part of each field, in order.
pub type Note<'s> = dyn FnMut(Span) + 's;

/// One part of a field, such as its tag, a number or a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The tag of the field.
    pub tag: u32,
    /// Name of the part.
    pub name: &'static str,
    /// Its encoding.
    pub form: Form,
    /// Its offset in the record.
    pub offset: usize,
    /// Its bytes.
    pub bytes: usize,
}

pub(super) struct Decoder<'a, 's> {
    cursor: Cursor<'a>,
    note: Option<&'s mut Note<'s>>,
    tag: u32,
}

impl<'a, 's> Decoder<'a, 's> {
    pub(super) fn new(record: &'a [u8], note: Option<&'s mut Note<'s>>) -> Self {
        Self { cursor: Cursor::new(record, 0), note, tag: 0 }
    }

    /// The tag of the next field; `None` at the end.
    pub(super) fn next_tag(&mut self) -> Result<Option<u32>> {
        if self.cursor.is_empty() {
            return Ok(None);
        }
        let start = self.cursor;
        self.tag = self.cursor.varint32()?;
        self.note("tag", Form::Tag, start);
        Ok(Some(self.tag))
    }

    pub(super) fn tag(&self) -> u32 {
        self.tag
    }

    fn note(&mut self, name: &'static str, form: Form, start: Cursor<'a>) {
        if let Some(note) = &mut self.note {
            let bytes = start.rest().len() - self.cursor.rest().len();
            let offset = usize::try_from(start.offset()).unwrap_or(usize::MAX);
            note(Span { tag: self.tag, name, form, offset, bytes });
        }
    }

    /// Damage at the next byte.
    pub(super) fn damaged(&self, message: impl Into<String>) -> Error {
        self.cursor.damaged(message)
    }

    /// The offset of the next byte.
    pub(super) fn offset(&self) -> u64 {
        self.cursor.offset()
    }

    /// Reads one part of the field and notes where it is.
    fn part<T>(
        &mut self,
        name: &'static str,
        form: Form,
        read: fn(&mut Cursor<'a>) -> Result<T>,
    ) -> Result<T> {
        let (start, tag) = (self.cursor, self.tag);
        let value = read(&mut self.cursor).map_err(|error| within(&error, tag, name))?;
        self.note(name, form, start);
        Ok(value)
    }

    pub(super) fn number(&mut self, name: &'static str) -> Result<u64> {
        self.part(name, Form::Number, Cursor::varint)
    }

    pub(super) fn number32(&mut self, name: &'static str) -> Result<u32> {
        self.part(name, Form::Number, Cursor::varint32)
    }

    /// A level. Pebble and LevelDB are built with seven and refuse an edit about another one; how many RocksDB has is an
    /// option, so there the state decides.
    pub(super) fn level(&mut self, engine: Engine) -> Result<u32> {
        let at = self.offset();
        let level = self.number32("level")?;
        if engine != Engine::RocksDb && level >= FIXED_LEVELS {
            let message = format!(
                "level of tag {}: {level}, but there are {FIXED_LEVELS} levels from 0 on",
                self.tag
            );
            return Err(Error::damaged(at, message));
        }
        Ok(level)
    }

    pub(super) fn byte(&mut self, name: &'static str) -> Result<u8> {
        self.part(name, Form::Byte, Cursor::u8)
    }

    /// A string after its length.
    pub(super) fn string(&mut self, name: &'static str) -> Result<&'a [u8]> {
        self.part(name, Form::Text, Cursor::prefixed)
    }

    /// An internal key after its length.
    pub(super) fn key(&mut self, name: &'static str) -> Result<InternalKey> {
        let start = self.cursor;
        let bytes = self.part(name, Form::Key, Cursor::prefixed)?;
        InternalKey::decode(bytes).map_err(|error| start.damaged(error.message()))
    }

    /// A number after the length of its bytes.
    pub(super) fn wrapped_number(&mut self, name: &'static str) -> Result<u64> {
        let start = self.cursor;
        let bytes = self.string(name)?;
        varint_in(bytes).ok_or_else(|| start.damaged(format!("{name} is not a number")))
    }

    /// The tag of a field inside of the field.
    pub(super) fn custom_tag(&mut self) -> Result<u32> {
        self.number32("custom tag")
    }
}

/// The number that `bytes` begin with.
pub(super) fn varint_in(bytes: &[u8]) -> Option<u64> {
    Cursor::new(bytes, 0).varint().ok()
}

/// `error`, which names the damaged bytes, with the field that they belong to.
fn within(error: &Error, tag: u32, name: &str) -> Error {
    let message = format!("{name} of tag {tag}: {}", error.message());
    Error::damaged(error.offset().unwrap_or(0), message)
}
