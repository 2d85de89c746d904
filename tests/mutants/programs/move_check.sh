#!/bin/sh
# move-check with the patterns of the shell.
LC_ALL=C
export LC_ALL

IFS= read -r line || :

# Remove the comment, but only if white space precedes it.
case $line in
    *[[:space:]]'#'*) line=${line%%[[:space:]]'#'*}' ' ;;
esac

# All white space becomes blanks, so that the rest falls into words.
case $line in
    *[!\ -~]*) line=$(printf '%s' "$line" | tr '\t\v\f\r' '    ') ;;
esac
set -f
case $line in
    [1-9][[:space:]]*[[:space:]][A-Ca-c][1-3] | [1-9][[:space:]]*[[:space:]][A-Ca-c][1-3][[:space:]]*) ;;
    *) echo 'Parse error.'; exit 1 ;;
esac
set -- $line
case $#:$2 in
    3:[XOxo]) ;;
    *) echo 'Parse error.'; exit 1 ;;
esac
case $1$3 in
    [1-9][A-Ca-c][1-3]) echo "$1 $2 $3" | tr xoabc XOABC ;;
    *) echo 'Parse error.'; exit 1 ;;
esac
