//! The bytes of files as a tree: every byte has a name, damage is a part, and opening costs what is opened.

mod branch;
mod lazy;
mod tiles;
mod tree;
mod words;
