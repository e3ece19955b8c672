#!/bin/sh
# .setup/install against a table of its own and package managers that only write down what they
# are told.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
tree=$(mktemp -d) || exit 1
trap 'rm -rf "$tree"' EXIT
count=0 failures=0

# fake NAME BODY: a program of that name, found before any other.
fake() {
    printf '#!/bin/sh\n%s\n' "$2" >"$tree/bin/$1"
    chmod +x "$tree/bin/$1"
}

# A machine with apt that has everything in its lists, installs what it is told by creating
# $tree/have/NAME, and writes each command down.
new_machine() {
    rm -rf "$tree"/*
    mkdir -p "$tree/bin" "$tree/have"
    : >"$tree/log"
    for tool in sh env cat sed grep awk tr sort cksum dirname mkdir uname touch printf; do
        ln -s "$(command -v $tool)" "$tree/bin/$tool" 2>/dev/null
    done
    fake apt-get "echo \"apt-get \$*\" >>$tree/log
[ \"\$1\" = update ] && exit 0
[ -f $tree/offline ] && echo 'E: no network' >&2 && exit 100
bad=0
for name; do case \$name in install|-*) ;; unknown-*) bad=100 ;; esac; done
[ \$bad -eq 0 ] || exit \$bad
for name; do case \$name in install|-*) ;; *) touch $tree/have/\$name ;; esac; done"
    fake apt-cache "case \$2 in unknown-*) echo '  Candidate: (none)' ;; *) echo '  Candidate: 1.0' ;; esac"
    fake id "echo 0"
    fake fc-list "cat $tree/families 2>/dev/null"
    fake pkg-config "[ -f $tree/have/lib\$2-dev ]"
}

table() {
    cat >"$tree/packages"
}

run() {
    said=$(PATH=$tree/bin HEADLIGHT_PACKAGES=$tree/packages HEADLIGHT_STAMP=$tree/build/stamp \
        "$here/.setup/install" "$@" 2>&1 </dev/null)
    status=$?
}

check() { # check NAME CONDITION...
    name=$1
    shift
    count=$((count + 1))
    if "$@"; then
        echo "ok $count - $name"
    else
        failures=$((failures + 1))
        echo "not ok $count - $name"
        printf 'status %s\n%s\n' "$status" "$said" | cat - "$tree/log" | sed 's/^/#   /'
    fi
}

says() { # says STATUS PATTERN
    [ "$status" -eq "$1" ] && printf '%s\n' "$said" | grep -q -e "$2"
}
silent() {
    [ "$status" -eq 0 ] && [ -z "$said" ] && [ ! -s "$tree/log" ]
}
logged() {
    grep -q -e "$1" "$tree/log"
}
not_logged() {
    ! logged "$1"
}

new_machine
touch "$tree/have/libone-dev"
table <<'END'
link | one thing | pkg:one | libone-dev | one-devel | one
link | a shell   | cmd:no-such cmd:sh | x | y | z
END
run
check "nothing missing: silent, and no package manager is asked" silent

new_machine
table <<'END'
link | one thing   | pkg:one | libone-dev | one-devel | one
link | other thing | pkg:two | libtwo-dev | two-devel | two
END
run --check
check "check names what is missing with its command" says 1 "one thing: apt-get install.*libone-dev"
check "check installs nothing" not_logged .
run
check "what is missing is installed at once" logged "install.*libone-dev libtwo-dev"
check "and says so first" says 0 "apt-get install -y --no-install-recommends libone-dev libtwo-dev"
: >"$tree/log"
run
check "afterwards nothing is left to do" silent

new_machine
fake id "echo 1000"
fake sudo "echo \"sudo \$1\" >>$tree/log; \"\$@\""
table <<'END'
link | one thing | pkg:one | libone-dev | one-devel | one
END
run
check "somebody else than root goes through sudo" logged "^sudo env"
check "and is told so" says 0 "sudo apt-get install"

new_machine
fake id "echo 1000"
table <<'END'
link | one thing | pkg:one | libone-dev | one-devel | one
END
run
check "without sudo the command is named" says 1 "missing: one thing: sudo apt-get install.*libone-dev"

new_machine
touch "$tree/offline"
table <<'END'
link | one thing | pkg:one | libone-dev | one-devel | one
END
run
check "offline: the package and the command are named" says 1 "one thing: apt-get install.*libone-dev"
check "apt's lists are brought up to date before giving up" logged "^apt-get update"

new_machine
table <<'END'
link | one thing | pkg:one | libone-dev | one-devel | one
link | odd thing | pkg:odd | unknown-odd | odd-devel | odd
END
run
check "one unknown package does not keep the others out" test -f "$tree/have/libone-dev"
check "it alone is named at the end" says 1 "missing: odd thing: apt-get install.*unknown-odd"
check "and is not asked for by itself" not_logged "recommends unknown-odd$"

new_machine
touch "$tree/offline"
table <<'END'
font | a typeface | font:Fine_Sans | fonts-fine | fine-fonts | cask:font-fine
END
run
check "a missing font is only warned about" says 0 "going on without"
: >"$tree/log"
run
check "and is not tried again" silent
printf '# changed\n' >>"$tree/packages"
run
check "until the table changes" logged "fonts-fine"

new_machine
printf 'Other,Fine Sans\n' >"$tree/families"
table <<'END'
font | a typeface | font:Fine_Sans | fonts-fine | fine-fonts | cask:font-fine
END
run
check "a font that is there is found by its family" silent

new_machine
rm "$tree/bin/apt-get"
fake dnf "echo \"dnf \$*\" >>$tree/log; touch $tree/have/libone-dev"
table <<'END'
link | one thing | pkg:one | libone-dev | one-devel | one
END
run
check "Fedora's names go to dnf" logged "^dnf install -y one-devel"
check "and that is enough" says 0 "dnf install -y one-devel"

new_machine
rm "$tree/bin/apt-get"
fake id "echo 501"
fake brew "echo \"brew \$*\" >>$tree/log; touch $tree/have/libone-dev; echo 'Fine Sans' >$tree/families"
table <<'END'
link | one thing  | pkg:one        | libone-dev | one-devel  | one
font | a typeface | font:Fine_Sans | fonts-fine | fine-fonts | cask:font-fine
END
run
check "Homebrew is asked without sudo" logged "^brew install font-fine one"

new_machine
rm "$tree/bin/apt-get"
table <<'END'
link | one thing | pkg:one | libone-dev | one-devel | one
END
run
check "without a package manager that is said" says 1 "none of apt-get, dnf and brew"

new_machine
table <<'END'
test    | the tests | pkg:one | libone-dev | one-devel | one
display | drawing   | file:/no/such/file | libegl1 | egl | -
END
run --check
check "a plain build does without the tests' library" silent

echo "1..$count"
[ "$failures" -eq 0 ]
