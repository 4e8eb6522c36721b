/* nsys_rows.c: converts rows of an Nsight Systems export to slices (formats-nsys.md section 2). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "load/nsys/nsys.h"
#include "load/spans.h"

/* ---- slices */

static strid number(struct nsys *x, int64_t value)
{
    strid id = idmap_get(&x->numbers, value);
    char text[24];

    if (id != IDMAP_NONE)
        return id;
    id = builder_str(x->l->builder, text, (size_t)snprintf(text, sizeof text, "%" PRId64, value));
    idmap_put(&x->numbers, value, id, 0);
    return id;
}

/* The track with KEY; a new one gets PID, TID and NAME. */
static uint32_t track_of(struct nsys *x, struct process *p, const int64_t key[3], int64_t pid,
                         int64_t tid, strid name)
{
    const uint32_t at = intern_put(&p->log.track_keys, key, 3 * sizeof *key) - 1;
    struct trace_track track = {.last_ns = INT64_MIN, .name = name};

    if (at < p->log.tracks.n)
        return at;
    track.pid = number(x, pid);
    track.tid = number(x, tid);
    vec_push(&p->log.tracks, track);
    return at;
}

static uint32_t thread_track(struct nsys *x, struct process *p, int64_t global_tid)
{
    const int64_t key[3] = {0, global_tid, 0};
    const uint32_t name = idmap_get(&x->thread_names, global_tid);

    return track_of(x, p, key, pid_number(global_tid),
                    (int64_t)((uint64_t)global_tid & 0xffffff),
                    name == IDMAP_NONE ? STRID_EMPTY : name);
}

/* Correlations are unique within a process only, so the process is part of the link. */
static int64_t link_of(int64_t global_pid, int64_t correlation)
{
    return (int64_t)(((uint64_t)global_pid << 16) ^ (uint64_t)correlation);
}

/* Adds SLICE from START to END in nanoseconds; false when a time is out of range. */
static bool add_slice(struct process *p, struct trace_slice slice, int64_t start, int64_t end)
{
    const int64_t most = INT64_MAX / 4;

    p->log.n_events++;
    if (start < -most || start > most || end < -most || end > most)
        return false;
    slice.start_ns = start;
    slice.dur_ns = end > start ? end - start : 0;
    p->log.categories.data[slice.category].n_slices++;
    p->log.n_phases['X']++;
    vec_push(&p->log.slices, slice);
    return true;
}

/* ---- device work */

enum { D_START, D_END, D_DEVICE, D_STREAM, D_CORRELATION, D_PID, D_CONTEXT, D_OPTIONAL };

/* The three numbers from COLUMN on as "[1,2,3]"; LAST caches the previous row. */
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

static const struct kernel_config no_config;

/* Adds device work of KIND; CONFIG is its launch configuration. */
static void add_work(struct nsys *x, const struct nsys_rows *rows, enum category kind, strid name,
                     struct kernel_config config)
{
    const int64_t pid = nsys_int(rows, D_PID);
    struct process *p = nsys_process(x, pid);
    const int64_t device = nsys_int(rows, D_DEVICE), stream = nsys_int(rows, D_STREAM);
    const int64_t key[3] = {1, device, stream};
    struct trace_args args = {.device = number(x, device), .stream = number(x, stream)};
    struct trace_slice slice = {
        .link = link_of(pid, nsys_int(rows, D_CORRELATION)),
        .name = name,
        .track = track_of(x, p, key, device, stream, STRID_EMPTY),
        .category = (uint16_t)kind,
    };

    if (!nsys_is_null(rows, D_CONTEXT))
        config.context = number(x, nsys_int(rows, D_CONTEXT));
    if (config.grid || config.context)
        args.config = intern_put(&p->log.configs, &config, sizeof config);
    slice.args = intern_put(&p->log.args, &args, sizeof args);
    add_slice(p, slice, nsys_int(rows, D_START), nsys_int(rows, D_END));
}

void nsys_add_kernel(struct nsys *x, const struct nsys_rows *rows, int kind)
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
    add_work(x, rows, (enum category)kind, name, config);
}

