//! Grading on a machine that is busy with something else.

use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tictac_grader::run::{LimitChanges, Program, RunExit, Runner};
use tictac_grader::{CourseProgram, GradeSettings};

use crate::{few_cases, fixture, grade_fixture};

/// The tests of this file would disturb each other.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Threads that keep every core busy until dropped.
struct BusyLoops {
    _turn: MutexGuard<'static, ()>,
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl BusyLoops {
    fn start(n_per_core: usize) -> BusyLoops {
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let n_cores = thread::available_parallelism().unwrap().get();
        let stop: Arc<AtomicBool> = Arc::default();
        let work = |_| {
            let stop = Arc::clone(&stop);
            thread::spawn(move || while !stop.load(Ordering::Relaxed) {})
        };
        let threads = (0..n_cores * n_per_core).map(work).collect();
        BusyLoops { _turn: turn, stop, threads }
    }
}

impl Drop for BusyLoops {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.threads.drain(..).for_each(|thread| thread.join().unwrap());
    }
}

fn runner(path: &str, arguments: &[&str], wall: Duration) -> Runner {
    let arguments: Vec<OsString> = arguments.iter().map(Into::into).collect();
    let program = Program::find(path.as_ref(), &arguments).unwrap();
    let limits = LimitChanges { wall: Some(wall), ..LimitChanges::default() };
    Runner::new(program, GradeSettings { limits, ..GradeSettings::default() }).unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn waiting_for_a_processor_does_not_count() {
    let _load = BusyLoops::start(4);
    let wall = Duration::from_millis(400);
    let mut works = runner(fixture().to_str().unwrap(), &["works"], wall);
    assert_eq!(works.run(&[], b"").unwrap().exit, RunExit::Status(0));
    assert_eq!(works.n_delayed(), 1);
    // The same for a program that another one starts.
    let nested = format!("{} works; exit 7", fixture().display());
    let mut nested = runner("/bin/sh", &["-c", &nested], wall);
    assert_eq!(nested.run(&[], b"").unwrap().exit, RunExit::Status(7));
}

#[test]
fn sleeping_counts() {
    let _load = BusyLoops::start(2);
    let start = Instant::now();
    let mut sleeps = runner("/bin/sh", &["-c", "sleep 60"], Duration::from_millis(300));
    assert_eq!(sleeps.run(&[], b"").unwrap().exit, RunExit::TimedOut);
    assert_eq!(sleeps.n_delayed(), 0);
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_loop_ends_at_its_limit_on_cpu_time() {
    let _load = BusyLoops::start(2);
    let program = Program::find("/bin/sh".as_ref(), &["-c".into(), "while :; do :; done".into()]).unwrap();
    let limits =
        LimitChanges { wall: Some(Duration::from_mins(1)), cpu_seconds: Some(1), ..LimitChanges::default() };
    let mut loops = Runner::new(program, GradeSettings { limits, ..GradeSettings::default() }).unwrap();
    assert_eq!(loops.run(&[], b"").unwrap().exit, RunExit::TimedOut);
}

#[test]
fn a_right_program_loses_no_points_on_a_busy_machine() {
    let _load = BusyLoops::start(2);
    for assignment in CourseProgram::ALL {
        let limits = LimitChanges { wall: Some(Duration::from_millis(300)), ..LimitChanges::default() };
        let report = grade_fixture("right", assignment, &GradeSettings { limits, ..few_cases(60) });
        assert_eq!(report.blamed().collect::<Vec<_>>(), [""; 0], "{assignment}");
        assert_eq!(report.score().0, report.score().1, "{assignment}");
    }
}
