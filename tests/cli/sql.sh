#!/bin/sh
# sql.sh: SQL queries over a loaded profile, and databases written from it.
. "$top_srcdir/tests/cli/lib.sh"

db=$work/run.db
small=$models/edge/scopes.pb.gz

run sql .schema
if grep -q 'without SQLite' "$work/stderr"; then
  is_status 'a program without SQLite says so' 2
  run scope "$small" -output sqlite:outfile="$db"
  is_status '-output sqlite without SQLite is refused' 2
  is_line 'the error is one line' stderr 'tfprof: -output sqlite: this program was built without SQLite .*'
  finish
  exit
fi
is_status 'the schema needs no file' 0
is_line 'the schema has the table nodes' stdout 'CREATE TABLE nodes\('

# ---- results of queries

run sql "select op, count(*) as n from nodes group by op order by n desc limit 2" "$sample"
is_text 'a result as text' stdout "$(printf 'op         n\nConst   1458\nAssign   759')"
run sql "select 'a,\"b', 1, 2.5, null, x'0aff', '=1' as f" "$small" -output csv
is_line 'csv quotes text' stdout '"a,""b",1,2.5,,0AFF,"'"'"'=1"'
run sql "select 'é' as e, 1 as n, null as z, 9e999 as inf" "$small" -output json
is_line 'json has typed values' stdout '\{"e":"\\u00e9","n":1,"z":null,"inf":null\}\]\}'
run sql "select 1 as n where 0" "$small" -output json
is_text 'an empty result is an empty list' stdout \
  '{"tfprof":2,"view":"sql","units":{},"returned":0,"total":0,"truncated":false,"columns":["n"],"rows":[]}'
run sql "select char(27) as e" "$small"
is_line 'escape sequences are printed escaped' stdout '\\x1b'
awk 'BEGIN { print "step_stats { dev_stats { device: \"/gpu:0\" node_stats { node_name: \"x\" all_start_micros: 1 op_end_rel_micros: 9"
  for (i = 0; i < 100000; i++)
    print "memory { allocator_name: \"a" i "\" allocation_records { alloc_micros: 1 alloc_bytes: 8 } }"
  print "} } }" }' >"$work/allocators.pbtxt"
whole_patience=$patience
patience=60
run sql 'select count(*), sum(bytes), sum(step), sum(stream), sum(from_event) from allocations' \
  "$work/allocators.pbtxt" -q -output csv
patience=$whole_patience
is_line 'many allocators are read in time' stdout '100000,800000,0,0,0'
run sql "select name from nodes where node in (1, 99999999, -1, null, 'x', 2.5)" "$sample" -output csv
is 'invalid keys match no row' test "$(wc -l <"$work/stdout")" -eq 2
run sql "select 1" "$small" -output csv:outfile="$work/one.csv"
is 'a result is written to a file' grep -qx 1 "$work/one.csv"

# ---- refused statements

for statement in 'delete from nodes' 'create table x(y)' "attach '$work/x' as y" 'pragma journal_mode = wal' \
  "select load_extension('x')" "select hex(fts3_tokenizer('simple'))" "select fts3_tokenizer('a', x'00')" \
  "select sqlite_log(1, 'x')" 'select changes()' 'select * from pragma_function_list' 'select * from dbstat' \
  "select name from nodes where exists (select FTS3_Tokenizer('simple'))" 'vacuum' 'selec' 'select 1; select 2' 'select nothing from nodes' ''; do
  run sql "$statement" "$small"
  is_status "refused: $statement" 2
  is 'the error is one line' test "$(wc -l <"$work/stderr")" -eq 1
done
run sql "select upper(name), printf('%d', node), json_object('a', 1), row_number() over (order by node), strftime('%Y', 0)
  from nodes where name like 'a%' or name glob 'b*' or instr(name, 'c') limit 1" "$small"
