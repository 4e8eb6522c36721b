/* tables_run.c: tables of what was run: files, hosts, steps, executions, times, memory. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "export/sql/sql_table.h"
#include "model/host.h"

/* ---- files */

enum { FILE_FILE, FILE_PATH, FILE_FORMAT, FILE_BYTES, FILE_DISK_BYTES };

static const struct sql_column file_columns[] = {
    [FILE_FILE] = {"file", "INTEGER", "number of the file"},
    [FILE_PATH] = {"path", "TEXT", "as given"},
    [FILE_FORMAT] = {"format", "TEXT", "what it was read as"},
    [FILE_BYTES] = {"bytes", "INTEGER", "its size, unpacked"},
    [FILE_DISK_BYTES] = {"disk_bytes", "INTEGER", "its size as it is"},
};

static uint64_t count_files(const struct sql_source *s, const struct sql_table *t)
{
    (void)t;
    return s->profile->n_files;
}

static void file_value(struct sql_cursor *c, size_t column, struct sql_value *v)
{
    const struct source_file *f = &c->source->profile->files[c->key];

    if (column == FILE_BYTES || column == FILE_DISK_BYTES) {
        sql_set_integer(v, (int64_t)(column == FILE_BYTES ? f->size_bytes : f->file_size_bytes));
        return;
    }
    sb_clear(&c->text);
    sb_adds(&c->text, column == FILE_PATH ? f->path : f->format);
    sql_set_scratch(v, c);
}

const struct sql_table sql_table_files = {
    .name = "files", .view = VIEW_ADVISE, .help = "inputs that were read", .columns = file_columns,
    .n_columns = SQL_COUNT(file_columns), .n_keys = count_files, .value = file_value,
};

/* ---- hosts */

static const struct sql_column host_columns[] = {
    {"host", "INTEGER", "number of the host"},
    {"name", "TEXT", "as devices name it"},
};

static void add_host(struct sql_source *s, strid device)
{
    const struct intern *strings = &s->profile->strings;
    const struct text host = host_of_device(intern_string(strings, device));

    if (host.len)
        intern_put(&s->host_names, host.bytes, host.len);
}

static bool find_hosts(struct sql_source *s, const struct sql_table *t)
{
    strid last = STRID_EMPTY; /* neighbours are mostly on the same device */
    uint32_t n_hosts;

    (void)t;
    if (s->hosts)
        return true;
    intern_init(&s->host_names);
    for (node_id node = 0; node < s->profile->n_nodes; node++) {
        uint32_t n;
        const strid *devices = profile_devices(s->profile, node, &n);

        for (uint32_t i = 0; i < n; i++) {
            if (devices[i] != last)
                add_host(s, devices[i]);
            last = devices[i];
        }
    }
    n_hosts = (uint32_t)s->host_names.n - 1; /* the empty text aside */
    s->hosts = xcalloc((size_t)n_hosts + 1, sizeof *s->hosts);
    for (uint32_t i = 0; i < n_hosts; i++)
        s->hosts[i] = i + 1;
    intern_sort(&s->host_names, s->hosts, n_hosts);
    return true;
}

static uint64_t count_hosts(const struct sql_source *s, const struct sql_table *t)
{
    (void)t;
    return s->host_names.n - 1;
}

static void host_value(struct sql_cursor *c, size_t column, struct sql_value *v)
{
    const struct sql_source *s = c->source;
    const strid id = s->hosts[c->key];

    (void)column;
    v->kind = SQL_TEXT;
    v->text = intern_string(&s->host_names, id);
}

const struct sql_table sql_table_hosts = {
    .name = "hosts", .view = VIEW_ADVISE, .help = "hosts that devices of nodes name", .columns = host_columns,
    .n_columns = SQL_COUNT(host_columns), .prepare = find_hosts, .n_keys = count_hosts,
    .value = host_value,
};

/* ---- steps */

static const struct sql_column step_columns[] = {
    {"position", "INTEGER", "among the steps"},
    {"step", "INTEGER", "its number: of -step"},
};

static uint64_t count_steps(const struct sql_source *s, const struct sql_table *t)
{
    (void)t;
    return s->profile->n_steps;
}

static void step_value(struct sql_cursor *c, size_t column, struct sql_value *v)
{
    (void)column;
    sql_set_integer(v, c->source->profile->steps[c->key]);
}

const struct sql_table sql_table_steps = {
    .name = "steps", .view = VIEW_ADVISE, .help = "steps of the run", .columns = step_columns,
    .n_columns = SQL_COUNT(step_columns), .n_keys = count_steps, .value = step_value,
};

/* ---- executions */

/* Sets the columns STEP and RANK that all tables of executions have. */
static void set_step(struct sql_value *v, const struct profile *p, int64_t step)
{
    if (p->n_recordings)
        step = step_of_ranked(step);
    if (step != STEP_OUTSIDE)
        sql_set_integer(v, step);
}

static void set_rank(struct sql_value *v, const struct profile *p, int64_t step)
{
    for (uint32_t i = 0; i < p->n_recordings; i++)
        if (p->recordings[i].rank_index == i && rank_of_ranked(step) == i)
            sql_set_integer(v, p->recordings[i].rank);
}

