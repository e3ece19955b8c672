#!/bin/sh
# Recordings as scripts make them: the same frames on any number of threads, errors, and what a
# signal leaves. usage: BUILD=build tests/shell/test_record.sh
. "$(dirname "$0")/../tap.sh"

state='view=wqk&embedding=random&d-model=16&heads=2&size=640x400'
record() { # record FILE WORDS...: one second of a merge
    file=$1
    shift
    "$program" record --state "$state" --keys 'F@0.1' --seconds 1 -o "$file" "$@" >out 2>err </dev/null
}
refused() { # refused STATUS PATTERN FILE WORDS...: of a recording of keys
    expected=$1 pattern=$2
    shift 2
    record "$@"
    [ $? -eq "$expected" ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -q -e "$pattern" err &&
        [ -z "$(find . -name '*.part' -o -name 'never.*')" ]
}
same() {
    [ -s "$1" ] && cmp -s "$1" "$2"
}

for ending in y4m gif apng; do
    record "one.$ending" --threads 1
    record "two.$ending" --threads 2
    record "again.$ending" --threads 2
    result "$ending: one thread and two" same "one.$ending" "two.$ending"
    result "$ending: twice" same "two.$ending" "again.$ending"
done
for take in 1 2; do
    "$program" record --from "pin=3,1&$state" --to 'pin=3,4' --keys 'M@0.5' --cursor 40 --caps yes \
        --threads $take -o "marks$take.y4m" >out 2>err
done
"$program" record --from "pin=3,1&$state" --to 'pin=3,4' --keys 'M@0.5' -o bare.y4m >out 2>err
result "pointer and keys: one thread and two" same marks1.y4m marks2.y4m
result "pointer and keys: drawn" [ "$(cmp -s bare.y4m marks1.y4m; echo $?)" -eq 1 ]
result "a pointer has a size" refused 2 cursor never.gif --cursor huge
record 'frames/%03d.png' --fps 20
result "frames count from 1" [ "$(ls frames | wc -l),$(ls frames | head -n 1)" = "20,001.png" ]
mkdir mixed && for i in 1 2 3 4 5 6 7 8; do echo old >mixed/$i.png; done
mkdir mixed/5.png.d && mv mixed/5.png mixed/5.png.d && mv mixed/5.png.d mixed/5.png
"$program" record --state "$state" --keys 'F@0.1' --fps 20 --seconds 0.3 -o 'mixed/%d.png' >out 2>err
status=$?
result "frames that fail replace no older frame" \
    [ "$status,$(cat mixed/[1-4].png | sort -u),$(ls -A mixed | grep -c part)" = "1,old,0" ]
rm -r mixed/5.png && echo old >mixed/5.png
"$program" record --state "$state" --keys 'F@0.1' --fps 20 --seconds 0.3 -o 'mixed/%d.png' >out 2>err
status=$?
result "frames of a longer, older film stay and are named" \
    [ "$status,$(cat mixed/[78].png),$(grep -lx old mixed/*),$(cut -d: -f2 err)" = "0,old
old,mixed/7.png
mixed/8.png, mixed/7.png" ]
"$program" render --state "$state" --keys 'F@0.1' --time 0.5 -o still.png >out 2>err
"$program" record --state "$state" --keys 'F@0.1' --seconds 1 -o 'all/%d.png' >out 2>err
# A still has the state in it, before its pixels.
pixels=$(($(wc -c <all/31.png) - 200))
tail -c $pixels still.png >still && tail -c $pixels all/31.png >frame
result "a still is a frame" same still frame
record - --format y4m && mv out piped.y4m
result "y4m goes into a pipe" same piped.y4m one.y4m
"$program" record --state "$state" --from 'merge=0' --to 'merge=1' --over 0.5 -o way.y4m >out 2>err
result "one motion has its own length" [ "$(($(wc -c <way.y4m) / (640 * 400 * 3 / 2 + 6)))" -eq 138 ]

cat >short.tour <<'TOUR'
# Headlight tour 1
title = Short
state = embedding=random&d-model=16&heads=2
== one: The first = one
caption = There are {params(separate):,} numbers.
light = heads.matrix.1
hold = 3
== two: The second
state = view=wqk
say = Now they are merged.
at 0.2 play merge 0..0.5 over 0.2
at 0.5 key F
hold = 2
TOUR
tour() {
    "$program" record short.tour --size 640x400 --fps 20 "$@" >out 2>err </dev/null
}
tour -o tour1.y4m --threads 1 --captions srt
tour -o tour2.y4m --threads 2
tour -o tour3.y4m --threads 2
result "a tour: twice" same tour2.y4m tour3.y4m
result "a tour: its own length" [ "$(($(wc -c <tour2.y4m) / (640 * 400 * 3 / 2 + 6)))" -eq 100 ]
result "a tour: words in the picture or next to it" sh -c '! cmp -s tour1.y4m tour2.y4m'
result "a tour: what is said" grep -q '^Now they are merged.$' tour1.srt
result "a tour: numbers in it" grep -q '^There are [0-9,]* numbers.$' tour1.srt
result "a tour: when" grep -q '^00:00:03,000 --> 00:00:05,000$' tour1.srt
printf 'title = Long\n== one: One\nsay = %s {params(separate):,} 完\n' \
    "$(seq -f 'word%g' -s ' ' 200)" >long.tour
"$program" record long.tour --size 400x280 --fps 1 --seconds 1 -o long.gif --captions srt >out 2>err
result "long words keep their end" grep -q "完$" long.srt
printf 'title = T\nstate = form=merged&positions=rope\n== one: One\ncaption = So… {max|dA|:e}\nhold = 1\n%s' \
    '== two: Two' >lacking.tour
for name in never.gif never.pdf; do
    "$program" record lacking.tour --size 400x280 --fps 1 -o $name >out 2>err
    result "a number that no frame shows: $name" [ "$?,$(cat err)" = \
        "1,headlight: lacking.tour: line 4: caption: a number is not computed in this step" ]
done
printf 'title = T\n== one: One\ncaption = Row {sum(99)} here' >wrong.tour
for name in never.gif never.pdf; do
    "$program" record wrong.tour --size 400x280 --fps 1 -o $name >out 2>err
    result "a number that the layer lacks: $name" sh -c "[ $? = 1 ] && grep -q 'line 3: caption: .*sum(99)' err"
done
printf 'title = T\n== a: A\nstate = text=wait … what\ncaption = {token(2)}' >ellipsis.tour
"$program" record ellipsis.tour --size 640x480 --fps 1 --seconds 1 -o ellipsis.gif >out 2>err
result "a token that is an ellipsis" [ "$?,$(cat err)" = "0," ]
"$program" record lacking.tour --size 400x280 --fps 1 --captions none -o none.gif >out 2>err
result "a number in words that are not shown" [ "$?,$(cat err)" = "0," ]
for option in --text=a --heads=2 --seed=9 --weights=trained:word-before --state=heads=2 --from=heads=2 --to=heads=2 \
    --view=graph; do
    tour -o never.gif $option
    result "a tour takes no $option" sh -c "[ $? = 2 ] && [ ! -e never.gif ] && grep -q 'sets its own states' err"
done
tour -o two.gif --steps two..two
result "some steps" test -s two.gif
tour -o slides.pdf
result "slides: a page for each step" grep -a -q '/Count 2' slides.pdf
result "slides: their titles are the outline" grep -a -q '/Title (The first' slides.pdf
tour -o again.pdf
result "slides: twice" same slides.pdf again.pdf
result "slides need a tour" refused 2 'a tour' never.pdf
tour -o never.pdf --seconds 3
result "slides take no seconds" sh -c "[ ! -e never.pdf ] && grep -q -e '--seconds' err"
tour -o never.gif --steps two..one
result "steps in another order" grep -q 'does not name steps in order' err
result "steps of nothing" sh -c "! '$program' record --steps a..b --seconds 1 -o never.y4m 2>err && grep -q 'needs the name' err"
if command -v ffmpeg >/dev/null 2>&1 && ffmpeg -v error -encoders 2>/dev/null | grep -q libx264; then
    tour -o chapters.mp4
    result "chapters" grep -a -q 'The first = one' chapters.mp4
fi
"$program" record --state "$state" --part wqk.product --to merge=1 --size 1200x800 -o part.y4m >out 2>err
result "a part alone" [ "$(head -n 1 part.y4m | sed 's/.*W\([0-9]*\) .*/\1/')" -lt 600 ]
result "a part that is none" refused 2 'no such part' never.gif --part x
result "no name" refused 2 'does not end in' never
result "no length" sh -c "! '$program' record -o never.y4m 2>err && grep -q seconds err"
result "no number in the name" refused 2 'frames/%05d.png' never.png
result "two numbers in the name" refused 2 'frames/%05d.png' 'never.%d%d.png'
result "a string in the name" refused 2 'frames/%05d.png' 'never.%s.png'
result "a GIF with 60 frames a second" refused 2 'fps' never.gif --fps 60
result "an odd size of an MP4" refused 2 'even' never.mp4 --size 641x400
for captions in srt vtt; do
    result "$captions is not for slides" refused 2 'a PDF has no subtitles' never.pdf weights --captions $captions
    result "$captions needs a tour" refused 2 '--captions: .*tour' never.gif --captions $captions
done
result "a wrong key" refused 2 'is not a key' never.gif --keys NoKey
result "a wrong state" refused 2 'heads' never.gif --to heads=x
result "a folder that is none" refused 1 'err' err/never.y4m

echo good >kept.mp4
PATH=/nowhere record kept.mp4
status=$?
result "without ffmpeg: what needs none is named" grep -q '^headlight: kept.mp4: .*is not installed.*\.gif' err
result "without ffmpeg: the older file stays" [ "$status,$(cat kept.mp4)" = "1,good" ]
mkdir bin && printf '#!/bin/sh\necho broken >&2\nexit 3\n' >bin/ffmpeg && chmod +x bin/ffmpeg
PATH=$tree/bin:$PATH record kept.mp4
status=$?
result "an ffmpeg that fails: its words are said" grep -q '^headlight: kept.mp4: ffmpeg: broken' err
result "an ffmpeg that fails: the older file stays" [ "$status,$(cat kept.mp4)" = "1,good" ]
printf '#!/bin/sh\ncat >/dev/null\n' >bin/ffmpeg
PATH=$tree/bin:$PATH record kept.mp4
status=$?
result "an ffmpeg that writes nothing is no success" grep -q '^headlight: kept.mp4: ffmpeg wrote nothing' err
result "an ffmpeg that writes nothing: the older file stays" [ "$status,$(cat kept.mp4)" = "1,good" ]
echo good >linked.gif
ln -s linked.gif linked.srt
tour -o linked.gif --captions srt
result "subtitles in a link to the film" [ "$?,$(cat linked.gif)" = "2,good" ]
cp short.tour copy.srt
"$program" record copy.srt -o copy.gif --captions srt >out 2>err
result "subtitles in the tour's own file" [ "$?,$(cmp copy.srt short.tour)" = "2," ]
echo good >kept.srt
PATH=$tree/bin:$PATH tour -o kept.mp4 --captions srt
status=$?
result "a film that fails: the older subtitles stay" [ "$status,$(cat kept.srt)" = "1,good" ]
# Like ffmpeg 5.1, which reports success although the end of the film had no room.
cat >bin/ffmpeg <<'FFMPEG'
#!/bin/sh
for file; do :; done
cat >/dev/null
head -c 20000 /dev/zero >"${file#file:}"
FFMPEG
record_in() ( # record_in BLOCKS FILE: no file may become larger than this
    ulimit -f "$1"
    PATH=$tree/bin:$PATH record "$2"
)
record_in unlimited roomy.mp4
result "an ffmpeg that succeeds: its film and no more" [ "$?,$(wc -c <roomy.mp4)" = "0,20000" ]
record_in 40 kept.mp4
status=$?
result "an ffmpeg that succeeds on a full disk is no success" grep -q '^headlight: kept.mp4: ffmpeg filled' err
result "an ffmpeg that succeeds on a full disk: the older file stays" \
    [ "$status,$(cat kept.mp4),$(find . -name '*.part')" = "1,good," ]
if command -v ffmpeg >/dev/null 2>&1 && ffmpeg -v error -encoders 2>/dev/null | grep -q libx264; then
    record film.mp4
    result "an MP4 by ffmpeg" [ "$(head -c 8 film.mp4 | tail -c 4)" = ftyp ]
fi

# A merge every half second, so that no picture lasts.
busy=$(awk 'BEGIN { for (i = 0; i < 900; i++) printf "F@%g ", i / 2 }')
for ending in y4m gif apng mp4; do
    for after in 0.1 0.3 0.7; do
        echo good >"kept.$ending"
        "$program" record --state "$state" --keys "$busy" --size 1280x720 \
            -o "kept.$ending" >out 2>err </dev/null &
        sleep $after
        kill -KILL $!
        wait $! 2>/dev/null
        result "$ending: killed after $after s" [ "$(cat "kept.$ending")" = good ]
    done
done
# In a folder of their own, because a killed program's ffmpeg may still make its file in this one.
mkdir stopped && cd stopped || exit 1
# An encoder that opens its file late, when the signal has come.
printf '#!/bin/sh\nfor file; do :; done\nsleep 1\necho late >"${file#file:}"\ncat >/dev/null\n' >../bin/ffmpeg
PATH=$tree/bin:$PATH "$program" record --state "$state" --keys "$busy" -o never.mp4 >out 2>err </dev/null &
sleep 0.5
kill -TERM $!
wait $!
status=$?
sleep 1
result "never.mp4: a signal ends the encoder first" \
    [ "$status,$(find . -name 'never*' -o -name '*.part' | wc -l)" = "1,0" ]
mkdir frames && echo good >frames/1.png
for file in never.gif 'frames/%d.png'; do
    "$program" record --state "$state" --keys "$busy" -o "$file" >out 2>err </dev/null &
    sleep 0.5
    kill -TERM $!
    wait $!
    status=$?
    result "$file: a signal is said" grep -q 'stopped before all of it was written' err
    result "$file: a signal leaves nothing" \
        [ "$status,$(find . -name 'never*' -o -name '*.part' -o -name 2.png | wc -l)" = "1,0" ]
done
result "a signal keeps the older frames" [ "$(cat frames/1.png)" = good ]
tap_end
