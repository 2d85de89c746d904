//! Bytes as hexadecimal digits.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// Returns two digits for each byte.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string does not fail");
        text
    })
}

/// Returns the SHA-256 sum of the bytes, as `sha256sum` prints it.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}
