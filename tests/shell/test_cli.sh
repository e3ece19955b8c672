#!/bin/sh
# The program as scripts call it: exit statuses, what is printed where, files, hostile values.
# usage: BUILD=build tests/shell/test_cli.sh
. "$(dirname "$0")/../tap.sh"
assets=$top/assets
name=

run() {
    "$program" "$@" >out 2>err </dev/null
    status=$?
}

succeeded() {
    [ "$status" -eq 0 ] && [ ! -s err ]
}

# One line "headlight: WHAT: WHY", nothing on standard output, nothing new in the folder.
failed_well() { # failed_well STATUS PATTERN
    [ "$status" -eq "$1" ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
        grep -q '^headlight: ..*: ..*' err && grep -q -e "$2" err && [ -z "$(leftovers)" ]
}

agrees() { # agrees EDITS
    succeeded && cmp -s a.safetensors b.safetensors &&
        tr -d '\0' <a.safetensors | head -c 100000 | grep -aqF "$(printf '%s' "$1" | sed 's/;.*//; s/=.*//')"
}

leftovers() {
    find . -name '*.part' -o -name 'never.*'
}

# refuse STATUS PATTERN WORDS...
refuse() {
    name="refused: $(printf '%.60s' "$(shift 2 && echo "$*" | tr -d '\200-\377\n')")"
    expected=$1 pattern=$2
    shift 2
    run "$@"
    result "$name" failed_well "$expected" "$pattern"
}

# expect NAME CHECK WORDS...
expect() {
    name=$1 check=$2
    shift 2
    run "$@"
    eval "result \"\$name\" $check"
}

same() {
    succeeded && cmp -s "$1" "$2"
}
differ() {
    succeeded && ! cmp -s "$1" "$2"
}
holds() { # holds FILE TEXT
    [ "$(cat "$1")" = "$2" ]
}

# Help, version, lists

for verb in '' render export compare train bench list; do
    expect "help of '$verb'" succeeded $verb --help
    result "its usage line names it" grep -q "^Usage: headlight $verb" out
    cp out help
    expect "help $verb is the same" 'same help out' help $verb
done
name="help of bench names each timing, and no other"
run bench sideways
sed 's/.*there are: //; s/, /\n/g' err >timings
run bench --help
result "$name" eval 'sed -n "/^WHAT/,/^\$/s/^  \([a-z]*\) .*/\1/p" out | diff timings - >&2'
name="version"
run --version
result "$name" grep -Eqx 'headlight [0-9]+\.[0-9]+\.[0-9]+([+~][a-z0-9.]+)?' out
name="help names every state option"
run render --help
every_option() {
    for option in text text-file weights tokenizer embedding positions d-model heads d-k d-v scale \
        temperature mask form init seed view theme palette size ui-scale head; do
        grep -q -e "--$option " out || { echo "#   --$option" && return 1; }
    done
}
result "$name" every_option
for kind in schemes views palettes themes forms masks tokenizers embeddings positions tasks optimisers; do
    expect "list $kind: one id a line" "grep -Eqx '[a-z][a-z0-9_]*' out" list $kind
    cp out ids
    name="list $kind --json has the same ids"
    run list $kind --json
    sed -n 's/^ *"id": "\(.*\)",$/\1/p' out >json_ids
    result "$name" same ids json_ids
done
name="lists hold what the contract names"
contract_ids() {
    for pair in schemes:xavier_uniform schemes:xavier_normal schemes:he_normal schemes:normal \
        schemes:normal_002 schemes:orthogonal schemes:identity forms:separate forms:merged \
        masks:none masks:causal tokenizers:words embeddings:glove embeddings:random \
        embeddings:onehot positions:none positions:sinusoidal; do
        "$program" list "${pair%:*}" | grep -qx "${pair#*:}" || { echo "#   $pair" && return 1; }
    done
}
result "$name" contract_ids

# Wrong calls

refuse 2 'there are: schemes' list nothings
refuse 2 'needs KIND' list
refuse 2 'one argument too many' list schemes views
refuse 2 'not an option of headlight list' list schemes --heads 2
refuse 2 'did you mean --heads' render -o never.png --haeds 2
refuse 2 'did you mean render' rendr
refuse 2 'no such option' --frobnicate
refuse 2 'no such verb' ''
refuse 2 'render, export' frobnicate
refuse 2 '--tokens 4097' bench forward --tokens 4097
refuse 2 'no such kind' list ''
refuse 2 'is missing' render
refuse 2 'is missing' export --heads 2
refuse 2 'needs a value' render -o
refuse 2 '^headlight: -o: needs' render -o ''
refuse 2 'one argument too many' render -o never.png -- stray
refuse 2 'one argument too many' render -o never.png stray
refuse 2 'there are: png, svg' render -o never.gif
refuse 2 'there are: png' render -o never.jpeg
refuse 2 'does not end in a known format' render -o never
refuse 2 'there are: safetensors' export -o never.png
refuse 2 'needs --format' export -o -
refuse 2 '--format csv' export -o - --format csv
refuse 2 'cannot go to standard output' export -o - --format npz
refuse 2 'cannot go to standard output' export -o - --format py
refuse 2 '^headlight: --code: .*\.py' export -o never.npz --code numpy
refuse 2 '^headlight: --code perl: ' export -o never.py --code perl
refuse 2 'replace its own tensors' export -o never.safetensors --format py
echo good >linked.safetensors
ln -s linked.safetensors linked.py
refuse 2 'replace its own tensors' export -o linked.py
result "a link to the tensors keeps them" holds linked.safetensors good
refuse 2 'valid UTF-8' export -o "never$(printf '\377').py"
mkdir taken.dir taken.dir/a.py taken.dir/b.safetensors
"$program" export -o own.safetensors && cp own.safetensors own.before
refuse 2 'holds the weights' export --weights own.safetensors -o own.py
result "a script does not replace the weights it is made from" cmp -s own.safetensors own.before
rm own.safetensors own.before
refuse 1 'a\.py: ' export -o taken.dir/a.py
refuse 1 'b\.safetensors: ' export -o taken.dir/b.py
rmdir taken.dir/a.py taken.dir/b.safetensors
name="a script that cannot be written leaves no tensors, and the other way round"
result "$name" rmdir taken.dir
refuse 2 'cannot go to standard output' render -o - --format png
refuse 2 'there are: forward' bench sideways
refuse 2 'needs WHAT' bench
refuse 2 '--tokens 0' bench forward --tokens 0
refuse 2 'takes no value' bench forward --json=yes

# Hostile values

while read -r option value; do
    refuse 2 "$option" export -o never.safetensors "$option" "$value"
    refuse 2 "$option" export -o never.safetensors "$option=$value"
done <<'END'
--heads 0
--heads 65
--heads -1
--heads 4.5
--heads 1e1
--heads 0x4
--heads four
--heads 99999999999999999999999
--heads
--d-model 0
--d-model 4097
--d-model nan
--d-k 0
--d-v 4097
--temperature 0
--temperature -1
--temperature inf
--temperature nan
--temperature 1,5
--temperature 0x1p3
--temperature 1e999
--seed -1
--seed 18446744073709551616
--seed 1.0
--tokenizer bpe
--embedding GLOVE
--positions rotary
--scale 8
--mask bogus
--mask window:
--open 3
--close 1-2,0-1
--form rank:0
--form bogus
--init xavier
--head 0
--head 5
--head 65
END
for value in 0x0 100 100x x100 1920X1080 -5x100 99999x99999 1e3x1e3 100x100x100 ''; do
    refuse 2 '--size' render -o never.png --size "$value"
done
for value in 0 0.5 4 -1 nan; do
    refuse 2 '--ui-scale' render -o never.png --ui-scale "$value"
done
refuse 2 '--view' render -o never.png --view nowhere
refuse 2 '--theme' render -o never.png --theme solarized
refuse 2 '--palette' render -o never.png --palette jet
refuse 2 'is not divisible' export -o never.safetensors --heads 7
for state in '%zz' 'heads' 'bogus=1' 'heads=0' 'heads=7' '=' 'text=%00' 'text=%ff' 'heads=4%'; do
    refuse 2 . export -o never.safetensors --state "$state"
done

# Texts

refuse 2 'no token' export -o never.safetensors --text ''
refuse 2 'no token' render -o never.png --text '   '
refuse 2 'not UTF-8 at byte 1' export -o never.safetensors --text "$(printf 'a\377b')"
refuse 2 'not UTF-8' export -o never.safetensors --text "$(printf '\355\240\200')"
printf 'a\000b' >nul.txt
refuse 2 'NUL at byte 1' export -o never.safetensors --text-file nul.txt
refuse 1 'no such file' export -o never.safetensors --text-file missing.txt
mkfifo text.fifo
while read -r file why; do
    [ ! -e "$file" ] || refuse 1 "^headlight: $file: $why" export -o never.npz --text-file "$file"
done <<'END'
. is a folder
text.fifo is not a regular file
/dev/null is not a regular file
/proc/self/mem has no size
/proc/self/status has no size
END
head -c 1048577 /dev/zero | tr '\000' 'a' >large.txt
refuse 2 '1048576' export -o never.safetensors --text-file large.txt
awk 'BEGIN { for (i = 0; i < 4097; i++) printf "a " }' >tokens.txt
refuse 2 '4097 tokens' export -o never.safetensors --text-file tokens.txt
name="4096 tokens are taken"
awk 'BEGIN { for (i = 0; i < 4096; i++) printf "a " }' >tokens.txt
run export -o most.safetensors --text-file tokens.txt --d-model 8 --heads 1
result "$name" succeeded
rm -f most.safetensors
name="a text from standard input is the same as one given"
run export -o given.safetensors --text 'naïve café 日本 😀'
printf 'naïve café 日本 😀' | "$program" export -o piped.safetensors --text-file - >out 2>err
status=$?
result "$name" same given.safetensors piped.safetensors

# Export

expect "export writes a file" succeeded export -o one.safetensors
expect "again, to the byte" 'same one.safetensors two.safetensors' export -o two.safetensors
for format in npz json; do
    name="export writes $format, the same bytes each time"
    run export -o two.$format --mask causal
    run export -o three.$format --mask causal
    result "$name" same two.$format three.$format
done
name="a saved pass is taken as weights, from either format"
"$program" export -o pass.npz --seed 7 --heads 2 --d-model 8 --bias all --text 'a b c' >out 2>err
"$program" export -o pass.safetensors --seed 7 --heads 2 --d-model 8 --bias all --text 'a b c'
run export -o two.safetensors --weights pass.npz
taken() { # all but the state in the metadata
    succeeded && tail -c 1000 pass.safetensors >one.tail && tail -c 1000 two.safetensors >two.tail &&
        cmp -s one.tail two.tail
}
result "$name" taken
run render -o two.png --weights pass.safetensors --size 640x480
name="a picture of weights"
result "$name" succeeded
refuse 1 'no second sentence' render -o never.svg --weights pass.safetensors --second 'a b'
name="a state string names weights"
refuse 2 '^headlight: --state =3: is not written as key=value' export -o never.npz --state '=3'
run export -o three.safetensors --state 'weights=pass.npz'
result "$name" same two.safetensors three.safetensors
refuse 2 '^headlight: --heads 4: .*pass.npz asks for 2' export -o never.npz --weights pass.npz --heads 4
refuse 2 '^headlight: --heads 4: .*pass.npz asks for 2' export -o never.npz --heads 4 --weights pass.npz
refuse 2 'asks for 8' export -o never.npz --state 'weights=pass.npz&d-model=16'
refuse 2 'asks for 8' export -o never.npz --d-model 16 --state 'weights=pass.npz'
refuse 1 'no such file' export -o never.npz --weights missing.npz
printf 'not an archive, and long enough to be one' >two.npz.npz
refuse 1 'zip archive' export -o never.npz --weights two.npz.npz
refuse 2 'end in .safetensors or .npz' export -o never.npz --weights pass.json
refuse 2 'needs the name' export -o never.npz --weights ''
refuse 2 '^headlight: --pin 99,1: there are 12 tokens' export -o never.npz --pin 99,1
refuse 2 '^headlight: --pin 1,13: there are 12 tokens' render -o never.png --pin 1,13
printf ' ' >blank.txt
refuse 2 '^headlight: --text-file blank.txt: has no token' export -o never.npz --text-file blank.txt
name="help fits a terminal of 100 columns"
run render --help
narrow() {
    succeeded && [ -z "$(awk 'length > 104' out)" ]
}
result "$name" narrow
refuse 2 'contains X' bench forward --weights pass.npz
refuse 2 'second file' --weights pass.npz pass.safetensors
expect "json goes to standard output too" 'same two.json out' \
    export -o - --format json --mask causal
expect "to standard output, the same bytes" 'same one.safetensors out' \
    export -o - --format safetensors
expect "defaults said aloud change nothing" 'same one.safetensors two.safetensors' \
    export -o two.safetensors --heads 4 --d-model=64 --seed 1 --embedding glove --mask none \
    --text "the animal didn't cross the street because it was too tired"
name="a state string is the same as its options"
run export -o two.safetensors --heads 8 --text 'a & b=c' --mask causal
run export -o three.safetensors --state 'heads=8&text=a%20%26%20b%3Dc&mask=causal'
result "$name" same two.safetensors three.safetensors
expect "another seed gives other numbers" 'differ one.safetensors two.safetensors' \
    export -o two.safetensors --seed 2
for scheme in $("$program" list schemes); do
    expect "export with $scheme" succeeded export -o scheme.safetensors --init "$scheme"
done
expect "merged, causal, one head, odd widths" succeeded \
    export -o odd.safetensors --form merged --mask causal --heads 1 --d-model 7 --d-k 3 --d-v 5
expect "a huge temperature and a tiny one" succeeded export -o odd.safetensors --temperature 1e-6

name="--grad adds the gradients"
run export -o - --format safetensors
cp out plain.safetensors
run export -o grad.safetensors --grad
has_gradients() {
    succeeded && for tensor in G grad.X grad.W_Q grad.W_K grad.W_V grad.W_O grad.S grad.A; do
        grep -aq "\"$tensor\":" grad.safetensors && ! grep -aq "\"$tensor\":" plain.safetensors ||
            return 1
    done
}
result "$name" has_gradients
name="gradients of every distance, merged with rope"
run export -o grad.safetensors --grad --form merged --positions rope --d-model 8
has_family() {
    succeeded && grep -aq '"grad.W_QK_offset":' grad.safetensors
}
result "$name" has_family
expect "its help names it" "grep -q -e '--grad ' out" export --help
refuse 2 'takes no value' export -o never.safetensors --grad=yes
refuse 2 'not an option of headlight render' render -o never.png --grad
name="on a terminal, a verb over a second says how long it has taken"
if script -qec true /dev/null >/dev/null 2>&1; then
    script -qec "'$program' bench frame --tokens 2 --heads 1 --size 400x280 >result" /dev/null >out 2>err
    status=$?
    result "$name" eval 'grep -q "bench: 2 s" out && grep -q "^frame: median" result'
else
    result "$name" echo "# SKIP no script" >/dev/null
fi
name="bench backward times forward and backward"
run bench backward --tokens 2 --d-model 4 --heads 1 --json
is_backward() {
    succeeded && grep -q '"what": "backward"' out
}
result "$name" is_backward

# Pictures

png_size() { # the width and height in a PNG's header, as WxH
    od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }'
}
name="render writes a PNG of the size asked for"
run render -o one.png --size 800x600
is_png() {
    succeeded && [ "$(head -c 4 "$1" | tail -c 3)" = PNG ] && [ "$(png_size "$1")" = "$2" ]
}
result "$name" is_png one.png 800x600
expect "again, to the byte" 'same one.png two.png' render -o two.png --size 800x600
expect "1920x1080 where no size is given" 'is_png full.png 1920x1080' render -o full.png
expect "the ending's case does not matter" 'is_png upper.PNG 400x280' \
    render -o upper.PNG --size 400x280
