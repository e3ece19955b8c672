#!/bin/sh
# headlight tour: what it lists, checks and refuses. usage: BUILD=build tests/shell/test_tour.sh
. "$(dirname "$0")/../tap.sh"
HEADLIGHT_ASSETS=$top/assets
export HEADLIGHT_ASSETS
bad=$tree/bad.tour

run() {
    "$program" "$@" >out 2>err </dev/null
    status=$?
}

passed() {
    [ "$status" -eq 0 ] && [ ! -s err ]
}

failed_with() { # failed_with PATTERN: exit status 1 and one line that says so
    [ "$status" -eq 1 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
        grep -q -e "$1" err
}

write() { # write LINES: a tour of one step that begins with them
    printf 'title = T\n== a: A\ncaption = C\n%b\n' "$1" >"$bad"
}

lists_each_file() {
    passed && [ "$(cut -d' ' -f1 out | sort)" = \
        "$(ls "$top/assets"/tours | sed 's/\.tour$//' | sort)" ]
}

lists_every_step() {
    passed && [ "$(wc -l <out)" -eq "$(grep -c '^==' "$top"/assets/tours/merge.tour)" ] &&
        [ "$(awk -F'\t' '$2 > 0 && $3 != ""' out | wc -l)" -eq "$(wc -l <out)" ]
}

only_noted() {
    [ "$status" -eq 0 ] && grep -q 'line 4: colour: no such key' err
}

hasty() {
    [ "$status" -eq 0 ] && grep -q 'caption: is shown for 1.0 s, but takes' err
}

run tour
result "without arguments it lists the tours that ship" lists_each_file
run list tours
result "so does headlight list tours" lists_each_file
run tour --list "$top"/assets/tours/merge.tour
result "--list prints a line a step" lists_every_step
run tour merge --list
result "a tour that ships is named by its id" lists_every_step
run tour "$top"/assets/tours/merge.tour --describe
result "--describe prints the steps" grep -q 'They only meet as a product' out
for id in $(ls "$top"/assets/tours | sed 's/\.tour$//'); do
    run tour "$id" --check
    result "$id is true" passed
done
# GPT-2 cuts the word in two.
write 'state = tokenizer=gpt2&text=tokenization\nexpect = A(2,1) > 0'
run tour "$bad" --check
result "a step may need other data than the step before" passed
write 'colour = red'
run tour "$bad" --check
result "an unknown key is named and skipped" only_noted
write 'hold = 1\ncaption = Thirty and more characters in one second.'
run tour "$bad" --check
result "words that nobody can read in their time are noted" hasty
write 'light = heads.matrix.9'
run tour "$bad" --check
result "a part that is not in the picture" failed_with 'line 4: light: heads.matrix.9 is not'
write 'state = sed=1'
run tour "$bad" --check
result "a state that cannot be read" failed_with 'line 4: state: sed'
write 'expect = A(9,2) > 1'
run tour "$bad" --check
result "an expectation that fails says what it is" failed_with 'line 4: expect: .*it is 0\.'
write 'say = {A(99,1)}'
run tour "$bad" --check
result "a number that is not in the layer" failed_with 'line 4: say: A(99,1)'
write 'branch = Q b : Why?'
run tour "$bad" --check
result "a branch that leads nowhere" failed_with 'b: branch'
write 'hold = long'
run tour "$bad" --list
result "what cannot be parsed is no list" failed_with 'line 4: hold'
printf '== a: \377\n' >"$bad"
run tour "$bad" --check
result "what is not text is named" failed_with "$bad: is not text"
run tour "$tree/none.tour" --check
result "a file that is not there" failed_with 'none.tour'
head -c 2000000 /dev/zero >"$bad"
run tour "$bad" --check
result "a file that is too large" grep -q "bad.tour: is larger" err
printf 'title = T\ncolour = red\n== a: A\nstate = text=a\n' >"$(printf 'red\033[31m.tour')"
"$program" tour "$(printf 'red\033[31m.tour')" --list >out 2>err
result "a note has no control character of the file's name" \
    [ "$(grep -c 'line 2: colour' err),$(tr -d '\n' <err | grep -c '[[:cntrl:]]')" = "1,0" ]
tap_end
