#!/bin/sh
# game-check in awk, with one regular expression for the line.
LC_ALL=C exec awk '
function fail(sentence, code) { print sentence; failed = 1; exit code }
function line(p, a, b, c) { return b9[a] == p && b9[b] == p && b9[c] == p }
$0 !~ /^[1-9][ \t\v\f\r]+[XOxo][ \t\v\f\r]+[ABCabc][123]([ \t\v\f\r]+(#.*)?)?$/ { fail("Parse error.", 1) }
{
    number = substr($0, 1, 1)
    rest = toupper(substr($0, 2))
    sub(/^[ \t\v\f\r]+/, "", rest)
    player = substr(rest, 1, 1)
    rest = substr(rest, 2)
    sub(/^[ \t\v\f\r]+/, "", rest)
    square = (index("ABC", substr(rest, 1, 1)) - 1) * 3 + substr(rest, 2, 1)
    if (winner != "" || number != moves + 1 || player == last || b9[square] != "") fail("Invalid move.", 2)
    b9[square] = player
    last = player
    moves++
    p = player
    if (line(p, 1, 2, 3) || line(p, 4, 5, 6) || line(p, 7, 8, 9) || line(p, 1, 4, 7) || \
        line(p, 2, 5, 8) || line(p, 3, 6, 9) || line(p, 1, 5, 9) || line(p, 3, 5, 7)) winner = p
}
END {
    if (failed) exit
    if (winner != "") print "Game over: " winner " wins."
    else if (moves == 9) print "Game over: Draw."
    else if (moves == 0) print "Game in progress: New game."
    else print "Game in progress: " (last == "X" ? "O" : "X") "'\''s turn."
}'
