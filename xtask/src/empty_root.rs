//! Starting a program in a root folder that contains nothing else, which shows that it needs no other file.

use std::path::Path;
use std::process::Command;

/// The words before a folder that start a program with this folder as its root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootChanger(&'static [&'static str]);

impl RootChanger {
    /// Returns a way to start programs in this root that works on this machine: `chroot` for the superuser, else `unshare`, which
    /// makes the user the superuser of a namespace. Both exit with 127 if the program does not exist: everything before has worked.
    pub(crate) fn find(folder: &Path) -> Option<RootChanger> {
        let works = |way: &RootChanger| {
            let output = way.command(folder, &["/missing"]).output();
            output.is_ok_and(|output| output.status.code() == Some(127))
        };
        [&["chroot"][..], &["unshare", "--map-root-user", "--root"]].map(RootChanger).into_iter().find(works)
    }

    /// Returns a command that starts a program of `folder`; the words are its path there and its arguments.
    pub(crate) fn command(self, folder: &Path, words: &[impl AsRef<str>]) -> Command {
        let mut command = Command::new(self.0[0]);
        command.args(&self.0[1..]).arg(folder).args(words.iter().map(AsRef::as_ref));
        command
    }
}
