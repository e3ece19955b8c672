#!/bin/sh
# Does tests/check_layers.sh catch what it is there to catch? Each case puts one fault into a
# small tree that is otherwise clean.
set -u
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d) || exit 1
trap 'rm -rf "$tree"' EXIT
count=0 failures=0

clean_tree() {
    rm -rf "$tree"/*
    mkdir -p "$tree/src/base" "$tree/src/model" "$tree/src/gfx" "$tree/src/views" "$tree/tests/model"
    printf 'int one(void);\n' >"$tree/src/base/one.h"
    printf '#include "base/one.h"\nint one(void) {\n    return 1;\n}\n' >"$tree/src/base/one.c"
    printf '#include "base/one.h"\n' >"$tree/src/model/two.h"
    printf '#include "draw/draw.h"\n' >"$tree/src/gfx/paint.c"
    printf '#include "model/two.h"\n' >"$tree/src/views/view.c"
    compile
}

compile() {
    rm -f "$tree/libcore.a"
    ${CC:-cc} -I"$tree/src" -w -c "$tree/src/base/one.c" -o "$tree/one.o" &&
        ar rcs "$tree/libcore.a" "$tree/one.o" && rm -f "$tree/one.o"
    mkdir -p "$tree/build" && mv "$tree/libcore.a" "$tree/build/"
}

# expect NAME STATUS PATTERN: the check ends so, and says something that matches.
expect() {
    count=$((count + 1))
    said=$("$here/check_layers.sh" "$tree" "$tree/build/libcore.a" 2>&1)
    status=$?
    if [ "$status" -eq "$2" ] && printf '%s\n' "$said" | grep -q "$3"; then
        echo "ok $count - $1"
    else
        failures=$((failures + 1))
        echo "not ok $count - $1"
        printf '%s\n' "$said" | sed 's/^/#   /'
    fi
}

lines() { # lines N: that many lines of C
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) print "    x++;" }'
}

clean_tree
expect "a clean tree passes" 0 "^ok - each folder"

clean_tree
printf '  #  include   "gfx/paint.h"\n' >>"$tree/src/model/two.h"
expect "the model may not know the renderer" 1 "src/model/two.h:2.*model may not include gfx"

clean_tree
printf '#include "views/view.h"\n' >>"$tree/src/base/one.h"
expect "base may include nothing" 1 "base may not include views"

clean_tree
printf 'void *at = malloc(8);\n' >>"$tree/src/gfx/paint.c"
expect "memory comes from base/heap.h" 1 "paint.c:2.*base/heap.h records a shortage"

clean_tree
mkdir -p "$tree/src/model/deep"
printf '#include "gfx/paint.h"\n' >"$tree/src/model/deep/three.h"
expect "a sub-folder has the rules of its folder" 1 "deep/three.h:1.*model may not include gfx"

clean_tree
mkdir -p "$tree/src/views/heads" "$tree/src/views/steps" "$tree/src/views/shared"
printf '#include "views/shared/map.h"\n' >"$tree/src/views/heads/heads.c"
expect "a view may include what views share" 0 "^ok - a view knows no other view"
printf '#include "views/heads/heads.h"\n' >"$tree/src/views/steps/steps.c"
expect "a view may not include another" 1 "steps/steps.c:1: view steps may not include views/heads"

clean_tree
mkdir -p "$tree/src/model/init" "$tree/src/model/theory"
printf '#include "model/init/scheme.h"\n' >"$tree/src/model/theory/law.c"
expect "folders of the model may include each other in one direction" 0 "^ok - the folders of model"
printf '#include "model/theory/law.h"\n' >"$tree/src/model/init/scheme.h"
expect "folders of the model may not form a cycle" 1 "a cycle of folders"

clean_tree
printf '#include "two.h"\n' >>"$tree/src/model/two.h"
expect "an include names its folder" 1 "a file without its folder"

clean_tree
mkdir "$tree/src/util" && printf '\n' >"$tree/src/util/util.h"
expect "a new folder is in the table or refused" 1 "not a folder of the architecture"

clean_tree
printf '#include <SDL.h>\n' >>"$tree/src/views/view.c"
expect "SDL stays below the waist" 1 "src/views/view.c:2.*above the waist"

clean_tree
printf '#include <lapacke.h>\n' >>"$tree/src/model/two.h"
expect "LAPACK stays in one file" 1 "only math/decompose.c may"

clean_tree
printf '#include "model/two.c"\n' >"$tree/tests/model/test_two.c"
expect "no test includes a source" 1 "a .c file is included"

clean_tree
printf 'void glFinish(void);\nint one(void) {\n    glFinish();\n    return 1;\n}\n' >"$tree/src/base/one.c"
compile
expect "a GL symbol in the archive is found" 1 "glFinish: used above the waist"

clean_tree
{ printf 'int one(void) {\n    int x = 0;\n' && lines 56 && printf '    return x;\n}\n'; } >"$tree/src/base/one.c"
expect "sixty lines are a function" 0 "^ok - functions"

clean_tree
{ printf 'int one(void) {\n    int x = 0;\n' && lines 57 && printf '    return x;\n}\n'; } >"$tree/src/base/one.c"
expect "sixty-one are too many" 1 "one has 61 lines"

clean_tree
{ printf 'static int\none(int a,\n    int b) {\n    int x = 0;\n' && lines 57 && printf '    return x;\n}\n'; } >"$tree/src/base/one.c"
expect "a signature over several lines counts" 1 "lines, 60 at most"

clean_tree
{ printf 'static const int TABLE[] = {\n' && awk 'BEGIN { for (i = 0; i < 80; i++) print "    1," }' && printf '};\n'; } >>"$tree/src/base/one.c"
expect "a long table is no function" 0 "^ok - functions"

clean_tree
awk 'BEGIN { for (i = 0; i < 500; i++) print "/* */" }' >"$tree/src/base/one.c"
expect "five hundred lines are a file" 0 "^ok - files"

clean_tree
awk 'BEGIN { for (i = 0; i < 501; i++) print "/* */" }' >"$tree/src/base/one.c"
expect "one more is too many" 1 "one.c: 501 lines"

clean_tree
printf '\n' >"$tree/notes.txt"
expect "a stray file at the top is named" 1 "notes.txt: the top level holds only"

clean_tree
rm "$tree/build/libcore.a"
expect "a missing archive is no pass" 1 "build first"

echo "1..$count"
[ "$failures" -eq 0 ]
