#!/usr/bin/env bash
# Run once, when the image is built. The grader itself needs nothing, but Gradescope's plain image has no compiler for the
# students' programs.
set -eu
apt-get update
apt-get install -y --no-install-recommends build-essential
chmod +x /autograder/source/tictac
