#!/bin/sh
s1=. s2=. s3=. s4=. s5=. s6=. s7=. s8=. s9=.

draw() {
    printf '  1 2 3\nA %s %s %s\nB %s %s %s\nC %s %s %s\n' $s1 $s2 $s3 $s4 $s5 $s6 $s7 $s8 $s9
}

won() {
    case "$s1$s2$s3 $s4$s5$s6 $s7$s8$s9 $s1$s4$s7 $s2$s5$s8 $s3$s6$s9 $s1$s5$s9" in
    *XXX* | *OOO*) return 0 ;;
    esac
    return 1
}

echo 'Le morpion commence.'
player=X other=O moves=0
draw
while :; do
    printf 'Joueur %s, ta case ? ' $player
    IFS= read -r entry || exit 1
    case $entry in
    A[123]) n=${entry#A} ;;
    B[123]) n=$((${entry#B} + 3)) ;;
    C[123]) n=$((${entry#C} + 6)) ;;
    *)
        echo 'Case inconnue.'
        continue
        ;;
    esac
    eval "mark=\$s$n"
    if [ $mark != . ]; then
        echo 'Case déjà prise.'
        continue
    fi
    eval "s$n=$player"
    moves=$((moves + 1))
    draw
    if won; then
        echo "Le joueur $player a gagné !"
        exit 0
    fi
    if [ $moves -eq 9 ]; then
        echo 'Match nul.'
        exit 0
    fi
    swap=$player player=$other other=$swap
done
