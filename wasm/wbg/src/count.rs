//! A module that notes which of its functions have run, for the profile by which it is divided.

use walrus::ir::Value;
use walrus::{ConstExpr, Module, ValType};

use crate::linked::label;

/// Gives each function of `module` a variable that is 1 once it has run, exported as `ran` and its number. Returns the
/// names of the functions, by number.
pub(crate) fn count(module: &mut Module) -> Vec<String> {
    let functions: Vec<_> = module.funcs.iter_local().map(|(id, _)| id).collect();
    let mut names = Vec::new();
    for (number, id) in functions.into_iter().enumerate() {
        let function = module.funcs.get_mut(id);
        names.push(label(function.name.as_deref().unwrap_or_default()));
        let zero = ConstExpr::Value(Value::I32(0));
        let ran = module.globals.add_local(ValType::I32, true, false, zero);
        module.exports.add(&format!("ran{number}"), ran);
        let mut body = function.kind.unwrap_local_mut().builder_mut().func_body();
        body.const_at(0, Value::I32(1)).global_set_at(1, ran);
    }
    names
}
