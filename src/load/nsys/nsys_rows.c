/* nsys_rows.c: rows of an export of Nsight Systems as slices (formats-nsys.md section 2). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "load/nsys/nsys.h"

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

enum { D_START, D_END, D_DEVICE, D_STREAM, D_CORRELATION, D_PID, D_OPTIONAL };

/* The three numbers from COLUMN on as "[1,2,3]"; LAST are those of the row before. */
static strid numbers(struct nsys *x, const struct nsys_rows *rows, int column, struct triple *last)
{
    struct triple now = {{nsys_int(rows, column), nsys_int(rows, column + 1),
                          nsys_int(rows, column + 2)}, STRID_EMPTY};
    char text[72];
    int n;

    if (nsys_is_null(rows, column))
        return STRID_EMPTY;
    if (last->text && memcmp(last->number, now.number, sizeof now.number) == 0)
        return last->text;
    n = snprintf(text, sizeof text, "[%" PRId64 ",%" PRId64 ",%" PRId64 "]", now.number[0],
                 now.number[1], now.number[2]);
    now.text = builder_str(x->l->builder, text, (size_t)n);
    *last = now;
    return now.text;
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
    struct process *p = nsys_process(x, pid);
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

bool nsys_take_kernel(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    enum { DEMANGLED = D_OPTIONAL, SHORT, MANGLED, NODE, GRID, BLOCK = GRID + 3,
           REGISTERS = BLOCK + 3, STATIC, DYNAMIC };
    struct process *p = nsys_process(x, nsys_int(rows, D_PID));
    struct kernel_config config = {.grid = numbers(x, rows, GRID, &x->grid),
                                   .block = numbers(x, rows, BLOCK, &x->block)};
    strid name = nsys_string(x, rows, DEMANGLED);

    name = name ? name : nsys_string(x, rows, SHORT);
    name = name ? name : nsys_string(x, rows, MANGLED);
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

bool nsys_take_copy(struct nsys *x, const struct nsys_rows *rows, int kind)
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

bool nsys_take_graph(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    const struct process *p = nsys_process(x, nsys_int(rows, D_PID));
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
    const struct text text = nsys_name(x, name);
    uint32_t n = text.len;

    while (n && text.bytes[n - 1] >= '0' && text.bytes[n - 1] <= '9')
        n--;
    if (text.len - n < 4 || n < 3 || text.bytes[n - 1] != 'v' || text.bytes[n - 2] != '_')
        return name;
    return builder_str(x->l->builder, text.bytes, n - 2);
}

bool nsys_take_call(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    enum { START, END, TID, CORRELATION, NAME, CLASS };
    const int64_t tid = nsys_int(rows, TID), pid = PID_OF(tid);
    struct process *p = nsys_process(x, pid);
    const struct trace_slice slice = {
        .link = link_of(pid, nsys_int(rows, CORRELATION)),
        .name = without_version(x, nsys_string(x, rows, NAME)),
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
    const struct trace_args args = {.dims = nsys_put(x, r.sizes)};
    struct trace_slice slice = {.link = NUMBER_NONE, .name = nsys_put(x, r.name),
                                .track = thread_track(x, p, tid), .category = NVTX};

    p->has_shapes |= args.dims != STRID_EMPTY;
    if (args.dims)
        slice.args = intern_put(&p->log.args, &args, sizeof args);
    if (add_slice(p, slice, start, end) && r.seq >= 0)
        vec_push(&p->log.sequences,
                 ((struct trace_sequence){.number = r.seq, .start_ns = start,
                                          .slice = (uint32_t)(p->log.slices.n - 1),
                                          .forward_thread = from(r.name, "Backward").bytes ? 1 : 0}));
}

static void add_async(struct nsys *x, struct process *p, struct span text, int64_t start, int64_t end)
{
    struct trace_span span = {.ts_ns = start, .name = nsys_put(x, text), .is_begin = true};
    const uint64_t key = p->log.spans.n;

    p->log.n_events++;
    if (start < INT64_MIN / 4 || start > INT64_MAX / 4 || end > INT64_MAX / 4)
        return;
    span.key = intern_put(&p->log.keys, &key, sizeof key);
    vec_push(&p->log.spans, span);
}

bool nsys_take_nvtx(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    enum { START, END, TYPE, TID, TEXT, TEXT_ID };
    enum { PUSH_POP = 59, PUSH_POP_PAYLOAD = 70, START_END = 60, START_END_PAYLOAD = 71 };
    const int64_t type = nsys_int(rows, TYPE), tid = nsys_int(rows, TID);
    struct process *p = nsys_process(x, PID_OF(tid));
    struct span text = nsys_text(rows, TEXT);

    (void)kind;
    if (!text.bytes) {
        const struct text named = nsys_name(x, nsys_string(x, rows, TEXT_ID));

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

bool nsys_take_overhead(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    enum { START, END, PID, TID, NAME };
    const int64_t pid = nsys_is_null(rows, PID) ? PID_OF(nsys_int(rows, TID)) : nsys_int(rows, PID);
    struct process *p = nsys_process(x, pid);
    const int64_t key[3] = {2, 0, 0};
    const struct trace_slice slice = {.link = NUMBER_NONE, .name = nsys_string(x, rows, NAME),
                                      .track = track_of(x, p, key, 0, 0, STRID_EMPTY),
                                      .category = (uint16_t)kind};

    add_slice(p, slice, nsys_int(rows, START), nsys_int(rows, END));
    return true;
}

bool nsys_take_nothing(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    (void)x, (void)rows, (void)kind;
    return true;
}
