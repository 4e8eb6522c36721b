/* nsys_load.c: loads exports of Nsight Systems as traces; each process with device work is a rank
 * (formats-nsys.md). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/xalloc.h"
#include "load/formats.h"
#include "load/nsys/nsys.h"

/* Devices of a process, and of all processes, whose names are looked up. */
enum { N_DEVICES_MAX = 1024 };

/* ---- detection */

static bool fits_nsys(struct span bytes, struct evidence *e)
{
    static const char magic[] = "SQLite format 3";

    /* The tables are checked later: their names may be anywhere in the file. */
    return !e && bytes.len >= sizeof magic && memcmp(bytes.bytes, magic, sizeof magic) == 0;
}

/* ---- strings and names */

strid nsys_string(const struct nsys *x, const struct nsys_rows *rows, int column)
{
    const uint32_t id =
        nsys_is_null(rows, column) ? IDMAP_NONE : idmap_get(&x->strings, nsys_int(rows, column));

    return id == IDMAP_NONE ? STRID_EMPTY : id;
}

strid nsys_put(const struct nsys *x, struct span text)
{
    return text.len ? builder_str(x->l->builder, text.bytes, text.len) : STRID_EMPTY;
}

struct text nsys_name(const struct nsys *x, strid id)
{
    return intern_string(&builder_profile(x->l->builder)->strings, id);
}

/* Calls TAKE for each row of TABLE. */
static bool for_each_row(struct nsys *x, const struct nsys_table *table,
                 void (*take)(struct nsys *x, const struct nsys_rows *rows, int kind), int kind,
                 struct err *err)
{
    struct nsys_rows *rows;
    bool ok = true;

    if (!nsys_begin(x->db, table, &rows, err))
        return false;
    while (rows && ok && nsys_next(rows, err)) {
        ok = load_tick(x->l, x->l->input.bytes, err);
        if (ok)
            take(x, rows, kind);
    }
    nsys_end(rows);
    return ok && err->kind == ERR_NONE;
}

static void add_string(struct nsys *x, const struct nsys_rows *rows, int kind UNUSED)
{
    idmap_put(&x->strings, nsys_int(rows, 0), nsys_put(x, nsys_text(rows, 1)), 0);
}

static void add_thread_name(struct nsys *x, const struct nsys_rows *rows, int kind UNUSED)
{
    idmap_put(&x->thread_names, nsys_int(rows, 1), nsys_string(x, rows, 0), 0);
}

static void add_process_name(struct nsys *x, const struct nsys_rows *rows, int kind UNUSED)
{
    idmap_put(&x->process_names, nsys_int(rows, 0), nsys_put(x, nsys_text(rows, 1)), 0);
}

static void read_session(struct nsys *x, const struct nsys_rows *rows, int kind UNUSED)
{
    x->base_ns = clamp_sub(nsys_int(rows, 0), nsys_int(rows, 1));
}

/* ---- devices */

static void add_gpu(struct nsys *x, const struct nsys_rows *rows, int kind UNUSED)
{
    const struct device_name gpu = {.number = nsys_int(rows, 0), .name = nsys_put(x, nsys_text(rows, 1)),
                                    .compute_major = nsys_int(rows, 2)};

    if (gpu.name)
        vec_push(&x->gpus, gpu);
}

static void add_cuda_device(struct nsys *x, const struct nsys_rows *rows, int kind UNUSED)
{
    const struct cuda_device device = {.gpu = nsys_int(rows, 0), .number = nsys_int(rows, 1),
                                       .pid = nsys_int(rows, 2) ? nsys_int(rows, 2) : -1};

    vec_push(&x->cuda_devices, device);
}

/* Links the devices of each process, and finds GPUs by id. */
static void index_devices(struct nsys *x)
{
    for (size_t i = x->gpus.n; i-- > 0;)
        idmap_put(&x->gpu_by_id, x->gpus.data[i].number, (uint32_t)i, 0);
    for (size_t i = x->cuda_devices.n; i-- > 0;) {
        struct cuda_device *device = &x->cuda_devices.data[i];

        device->next = idmap_get(&x->device_by_pid, device->pid);
        idmap_put(&x->device_by_pid, device->pid, (uint32_t)i, 0);
    }
}

