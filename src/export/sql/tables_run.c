/* tables_run.c: tables of runs: files, hosts, steps, executions, times, memory. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "export/tables/table_list.h"
#include "model/programs.h"
#include "model/host.h"
#include "model/profile_kind.h"
#include "view/cut.h"

/* ---- files */

static const struct table_column file_columns[] = {
    {"file", .help = "number of the file"},
    {"path", .help = "path as given", .unit = VALUE_TEXT, MEMBER_OF(struct source_file, path)},
    {"format", .help = "detected format", .unit = VALUE_TEXT,
     MEMBER_OF(struct source_file, format)},
    {"bytes", .help = "size when decompressed", .unit = VALUE_BYTES,
                    MEMBER_OF(struct source_file, size_bytes)},
    {"disk_bytes", .help = "size on disk", .unit = VALUE_BYTES,
                         MEMBER_OF(struct source_file, file_size_bytes)},
};

static bool open_files(struct table_rows *t, struct err *err UNUSED)
{
    t->records = t->request->profile->files;
    t->record_size = sizeof *t->request->profile->files;
    return true;
}

const struct table table_files = {
    .name = "files", .help = "inputs that were read", TABLE_COLUMNS(file_columns),
    .has_key_column = true, .keys = {MEMBER_OF(struct profile, n_files)}, .open = open_files,
};

/* ---- hosts */

static const struct table_column host_columns[] = {
    {"host", .help = "number of the host"},
    {"name", .help = "name of the host in names of devices", .unit = VALUE_TEXT},
};

/* Host names, sorted. */
struct host_names {
    struct intern names;
    VEC(strid) sorted;
};

static void add_host(struct host_names *hosts, const struct profile *p, strid device)
{
    const struct text host = host_of_device(intern_string(&p->strings, device));
    const size_t n_before = hosts->names.n;
    const strid id = host.len ? intern_put(&hosts->names, host.bytes, host.len) : STRID_EMPTY;

    if (hosts->names.n > n_before)
        vec_push(&hosts->sorted, id);
}

static bool open_hosts(struct table_rows *t, struct err *err UNUSED)
{
    const struct profile *p = t->request->profile;
    struct host_names *hosts = xcalloc(1, sizeof *hosts);
    strid last = STRID_EMPTY; /* neighbours usually have the same device */

    intern_init(&hosts->names);
    for (node_id node = 0; node < p->n_nodes; node++) {
        uint32_t n;
        const strid *devices = profile_devices(p, node, &n);

        for (uint32_t i = 0; i < n; i++) {
            if (devices[i] != last)
                add_host(hosts, p, devices[i]);
            last = devices[i];
        }
    }
    intern_sort(&hosts->names, hosts->sorted.data, (uint32_t)hosts->sorted.n);
    t->data = hosts;
    t->n_keys = hosts->sorted.n;
    return true;
}

static void close_hosts(struct table_rows *t)
{
    struct host_names *hosts = t->data;

    intern_done(&hosts->names);
    vec_done(&hosts->sorted);
    free(hosts);
}

static void host_value(struct table_cursor *c, size_t column UNUSED, struct table_value *v)
{
    const struct host_names *hosts = c->rows->data;

    value_text(v, intern_string(&hosts->names, hosts->sorted.data[c->key]));
}

const struct table table_hosts_of_devices = {
    .name = "hosts", .help = "hosts of the devices of nodes", TABLE_COLUMNS(host_columns),
    .has_key_column = true, .open = open_hosts, .close = close_hosts, .value = host_value,
};

/* ---- steps */

static const struct table_column step_columns[] = {
    {"position", .help = "position among the steps"},
    {"step", .help = "number of the step, as in -step", .member = MEMBER_INT64},
    {"name", .help = "name of its mark, as in -step; NULL: it has only a number"},
};

static void step_value(struct table_cursor *c, size_t column UNUSED, struct table_value *v)
{
    value_string(v, c->profile, program_step_name(c->profile->programs, c->profile->steps[c->key]));
}

static bool open_steps(struct table_rows *t, struct err *err UNUSED)
{
    t->records = t->request->profile->steps;
    t->record_size = sizeof *t->request->profile->steps;
    return true;
}

const struct table table_steps_of_run = {
    .name = "steps", .help = "steps of the run", TABLE_COLUMNS(step_columns),
    .has_key_column = true, .keys = {MEMBER_OF(struct profile, n_steps)}, .open = open_steps,
    .value = step_value,
};

/* ---- threads of traces */

