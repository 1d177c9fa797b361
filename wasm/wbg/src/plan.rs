//! Who goes where: which functions and data the first part of a module has, and which of its functions only fetch the rest.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::ops::Range;

use walrus::ir::{Visitor, dfs_in_order};
use walrus::{
    ElementItems, ElementKind, ExportItem, FunctionId, FunctionKind, LocalFunction, Module, TableId,
};

use crate::linked::{Linked, Piece, label};

/// A function that is shorter costs less than what would fetch it [bytes].
const SHORT: u64 = 12;

/// A function that only the data of a visit decides about may be this long [instructions].
const HELPER: u64 = 50;

/// Functions are numbered in the order of the module; it is read once for each part, which gives the same numbers.
pub(crate) type Number = usize;

/// How a module is divided.
#[derive(Debug)]
pub(crate) struct Plan {
    /// Functions of the first part; imported ones are among them.
    pub(crate) stays: Vec<bool>,
    /// Functions of the rest that the first part refers to, with their places in the table of functions.
    pub(crate) stubs: HashMap<Number, u32>,
    /// The table of the first part.
    pub(crate) first_slots: Vec<(u32, Number)>,
    /// What the rest adds to it, over stubs.
    pub(crate) rest_slots: Vec<(u32, Number)>,
    /// How long the table is.
    pub(crate) slots: u32,
    /// Data that only the rest needs, in memory, in order.
    pub(crate) rest_data: Vec<Range<u32>>,
}

impl Plan {
    /// Divides `module`, which was made of `linked`. The first part keeps the functions for which `is_visited` answers
    /// with true, given their [`label`] name, and all that did not come from the linker.
    pub(crate) fn new(
        module: &Module,
        linked: &Linked,
        is_visited: impl Fn(&str) -> bool,
    ) -> Result<Self, Box<dyn Error>> {
        let numbers = numbers(module);
        let stays = module
            .funcs
            .iter()
            .map(|function| match &function.kind {
                FunctionKind::Local(local) => {
                    let known = function
                        .name
                        .as_deref()
                        .filter(|name| linked.functions.contains_key(*name));
                    known.is_none_or(|name| {
                        is_visited(&label(name)) || (local.size() < SHORT && is_alone(name, linked))
                    })
                }
                _ => true,
            })
            .collect();
        let mut plan = Self {
            stays,
            stubs: HashMap::new(),
            first_slots: Vec::new(),
            rest_slots: Vec::new(),
            slots: 0,
            rest_data: Vec::new(),
        };
        plan.keep_helpers(module, &numbers, linked);
        let taken = plan.divide_data(module, linked);
        plan.divide_table(module, &numbers, linked, &taken)?;
        Ok(plan)
    }

    /// Keeps short functions that the first part calls and that need nothing of the rest: which of them a visit runs
    /// depends on keys and values.
    fn keep_helpers(
        &mut self,
        module: &Module,
        numbers: &HashMap<FunctionId, Number>,
        linked: &Linked,
    ) {
        loop {
            let stays = |id: &FunctionId| numbers.get(id).is_some_and(|&number| self.stays(number));
            let called = called(module, |id| stays(&id));
            let helpers: Vec<Number> = called
                .iter()
                .filter(|id| !stays(id))
                .filter(|&&id| {
                    let function = module.funcs.get(id);
                    let FunctionKind::Local(local) = &function.kind else { return false };
                    local.size() < HELPER
                        && function.name.as_deref().is_some_and(|name| is_alone(name, linked))
                        && calls(local).iter().all(|callee| *callee == id || stays(callee))
                })
                .filter_map(|id| numbers.get(id).copied())
                .collect();
            if helpers.is_empty() {
                return;
            }
            for number in helpers {
                if let Some(stays) = self.stays.get_mut(number) {
                    *stays = true;
                }
            }
        }
    }

    pub(crate) fn stays(&self, number: Number) -> bool {
        self.stays.get(number).copied().unwrap_or_default()
    }

    /// Finds the data of the rest; returns the names of functions whose address the first part takes.
    fn divide_data<'a>(&mut self, module: &'a Module, linked: &'a Linked) -> HashSet<&'a str> {
        let mut taken: HashSet<&str> = HashSet::new();
        let mut waiting: Vec<Piece> = Vec::new();
        for (number, function) in
            module.funcs.iter().enumerate().filter(|(number, _)| self.stays(*number))
        {
            let needs = function.name.as_deref().and_then(|name| linked.functions.get(name));
            let Some(needs) = needs.filter(|_| self.stays(number)) else { continue };
            taken.extend(needs.taken.iter().map(String::as_str));
            waiting.extend(&needs.data);
        }
        let mut needed = HashSet::new();
        while let Some(piece) = waiting.pop() {
            if !needed.insert(piece) {
                continue;
            }
            let Some(piece) = linked.data.get(piece) else { continue };
            taken.extend(piece.needs.taken.iter().map(String::as_str));
            waiting.extend(&piece.needs.data);
        }
        let unneeded = linked.data.iter().enumerate().filter(|(piece, _)| !needed.contains(piece));
        self.rest_data = unneeded.map(|(_, piece)| piece.range.clone()).collect();
        taken
    }

