/* option_table.c: the option table.  A new option needs a field in struct options and one row here;
 * parser, printing, help, completion, options pane and manual follow.  Order: that of semantics.md
 * section 3, then options that the original does not have, then the inputs. */
#include "opt/options.h"

#define AT(field) .offset = offsetof(struct options, field)
#define ANY_INT .min = INT64_MIN, .max = INT64_MAX

/* The option -min_NAME of each metric. */
#define MIN_OPTION(id, metric_name, metric_legend, metric_help, ...)                              \
    {.name = "min_" #metric_name,                                                                 \
     .kind = OPT_INT,                                                                             \
     .offset = offsetof(struct options, min) + METRIC_##id * sizeof(int64_t),                     \
     .default_text = "0",                                                                         \
     ANY_INT,                                                                                     \
     .stages = STAGE_SHOW,                                                                          \
     .value_name = "N",                                                                           \
     .help = "show only rows with at least N: " metric_help},

/* NULL-terminated. */
static const char *const min_on_names[MIN_ON_COUNT + 1] = {
    [MIN_ON_DEFAULT] = "default", [MIN_ON_SELF] = "self", [MIN_ON_TOTAL] = "total",
};
static const char *const flops_names[FLOPS_MODE_COUNT + 1] = {
    [FLOPS_DEFAULT] = "default", [FLOPS_LOG] = "log", [FLOPS_COMPAT] = "compat",
    [FLOPS_FULL] = "full",
};
static const struct option_word step_words[] = {
    {"all", STEP_ALL}, {"outside", STEP_OUTSIDE}, {"worst", STEP_WORST}, {"median", STEP_MEDIAN},
    {NULL, 0}};
/* INT32_MAX exceeds the depth of every tree, and is the largest value of the original's option. */
static const struct option_word depth_words[] = {{"all", INT32_MAX}, {NULL, 0}};
static const struct option_word diff_step_words[] = {{"same", DIFF_STEP_SAME},
                                                     {"average", STEP_AVERAGE},
                                                     {"all", STEP_ALL},
                                                     {"outside", STEP_OUTSIDE},
                                                     {"worst", STEP_WORST},
                                                     {"median", STEP_MEDIAN},
                                                     {NULL, 0}};
static const struct option_word min_delta_words[] = {{"any", MIN_DELTA_ANY}, {NULL, 0}};
static const struct option_word rank_words[] = {
    {"all", RANK_ALL}, {"average", RANK_AVERAGE}, {NULL, 0}};
static const char *const kernels_names[KERNELS_CHOICE_COUNT + 1] = {
    [KERNELS_IN_OPS] = "ops", [KERNELS_AS_ROWS] = "rows",
};
static const char *const iterations_names[ITERATIONS_CHOICE_COUNT + 1] = {
    [ITERATIONS_AUTO] = "auto", [ITERATIONS_ON] = "on", [ITERATIONS_OFF] = "off",
};
static const char *const backward_names[BACKWARD_CHOICE_COUNT + 1] = {
    [BACKWARD_DEFAULT] = "default", [BACKWARD_FORWARD] = "forward", [BACKWARD_OWN] = "own",
};
static const char *const host_events_names[HOST_EVENTS_COUNT + 1] = {
    [HOST_EVENTS_OPS] = "ops", [HOST_EVENTS_PYTHON] = "python", [HOST_EVENTS_RUNTIME] = "runtime",
    [HOST_EVENTS_ALL] = "all",
};
static const char *const devices_names[DEVICES_MODE_COUNT + 1] = {
    [DEVICES_JOIN] = "join", [DEVICES_SPLIT] = "split",
};
const char *const memory_grouping_names[] = {"default", "node", "scope", "type", "code", "stack", "size",
                                             "category", "stream", "metadata", "block", NULL};
static const struct option_word points_words[] = {
    {"all", INT64_MAX}, {"default", POINTS_DEFAULT}, {NULL, 0}};
static const char *const functions_names[FUNCTIONS_MODE_COUNT + 1] = {
    [FUNCTIONS_INLINE] = "inline", [FUNCTIONS_LIST] = "list", [FUNCTIONS_OFF] = "off",
};
static const char *const flops_unit_names[FLOPS_UNIT_COUNT + 1] = {
    [FLOPS_UNIT_FLOPS] = "flops", [FLOPS_UNIT_MACS] = "macs",
};
static const char *const flops_release_names[] = {"newest", "2.6", "2.1", "1.15", "1.14",
                                                  "1.4",    "0.9", "0.7", NULL};
