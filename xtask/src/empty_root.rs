//! Starting a program in a root folder that contains nothing else, which shows that it needs no other file.

use std::path::Path;
use std::process::Command;

/// A program that changes the root folder of another one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RootChanger {
    /// `chroot`, for the superuser.
    Chroot,
    /// `unshare`, which makes the user the superuser of a namespace.
    Unshare,
}

impl RootChanger {
    /// Returns a way to start programs in this root that works on this machine. A program that starts another one exits with
    /// 127 if it does not exist: everything before that has worked.
    pub(crate) fn find(folder: &Path) -> Option<RootChanger> {
        let works = |way: &RootChanger| {
            let output = way.command(folder, &["/missing"]).output();
            output.is_ok_and(|output| output.status.code() == Some(127))
        };
        [RootChanger::Chroot, RootChanger::Unshare].into_iter().find(works)
    }

    /// Returns a command that starts a program of `folder`; the words are its path there and its arguments.
    pub(crate) fn command(self, folder: &Path, words: &[impl AsRef<str>]) -> Command {
        let mut command = match self {
            RootChanger::Chroot => Command::new("chroot"),
            RootChanger::Unshare => Command::new("unshare"),
        };
        match self {
            RootChanger::Chroot => command.arg(folder),
            RootChanger::Unshare => command.args(["--map-root-user", "--root"]).arg(folder),
        };
        command.args(words.iter().map(AsRef::as_ref));
        command
    }
}
