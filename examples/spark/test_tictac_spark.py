"""Tests of tictac_spark on files that really split, row by row against one process. `cargo xtask spark` runs them."""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

import pyarrow as pa
from pyspark.sql import SparkSession

import tictac_spark

TICTAC = os.environ["TICTAC"]
# The executors of Spark start the first python3 on the path unless told otherwise.
os.environ["PYSPARK_PYTHON"] = sys.executable
PIECE = 20_000
"""So small that every plain file below is read by many tasks."""

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def game(rng):
    """Return the lines of a random game, one in ten of them wrong, one in four with tags."""
    squares, marks, lines = rng.sample(range(9), 9), {}, []
    for number, square in enumerate(squares, 1):
        mark = "XO"[(number - 1) % 2]
        marks[square] = mark
        comment = rng.choice(["", "", " # good", " # [not a tag]"])
        lines.append(f"{number} {mark} {'ABC'[square // 3]}{square % 3 + 1}{comment}")
        if any(all(marks.get(at) == mark for at in line) for line in LINES) or rng.random() < 0.02:
            break
    if rng.random() < 0.1:
        lines.insert(rng.randrange(len(lines) + 1), rng.choice([lines[0], "3 Z B2", "x" * 300, "1 X D4"]))
    if rng.random() < 0.25:
        tags = [f'[Event "game {rng.randrange(1000)}"]', f'[X "{rng.choice(["Ada", "Zoë", "日本"])}"]'][: rng.choice([1, 2])]
        lines = tags + [""] * rng.choice([0, 0, 1]) + lines
    return lines


def archive(rng, n_games, line_end):
    """Return an archive as bytes; blank lines between games may be several, or contain spaces."""
    parts = []
    for _ in range(n_games):
        parts += game(rng) + rng.choice([[""], [""], ["", ""], [" \t"]])
    return (line_end.join(parts) + line_end).encode()


def write_archives(folder):
    """Write the archives of all tests: every line ending, plain and compressed, and the odd ones."""
    rng = random.Random(5)
    files = {
        "lf.ttt": archive(rng, 3000, "\n"),
        "crlf file.ttt": archive(rng, 3000, "\r\n"),
        "mixed%20é.ttt": archive(rng, 500, "\n") + archive(rng, 500, "\r\n"),
        "sub/gzip.ttt.gz": pa.compress(archive(rng, 2000, "\r\n"), "gzip", asbytes=True)
        + pa.compress(archive(rng, 100, "\n"), "gzip", asbytes=True),
        "sub/zstd.ttt.zst": pa.compress(archive(rng, 2000, "\n"), "zstd", asbytes=True),
        "no_final_newline.ttt": archive(rng, 2, "\n").strip(),
        "empty.ttt": b"",
        "blank.ttt": b"\n \n" * 10_000,
        "blank_in_the_middle.ttt": archive(rng, 5, "\n") + b"\n" * 70_000 + archive(rng, 5, "\n"),
    }
    for name, data in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)


def by_one_process(folder):
    """Return what one process says about every file, in the form of the rows of Spark."""
    rows = []
    # Spark does not list empty files.
    for path in (path for path in folder.rglob("*") if path.is_file() and path.stat().st_size):
        answer = subprocess.run([TICTAC, "check", "--json", "--threads", "1", path], stdout=subprocess.PIPE)
        assert answer.returncode in (0, 1), path
        data = path.read_bytes()
        kind = tictac_spark.compression(pa.BufferReader(data))
        data = pa.CompressedInputStream(pa.BufferReader(data), kind).read() if kind else data
        starts = [0] + [at + 1 for at, byte in enumerate(data) if byte == 10]
        for found in map(json.loads, answer.stdout.splitlines()):
            errors = tuple(tuple(error[name] for name in ("line", "column", "code", "message", "help")) for error in found["errors"])
            tags = tuple(sorted(found.get("tags", {}).items())) or None
            rows.append((f"file:{path}", starts[found["line"] - 1], found["line"], found["outcome"], found["moves"],
                         found.get("unjudged_lines"), tags, errors))
    return sorted(rows, key=repr)


def as_tuples(games):
    """Return the rows of a DataFrame in the same form."""
    return sorted(((row.file, row.offset, row.line, row.outcome, row.moves, row.unjudged_lines,
                    tuple(sorted(row.tags.items())) if row.tags else None, tuple(tuple(error) for error in row.errors))
                   for row in games.collect()), key=repr)


def session(master, folder):
    settings = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1", "spark.ui.enabled": "false",
                "spark.log.level": "ERROR", "spark.local.dir": str(folder / "tmp"), "spark.sql.shuffle.partitions": "4"}
    builder = SparkSession.builder.master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


