#!/bin/sh
# fleet.sh: the recipes of doc/fleet.md, where their programs are installed: each gives the same bytes.
. "$top_srcdir/tests/cli/lib.sh"

mkdir "$work/bin" "$work/runs"
ln -s "$TFPROF" "$work/bin/tfprof"
PATH=$work/bin:$PATH
export PATH
cp "$sample" "$work/runs/a.gz"
gzip -c <"$top_srcdir/data/training.xplane.pb" >"$work/runs/b.gz"
cp "$top_srcdir/data/training.pt.trace.json.gz" "$work/runs/c.gz"
cd "$work" || exit 1

# The indented lines below the headline $1.
recipe() {
  awk -v head="### $1" '
    /^#/ { inside = $0 == head; begun = 0 }
    inside && /^    / { print substr($0, 5); begun = 1; next }
    inside && begun && $0 != "" { exit }
    inside && begun { print "" }' "$top_srcdir/doc/fleet.md"
}
same_part() {
  rm -rf parts fleet.part
  recipe "$1" >recipe && test -s recipe && sh -eu recipe && cmp fleet.part one.part
}

recipe 'One process' >recipe
is 'one process' sh -eu recipe
mv fleet.part one.part
is 'what it left is a part' "$TFPROF" scope one.part -q
is 'xargs' same_part xargs
# Another program has that name.
if parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
  is 'GNU parallel' same_part 'GNU parallel'
else
  skip_case 'GNU parallel' 'not installed'
fi
if python3 -c 'import pyspark' 2>/dev/null && command -v java >/dev/null; then
  is 'Spark' same_part Spark
else
  skip_case 'Spark' 'not installed'
fi
cp one.part fleet.part
if command -v sqlite3 >/dev/null && "$TFPROF" sql .schema >/dev/null 2>&1; then
  recipe SQLite >recipe
  is 'SQLite' sh -eu recipe
  is 'it has the hosts' sh -c 'sh -eu recipe | grep -q "^/host:"'
else
  skip_case 'SQLite' 'not installed'
fi
if command -v duckdb >/dev/null && "$TFPROF" sql .schema >/dev/null 2>&1; then
  recipe xargs | sh -eu
  recipe DuckDB >recipe
  is 'DuckDB' sh -eu recipe
else
  skip_case 'DuckDB' 'not installed'
fi
finish
