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

includes() {
    for folder in src/*/; do
        name=$(basename "$folder")
        may=$(allowed "$name") || { echo "$folder: not a folder of the architecture" && continue; }
        grep -Hns '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$folder"*.[ch] /dev/null |
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

# Libraries that only some folders may know, by their headers.
libraries() {
    grep -HnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*<(SDL|epoxy|GL/|png|fontconfig)' \
        src/base/*.[ch] src/math/*.[ch] src/text/*.[ch] src/model/*.[ch] src/lab/*.[ch] \
        src/session/*.[ch] src/draw/*.[ch] src/ui/*.[ch] src/views/*.[ch] src/app/*.[ch] 2>/dev/null |
        sed 's/$/: above the waist/'
    grep -HnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*<(cblas|lapacke|Accelerate)' src/*/*.[ch] 2>/dev/null |
        grep -v '^src/math/decompose.c' | sed 's/$/: only math\/decompose.c may/'
    grep -Hn '\.c"' src/*/*.[ch] tests/*/*.[ch] 2>/dev/null | grep '#[[:space:]]*include' |
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
check "libraries stay below the waist, LAPACK in one file" "$(libraries)"
check "no GL, SDL or TTF symbol above the waist" "$(symbols)"
check "functions have $FUNCTION_LINES lines at most" "$(long_functions)"
check "files have $FILE_LINES lines at most" "$(long_files)"
check "nothing else at the top level" "$(top_level)"
[ $failures -eq 0 ]