expect "render writes an SVG with text as text" "grep -q '>animal</text>' one.svg" \
    render -o one.svg --size 800x600
name="an error in the picture fails the verb and keeps the older file"
for format in png svg; do
    cp one.svg older
    cp one.svg "shown.$format"
    run render -o "shown.$format" --view heads --minus head:9
    result "$name" eval 'failed_well 1 "no head 9" && cmp -s older "shown.$format"'
    run render -o "shown.$format" --size 320x240
    result "$name" eval 'failed_well 1 "too small to show" && cmp -s older "shown.$format"'
done
LIBGL_ALWAYS_SOFTWARE=1 EGL_PLATFORM=none LIBGL_DRIVERS_PATH=/nowhere SDL_VIDEODRIVER=nowhere \
    expect "the same picture whatever draws OpenGL" 'same one.png two.png' \
    render -o two.png --size 800x600
EGL_PLATFORM=none LIBGL_DRIVERS_PATH=/nowhere SDL_VIDEODRIVER=nowhere \
    expect "an SVG needs no OpenGL" 'same one.svg two.svg' \
    render -o two.svg --size 800x600
expect "an SVG to standard output" 'same one.svg out' render -o - --format svg --size 800x600
for view in $("$program" list views); do
    for theme in $("$program" list themes); do
        expect "view $view, theme $theme" 'is_png view.png 640x480' \
            render -o view.png --view "$view" --theme "$theme" --size 640x480
    done