struct cpu_thread {
    int64_t rank; /* INT64_MIN: unknown */
    struct thread_time time;
};

enum { THREAD_RANK, THREAD_ID };

static const struct table_column thread_columns[] = {
    [THREAD_RANK] = {"rank", .help = "rank in a job", MEMBER_OF(struct cpu_thread, rank)},
    [THREAD_ID] = {"thread", .help = "process id and thread id in the file", .unit = VALUE_TEXT},
    {"name", .help = "name of the thread in the file", .unit = VALUE_TEXT, MEMBER_OF(struct cpu_thread, time.name)},
    {"cpu_micros", .help = "time covered by slices, microseconds", .unit = VALUE_TIME_PS,
     MEMBER_OF(struct cpu_thread, time.cpu_ns), .scale = PS_PER_NS},
    {"wait_micros", .help = "part of that time in which the thread waits", .unit = VALUE_TIME_PS,
     MEMBER_OF(struct cpu_thread, time.wait_ns), .scale = PS_PER_NS},
};

static bool open_threads(struct table_rows *t, struct err *err UNUSED)
{
    const struct profile *p = t->request->profile;
    VEC(struct cpu_thread) threads = {0};

    array_each(const struct recorder, r, p->recorders, p->n_recorders) {
        for (uint32_t k = 0; k < r->n_thread_times; k++)
            vec_push(&threads, ((struct cpu_thread){r->rank < 0 ? INT64_MIN : r->rank, r->thread_times[k]}));
    }
    t->data = threads.data;
    table_set_records(t, &threads);
    return true;
}

void table_free_data(struct table_rows *t)
{
    free(t->data);
}

static void thread_value(struct table_cursor *c, size_t column UNUSED, struct table_value *v)
{
    const struct cpu_thread *thread = &((const struct cpu_thread *)c->rows->records)[c->key];

    sb_clear(&c->text);
    sb_adds(&c->text, profile_text(c->profile, thread->time.process));
    sb_addc(&c->text, '/');
    sb_adds(&c->text, profile_text(c->profile, thread->time.thread));
    value_scratch(v, c);
}

const struct table table_cpu_threads = {
    .name = "cpu_threads", .help = "threads of traces: time in slices and in waits",
    TABLE_COLUMNS(thread_columns), .open = open_threads, .close = table_free_data, .value = thread_value,
};

/* ---- executions */

/* The first columns of all tables of executions. */
enum { EXEC_NODE, EXEC_STEP, EXEC_RANK, EXEC_COLUMNS };

/* Sets the column step or rank. */
static void set_step_or_rank(struct table_value *v, const struct profile *p, size_t column, int64_t step)
{
    const int64_t number = profile_step_number(p, step), rank = profile_rank_number(p, rank_of_ranked(step));

    if (column == EXEC_STEP && number != STEP_OUTSIDE)
        value_integer(v, number);
    if (column == EXEC_RANK && rank != INT64_MIN)
        value_integer(v, rank);
}

static void set_ticks(struct table_value *v, const struct profile *p, int64_t ticks)
{
    bool saturated = false;
    const int64_t ps = clock_ps(p->clock, ticks, &saturated);

    if (saturated) /* an absolute time since 1970 */
        value_integer(v, ticks / (PS_PER_US / p->clock.tick_ps));
    else
        value_micros(v, ps);
}

/* ---- executions clipped to -time_range */

static bool open_cut(struct table_rows *t, struct err *err)
{
    const struct table_request *q = t->request;
    const struct options *o = q->options;

    if (!o || time_range_is_all(o->time_range))
        return true;
    t->data = cut_new(q->profile, o->time_range, o->step, NULL, NULL, q->cancel);
    return t->data || err_set(err, ERR_CANCELLED, "cancelled");
}

static void close_cut(struct table_rows *t)
{
    cut_unref(t->data);
}

static const struct profile *cut_profile(const struct table_cursor *c)
{
    const struct cut *cut = c->rows->data;

    return cut ? &cut->profile : c->profile;
}

typedef VEC(struct exec) exec_list;

static uint32_t read_execs(struct table_cursor *c)
{
    exec_list *execs = table_state(c, sizeof *execs);
    struct exec_walk walk = profile_execs(cut_profile(c), (node_id)c->key);
    struct exec e;

    execs->n = 0;
    while (exec_next(&walk, &e))
        vec_push(execs, e);
    return (uint32_t)execs->n;
}

static const void *run_record(const struct table_cursor *c)
{
    const exec_list *execs = c->state;

    return &execs->data[c->at];
}