static const struct option_word default_words[] = {{"default", 0}, {NULL, 0}};
static const char *const flops_rate_names[] = {"flops", "flop/s", NULL};
#define TREE_NAME(name, id, ...) [VIEW_##id] = #name,
static const char *const tree_view_names[VIEW_ADVISE + 1] = {
    VIEW_LIST(TREE_NAME, NO_VIEW, NO_VIEW, NO_VIEW)};
#undef TREE_NAME
static const struct option_word budget_words[] = {{"none", 0}, {NULL, 0}};
static const char *const budget_names[] = {"B", NULL};
static const char *const bytes_rate_names[] = {"B/s", "byte/s", "B", NULL};
_Static_assert(sizeof flops_release_names / sizeof *flops_release_names == FLOPS_RELEASE_COUNT + 1,
               "a name for each release");

const struct option option_table[] = {
    {.name = "max_depth", .kind = OPT_INT, AT(max_depth), .default_text = "10", ANY_INT,
     .words = depth_words, .stages = STAGE_SHOW, .value_name = "N",
     .help = "show at most N levels (op view: N rows after the first), or all"},
    ALL_METRICS(MIN_OPTION)
    {.name = "step", .kind = OPT_STEP, AT(step), .default_text = "-1", .min = STEP_MIN,
     .max = INT64_MAX, .words = step_words, .stages = STAGE_SELF, .value_name = "N",
     .help = "show the figures of step N or 'train 3', the worst, the median, all, or outside; "
             "negative: average"},
    {.name = "order_by", .kind = OPT_ORDER, AT(order_by), .default_text = "name",
     .stages = STAGE_ORDER, .value_name = "ORDER",
     .help = "order siblings by name or by a figure, largest first"},
    {.name = "account_type_regexes", .kind = OPT_REGEXES, AT(account_type_regexes),
     .default_text = ".*", .stages = STAGE_ACCOUNT, .value_name = "REGEXES",
     .help = "count the nodes that have a type matching one of these"},
    {.name = "start_name_regexes", .kind = OPT_REGEXES, AT(start_name_regexes),
     .default_text = ".*", .stages = STAGE_START, .value_name = "REGEXES",
     .help = "start showing at rows whose whole name matches"},
    {.name = "trim_name_regexes", .kind = OPT_REGEXES, AT(trim_name_regexes), .default_text = "",
     .stages = STAGE_SHOW, .value_name = "REGEXES",
     .help = "stop showing below rows whose whole name matches"},
    {.name = "show_name_regexes", .kind = OPT_REGEXES, AT(show_name_regexes), .default_text = ".*",
     .stages = STAGE_SHOW, .value_name = "REGEXES",
     .help = "show only rows whose whole name matches"},
    {.name = "hide_name_regexes", .kind = OPT_REGEXES, AT(hide_name_regexes), .default_text = "",
     .stages = STAGE_SHOW, .value_name = "REGEXES", .help = "hide rows whose whole name matches"},
    {.name = "account_displayed_op_only", .kind = OPT_BOOL, AT(account_displayed_op_only),
     .default_text = "false", .stages = STAGE_SHOW, .value_name = "BOOL",
     .help = "total only the displayed rows"},
    {.name = "select", .kind = OPT_FIELDS, AT(select), .default_text = "micros",
     .stages = STAGE_RENDER, .value_name = "FIELDS", .help = "the fields to show"},
    {.name = "output", .kind = OPT_OUTPUT, AT(output), .default_text = "stdout",
     .stages = STAGE_RENDER, .value_name = "OUTPUT",
     .help = "where the result goes: TYPE or TYPE:outfile=FILE"},
    {.name = "dump_to_file", .stands_for = "file:outfile=", .kind = OPT_OUTPUT, AT(output),
     .stages = STAGE_RENDER, .value_name = "FILE", .help = "old name of -output file:outfile=FILE"},
    {.name = "time_limit", .kind = OPT_INT, AT(time_limit), .default_text = "0", .max = INT32_MAX,
     .ours = true, .value_name = "SECONDS",
     .help = "cancel a command after this time, without output; 0: never"},
    {.name = "view", .kind = OPT_CHOICE, AT(view), .default_text = "scope", .choices = tree_view_names,
     .ours = true, .value_name = "VIEW", .help = "diff: the view whose rows are compared"},
    {.name = "budget", .kind = OPT_RATE, AT(budget), .default_text = "none", .choices = budget_names,
     .words = budget_words, .max = INT32_MAX, .ours = true, .value_name = "BYTES",
     .help = "keep the heaviest rows that fit in so many bytes of text or json: 4000, 8k"},
    {.name = "viz", .kind = OPT_BOOL, AT(viz), .default_text = "false", .value_name = "BOOL",
     .help = "ignored; accepted for old scripts"},
    {.name = "device_regexes", .kind = OPT_REGEXES, AT(device_regexes), .default_text = ".*",
     .stages = STAGE_SHOW, .ours = true, .value_name = "REGEXES",
     .help = "show only rows whose whole device name matches"},
    {.name = "time_range", .kind = OPT_RANGE, AT(time_range), .default_text = "all",
     .stages = STAGE_SELF, .ours = true, .value_name = "FROM:TO",
     .help = "count only what runs between these times since the first execution of its step: "
             "0.6s:1.72s; the units are ps, ns, us (the default), ms and s"},
    {.name = "diff_step", .kind = OPT_STEP, AT(diff_step), .default_text = "same", .min = STEP_MIN,
     .max = INT64_MAX, .words = diff_step_words, .stages = STAGE_SELF | STAGE_SHOW | STAGE_ORDER,
     .ours = true, .value_name = "N",
     .help = "compare with step N of the baseline, or of the same profile without -diff_base"},
    {.name = "min_delta", .kind = OPT_INT, AT(min_delta), .default_text = "any",
     .min = MIN_DELTA_ANY, .max = INT64_MAX, .words = min_delta_words, .stages = STAGE_SHOW,
     .ours = true, .value_name = "N",
     .help = "comparison: show only rows that differ by N or more, or at all (any)"},
    {.name = "min_percent", .kind = OPT_INT, AT(min_percent), .default_text = "0", .min = 0,
     .max = INT32_MAX, .stages = STAGE_SHOW, .ours = true, .value_name = "N",
     .help = "comparison: show only rows that differ by N percent of the baseline or more"},
    {.name = "significant", .kind = OPT_BOOL, AT(significant), .default_text = "false",
     .stages = STAGE_SHOW, .ours = true, .value_name = "BOOL",
     .help = "comparison: differences that the spread over steps explains come last, dim or "
             "`within noise`"},
    {.name = "top", .kind = OPT_INT, AT(top), .default_text = "default", .min = 1,
     .max = INT64_MAX - 1, .words = default_words, .ours = true, .value_name = "N",
     .help = "print the N heaviest rows; kernels, gaps: the first N (default: all, of kernels in text 40)"},
    {.name = "streams", .kind = OPT_BOOL, AT(streams), .default_text = "false", .ours = true,
     .value_name = "BOOL", .help = "breakdown: list streams over the whole file instead of steps"},
    {.name = "idle_gap", .kind = OPT_INT, AT(idle_gap), .default_text = "30", .min = 1,
     .max = 1000000, .ours = true, .value_name = "US",
     .help = "breakdown: gaps of up to US microseconds before queued work are launch latency"},
    {.name = "at", .kind = OPT_NAME, AT(at), .default_text = "", .ours = true,
     .value_name = "INSTANT",
     .help = "memory: show what is live at start, peak, end, oom (the last one), event:N or a time; "
             "default: peak, in a comparison end"},
    {.name = "since", .kind = OPT_NAME, AT(since), .default_text = "", .ours = true,
     .value_name = "INSTANT",
     .help = "memory: count only allocations from this instant on"},
    {.name = "group", .kind = OPT_CHOICE, AT(group), .default_text = "default",
     .choices = memory_grouping_names, .ours = true, .value_name = "GROUP",
     .help = "memory: group live memory; default: by scope, in json by node, in a comparison by "
             "stack"},
    {.name = "points", .kind = OPT_INT, AT(points), .default_text = "default", .min = 3,
     .max = INT64_MAX - 1, .words = points_words, .ours = true, .value_name = "N",
     .help = "memory: points of each curve in json (default: 2000, of RunMetadata all)"},
    {.name = "segments", .kind = OPT_BOOL, AT(segments), .default_text = "false", .ours = true,
     .value_name = "BOOL", .help = "memory: list segments"},
    {.name = "align_clocks", .kind = OPT_BOOL, AT(align_clocks), .default_text = "false",
     .ours = true, .value_name = "BOOL",
     .help = "ranks: subtract the clock offset of each rank from its times"},
    {.name = "hide_unaccounted", .kind = OPT_BOOL, AT(hide_unaccounted), .default_text = "false",
     .stages = STAGE_SHOW, .ours = true, .value_name = "BOOL",
     .help = "also hide rows that are not accounted themselves"},
    {.name = "min_on", .kind = OPT_CHOICE, AT(min_on), .default_text = "default",
     .choices = min_on_names, .stages = STAGE_SHOW, .ours = true, .value_name = "WHICH",
     .help = "apply all -min_* to self or to total figures (default: see each)"},
    {.name = "trace_text", .kind = OPT_BOOL, AT(trace_text), .default_text = "false",
     .stages = STAGE_TREE, .ours = true, .value_name = "BOOL",
     .help = "add the source line's text to names (code view)"},
    {.name = "hide_frames", .kind = OPT_REGEXES, AT(hide_frames), .default_text = "",
     .stages = STAGE_TREE, .views = 1u << VIEW_CODE, .ours = true, .value_name = "REGEXES",
     .help = "fold lines of code whose whole file path matches (code view); library: all of "
             "Python, packages and frameworks"},
    {.name = "fold_twins", .kind = OPT_BOOL, AT(fold_twins), .default_text = "false",
     .stages = STAGE_REPEATS, .views = 1u << VIEW_SCOPE | 1u << VIEW_GRAPH | 1u << VIEW_CODE,
     .ours = true, .value_name = "BOOL",
     .help = "fold siblings of equal structure, such as layers, into one row: layer_[0-11] x12"},
    {.name = "source_map", .kind = OPT_PAIRS, AT(source_map), .default_text = "",
     .stages = STAGE_RENDER, .ours = true, .value_name = "FROM=TO[,...]",
     .help = "look for source files whose path begins with FROM below TO (pprof; editor and "
             "details of the screen)"},
    {.name = "flops", .kind = OPT_CHOICE, AT(flops), .default_text = "default",
     .choices = flops_names, .stages = STAGE_SELF, .ours = true, .value_name = "RULES",
     .help = "count operations as recorded (log), as the original (compat), or by all rules "
             "(full); default: recorded ones, else compat"},
    {.name = "flops_unit", .kind = OPT_CHOICE, AT(flops_unit), .default_text = "flops",
     .choices = flops_unit_names, .stages = STAGE_SELF, .ours = true, .value_name = "UNIT",
     .help = "a multiply-add counts two operations (flops) or one (macs)"},
    {.name = "flops_loops", .kind = OPT_BOOL, AT(flops_loops), .default_text = "false",
     .stages = STAGE_SELF, .ours = true, .value_name = "BOOL",
     .help = "also count what TensorFlow skips: one iteration of each loop, all branches, other "
             "calls; full always does, see OPERATION COUNTS"},
    {.name = "flops_release", .kind = OPT_CHOICE, AT(flops_release), .default_text = "newest",
     .choices = flops_release_names, .stages = STAGE_SELF, .ours = true, .value_name = "RELEASE",
     .help = "compat: the operation types that TensorFlow counted from this release on, up to the "
             "next one named"},
    {.name = "flops_transcendental", .kind = OPT_INT, AT(flops_transcendental), .default_text = "1",
     .min = 1, .max = INT32_MAX, .stages = STAGE_SELF, .ours = true, .value_name = "N",
     .help = "full: operations of one exp, log, sqrt, tanh and the like (T in formulas)"},
    {.name = "flops_division", .kind = OPT_INT, AT(flops_division), .default_text = "1", .min = 1,
     .max = INT32_MAX, .stages = STAGE_SELF, .ours = true, .value_name = "N",
     .help = "full: operations of one division (D in formulas)"},
    {.name = "peak_flops", .kind = OPT_RATE, AT(peak_flops), .default_text = "default",
     .choices = flops_rate_names, .words = default_words, .stages = STAGE_SELF, .ours = true,
     .value_name = "RATE",
     .help = "peak operations per second, for bound and roof_percent: 312T; default: that of the "
             "capture or the device's model, else of the fastest operation type"},
    {.name = "peak_bandwidth", .kind = OPT_RATE, AT(peak_bandwidth), .default_text = "default",
     .choices = bytes_rate_names, .words = default_words, .stages = STAGE_SELF, .ours = true,
     .value_name = "RATE", .help = "peak memory bandwidth, as -peak_flops: 1.5TB/s"},
    {.name = "batch", .kind = OPT_INT, AT(batch), .default_text = "0", .min = 0, .max = INT32_MAX,
     .stages = STAGE_SELF, .ours = true, .value_name = "N",
     .help = "count operations for batches of N where the graph leaves it open; 0: leave it open"},
    {.name = "bind", .kind = OPT_PATHS, AT(bind), .default_text = "", .stages = STAGE_SELF,
     .ours = true, .value_name = "NODE=2x3x?[,...]",
     .help = "count operations as if the first output of NODE had this shape"},
    {.name = "graph_path", .kind = OPT_PATH, AT(graph_path), .default_text = "",
     .stages = STAGE_LOAD, .value_name = "FILE",
     .help = "read the graph from a GraphDef, text or binary"},
    {.name = "run_meta_path", .kind = OPT_PATHS, AT(run_meta_path), .default_text = "",
     .stages = STAGE_LOAD, .value_name = "FILES",
     .help = "read steps 0, 1, 2 ... from RunMetadata files, separated by commas"},
    {.name = "op_log_path", .kind = OPT_PATH, AT(op_log_path), .default_text = "",
     .stages = STAGE_LOAD, .value_name = "FILE",
     .help = "read types, counts and call stacks from an OpLogProto"},
    {.name = "checkpoint_path", .kind = OPT_PATH, AT(checkpoint_path), .default_text = "",
     .stages = STAGE_LOAD, .value_name = "FILE",
     .help = "read values from a checkpoint: a V1 file, a V2 prefix, or any of its files"},
    {.name = "profile_path", .kind = OPT_PATH, AT(profile_path), .default_text = "",
     .stages = STAGE_LOAD, .value_name = "FILE",
     .help = "read graph and steps from a ProfileProto"},
    {.name = "diff_base", .kind = OPT_PATHS, AT(diff_base), .default_text = "",
     .stages = STAGE_LOAD, .ours = true, .value_name = "FILES",
     .help = "compare with the profile in these files, separated by commas"},
    {.name = "rename", .kind = OPT_PATHS, AT(rename), .default_text = "", .stages = STAGE_LOAD,
     .ours = true, .value_name = "REGEX=TEMPLATE[,...]",
     .help = "comparison: in names of the baseline, replace what REGEX matches by TEMPLATE, with "
             "$1 for its first group"},
    {.name = "unmatch", .kind = OPT_REGEXES, AT(unmatch), .default_text = "", .stages = STAGE_LOAD,
     .ours = true, .value_name = "REGEXES",
     .help = "comparison: do not match nodes whose whole name, on either side, matches"},
    {.name = "tag", .kind = OPT_NAME, AT(tag), .default_text = "", .stages = STAGE_LOAD,
     .ours = true, .value_name = "TAGS",
     .help = "load the meta graph of a SavedModel with these tags; default: serve"},
    {.name = "signature", .kind = OPT_NAME, AT(signature), .default_text = "", .stages = STAGE_LOAD,
     .ours = true, .value_name = "NAME",
     .help = "load only what this signature of a SavedModel needs"},
    {.name = "sample_index", .kind = OPT_NAME, AT(sample_index), .default_text = "",
     .stages = STAGE_LOAD, .ours = true, .value_name = "NAME",
     .help = "show this sample type of a pprof profile as `value`: a name, or its position"},
    {.name = "host_events", .kind = OPT_CHOICE, AT(host_events), .default_text = "ops",
     .choices = host_events_names, .stages = STAGE_LOAD, .ours = true, .value_name = "WHAT",
     .help = "include events of a capture's hosts: ops, also python calls, runtime, or all"},
    {.name = "devices", .kind = OPT_CHOICE, AT(devices), .default_text = "join",
     .choices = devices_names, .stages = STAGE_LOAD, .ours = true, .value_name = "HOW",
     .help = "join what ran on several devices of a capture, or split it by device"},
    {.name = "functions", .kind = OPT_CHOICE, AT(functions), .default_text = "inline",
     .choices = functions_names, .stages = STAGE_LOAD, .ours = true, .value_name = "HOW",
     .help = "show bodies of functions below each call (inline, within -function_rows), once by "
             "name (list), or not at all (off)"},
    {.name = "rank", .kind = OPT_INT, AT(rank), .default_text = "average", .min = 0,
     .max = INT32_MAX, .words = rank_words, .stages = STAGE_SELF, .ours = true, .value_name = "N",
     .help = "show rank N of a job's traces, the sum of all, or the average over the ranks that a "
             "node ran on"},
    {.name = "kernels", .kind = OPT_CHOICE, AT(kernels), .default_text = "ops",
     .choices = kernels_names, .stages = STAGE_LOAD, .ours = true, .value_name = "HOW",
     .help = "count the time of a trace's kernels with the operator that launched them (ops), or "
             "in rows of their own below it (rows)"},
    {.name = "backward", .kind = OPT_CHOICE, AT(backward), .default_text = "default",
     .choices = backward_names, .stages = STAGE_LOAD | STAGE_TREE, .ours = true,
     .value_name = "WHERE",
     .help = "show the backward pass below the modules and operators of the forward pass "
             "(forward), or as recorded (own); default: forward for PyTorch traces without a base, "
             "else own"},
    {.name = "capture", .kind = OPT_PATHS, AT(capture), .default_text = "", .stages = STAGE_LOAD,
     .ours = true, .value_name = "FILES",
     .help = "join graph replays with these graph captures, files or folders, separated by commas; none: "
             "do not join; default: capture_traces next to the trace"},
    {.name = "iterations", .kind = OPT_CHOICE, AT(iterations), .default_text = "auto",
     .choices = iterations_names, .stages = STAGE_LOAD, .ours = true, .value_name = "HOW",
     .help = "show iterations of an LLM server as steps and phases: auto (when a graph replay is "
             "joined), on, off"},
    {.name = "function_rows", .kind = OPT_INT, AT(function_rows), .default_text = "131072",
     .min = 0, .max = 1 << 20, .stages = STAGE_LOAD, .ours = true, .value_name = "N",
     .help = "show bodies below repeated calls of a function, up to N rows in all; 0: only below "
             "opened calls"},
    {.name = "open_calls", .kind = OPT_NAME, AT(open_calls), .default_text = "",
     .stages = STAGE_LOAD, .ours = true, .value_name = "NODE[,...]",
     .help = "show the bodies below these calls, however many rows; the screen adds the calls you "
             "open"},
    {.name = "nvtx_steps", .kind = OPT_REGEXES, AT(nvtx_steps),
     .default_text = "(?i)(?:ProfilerStep#|(?:train_?|training )?(?:step|iter|iteration|batch)[ _#:=]*)([0-9]+)",
     .stages = STAGE_LOAD, .ours = true, .value_name = "REGEXES",
     .help = "NVTX ranges of Nsight Systems whose whole name matches are steps, by the number in "
             "group 1, else by the last one"},
    {.name = "host_regexes", .kind = OPT_REGEXES, AT(host_regexes), .default_text = ".*",
     .stages = STAGE_LOAD, .ours = true, .value_name = "REGEXES",
     .help = "read only hosts of captures and digests, or ranks of traces (rank 3), whose whole "
             "name matches"},
    {.name = "host", .kind = OPT_NAME, AT(host), .default_text = "", .stages = STAGE_LOAD,
     .ours = true, .value_name = "NAME",
     .help = "digest: name of the host; default: the hosts of devices and ranks, or the file"},
    {.name = "program", .kind = OPT_NAME, AT(program), .default_text = "", .stages = STAGE_LOAD,
     .ours = true, .value_name = "NAME", .help = "digest: name of the program"},
    {.name = "files_from", .kind = OPT_PATH, AT(files_from), .default_text = "",
     .stages = STAGE_LOAD, .ours = true, .value_name = "FILE",
     .help = "digest or merge the files that FILE names, each ended by a NUL; - is standard input"},
    {.name = "define_type", .kind = OPT_TYPES, AT(define_type), .default_text = "",
     .stages = STAGE_LOAD, .ours = true, .value_name = "NAME=REGEX[,...]",
     .help = "add type NAME to nodes whose names match REGEX, for -account_type_regexes"},
};

const size_t option_table_n = sizeof option_table / sizeof *option_table;
