//! The command language of Levelscope.
