//! Puts the functions of a module in an order that compresses well: those that are called most have the shortest numbers,
//! and functions with the same end are neighbours.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::convert::Infallible;
use std::error::Error;

use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{
    CodeSectionReader, FunctionBody, FunctionSectionReader, Operator, Parser, Payload, TypeRef,
};

/// Numbers below this one take one byte.
const SHORT: usize = 128;

pub(crate) fn ordered(bytes: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut order = Order::of(bytes)?;
    let mut module = Module::new();
    order.parse_core_module(&mut module, Parser::new(0), bytes)?;
    Ok(module.finish())
}

struct Order {
    /// How many functions are imported; they stay where they are.
    imported: u32,
    /// The functions by their new places, without imported ones.
    sequence: Vec<u32>,
    /// The new places.
    places: HashMap<u32, u32>,
}

impl Order {
    fn of(bytes: &[u8]) -> Result<Self, Box<dyn Error>> {
        let mut imported = 0;
        let mut bodies: Vec<FunctionBody<'_>> = Vec::new();
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::ImportSection(reader) => {
                    for import in reader.into_imports() {
                        imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionEntry(body) => bodies.push(body),
                _ => {}
            }
        }
        let mut calls: HashMap<u32, usize> = HashMap::new();
        for body in &bodies {
            for operator in body.get_operators_reader()? {
                if let Operator::Call { function_index } = operator? {
                    *calls.entry(function_index).or_default() += 1;
                }
            }
        }
        let called = |index: u32| calls.get(&(index + imported)).copied().unwrap_or_default();
        let mut sequence: Vec<u32> = (0..).take(bodies.len()).collect();
        sequence.sort_by_key(|&index| Reverse(called(index)));
        let short = SHORT.saturating_sub(imported as usize).min(sequence.len());
        let others = sequence.get_mut(short..).unwrap_or_default();
        others.sort_by_cached_key(|&index| {
            let mut body =
                bodies.get(index as usize).map_or(Vec::new(), |body| body.as_bytes().to_vec());
            body.reverse();
            body
        });
        let places = (0..).zip(&sequence).map(|(place, &index)| (index, place)).collect();
        Ok(Self { imported, sequence, places })
    }
}

impl Reencode for Order {
    type Error = Infallible;

    fn function_index(&mut self, index: u32) -> Result<u32, reencode::Error<Infallible>> {
        let own = index.checked_sub(self.imported).and_then(|own| self.places.get(&own));
        Ok(own.map_or(index, |place| place + self.imported))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), reencode::Error<Infallible>> {
        let types = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for &index in &self.sequence.clone() {
            let Some(&ty) = types.get(index as usize) else { continue };
            functions.function(self.type_index(ty)?);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), reencode::Error<Infallible>> {
        let bodies = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for &index in &self.sequence.clone() {
            let Some(body) = bodies.get(index as usize) else { continue };
            self.parse_function_body(code, body.clone())?;
        }
        Ok(())
    }
}
