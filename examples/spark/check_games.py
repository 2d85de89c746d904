"""Check games on Apache Spark: reads Parquet (column `text`: a game or an archive), writes Parquet (one row per game).

Usage: spark-submit check_games.py IN OUT
"""

import json
import os
import subprocess
import sys
import threading
from collections import deque

from pyspark.sql import SparkSession
from pyspark.sql.functions import count, sum as total

SCHEMA = """row long, game long, line long, outcome string, moves long, tags map<string,string>,
    errors array<struct<line:long,column:long,code:string,message:string,help:string>>"""


def check(rows):
    """Pipe a partition through one `tictac check --json -` process. A row holds whole games, so no game is split."""
    command = [os.environ.get("TICTAC", "tictac"), "check", "--json", "--threads", "1", "-"]
    starts, ended, unanswered = deque(), [], 0  # rows sent to the worker and not yet answered: (first line, row)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:

        def feed():  # on its own thread: writing everything before reading would deadlock
            line = 1
            with worker.stdin as stdin:
                for row in rows:
                    if row.text.strip():  # the worker gives no answer for an empty row
                        starts.append((line, row.row))
                        stdin.write(f"{row.text}\n\n".encode())
                        line += row.text.count("\n") + 2
            ended.append(True)

        feeder = threading.Thread(target=feed)
        feeder.start()
        number, first, row = 0, 0, None
        for answer in map(json.loads, worker.stdout):
            while starts and starts[0][0] <= answer["line"]:
                (first, row), number = starts.popleft(), 0
                unanswered += 1
            number, unanswered = number + 1, unanswered - (number == 0)
            for place in [answer, *answer["errors"]]:  # count lines from the start of the row, not of the partition
                place["line"] -= first - 1
            yield json.dumps({**answer, "row": row, "game": number})
        feeder.join()
    # Status 0: all games are valid; 1: some are not. A failed worker or a row without an answer fails the task.
    if worker.returncode > 1 or not ended or starts or unanswered:
        silent = len(starts) + unanswered
        raise RuntimeError(f"{command[0]} ended with {worker.returncode}; rows without an answer: {silent}")


if __name__ == "__main__":
    source, target = sys.argv[1:]
    spark = SparkSession.builder.appName("tictac check").getOrCreate()
    games = spark.read.parquet(source).select("row", "text").rdd.mapPartitions(check)
    spark.read.schema(SCHEMA).json(games).write.mode("overwrite").parquet(target)
    outcomes = spark.read.parquet(target).groupBy("outcome").agg(count("*"), total("moves")).collect()
    found = {outcome: (games, moves) for outcome, games, moves in outcomes}
    totals = {"games": sum(games for games, _ in found.values()), "moves": sum(moves for _, moves in found.values())}
    names = ["x_won", "o_won", "drawn", "unfinished", "bad"]
    print(json.dumps({**totals, **{name: found.get(name, (0, 0))[0] for name in names}}, separators=(",", ":")))
