#!/bin/sh
# arithmetic.sh: the layers that compute with sizes and indexes from files contain no arithmetic that can overflow:
# no signed sum, difference, product, quotient or remainder, no shift, and no division by a number that may be 0.
# The compiler finds them: the sources are compiled with all overflow checks and without optimisation, and the
# objects must not call any check.  The functions of src/base/satmath.h are used instead.
. "$top_srcdir/tests/cli/lib.sh"

checks='signed-integer-overflow,integer-divide-by-zero,shift'

# Calls of checks in the sources of FOLDER itself, one per line.
unchecked_arithmetic() {
  mkdir -p "$work/assembly" && rm -f "$work"/assembly/*
  # shellcheck disable=SC2086  # flags are words
  (cd "$work/assembly" &&
    $CC -std=c11 -O0 -w -D_GNU_SOURCE -I"$top_srcdir/src" -I"$top_builddir" -fsanitize=$checks -S "$1"/*.c) ||
    echo "$1 does not compile"
  (cd "$work/assembly" && grep -oE '__ubsan_handle_[a-z_]*' ./*.s /dev/null | sort -u)
}

no_raw_arithmetic() {
  find "$top_srcdir/src/$1" -name '*.c' | sed 's|/[^/]*$||' | sort -u | while read -r folder; do
    unchecked_arithmetic "$folder"
  done >"$work/wrong"
  cat "$work/wrong"
  [ ! -s "$work/wrong" ]
}

# Tests the test: a file with one operation of each kind.
checks_see_all() {
  mkdir "$work/raw" && cat >"$work/raw/raw.c" <<'END'
long sum(long a, long b) { return a + b; }
long quotient(long a, long b) { return a / b; }
unsigned long place(unsigned long a, unsigned b) { return a << b; }
END
  [ "$(unchecked_arithmetic "$work/raw" | wc -l)" -ge 3 ]
}

if ! echo 'int f(int a) { return a + 1; }' >"$work/probe.c" ||
  ! $CC -fsanitize=$checks -c "$work/probe.c" -o "$work/probe.o" 2>/dev/null; then
  skip 'the compiler has no checks of arithmetic'
fi
is 'raw arithmetic is detected' checks_see_all
for layer in shapes flops hlo; do
  is "no raw arithmetic in $layer" no_raw_arithmetic "$layer"
done
finish
