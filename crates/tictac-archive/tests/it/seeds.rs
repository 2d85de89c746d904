//! The properties of the fuzz targets, checked with the seeds in `games/seeds`, their prefixes and many mutations.

use std::fs;
use std::path::Path;

use crate::{properties, rewriting};

fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/seeds");
    let seeds: Vec<_> =
        fs::read_dir(folder).unwrap().map(|seed| fs::read(seed.unwrap().path()).unwrap()).collect();
    assert!(seeds.len() >= 13, "expected at least 13 seeds, found {}", seeds.len());
    seeds
}

#[test]
fn no_prefix_and_no_mutation_of_a_seed_breaks_a_property_of_reading() {
    for bytes in seeds() {
        for at in 0..bytes.len() {
            properties::all(&bytes[..at]);
            for byte in [0, b'\n', b' ', b'1', b'"', b'[', b'\\', 0xFF] {
                let mut mutant = bytes.clone();
                mutant[at] = byte;
                properties::all(&mutant);
            }
        }
        properties::all(&bytes);
    }
}

#[test]
fn no_prefix_and_no_mutation_of_a_seed_breaks_a_property_of_rewriting() {
    let mut rng = fastrand::Rng::with_seed(4);
    for bytes in seeds() {
        rewriting::all(&bytes);
        for at in 0..bytes.len().min(600) {
            rewriting::all(&bytes[..at]);
            let mut mutant = bytes.clone();
            mutant[at] = *rng.choice(b"\n\n \t\r#019A[]\"\\{}XO./+@\xFF".iter()).unwrap();
            rewriting::all(&mutant);
            mutant.insert(at, bytes[at]);
            rewriting::all(&mutant);
        }
    }
}
