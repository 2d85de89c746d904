//! Tests of `tictac completions`.

use crate::tictac;

#[test]
fn the_script_for_every_shell_contains_the_subcommands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = tictac(["completions", shell]).succeed();
        assert!(["show", "perft", "unicode"].iter().all(|word| script.contains(word)), "{shell}: {script}");
    }
    tictac(["completions", "cobol"]).fail(2);
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    tictac(["completions", "zsh"]).succeed_with_a_closed_pipe();
}
