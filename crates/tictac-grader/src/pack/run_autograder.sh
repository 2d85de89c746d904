#!/usr/bin/env bash
# Run for every submission. Always writes results.json, even if a program is missing or does not build.
set -u
mkdir -p /autograder/results
cd /autograder/source || exit 1
./tictac grade all --config tictac-grade.toml --format gradescope --out /autograder/results/results.json /autograder/submission
# A fault in a submission is not a failure of the autograder.
[ -s /autograder/results/results.json ]