void nsys_add_copy(struct nsys *x, const struct nsys_rows *rows, int kind)
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
             builder_str(x->l->builder, sb_text(&name), name.len), no_config);
    sb_done(&name);
}

void nsys_add_graph(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    const struct process *p = nsys_process(x, nsys_int(rows, D_PID));
    struct strbuf name = {0};

    if (idmap_get(&p->graph_launches, nsys_int(rows, D_CORRELATION)) != IDMAP_NONE)
        return; /* the kernels of the graph are recorded */
    sb_addf(&name, "CUDA graph %" PRId64, nsys_int(rows, D_OPTIONAL));
    add_work(x, rows, (enum category)kind, builder_str(x->l->builder, sb_text(&name), name.len),
             no_config);
    sb_done(&name);
}

/* ---- calls and ranges */

/* NAME without a suffix "_v" and at least four digits. */
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

void nsys_add_call(struct nsys *x, const struct nsys_rows *rows, int kind)
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
}

/* A range of NVTX. */
struct nsys_range {
    struct span text, json;
    strid domain; /* in the log's keys; 0: the default one */
};

/* The parts of an NVTX range of PyTorch: operator name, input sizes and sequence number. */
struct range {
    struct span name, sizes;
    int64_t seq; /* -1: not recorded */
};

/* The bracketed list at the start of S. */
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
    const struct span at_seq = span_find(text, seq), at_op = span_find(text, op);
    const struct span tail = at_seq.len > at_op.len ? at_seq : at_op, list = span_find(tail, sizes);
    struct range r = {.name = text, .seq = -1};

    if (!tail.bytes)
        return r;
    r.name.len = text.len - tail.len;
    if (at_seq.bytes)
        r.seq = span_number(span_skip(at_seq, sizeof seq - 1), INT64_MAX);
    if (list.bytes)
        r.sizes = bracketed(span_skip(list, sizeof sizes - 1));
    return r;
}

/* Reads size, communicator and ranks of a collective from its NCCL payload; false if none. */
static bool take_payload(struct nsys *x, struct span json, strid name, struct trace_args *args)
{
    struct json_in in = {.at = json.bytes, .end = json.bytes + json.len, .is_last = true};
    struct json_value key, value;
    int64_t size;

    if (!json.len || !json_blanks(&in) || *in.at != '{' || !json_open(&in))
        return false;
    while (json_key(&in, &key) && json_value(&in, &value)) {
        const strid text = nsys_put(x, (struct span){value.at, value.len});

        if (value.type != JSON_WORD && value.type != JSON_STRING)
            continue;
        if (json_is(key, "Message size [bytes]", 20) && json_integer(value, &size) && size >= 0)
            args->bytes = args->elements = number(x, size);
        else if (json_is(key, "NCCL communicator ID", 20))
            args->group_name = text;
        else if (json_is(key, "No. of ranks", 12))
            args->group_ranks = text;
    }
    if (args->bytes) {
        args->type = builder_str(x->l->builder, "Byte", 4);
        args->collective = name;
    }
    return args->bytes || args->group_name;
}

static void add_range(struct nsys *x, struct process *p, int64_t tid, const struct nsys_range *range,
                      int64_t start, int64_t end)
{
    const struct range r = range_of(range->text);
    struct trace_args args = {.dims = nsys_put(x, r.sizes), .domain = range->domain};
    struct trace_slice slice = {.link = NUMBER_NONE, .name = nsys_put(x, r.name),
                                .track = thread_track(x, p, tid), .category = NVTX};
    bool has_payload;

    p->has_shapes |= args.dims != STRID_EMPTY;
    has_payload = take_payload(x, range->json, slice.name, &args);
    if (range->domain) {
        p->domains.data[range->domain].n_ranges++;
        p->domains.data[range->domain].n_payloads += has_payload;
    }
    if (args.dims || args.domain || has_payload)
        slice.args = intern_put(&p->log.args, &args, sizeof args);
    if (add_slice(p, slice, start, end) && r.seq >= 0)
        vec_push(&p->log.sequences,
                 ((struct trace_sequence){.number = r.seq, .start_ns = start,
                                          .slice = (uint32_t)(p->log.slices.n - 1),
                                          .forward_thread = span_find(r.name, "Backward").bytes ? 1 : 0}));
}

