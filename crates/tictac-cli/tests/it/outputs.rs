//! Files that commands write: opened before the work, and named when they cannot be written.

use std::fs;
use std::path::Path;

use crate::{folder, tictac};

/// A file in a folder that does not exist.
const NOWHERE: &str = "no-such-folder/out.svg";

#[test]
fn an_output_that_cannot_be_opened_is_reported_before_any_work() {
    let folder = folder("an_output_that_cannot_be_opened");
    // Each of these inputs would take minutes, be refused, or wait for standard input.
    for arguments in [
        &["solve", "--rules", "6,6,4", "--certificate", NOWHERE][..],
        &["stats", "--svg", NOWHERE],
        &["show", "--svg", NOWHERE],
        &["grade", "game-check", "--out", NOWHERE, "./none"],
        &["grade", "all", "--out", NOWHERE, "."],
        &["grade", "class", "--csv", NOWHERE, "."],
        &["grade", "class", "--html", NOWHERE, "."],
        &["grade", "pack", "--out", NOWHERE],
    ] {
        let mut command = tictac(arguments);
        command.command.current_dir(&folder);
        assert_eq!(
            command.fail(2),
            "tictac: cannot write no-such-folder/out.svg: there is no folder no-such-folder\n",
            "{arguments:?}"
        );
    }
    fs::write(folder.join("file"), "text").unwrap();
    for arguments in [
        &["convert", "--to", "svg", "--out", "file/pictures"][..],
        &["stats", "--svg", "file/plots"],
        &["grade", "class", "--pages", "file/pages", "."],
        &["grade", "init", "--from", "./none", "--out", "file/draft"],
    ] {
        let mut command = tictac(arguments);
        command.command.current_dir(&folder);
        let complaint = command.fail(2);
        assert!(
            complaint.starts_with(&format!("tictac: cannot create {}: ", arguments.last().unwrap()))
                || complaint.starts_with("tictac: cannot create file/pages: "),
            "{complaint}"
        );
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn a_command_that_fails_leaves_its_output_as_it_was() {
    let folder = folder("a_command_that_fails_leaves_its_output");
    let (old, new) = (folder.join("old.svg"), folder.join("new.svg"));
    fs::write(&old, "old").unwrap();
    for path in [&old, &new] {
        tictac(["show", "--svg", path.to_str().unwrap(), "none.ttt"]).fail(2);
        tictac(["grade", "game-check", "--out", path.to_str().unwrap(), "./none"]).fail(2);
        let limited = ["solve", "--weak", "--rules", "8,8,5", "--limit", "1ms", "--certificate"];
        tictac(limited.iter().copied().chain(path.to_str())).run();
    }
    assert_eq!(fs::read_to_string(&old).unwrap(), "old");
    assert!(!new.exists());
}

#[test]
fn plots_go_to_an_svg_file_or_to_a_folder_and_to_nothing_else() {
    let folder = folder("plots_go_to_an_svg_file");
    for name in ["plots.png", "-", "plots.svg.gz"] {
        let mut command = tictac(["stats", "--svg", name]).stdin("1 X B2\n");
        command.command.current_dir(&folder);
        let expected = format!("tictac: --svg needs a file that ends in .svg or a folder, not {name}\n");
        assert_eq!(command.fail(2), expected);
        assert!(!Path::new(&folder).join(name).exists());
    }
}