/* Adds the names of the first devices of PID to those of P. */
static void name_devices_of(const struct nsys *x, struct process *p, int64_t pid)
{
    uint32_t n = 0;

    for (uint32_t i = idmap_get(&x->device_by_pid, pid); i != IDMAP_NONE && n < N_DEVICES_MAX; n++) {
        const struct cuda_device *device = &x->cuda_devices.data[i];
        const uint32_t gpu = idmap_get(&x->gpu_by_id, device->gpu);

        if (gpu != IDMAP_NONE) {
            struct device_name named = x->gpus.data[gpu];

            named.number = device->number;
            vec_push(&p->log.device_names, named);
        }
        i = device->next;
    }
}

/* The names of the devices of P, in its own numbers where the export has these. */
static void name_devices(const struct nsys *x, struct process *p)
{
    for (size_t i = 0; i < x->gpus.n && i < N_DEVICES_MAX && !x->cuda_devices.n; i++)
        vec_push(&p->log.device_names, x->gpus.data[i]);
    name_devices_of(x, p, pid_number(p->global_pid));
    name_devices_of(x, p, -1);
}

/* ---- processes */

static struct process *process_new(struct nsys *x, int64_t global_pid)
{
    static const struct {
        const char *name;
        bool is_runtime;
    } categories[N_CATEGORIES] = {
        [NVTX] = {"cpu_op", false},         [RUNTIME] = {"cuda_runtime", true},
        [DRIVER] = {"cuda_driver", true},   [KERNEL] = {"kernel", false},
        [MEMCPY] = {"gpu_memcpy", false},   [MEMSET] = {"gpu_memset", false},
        [OVERHEAD] = {"overhead", false},
    };
    struct process *p = xcalloc(1, sizeof *p);

    p->global_pid = global_pid;
    trace_log_init(&p->log, x->l->builder, NULL);
    p->log.is_nsys = true;
    for (size_t i = 0; i < N_CATEGORIES; i++)
        vec_push(&p->log.categories,
                 ((struct trace_category){
                     .name = builder_str(x->l->builder, categories[i].name, strlen(categories[i].name)),
                     .is_runtime = categories[i].is_runtime}));
    return p;
}

struct process *nsys_process(const struct nsys *x, int64_t global_pid)
{
    struct process *const *all = x->processes.data;
    size_t at = 0;

    LOWER_BOUND(at, x->processes.n, i, all[i]->global_pid < global_pid);
    return all[at < x->processes.n && all[at]->global_pid == global_pid ? at : 0];
}

/* Memory and work of a process (base/budget.h), by measurement. */
enum { PROCESS_BYTES = 14 << 10, PROCESS_STEPS = 10000 };

COMPARE_VALUES(by_value, int64_t)

static void add_pid(struct nsys *x, const struct nsys_rows *rows, int kind UNUSED)
{
    const int64_t pid = nsys_int(rows, 0);

    if (!x->seen.n || x->seen.data[x->seen.n - 1] != pid)
        vec_push(&x->seen, pid);
    /* removes duplicates when many rows alternate between processes */
    if (x->seen.n >= 4096 && (x->seen.n & (x->seen.n - 1)) == 0) {
        vec_sort(&x->seen, by_value);
        vec_keep(&x->seen, i, !i || x->seen.data[i - 1] != x->seen.data[i]);
    }
}

static bool find_processes(struct nsys *x, struct err *err)
{
    static const char *const tables[] = {
        "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET",
        "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"};
    struct budget budget = budget_of(x->l->input.len, (struct cancel_mark){NULL, 0});

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (!for_each_row(x, &(struct nsys_table){tables[i], "", "globalPid"}, add_pid, 0, err))
            return false;
    vec_sort(&x->seen, by_value);
    for (size_t i = 0; i < x->seen.n; i++) {
        if (i && x->seen.data[i] == x->seen.data[i - 1])
            continue;
        if (!budget_take(&budget, PROCESS_BYTES, PROCESS_STEPS))
            return err_set(err, ERR_INPUT, "%s: more than %zu processes use devices", x->l->path, x->processes.n);
        vec_push(&x->processes, process_new(x, x->seen.data[i]));
    }
    if (!x->processes.n)
        vec_push(&x->processes, process_new(x, 0));
    return true;
}

