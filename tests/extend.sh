#!/bin/sh
# extend.sh: adds one thing of each kind to a copy of the tree, with exactly the edits that HACKING.md lists under "To
# add something", builds the copy, and tests that each thing appears where it must: in the help,
# the manual, the completions, the options editor, and when used.
. "$top_srcdir/tests/cli/lib.sh"

# Objects can be reused in a copy of both folders once paths to the sources are relative.
source=$(cd "$top_srcdir" && pwd) build=$(cd "$top_builddir" && pwd)
case $build in
  "$source"/*/*) skip 'the build folder is not a folder of the source folder' ;;
  "$source"/*) folder=${build#"$source"/} ;;
  *) skip 'the build folder is not a folder of the source folder' ;;
esac
[ -f "$build/libtfprof.a" ] || skip 'nothing is built'
[ "${sanitized:-no}" = no ] || skip 'sanitizers make the build slow'

# Programs are not copied but linked again.
tree=$work/tree
mkdir "$tree"
(cd "$source" && find aclocal.m4 configure configure.ac config.h.in Makefile.am Makefile.in build-aux data man proto \
  src tests "$folder" -type f \( ! -perm -100 -o -name config.status -o -name configure -o -path 'build-aux/*' \) \
  ! -path 'tests/golden/*' ! -path '*/corpus/*' ! -name '*.tmp' ! -name '*.log' ! -name '*.trs' ! -name '*.tar.xz' |
  tar -cf - -T -) | (cd "$tree" && tar -xf -)
grep -rlF --include=Makefile --include='*.Po' "$source" "$tree/$folder" | xargs sed -i "s|$source|..|g"

# ---- the edits

# add_row FILE LIST ROW: after the last row of the macro LIST.
add_row() {
  LIST=$2 ROW=$3 awk '
    index($0, "#define " ENVIRON["LIST"] "(") == 1 { within = 1 }
    within && !/\\$/ { print $0 " \\"; print "    " ENVIRON["ROW"]; within = 0; done = 1; next }
    { print }
    END { exit !done }' "$tree/$1" >"$work/edited" && cat "$work/edited" >"$tree/$1"
}

# add_before FILE LINE and add_after FILE LINE: inserts standard input at the first line that begins with LINE.
add_at() {
  cat >"$work/added"
  LINE=$3 awk -v side="$1" -v added="$work/added" '
    function add(line) { while ((getline line <added) > 0) print line; done = 1 }
    !done && index($0, ENVIRON["LINE"]) == 1 {
      if (side == "before") { add(); print } else { print; add() }
      next
    }
    { print }
    END { exit !done }' "$tree/$2" >"$work/edited" && cat "$work/edited" >"$tree/$2"
}
add_before() { add_at before "$@"; }
add_after() { add_at after "$@"; }
add_to() { cat >>"$tree/$1"; }

add_metric() {
  add_row src/model/metric.h METRIC_LIST \
    'X(NAME_BYTES, name_bytes, "bytes of the name", "how long the name is", .unit = UNIT_BYTES, .place = {125, 125})' &&
    add_before src/model/metric.c '#define ROW(' <<'END'
static int64_t self_name_bytes(const struct figures *f, node_id node, const struct run_figures *r,
                               bool *saturated)
{
    (void)r, (void)saturated;
    return intern_len(&f->profile->strings, f->profile->name[node]);
}
END
}

# A node column filled while loading a graph, and a metric that displays it.
add_node_column() {
  add_row src/model/node_columns.h NODE_COLUMNS 'X(fan_in, uint32_t, NUMBER, LAST, SAME, ALWAYS, 2050)' &&
    echo '    builder_set_fan_in(b, id, (uint32_t)node->n_inputs);' |
    add_after src/load/graph/node_batch.c '    builder_set_element_bits(b, id, node->element_bits);' &&
    add_row src/model/metric.h METRIC_LIST \
      'X(FAN_IN, fan_in, "inputs", "how many inputs it has", .unit = UNIT_NUMBER, .place = {125, 125}, .suffix = " inputs")' &&
    add_before src/model/metric.c '#define ROW(' <<'END'
static int64_t self_fan_in(const struct figures *f, node_id node, const struct run_figures *r,
                           bool *saturated)
{
    (void)r, (void)saturated;
    return f->profile->fan_in[node];
}
END
}

add_ratio() {
  add_row src/model/metric.h RATIO_LIST \
    'X(MICROS_PER_PARAM, micros_per_param, "time per parameter", "time per parameter", .unit = UNIT_TIME_PS, .of = METRIC_MICROS, .per = METRIC_PARAMS, .scale = 1, .place = {131, 131}, .suffix = " each")'
}

add_field() {
  add_row src/opt/fields.h FIELD_LIST 'X(PARENT, parent, "row above", "the name of the row above", 105, 105)' &&
    add_before src/render/row_field.c 'bool row_field(' <<'END'
static bool text_parent(struct strbuf *sb, struct result *r, row_id row)
{
    const struct text name = tree_text(r->tree, row ? r->tree->parent[row] : 0);

    sb_adds(sb, "below ");
    utf8_escape(sb, name.bytes, name.len);
    return true;
}

END
}

# An option used by a view, and one used while loading.
add_options() {
  echo '    bool half_depth;' | add_after src/opt/options.h '    int64_t max_depth;' &&
    echo '    char *load_note;' | add_after src/opt/options.h '    char *graph_path;' &&
    add_after src/opt/option_table.c 'const struct option option_table[] = {' <<'END' &&
    {.name = "half_depth",
     .kind = OPT_BOOL,
     AT(half_depth),
     .default_text = "false",
     .stages = STAGE_SHOW,
     .ours = true,
     .value_name = "BOOL",
     .help = "show half as many levels"},
    {.name = "load_note",
     .kind = OPT_NAME,
     AT(load_note),
     .default_text = "",
     .stages = STAGE_LOAD,
     .ours = true,
     .value_name = "TEXT",
     .help = "say TEXT once all is read"},
END
    add_before src/view/show.c '    return o->max_depth < 0' <<'END' &&
    if (o->half_depth)
        return (uint32_t)(o->max_depth / 2);
END
    add_before src/load/inputs/read_inputs.c '    weight_types_add(l->builder);' <<'END'
    if (l->request->options->load_note)
        note_add(&builder_profile(l->builder)->notes, "%s", l->request->options->load_note);
END
}

add_action() {
  add_after src/tui/commands/action_table.c '    /* Views; each' <<'END' &&
    {.name = "greet", .keys = "vh", .contexts = CTX_PANES, .group = "View",
     .help = "wish a good day", .run = cmd_greet},
END
    echo 'void cmd_greet(struct app *a, int arg);' | add_after src/tui/commands/cmd.h '/* cmd_query.c */' &&
    add_to src/tui/commands/cmd_query.c <<'END'