    /// Finds the functions of the rest that the first part refers to, and what both have in the table.
    fn divide_table(
        &mut self,
        module: &Module,
        numbers: &HashMap<FunctionId, Number>,
        linked: &Linked,
        taken: &HashSet<&str>,
    ) -> Result<(), Box<dyn Error>> {
        let table = table(module)?;
        self.slots = u32::try_from(module.tables.get(table).initial)?;
        let mut places = HashMap::new();
        for (slot, id) in elements(module, table)? {
            let &number = numbers.get(&id).ok_or("the table has a function that is none")?;
            places.entry(number).or_insert(slot);
            if self.stays(number) {
                self.first_slots.push((slot, number));
                continue;
            }
            self.rest_slots.push((slot, number));
            let name = module
                .funcs
                .get(id)
                .name
                .as_deref()
                .filter(|name| linked.functions.contains_key(*name));
            if name.is_none_or(|name| taken.contains(name)) {
                self.first_slots.push((slot, number));
                self.stubs.insert(number, slot);
            }
        }
        let mut called: Vec<Number> =
            called(module, |id| numbers.get(&id).is_some_and(|&number| self.stays(number)))
                .iter()
                .filter_map(|id| numbers.get(id).copied())
                .filter(|&number| !self.stays(number))
                .collect();
        called.sort_unstable();
        for number in called {
            let slot = *places.entry(number).or_insert_with(|| {
                self.rest_slots.push((self.slots, number));
                self.slots += 1;
                self.slots - 1
            });
            self.stubs.insert(number, slot);
        }
        self.first_slots.sort_unstable();
        self.rest_slots.sort_unstable();
        Ok(())
    }
}

/// Whether a function points to no data and no other function.
fn is_alone(name: &str, linked: &Linked) -> bool {
    linked.functions.get(name).is_some_and(|needs| needs.data.is_empty() && needs.taken.is_empty())
}

fn numbers(module: &Module) -> HashMap<FunctionId, Number> {
    module.funcs.iter().enumerate().map(|(number, function)| (function.id(), number)).collect()
}

/// The table through which functions are called by address.
pub(crate) fn table(module: &Module) -> Result<TableId, Box<dyn Error>> {
    Ok(module.tables.main_function_table()?.ok_or("it has no table of functions")?)
}

/// The functions in the table, with their places.
fn elements(module: &Module, wanted: TableId) -> Result<Vec<(u32, FunctionId)>, Box<dyn Error>> {
    let mut found = Vec::new();
    for element in module.elements.iter() {
        let ElementKind::Active { table, offset } = &element.kind else { continue };
        if *table != wanted {
            continue;
        }
        let ElementItems::Functions(functions) = &element.items else {
            return Err("the table of functions is not filled with functions".into());
        };
        found.extend((constant(offset)?..).zip(functions.iter().copied()));
    }
    Ok(found)
}

/// An address or a place that is known before the module runs.
pub(crate) fn constant(offset: &walrus::ConstExpr) -> Result<u32, Box<dyn Error>> {
    match offset {
        walrus::ConstExpr::Value(walrus::ir::Value::I32(value)) => Ok(value.cast_unsigned()),
        _ => Err("a segment begins at no fixed place".into()),
    }
}

/// Functions that those which stay call, or that are exported.
fn called(module: &Module, stays: impl Fn(FunctionId) -> bool) -> HashSet<FunctionId> {
    let mut called: HashSet<FunctionId> = HashSet::new();
    for (id, function) in module.funcs.iter_local() {
        if stays(id) {
            called.extend(calls(function));
        }
    }
    for export in module.exports.iter() {
        if let ExportItem::Function(id) = export.item {
            called.insert(id);
        }
    }
    called.extend(module.start);
    called
}

/// The functions that one calls.
fn calls(function: &LocalFunction) -> HashSet<FunctionId> {
    struct Calls(HashSet<FunctionId>);
    impl Visitor<'_> for Calls {
        fn visit_function_id(&mut self, id: &FunctionId) {
            self.0.insert(*id);
        }
    }
    let mut calls = Calls(HashSet::new());
    dfs_in_order(&mut calls, function, function.entry_block());
    calls.0
}