/* ---- all tables */

static bool read_names(struct nsys *x, struct err *err)
{
    static const struct nsys_table strings = {"StringIds", "id value", ""};
    static const struct nsys_table threads = {"ThreadNames", "", "nameId globalTid"};
    static const struct nsys_table processes = {"PROCESSES", "", "globalPid name"};
    static const struct nsys_table session = {"TARGET_INFO_SESSION_START_TIME", "",
                                              "utcEpochNs systemClockNs"};
    static const struct nsys_table gpus = {"TARGET_INFO_GPU", "", "id name computeMajor"};
    static const struct nsys_table devices = {"TARGET_INFO_CUDA_DEVICE", "", "gpuId cudaId pid"};

    return for_each_row(x, &strings, add_string, 0, err) &&
           for_each_row(x, &threads, add_thread_name, 0, err) &&
           for_each_row(x, &processes, add_process_name, 0, err) &&
           for_each_row(x, &session, read_session, 0, err) &&
           for_each_row(x, &gpus, add_gpu, 0, err) &&
           for_each_row(x, &devices, add_cuda_device, 0, err);
}

static const char kernel_columns[] = "start end deviceId streamId correlationId globalPid";

static bool read_events(struct nsys *x, struct err *err)
{
    static const struct nsys_table ranges = {"NVTX_EVENTS", "start end eventType globalTid",
                                             "text textId domainId jsonText jsonTextId"};
    static const struct nsys_table calls = {"CUPTI_ACTIVITY_KIND_RUNTIME",
                                            "start end globalTid correlationId nameId", "eventClass"};
    static const struct nsys_table kernels = {
        "CUPTI_ACTIVITY_KIND_KERNEL", kernel_columns,
        "contextId demangledName shortName mangledName graphNodeId gridX gridY gridZ blockX blockY blockZ "
        "registersPerThread staticSharedMemory dynamicSharedMemory"};
    static const struct nsys_table copies = {"CUPTI_ACTIVITY_KIND_MEMCPY", kernel_columns, "contextId copyKind"};
    static const struct nsys_table sets = {"CUPTI_ACTIVITY_KIND_MEMSET", kernel_columns, "contextId"};
    static const struct nsys_table graphs = {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", kernel_columns,
                                             "contextId graphId"};
    static const struct nsys_table syncs = {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "start end", ""};
    static const struct nsys_table overheads = {"CUPTI_ACTIVITY_KIND_OVERHEAD", "start end",
                                                "globalPid globalTid nameId"};

    return for_each_row(x, &kernels, nsys_add_kernel, KERNEL, err) &&
           for_each_row(x, &copies, nsys_add_copy, MEMCPY, err) &&
           for_each_row(x, &sets, nsys_add_copy, MEMSET, err) &&
           for_each_row(x, &graphs, nsys_add_graph, KERNEL, err) &&
           for_each_row(x, &ranges, nsys_add_nvtx, NVTX, err) &&
           for_each_row(x, &calls, nsys_add_call, RUNTIME, err) &&
           for_each_row(x, &syncs, nsys_skip_row, 0, err) &&
           for_each_row(x, &overheads, nsys_add_overhead, OVERHEAD, err);
}

/* Rejects SQLite databases that lack the tables of an export. */
static bool check_tables(struct nsys *x, struct err *err)
{
    bool has_strings = false, has_any = false;

    if (!nsys_has(x->db, "StringIds", &has_strings, err) ||
        !nsys_has(x->db, "META_DATA_EXPORT", &has_any, err) ||
        !nsys_has(x->db, "CUPTI_ACTIVITY_KIND_*", &has_any, err))
        return false;
    return (has_strings && has_any) ||
           err_set(err, ERR_INPUT, "%s: an SQLite database", x->l->path);
}

/* ---- ranks */

/* Adds a note on device time without a recorded launch. */
static void note_unlaunched(const struct nsys *x, const struct recorder *r)
{
    const int64_t all_ns = r->accelerator_ns, lost_ns = r->unlaunched_ns;

    if (lost_ns >= all_ns / 100 && lost_ns)
        note_add(&builder_profile(x->l->builder)->notes,
                 "%s: process %" PRId64 ": %.0f%% of the device time has no recorded launch: record "
                 "without --capture-range, or export the whole report", x->l->path, r->pid,
                 100.0 * (double)lost_ns / (double)all_ns);
}