void cmd_greet(struct app *a, int arg)
{
    (void)arg;
    app_print(a, ROLE_TEXT, "have a good day");
}
END
}

add_output() {
  add_row src/export/output.h OUTPUT_LIST 'X(size)' &&
    add_to src/export/folded.c <<'END'

static bool write_size(struct result *r, struct sink *s, struct err *err)
{
    struct outbuf out;

    outbuf_init(&out, s, err);
    sb_addf(&out.text, "a tree of %u rows\n", (unsigned)r->tree->n_rows);
    return outbuf_end(&out);
}

const struct output output_size = {
    .name = "size",
    .help = "how many rows there are",
    .outfile = OUTFILE_OPTIONAL,
    .views = OUTPUT_TREE_VIEWS,
    .write = write_size,
};
END
}

# A table that is a command and a view of the screen.
add_table() {
  add_row src/opt/view_list.h MENU_LIST 'TABLE(sizes, "sizes", "W", NULL, "disk")' &&
    add_to src/export/sql/tables_run.c <<'END'

static const struct table_column size_columns[] = {
    {"size", "BYTES", "size of the file, unpacked", .unit = VALUE_BYTES,
     MEMBER_OF(struct source_file, size_bytes)},
};

const struct table table_sizes = {
    .name = "sizes",
    .help = "list the sizes of inputs",
    TABLE_COLUMNS(size_columns),
    .keys = {MEMBER_OF(struct profile, n_files)},
    .open = open_files,
};
END
}

