#!/bin/sh
IFS= read -r line
if IFS= read -r more || [ -n "$more" ] || ! expr "x$line" : 'x[1-9][0-9]\{0,3\} [1-9][0-9]\{0,3\}$' > /dev/null; then
    echo 'bad input'
    exit 1
fi
last=${line#* }
year=$(((${line% *} + 3) / 4 * 4))
while [ $year -le "$last" ]; do
    [ $((year % 100)) -eq 0 ] && [ $((year % 400)) -ne 0 ] || echo $year
    year=$((year + 4))
done
