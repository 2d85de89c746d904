"""Convert text archives to Parquet: one game per row, or one file per row with --whole.

Usage: spark-submit to_parquet.py [--whole] IN OUT
"""

import sys

from pyspark.sql import SparkSession
from pyspark.sql.functions import monotonically_increasing_id

if __name__ == "__main__":
    *options, source, target = sys.argv[1:]
    spark = SparkSession.builder.appName("tictac: archives to Parquet").getOrCreate()
    # The empty line is the row separator, so Spark splits files only between games.
    rows = spark.read.text(source, wholetext=True) if options else spark.read.text(source, lineSep="\n\n")
    rows = rows.withColumnRenamed("value", "text").withColumn("row", monotonically_increasing_id())
    rows.write.mode("overwrite").parquet(target)