add_operation() {
  echo '    {"ExtendedOp", "in0"},' |
    add_after src/shapes/rules/shape_written.c 'const struct written_rule written_rules[] = {' &&
    echo '    {"ExtendedOp", "7 * N(out)", count_each_output, 7},' |
    add_after src/flops/count_nn.c 'const struct count_rule count_rules_nn[] = {'
}

# Its positions in the orders of loading and detection are those of op logs.
add_format() {
  add_row src/load/formats.h FORMAT_LIST 'ROW(NAMES, names)' &&
    add_to src/load/run/oplog.c <<'END'

/* A line NAMES, then one name a line. */
static bool fits_names(struct span bytes, struct evidence *e)
{
    return !e && bytes.len > 6 && memcmp(bytes.bytes, "NAMES\n", 6) == 0;
}

static bool load_names(struct loader *l, struct err *err)
{
    size_t begin = 6;
    bool added;

    (void)err;
    for (size_t i = begin; i < l->input.len; i++)
        if (l->input.bytes[i] == '\n') {
            builder_node(l->builder, builder_str(l->builder, l->input.bytes + begin, i - begin),
                         builder_str(l->builder, "Named", 5), &added);
            begin = i + 1;
        }
    return true;
}

const struct format_row format_names = {
    .name = "list of names",
    .help = "names of nodes, a line each",
    .binary_name = "list of names",
    .contents = CONTAINS_GRAPH,
    .load_order = 60,
    .detect_order = 60,
    .fits = fits_names,
    .load = load_names,
};
END
}

is 'a metric is added' add_metric
is 'a column of nodes is added' add_node_column
is 'one that is another by a third is added' add_ratio
is 'a field is added' add_field
is 'options are added' add_options
is 'an action is added' add_action
is 'an output is added' add_output
is 'a table is added' add_table
is 'an operation is added' add_operation
is 'an input format is added' add_format

# ---- the build

build_all() {
  make -C "$tree/$folder" -s -j2 CC="$CC" CFLAGS='-O0 -w' tfprof man/tfprof.1 completions/tfprof completions/_tfprof \
    completions/tfprof.fish tests/tui/show
}
is 'all is built' build_all
TFPROF=$tree/$folder/tfprof

# ---- tests of each addition

# helps WORD...: the help contains all topics.
helps() {
  for word; do
    run help "$word"
    [ "$status" -eq 0 ] || { echo "no help about $word" && return 1; }
  done
}
is 'the help has all' helps name_bytes micros_per_param parent half_depth load_note size sizes

# all_in FILE WORD...
all_in() {
  file=$1
  shift
  for word; do
    grep -qF -e "$word" "$file" || { echo "$word is not in $file" && return 1; }
  done
}
words='name_bytes micros_per_param parent half_depth load_note size sizes'
# shellcheck disable=SC2086  # words
{
  is 'the manual has all' all_in "$tree/$folder/man/tfprof.1" $words greet min_name_bytes
  is 'bash completes all' all_in "$tree/$folder/completions/tfprof" $words min_name_bytes
  is 'zsh completes all' all_in "$tree/$folder/completions/_tfprof" $words min_name_bytes
  is 'fish completes all' all_in "$tree/$folder/completions/tfprof.fish" $words min_name_bytes
}