static void leave_execs(struct table_cursor *c)
{
    exec_list *execs = c->state;

    vec_done(execs);
}

enum { RUN_RUNS = EXEC_COLUMNS, RUN_START, RUN_END, RUN_MICROS, RUN_ACCELERATOR,
       RUN_CPU, RUN_BYTES, RUN_PEAK, RUN_RESIDUAL, RUN_OUTPUT };

static const struct table_column run_columns[] = {
    [EXEC_NODE] = {"node", .help = "node: in nodes"},
    [EXEC_STEP] = {"step", .help = "number of the step; NULL: outside of all steps"},
    [EXEC_RANK] = {"rank", .help = "rank in a job; NULL: no ranks"},
    [RUN_RUNS] = {"run_count", .help = "number of executions in the step",
                 MEMBER_OF(struct exec, run_count)},
    [RUN_START] = {"start_micros", .help = "start of the first execution, on the clock of the file", .unit = VALUE_MICROS},
    [RUN_END] = {"end_micros", .help = "end of the last execution", .unit = VALUE_MICROS},
    [RUN_MICROS] = {"micros", .help = "time on accelerators and CPUs, microseconds", .unit = VALUE_TIME_PS},
    [RUN_ACCELERATOR] = {"accelerator_micros", .help = "time on accelerators", .unit = VALUE_TIME_PS,
                 MEMBER_OF(struct exec, accelerator_ps)},
    [RUN_CPU] = {"cpu_micros", .help = "time on CPUs", .unit = VALUE_TIME_PS},
    [RUN_BYTES] = {"bytes", .help = "bytes requested from allocators",
                 .unit = VALUE_BYTES, MEMBER_OF(struct exec, requested_bytes)},
    [RUN_PEAK] = {"peak_bytes", .help = "peak memory use during the execution",
                 .unit = VALUE_BYTES, MEMBER_OF(struct exec, peak_bytes)},
    [RUN_RESIDUAL] = {"residual_bytes", .help = "bytes still allocated after the execution",
                 .unit = VALUE_BYTES, MEMBER_OF(struct exec, residual_bytes)},
    [RUN_OUTPUT] = {"output_bytes", .help = "bytes of the outputs",
                 .unit = VALUE_BYTES, MEMBER_OF(struct exec, output_bytes)},
};

static void run_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct exec *e = run_record(c);

    if (column < EXEC_COLUMNS)
        set_step_or_rank(v, c->profile, column, e->step);
    else if (column == RUN_MICROS)
        value_integer(v, clamp_add(e->accelerator_ps, e->cpu_ps));
    else if (column == RUN_CPU)
        value_integer(v, profile_is_async(c->profile, (node_id)c->key) ? 0 : e->cpu_ps);
    else
        set_ticks(v, c->profile, column == RUN_START ? e->start_ticks : e->latest_end_ticks);
}

const struct table table_executions = {
    .name = "executions", .help = "executions of nodes per step", TABLE_COLUMNS(run_columns),
    .has_key_column = true, .keys = {MEMBER_OF(struct profile, n_nodes)}, .open = open_cut,
    .close = close_cut, .n_rows = read_execs,
    .record = run_record, .leave = leave_execs, .value = run_value,
};

/* ---- times and memory: the lists of executions */

/* An item of a list of an execution. */
struct listed {
    int64_t step;
    union {
        struct exec_time time;
        struct exec_memory memory;
    };
};

typedef VEC(struct listed) listed_list;

static uint32_t read_lists(struct table_cursor *c, bool times)
{
    listed_list *list = table_state(c, sizeof *list);
    struct exec_walk walk = profile_execs(cut_profile(c), (node_id)c->key);
    struct exec_lists read = {0};
    struct exec e;

    list->n = 0;
    while (exec_next(&walk, &e)) {
        profile_exec_lists(cut_profile(c), &e, &read);
        for (size_t i = 0; times && i < read.times.n; i++)
            vec_push(list, ((struct listed){e.step, .time = read.times.data[i]}));
        for (size_t i = 0; !times && i < read.memories.n; i++)
            vec_push(list, ((struct listed){e.step, .memory = read.memories.data[i]}));
    }
    exec_lists_done(&read);
    return (uint32_t)list->n;
}

static uint32_t read_times(struct table_cursor *c)
{
    return read_lists(c, true);
}

static uint32_t read_memories(struct table_cursor *c)
{
    return read_lists(c, false);
}

