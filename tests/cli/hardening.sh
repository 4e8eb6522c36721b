#!/bin/sh
# hardening.sh: the compiler flags of configure.ac have their effect in the program.
. "$top_srcdir/tests/cli/lib.sh"

if [ -z "$hardened" ]; then
  skip 'built without hardening'
fi
if ! command -v readelf >/dev/null; then
  skip 'there is no readelf here'
fi

# The wrapper of make valgrind is a script.
program=$top_builddir/tfprof
readelf -hldW "$program" >"$work/program"
readelf -sW "$program" >"$work/symbols"
has() { grep -qE -e "$1" "$work/program"; }
uses() { grep -qE -e "$1" "$work/symbols"; }

is 'the program is position-independent' has 'Type: +DYN'
is 'relocated data is read-only' has 'GNU_RELRO'
is 'all symbols are bound at the start' has 'NOW'
no_executable_stack() { has 'GNU_STACK.* RW ' && ! has 'GNU_STACK.* RWE'; }
is 'the stack is not executable' no_executable_stack
is 'functions with arrays have stack protectors' uses '__stack_chk_fail'
is 'calls of the C library are fortified' uses '__(memcpy|vsnprintf|read|snprintf)_chk'

# A program is marked only if all of its objects are, including those of the C library.
case $(readelf -h "$program" | sed -n 's/ *Machine: *//p') in
  *X86-64*)
    marks() { readelf -nW "$1" 2>/dev/null | grep -c 'IBT, SHSTK'; }
    all_objects_are_marked() {
      for archive in libproto.a libtfprof.a libtfprofcli.a libtfprofui.a; do
        [ "$(marks "$top_builddir/$archive")" -eq "$(ar t "$top_builddir/$archive" | wc -l)" ] ||
          { echo "$archive"; return 1; }
      done
    }
    is 'every object is marked for control-flow protection' all_objects_are_marked
    unmarked=''
    for object in Scrt1.o crti.o crtn.o; do
      [ "$(marks "$($CC -print-file-name=$object)")" -gt 0 ] || unmarked="$unmarked $object"
    done
    if [ -z "$unmarked" ]; then
      is 'the program is marked for control-flow protection' test "$(marks "$program")" -gt 0
    else
      case_count=$((case_count + 1))
      echo "ok $case_count - the program is marked for control-flow protection # SKIP unmarked objects of the C library:$unmarked"
    fi
    ;;
esac
finish
