//! Ctrl-C and its kin as a flag.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use signal_hook::flag;

/// Lets the first of these signals set the flag, so that work can end in order, and a second one end the process.
pub(crate) fn set_on(signals: &[i32], interrupted: &Arc<AtomicBool>) -> anyhow::Result<()> {
    for &signal in signals {
        // The order matters: the first signal finds the flag unset and only sets it.
        flag::register_conditional_shutdown(signal, 2, Arc::clone(interrupted))
            .and_then(|_| flag::register(signal, Arc::clone(interrupted)))
            .context("cannot listen for signals")?;
    }
    Ok(())
}
