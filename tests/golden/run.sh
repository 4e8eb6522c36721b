#!/bin/sh
# run.sh MODEL.golden: runs the golden cases of one model and prints TAP.
#
# A case is cases/MODEL/NAME.args, a command line with one argument per line.  Paths in it are
# relative to this folder and name inputs that are stored gzip'd; OUT is a file in a temporary
# folder.  Its expected results are in the same folder:
#   NAME.out     standard output, byte for byte
#   NAME.err     lines, each of which must occur in standard error
#   NAME.status  the exit status, "!0" for any failure; 0 when there is no such file
#   NAME.file    the file OUT, byte for byte
#   NAME.timeline.json.gz, NAME.timeline_N.json.gz
#                the files OUT and OUT_N as JSON, trace events in any order
#   NAME.pb.gz   the file OUT as a message, field by field
#   NAME.pprof   the file OUT as a pprof profile, whatever its ids
# The file MODEL.golden contains patterns of the case names to run, one per line; # starts a comment.
# CASES in the environment, a pattern, selects cases: CASES='seed-*' make check.
set -uf

list=$1
model=$(basename -- "$list" .golden)
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
patterns=$(sed -e 's/#.*//' -e '/^ *$/d' "$list") || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
cd "$here" || exit 1

LC_ALL=C.UTF-8 TERM=dumb HOME=$tmp XDG_CONFIG_HOME=$tmp XDG_STATE_HOME=$tmp
export LC_ALL TERM HOME XDG_CONFIG_HOME XDG_STATE_HOME

wanted() {
  # shellcheck disable=SC2254  # patterns are meant
  case $1 in ${CASES:-*}) ;; *) return 1 ;; esac
  for pattern in $patterns; do
    # shellcheck disable=SC2254
    case $1 in $pattern) return 0 ;; esac
  done
  return 1
}

# The arguments of case $1, one per line, with actual paths.  Checkpoints are not read
# gzip'd, so stored ones are decompressed first.  Recorded operation counts are requested
# because the expected results contain no others.
arguments() {
  sed -E -e 's#models/[A-Za-z0-9_/.]*\.(pbtxt|pb|txt)#&.gz#g' \
    -e "s#models/($model/model_v1[.]ckpt)#$tmp/\\1#" \
    -e "s#outfile=OUT#outfile=$tmp/OUT#" -e "s#_file=OUT\$#_file=$tmp/OUT#" \
    -e "s#^OUT\$#$tmp/OUT#" "$1.args"
  echo -flops=log
}

run_case() {
  rm -f "$tmp"/OUT*
  arguments "$1" >"$tmp/args"
  set --
  while IFS= read -r argument; do set -- "$@" "$argument"; done <"$tmp/args"
  timeout 300 "$TFPROF" "$@" </dev/null >"$tmp/stdout" 2>"$tmp/stderr"
  status=$?
}

same_bytes() {
  [ ! -f "$1" ] || cmp -s "$1" "$2" || {
    echo "# $3 differs from $1:"
    diff "$1" "$2" 2>&1 | head -n 12 | cut -c1-160 | sed 's/^/#   /'
    false
  }
}

right_status() {
  expected=0
  [ ! -f "$1.status" ] || read -r expected <"$1.status"
  case $expected in
    '!0') [ "$status" -ne 0 ] ;;
    *) [ "$status" -eq "$expected" ] ;;
  esac || {
    echo "# exit status $status, expected $expected; standard error:"
    head -n 5 "$tmp/stderr" | sed 's/^/#   /'
    false
  }
}

right_errors() {
  [ -f "$1.err" ] || return 0
  while IFS= read -r text; do
    grep -qF -e "$text" "$tmp/stderr" || {
      echo "# standard error lacks '$text':"
      head -n 5 "$tmp/stderr" | sed 's/^/#   /'
      return 1
    }
  done <"$1.err"
}

# Sorted lines of the JSON document on standard input.
json_lines() { "$top_builddir/tests/golden/json_lines" | sort; }

right_timelines() {
  right=0
  for packed in $(find "${1%/*}" -name "${1##*/}.timeline*.json.gz"); do
    step=${packed#"$1.timeline"}
    gzip -dc "$packed" | json_lines >"$tmp/expected"
    json_lines <"$tmp/OUT${step%.json.gz}" >"$tmp/made"
    same_bytes "$tmp/expected" "$tmp/made" "$packed" || right=1
  done 2>"$tmp/said"
  sed 's/^/# /' "$tmp/said"
  return $right
}

# proto_lines MODE: sorted lines of the message on standard input, compressed or not.
proto_lines() { gzip -dcf | "$top_builddir/tests/golden/proto_lines" "$1" | sort; }

same_messages() {
  [ -f "$1" ] || return 0
  proto_lines "$2" <"$1" >"$tmp/expected"
  proto_lines "$2" <"$tmp/OUT" >"$tmp/made"
  test -s "$tmp/expected" && same_bytes "$tmp/expected" "$tmp/made" "$1"
}

message_of() {
  case $(head -n 1 "$1.args") in
    scope | graph) echo node ;;
    advise) echo advice ;;
    *) echo rows ;;
  esac
}

# Every check runs, so that the log shows all differences.
check_case() {
  good=0
  right_status "$1" || good=1
  same_bytes "$1.out" "$tmp/stdout" 'standard output' || good=1
  right_errors "$1" || good=1
  same_bytes "$1.file" "$tmp/OUT" 'the file' || good=1
  right_timelines "$1" || good=1
  same_messages "$1.pb.gz" "$(message_of "$1")" || good=1
  same_messages "$1.pprof" pprof || good=1
  return $good
}

mkdir "$tmp/$model" || exit 1
[ ! -f "models/$model/model_v1.ckpt.gz" ] ||
  gzip -dc "models/$model/model_v1.ckpt.gz" >"$tmp/$model/model_v1.ckpt" || exit 1
n=0
for path in $(find "cases/$model" -name '*.args' | sort); do
  base=${path%.args}
  name=${base##*/}
  wanted "$name" || continue
  n=$((n + 1))
  run_case "$base"
  if check_case "$base"; then echo "ok $n - $model/$name"; else echo "not ok $n - $model/$name"; fi
done
if [ "$n" -gt 0 ]; then
  echo "1..$n"
elif [ -n "${CASES:-}" ]; then
  echo "1..0 # SKIP no case of $model matches $CASES"
else
  echo "not ok 1 - $model has cases"
  echo '1..1'
fi