is_status 'scalar functions are allowed' 0
run sql "with recursive n(i) as (select 1 union all select i + 1 from n where i < 3) select max(i), (select count(*) from n) from n" "$small" -output csv
is 'common table expressions are allowed' grep -qx 3,3 "$work/stdout"
run sql
is_status 'a missing query is refused' 2
run sql 'select count(*) from scope' "$small" -account_type_regexes '('
is_status 'an invalid option of the view is refused' 2
is_line 'the error names the option' stderr 'tfprof: -account_type_regexes.*'
run sql "select '<' as a" "$small" -output html
is_line 'a result as html' stdout '<tr><td class="t">&lt;</td></tr>'
run sql "select 1 as a, 'x' as b" "$small" -output tsv
is_text 'a result as tsv' stdout "$(printf 'a\tb\n1\tx')"
run sql 'select 1' "$small" -output dot
is_status '-output dot is refused' 2
endless='with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n'
timeout -s INT 1 "$TFPROF" sql "$endless" "$small" >"$work/stdout" 2>&1
status=$?
is_status 'a signal ends an endless query' 124
echo "sql 'select count(*) as n from nodes'" >"$work/script"
run_with "$work/script" shell "$sample"
is_line 'a query at the prompt' stdout '5208'

# ---- rows of views equal those of csv

# same_view VIEW FROM...: the rows by the query of FROM are those of -output csv.
columns=name,path,depth
for metric in micros accelerator_micros cpu_micros bytes peak_bytes params float_ops; do
  columns=$columns,${metric}_self,${metric}_total
done
columns=$columns,device,op_types,num_hidden_ops
fields=micros,bytes,peak_bytes,params,float_ops,device,op_types,num_hidden_ops
options='-max_depth 6 -order_by micros'
same_view() {
  # shellcheck disable=SC2086  # a list of options
  timeout "$patience" "$TFPROF" "$1" "$sample" -q -output csv -select $fields $options >"$work/rows.csv" &&
    sqlite3 -csv :memory: ".import --csv $work/rows.csv rows" "select $columns from rows" >"$work/from_csv" &&
    test "$(wc -l <"$work/from_csv")" -gt 4 && cmp "$work/from_csv" "$2"
}
if command -v sqlite3 >/dev/null; then
  # shellcheck disable=SC2086  # a list of options
  run scope "$sample" -output sqlite:outfile="$db" $options
  is_status 'a database is written' 0
  is 'the database is intact' test "$(sqlite3 "$db" 'pragma integrity_check')" = ok
  columns_of_trees=$columns
  for view in scope graph op code; do
    columns=$columns_of_trees
    [ $view = op ] && columns=$(printf %s "$columns" | sed 's/_total/_running/g')
    sqlite3 -csv -header "$db" "select $columns from $view" >"$work/db.csv"
    sqlite3 -csv :memory: ".import --csv $work/db.csv rows" "select * from rows" >"$work/from_db"
    is "rows of the $view view in the database" same_view $view "$work/from_db"
    # shellcheck disable=SC2086  # a list of options
    run sql "select $columns from $view" "$sample" $options -output csv
    sqlite3 -csv :memory: ".import --csv $work/stdout rows" "select * from rows" >"$work/from_sql"
    is "rows of the $view view by a query" same_view $view "$work/from_sql"
  done
  for table in files hosts steps nodes op_types edges outputs shapes call_stacks executions times memory; do
    run sql "select * from $table" "$sample" -output json
    sqlite3 "$db" "select count(*) from $table" >"$work/n"
    is "rows of $table" test "$(tail -n +2 "$work/stdout" | grep -c '^{')" -eq "$(cat "$work/n")"
    is "$table has rows" test "$(cat "$work/n")" -gt 0
  done
else
  skip_case 'a database is written' 'no sqlite3'
fi

# ---- written completely or not at all

