/* nsys_load.c: exports of Nsight Systems as traces: a process with device work is a rank
 * (formats-nsys.md). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "load/formats.h"
#include "load/nsys/nsys_db.h"
#include "load/trace/trace_build.h"

/* Categories of slices, as PyTorch names them. */
enum category { NVTX, RUNTIME, DRIVER, KERNEL, MEMCPY, MEMSET, OVERHEAD, N_CATEGORIES };

struct process {
    int64_t global_pid;
    bool has_shapes; /* of inputs of operators */
    struct trace_log log;
    struct idmap graph_launches; /* correlations whose kernels have nodes of a graph */
};

struct nsys {
    struct loader *l;
    struct nsys_db *db;
    struct idmap strings;        /* StringIds: id -> strid */
    struct idmap thread_names;   /* globalTid -> strid */
    VEC(struct process *) processes; /* with device work, by globalPid */
    VEC(int64_t) seen;           /* globalPid of processes with device work */
    uint64_t n_open_ranges;
    int64_t base_ns;
};

#define PID_OF(global_tid) ((int64_t)((uint64_t)(global_tid) & ~UINT64_C(0xffffff)))

/* ---- detection */

static bool fits_nsys(struct span bytes, struct evidence *e)
{
    static const char magic[] = "SQLite format 3";

    /* Tables are looked at when it is opened: their names may be anywhere. */
    return !e && bytes.len >= sizeof magic && memcmp(bytes.bytes, magic, sizeof magic) == 0;
}

/* ---- strings and names */

static strid string_of(const struct nsys *x, const struct nsys_rows *rows, int column)
{
    const uint32_t id =
        nsys_is_null(rows, column) ? IDMAP_NONE : idmap_get(&x->strings, nsys_int(rows, column));

    return id == IDMAP_NONE ? STRID_EMPTY : id;
}

static strid put_text(const struct nsys *x, struct span text)
{
    return text.len ? builder_str(x->l->builder, text.bytes, text.len) : STRID_EMPTY;
}

static struct text text_of(const struct nsys *x, strid id)
{
    return intern_string(&builder_profile(x->l->builder)->strings, id);
}

/* Reads all rows of TABLE. */
static bool each(struct nsys *x, const struct nsys_table *table,
                 bool (*take)(struct nsys *x, const struct nsys_rows *rows, int kind), int kind,
                 struct err *err)
{
    struct nsys_rows *rows;
    bool ok = true;

    if (!nsys_begin(x->db, table, &rows, err))
        return false;
    while (rows && ok && nsys_next(rows, err)) {
        ok = load_pace(x->l, x->l->input.bytes, err);
        if (ok)
            take(x, rows, kind);
    }
    nsys_end(rows);
    return ok && err->kind == ERR_NONE;
}

static bool take_string(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    (void)kind;
    idmap_put(&x->strings, nsys_int(rows, 0), put_text(x, nsys_text(rows, 1)), 0);
    return true;
}

static bool take_thread(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    (void)kind;
    idmap_put(&x->thread_names, nsys_int(rows, 1), string_of(x, rows, 0), 0);
    return true;
}

