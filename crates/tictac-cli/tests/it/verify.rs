//! Tests of `tictac verify`.

use crate::{folder, tictac};

const WIN: &str = "\
tictac certificate 1
rules 1,4,2
start .... X
value win
strategy first wins
.... X move X A2
end
";

#[test]
fn a_correct_proof_is_verified() {
    let expected = "1,4,2: win (first player wins: 1 position)\n";
    assert_eq!(tictac(["verify", "-"]).stdin(WIN).succeed(), expected);
    let path = folder("verify").join("win.cert");
    std::fs::write(&path, WIN).unwrap();
    assert_eq!(tictac(["verify".as_ref(), path.as_os_str()]).succeed(), expected);
}

#[test]
fn a_wrong_proof_is_refuted_with_line_and_reason() {
    let complaint = tictac(["verify", "-"]).stdin(WIN.replace("move X A2", "move X A1")).fail(1);
    assert_eq!(complaint, "<stdin>:6: refuted: no entry for the first player to move\nposition: XO.. X\n");
    let complaint = tictac(["verify", "-"]).stdin(WIN.replace("value win", "value draw")).fail(1);
    assert!(
        complaint.starts_with("<stdin>:4: refuted: the value requires exactly these strategies: "),
        "{complaint}"
    );
}

#[test]
fn a_malformed_certificate_is_an_error() {
    let complaint = tictac(["verify", "-"]).stdin(WIN.replace("X A2", "X A5")).fail(2);
    assert_eq!(complaint, "tictac: <stdin>:6:16: expected a column number from 1 to 4, found '5'\n");
    let complaint = tictac(["verify", "-"]).stdin("").fail(2);
    assert!(complaint.contains("<stdin>:1:1: expected"), "{complaint}");
    let complaint = tictac(["verify", "-"]).stdin("x".repeat(100_000)).fail(2);
    assert!(complaint.contains("<stdin>:1:4097: expected a line of at most 4096 bytes"), "{complaint}");
    tictac(["verify", "no-such-file"]).fail(2);
    tictac(["verify"]).fail(2);
}
