#!/bin/sh
# A sample of what `make faults` does in full.
# usage: BUILD=build tests/faults/test_faults.sh
tools=${BUILD:-build}/tests/faults
if [ ! -x "$tools/run" ]; then
    echo "ok 1 - faults # SKIP for Linux without sanitizers"
    exit 0
fi
exec "$tools/run" "${BUILD:-build}/headlight" "$tools/inject.so" 0
