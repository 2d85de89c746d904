//! Which crate may depend on which: the arrows in ARCHITECTURE.md.

use serde_json::Value;

use super::Finding;

/// A crate of the workspace and its permitted dependencies.
struct Member {
    name: &'static str,
    /// Workspace crates it may depend on, separated by spaces.
    members: &'static str,
    external: External,
}

/// Permitted dependencies from outside the workspace.
enum External {
    Any,
    Only(&'static [&'static str]),
    /// Only these, and only behind a feature.
    Optional(&'static [&'static str]),
}

const fn member(name: &'static str, members: &'static str, external: External) -> Member {
    Member { name, members, external }
}

const MEMBERS: [Member; 12] = [
    member("tictac", "", External::Optional(&["serde"])),
    member("tictac-proof", "tictac", External::Only(&[])),
    member("tictac-solver", "tictac tictac-proof", External::Only(&[])),
    member("tictac-programs", "tictac tictac-solver", External::Only(&["fastrand", "lexopt"])),
    member("tictac-archive", "tictac tictac-solver", External::Any),
    member("tictac-grader", "tictac tictac-solver tictac-programs tictac-archive", External::Any),
    member("tictac-tui", "tictac tictac-solver tictac-archive", External::Any),
    member("tictac-server", "tictac tictac-solver tictac-archive", External::Any),
    member(
        "tictac-cli",
        "tictac tictac-proof tictac-solver tictac-archive tictac-grader tictac-tui tictac-server",
        External::Any,
    ),
    member("mutants", "tictac-grader tictac-programs", External::Any),
    member("peers", "", External::Only(&["memchr"])),
    member("xtask", "", External::Any),
];

/// Checks the output of `cargo metadata`.
pub(super) fn check(metadata: &Value) -> Vec<Finding> {
    let packages = metadata["packages"].as_array().map_or([].as_slice(), Vec::as_slice);
    packages.iter().flat_map(check_package).collect()
}

fn check_package(package: &Value) -> Vec<Finding> {
    let name = package["name"].as_str().unwrap_or_default();
    let Some(member) = MEMBERS.iter().find(|member| member.name == name) else {
        return vec![Finding::in_file(name, "unknown crate: add it to ARCHITECTURE.md and to edges.rs")];
    };
    let dependencies = package["dependencies"].as_array().map_or([].as_slice(), Vec::as_slice);
    dependencies
        .iter()
        .filter(|dependency| !member.allows(dependency))
        .map(|dependency| {
            let target = dependency["name"].as_str().unwrap_or_default();
            Finding::in_file(
                name,
                format!("must not depend on {target}: ARCHITECTURE.md shows no such arrow"),
            )
        })
        .collect()
}

impl Member {
    fn allows(&self, dependency: &Value) -> bool {
        let name = dependency["name"].as_str().unwrap_or_default();
        if MEMBERS.iter().any(|member| member.name == name) {
            return self.members.split(' ').any(|member| member == name);
        }
        // Test dependencies are not restricted.
        dependency["kind"] == "dev"
            || match self.external {
                External::Any => true,
                External::Only(names) => names.contains(&name),
                External::Optional(names) => names.contains(&name) && dependency["optional"] == true,
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
    fn documented_dependencies_are_allowed() {
        check_edge("tictac-cli", "tictac-archive", None, true);
        check_edge("tictac-cli", "clap", None, true);
        check_edge("tictac-grader", "tictac-programs", None, true);
        check_edge("tictac-server", "tictac-archive", None, true);
        check_edge("tictac-tui", "tictac-archive", None, true);
        check_edge("tictac-programs", "lexopt", None, true);
        check_edge("tictac", "proptest", Some("dev"), true);
    }

    #[test]
    fn other_dependencies_are_reported() {
        check_edge("tictac", "libm", None, false);
        check_edge("tictac", "tictac-solver", Some("dev"), false);
        check_edge("tictac-proof", "tictac-solver", None, false);
        check_edge("tictac-proof", "tictac-solver", Some("dev"), false);
        check_edge("tictac", "cc", Some("build"), false);
        check_edge("tictac", "tictac-programs", Some("dev"), false);
        check_edge("tictac-programs", "clap", None, false);
        check_edge("tictac-archive", "tictac-programs", None, false);
        check_edge("tictac-archive", "tictac-server", None, false);
        check_edge("tictac-tui", "tictac-server", None, false);
        check_edge("xtask", "tictac", None, false);
    }

    #[test]
    fn the_library_may_use_serde_behind_a_feature_only() {
        let check_serde = |optional: bool| {
            let serde = json!({ "name": "serde", "kind": null, "optional": optional });
            check(&json!({ "packages": [{ "name": "tictac", "dependencies": [serde] }] })).is_empty()
        };
        assert!(check_serde(true) && !check_serde(false));
    }

    #[test]
    fn an_unknown_crate_is_reported() {
        check_edge("tictac-extra", "tictac", None, false);
    }
}
