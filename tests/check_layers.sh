#!/bin/sh
# The include table of the architecture, the waist's symbols, and the lengths of functions and
# files, as TAP. usage: tests/check_layers.sh [ROOT [LIBCORE]]
set -u
LC_ALL=C
export LC_ALL
root=${1:-$(cd "$(dirname "$0")/.." && pwd)}
core=${2:-${BUILD:-build}/libcore.a}
FUNCTION_LINES=60
FILE_LINES=500
cd "$root" || exit 1
failures=0

# The folders a folder of src/ may include besides itself.
allowed() {
    case $1 in
    base) echo ;;
    math | text | draw) echo base ;;
    model) echo base math text ;;
    lab) echo base math text model ;;
    document) echo base math text model lab ;;
    results) echo base math text model lab document ;;
    ui) echo base draw ;;
    views) echo base math text model lab document results draw ui ;;
    app) echo base math text model lab document results draw ui views ;;
    io) echo base math text model document results ;;
    gfx) echo base draw ;;
    export) echo base draw gfx ;;
    web) echo base math text model lab document results draw ui views app io gfx export ;;
    shell) echo base math text model lab document results draw ui views app io gfx export ;;
    *) return 1 ;;
    esac
}

check() { # check NAME FINDINGS: one line of TAP, the findings as comments
    if [ -z "$2" ]; then
        echo "ok - $1"
    else
        failures=$((failures + 1))
        echo "not ok $failures - $1"
        printf '%s\n' "$2" | sed 's/^/#   /'
    fi
}

# The files of a folder and of its sub-folders that include something: FILE:LINE:#include "…".
include_lines() { # include_lines FOLDER...
    find "$@" -name '*.[ch]' -exec \
        grep -Hns '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' /dev/null {} + | sort
}

includes() {
    for folder in src/*/; do
        name=$(basename "$folder")
        may=$(allowed "$name") || { echo "$folder: not a folder of the architecture" && continue; }
        include_lines "$folder" |
            while IFS= read -r line; do
                other=${line#*\"}
                case $other in
                */*) other=${other%%/*} ;;
                *) other='a file without its folder' ;;
                esac
                case " $name $may gen " in # gen: made by the build
                *" $other "*) ;;
                *) echo "$line: $name may not include $other" ;;
                esac
            done
    done
}

# A view knows itself, views/*.h, views/shared and the inspector, which knows shared.
view_includes() {
    [ -d src/views ] || return
    include_lines src/views | sed -n 's#^src/views/\([a-z]*\)/\([^:]*:[0-9]*\):.*"views/\([a-z]*\)/.*#\1 \3 \2#p' |
        while read -r view other where; do
            case "$view $other" in
            "$view $view" | *" shared") continue ;;
            "shared inspector") ;;
            *" inspector") continue ;;
            esac
            echo "src/views/$view/$where: view $view may not include views/$other"
        done
}

# The folders of model/ include each other in one direction: tsort names those that do not.
model_cycles() {
    [ -d src/model ] || return
    include_lines src/model | sed -n 's#^src/model/\([a-z]*\)/.*"model/\([a-z]*\)/.*#\1 \2#p' |
        sort -u | tsort 2>&1 >/dev/null | sed 's#^tsort: ##; s#^-: .*#a cycle of folders of src/model:#'
}

# Libraries that only some folders may know, by their headers.
libraries() {
    for folder in base math text model lab document results draw ui views app; do
        [ ! -d "src/$folder" ] || find "src/$folder" -name '*.[ch]' -exec grep -HnE \
            '^[[:space:]]*#[[:space:]]*include[[:space:]]*<(SDL|epoxy|GL/|png|fontconfig)' {} +
    done | sed 's/$/: above the waist/'
    find src -name '*.[ch]' -exec grep -HnE \
        '^[[:space:]]*#[[:space:]]*include[[:space:]]*<(cblas|lapacke|Accelerate)' {} + |
        grep -v '^src/math/decompose.c' | sed 's/$/: only math\/decompose.c may/'
    find src -name '*.[ch]' ! -path 'src/base/heap.c' ! -path 'src/web/*' -exec grep -HnE \
        '(^|[^[:alnum:]_.>])(malloc|calloc|realloc|aligned_alloc|strn?dup)\(' {} + |
        sed 's/$/: base\/heap.h records a shortage/'
    find src tests -name '*.[ch]' -exec grep -Hn '\.c"' {} + | grep '#[[:space:]]*include' |
        sed 's/$/: a .c file is included/'
}

symbols() {
    [ -f "$core" ] || { echo "$core is not there: build first" && return; }
    nm -u "$core" 2>/dev/null | sed 's/^ *U *_\{0,1\}//' |
        grep -E '^(gl[A-Z]|epoxy_|SDL_|TTF_|setlocale$|exit$|abort_with)' | sort -u |
        sed 's/$/: used above the waist/'
}

# Definitions start in the first column and end with a brace in the first column.
long_functions() {
    awk -v most=$FUNCTION_LINES '
        FNR == 1 { start = 0 }
        /^[A-Za-z_]/ && !/;[ \t]*$/ { if (!start) start = FNR; if (/\(/) name = $0 }
        /^[A-Za-z_]/ && /;[ \t]*$/ { start = 0 }
        /^[A-Za-z_].*=.*\{[ \t]*$/ || /^(typedef |static |const )*(struct|enum|union) [^(]*\{/ { start = 0 }
        /^}/ {
            if (start && FNR - start + 1 > most) {
                sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
                print FILENAME ":" start ": " name " has " FNR - start + 1 " lines, " most " at most"
            }
            start = 0
        }' $(find src tests -name '*.[ch]' 2>/dev/null)
}

long_files() {
    find src tests -name '*.[ch]' -exec awk -v most=$FILE_LINES '
        FNR == 1 { count[FILENAME] = 0 } { count[FILENAME]++ }
        END { for (f in count) if (count[f] > most) print f ": " count[f] " lines, " most " at most" }' {} +
}

top_level() {
    for entry in *; do
        case $entry in src | assets | shaders | tests | Makefile | README.md | LICENSE | build) ;;
        *) echo "$entry: the top level holds only src assets shaders tests Makefile README.md LICENSE" ;; esac
    done
}

check "each folder includes only what it may" "$(includes)"
check "a view knows no other view" "$(view_includes)"
check "the folders of model/ have no cycle" "$(model_cycles)"
check "libraries stay below the waist, LAPACK and malloc in one file" "$(libraries)"
check "no GL, SDL or TTF symbol above the waist" "$(symbols)"
check "functions have $FUNCTION_LINES lines at most" "$(long_functions)"
check "files have $FILE_LINES lines at most" "$(long_files)"
check "nothing else at the top level" "$(top_level)"
[ $failures -eq 0 ]
