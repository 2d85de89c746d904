"""Check archives of tic-tac-toe games on Apache Spark, and write one row per game as Parquet.

    spark-submit tictac_spark.py [--append] [--rules RULES] IN... OUT

In a job of your own: `games = tictac_spark.check_archives(spark, ["archives/"])`.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.fs
import pyarrow.json

JAVA = 17
"""The oldest Java that Spark 4 runs on."""

PIECE = 16 << 20
"""Plain files are cut into pieces of about this many bytes, and compressed ones are decompressed in such pieces."""

MAX_GAME = 64 << 20
"""A piece without an end between two games is refused after this many bytes."""

SCHEMA = """file string, offset long, line long, outcome string, moves long, unjudged_lines long,
    tags map<string,string>,
    errors array<struct<line:long,column:long,code:string,message:string,help:string>>"""

# A game certainly starts after a blank line, if the line before that is not a tag: moves may follow the blank line after tags.
# This is what `tictac check` does when it cuts a file for its threads. A carriage return is white space.
BORDER = re.compile(rb"^(?!\[)[^\n]*\n[ \t\r\x0b\x0c]*\n", re.MULTILINE)

ERROR = pa.struct([("line", pa.int64()), ("column", pa.int64()), ("code", pa.string()), ("message", pa.string()),
                   ("help", pa.string())])
ANSWER = pa.schema([("line", pa.int64()), ("outcome", pa.string()), ("moves", pa.int64()),
                    ("unjudged_lines", pa.int64()), ("errors", pa.list_(ERROR))])


def check_archives(spark, paths, rules=None, piece=PIECE):
    """Return a DataFrame of `SCHEMA` with one row per game of the files and folders in `paths`.

    `file`, `offset` (in bytes, after decompression) and `line` say where a game starts. Plain files are read by many tasks,
    compressed ones (gzip, Zstandard) by one task each. The command `tictac`, or the environment variable TICTAC, must name
    the program on every executor.
    """
    command = [os.environ.get("TICTAC", "tictac"), "check", "--json", "--threads", "1"]
    command += ["--rules", rules] if rules else []
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(paths).select("path", "length")
    cuts = [(path, start, min(start + piece, length)) for path, length in files.collect() for start in range(0, max(1, length), piece)]

    def measure(batches):  # where each piece really starts and ends, and how many lines it has
        for batch in batches:
            for cut in batch.to_pylist():
                yield from measured(cut["file"], cut["start"], cut["end"], piece)

    def check(batches):
        for batch in batches:
            for cut in batch.to_pylist():
                for data, offset, line in pieces(cut["file"], cut["start"], cut["end"], cut["line"], piece):
                    yield checked(command, cut["file"], data, offset, line)

    spread = spark.createDataFrame(cuts, "file string, start long, end long").repartition(max(1, min(len(cuts), 10_000)))
    counts = spread.mapInArrow(measure, "file string, start long, end long, lines long, blank boolean").collect()
    # A piece of blank lines has no game, but a file of blank lines counts as one game without moves, as for `tictac check`.
    with_games = {file for file, _, _, _, blank in counts if not blank}
    numbered, last, line = [], None, 1
    for file, start, end, lines, blank in sorted(counts):
        line = 1 if file != last else line
        if not blank or (file not in with_games and start == 0):
            numbered.append((file, start, end, line))
        last, line = file, line + lines
    plan = spark.createDataFrame(numbered, "file string, start long, end long, line long")
    return plan.repartition(max(1, min(len(numbered), 10_000))).mapInArrow(check, SCHEMA)


def measured(file, start, end, piece):
    """Return a batch with the borders of one piece of a file, or one for the whole file if it is compressed."""
    with opened(file) as source:
        if compression(source):
            rows = [(file, 0, -1, 0, False)] if start == 0 else []
        else:
            start, end = border(source, start, file), border(source, end, file)
            rows = [] if start == end > 0 else [(file, start, end, *count_lines(source, start, end, piece))]
    names, types = ["file", "start", "end", "lines", "blank"], [pa.string()] + [pa.int64()] * 3 + [pa.bool_()]
    columns = [pa.array(column, type) for column, type in zip(zip(*rows), types)]
    return [pa.RecordBatch.from_arrays(columns, names)] if rows else []


def border(source, at, file):
    """Return the first place from `at` on after which a game certainly starts; both ends of a file are such places."""
    if at == 0 or at >= source.size():
        return min(at, source.size())
    source.seek(at - 1)
    data, checked = b"", None
    while len(data) <= MAX_GAME:
        block = source.read(1 << 20)
        data += block
        if checked is None and b"\n" in data:
            checked = data.index(b"\n") + 1  # the first whole line
        found = BORDER.search(data, checked) if checked is not None else None
        if found:
            return at - 1 + found.end()
        if not block:
            return source.size()
    raise ValueError(f"{file}: no empty line within {MAX_GAME} bytes after byte {at}; is this an archive of games?")


def count_lines(source, start, end, piece):
    """Return the number of lines, and whether all of them are blank."""
    source.seek(start)
    lines, blank = 0, True
    while start < end:
        block = source.read(min(piece, end - start))
        lines, start, blank = lines + block.count(b"\n"), start + len(block), blank and not block.strip()
    return lines, blank


def pieces(file, start, end, line, piece):
    """Yield whole games as (bytes, offset, line): one piece of a plain file, or all of a compressed one; `end` is then -1."""
    with opened(file) as source:
        if end >= 0:
            source.seek(start)
            yield source.read(end - start), start, line
            return
        stream, data, offset = pa.CompressedInputStream(source, compression(source)), b"", 0
        while block := stream.read(1 << 20):
            data += block
            found = BORDER.search(data, data.index(b"\n", piece) + 1) if data.find(b"\n", piece) >= 0 else None
            if found:
                yield data[: found.end()], offset, line
                offset, line = offset + found.end(), line + data.count(b"\n", 0, found.end())
                data = data[found.end() :]
            elif len(data) > piece + MAX_GAME:
                raise ValueError(f"{file}: no empty line within {MAX_GAME} bytes; is this an archive of games?")
        if data.strip() or offset == 0:
            yield data, offset, line


def checked(command, file, data, offset, line):
    """Run `tictac check` on whole games and return its answers as a batch of `SCHEMA`."""
    worker = subprocess.run([*command, "-"], input=data, stdout=subprocess.PIPE)
    answers = worker.stdout.splitlines()
    # Status 0: all games are valid; 1: some are not. Anything else, or no answer, is a failure of the worker and of the task.
    if worker.returncode not in (0, 1) or not answers:
        raise RuntimeError(f"{command[0]} ended with {worker.returncode} and {len(answers)} answers for byte {offset} of {file}")
    options = pa.json.ParseOptions(explicit_schema=ANSWER, unexpected_field_behavior="ignore")
    reading = pa.json.ReadOptions(use_threads=False, block_size=max(1 << 20, 1 + max(map(len, answers))))
    table = pa.json.read_json(pa.BufferReader(worker.stdout), reading, options).combine_chunks()
    columns = {name: table[name].combine_chunks() for name in ANSWER.names}
    if len(table) != len(answers) or (worker.returncode == 1) != pc.any(pc.equal(columns["outcome"], "bad")).as_py():
        raise RuntimeError(f"{command[0]}: the answers for byte {offset} of {file} are incomplete")
    line_starts = np.concatenate([[0], np.flatnonzero(np.frombuffer(data, np.uint8) == 10) + 1])
    starts = offset + line_starts[columns["line"].to_numpy() - 1]
    # In a JSON string this text would have backslashes, so it is the key.
    tags = [list(json.loads(answer)["tags"].items()) if b',"tags":{' in answer else None for answer in answers]
    return pa.RecordBatch.from_arrays(
        [pa.array([file], pa.string()).take(pa.array(np.zeros(len(answers), np.int64))), pa.array(starts, pa.int64()),
         pc.add(columns["line"], line - 1), columns["outcome"], columns["moves"], columns["unjudged_lines"],
         pa.array(tags, pa.map_(pa.string(), pa.string())), moved_down(columns["errors"], line - 1)],
        ["file", "offset", "line", "outcome", "moves", "unjudged_lines", "tags", "errors"],
    )


def moved_down(errors, lines):
    """Add `lines` to the line of every error."""
    flat = errors.values
    fields = [flat.field(name) for name in ("line", "column", "code", "message", "help")]
    fields[0] = pc.add(fields[0], lines)
    return pa.ListArray.from_arrays(errors.offsets, pa.StructArray.from_arrays(fields, fields=list(ERROR)))


def opened(file):
    """Open a file as Spark names it. Spark does not encode the paths of local files."""
    if file.startswith("file:"):
        return pa.fs.LocalFileSystem().open_input_file("/" + file[len("file:") :].lstrip("/"))
    system, path = pa.fs.FileSystem.from_uri(file)
    return system.open_input_file(path)


def compression(source):
    """Return the compression of a file, recognised by its first bytes, and go back to its start."""
    source.seek(0)
    start = source.read(4)
    source.seek(0)
    return "gzip" if start[:2] == b"\x1f\x8b" else "zstd" if start == b"\x28\xb5\x2f\xfd" else None


def check_java():
    """Exit with one sentence unless Java is there and recent enough, instead of a stack trace of Spark."""
    java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if "JAVA_HOME" in os.environ else shutil.which("java")
    try:
        text = subprocess.run([java, "-version"], capture_output=True, text=True, check=True).stderr
    except (OSError, TypeError, subprocess.CalledProcessError):
        sys.exit(f"tictac-spark: Java {JAVA} or later is missing")
    version = re.search(r'"(\d+)', text)
    if not version or int(version[1]) < JAVA:
        sys.exit(f"tictac-spark: Java {JAVA} or later is needed, found {text.splitlines()[0] if text else 'none'}")


def exists(spark, target):
    """Return whether there is a file or folder of this name on the file system that Spark writes to."""
    path = spark._jvm.org.apache.hadoop.fs.Path(target)
    return path.getFileSystem(spark._jsc.hadoopConfiguration()).exists(path)


def main():
    parser = argparse.ArgumentParser(prog="tictac-spark", description="Check archives of games; write one row per game as Parquet.")
    parser.add_argument("sources", nargs="+", metavar="IN", help="files and folders: plain text, gzip or Zstandard")
    parser.add_argument("target", metavar="OUT", help="folder of Parquet files; must not exist, unless with --append")
    parser.add_argument("--append", action="store_true", help="add to OUT")
    parser.add_argument("--rules", help="rules of games without a Rules tag, such as '4,4,4 misere'")
    parser.add_argument("--piece", type=int, default=PIECE, metavar="BYTES", help=f"cut plain files after about this many bytes ({PIECE})")
    arguments = parser.parse_args()
    check_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # for the executors of this machine
    from pyspark.sql import SparkSession  # after the check of Java, whose message is clearer

    spark = SparkSession.builder.appName("tictac check").getOrCreate()
    if not arguments.append and exists(spark, arguments.target):  # before the archives are read, which may take hours
        sys.exit(f"tictac-spark: {arguments.target} already exists; --append adds to it")
    games = check_archives(spark, arguments.sources, arguments.rules, arguments.piece)
    games.write.mode("append" if arguments.append else "errorifexists").parquet(arguments.target)
    outcomes = spark.read.parquet(arguments.target).groupBy("outcome").agg({"*": "count", "moves": "sum"}).collect()
    found = {row["outcome"]: (row["count(1)"], row["sum(moves)"]) for row in outcomes}
    totals = {"games": sum(n for n, _ in found.values()), "moves": sum(n for _, n in found.values())}
    names = ["x_won", "o_won", "drawn", "unfinished", "bad"]
    print(json.dumps({**totals, **{name: found.get(name, (0, 0))[0] for name in names}}, separators=(",", ":")))


if __name__ == "__main__":
    main()