static void set_ticks(struct sql_value *v, const struct profile *p, int64_t ticks)
{
    bool saturated = false;
    const int64_t ps = clock_ps(p->clock, ticks, &saturated);

    if (saturated) /* an instant since 1970 */
        sql_set_integer(v, ticks / (PS_PER_US / p->clock.tick_ps));
    else
        sql_set_micros(v, ps);
}

static uint64_t count_nodes(const struct sql_source *s, const struct sql_table *t)
{
    (void)t;
    return s->profile->n_nodes;
}

static uint32_t read_execs(struct sql_cursor *c)
{
    struct exec_walk walk = profile_execs(c->source->profile, (node_id)c->key);
    struct exec e;

    c->execs.n = 0;
    while (exec_next(&walk, &e))
        vec_push(&c->execs, e);
    return (uint32_t)c->execs.n;
}

enum { RUN_NODE, RUN_STEP, RUN_RANK, RUN_RUNS, RUN_START, RUN_END, RUN_MICROS, RUN_ACCELERATOR,
       RUN_CPU, RUN_BYTES, RUN_PEAK, RUN_RESIDUAL, RUN_OUTPUT };

static const struct sql_column run_columns[] = {
    [RUN_NODE] = {"node", "INTEGER", "in nodes"},
    [RUN_STEP] = {"step", "INTEGER", "NULL: outside of all steps"},
    [RUN_RANK] = {"rank", "INTEGER", "of a job, where there are ranks"},
    [RUN_RUNS] = {"run_count", "INTEGER", "how often it ran in the step"},
    [RUN_START] = {"start_micros", "NUMERIC", "first start, by the clock of the file"},
    [RUN_END] = {"end_micros", "NUMERIC", "last end"},
    [RUN_MICROS] = {"micros", "NUMERIC", "time on accelerators and CPUs, microseconds"},
    [RUN_ACCELERATOR] = {"accelerator_micros", "NUMERIC", "on accelerators"},
    [RUN_CPU] = {"cpu_micros", "NUMERIC", "on CPUs"},
    [RUN_BYTES] = {"bytes", "INTEGER", "memory requested of the allocators"},
    [RUN_PEAK] = {"peak_bytes", "INTEGER", "highest use of memory while it ran"},
    [RUN_RESIDUAL] = {"residual_bytes", "INTEGER", "memory still held when it ended"},
    [RUN_OUTPUT] = {"output_bytes", "INTEGER", "memory of its outputs"},
};

static void run_value(struct sql_cursor *c, size_t column, struct sql_value *v)
{
    const struct profile *p = c->source->profile;
    const struct exec *e = &c->execs.data[c->at];
    const int64_t numbers[] = {
        [RUN_RUNS] = e->run_count,      [RUN_BYTES] = e->requested_bytes,
        [RUN_PEAK] = e->peak_bytes,     [RUN_RESIDUAL] = e->residual_bytes,
        [RUN_OUTPUT] = e->output_bytes,
    };

    switch (column) {
    case RUN_STEP:
        set_step(v, p, e->step);
        break;
    case RUN_RANK:
        set_rank(v, p, e->step);
        break;
    case RUN_START:
        set_ticks(v, p, e->start_ticks);
        break;
    case RUN_END:
        set_ticks(v, p, e->latest_end_ticks);
        break;
    case RUN_MICROS:
        sql_set_micros(v, clamp_add(e->accelerator_ps, e->cpu_ps));
        break;
    case RUN_ACCELERATOR:
        sql_set_micros(v, e->accelerator_ps);
        break;
    case RUN_CPU:
        sql_set_micros(v, e->cpu_ps);
        break;
    default:
        sql_set_integer(v, numbers[column]);
        break;
    }
}

const struct sql_table sql_table_executions = {
    .name = "executions", .view = VIEW_ADVISE, .help = "what nodes did in each step", .columns = run_columns,
    .n_columns = SQL_COUNT(run_columns), .n_keys = count_nodes, .n_rows = read_execs,
    .value = run_value,
};

/* ---- times and memory: the lists of executions */

static void read_lists(struct sql_cursor *c, bool times)
{
    const struct profile *p = c->source->profile;
    struct exec_walk walk = profile_execs(p, (node_id)c->key);
    struct exec_lists lists = {0};
    struct exec e;

    c->times.n = c->memories.n = 0;
    while (exec_next(&walk, &e)) {
        profile_exec_lists(p, &e, &lists);
        for (size_t i = 0; times && i < lists.times.n; i++)
            vec_push(&c->times, ((struct sql_timed){e.step, lists.times.data[i]}));
        for (size_t i = 0; !times && i < lists.memories.n; i++)
            vec_push(&c->memories, ((struct sql_recorded){e.step, lists.memories.data[i]}));
    }
    exec_lists_done(&lists);
}

static uint32_t read_times(struct sql_cursor *c)
{
    read_lists(c, true);
    return (uint32_t)c->times.n;
}

static uint32_t read_memories(struct sql_cursor *c)
{
    read_lists(c, false);
    return (uint32_t)c->memories.n;
}