done
for palette in $("$program" list palettes); do
    expect "palette $palette" 'is_png palette.png 640x480' \
        render -o palette.png --palette "$palette" --size 640x480
done
expect "another text is another picture" 'differ one.png two.png' \
    render -o two.png --size 800x600 --text 'one two three'
for text in a 'مرحبا بالعالم' '👩‍👩‍👧‍👦 🏳️‍🌈' 'ᚠᛇᚻ᛫ᛒᛦᚦ' '𒀀𒁀' 'Z͑ͫ̓a̧͎͋l̀g̸o'; do
    expect "a text few fonts have: $text" 'is_png text.png 640x480' \
        render -o text.png --size 640x480 --text "$text"
done

# The surroundings

name="without HOME and with an odd locale: the same picture"
env -u HOME LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 XDG_RUNTIME_DIR= "$program" render -o two.png \
    --size 800x600 >out 2>err
status=$?
result "$name" same one.png two.png
name="the same numbers"
LC_ALL=de_DE.UTF-8 "$program" export -o two.safetensors --temperature 1.5 >out 2>err
LC_ALL=C "$program" export -o three.safetensors --temperature 1.5 >out 2>err
status=$?
result "$name" same two.safetensors three.safetensors
name="decimal points in JSON whatever the locale"
LC_ALL=de_DE.UTF-8 "$program" bench forward --tokens 2 --d-model 4 --heads 1 --json >out 2>err
status=$?
result "$name" grep -Eq '"us_median": [0-9.e-]+, "us_min": [0-9.e-]+, "us_p99": [0-9.e-]+, "us_cpu": [0-9.e-]+, "runs": [0-9]+}$' out
name="from a folder that cannot be written"
mkdir closed && chmod 555 closed
(cd closed && "$program" export -o "$tree/two.safetensors" >"$tree/out" 2>"$tree/err")
status=$?
result "$name" same one.safetensors two.safetensors
name="standard input and output closed"
"$program" export -o two.safetensors <&- >&- 2>err
status=$?
: >out
result "$name" same one.safetensors two.safetensors
name="a closed standard output is an error with a remedy"
"$program" export -o - --format json >&- 2>err
status=$?
: >out
result "$name" failed_well 1 '^headlight: standard output: is closed; .*-o'
HEADLIGHT_ASSETS=$tree/closed \
    expect "missing word vectors are named, with what to do" "failed_well 1 'glove.safetensors.*HEADLIGHT_ASSETS'" \
    export -o never.safetensors
