//! Writes the two parts of a module. They share memory, stack and table of functions. In the first part, a function of
//! the rest is a stub: it fetches the rest if it is not there yet, and then calls through the table, where the rest has put
//! the function itself.

use std::collections::HashMap;
use std::error::Error;
use std::ops::Range;

use walrus::ir::Value;
use walrus::{
    ConstExpr, DataKind, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId,
    FunctionKind, GlobalKind, ImportKind, ImportedFunction, Module, ModuleConfig, ValType,
};

use crate::plan::{Number, Plan, constant, table};

/// Where the function is imported from that fetches the rest, and under which name.
pub(crate) const LOADER: (&str, &str) = ("./part.js", "fetchNow");
/// Keeps the import in the module until it is divided.
const LOADER_KEPT: &str = "__fetch_rest";
/// The exported global that is not zero when the rest is there.
const IS_THERE: &str = "restIsThere";
/// Gaps in data up to this length are filled instead of beginning a new segment [bytes].
const GAP_MAX: usize = 48;

/// Adds the import that the stubs of the first part call.
pub(crate) fn add_loader(module: &mut Module) {
    let ty = module.types.add(&[], &[]);
    let (load, _) = module.add_import_func(LOADER.0, LOADER.1, ty);
    module.exports.add(LOADER_KEPT, load);
}

/// A module as it was generated.
pub(crate) fn read(bytes: &[u8]) -> Result<Module, Box<dyn Error>> {
    let mut config = ModuleConfig::new();
    config.generate_name_section(false).generate_producers_section(false);
    let mut module = config.parse(bytes)?;
    // What the linker has noted is of no use to a browser.
    let customs: Vec<_> = module.customs.iter().map(|(id, _)| id).collect();
    for id in customs {
        module.customs.delete(id);
    }
    Ok(module)
}

fn ids(module: &Module) -> Vec<FunctionId> {
    module.funcs.iter().map(walrus::Function::id).collect()
}

fn id(ids: &[FunctionId], number: Number) -> Result<FunctionId, Box<dyn Error>> {
    Ok(*ids.get(number).ok_or("no function has this number")?)
}

/// What the rest imports, under short names.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    names: HashMap<String, Item>,
}

/// One thing of the first part, by its number among those of its kind.
#[derive(Debug, Clone, Copy)]
enum Item {
    Function(usize),
    Table(usize),
    Memory(usize),
    Global(usize),
}

impl Shared {
    fn name(&mut self, item: Item) -> String {
        let name = short(self.names.len());
        self.names.insert(name.clone(), item);
        name
    }
}

/// Names of digits and letters; generated code has none that begin with a digit.
fn short(mut number: usize) -> String {
    let mut name = vec![u8::try_from(number % 10).unwrap_or_default() + b'0'];
    number /= 10;
    while number > 0 {
        let digit = u8::try_from(number % 26).unwrap_or_default();
        name.push(digit + b'a');
        number /= 26;
    }
    name.iter().map(|&byte| char::from(byte)).collect()
}

/// The rest of a module, and what it wants of the first part. `constant`: where data is never written.
pub(crate) fn rest(
    whole: &[u8],
    plan: &Plan,
    constant: &[Range<u32>],
) -> Result<(Module, Shared), Box<dyn Error>> {
    let mut module = read(whole)?;
    let ids = ids(&module);
    module.start = None;
    let exports: Vec<_> = module.exports.iter().map(walrus::Export::id).collect();
    for id in exports {
        module.exports.delete(id);
    }
    // All shared things become imports, under names that say which they are; those that are used get short ones.
    let mut wanted = HashMap::new();
    for (number, &id) in ids.iter().enumerate().filter(|(number, _)| plan.stays(*number)) {
        let name = format!("f{number}");
        let ty = module.funcs.get(id).ty();
        if let FunctionKind::Import(imported) = &module.funcs.get(id).kind {
            let import = module.imports.get_mut(imported.import);
            (import.module, import.name) = (String::new(), name.clone());
        } else {
            let import = module.imports.add("", &name, ImportKind::Function(id));
            module.funcs.get_mut(id).kind = FunctionKind::Import(ImportedFunction { import, ty });
        }
        wanted.insert(name, Item::Function(number));
    }
    share_state(&mut module, &mut wanted);
    set_table(&mut module, plan.slots, runs(&plan.rest_slots, &ids)?)?;
    let is_rest = |at| overlaps(&plan.rest_data, at);
    keep_data(&mut module, is_rest, |gap| is_within(constant, gap).then_some(Filler::Content))?;
    walrus::passes::gc::run(&mut module);
    let mut shared = Shared::default();
    for import in module.imports.iter_mut() {
        let item = wanted.get(&import.name).ok_or("the rest imports something unknown")?;
        import.name = shared.name(*item);
    }
    Ok((module, shared))
}

