//! Properties that hold for every input. The fuzz target and the test in `seeds` share them.

use tictac_proof::Certificate;

/// Checks that a parsed certificate is printed as an equivalent one, and that verifying it ends.
pub(crate) fn all(bytes: &[u8]) {
    let Ok(certificate) = Certificate::read(bytes) else { return };
    let again = Certificate::read(certificate.to_string().as_bytes()).expect("a printed certificate parses");
    assert_eq!(again.to_string(), certificate.to_string());
    assert_eq!(again.verify().is_ok(), certificate.verify().is_ok());
}