name="those that a person chose are found in their own folder"
mkdir -p own/headlight/words
cp "$assets/words/glove.safetensors" own/headlight/words/
XDG_DATA_HOME=$tree/own HEADLIGHT_ASSETS=$tree/closed "$program" export -o two.safetensors >out 2>err
status=$?
result "$name" same one.safetensors two.safetensors
name="and the program's own come first, and first is what fails of those"
printf 'not tensors at all' >own/headlight/words/glove.safetensors
XDG_DATA_HOME=$tree/own "$program" export -o two.safetensors >out 2>err
status=$?
result "$name" same one.safetensors two.safetensors
name="a pipe is no session, and no window waits for one"
mkfifo pipe.headlight
DISPLAY=:nowhere run pipe.headlight
result "$name" failed_well 1 'pipe.headlight.*regular'
name="help reads no file"
mkdir -p pipes/headlight pipes/gpt2
mkfifo pipes/headlight/settings pipes/gpt2/gpt2.safetensors pipes/text
XDG_CONFIG_HOME=$tree/pipes run --help
result "$name" succeeded
XDG_CONFIG_HOME=$tree/pipes DISPLAY=:nowhere \
    expect "and nobody waits for pipes: settings" "failed_well 2 'heads'" \
    --heads 0
HEADLIGHT_ASSETS=$tree/pipes expect "merges" "failed_well 1 'regular'" \
    export -o never.npz --embedding random --tokenizer gpt2