mkdir "$work/alone"
echo old >"$work/alone/run.db"
(ulimit -f 64; trap '' XFSZ; exec "$TFPROF" scope "$sample" -output sqlite:outfile="$work/alone/run.db") >"$work/stdout" 2>"$work/stderr"
is 'a full disk leaves the old file' grep -qx old "$work/alone/run.db"
is 'a full disk leaves no other file' test "$(ls "$work/alone")" = run.db
is_line 'the error for a full disk names the file' stderr 'tfprof: .*run.db: cannot be written: .*'
{ timeout "$patience" "$TFPROF" scope "$sample" -output sqlite:outfile=/dev/stdout 2>"$work/stderr"; echo $? >"$work/status"; } | cat >"$work/stdout"
is 'a database is not written to a pipe' grep -qx 2 "$work/status"
is_line 'the error requires a regular file' stderr 'tfprof: -output sqlite: a database needs a regular file'
run scope "$sample" -output sqlite:outfile="$sample"
is_status 'an input is not replaced' 1

# ---- a folder of Parquet files

run scope "$sample" -output parquet
is_status 'Parquet needs a folder' 2
is_line 'the error says that the folder is missing' stderr 'tfprof: -output parquet: a folder is missing: parquet:outfile=DIR'
run scope "$sample" -output parquet:outfile="$work/parquet"
is_status 'a folder of Parquet files is written' 0
tables=$("$TFPROF" sql .schema | grep -c '^CREATE TABLE')
is 'the folder has a file for each table' test "$(ls "$work/parquet" | grep -c '\.parquet$')" -eq "$tables"
begins_and_ends() {
  for file in "$work"/parquet/*; do
    [ "$(head -c 4 "$file")$(tail -c 4 "$file")" = PAR1PAR1 ] || return 1
  done
}
is 'each Parquet file is complete' begins_and_ends
cp -r "$work/parquet" "$work/first"
run scope "$sample" -output parquet:outfile="$work/parquet"
is 'existing files are replaced by equal ones' diff -r "$work/first" "$work/parquet"
run scope "$sample" -output parquet:outfile="$work/parquet/nodes.parquet"
is_status 'a file in place of the folder is refused' 1
is_line 'the error says that it is not a folder' stderr 'tfprof: .*nodes.parquet: cannot be written: Not a directory'
(ulimit -f 64; trap '' XFSZ; exec "$TFPROF" scope "$sample" -output parquet:outfile="$work/full") >"$work/stdout" 2>"$work/stderr"
is 'a full disk leaves no folder' test ! -e "$work/full"
echo old >"$work/first/nodes.parquet"
(ulimit -f 64; trap '' XFSZ; exec "$TFPROF" scope "$sample" -output parquet:outfile="$work/first") >"$work/stdout" 2>"$work/stderr"
is 'a full disk leaves an existing folder unchanged' grep -qx old "$work/first/nodes.parquet"
same_values() {
  python3 - "$work/parquet" "$TFPROF" "$sample" <<'READ'
import csv, glob, io, os, subprocess, sys
import pyarrow.parquet
folder, program, sample = sys.argv[1:]
for path in glob.glob(folder + '/*.parquet'):
    name = os.path.basename(path)[:-len('.parquet')]
    table = pyarrow.parquet.read_table(path)
    columns = table.column_names
    query = 'select %s from "%s"' % (', '.join('"%s"' % c for c in columns), name)
    text = subprocess.run([program, 'sql', query, sample, '-output', 'csv'], capture_output=True, text=True, check=True).stdout
    rows = list(csv.reader(io.StringIO(text)))[1:]
    assert len(rows) == table.num_rows, name
    for i, column in enumerate(columns):
        for row, value in zip(rows, table.column(i).to_pylist()):
            if isinstance(value, (int, float)):
                assert abs(float(row[i]) - value) <= 1e-9 * abs(value), (name, column, row[i], value)
            elif value is None:
                assert row[i] in ('', 'all'), (name, column, row[i])
READ
}
if python3 -c 'import pyarrow' 2>/dev/null; then
  is 'pyarrow reads the values of SQL' same_values
else
  skip_case 'pyarrow reads the values of SQL' 'no pyarrow'
fi
finish
