//! `cargo xtask fuzz --only checkers`: both checkers of certificates, the library's and `verify/verify.py`, agree on every text.

#![no_main]

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use libfuzzer_sys::fuzz_target;
use tictac_proof::Certificate;

/// Reads certificates, each after a line with its length, and answers each with a line: `right`, `wrong` or `unreadable`.
const LOOP: &str = r#"
import io, sys
sys.path.insert(0, "verify")
import verify
for line in sys.stdin.buffer:
    certificate = verify.Certificate(io.BytesIO(sys.stdin.buffer.read(int(line))))
    try:
        certificate.check()
        print("right", flush=True)
    except verify.Wrong:
        print("wrong", flush=True)
    except verify.Unreadable:
        print("unreadable", flush=True)
"#;

/// The Python process, which checks one certificate after another.
struct OtherChecker {
    _process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Default for OtherChecker {
    fn default() -> OtherChecker {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let mut process = Command::new("python3")
            .args(["-c", LOOP])
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 starts");
        let (questions, answers) =
            (process.stdin.take().expect("a pipe"), process.stdout.take().expect("a pipe"));
        OtherChecker { _process: process, questions, answers: BufReader::new(answers) }
    }
}

impl OtherChecker {
    fn check(&mut self, bytes: &[u8]) -> String {
        self.questions
            .write_all(&[format!("{}\n", bytes.len()).as_bytes(), bytes].concat())
            .expect("python3 reads");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("python3 answers");
        answer.trim().to_owned()
    }
}

thread_local! {
    static OTHER: RefCell<OtherChecker> = RefCell::default();
}

fuzz_target!(|bytes: &[u8]| {
    let ours = match Certificate::read(bytes).map(|certificate| certificate.verify().is_ok()) {
        Ok(true) => "right",
        Ok(false) => "wrong",
        Err(_) => "unreadable",
    };
    let theirs = OTHER.with_borrow_mut(|other| other.check(bytes));
    assert_eq!((ours == "right"), (theirs == "right"), "tictac says {ours}, verify.py says {theirs}");
});
