//! The arrows of ARCHITECTURE.md: who may depend on whom.

use serde_json::Value;

use super::Finding;

/// A member of the workspace, and what it may depend on.
struct Room {
    name: &'static str,
    members: &'static [&'static str],
    others: Others,
}

/// Dependencies from outside.
enum Others {
    Any,
    Only(&'static [&'static str]),
}

/// Rooms that are still to come are drawn already, as the page draws them.
const ROOMS: [Room; 9] = [
    Room { name: "tictac", members: &[], others: Others::Only(&[]) },
    Room { name: "tictac-programs", members: &["tictac"], others: Others::Only(&["fastrand", "lexopt"]) },
    Room { name: "tictac-archive", members: &["tictac"], others: Others::Any },
    Room { name: "tictac-grader", members: &["tictac", "tictac-programs"], others: Others::Any },
    Room { name: "tictac-tui", members: &["tictac"], others: Others::Any },
    Room { name: "tictac-server", members: &["tictac"], others: Others::Any },
    Room {
        name: "tictac-cli",
        members: &["tictac", "tictac-archive", "tictac-grader", "tictac-tui", "tictac-server"],
        others: Others::Any,
    },
    Room { name: "mutants", members: &["tictac-grader", "tictac-programs"], others: Others::Any },
    Room { name: "xtask", members: &[], others: Others::Any },
];

/// Checks what `cargo metadata` says of the workspace.
pub(super) fn check(metadata: &Value) -> Vec<Finding> {
    let packages = metadata["packages"].as_array().map_or([].as_slice(), Vec::as_slice);
    packages.iter().flat_map(check_package).collect()
}

fn check_package(package: &Value) -> Vec<Finding> {
    let name = package["name"].as_str().unwrap_or_default();
    let Some(room) = ROOMS.iter().find(|room| room.name == name) else {
        return vec![Finding::in_file(
            name,
            "a crate that ARCHITECTURE.md does not draw: add it there and to edges.rs",
        )];
    };
    let dependencies = package["dependencies"].as_array().map_or([].as_slice(), Vec::as_slice);
    dependencies
        .iter()
        .filter(|dependency| !room.allows(dependency))
        .map(|dependency| {
            let target = dependency["name"].as_str().unwrap_or_default();
            Finding::in_file(name, format!("may not depend on {target}: ARCHITECTURE.md has no such arrow"))
        })
        .collect()
}

impl Room {
    fn allows(&self, dependency: &Value) -> bool {
        let name = dependency["name"].as_str().unwrap_or_default();
        if ROOMS.iter().any(|room| room.name == name) {
            return self.members.contains(&name);
        }
        match self.others {
            Others::Any => true,
            // Tests may use what they like.
            Others::Only(names) => names.contains(&name) || dependency["kind"] == "dev",
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check_edge(from: &str, to: &str, kind: Option<&str>, allowed: bool) {
        let metadata =
            json!({ "packages": [{ "name": from, "dependencies": [{ "name": to, "kind": kind }] }] });
        assert_eq!(check(&metadata).is_empty(), allowed, "{from} -> {to} ({kind:?})");
    }

    #[test]
    fn the_drawn_arrows_are_allowed() {
        check_edge("tictac-cli", "tictac-archive", None, true);
        check_edge("tictac-cli", "clap", None, true);
        check_edge("tictac-grader", "tictac-programs", None, true);
        check_edge("tictac-programs", "lexopt", None, true);
        check_edge("tictac", "proptest", Some("dev"), true);
    }

    #[test]
    fn other_arrows_are_found() {
        check_edge("tictac", "libm", None, false);
        check_edge("tictac", "cc", Some("build"), false);
        check_edge("tictac", "tictac-programs", Some("dev"), false);
        check_edge("tictac-programs", "clap", None, false);
        check_edge("tictac-archive", "tictac-programs", None, false);
        check_edge("tictac-tui", "tictac-server", None, false);
        check_edge("xtask", "tictac", None, false);
    }

    #[test]
    fn a_crate_that_nobody_drew_is_found() {
        check_edge("tictac-extra", "tictac", None, false);
    }
}