enum { TIME_NODE, TIME_STEP, TIME_RANK, TIME_DEVICE, TIME_IS_STREAM, TIME_START, TIME_DURATION };

static const struct sql_column time_columns[] = {
    [TIME_NODE] = {"node", "INTEGER", "in nodes"},
    [TIME_STEP] = {"step", "INTEGER", "NULL: outside of all steps"},
    [TIME_RANK] = {"rank", "INTEGER", "of a job, where there are ranks"},
    [TIME_DEVICE] = {"device", "TEXT", "where it ran"},
    [TIME_IS_STREAM] = {"is_stream", "INTEGER", "1: a stream of an accelerator"},
    [TIME_START] = {"start_micros", "NUMERIC", "by the clock of the file"},
    [TIME_DURATION] = {"micros", "NUMERIC", "how long, microseconds"},
};

static void time_value(struct sql_cursor *c, size_t column, struct sql_value *v)
{
    const struct profile *p = c->source->profile;
    const struct sql_timed *t = &c->times.data[c->at];

    if (column == TIME_STEP)
        set_step(v, p, t->step);
    else if (column == TIME_RANK)
        set_rank(v, p, t->step);
    else if (column == TIME_DEVICE)
        sql_set_string(v, p, t->time.device);
    else if (column == TIME_IS_STREAM)
        sql_set_integer(v, t->time.accelerator);
    else
        set_ticks(v, p, column == TIME_START ? t->time.start_ticks : t->time.dur_ticks);
}

const struct sql_table sql_table_times = {
    .name = "times", .view = VIEW_ADVISE, .help = "single executions of nodes", .columns = time_columns,
    .n_columns = SQL_COUNT(time_columns), .n_keys = count_nodes, .n_rows = read_times,
    .value = time_value,
};

enum { MEMORY_NODE, MEMORY_STEP, MEMORY_RANK, MEMORY_AT, MEMORY_BYTES, MEMORY_PEAK, MEMORY_RESIDUAL,
       MEMORY_OUTPUT, MEMORY_HOST_TEMP, MEMORY_HOST_KEPT, MEMORY_TEMP, MEMORY_KEPT, MEMORY_IN_USE };

static const struct sql_column memory_columns[] = {
    [MEMORY_NODE] = {"node", "INTEGER", "in nodes"},
    [MEMORY_STEP] = {"step", "INTEGER", "NULL: outside of all steps"},
    [MEMORY_RANK] = {"rank", "INTEGER", "of a job, where there are ranks"},
    [MEMORY_AT] = {"at_micros", "NUMERIC", "when it was taken, by the clock of the file"},
    [MEMORY_BYTES] = {"bytes", "INTEGER", "requested of the allocators"},
    [MEMORY_PEAK] = {"peak_bytes", "INTEGER", "highest use"},
    [MEMORY_RESIDUAL] = {"residual_bytes", "INTEGER", "still held at the end"},
    [MEMORY_OUTPUT] = {"output_bytes", "INTEGER", "of its outputs"},
    [MEMORY_HOST_TEMP] = {"host_temp_bytes", "INTEGER", "of the host, given back at the end"},
    [MEMORY_HOST_KEPT] = {"host_persistent_bytes", "INTEGER", "of the host, kept"},
    [MEMORY_TEMP] = {"accelerator_temp_bytes", "INTEGER", "of the accelerator, given back"},
    [MEMORY_KEPT] = {"accelerator_persistent_bytes", "INTEGER", "of the accelerator, kept"},
    [MEMORY_IN_USE] = {"allocator_bytes_in_use", "INTEGER", "in all of the allocator"},
};

static void memory_value(struct sql_cursor *c, size_t column, struct sql_value *v)
{
    const struct profile *p = c->source->profile;
    const struct sql_recorded *r = &c->memories.data[c->at];
    const struct exec_memory *m = &r->memory;
    const int64_t numbers[] = {
        [MEMORY_BYTES] = m->requested_bytes,
        [MEMORY_PEAK] = m->peak_bytes,
        [MEMORY_RESIDUAL] = m->residual_bytes,
        [MEMORY_OUTPUT] = m->output_bytes,
        [MEMORY_HOST_TEMP] = m->host_temp_bytes,
        [MEMORY_HOST_KEPT] = m->host_persistent_bytes,
        [MEMORY_TEMP] = m->accelerator_temp_bytes,
        [MEMORY_KEPT] = m->accelerator_persistent_bytes,
        [MEMORY_IN_USE] = m->allocator_bytes_in_use,
    };

    if (column == MEMORY_STEP)
        set_step(v, p, r->step);
    else if (column == MEMORY_RANK)
        set_rank(v, p, r->step);
    else if (column == MEMORY_AT)
        set_ticks(v, p, m->memory_ticks);
    else
        sql_set_integer(v, numbers[column]);
}

const struct sql_table sql_table_memory = {
    .name = "memory", .view = VIEW_ADVISE, .help = "memory records of nodes", .columns = memory_columns,
    .n_columns = SQL_COUNT(memory_columns), .n_keys = count_nodes, .n_rows = read_memories,
    .value = memory_value,
};
