//! How many threads a command may use, as it is written.

use std::num::NonZeroUsize;

/// No machine that runs this has more cores, and each thread takes memory.
const MAX_THREADS: usize = 256;

/// Reads a number of threads.
pub(crate) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let refused = || format!("expected 1 to {MAX_THREADS} threads");
    let n_threads = text.parse().ok().filter(|&n_threads| n_threads <= MAX_THREADS);
    n_threads.and_then(NonZeroUsize::new).ok_or_else(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_and_too_many_are_refused_in_words() {
        let said = |text| threads(text).map_err(|reason| reason.split(';').next().unwrap_or("").to_owned());
        assert_eq!(said("1").map(NonZeroUsize::get), Ok(1));
        assert_eq!(said("256").map(NonZeroUsize::get), Ok(256));
        for text in ["0", "257", "999999999", "99999999999999999999999", "-1", "many", ""] {
            assert_eq!(said(text), Err("expected 1 to 256 threads".to_owned()), "{text}");
        }
    }
}