# shown KEYS ARGUMENT...: writes the screen to $work/stdout.
shown() {
  timeout 120 env top_srcdir="$source" "$tree/$folder/tests/tui/show" -ascii "$@" >"$work/stdout" 2>"$work/stderr"
  status=$?
}
model=data/resnet32.pb.gz
shown 'o' $model
is_line 'the editor has the option of the view' stdout '.*half_depth .*'
shown 'ojjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj' $model
is_line 'and further down that of the metric' stdout '.*min_name_bytes .*'
shown '??/good day<ret>' $model
is_line 'the help of the screen has the action' stdout '.*wish a good day.*'
shown 'vh' $model
is_line 'the action runs by its key' stdout '.*have a good day.*'
shown ':greet<ret>' $model
is_line 'the action runs by its name' stdout '.*have a good day.*'
shown '' $model -select name_bytes,parent
is_line 'the screen has columns for both' stdout '.*NAME BYTES.*PARENT.*'

run scope "$sample" -max_depth 1 -select micros_per_param -order_by micros_per_param -min_micros_per_param 1
is_line 'the ratio is computed' stdout '_TFProfRoot \(--/7us each\)'
run scope "$sample" -max_depth 2 -select name_bytes,parent,params -order_by name_bytes -min_name_bytes 1
is_line 'the text has both, in their places' stdout 'node name \| # parameters \| row above \| bytes of the name'
is_line 'rows have both' stdout '  Const .*params, below _TFProfRoot, 5B/5B.'
run scope "$sample" -max_depth 1 -select name_bytes,bytes
is 'no other metric is shown instead' test "$(head -n 1 "$work/stdout")" = \
  'node name | requested bytes | bytes of the name'
run scope "$sample" -max_depth 4 -half_depth -select params
cp "$work/stdout" "$work/half"
run scope "$sample" -max_depth 2 -select params
is 'the option of the view is at work' cmp "$work/half" "$work/stdout"
run scope "$sample" -max_depth 1 -load_note 'read to the end'
is_line 'the option of loading is at work' stderr '.*read to the end'
run scope "$sample" -output size
is_line 'the output is at work' stdout 'a tree of [1-9][0-9]* rows'
run sizes "$sample"
is_text 'the table is a command' stdout "$(printf ' BYTES\n4.95MB')"
run sizes "$sample" -output json
is_line 'with all outputs of tables' stdout '\{"size":[0-9]+\}\]\}'
shown 'W' $model
is_line 'on the screen by its key' stdout '.*BYTES.*DETAILS.*'
shown '0/sizes<ret>' $model
is_line 'and in the menu of views' stdout '.*W +sizes +list the sizes of inputs.*'
run sql 'select count(*) as n from sizes where size > 1000000' "$sample"
is_line 'and a table of SQL' stdout '1'

cat >"$work/graph.pbtxt" <<'END'
node { name: 'x' op: 'Placeholder' attr { key: 'shape' value { shape { dim { size: 3 } } } }
  attr { key: 'dtype' value { type: DT_FLOAT } } }
node { name: 'y' op: 'ExtendedOp' input: 'x' }
END
run graph "$work/graph.pbtxt" -flops full -select float_ops,output_shapes
is_line 'the operation has a count and a shape' stdout ' *y .*21.* flops.*, 0:3.*'

cat >>"$work/graph.pbtxt" <<'END'
node { name: 'z' op: 'Add' input: 'x' input: 'y' }
END
sed '$d' "$work/graph.pbtxt" >"$work/smaller.pbtxt"
run scope "$work/graph.pbtxt" -select fan_in
cp "$work/stdout" "$work/loaded"
is_line 'the column has what was loaded' stdout '  z \(2/2 inputs\)'
run scope "$work/graph.pbtxt" -output "profile:outfile=$work/stored"
run scope "$work/stored" -select fan_in
is 'the column is stored' cmp "$work/loaded" "$work/stdout"
run scope "$work/smaller.pbtxt" -diff_base "$work/graph.pbtxt" -select fan_in
is_line 'the column is compared' stdout '.* z \(2 -> 0 fan_in, -2 .*'

printf 'NAMES\nfirst\nsecond/third\n' >"$work/names"
run scope "$work/names" -select name_bytes
is_line 'the input format is read' stdout ' *second/third .*12B/12B.*'
run scope "$sample" "$work/names"
is_line 'and goes together with others as it says' stderr '.*excludes .*names .list of names.'
finish
