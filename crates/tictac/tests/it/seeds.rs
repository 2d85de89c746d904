//! The fuzz targets' properties on the seeds in `games/seeds`, on every prefix and on every one-byte mutation of them.

use std::fs;
use std::path::Path;

use crate::properties;

#[test]
fn no_prefix_and_no_mutation_of_a_seed_breaks_a_property() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/seeds");
    let mut n_seeds = 0;
    for seed in fs::read_dir(seeds).unwrap() {
        let bytes = fs::read(seed.unwrap().path()).unwrap();
        n_seeds += 1;
        for at in 0..bytes.len() {
            properties::all(&bytes[..at]);
            for byte in
                [0, b'\n', b' ', b'#', b'0', b'1', b'3', b'9', b'A', b'C', b'X', b'O', b'.', b'/', b'+', 0xFF]
            {
                let mut mutant = bytes.clone();
                mutant[at] = byte;
                properties::all(&mutant);
                mutant.insert(at, bytes[at]);
                properties::all(&mutant);
            }
        }
        properties::all(&bytes);
    }
    assert!(n_seeds >= 10, "expected at least 10 seeds, found {n_seeds}");
}