class Spark(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.archives = cls.folder / "archives"
        cls.archives.mkdir()
        write_archives(cls.archives)
        cls.expected = by_one_process(cls.archives)

    def tearDown(self):
        SparkSession.builder.getOrCreate().stop()

    def test_every_row_is_that_of_one_process(self):
        spark = session("local[2]", self.folder)
        games = tictac_spark.check_archives(spark, [str(self.archives)], piece=PIECE)
        self.assertGreater(games.rdd.getNumPartitions(), 20)
        rows = as_tuples(games)
        self.assertEqual(len(rows), len(self.expected))
        for found, expected in zip(rows, self.expected):
            self.assertEqual(found, expected)
        # Cut elsewhere, the rows are the same.
        self.assertEqual(as_tuples(tictac_spark.check_archives(spark, [str(self.archives)], piece=7777)), rows)

    def test_a_killed_executor_changes_nothing(self):
        marker, program = self.folder / "killed", self.folder / "tictac-that-kills"
        # The first run of the worker kills the executor that started it: the nearest Java process above.
        program.write_text(textwrap.dedent(f"""\
            #!/bin/sh
            if mkdir '{marker}' 2>/dev/null; then
                pid=$$
                while [ "$pid" -gt 1 ] && [ "$(cat /proc/$pid/comm)" != java ]; do pid=$(awk '/^PPid:/ {{print $2}}' /proc/$pid/status); done
                tr '\\0' '\\n' < /proc/$pid/cmdline | grep -q CoarseGrainedExecutorBackend && kill -9 "$pid"
                sleep 10
            fi
            exec '{TICTAC}' "$@"
            """))
        program.chmod(0o755)
        os.environ["TICTAC"] = str(program)
        try:
            spark = session("local-cluster[2,1,1024]", self.folder)
            games = tictac_spark.check_archives(spark, [str(self.archives)], piece=PIECE)
            self.assertEqual(as_tuples(games), self.expected)
        finally:
            os.environ["TICTAC"] = TICTAC
        self.assertTrue(marker.exists(), "no executor was killed")

    def test_a_worker_without_answers_fails_the_job(self):
        spark = session("local[2]", self.folder)
        for worker in ["true", "false", "no-such-program"]:
            os.environ["TICTAC"] = worker
            try:
                with self.assertRaisesRegex(Exception, f"{worker} ended with|No such file.*{worker}"):
                    tictac_spark.check_archives(spark, [str(self.archives)]).collect()
            finally:
                os.environ["TICTAC"] = TICTAC

    def test_results_are_typed_and_never_overwritten(self):
        target = str(self.folder / "games.parquet")
        spark = session("local[2]", self.folder)
        games = tictac_spark.check_archives(spark, [str(self.archives / "crlf file.ttt")], piece=PIECE)
        games.write.mode("errorifexists").parquet(target)
        stored = spark.read.parquet(target)
        self.assertEqual(stored.schema.simpleString(), games.schema.simpleString())
        codes = stored.selectExpr("explode(errors.code) as code").distinct().collect()
        self.assertGreater(len(codes), 2)
        with self.assertRaises(Exception):
            games.write.mode("errorifexists").parquet(target)
        self.assertTrue(tictac_spark.exists(spark, target))
        self.assertFalse(tictac_spark.exists(spark, target + "-other"))


class Pieces(unittest.TestCase):
    """What needs no Spark."""

    def test_a_game_certainly_starts_after_a_blank_line_that_follows_no_tag(self):
        def border(text, at):
            return tictac_spark.border(pa.BufferReader(text), at, "x")

        text = b"1 X A1\n2 O B1\n\n1 X A1\r\n \t\r\n[A \"b\"]\n\n1 X A1\n\n1 X"
        self.assertEqual([border(text, at) for at in (0, 1, 8, 15)], [0, 15, 27, 27])
        self.assertEqual(text[27:], b"[A \"b\"]\n\n1 X A1\n\n1 X")
        self.assertEqual([border(text, at) for at in (27, 28, 36)], [44, 44, 44])
        self.assertEqual(border(text, 45), len(text))

    def test_a_file_without_games_is_refused_before_it_fills_the_memory(self):
        with self.assertRaisesRegex(ValueError, "no empty line"):
            tictac_spark.border(pa.BufferReader(b"x" * (tictac_spark.MAX_GAME + (2 << 20))), 1, "x")

    def test_java_is_checked_with_one_sentence(self):
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        (folder / "java").write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\"' >&2\n")
        (folder / "java").chmod(0o755)
        script = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import tictac_spark; tictac_spark.check_java()"
        environment = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
        for path, expected in [(folder, 'Java 17 or later is needed, found openjdk version "11.0.2"'), ("/nowhere", "Java 17 or later is missing")]:
            found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={**environment, "PATH": f"{path}:/bin" if path == folder else str(path)})
            self.assertEqual((found.returncode, found.stderr.strip()), (1, f"tictac-spark: {expected}"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