/// Makes tables, memories and variables imports.
fn share_state(module: &mut Module, wanted: &mut HashMap<String, Item>) {
    let tables: Vec<_> = module.tables.iter().map(walrus::Table::id).collect();
    for (number, id) in tables.into_iter().enumerate() {
        let name = format!("t{number}");
        let import = module.imports.add("", &name, ImportKind::Table(id));
        module.tables.get_mut(id).import = Some(import);
        wanted.insert(name, Item::Table(number));
    }
    let memories: Vec<_> = module.memories.iter().map(walrus::Memory::id).collect();
    for (number, id) in memories.into_iter().enumerate() {
        let name = format!("m{number}");
        let import = module.imports.add("", &name, ImportKind::Memory(id));
        module.memories.get_mut(id).import = Some(import);
        wanted.insert(name, Item::Memory(number));
    }
    let globals: Vec<_> = module.globals.iter().map(walrus::Global::id).collect();
    for (number, id) in globals.into_iter().enumerate() {
        let name = format!("g{number}");
        let import = module.imports.add("", &name, ImportKind::Global(id));
        module.globals.get_mut(id).kind = GlobalKind::Import(import);
        wanted.insert(name, Item::Global(number));
    }
}

/// The first part of a module, with what the rest wants of it.
pub(crate) fn first(whole: &[u8], plan: &Plan, shared: &Shared) -> Result<Module, Box<dyn Error>> {
    let mut module = read(whole)?;
    let ids = ids(&module);
    let load = module.exports.get_func(LOADER_KEPT)?;
    module.exports.remove(LOADER_KEPT)?;
    let zero = ConstExpr::Value(Value::I32(0));
    let is_there = module.globals.add_local(ValType::I32, true, false, zero);
    module.exports.add(IS_THERE, is_there);
    // fn ensure() { if !is_there { load() } }
    let mut ensure = FunctionBuilder::new(&mut module.types, &[], &[]);
    ensure.func_body().global_get(is_there).if_else(
        None,
        |_| {},
        |absent| {
            absent.call(load);
        },
    );
    let ensure = ensure.finish(vec![], &mut module.funcs);
    let table = table(&module)?;
    for (&number, &slot) in &plan.stubs {
        let id = id(&ids, number)?;
        let ty = module.funcs.get(id).ty();
        let (params, results) = {
            let ty = module.types.get(ty);
            (ty.params().to_vec(), ty.results().to_vec())
        };
        let arguments: Vec<_> = params.iter().map(|&ty| module.locals.add(ty)).collect();
        let mut stub = FunctionBuilder::new(&mut module.types, &params, &results);
        let mut body = stub.func_body();
        body.call(ensure);
        for &argument in &arguments {
            body.local_get(argument);
        }
        body.i32_const(slot.cast_signed()).call_indirect(ty, table);
        module.funcs.get_mut(id).kind = FunctionKind::Local(stub.local_func(arguments));
    }
    for (name, item) in &shared.names {
        let item = found(&module, &ids, *item)?;
        module.exports.add(name, item);
    }
    set_table(&mut module, plan.slots, runs(&plan.first_slots, &ids)?)?;
    // The rest brings what is left out here.
    keep_data(&mut module, |at| !overlaps(&plan.rest_data, at), |_| Some(Filler::Zeros))?;
    walrus::passes::gc::run(&mut module);
    Ok(module)
}

fn found(module: &Module, ids: &[FunctionId], item: Item) -> Result<ExportItem, Box<dyn Error>> {
    let found = match item {
        Item::Function(number) => ids.get(number).copied().map(ExportItem::Function),
        Item::Table(number) => {
            module.tables.iter().nth(number).map(|table| ExportItem::Table(table.id()))
        }
        Item::Memory(number) => {
            module.memories.iter().nth(number).map(|memory| ExportItem::Memory(memory.id()))
        }
        Item::Global(number) => {
            module.globals.iter().nth(number).map(|global| ExportItem::Global(global.id()))
        }
    };
    found.ok_or_else(|| "the rest wants something that is not there".into())
}

