#!/bin/sh
text=$(cat; echo .) # the dot keeps the newline at the end
text=${text%.}
text=${text%"
"}
case $text in
*[!0-9\ ]* | *' '*' '* | ' '* | *' ' | 0* | *' 0'* | ?????*' '* | *' '?????*) text= ;;
*' '*) ;;
*) text= ;;
esac
if [ -z "$text" ]; then
    echo 'bad input'
    exit 1
fi
year=${text% *} last=${text#* }
while [ "$year" -lt "$last" ]; do
    if [ $((year % 4)) -eq 0 ] && { [ $((year % 100)) -ne 0 ] || [ $((year % 400)) -eq 0 ]; }; then
        echo "$year"
    fi
    year=$((year + 1))
done