refuse 1 'regular' export -o never.npz --text-file pipes/text
# What nobody wrote is not called an option.
refuse 2 '^headlight: heads 4: 10 is not divisible' export -o never.npz --d-model 10
refuse 2 '^headlight: --heads 3: 64 is not divisible' export -o never.npz --heads=3
refuse 2 '^headlight: heads 0: ' export -o never.npz --state 'heads=0'
refuse 2 '^headlight: seeds 100: ' compare -o never.json --seed 18446744073709551614
FONTCONFIG_FILE=$tree/missing expect "fontconfig's own complaints are not shown" succeeded \
    render -o fonts.png --size 400x280
name="nor that it ignores a locale"
LC_ALL=$(printf 'a%.0s' $(seq 600)) run render -o fonts.png --size 400x280
result "$name" succeeded
HEADLIGHT_ASSETS=$tree/closed expect "and not needed for another embedding" succeeded \
    export -o two.safetensors --embedding random
name="broken word vectors are an error"
mkdir -p broken/words && printf 'not tensors at all' >broken/words/glove.safetensors
HEADLIGHT_ASSETS=$tree/broken "$program" render -o never.png >out 2>err
status=$?
result "$name" failed_well 1 'glove.safetensors'

# Tokenizers

name="tokens are exported as they are, and parts of characters in hexadecimal"
run export -o - --format safetensors --tokenizer gpt2 --text "it's 日本"
result "$name" grep -qaF "[\\\"it\\\",\\\"'s\\\",\\\"␣⟨E6⟩\\\",\\\"⟨97⟩\\\"," out
HEADLIGHT_ASSETS=$tree/closed \
    expect "missing merges are named, with what to do" "failed_well 1 'gpt2.safetensors.*HEADLIGHT_ASSETS'" \
    export -o never.safetensors --tokenizer gpt2 --embedding random
