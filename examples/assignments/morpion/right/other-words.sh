#!/bin/sh
s1=. s2=. s3=. s4=. s5=. s6=. s7=. s8=. s9=.

draw() {
    printf '    1   2   3\nA | %s | %s | %s |\n  +---+---+---+\nB | %s | %s | %s |\n  +---+---+---+\nC | %s | %s | %s |\n' $s1 $s2 $s3 $s4 $s5 $s6 $s7 $s8 $s9
}

won() {
    case "$s1$s2$s3 $s4$s5$s6 $s7$s8$s9 $s1$s4$s7 $s2$s5$s8 $s3$s6$s9 $s1$s5$s9 $s3$s5$s7" in
    *XXX* | *OOO*) return 0 ;;
    esac
    return 1
}

echo 'Le morpion commence.'
player=X other=O moves=0
draw
while :; do
    echo
    printf '%s. C’est le tour de %s :\n' $((moves + 1)) $player
    IFS= read -r entry || exit 1
    case $entry in
    A[123]) n=${entry#A} ;;
    B[123]) n=$((${entry#B} + 3)) ;;
    C[123]) n=$((${entry#C} + 6)) ;;
    *)
        printf '« %s » est invalide.\n' "$entry"
        draw
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
        echo "Victoire de $player ! Bravo."
        exit 0
    fi
    if [ $moves -eq 9 ]; then
        echo 'Égalité : personne ne gagne.'
        exit 0
    fi
    swap=$player player=$other other=$swap
done
