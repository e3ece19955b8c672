# TAP for the test scripts of a folder. Sourced from the repository's tests/FOLDER/test_NAME.sh:
#     . "$(dirname "$0")/../tap.sh"
# Sets $program and $top, the repository, and goes to $tree, a folder that ends with the script.
# The script ends with tap_end.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
program=$(cd "${BUILD:-build}" && pwd)/headlight
tree=$(mktemp -d) || exit 1
trap 'chmod -R u+rwx "$tree"; rm -rf "$tree"' EXIT
cd "$tree" || exit 1
count=0 failures=0

# One line of TAP, and on failure what stands in the files err and log.
result() { # result NAME CONDITION...
    count=$((count + 1)) name=$1
    shift
    if "$@"; then
        echo "ok $count - $name"
    else
        failures=$((failures + 1))
        echo "not ok $count - $name"
        cat err log 2>/dev/null | sed 's/^/#   /'
    fi
}

# Print the python that has a module, or nothing. Importing torch takes seconds, so look for its file.
python_with() { # python_with MODULE
    for python in /usr/bin/python3 python3; do
        "$python" -I -c "from importlib.util import find_spec
exit(getattr(find_spec('$1'), 'origin', None) is None)" >/dev/null 2>&1 && echo "$python" && return
    done
}

skip() { # skip NAME WHY
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}

tap_end() {
    echo "1..$count"
    exit $((failures > 0))
}
