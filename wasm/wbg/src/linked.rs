//! A module as the linker leaves it with `--emit-relocs`: which data each function and each piece of data points to, and
//! of which functions it takes the address. Calls are not in here; they can be read from the code itself.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::ops::Range;

use wasmparser::{
    Data, DataKind, KnownCustom, Linking, Operator, Parser, Payload, RelocationEntry,
    RelocationType, SymbolInfo, TypeRef,
};

/// A piece of data, as an index into [`Linked::data`].
pub(crate) type Piece = usize;

/// What a function or a piece of data points to.
#[derive(Debug, Default, Clone)]
pub(crate) struct Needs {
    pub(crate) data: HashSet<Piece>,
    /// Names of the functions of which it takes the address.
    pub(crate) taken: HashSet<String>,
}

/// Symbols of data that overlap are one piece.
#[derive(Debug)]
pub(crate) struct DataPiece {
    /// In memory.
    pub(crate) range: Range<u32>,
    pub(crate) needs: Needs,
}

#[derive(Debug, Default)]
pub(crate) struct Linked {
    /// By symbol name; functions of one name are one.
    pub(crate) functions: HashMap<String, Needs>,
    /// Sorted by address, without overlaps.
    pub(crate) data: Vec<DataPiece>,
    /// Where data may be read only, in memory.
    pub(crate) constant: Vec<Range<u32>>,
}

impl Linked {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Box<dyn Error>> {
        let raw = Raw::read(bytes)?;
        let ranges = raw.data_ranges();
        let mut linked = Self {
            functions: raw
                .names
                .values()
                .map(|&name| (name.to_owned(), Needs::default()))
                .collect(),
            data: merged(ranges.values().cloned().collect()),
            constant: raw.constant()?,
        };
        let pieces: HashMap<u32, Piece> = ranges
            .iter()
            .filter_map(|(&symbol, range)| Some((symbol, linked.piece_at(range.start)?)))
            .collect();
        for entry in &raw.code_relocations {
            let place = raw.code_start + entry.offset as usize;
            let index = raw.bodies.partition_point(|body| body.end <= place);
            let body = raw.bodies.get(index).filter(|body| body.start <= place);
            body.ok_or("a relocation of the code is in no function")?;
            let Some(name) = raw.names.get(&(raw.imported + u32::try_from(index)?)) else {
                continue;
            };
            let needs = linked.functions.entry((*name).to_owned()).or_default();
            raw.note(entry, &pieces, needs)?;
        }
        for entry in &raw.data_relocations {
            let address = raw.address_of(raw.data_start + entry.offset as usize)?;
            let piece =
                linked.piece_at(address).ok_or("a relocation of the data is in no symbol")?;
            let piece = linked.data.get_mut(piece).ok_or("no such piece")?;
            raw.note(entry, &pieces, &mut piece.needs)?;
        }
        Ok(linked)
    }

    fn piece_at(&self, address: u32) -> Option<Piece> {
        let index = self.data.partition_point(|piece| piece.range.end <= address);
        self.data.get(index).filter(|piece| piece.range.start <= address).map(|_| index)
    }
}

/// `ranges` in order, those that overlap made one.
fn merged(mut ranges: Vec<Range<u32>>) -> Vec<DataPiece> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut pieces: Vec<DataPiece> = Vec::new();
    for range in ranges {
        match pieces.last_mut() {
            Some(last) if range.start < last.range.end => {
                last.range.end = last.range.end.max(range.end);
            }
            _ => pieces.push(DataPiece { range, needs: Needs::default() }),
        }
    }
    pieces
}

/// A segment of data: where it is in the file and in memory.
#[derive(Debug)]
struct Segment {
    file: Range<usize>,
    address: u32,
}

/// The sections that matter, as they are.
#[derive(Debug, Default)]
struct Raw<'a> {
    /// How many functions are imported.
    imported: u32,
    names: HashMap<u32, &'a str>,
    /// Bodies of the functions in the file, in order.
    bodies: Vec<Range<usize>>,
    segments: Vec<Segment>,
    segment_names: Vec<&'a str>,
    code_start: usize,
    data_start: usize,
    symbols: Vec<SymbolInfo<'a>>,
    code_relocations: Vec<RelocationEntry>,
    data_relocations: Vec<RelocationEntry>,
}

