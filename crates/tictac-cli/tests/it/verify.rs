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
fn a_changed_certificate_that_still_proves_its_value_is_accepted() {
    let changed = WIN.replace("move X A2", "move X A3");
    assert!(changed != WIN);
    tictac(["verify", "-"]).stdin(changed).succeed();
}

#[test]
fn a_certificate_is_compressed_if_its_name_says_so() {
    let path = folder("verify-zst").join("proof.cert.zst");
    let path = path.to_str().unwrap();
    tictac(["solve", "--weak", "--rules", "5,4,4", "--certificate", path]).succeed();
    let bytes = std::fs::read(path).unwrap();
    assert!(bytes.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) && bytes.len() < 3000, "{}", bytes.len());
    let expected = "5,4,4: draw (first player copies; second player blocks: 9 positions)\n";
    assert_eq!(tictac(["verify", path]).succeed(), expected);
}

#[test]
fn a_certificate_may_start_with_a_byte_order_mark() {
    tictac(["verify", "-"]).stdin([b"\xEF\xBB\xBF", WIN.as_bytes()].concat()).succeed();
    // The format is UTF-8 only.
    let utf_16: Vec<u8> =
        "\u{FEFF}".encode_utf16().chain(WIN.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    tictac(["verify", "-"]).stdin(utf_16).fail(2);
}

#[test]
fn the_number_of_threads_changes_no_verdict() {
    let path = folder("verify-threads").join("proof.cert");
    let path = path.to_str().unwrap();
    // In the first the second player needs moves of their own, in the second it is enough to block.
    for (rules, flaw) in
        [("5,5,4", "no entry for the second player to move"), ("6,4,4", "no entry for this position")]
    {
        tictac(["solve", "--weak", "--rules", rules, "--certificate", path]).succeed();
        let text = std::fs::read_to_string(path).unwrap();
        let is_board = |line: &&str| line.starts_with(['.', '-', 'X', 'O']);
        let last_entry = text.lines().rfind(is_board).unwrap();
        let (without_last_entry, _) = text.rsplit_once(&format!("\n{last_entry}\n")).unwrap();
        let wrong = format!("{without_last_entry}\nend\n");
        for threads in ["1", "2", "7"] {
            tictac(["verify", "--threads", threads, path]).succeed();
            let complaint = tictac(["verify", "--threads", threads, "-"]).stdin(wrong.clone()).fail(1);
            assert!(complaint.contains(flaw), "{complaint}");
        }
    }
}

#[test]
fn a_wrong_proof_is_refuted_with_line_and_reason() {
    let complaint = tictac(["verify", "-"]).stdin(WIN.replace("move X A2", "move X A1")).fail(1);
    assert_eq!(
        complaint,
        "<stdin>:6: error[E0702]: no entry for the first player to move\n  = note: position: XO.. X\n"
    );
    let complaint = tictac(["verify", "-"]).stdin(WIN.replace("value win", "value draw")).fail(1);
    assert!(
        complaint.starts_with("<stdin>:4: error[E0702]: the value requires exactly these strategies: "),
        "{complaint}"
    );
}

#[test]
fn a_malformed_certificate_is_an_error() {
    let complaint = tictac(["verify", "-"]).stdin(WIN.replace("X A2", "X A5")).fail(2);
    assert_eq!(complaint, "<stdin>:6:16: error[E0701]: expected a column number from 1 to 4, found '5'\n");
    let complaint = tictac(["verify", "-"]).stdin("").fail(2);
    assert!(complaint.contains("<stdin>:1:1: error[E0701]: expected"), "{complaint}");
    let complaint = tictac(["verify", "-"]).stdin("x".repeat(100_000)).fail(2);
    assert!(
        complaint.contains("<stdin>:1:4097: error[E0701]: expected a line of at most 4096 bytes"),
        "{complaint}"
    );
    tictac(["verify", "no-such-file"]).fail(2);
    tictac(["verify"]).fail(2);
}
