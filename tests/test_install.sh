#!/bin/sh
# What `make install` copies works where it is, and `make uninstall` leaves nothing behind.
# usage: BUILD=build tests/test_install.sh
set -u
cd "$(dirname "$0")/.." || exit 1
BUILD=$(cd "${BUILD:-build}" && pwd) || exit 1
export BUILD
tree=$(mktemp -d) || exit 1
trap 'rm -rf "$tree"' EXIT
unset HEADLIGHT_ASSETS
count=0 failures=0

result() { # result NAME CONDITION...
    count=$((count + 1))
    name=$1
    shift
    if "$@" >"$tree/log" 2>&1; then
        echo "ok $count - $name"
    else
        failures=$((failures + 1))
        echo "not ok $count - $name"
        sed 's/^/#   /' "$tree/log"
    fi
}

skip() { # skip NAME WHY
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}

files() { # files FOLDER: print all that is neither a folder nor the file of another package
    find "$1" ! -type d ! -name foreign
}

as_root_of() { # as_root_of MODE: install or remove below $tree/root/usr
    DESTDIR=$tree/root PREFIX=/usr .packaging/install "$@"
}

installed() {
    "$tree/root/usr/bin/headlight" "$@"
}

draws_the_same() {
    installed render -o "$tree/installed.png" --size 640x480 &&
        "$BUILD/headlight" render -o "$tree/built.png" --size 640x480 &&
        cmp "$tree/installed.png" "$tree/built.png"
}

cuts_by_gpt2() {
    installed export -o "$tree/pass.json" --tokenizer gpt2 --embedding random
}

every_asset_is_there() {
    for file in assets/*/*.safetensors assets/*/*.tour assets/*/LICENSE; do
        cmp "$file" "$tree/root/usr/share/headlight/${file#assets/}" || return
    done
    for file in assets/doc/*.md; do
        cmp "$file" "$tree/root/usr/share/doc/headlight/${file#assets/doc/}" || return
    done
}

nothing_is_left() {
    files "$tree/root"
    find "$tree/root" -name '*headlight*'
    [ -z "$(files "$tree/root"; find "$tree/root" -name '*headlight*')" ]
}

each_option_is_in_the_manual() {
    sed 's/\\-/-/g' "$BUILD/package/headlight.1" >"$tree/manual"
    for verb in '' $("$BUILD/headlight" complete '' | cut -f 1); do
        "$BUILD/headlight" $verb --help | sed -n 's/^  \(-., \)\{0,1\}\(--[a-z0-9-]*\).*/\2/p'
    done | sort -u | while read -r option; do
        grep -q -e "^\.B .*$option\( \|\$\)" "$tree/manual" || { echo "$option" && exit 1; }
    done
}

manual_reads_well() {
    MANROFFSEQ='' MANWIDTH=80 LC_ALL=C.UTF-8 man -l --warnings "$BUILD/package/headlight.1" >/dev/null 2>"$tree/warnings"
    cat "$tree/warnings"
    [ ! -s "$tree/warnings" ]
}

offers() { # offers NAMES WORD...: what can follow the words, up to the one that is not complete
    expected=$1
    shift
    found=$("$BUILD/headlight" complete "$@" | cut -f 1 | tr '\n' ' ')
    echo "offered: $found"
    [ "$found" = "$expected" ]
}

bash_completes() {
    found=$(PATH=$BUILD:$PATH bash -c '. .packaging/headlight.bash
        COMP_WORDS=(headlight render --mask w) COMP_CWORD=3 && _headlight headlight && echo "${COMPREPLY[*]}"')
    [ "$found" = window ]
}

fish_completes() {
    found=$(PATH=$BUILD:$PATH fish -N -c 'source .packaging/headlight.fish; complete -C "headlight render --mask w"')
    case $found in window*) ;; *) echo "$found" && false ;; esac
}

zsh_reads() {
    zsh -n .packaging/headlight.zsh
}

packs_and_knows_its_version() {
    XZ_OPT=-0 make dist BUILD="$tree/dist" >/dev/null && (cd "$tree/dist" && tar -xf headlight-*.tar.xz) &&
        [ "$("$tree"/dist/headlight-*/.packaging/version)" = "$(.packaging/version)" ] &&
        [ -x "$tree"/dist/headlight-*/.setup/flags ]
}

mkdir -p "$tree/root/usr/share/applications" && : >"$tree/root/usr/share/applications/foreign"
result "install copies everything" as_root_of
result "every asset is installed" every_asset_is_there
result "the installed program draws the same bytes" draws_the_same
result "it finds the merges of gpt2" cuts_by_gpt2
result "install-strip copies it without symbols" as_root_of --strip
result "the stripped program draws the same bytes" draws_the_same
result "uninstall leaves nothing behind" as_root_of --remove
result "no file is left" nothing_is_left
result "a file of another package is kept" [ -f "$tree/root/usr/share/applications/foreign" ]
result "install to a prefix of one's own" env DESTDIR= PREFIX="$tree/own" .packaging/install
result "uninstall from it" env DESTDIR= PREFIX="$tree/own" .packaging/install --remove
result "nothing is left of the desktop's caches either" [ -z "$(files "$tree/own")" ]
result "the manual has every option" each_option_is_in_the_manual
if command -v man >/dev/null 2>&1 && command -v groff >/dev/null 2>&1; then
    result "man reads the manual without a warning" manual_reads_well
else
    skip "man reads the manual without a warning" "man or groff is not installed"
fi
result "verbs complete" offers 'render ' rend
result "options complete" offers '--text --text-file --temperature ' render --te
result "values complete" offers 'window ' render --mask w
result "values after = complete" offers '--mask=causal ' --mask=c
result "items of a list complete" offers 'gpt2,xavier_uniform ' --compare-schemes gpt2,xavier_u
result "a file is left to the shell" offers '' render -o w
for shell in bash:completes fish:completes zsh:reads; do
    name="the completion of ${shell%:*} ${shell#*:}"
    if command -v "${shell%:*}" >/dev/null 2>&1; then
        result "$name" "$(echo "$shell" | tr : _)"
    else
        skip "$name" "${shell%:*} is not installed"
    fi
done
if [ -e .git ] && command -v git >/dev/null 2>&1 && command -v xz >/dev/null 2>&1; then
    result "a tarball knows its version" packs_and_knows_its_version
else
    skip "a tarball knows its version" "this is no repository, or git or xz is not installed"
fi
echo "1..$count"
exit $((failures > 0))
