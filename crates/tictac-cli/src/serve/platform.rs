//! How the server is asked to stop, which depends on the operating system.

use std::io;

/// Installs handlers for SIGTERM and Ctrl-C; the future is ready when one of them arrives.
#[cfg(unix)]
pub(super) fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};

    let (mut terminated, mut interrupted) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminated.recv() => {}
            _ = interrupted.recv() => {}
        }
    })
}

/// Installs handlers; the future is ready when the user presses Ctrl-C, closes the window or shuts the system down.
#[cfg(not(unix))]
pub(super) fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::windows::{ctrl_c, ctrl_close, ctrl_shutdown};

    let (mut interrupted, mut closed, mut shut_down) = (ctrl_c()?, ctrl_close()?, ctrl_shutdown()?);
    Ok(async move {
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = closed.recv() => {}
            _ = shut_down.recv() => {}
        }
    })
}
