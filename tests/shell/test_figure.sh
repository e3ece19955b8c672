#!/bin/sh
# Figures of single parts. usage: BUILD=build tests/shell/test_figure.sh
. "$(dirname "$0")/../tap.sh"
run() {
    "$program" render --embedding random "$@" >out 2>err </dev/null
}
refused() { # refused STATUS PATTERN WORDS...
    expected=$1 pattern=$2
    shift 2
    run "$@"
    [ $? -eq "$expected" ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -q -e "$pattern" err &&
        [ ! -e never.png ] && [ ! -e never.svg ]
}
has() { # has FILE PATTERN
    grep -a -q -e "$2" "$1"
}
lacks() {
    [ -s "$1" ] && ! grep -a -q -e "$2" "$1"
}
# The most frequent size of letters, points on paper, from an SVG of 600 dots an inch.
near_points() { # near_points FILE POINTS
    awk -v want="$2" '
        match($0, /font-size="[0-9.]*"/) {
            size = substr($0, RSTART + 11, RLENGTH - 12)
            words = $0
            gsub(/<[^>]*>/, "", words)
            letters[size] += length(words)
        }
        END {
            for (size in letters) if (letters[size] > letters[best]) best = size
            ratio = best * 72 / 600 / want
            exit !(ratio > 0.93 && ratio < 1.07)
        }' "$1"
}

for part in $("$program" list parts); do
    case $part in
        heads.layers | heads.next) run --part "$part" --weights trained:induction -o part.png ;;
        *) run --part "$part" -o part.png ;;
    esac
    result "$part is a picture" test -s part.png
    rm -f part.png
done
run --part heads.matrix.1 -o a.svg
result "a group has the part's id" has a.svg '<g id="heads.matrix.1">'
result "no chrome is in it" lacks a.svg 'Examples'
result "the state is in it" has a.svg '<metadata><state'
run --part heads.matrix.1 --pin 3,2 --theme light --ground none --width 85mm -o b.svg
result "the width is on paper" has b.svg ' width="85mm"'
result "the state is that of the call" has b.svg '<state xmlns="urn:headlight:state">embedding=random&amp;pin=3,2&amp;theme=light</state>'
run --part heads.matrix.1 -o a.png
result "a PNG has the state" has a.png 'headlight-state'
for points in 6 8 11; do
    run --part heads.matrix.1 --width 85mm --font-pt $points -o c.svg
    result "text of $points points" near_points c.svg $points
