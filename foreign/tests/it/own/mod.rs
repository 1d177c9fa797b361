//! Directories of Levelscope: those that the engine writes, read back without it.

mod damage;
mod made;
mod model;
mod ranges;
