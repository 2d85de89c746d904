//! What depends on the operating system: the standard streams as files.

use std::fs::File;
use std::io;

#[cfg(unix)]
pub(crate) use std::os::fd::AsFd as StandardStream;
#[cfg(windows)]
pub(crate) use std::os::windows::io::AsHandle as StandardStream;

/// Returns a standard stream as a file.
///
/// The types in `std::io` hide a stream that is open in the wrong direction. Reading reports the end of the input, and writing
/// reports success.
pub(crate) fn as_file(stream: &impl StandardStream) -> io::Result<File> {
    #[cfg(unix)]
    let stream = stream.as_fd();
    #[cfg(windows)]
    let stream = stream.as_handle();
    Ok(File::from(stream.try_clone_to_owned()?))
}