name="broken merges are an error"
mkdir -p broken/gpt2 && printf 'not tensors at all' >broken/gpt2/gpt2.safetensors
HEADLIGHT_ASSETS=$tree/broken "$program" render -o never.png --tokenizer gpt2 \
    --embedding random >out 2>err
status=$?
result "$name" failed_well 1 'gpt2.safetensors'
HEADLIGHT_ASSETS=$tree/broken expect "and not needed for another tokenizer" succeeded \
    export -o two.safetensors --tokenizer chars --embedding random

# Training

expect "train writes a row a step" succeeded train -o steps.csv
name="with what a step is told by"
[ "$(head -1 steps.csv)" = \
    step,loss,held_out,score,norm.grad.W_Q,norm.grad.W_K,norm.grad.W_V,norm.grad.W_O ] &&
    [ "$(wc -l <steps.csv)" = 402 ]
result "$name" test $? = 0
name="Xavier learns the word before"
learned() {
    awk -F, -v init="$1" '$1 == 400 { loss = $3; score = $4 }
        END { print "#   " init ": held-out loss " loss ", score " score; exit !('"$2"') }' "$3"
}
result "$name" learned xavier_uniform 'loss < 0.02 && score > 0.7' steps.csv
expect "and a start at 0.02 lags" "learned normal_002 'loss > 0.4 && score < 0.2' small.csv" \
    train -o small.csv --init normal_002
expect "what is memorised is of no use on other orders" "learned sentence 'loss > 0.5 && score < 0.2' one.csv" \
    train -o one.csv --train-data sentence
expect "one layer cannot learn what followed the last time" "learned followed 'loss > 0.2 && score < 0.2' followed.csv" \
    train -o followed.csv --train-task followed
expect "the weights at the last step are those to go on from" succeeded \
    train -o trained.safetensors --train-steps 30
run train -o more.csv --weights trained.safetensors --train-steps 1
[ "$(sed -n 2p more.csv | cut -d, -f3,4)" = "$(sed -n 32p steps.csv | cut -d, -f3,4)" ]
result "$name" test $? = 0
expect "train to standard output" succeeded \
    train -o - --format json --train-steps 1 --embedding random
name="with the held-out loss and the score at the first step and the last"
[ "$(grep -c '"held_out": [0-9.]*, "score": [0-9.]*' out)" = 2 ]
result "$name" test $? = 0
name="and norms of the biases and the word vectors, if they are trained"
run train -o - --format csv --bias all --train-embedding trained --train-steps 1
[ "$(head -1 out | cut -d, -f9-)" = \
    norm.grad.b_Q,norm.grad.b_K,norm.grad.b_V,norm.grad.b_O,norm.grad.E ]
result "$name" test $? = 0
refuse 2 'is missing' train
refuse 2 'there are: safetensors, json, csv' train -o never.npz
refuse 2 '--train-batch' train -o never.csv --train-batch 0
refuse 2 '--train-task' train -o never.csv --train-task nothing
refuse 2 'not an option of headlight train' train -o never.csv --palette viridis
refuse 2 '--form rank: .*Separate' train -o never.csv --form rank:4
refuse 2 '--form merged: .*Separate' train -o never.csv --form merged --positions rope
refuse 1 'overflowed at step' train -o never.safetensors --init normal --train-optimiser sgd \
    --train-rate 0.5

# The study over many seeds

