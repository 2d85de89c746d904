#!/bin/sh
refuse() {
    echo 'bad input'
    exit 1
}
input=$(cat; echo .)
input=${input%.}
# A second line is refused, a missing newline is not.
line=$(printf %s "$input")
[ "$input" = "$line" ] || [ "$input" = "$line
" ] || refuse
first=${line%% *} last=${line#* }
[ "$first $last" = "$line" ] || refuse
for year in "$first" "$last"; do
    case $year in
    [1-9] | [1-9][0-9] | [1-9][0-9][0-9] | [1-9][0-9][0-9][0-9]) ;;
    *) refuse ;;
    esac
done
while [ "$first" -le "$last" ]; do
    case $((first % 400)) in
    100 | 200 | 300) ;;
    *) [ $((first % 4)) -ne 0 ] || printf '%s ' "$first" ;;
    esac
    first=$((first + 1))
done