static void add_async(struct nsys *x, struct process *p, struct span text, int64_t start, int64_t end)
{
    struct trace_span span = {.ts_ns = start, .name = nsys_put(x, text), .is_begin = true};
    const uint64_t key = p->log.spans.n;

    p->log.n_events++;
    p->log.n_phases['b']++;
    if (start < INT64_MIN / 4 || start > INT64_MAX / 4 || end > INT64_MAX / 4)
        return;
    span.key = intern_put(&p->log.keys, &key, sizeof key);
    vec_push(&p->log.spans, span);
}

/* The id of the domain that the row is in; 0: the default one. */
static strid domain_of(struct process *p, int64_t tid, int64_t number)
{
    const int64_t key[2] = {PID_OF(tid), number};
    const strid id = number ? intern_put(&p->log.keys, key, sizeof key) : 0;

    if (id >= p->domains.n)
        vec_resize_zero(&p->domains, (size_t)id + 1);
    return id;
}

static void name_domain(struct nsys *x, struct process *p, strid domain, struct span text)
{
    if (domain >= p->log.domain_names.n)
        vec_resize_zero(&p->log.domain_names, (size_t)domain + 1);
    p->log.domain_names.data[domain] = nsys_put(x, text);
}

/* The text of COLUMN, else the string whose id is in column ID. */
static struct span text_or_string(const struct nsys *x, const struct nsys_rows *rows, int column, int id)
{
    const struct span text = nsys_text(rows, column);
    const struct text named = nsys_name(x, nsys_string(x, rows, id));

    return text.bytes ? text : (struct span){(const uint8_t *)named.bytes, named.len};
}

void nsys_add_nvtx(struct nsys *x, const struct nsys_rows *rows, int kind UNUSED)
{
    enum { START, END, TYPE, TID, TEXT, TEXT_ID, DOMAIN, JSON, JSON_ID };
    const int64_t tid = nsys_int(rows, TID);
    struct process *p = nsys_process(x, PID_OF(tid));
    const struct nsys_range range = {.text = text_or_string(x, rows, TEXT, TEXT_ID),
                                     .json = text_or_string(x, rows, JSON, JSON_ID),
                                     .domain = domain_of(p, tid, nsys_int(rows, DOMAIN))};

    switch (nsys_int(rows, TYPE)) {
    case 60: /* start-end range, and with a payload */
    case 71:
        add_async(x, p, range.text, nsys_int(rows, START), nsys_int(rows, END));
        break;
    case 59: /* push-pop range, and with a payload */
    case 70:
        x->n_open_ranges += nsys_is_null(rows, END);
        if (!nsys_is_null(rows, END))
            add_range(x, p, tid, &range, nsys_int(rows, START), nsys_int(rows, END));
        break;
    case 34: /* mark, and with a payload */
    case 65:
        p->log.n_events++;
        p->log.n_phases['i']++;
        break;
    case 75:
        name_domain(x, p, range.domain, range.text);
        break;
    default:
        break;
    }
}

void nsys_add_overhead(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    enum { START, END, PID, TID, NAME };
    const int64_t pid = nsys_is_null(rows, PID) ? PID_OF(nsys_int(rows, TID)) : nsys_int(rows, PID);
    struct process *p = nsys_process(x, pid);
    const int64_t key[3] = {2, 0, 0};
    const struct trace_slice slice = {.link = NUMBER_NONE, .name = nsys_string(x, rows, NAME),
                                      .track = track_of(x, p, key, 0, 0, STRID_EMPTY),
                                      .category = (uint16_t)kind};

    add_slice(p, slice, nsys_int(rows, START), nsys_int(rows, END));
}

void nsys_skip_row(struct nsys *x, const struct nsys_rows *rows, int kind)
{
    (void)x, (void)rows, (void)kind;
}
