#!/bin/sh
# Makes a static library whose only global names are those of symbols.txt, so that it can be linked into a
# program that has another SQLite, or another Rust library, in it.
#
#     localise.sh <libcorecall.a as cargo makes it> <libcorecall.a to be written>
#
# Needs GNU binutils (ld, objcopy, ar); LD, OBJCOPY and AR name others, for cross builds.
set -eu

[ $# -eq 2 ] || { echo "usage: $0 <input.a> <output.a>" >&2; exit 2; }
input=$1
output=$2
symbols=$(dirname "$0")/symbols.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One object out of all, with what nothing of ours reaches left out.
roots=$(sed 's/^/--undefined=/' "$symbols")
# shellcheck disable=SC2086 # one argument a line
"${LD:-ld}" --relocatable --gc-sections --force-group-allocation $roots -o "$work/corecall.o" "$input"
# Without debug information, and without the compiler's own bitcode, which `ar` may stumble over.
"${OBJCOPY:-objcopy}" --keep-global-symbols="$symbols" --strip-debug --remove-section=.llvmbc --remove-section=.llvmcmd \
    "$work/corecall.o"
rm -f "$output"
"${AR:-ar}" rcsD "$output" "$work/corecall.o"
