#!/bin/sh
# The scripts that `export -o layer.py` writes: every form, position, bias, block and mask gives the
# same A in PyTorch and in NumPy, and a changed A is found.
# usage: BUILD=build tests/shell/test_layer_code.sh
. "$(dirname "$0")/../tap.sh"

# The ids of an option, from the second line of its help, with a number where one is needed.
ids() {
    "$program" export --help |
        sed -n "/^  --$1 /{n;s/, with a number.*//;s/ (.*//;s/,//g;s/rank/&:3/;s/window/&:1/;p;}"
}

nth() { # nth I WORDS...: the word at I; after the last comes the first
    shift $(($1 % ($# - 1) + 1))
    echo "$1"
}

# Each form, position and bias that there is, with masks and blocks in turn, so that every pair of
# them is there.
layers() {
    i=0
    masks="$(ids mask) causal&close=1-1&open=1-3"
    blocks=$(ids block)
    for form in $(ids form); do
        for positions in $(ids positions); do
            case $form,$positions in rank:3,rope | free,rope) continue ;; esac
            for bias in $(ids bias); do
                for turn in 0 1; do
                    echo "form=$form&positions=$positions&bias=$bias&block=$(nth $((i / 4 + i)) $blocks)&mask=$(nth $i $masks)"
                    i=$((i + 1))
                done
            done
        done
    done
    echo "init=normal"
    echo "set=S1(7,5)%3D5;S2(1,1)%3D-2.5;X(3,1)%3D0;W_Q2(4,1)%3D-0.5;gain3(1,1)%3D0"
    echo "form=merged&mask=causal&set=S1(7,5)%3D5;W_QK2(3,4)%3D2"
    echo "form=nested&positions=rope&set=S4(2,2)%3D1;gain2(1,1)%3D-0.5;mean1(1,1)%3D1;mean2(1,1)%3D0.5"
    echo "init=normal&positions=rope&form=merged&scale=none&temperature=0.5"
    echo "text=alone&block=post-norm"
    echo "d-model=20&heads=3&d-k=6&d-v=5&seed=9&tokenizer=chars"
}

lines_fit() { # at most 60 lines that are neither blank nor a comment
    for script in *.py; do
        [ "$(grep -cvE '^ *(#|$)' "$script")" -le 60 ] || { echo "$script is too long" >log && return 1; }
    done
}

run_all() {
    "$1" -c 'import runpy, sys
for path in sys.argv[1:]:
    runpy.run_path(path)' *.py >log 2>&1
}

is_found() { # A script whose A was changed by more than its limit fails.
    "$1" -c 'import json, struct
raw = bytearray(open("1.safetensors", "rb").read())
start = 8 + int.from_bytes(raw[:8], "little")
at = start + json.loads(raw[8:start])["A"]["data_offsets"][0]
raw[at:at + 4] = struct.pack("<f", struct.unpack("<f", raw[at:at + 4])[0] + 3e-5)
open("1.safetensors", "wb").write(raw)' && ! "$1" 1.py >log 2>&1 && grep -q "A differs from the file's A" log
}

result "the options' ids are known" [ "$(layers | wc -l)" -gt 100 ]
for code in pytorch numpy; do
    module=$([ $code = pytorch ] && echo torch || echo numpy)
    python=$(python_with $module)
    rm -f -- *.py *.safetensors
    layers | {
        n=0
        while read -r state; do
            n=$((n + 1))
            "$program" export -o $n.py --code $code --state "$state" 2>>log || echo "$state" >>log
        done
    }
    result "$code: each layer is written" [ "$(ls ./*.py ./*.safetensors | wc -l)" -eq $((2 * $(layers | wc -l))) ]
    result "$code: at most 60 lines" lines_fit
    if [ -z "$python" ]; then
        skip "$code: the same A" "python3-$module is not installed"
        continue
    fi
    result "$code: the same A in every form, position, bias, block and mask" run_all "$python"
    result "$code: a changed A is found" is_found "$python"
done

mkdir moved
mv 2.py 2.safetensors moved
[ -z "$python" ] || result "the folder can move" sh -c "\"$python\" moved/2.py >log 2>&1"
tap_end
