//! What several fuzz targets share: a server without a socket and without a disk.

pub mod fuzz_server;
mod memory_store;
