//! What searches store, share between threads, and save.

pub(crate) mod busy_moves;
pub(crate) mod proof_table;
pub(crate) mod saved_entry;
pub(crate) mod search_tables;