impl<'a> Raw<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, Box<dyn Error>> {
        let mut raw = Self::default();
        let mut sections = Vec::new();
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload?;
            if let Some((id, range)) = payload.as_section() {
                sections.push((id, range.start));
            }
            match payload {
                Payload::ImportSection(reader) => {
                    for import in reader.into_imports() {
                        raw.imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionEntry(body) => raw.bodies.push(body.range()),
                Payload::DataSection(reader) => {
                    raw.segments = reader
                        .into_iter()
                        .map(|data| segment(&data?))
                        .collect::<Result<_, Box<dyn Error>>>()?;
                }
                Payload::CustomSection(reader) => raw.custom(&reader, &sections)?,
                _ => {}
            }
        }
        if raw.symbols.is_empty() || raw.code_relocations.is_empty() {
            return Err("it was not linked with --emit-relocs".into());
        }
        Ok(raw)
    }

    fn custom(
        &mut self,
        reader: &wasmparser::CustomSectionReader<'a>,
        sections: &[(u8, usize)],
    ) -> Result<(), Box<dyn Error>> {
        match reader.as_known() {
            KnownCustom::Linking(linking) => {
                for part in linking.subsections() {
                    match part? {
                        Linking::SymbolTable(symbols) => {
                            self.symbols = symbols.into_iter().collect::<Result<_, _>>()?;
                        }
                        Linking::SegmentInfo(segments) => {
                            for segment in segments {
                                self.segment_names.push(segment?.name);
                            }
                        }
                        _ => {}
                    }
                }
            }
            KnownCustom::Reloc(relocations) => {
                let target = sections.get(relocations.section_index() as usize);
                let &(id, start) = target.ok_or("relocations of no section")?;
                let entries = relocations.entries().into_iter().collect::<Result<Vec<_>, _>>()?;
                match id {
                    10 => (self.code_start, self.code_relocations) = (start, entries),
                    11 => (self.data_start, self.data_relocations) = (start, entries),
                    _ => {}
                }
            }
            KnownCustom::Name(names) => {
                for part in names {
                    let wasmparser::Name::Function(functions) = part? else { continue };
                    for naming in functions {
                        let naming = naming?;
                        self.names.insert(naming.index, naming.name);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The ranges in memory of all symbols with initial data, by symbol.
    fn data_ranges(&self) -> HashMap<u32, Range<u32>> {
        let mut ranges = HashMap::new();
        for (index, symbol) in (0..).zip(&self.symbols) {
            let SymbolInfo::Data { symbol: Some(at), .. } = symbol else { continue };
            // Segments that begin as zeros are not in the module.
            let Some(segment) = self.segments.get(at.index as usize) else { continue };
            let start = segment.address + at.offset;
            if at.size > 0 {
                ranges.insert(index, start..start + at.size);
            }
        }
        ranges
    }

    fn constant(&self) -> Result<Vec<Range<u32>>, Box<dyn Error>> {
        let mut constant = Vec::new();
        for (segment, name) in self.segments.iter().zip(&self.segment_names) {
            if name.starts_with(".rodata") {
                let length = u32::try_from(segment.file.len())?;
                constant.push(segment.address..segment.address + length);
            }
        }
        Ok(constant)
    }

    fn address_of(&self, place: usize) -> Result<u32, Box<dyn Error>> {
        let segment = self.segments.iter().find(|segment| segment.file.contains(&place));
        let segment = segment.ok_or("a relocation of the data is in no segment")?;
        Ok(segment.address + u32::try_from(place - segment.file.start)?)
    }

    /// Adds to `needs` what `entry` points to.
    fn note(
        &self,
        entry: &RelocationEntry,
        pieces: &HashMap<u32, Piece>,
        needs: &mut Needs,
    ) -> Result<(), Box<dyn Error>> {
        match entry.ty {
            RelocationType::TableIndexSleb | RelocationType::TableIndexI32 => {
                let symbol = self.symbols.get(entry.index as usize);
                let Some(SymbolInfo::Func { index, .. }) = symbol else {
                    return Err("the address of a function that is none".into());
                };
                let name =
                    self.names.get(index).ok_or("the address of a function without a name")?;
                needs.taken.insert((*name).to_owned());
            }
            RelocationType::MemoryAddrLeb
            | RelocationType::MemoryAddrSleb
            | RelocationType::MemoryAddrI32 => {
                needs.data.extend(pieces.get(&entry.index));
            }
            RelocationType::FunctionIndexLeb
            | RelocationType::TypeIndexLeb
            | RelocationType::GlobalIndexLeb
            | RelocationType::TableNumberLeb => {}
            other => return Err(format!("relocations of type {other:?} are not known").into()),
        }
        Ok(())
    }
}

fn segment(data: &Data<'_>) -> Result<Segment, Box<dyn Error>> {
    let DataKind::Active { offset_expr, .. } = &data.kind else {
        return Err("a segment of data has no address".into());
    };
    let Operator::I32Const { value } = offset_expr.get_operators_reader().read()? else {
        return Err("the address of a segment of data is no number".into());
    };
    // The data is at the end of the segment.
    let end = data.range.end;
    Ok(Segment { file: end - data.data.len()..end, address: value.cast_unsigned() })
}

/// Longer names are cut, and told apart by a hash.
const LABEL_MAX: usize = 90;

/// What a profile calls a function: its name as people write it, without the hashes that differ between builds.
pub(crate) fn label(name: &str) -> String {
    let name = readable(name);
    match name.char_indices().nth(LABEL_MAX) {
        None => name,
        Some((end, _)) => {
            let start = name.get(..end).unwrap_or_default();
            format!("{start}… {:08x}", fnv(name.as_bytes()))
        }
    }
}

/// The name of a function as people write it.
pub(crate) fn readable(name: &str) -> String {
    let name = name.split(".llvm.").next().unwrap_or(name);
    format!("{:#}", rustc_demangle::demangle(name))
}

/// FNV-1a.
fn fnv(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
