"""Judge games on Apache Spark: Parquet in (a column `text`: a game or an archive a row), Parquet out (a row a game).

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
    """Pipe one partition through one `tictac check --json -`; rows are whole games, so no border cuts a game."""
    command = [os.environ.get("TICTAC", "tictac"), "check", "--json", "--threads", "1", "-"]
    starts, ended, unanswered = deque(), [], 0  # the rows that the worker knows: (first line, row)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:

        def feed():  # on a thread of its own: who writes everything before reading waits for ever
            line = 1
            with worker.stdin as stdin:
                for row in rows:
                    if row.text.strip():  # a row without a game would be no game to the worker either
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
            for place in [answer, *answer["errors"]]:  # lines count from the start of the row, not of the partition
                place["line"] -= first - 1
            yield json.dumps({**answer, "row": row, "game": number})
        feeder.join()
    # 0: all games are fine, 1: some are not. A worker that broke, or said nothing of some row, must not pass for good.
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