static bool take_session(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    (void)kind;
    x->base_ns = clamp_sub(nsys_int(rows, 0), nsys_int(rows, 1));
    return true;
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

/* The process of GLOBAL_PID; the first one for those without device work. */
static struct process *process_of(const struct nsys *x, int64_t global_pid)
{
    size_t low = 0;

    for (size_t high = x->processes.n; low < high;) {
        const size_t i = low + (high - low) / 2;

        if (x->processes.data[i]->global_pid < global_pid)
            low = i + 1;
        else
            high = i;
    }
    return low < x->processes.n && x->processes.data[low]->global_pid == global_pid
               ? x->processes.data[low] : x->processes.data[0];
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static bool take_pid(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    const int64_t pid = nsys_int(rows, 0);

    (void)kind;
    if (!x->seen.n || x->seen.data[x->seen.n - 1] != pid)
        vec_push(&x->seen, pid);
    if (x->seen.n >= 4096 && (x->seen.n & (x->seen.n - 1)) == 0) { /* many changes, few processes */
        size_t n = 0;

        vec_sort(&x->seen, by_value);
        for (size_t i = 0; i < x->seen.n; i++)
            if (!n || x->seen.data[n - 1] != x->seen.data[i])
                x->seen.data[n++] = x->seen.data[i];
        x->seen.n = n;
    }
    return true;
}

static bool find_processes(struct nsys *x, struct err *err)
{
    static const char *const tables[] = {
        "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET",
        "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"};

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (!each(x, &(struct nsys_table){tables[i], "", "globalPid"}, take_pid, 0, err))
            return false;
    vec_sort(&x->seen, by_value);
    for (size_t i = 0; i < x->seen.n; i++)
        if (!i || x->seen.data[i] != x->seen.data[i - 1])
            vec_push(&x->processes, process_new(x, x->seen.data[i]));
    if (!x->processes.n)
        vec_push(&x->processes, process_new(x, 0));
    return true;
}

/* ---- slices */

/* The track of KEY, made from PID and TID where it is new. */
static uint32_t track_of(struct nsys *x, struct process *p, const int64_t key[3], int64_t pid,
                         int64_t tid, strid name)
{
    const uint32_t at = intern_put(&p->log.track_keys, key, 3 * sizeof *key) - 1;
    char text[24];
    struct trace_track track = {.last_ns = INT64_MIN, .name = name};

    if (at < p->log.tracks.n)
        return at;
    track.pid = builder_str(x->l->builder, text, (size_t)snprintf(text, sizeof text, "%" PRId64, pid));
    track.tid = builder_str(x->l->builder, text, (size_t)snprintf(text, sizeof text, "%" PRId64, tid));
    vec_push(&p->log.tracks, track);
    return at;
}

static uint32_t thread_track(struct nsys *x, struct process *p, int64_t global_tid)
{
    const int64_t key[3] = {0, global_tid, 0};
    const uint32_t name = idmap_get(&x->thread_names, global_tid);

    return track_of(x, p, key, (int64_t)((uint64_t)global_tid >> 24 & 0xffffff),
                    (int64_t)((uint64_t)global_tid & 0xffffff),
                    name == IDMAP_NONE ? STRID_EMPTY : name);
}

/* Correlations are those of a process; a log may have calls of several. */
static int64_t link_of(int64_t global_pid, int64_t correlation)
{
    return (int64_t)(((uint64_t)global_pid << 16) ^ (uint64_t)correlation);
}

/* Adds SLICE from START to END; false: no such times. */
static bool add_slice(struct process *p, struct trace_slice slice, int64_t start, int64_t end)
{
    const int64_t most = INT64_MAX / 4;

    p->log.n_events++;
    if (start < -most || start > most || end < -most || end > most)
        return false;
    slice.start_ns = start;
    slice.dur_ns = end > start ? end - start : 0;
    p->log.categories.data[slice.category].n_slices++;
    vec_push(&p->log.slices, slice);
    return true;
}

/* ---- device work */

static const char kernel_columns[] = "start end deviceId streamId correlationId globalPid";

enum { D_START, D_END, D_DEVICE, D_STREAM, D_CORRELATION, D_PID, D_OPTIONAL };

static strid numbers(struct nsys *x, const struct nsys_rows *rows, int column)
{
    char text[72];
    const int n = snprintf(text, sizeof text, "[%" PRId64 ",%" PRId64 ",%" PRId64 "]",
                           nsys_int(rows, column), nsys_int(rows, column + 1),
                           nsys_int(rows, column + 2));

    return nsys_is_null(rows, column) ? STRID_EMPTY : builder_str(x->l->builder, text, (size_t)n);
}

static strid number(struct nsys *x, int64_t value)
{
    char text[24];

    return builder_str(x->l->builder, text, (size_t)snprintf(text, sizeof text, "%" PRId64, value));
}

/* Adds a row of device work of KIND, named NAME, launched in a way that CONFIG describes. */
static void add_work(struct nsys *x, const struct nsys_rows *rows, enum category kind, strid name,
                     uint32_t config)
{
    const int64_t pid = nsys_int(rows, D_PID);
    struct process *p = process_of(x, pid);
    const int64_t device = nsys_int(rows, D_DEVICE), stream = nsys_int(rows, D_STREAM);
    const int64_t key[3] = {1, device, stream};
    const struct trace_args args = {
        .device = number(x, device), .stream = number(x, stream), .config = config};
    const struct trace_slice slice = {
        .link = link_of(pid, nsys_int(rows, D_CORRELATION)),
        .name = name,
        .track = track_of(x, p, key, device, stream, STRID_EMPTY),
        .args = intern_put(&p->log.args, &args, sizeof args),
        .category = (uint16_t)kind,
    };

    add_slice(p, slice, nsys_int(rows, D_START), nsys_int(rows, D_END));
}

static bool take_kernel(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    enum { DEMANGLED = D_OPTIONAL, SHORT, MANGLED, NODE, GRID, BLOCK = GRID + 3,
           REGISTERS = BLOCK + 3, STATIC, DYNAMIC };
    struct process *p = process_of(x, nsys_int(rows, D_PID));
    struct kernel_config config = {.grid = numbers(x, rows, GRID), .block = numbers(x, rows, BLOCK)};
    strid name = string_of(x, rows, DEMANGLED);

    name = name ? name : string_of(x, rows, SHORT);
    name = name ? name : string_of(x, rows, MANGLED);
    name = name ? name : builder_str(x->l->builder, "(kernel)", 8);
    if (!nsys_is_null(rows, NODE))
        idmap_put(&p->graph_launches, nsys_int(rows, D_CORRELATION), 1, 0);
    if (!nsys_is_null(rows, REGISTERS))
        config.registers = number(x, nsys_int(rows, REGISTERS));
    if (!nsys_is_null(rows, STATIC))
        config.shared_memory = number(x, clamp_add(nsys_int(rows, STATIC), nsys_int(rows, DYNAMIC)));
    add_work(x, rows, (enum category)kind, name,
             config.grid ? intern_put(&p->log.configs, &config, sizeof config) : 0);
    return true;
}

static bool take_copy(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    static const char *const kinds[] = {
        "Unknown", "Host-to-Device", "Device-to-Host", "Host-to-Array", "Array-to-Host",
        "Array-to-Array", "Array-to-Device", "Device-to-Array", "Device-to-Device", "Host-to-Host",
        "Peer-to-Peer", "Unified Host-to-Device", "Unified Device-to-Host",
        "Unified Device-to-Device"};
    const int64_t copy = nsys_int(rows, D_OPTIONAL);
    const bool is_known = copy > 0 && copy < (int64_t)(sizeof kinds / sizeof *kinds);
    struct strbuf name = {0};

    if (kind == MEMCPY)
        sb_addf(&name, "[CUDA memcpy %s]", kinds[is_known ? copy : 0]);
    else
        sb_adds(&name, "[CUDA memset]");
    add_work(x, rows, (enum category)kind,
             builder_str(x->l->builder, sb_text(&name), name.len), 0);
    sb_done(&name);
    return true;
}

static bool take_graph(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    const struct process *p = process_of(x, nsys_int(rows, D_PID));
    struct strbuf name = {0};

    if (idmap_get(&p->graph_launches, nsys_int(rows, D_CORRELATION)) != IDMAP_NONE)
        return true; /* its kernels are counted */
    sb_addf(&name, "CUDA graph %" PRId64, nsys_int(rows, D_OPTIONAL));
    add_work(x, rows, (enum category)kind, builder_str(x->l->builder, sb_text(&name), name.len), 0);
    sb_done(&name);
    return true;
}

/* ---- calls and ranges */

/* Without a suffix _v and four or more digits. */
static strid without_version(struct nsys *x, strid name)
{
    const struct text text = text_of(x, name);
    uint32_t n = text.len;

    while (n && text.bytes[n - 1] >= '0' && text.bytes[n - 1] <= '9')
        n--;
    if (text.len - n < 4 || n < 3 || text.bytes[n - 1] != 'v' || text.bytes[n - 2] != '_')
        return name;
    return builder_str(x->l->builder, text.bytes, n - 2);
}

static bool take_call(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    enum { START, END, TID, CORRELATION, NAME, CLASS };
    const int64_t tid = nsys_int(rows, TID), pid = PID_OF(tid);
    struct process *p = process_of(x, pid);
    const struct trace_slice slice = {
        .link = link_of(pid, nsys_int(rows, CORRELATION)),
        .name = without_version(x, string_of(x, rows, NAME)),
        .track = thread_track(x, p, tid),
        .category = nsys_int(rows, CLASS) == 1 ? DRIVER : (uint16_t)kind,
    };

    add_slice(p, slice, nsys_int(rows, START), nsys_int(rows, END));
    p->log.has_runtime = true;
    return true;
}

/* What PyTorch writes behind the name of an operator. */
struct range {
    struct span name, sizes;
    int64_t seq; /* -1: not said */
};

static struct span from(struct span s, const char *what)
{
    const uint8_t *at = s.len ? memmem(s.bytes, s.len, what, strlen(what)) : NULL;

    return at ? (struct span){at, (size_t)(s.bytes + s.len - at)} : (struct span){NULL, 0};
}

/* The list in brackets that S begins with. */
static struct span bracketed(struct span s)
{
    unsigned depth = 0;

    for (size_t i = 0; i < s.len; i++) {
        depth += s.bytes[i] == '[';
        depth -= s.bytes[i] == ']' && depth;
        if (!depth)
            return (struct span){s.bytes, s.bytes[i] == ']' ? i + 1 : 0};
    }
    return (struct span){NULL, 0};
}

static struct range range_of(struct span text)
{
    static const char seq[] = ", seq = ", op[] = ", op_id = ", sizes[] = "sizes = ";
    const struct span at_seq = from(text, seq), at_op = from(text, op);
    struct span tail = at_seq.len > at_op.len ? at_seq : at_op, list;
    struct range r = {.name = text, .seq = -1};

    if (!tail.bytes)
        return r;
    r.name.len = text.len - tail.len;
    if (at_seq.bytes) {
        r.seq = 0;
        for (size_t i = sizeof seq - 1; i < at_seq.len && at_seq.bytes[i] >= '0' &&
                                        at_seq.bytes[i] <= '9' && r.seq < INT64_MAX / 10 - 1; i++)
            r.seq = r.seq * 10 + (at_seq.bytes[i] - '0');
    }
    list = from(tail, sizes);
    if (list.bytes)
        r.sizes = bracketed((struct span){list.bytes + sizeof sizes - 1, list.len - (sizeof sizes - 1)});
    return r;
}

static void add_range(struct nsys *x, struct process *p, int64_t tid, struct span text, int64_t start,
                      int64_t end)
{
    const struct range r = range_of(text);
    const struct trace_args args = {.dims = put_text(x, r.sizes)};
    struct trace_slice slice = {.link = NUMBER_NONE,
                                .name = put_text(x, r.name),
                                .track = thread_track(x, p, tid),
                                .category = NVTX};

    p->has_shapes |= args.dims != STRID_EMPTY;
    if (args.dims)
        slice.args = intern_put(&p->log.args, &args, sizeof args);
    if (add_slice(p, slice, start, end) && r.seq >= 0)
        vec_push(&p->log.sequences,
                 ((struct trace_sequence){.number = r.seq,
                                          .start_ns = start,
                                          .slice = (uint32_t)(p->log.slices.n - 1),
                                          .forward_thread = from(r.name, "Backward").bytes ? 1 : 0}));
}

static void add_async(struct nsys *x, struct process *p, struct span text, int64_t start, int64_t end)
{
    struct trace_span span = {.ts_ns = start, .name = put_text(x, text), .is_begin = true};
    const uint64_t key = p->log.spans.n;

    p->log.n_events++;
    if (start < INT64_MIN / 4 || start > INT64_MAX / 4 || end > INT64_MAX / 4)
        return;
    span.key = intern_put(&p->log.keys, &key, sizeof key);
    vec_push(&p->log.spans, span);
}

static bool take_nvtx(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    enum { START, END, TYPE, TID, TEXT, TEXT_ID };
    enum { PUSH_POP = 59, PUSH_POP_PAYLOAD = 70, START_END = 60, START_END_PAYLOAD = 71 };
    const int64_t type = nsys_int(rows, TYPE), tid = nsys_int(rows, TID);
    struct process *p = process_of(x, PID_OF(tid));
    struct span text = nsys_text(rows, TEXT);

    (void)kind;
    if (!text.bytes) {
        const struct text named = text_of(x, string_of(x, rows, TEXT_ID));

        text = (struct span){(const uint8_t *)named.bytes, named.len};
    }
    if (type == START_END || type == START_END_PAYLOAD) {
        add_async(x, p, text, nsys_int(rows, START), nsys_int(rows, END));
    } else if (type == PUSH_POP || type == PUSH_POP_PAYLOAD) {
        x->n_open_ranges += nsys_is_null(rows, END);
        if (!nsys_is_null(rows, END))
            add_range(x, p, tid, text, nsys_int(rows, START), nsys_int(rows, END));
    }
    return true;
}

static bool take_overhead(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    enum { START, END, PID, TID, NAME };
    const int64_t pid = nsys_is_null(rows, PID) ? PID_OF(nsys_int(rows, TID)) : nsys_int(rows, PID);
    struct process *p = process_of(x, pid);
    const int64_t key[3] = {2, 0, 0};
    const struct trace_slice slice = {.link = NUMBER_NONE,
                                      .name = string_of(x, rows, NAME),
                                      .track = track_of(x, p, key, 0, 0, STRID_EMPTY),
                                      .category = (uint16_t)kind};

    add_slice(p, slice, nsys_int(rows, START), nsys_int(rows, END));
    return true;
}

static bool take_nothing(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    (void)x, (void)rows, (void)kind;
    return true;
}

/* ---- all tables */

static bool read_names(struct nsys *x, struct err *err)
{
    static const struct nsys_table strings = {"StringIds", "id value", ""};
    static const struct nsys_table threads = {"ThreadNames", "", "nameId globalTid"};
    static const struct nsys_table session = {"TARGET_INFO_SESSION_START_TIME", "",
                                              "utcEpochNs systemClockNs"};

    return each(x, &strings, take_string, 0, err) && each(x, &threads, take_thread, 0, err) &&
           each(x, &session, take_session, 0, err);
}

static bool read_events(struct nsys *x, struct err *err)
{
    static const struct nsys_table ranges = {"NVTX_EVENTS", "start end eventType globalTid",
                                             "text textId"};
    static const struct nsys_table calls = {"CUPTI_ACTIVITY_KIND_RUNTIME",
                                            "start end globalTid correlationId nameId", "eventClass"};
    static const struct nsys_table kernels = {
        "CUPTI_ACTIVITY_KIND_KERNEL", kernel_columns,
        "demangledName shortName mangledName graphNodeId gridX gridY gridZ blockX blockY blockZ "
        "registersPerThread staticSharedMemory dynamicSharedMemory"};
    static const struct nsys_table copies = {"CUPTI_ACTIVITY_KIND_MEMCPY", kernel_columns, "copyKind"};
    static const struct nsys_table sets = {"CUPTI_ACTIVITY_KIND_MEMSET", kernel_columns, ""};
    static const struct nsys_table graphs = {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", kernel_columns,
                                             "graphId"};
    static const struct nsys_table syncs = {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "start end", ""};
    static const struct nsys_table overheads = {"CUPTI_ACTIVITY_KIND_OVERHEAD", "start end",
                                                "globalPid globalTid nameId"};

    return each(x, &kernels, take_kernel, KERNEL, err) && each(x, &copies, take_copy, MEMCPY, err) &&
           each(x, &sets, take_copy, MEMSET, err) && each(x, &graphs, take_graph, KERNEL, err) &&
           each(x, &ranges, take_nvtx, NVTX, err) && each(x, &calls, take_call, RUNTIME, err) &&
           each(x, &syncs, take_nothing, 0, err) && each(x, &overheads, take_overhead, OVERHEAD, err);
}

/* An SQLite database without the tables of an export is another one. */
static bool check_tables(struct nsys *x, struct err *err)
{
    static const char *const telling[] = {
        "META_DATA_EXPORT", "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME",
        "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"};
    bool has_strings = false, has_any = false;

    if (!nsys_has(x->db, "StringIds", &has_strings, err))
        return false;
    for (size_t i = 0; i < sizeof telling / sizeof *telling && !has_any; i++)
        if (!nsys_has(x->db, telling[i], &has_any, err))
            return false;
    return (has_strings && has_any) ||
           err_set(err, ERR_INPUT, "%s: an SQLite database", x->l->path);
}

/* ---- ranks */

/* Adds the log of P as a rank. */
static bool add_rank(struct nsys *x, struct process *p, struct err *err)
{
    struct recording *r = builder_recording(x->l->builder, x->l->file);
    bool is_wanted = true;

    p->log.recording = r;
    r->base_ns = x->base_ns;
    r->has_calls_with_shapes = p->has_shapes;
    r->pid = (int64_t)((uint64_t)p->global_pid >> 24 & 0xffffff);
    if (x->processes.n > 1)
        r->rank = (int64_t)x->l->n_traces;
    if (!trace_ranks(x->l, &is_wanted, err))
        return false;
    return !is_wanted || trace_build_log(x->l, &p->log, err);
}

static void note_open_ranges(const struct nsys *x)
{
    if (x->n_open_ranges)
        note_add(&builder_profile(x->l->builder)->notes,
                 "%s: %" PRIu64 " open ranges, which have no end, are left out", x->l->path,
                 x->n_open_ranges);
}

static void nsys_done(struct nsys *x)
{
    for (size_t i = 0; i < x->processes.n; i++) {
        trace_log_done(&x->processes.data[i]->log);
        idmap_done(&x->processes.data[i]->graph_launches);
        free(x->processes.data[i]);
    }
    vec_done(&x->processes);
    vec_done(&x->seen);
    idmap_done(&x->strings);
    idmap_done(&x->thread_names);
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
    for (size_t i = 0; ok && i < x.processes.n; i++)
        ok = add_rank(&x, x.processes.data[i], err);
    if (ok)
        note_open_ranges(&x);
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