/* Adds the events of P as a rank. */
static bool add_rank(struct nsys *x, struct process *p, struct err *err)
{
    struct recorder *r = builder_recorder(x->l->builder, x->l->file);
    const uint32_t name = idmap_get(&x->process_names, p->global_pid);
    bool is_wanted = true;

    p->log.recording = r;
    r->base_ns = x->base_ns;
    r->has_calls_with_shapes = p->has_shapes;
    r->pid = pid_number(p->global_pid);
    r->process = name == IDMAP_NONE ? STRID_EMPTY : name;
    if (x->processes.n > 1)
        r->rank = (int64_t)x->l->n_traces;
    if (!trace_ranks(x->l, &is_wanted, err))
        return false;
    if (!is_wanted)
        return true;
    name_devices(x, p);
    if (!trace_build_log(x->l, &p->log, err))
        return false;
    vec_done(&p->log.device_names);
    x->n_ranges += p->log.categories.data[NVTX].n_slices;
    x->n_steps += p->log.recording->n_steps;
    note_unlaunched(x, p->log.recording);
    return true;
}

static void note_ranges(const struct nsys *x)
{
    struct notes *notes = &builder_profile(x->l->builder)->notes;

    if (x->n_open_ranges)
        note_add_kind(notes, NOTE_REPAIR, "%s: %" PRIu64 " range%s without an end skipped",
                      x->l->path, x->n_open_ranges, x->n_open_ranges == 1 ? "" : "s");
    if (x->n_ranges && !x->n_steps)
        note_add(notes, "%s: no NVTX range is a step: all work is step 0 (-nvtx_steps chooses ranges)",
                 x->l->path);
}

/* Adds a note on NCCL ranges without a readable payload. */
static void note_payloads(const struct nsys *x)
{
    uint64_t n = 0;

    for (size_t i = 0; i < x->processes.n; i++) {
        const struct process *p = x->processes.data[i];

        for (size_t k = 0; k < p->domains.n && k < p->log.domain_names.n; k++)
            if (text_is(nsys_name(x, p->log.domain_names.data[k]), "NCCL"))
                n += p->domains.data[k].n_ranges - p->domains.data[k].n_payloads;
    }
    if (n)
        note_add(&builder_profile(x->l->builder)->notes,
                 "%s: %" PRIu64 " ranges of NCCL have no payload that can be read: export with "
                 "--include-json true for sizes of messages", x->l->path, n);
}

static void nsys_done(struct nsys *x)
{
    for (size_t i = 0; i < x->processes.n; i++) {
        trace_log_done(&x->processes.data[i]->log);
        idmap_done(&x->processes.data[i]->graph_launches);
        vec_done(&x->processes.data[i]->domains);
        free(x->processes.data[i]);
    }
    EACH(vec_done, &x->processes, &x->seen, &x->gpus, &x->cuda_devices);
    EACH(idmap_done, &x->strings, &x->numbers, &x->thread_names, &x->process_names, &x->gpu_by_id, &x->device_by_pid);
    nsys_close(x->db);
}

static bool load_nsys(struct loader *l, struct err *err)
{
    struct nsys x = {.l = l};
    bool ok;

    builder_profile(l->builder)->clock.tick_ps = PS_PER_NS;
    x.db = nsys_open(l, err);
    ok = x.db && check_tables(&x, err) && read_names(&x, err) && find_processes(&x, err) &&
         read_events(&x, err);
    index_devices(&x);
    for (size_t i = 0; ok && i < x.processes.n; i++)
        ok = add_rank(&x, x.processes.data[i], err);
    if (ok) {
        note_ranges(&x);
        note_payloads(&x);
    }
    nsys_done(&x);
    return ok;
}

const struct format_row format_nsys = {
    .name = "nsys export",
    .help = "SQLite exports of Nsight Systems (nsys export --type sqlite); several are the ranks of a "
            "job",
    .binary_name = "nsys export",
    .contents = CONTAINS_STEPS,
    .load_order = 91,
    .detect_order = 2,
    .fits = fits_nsys,
    .load = load_nsys,
};
