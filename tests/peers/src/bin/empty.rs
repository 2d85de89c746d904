//! A program that does nothing: the least that any start takes.

fn main() {}
