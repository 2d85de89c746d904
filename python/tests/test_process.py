"""Interrupts, threads, fork, memory and the time of an import."""

import os
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
import tictac


def run_python(code, **options):
    """Run a program in a new interpreter and return its output."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120, **options
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


HARD = "/".join(8 * [8 * "."]) + " X"


@pytest.mark.parametrize(
    "work",
    [
        f"tictac.solve('{HARD}', '8,8,5')",
        f"tictac.best_moves('{HARD}', '8,8,5')",
        f"tictac.certificate('{HARD}', '8,8,5')",
        "tictac.judge(tictac.Game('8,8,5', moves=['D4']))",
        "tictac.solve('8,8,5', distance=False)",
        "tictac.table('4,4,3 misere')",
    ],
)
def test_ctrl_c_stops_long_work_within_a_second(work):
    output = run_python(
        f"""
        import os, signal, threading, time, tictac
        # A shell lets background jobs ignore the signal.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        def interrupt():
            time.sleep(0.2)
            started.append(time.process_time())
            os.kill(os.getpid(), signal.SIGINT)
        started = []
        threading.Thread(target=interrupt).start()
        try:
            {work}
        except KeyboardInterrupt:
            print(time.process_time() - started[0])
        """
    )
    # Processor time of the whole process: a busy machine may take longer, but the work itself stops within the second.
    assert float(output) < 1.0


@pytest.mark.parametrize(
    "work", ["check(games, rules)", "check(path, rules)", "check(path, rules, threads=2)", "verify(proof)"]
)
def test_signals_stop_checks(work, tmp_path):
    # A call that does not look for signals lets the handler run once, after it; one that does, every 60 ms.
    output = run_python(
        f"""
        import random, signal, tictac
        rules = tictac.Rules("8,8,8")
        moves = random.Random(1).sample(range(64), 64)
        games = (str(tictac.Game(rules, moves)) + "\\n").encode() * (0 if "proof" in {work!r} else 200_000)
        path = {str(tmp_path / "games.ttt")!r}
        if "path" in {work!r}:
            open(path, "wb").write(games)
        # Comments that are not ASCII take long to read, and there may be a million of them.
        comments = ("#" + "é" * 150 + "\\n") * (990_000 if "proof" in {work!r} else 0)
        proof = tictac.certificate("X.O/.X./... O").replace("end", comments + "end")
        n_signals = 0
        def interrupt(*_):
            global n_signals
            n_signals += 1
            if n_signals == 2:
                raise KeyboardInterrupt
        signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, 0.06, 0.06)
        try:
            tictac.{work}
            signal.setitimer(signal.ITIMER_REAL, 0)
            print("finished")
        except KeyboardInterrupt:
            signal.setitimer(signal.ITIMER_REAL, 0)
            print("stopped")
        """
    )
    assert output == "stopped\n"


def test_a_time_limit_returns_what_is_proved():
    solution = tictac.solve(HARD, "8,8,5", seconds=0.2)
    assert solution.value is None and not solution.proven
    assert solution.bounds[1] in ("win", "draw")
    assert "not proved" in repr(solution)


def test_moves_and_lines_that_are_not_proved_are_not_presented_as_best():
    with pytest.raises(TimeoutError, match="best moves were not proved"):
        tictac.best_moves(HARD, "8,8,5", seconds=0.1)
    solution = tictac.solve(HARD, "8,8,5", seconds=0.1)
    with pytest.raises(TimeoutError, match="best moves were not proved"):
        solution.best_moves
    with pytest.raises(TimeoutError, match="line of best play was not proved"):
        solution.line
    assert len(solution.moves) == 64
    # What is settled is given even if there was no time at all.
    assert tictac.best_moves("XX./OO./... X", seconds=60.0) == ["A3"]
    assert tictac.best_moves("XXX/OO./... O", seconds=0.0) == []
    assert tictac.solve("XX./OO./... X", seconds=60.0).line == ["A3"]
    assert tictac.solve("XXX/OO./... O", seconds=0.0).line == []


def test_a_certificate_that_is_not_finished_in_time_is_a_timeout():
    with pytest.raises(TimeoutError, match="certificate"):
        tictac.certificate(HARD, "8,8,5", seconds=0.01)


def test_an_endless_time_limit_is_none():
    assert tictac.solve("X.O/.X./... O", seconds=float("inf")).value == "draw"
    with pytest.raises(ValueError, match="seconds must be 0 or more"):
        tictac.solve("X.O/.X./... O", seconds=float("-inf"))


def test_threads_get_the_same_answers_at_the_same_time():
    table = tictac.table("4,3,3")
    wrong = []

    def work(seed):
        rng = np.random.default_rng(seed)
        for _ in range(20):
            rows = rng.integers(0, len(table), 2000)
            if not (tictac.values(table.boards[rows], "4,3,3", threads=2) == table.value[rows]).all():
                wrong.append(seed)
            row = int(rows[0])
            if tictac.solve(table.position(row)).value.score != table.value[row]:
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_the_interpreter_runs_while_a_solve_does():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(None)
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    tictac.solve(HARD, "8,8,5", seconds=0.5)
    done.set()
    thread.join()
    assert len(ticks) > 5


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_solves_while_the_parent_is_solving():
    output = run_python(
        f"""
        import os, threading, time, warnings, tictac
        warnings.simplefilter("ignore")
        threading.Thread(target=lambda: tictac.solve("{HARD}", "8,8,5", seconds=1.5)).start()
        time.sleep(0.3)
        child = os.fork()
        if child == 0:
            value = tictac.solve("X.O/.X./... O").value
            mask = tictac.table("3,3,3 misere").value[0]
            os._exit(0 if value == "draw" and mask == 0 else 1)
        print(os.waitpid(child, 0)[1])
        """
    )
    assert output.strip() == "0"


def test_a_class_that_is_in_use_is_not_used_twice():
    # A game that is changed while it is being read raises an error instead of breaking a promise to Rust.
    game = tictac.Game()

    class Sneaky(list):
        def __len__(self):
            game.play("A1")
            return super().__len__()

    tictac.Game(moves=Sneaky(["B2"]))
    assert len(game) >= 0


def test_memory_does_not_grow_with_resets():
    pytest.importorskip("gymnasium")
    env = tictac.gym("3,3,3", opponent="random")
    envs = tictac.vector("3,3,3", 256)

    def work(n):
        for _ in range(n):
            env.reset()
            env.step(4)
            tictac.Position("X.O/.X./... O").play("C3")
        for _ in range(n // 100):
            envs.reset()
            envs.step(envs.sample_actions())

    work(5_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work(int(os.environ.get("TICTAC_RESETS", "50000")))
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 8_000, f"{grown} kB"


def test_importing_the_package_imports_no_environment():
    output = run_python(
        """
        import sys, tictac
        print([name for name in ("gymnasium", "pettingzoo", "pygame", "pyspiel", "pyarrow") if name in sys.modules])
        """
    )
    assert output.strip() == "[]"


@pytest.mark.parametrize(
    ("call", "module", "package"),
    [
        ("gym()", "gymnasium", "gymnasium"),
        ("vector()", "gymnasium", "gymnasium"),
        ("register()", "gymnasium", "gymnasium"),
        ("env()", "pettingzoo", "pettingzoo"),
        ("openspiel.load_game()", "pyspiel", "open_spiel"),
    ],
)
def test_a_missing_package_is_named(call, module, package):
    output = run_python(
        f"""
        import sys, tictac
        sys.modules[{module!r}] = None
        try:
            tictac.{call}
        except ImportError as error:
            print(error)
        """
    )
    assert output.endswith(f"pip install {package}\n")


def test_a_signal_handler_that_does_nothing_does_not_stop_a_solve():
    old = signal.signal(signal.SIGALRM, lambda *_: None)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        assert tictac.solve(HARD, "8,8,5", seconds=0.3).value is None
    finally:
        signal.signal(signal.SIGALRM, old)