expect "compare writes every scheme" succeeded compare -o study.csv --seeds 2
name="and every key of every scheme"
every_key() {
    for scheme in $("$program" list schemes); do
        for key in std.W_Q std.W_K std.W_V std.W_O std.Q std.K std.V std.S std.Z std.Y entropy.A \
            max.A std.grad.X std.grad.W_Q std.grad.W_K std.grad.W_V std.grad.W_O; do
            grep -Eq "^$scheme,1,$key,[-+.e0-9]+,[-+.e0-9]+,[-+.e0-9]*,[-+.e0-9]*$" study.csv ||
                { echo "#   $scheme $key" && return 1; }
        done
    done
}
result "$name" every_key
name="the number of threads changes no byte"
run compare -o one.json --seeds 6 --depth 2 --threads 1 --schemes mimetic,xavier_uniform,gpt2
run compare -o five.json --seeds 6 --depth 2 --threads 5 --schemes mimetic,xavier_uniform,gpt2
result "$name" same one.json five.json
expect "compare to standard output" 'same one.json out' \
    compare -o - --format json --seeds 6 --depth 2 --schemes mimetic,xavier_uniform,gpt2
name="more seeds begin with the fewer"
run compare -o - --format csv --seeds 1 --seed 5 --schemes normal
cp out five
run compare -o - --format csv --seeds 1 --seed 6 --schemes normal
result "$name" differ five out
refuse 2 'is missing' compare
refuse 2 'there are: json, csv' compare -o never.png
refuse 2 '--schemes bogus' compare -o never.json --schemes bogus
refuse 2 'did you mean xavier_normal' compare -o never.json --schemes gpt2,xavier_normla
refuse 2 'named twice' compare -o never.json --schemes gpt2,zeros,gpt2
refuse 2 '--schemes' compare -o never.json --schemes ''
refuse 2 '--schemes' compare -o never.json --schemes gpt2,
refuse 2 '--schemes' compare -o never.json --schemes ,gpt2
for seeds in 0 -1 1.5 x '' 99999999999999999999; do
    refuse 2 '--seeds' compare -o never.json --seeds "$seeds"
done
refuse 2 'from 1 to' compare -o never.json --seeds 1000000000
refuse 2 'past the last seed' compare -o never.json --seeds 3 --seed 18446744073709551614
refuse 2 '--threads' compare -o never.json --threads 0
refuse 2 '--threads' compare -o never.json --threads 65
refuse 2 '--depth' compare -o never.json --depth 1025
refuse 2 'from 1 to' compare -o never.json --depth 1024 --d-model 2048 --schemes zeros
refuse 2 'from 1 to 1024' compare -o never.json --d-model 1028 --schemes mimetic --seeds 1
refuse 1 'no such file or folder' compare -o gone/never.json --seeds 100000
echo old >study.json
for stop in TERM INT QUIT XCPU USR1 USR2 ALRM VTALRM PROF; do
    if [ $stop != TERM ] && ! command -v timeout >/dev/null; then
        continue # a shell's own children in the background do not hear them
    fi
    name="compare stops on SIG$stop"
    if [ $stop != TERM ]; then
        timeout --preserve-status -s $stop 0.2 "$program" compare -o study.json --seeds 100000 \
            >out 2>err
        status=$?
    else
        "$program" compare -o study.json --seeds 100000 >out 2>err &
        sleep 0.2
        kill -TERM $!
        wait $!
        status=$?
    fi
    result "$name" failed_well 1 '^headlight: [a-z.]*: stopped' # before its draws or among them
    name="and leaves the older file"
    result "$name" holds study.json old
done

# A step of 4000 tokens takes seconds.
yes a | head -n 4000 >long.txt
for words in 'export --d-model 2048 --heads 1' 'train --format json --text-file long.txt'; do
    name="${words%% *} stops on SIGTERM"
    echo old >study.json
    # shellcheck disable=SC2086
    "$program" $words -o study.json >out 2>err &
    for wait in $(seq 200); do
        [ -n "$(leftovers)" ] && break
        sleep 0.05
    done
    began=$(date +%s)
    kill -TERM $!
    wait $!
    status=$?
    result "$name" failed_well 1 '^headlight: study.json: stopped'
    name="and leaves the older file"
    result "$name" holds study.json old
    name="and at once"
    result "$name" [ $(($(date +%s) - began)) -le 2 ]
done

if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
    name="a verb that takes more than a second says so on a terminal"
    script -qec "timeout -k 5 2 '$program' train --format json --text-file long.txt -o study.json" \
        /dev/null >terminal </dev/null
    result "$name" grep -q 'train: 1 s' terminal
fi

for words in 'export --format safetensors' 'render --format png --size 400x300'; do
    name="${words%% *} to /dev/stdout, which is a pipe"
    # shellcheck disable=SC2086
    "$program" $words -o piped.file >out 2>err
    # shellcheck disable=SC2086
    "$program" $words -o /dev/stdout 2>>err | cmp -s - piped.file
    result "$name" [ "$?,$(cat err)" = 0, ]
done

