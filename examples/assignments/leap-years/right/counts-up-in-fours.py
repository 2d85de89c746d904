#!/usr/bin/env python3
import re
import sys

match = re.fullmatch("([1-9][0-9]{0,3}) ([1-9][0-9]{0,3})\n?", sys.stdin.read())
if match is None:
    print("bad input")
    sys.exit(1)
first, last = int(match[1]), int(match[2])
print(*(year for year in range((first + 3) // 4 * 4, last + 1, 4) if year % 100 or not year % 400))