static const void *listed_record(const struct table_cursor *c)
{
    const listed_list *list = c->state;

    return &list->data[c->at];
}

static void leave_lists(struct table_cursor *c)
{
    listed_list *list = c->state;

    vec_done(list);
}

enum { TIME_DEVICE = EXEC_COLUMNS, TIME_IS_STREAM, TIME_START, TIME_DURATION };

static const struct table_column time_columns[] = {
    [EXEC_NODE] = {"node", .help = "node: in nodes"},
    [EXEC_STEP] = {"step", .help = "number of the step; NULL: outside of all steps"},
    [EXEC_RANK] = {"rank", .help = "rank in a job; NULL: no ranks"},
    [TIME_DEVICE] = {"device", .help = "device of the execution", .unit = VALUE_TEXT,
                     MEMBER_OF(struct listed, time.device)},
    [TIME_IS_STREAM] = {"is_stream", .help = "1: the device is a stream of an accelerator",
                        MEMBER_OF(struct listed, time.accelerator)},
    [TIME_START] = {"start_micros", .help = "start, on the clock of the file", .unit = VALUE_MICROS},
    [TIME_DURATION] = {"micros", .help = "duration, microseconds", .unit = VALUE_MICROS},
};

static void time_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct listed *t = listed_record(c);

    if (column < EXEC_COLUMNS)
        set_step_or_rank(v, c->profile, column, t->step);
    else
        set_ticks(v, c->profile, column == TIME_START ? t->time.start_ticks : t->time.dur_ticks);
}

const struct table table_times = {
    .name = "times", .help = "single executions of nodes", TABLE_COLUMNS(time_columns),
    .has_key_column = true, .keys = {MEMBER_OF(struct profile, n_nodes)}, .open = open_cut,
    .close = close_cut, .n_rows = read_times,
    .record = listed_record, .leave = leave_lists, .value = time_value,
};

static const struct table_column memory_columns[] = {
    [EXEC_NODE] = {"node", .help = "node: in nodes"},
    [EXEC_STEP] = {"step", .help = "number of the step; NULL: outside of all steps"},
    [EXEC_RANK] = {"rank", .help = "rank in a job; NULL: no ranks"},
    {"at_micros", .help = "time of the record, on the clock of the file", .unit = VALUE_MICROS},
    {"bytes", .help = "bytes requested from allocators",
        .unit = VALUE_BYTES, MEMBER_OF(struct listed, memory.requested_bytes)},
    {"peak_bytes", .help = "peak memory use, bytes",
        .unit = VALUE_BYTES, MEMBER_OF(struct listed, memory.peak_bytes)},
    {"residual_bytes", .help = "bytes still allocated at the end",
        .unit = VALUE_BYTES, MEMBER_OF(struct listed, memory.residual_bytes)},
    {"output_bytes", .help = "bytes of the outputs",
        .unit = VALUE_BYTES, MEMBER_OF(struct listed, memory.output_bytes)},
    {"host_temp_bytes", .help = "bytes of the host that are freed at the end",
        .unit = VALUE_BYTES, MEMBER_OF(struct listed, memory.host_temp_bytes)},
    {"host_persistent_bytes", .help = "bytes of the host that stay allocated",
        .unit = VALUE_BYTES, MEMBER_OF(struct listed, memory.host_persistent_bytes)},
    {"accelerator_temp_bytes", .help = "bytes of the accelerator that are freed at the end",
        .unit = VALUE_BYTES, MEMBER_OF(struct listed, memory.accelerator_temp_bytes)},
    {"accelerator_persistent_bytes", .help = "bytes of the accelerator that stay allocated",
        .unit = VALUE_BYTES, MEMBER_OF(struct listed, memory.accelerator_persistent_bytes)},
    {"allocator_bytes_in_use", .help = "bytes in use in the whole allocator",
        .unit = VALUE_BYTES, MEMBER_OF(struct listed, memory.allocator_bytes_in_use)},
};

static void memory_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct listed *r = listed_record(c);

    if (column < EXEC_COLUMNS)
        set_step_or_rank(v, c->profile, column, r->step);
    else
        set_ticks(v, c->profile, r->memory.memory_ticks);
}

const struct table table_memory_records = {
    .name = "memory", .help = "memory records of nodes", TABLE_COLUMNS(memory_columns),
    .has_key_column = true, .keys = {MEMBER_OF(struct profile, n_nodes)}, .open = open_cut,
    .close = close_cut, .n_rows = read_memories,
    .record = listed_record, .leave = leave_lists, .value = memory_value,
};