name="a pipe that nobody reads is waited for, but not against SIGTERM"
if command -v timeout >/dev/null; then
    mkfifo pipes/unread.json
    timeout --preserve-status -k 5 0.7 "$program" export -o pipes/unread.json >out 2>err
    status=$?
    result "$name" failed_well 1 '^headlight: pipes/unread.json: stopped'
fi

# Little address space: some libraries of linear algebra wait for ever for theirs. A sanitizer needs
# more than that, and macOS has no such limit.

case $(uname -s)-$program in
Linux-*/san/* | Linux-*/tsan/*) ;;
Linux-*)
    for words in 'list schemes' 'export -o - --format safetensors'; do
        name="within 150 MB of address space: $words"
        (ulimit -v 150000 && timeout 30 "$program" $words >out 2>err)
        status=$?
        result "$name" succeeded
    done
    name="singular values are refused where they have no room"
    (ulimit -v 250000 && timeout 30 "$program" compare --seeds 1 -o never.json >out 2>err)
    status=$?
    result "$name" failed_well 1 '^headlight: memory: '
    for files in 5 6 7 8; do
        name="one line that says that only $files files may be open"
        timeout 30 sh -c "ulimit -n $files; exec \"\$0\" render -o never.png" "$program" >out 2>err
        status=$?
        result "$name" failed_well 1 '^headlight: .*: too many files are open'
    done
    ;;
esac

# Output that cannot be written

refuse 1 'is a folder' export -o closed --format safetensors
refuse 1 'no such file or folder' export -o gone/never.safetensors
refuse 1 'no such file or folder' render -o gone/never.png --size 640x480
if [ "$(id -u)" -ne 0 ]; then
    refuse 1 'permission denied' export -o closed/never.safetensors
fi
echo old >kept.safetensors
chmod 640 kept.safetensors
name="what npz cannot hold is refused before anything is written"
{ yes a | head -n 20 && head -c 900000 /dev/zero | tr '\0' b; } >wide.txt
(ulimit -f 1 && "$program" export -o never.npz --embedding random --text-file wide.txt >out 2>err)
status=$?
result "$name" failed_well 1 'tokens: texts padded to the longest'
name="a full disk leaves the older file"
(ulimit -f 16 && "$program" export -o kept.safetensors >out 2>err)
status=$?
result "$name" failed_well 1 '^headlight: kept.safetensors: '
name="as it was"
result "$name" holds kept.safetensors old
name="success replaces it and keeps its mode"
run export -o kept.safetensors
kept_mode() {
    cmp -s one.safetensors kept.safetensors && ls -l kept.safetensors | grep -q '^-rw-r-----'
}
result "$name" kept_mode
if [ -c /dev/full ]; then
    for words in '--help' '--version' 'list schemes' 'list masks --json' 'render --help' \
        'export -o - --format safetensors' 'compare -o - --format csv --seeds 1' \
        'bench forward --tokens 2 --d-model 4 --heads 1'; do
        name="a full standard output is an error: $words"
        "$program" $words >/dev/full 2>err
        status=$?
        : >out
        result "$name" failed_well 1 'standard output: no space'
    done
    refuse 1 '/dev/full' export -o /dev/full --format safetensors
fi
# The command line, the state string and the exported file agree on every number set by hand.
for edits in 'X(2,3)=0.5;W_Q1(2,3)=0.5;W_K2(1,1)=0.25;W_V1(1,2)=0.125;W_O(3,4)=0.75' \
    'b_Q1(1,2)=0.5;b_K1(1,2)=0.5;b_V2(1,1)=0.25;b_O(1,3)=0.5;S1(7,5)=5' \
    'gain2(1,1)=0.5;mean3(1,1)=1;sigma4(3)=2' 'W_QK1(2,3)=0.5'; do
    case $edits in W_QK*) form=merged ;; *) form=separate ;; esac
    name="--set equals set= in a state, and the export names it: $edits"
    "$program" export -o a.safetensors --bias all --form $form --set "$edits" >out 2>err &&
        "$program" export -o b.safetensors --bias all --form $form \
            --state "set=$(printf '%s' "$edits" | sed 's/=/%3D/g')" >>out 2>>err
    status=$?
    result "$name" agrees "$edits"
done

name="a closed standard output is an error"
"$program" list schemes >&- 2>err
status=$?
: >out
result "$name" failed_well 1 'standard output'
name="a reader that goes away is an error"
(
    sleep 0.3
    "$program" export -o - --format safetensors --d-model 256 2>err
    echo $? >status
) | :
status=$(cat status)
: >out
result "$name" failed_well 1 'standard output: the reading program closed'

tap_end