done
run --part heads.matrix.1 --ground none -o clear.png
result "a ground that is none" test -s clear.png
run --part heads.matrix.1 --mask causal --width 85mm --ground none -o d.pdf
result "a PDF" has d.pdf '^%PDF-1'
result "its page is as wide as it is to be" has d.pdf 'MediaBox \[ 0 0 240.94'
result "its fonts are embedded" has d.pdf '/FontFile'
result "the state is in it" has d.pdf '/Keywords (.*mask=causal'
run --part heads.matrix.1 --mask causal --width 85mm --ground none -o e.pdf
result "the same PDF again" cmp d.pdf e.pdf
run --text 'مرحبا 😀 naïve' --mask causal -o whole.pdf
result "a PDF of the window, with any letters" test -s whole.pdf
run --part heads.matrix.1 --text 'a "b" c' --mask causal -o a.csv
result "a table has the tokens" [ "$(head -n 1 a.csv)" = ',"a","""","b","""","c"' ]
result "a masked cell is empty" [ "$(sed -n 2p a.csv)" = '"a",1,,,,' ]
run --part heads.matrix.1 --text '日' --tokenizer gpt2 -o parts.csv
result "parts of a character are in hexadecimal" [ "$(head -n 1 parts.csv)" = ',"⟨E6 97⟩","⟨A5⟩"' ]
run --part graph.picture --text 'a "b" c' --mask causal -o b.csv
result "the graph has the weights of its matrix" [ "$(head -n 1 a.csv),$(sed -n 2p b.csv)" = "$(head -n 1 b.csv),\"a\",1,0,0,0,0" ]
run --part heads.matrix.1 --text 'the cat sat on' --order weight -o ordered.csv
run --part heads.matrix.1 --text 'the cat sat on' -o plain.csv
# weight FILE: the number in the row "cat" and the column "on".
weight() {
    awk -F, 'NR == 1 { for (i = 2; i <= NF; i++) if ($i == "\"on\"") at = i }
             $1 == "\"cat\"" { print $at }' "$1"
}
result "another order has other rows" [ "$(cut -d, -f1 ordered.csv)" != "$(cut -d, -f1 plain.csv)" ]
result "and the same number for each pair" [ "$(weight ordered.csv)" = "$(weight plain.csv)" ]
run --part heads.second --text 'a b' --second 'c b' -o second.csv
result "the second sentence is the one that was named" [ "$(head -n 1 second.csv)" = ',,"c","b"' ]
run --part graph.picture --text 'the cat sat on' --graph-value scores -o scores.csv
result "the graph has the scores that it shows" has scores.csv ',-'
run --part heads.next --weights trained:english -o next.csv
result "the next words" [ "$(head -n 1 next.csv),$(wc -l <next.csv)" = "token,probability,logit,6" ]
run --part wqk.curve -o curve.csv
result "the error of each rank" [ "$(head -n 2 curve.csv | tr '\n' ' ' | cut -c1-27)" = 'rank,W,S,max |dA|,KL 0,1,1,' ]
run --part steps.learned.1 --text 'a b c d' --d-model 4 --heads 1 -o learned.csv
result "three matrices are three tables" [ "$(grep -c '^,1,2,3,4$' learned.csv)" = 3 ]
result "the map of layers is pooled" refused 1 'no numbers' --part heads.layers --weights trained:english -o never.svg --format csv
for view in heads steps; do run --part window.view --view $view -o $view.svg; done
result "a part of the window is that of the view" [ -n "$(cmp heads.svg steps.svg)" ]
run --part window.view --wall one --text 'the cat sat on' --order weight -o view.csv
result "the view has the numbers of its matrix" cmp -s view.csv ordered.csv
run --part wqk.sigma -o c.csv
result "singular values" [ "$(head -n 1 c.csv),$(wc -l <c.csv)" = "index,sigma,17" ]
run --part wqk.product -o d.csv
result "a matrix of weights" [ "$(wc -l <d.csv)" -eq 65 ]
run --part train.loss -o e.csv
result "a chart of Train" has e.csv '^scheme,seed,step,loss'
result "no numbers" refused 1 'no numbers' --part window.views -o never.svg --format csv
result "no schemes" refused 1 'no numbers' --part compare.vectors -o never.svg --format csv
result "a table of nothing" refused 2 'name the part' -o never.svg --format csv
run --part heads.matrix.1 --text '50 % of $x_1 {a}' --width 85mm -o a.tex
result "TikZ" has a.tex 'begin{tikzpicture}'
result "what TeX would take as its own is escaped" [ -z "$(grep -v '^%' a.tex | sed 's/\\[%$_{}]//g' | grep 'node.*[^\\][%$]')" ]
run --part wqk.product --d-model 16 -o product.tex
result "dashes mark negative values in TikZ, too" [ "$(grep -c fill product.tex)" -gt 300 ]
result "a matrix that is too large for TeX" refused 1 '64' --part wqk.product --d-model 128 -o never.svg --format tex
result "an unknown part" refused 2 'did you mean heads.graph' --part heads.grapf -o never.png
result "a part that is not there" refused 1 'not in the picture' --part heads.matrix.9 -o never.png
result "another ground" refused 2 'theme, none' --ground red -o never.png
result "a width that is none" refused 2 'from 1 to 2000' --width 85cm -o never.svg
result "a size of text without a width" refused 2 'needs --width' --font-pt 8 -o never.svg
tap_end