type Run = (u32, Vec<FunctionId>);

/// Neighbours in the table together.
fn runs(slots: &[(u32, Number)], ids: &[FunctionId]) -> Result<Vec<Run>, Box<dyn Error>> {
    let mut runs: Vec<Run> = Vec::new();
    let mut next = None;
    for &(slot, number) in slots {
        let id = id(ids, number)?;
        match runs.last_mut().filter(|_| next == Some(slot)) {
            Some((_, functions)) => functions.push(id),
            None => runs.push((slot, vec![id])),
        }
        next = Some(slot + 1);
    }
    Ok(runs)
}

/// Makes the table of functions `slots` long and fills it with `runs` alone.
fn set_table(module: &mut Module, slots: u32, runs: Vec<Run>) -> Result<(), Box<dyn Error>> {
    let table = table(module)?;
    let functions = module.tables.get_mut(table);
    functions.initial = functions.initial.max(u64::from(slots));
    functions.maximum = functions.maximum.map(|maximum| maximum.max(functions.initial));
    let old: Vec<_> = functions.elem_segments.drain().collect();
    for id in old {
        module.elements.delete(id);
    }
    for (slot, functions) in runs {
        let offset = ConstExpr::Value(Value::I32(slot.cast_signed()));
        let kind = ElementKind::Active { table, offset };
        let id = module.elements.add(kind, ElementItems::Functions(functions));
        module.tables.get_mut(table).elem_segments.insert(id);
    }
    Ok(())
}

fn is_within(ranges: &[Range<u32>], wanted: &Range<u32>) -> bool {
    ranges.iter().any(|range| range.start <= wanted.start && wanted.end <= range.end)
}

/// Whether an address is in one of `ranges`, which are in order.
fn overlaps(ranges: &[Range<u32>], address: u32) -> bool {
    let index = ranges.partition_point(|range| range.end <= address);
    ranges.get(index).is_some_and(|range| range.start <= address)
}

/// What a gap between two pieces of data is filled with.
enum Filler {
    Content,
    Zeros,
}

/// Leaves of the data only the bytes whose address is `kept`, as segments. A short gap is filled where `filler` allows it.
fn keep_data(
    module: &mut Module,
    kept: impl Fn(u32) -> bool,
    filler: impl Fn(&Range<u32>) -> Option<Filler>,
) -> Result<(), Box<dyn Error>> {
    let mut pieces = Vec::new();
    let old: Vec<_> = module.data.iter().map(walrus::Data::id).collect();
    for id in old {
        let data = module.data.get(id);
        let DataKind::Active { memory, offset } = &data.kind else { continue };
        let (memory, start) = (*memory, constant(offset)?);
        let mut last: Option<(u32, Vec<u8>)> = None;
        for (address, &byte) in (start..).zip(&data.value).filter(|(address, _)| kept(*address)) {
            if let Some((from, bytes)) = &mut last {
                let gap = *from + u32::try_from(bytes.len())?..address;
                let skipped = (gap.start - start) as usize..(gap.end - start) as usize;
                let filled = match filler(&gap).filter(|_| gap.len() <= GAP_MAX) {
                    _ if gap.is_empty() => Some(Vec::new()),
                    Some(Filler::Content) => data.value.get(skipped).map(<[u8]>::to_vec),
                    Some(Filler::Zeros) => Some(vec![0; gap.len()]),
                    None => None,
                };
                if let Some(filled) = filled {
                    bytes.extend(filled);
                    bytes.push(byte);
                    continue;
                }
            }
            pieces.extend(last.replace((address, vec![byte])).map(|piece| (memory, piece)));
        }
        pieces.extend(last.map(|piece| (memory, piece)));
        module.memories.get_mut(memory).data_segments.remove(&id);
        module.data.delete(id);
    }
    for (memory, (address, bytes)) in pieces {
        let offset = ConstExpr::Value(Value::I32(address.cast_signed()));
        let id = module.data.add(DataKind::Active { memory, offset }, bytes);
        module.memories.get_mut(memory).data_segments.insert(id);
    }
    Ok(())
}
