//! The `tictac grade` command with the assignment of a teacher.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::tictac;

/// A temporary folder with the assignment `sum`: add two numbers.
struct Course(PathBuf);

const FORM: &str = r#"title = "Add two numbers"

[reference]
command = ["./reference.sh"]

[[requirement]]
id = "sum"
points = 10
source = "page 1"
rule = "the sum is printed"
inputs = ["0..9 ' ' 0..9 '\n'"]
cases = 8
"#;
const ADD: &str = "#!/bin/sh\nread a b; echo $((a + b))\n";
const WRONG: &str = "#!/bin/sh\nread a b; echo $((a - b))\n";

impl Course {
    fn new(name: &str) -> Course {
        let course =
            Course(std::env::temp_dir().join(format!("tictac-cli-course-{name}-{}", std::process::id())));
        course.write("sum/assignment.toml", FORM);
        course.write("sum/reference.sh", ADD);
        course
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Course {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_folder_is_given_in_place_of_a_name() {
    let course = Course::new("place");
    course.write("right.sh", ADD);
    course.write("wrong.sh", WRONG);
    let [sum, right, wrong] = ["sum", "right.sh", "wrong.sh"].map(|name| course.path(name));
    let fine = tictac(["grade", &sum, &right]).run();
    assert_eq!(fine.status, Some(0), "{fine:?}");
    assert!(fine.stdout.contains("10 of 10 points"), "{}", fine.stdout);
    let fault = tictac(["grade", &sum, "--format", "json", "--color", "never", &wrong]).run();
    assert_eq!(fault.status, Some(1), "{fault:?}");
    assert!(fault.stdout.contains("\"sum/sum\""), "{}", fault.stdout);
    let help = tictac(["grade", &sum, "--help"]).run();
    assert!(help.status == Some(0) && help.stdout.contains("--feedback"), "{help:?}");
}

#[test]
fn a_mistake_in_the_file_is_shown_with_a_caret_and_nothing_is_graded() {
    let course = Course::new("caret");
    course.write("sum/assignment.toml", &FORM.replace("points = 10", "points = \"ten\""));
    let sum = course.path("sum");
    let ended = tictac(["grade", &sum, "true"]).run();
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(2), ""));
    let place = format!(
        "{sum}/assignment.toml:8:10: error[E0801]: invalid type: string \"ten\", expected a number\n"
    );
    assert!(ended.stderr.starts_with(&place), "{}", ended.stderr);
    assert!(ended.stderr.ends_with("8 | points = \"ten\"\n  |          ^^^^^\n"), "{}", ended.stderr);
    assert_eq!(tictac(["grade", "check-assignment", &sum]).run().status, Some(1));
    course.write("tictac-grade.toml", "assignments = [\"./sum\"]\n");
    let config = course.path("tictac-grade.toml");
    assert_eq!(tictac(["grade", "all", "--config", &config, &sum]).run().status, Some(2));
    let unknown = tictac(["grade", "chess", "true"]).fail(2);
    assert!(unknown.contains("there is no assignment \"chess\"") && unknown.contains("notakto"), "{unknown}");
    let missing = tictac(["grade", "./no-such-folder", "true"]).fail(2);
    assert!(missing.contains("no such folder"), "{missing}");
}

#[test]
fn a_draft_says_what_is_missing_until_it_is_written() {
    let course = Course::new("draft");
    course.write("solution.sh", ADD);
    let [solution, draft] = ["solution.sh", "draft"].map(|name| course.path(name));
    let made = tictac(["grade", "init", "--from", &solution, "--out", &draft]).run();
    assert_eq!(made.status, Some(0), "{made:?}");
    assert_eq!(tictac(["grade", "init", "--from", &solution, "--out", &draft]).run().status, Some(2));
    let check = || tictac(["grade", "check-assignment", &draft]).run();
    let open = check();
    assert_eq!(open.status, Some(1), "{open:?}");
    for part in [
        "draft: TODO\n",
        "`title`",
        "answers: `rule`",
        "answers: `source`",
        "wrong/ has no program",
        "✓ right/reference.sh",
    ] {
        assert!(open.stdout.contains(part), "{part}: {}", open.stdout);
    }
    let form = fs::read_to_string(Path::new(&draft).join("assignment.toml")).unwrap();
    let before = fs::read_dir(&draft).unwrap().count();
    course.write("draft/assignment.toml", &form.replace("TODO", "written").replace("# inputs", "inputs"));
    course.write("draft/wrong/minus.sh", WRONG);
    let listed = tictac(["grade", "check-assignment", "--inputs", &draft]).succeed();
    assert!(listed.starts_with("answers\t\"") && listed.lines().count() > 20, "{listed}");
    let done = check();
    assert_eq!(done.status, Some(0), "{done:?}");
    assert!(done.stdout.contains("✓ wrong/minus.sh"), "{}", done.stdout);
    assert_eq!(fs::read_dir(&draft).unwrap().count(), before, "nothing is added to the folder");
}

#[test]
fn a_draft_of_a_script_without_its_first_line_leaves_nothing_behind() {
    let course = Course::new("script");
    course.write("my solution.sh", ADD);
    let [solution, draft, plain] = ["my solution.sh", "Leap Years", "plain.py"].map(|name| course.path(name));
    fs::write(&plain, "print(1)\n").unwrap();
    let failed = tictac(["grade", "init", "--from", &plain, "--out", &draft]).fail(2);
    assert!(failed.contains("it is not executable (try chmod +x)"), "{failed}");
    fs::set_permissions(&plain, fs::Permissions::from_mode(0o755)).unwrap();
    let failed = tictac(["grade", "init", "--from", &plain, "--out", &draft]).fail(2);
    assert!(failed.contains("a script must start with a line such as #!/bin/sh"), "{failed}");
    assert!(!Path::new(&draft).exists());
    let made = tictac(["grade", "init", "--from", &solution, "--out", &draft]).run();
    assert_eq!(made.status, Some(0), "{made:?}");
    let check = tictac(["grade", "check-assignment", &draft]).run();
    assert!(check.stdout.starts_with("leap-years: "), "{check:?}");
}

#[test]
fn a_file_beside_the_submissions_is_pointed_out() {
    let course = Course::new("beside");
    let sum = course.path("sum");
    course.write("class/ann/sum", ADD);
    course.write("class/bob/sum", WRONG);
    let grade = || tictac(["grade", "class", &course.path("class"), "--assignment", &sum, "--fresh"]).run();
    let both = grade();
    assert!(both.stdout.contains("ann") && both.stdout.contains("bob"), "{both:?}");
    assert!(!both.stderr.contains("one submission"), "{both:?}");
    course.write("class/notes.txt", "");
    let one = grade();
    assert!(
        one.stderr.contains("is graded as one submission, because it contains the file notes.txt"),
        "{one:?}"
    );
}

#[test]
fn a_wrong_program_is_shown_with_everything_that_it_costs() {
    let course = Course::new("costs");
    let more = "\n[[requirement]]\nid = \"big\"\npoints = 5\nsource = \"page 2\"\nrule = \"large numbers are added\"\n\
                inputs = [\"100..999 ' ' 100..999 '\\n'\"]\ncases = 8\n";
    course.write("sum/assignment.toml", &format!("{FORM}{more}"));
    course.write("sum/right/adds.sh", ADD);
    course.write("sum/wrong/subtracts.sh", WRONG);
    let check = tictac(["grade", "check-assignment", &course.path("sum")]).run();
    assert!(check.stdout.contains(", and also loses 5 points for big"), "{check:?}");
    course.write("sum/wrong/text.sh", "no first line\n");
    let check = tictac(["grade", "check-assignment", &course.path("sum")]).run();
    assert!(check.stdout.contains("a script must start with a line such as #!/bin/sh"), "{check:?}");
}

#[test]
fn a_class_is_graded_again_when_the_assignment_changes() {
    let course = Course::new("class");
    course.write("class/ada/sum", ADD);
    course.write("class/ben/sum", WRONG);
    let [sum, class, cache] = ["sum", "class", "cache"].map(|name| course.path(name));
    let grade = || tictac(["grade", "class", "--assignment", &sum, "--cache", &cache, &class]).run();
    let first = grade();
    assert_eq!(first.status, Some(1), "{first:?}");
    assert!(
        first.stdout.contains("ada,sum,fine,10,10") && first.stdout.contains("ben,sum,fault,0,10"),
        "{first:?}"
    );
    let second = grade();
    assert!(second.stderr.contains("2 of 2 submissions have not changed"), "{second:?}");
    assert_eq!(second.stdout, first.stdout);
    course.write("sum/assignment.toml", &FORM.replace("points = 10", "points = 20"));
    let third = grade();
    assert!(third.stdout.contains("ada,sum,fine,20,20") && third.stderr.is_empty(), "{third:?}");
}

#[test]
fn the_folder_is_packed_and_found_beside_the_configuration() {
    let course = Course::new("pack");
    let [sum, config, zip] = ["sum", "tictac-grade.toml", "autograder.zip"].map(|name| course.path(name));
    let made = tictac(["grade", "init", &sum, "--out", &config]).run();
    assert_eq!(made.status, Some(0), "{made:?}");
    assert!(fs::read_to_string(&config).unwrap().contains("assignments = [\"./sum\"]"));
    let packed = tictac(["grade", "pack", "--config", &config, "--out", &zip]).run();
    assert!(packed.status == Some(0) && packed.stdout.contains("grades sum"), "{packed:?}");
    let bytes = fs::read(&zip).unwrap();
    let has = |name: &str| bytes.windows(name.len()).any(|window| window == name.as_bytes());
    assert!(has("assignments/sum/assignment.toml") && has("assignments/sum/reference.sh"));
}
