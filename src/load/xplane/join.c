/* join.c: merges the data of one file into the run (formats-xplane.md section 6). */
#include "load/xplane/event_batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "load/xplane/run.h"

static strid str(struct loader *l, struct span text)
{
    return builder_str(l->builder, text.bytes, text.len);
}

/* ---- hosts */

static struct span file_name(const char *path)
{
    static const char ending[] = ".xplane.pb";
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *end = strstr(name, ending);

    return (struct span){(const uint8_t *)name, end && end > name ? (size_t)(end - name) : strlen(name)};
}

static void note_texts(struct loader *l, strid host, const struct span *texts, size_t n,
                       const char *what)
{
    const struct intern *strings = &builder_profile(l->builder)->strings;
    struct notes *notes = &builder_profile(l->builder)->notes;
    struct intern texts_seen;

    intern_init(&texts_seen);
    for (size_t i = 0; i < n; i++) {
        const size_t before = texts_seen.n;
        struct strbuf text = {0};

        if (intern_put(&texts_seen, texts[i].bytes, texts[i].len) == before) {
            load_quote(&text, texts[i]);
            note_add(notes, "host %s: %s of the profiler: %s", intern_text(strings, host), what,
                     sb_text(&text));
        }
        sb_done(&text);
    }
    intern_done(&texts_seen);
}

void join_name(struct run *r, struct loader *l, const struct xspace *x)
{
    struct span name = x->hostnames.n ? x->hostnames.data[0] : file_name(l->path);
    struct run_name made;

    if (!name.len)
        name = file_name(l->path);
    made.name = made.recorded_name = str(l, name);
    made.file_name = str(l, file_name(l->path));
    vec_push(&r->names, made);
}

uint32_t join_host(struct run *r, struct loader *l, const struct xspace *x, uint32_t file)
{
    const struct run_name *name = &r->names.data[file];
    const struct run_host host = {.name = name->name, .file = file, .path = l->path};

    note_texts(l, name->recorded_name, x->errors.data, x->errors.n, "error");
    note_texts(l, name->recorded_name, x->warnings.data, x->warnings.n, "warning");
    vec_push(&r->hosts, host);
    return (uint32_t)(r->hosts.n - 1);
}

/* ---- programs */

/* NAME without a numeric suffix in parentheses, like "(12)". */
static struct span label_of(struct span name)
{
    size_t n = name.len;

    if (!n || name.bytes[n - 1] != ')')
        return name;
    for (n--; n && name.bytes[n - 1] >= '0' && name.bytes[n - 1] <= '9';)
        n--;
    return n > 1 && name.bytes[n - 1] == '(' ? (struct span){name.bytes, n - 1} : name;
}

void join_programs(struct run *r, struct loader *l, const struct plane *p)
{
    vec_each(const struct event_metadata, kind, &p->kinds) {
        struct stat_values stats;
        struct run_program *program;
        uint64_t id;

        if (!kind->stats || !(kind->stats->has >> STAT_HLO_PROTO & 1))
            continue;
        stats.has = 0;
        stat_list_add_to(kind->stats, &stats);
        id = stat_has(&stats, STAT_PROGRAM_ID) ? stat_number(&stats, STAT_PROGRAM_ID)
                                               : (uint64_t)kind->id;
        program = run_program(r, p->host, id, true);
        if (program->proto.bytes)
            continue;
        program->name = str(l, label_of(kind->name));
        program->proto = stats.values[STAT_HLO_PROTO].text;
    }
}

/* ---- events */

/* Splits NAME:TYPE or recognizes an input pipeline; false for other names. */
static bool split_op(struct loader *l, struct span text, struct run_op *op)
{
    const struct event_name name = event_name_parse(text);

    if (name.kind == EVENT_NAME_PIPELINE) {
        op->kind = OP_PIPELINE;
        op->name = str(l, name.name);
        op->type = builder_str(l->builder, "Dataset", 7);
    } else if (name.kind == EVENT_NAME_OP) {
        op->kind = OP_FRAMEWORK;
        op->name = str(l, name.name);
        op->type = str(l, name.type);
    }
    return name.kind == EVENT_NAME_PIPELINE || name.kind == EVENT_NAME_OP;
}

static strid device_type(struct loader *l, const struct batch_op *b)
{
    const char *type = b->is_kernel ? "kernel" : b->is_memcpy ? "memcpy" : "device event";

    return builder_str(l->builder, type, strlen(type));
}

/* Copies the costs that a TPU reports for the instruction. */
static void take_costs(struct loader *l, const struct stat_list *list, struct run_op *op)
{
    struct stat_values s;

    op->flops = op->bytes_accessed = -1;
    if (!list)
        return;
    s.has = 0;
    stat_list_add_to(list, &s);
    op->category = str(l, stat_text(&s, STAT_HLO_CATEGORY));
    if (stat_has(&s, STAT_FLOPS))
        op->flops = (int64_t)stat_number(&s, STAT_FLOPS);
    if (stat_has(&s, STAT_BYTES_ACCESSED))
        op->bytes_accessed = (int64_t)stat_number(&s, STAT_BYTES_ACCESSED);
}

static void name_op(struct loader *l, const struct batch_op *b, struct run_op *op)
{
    const struct span own = b->kind ? b->kind->name : (struct span){0};

    switch ((enum run_op_kind)b->op) {
    case OP_HLO:
        op->name = str(l, b->name);
        op->program = b->program;
        op->type = str(l, b->module);
        take_costs(l, b->kind ? b->kind->stats : NULL, op);
        break;
    case OP_EAGER:
        op->name = op->type = str(l, b->name);
        break;
    case OP_FRAMEWORK:
    case OP_PIPELINE:
        split_op(l, own, op);
        break;
    case OP_DEVICE:
        op->name = str(l, own);
        op->type = device_type(l, b);
        if (b->name.len)
            split_op(l, b->name, op);
        break;
    default:
        op->name = str(l, own);
        if (b->name.len)
            split_op(l, b->name, op);
        break;
    }
}

static strid number_str(struct loader *l, uint64_t number)
{
    struct strbuf text = {0};
    strid id;

    sb_add_int(&text, (int64_t)number);
    id = builder_str(l->builder, text.data, text.len);
    sb_done(&text);
    return id;
}

/* The op of the run that corresponds to OP of a batch. */
static uint32_t join_op(struct run *r, struct loader *l, const struct plane *p,
                        const struct batch_op *b)
{
    struct run_op op = {.kind = (enum run_op_kind)b->op, .count = b->count, .device = p->device,
                        .caller = OP_NONE, .node = NODE_NONE, .is_memcpy = b->is_memcpy};

    name_op(l, b, &op);
    if (p->device == DEVICE_NONE)
        op.device = run_device(r, p->host, PLANE_HOST,
                               number_str(l, b->op == OP_HLO ? b->ordinal : 0));
    else
        op.kernel = b->kind ? str(l, b->kind->name) : STRID_EMPTY;
    return run_op(r, &op);
}

static void join_launch(struct run *r, const struct plane *p, const struct batch_event *e,
                        uint32_t op, strid name)
{
    const struct run_op *of = &r->ops.data[op];
    const bool says = of->kind == OP_HLO || of->kind == OP_FRAMEWORK || of->kind == OP_PIPELINE;
    const struct run_launch launch = {.correlation = e->link, .start_ps = e->start_ps,
                                      .dur_ps = e->dur_ps, .op = says ? op : OP_NONE, .name = name};

    run_add_launch(r, p->host, &launch);
}

static enum track_use use_of(const struct line *line, const struct run_op *op)
{
    const enum run_op_kind kind = op->kind;

    if (line->use != TRACK_DEVICE && op->count != 1)
        return TRACK_SUMS;
    if (line->use != TRACK_OPS)
        return line->use;
    return kind == OP_HLO ? TRACK_HLO
           : kind == OP_PYTHON || kind == OP_RUNTIME ? TRACK_CALLS : TRACK_OPS;
}

static void join_allocations(struct run *r, struct loader *l, const struct event_batch *b)
{
    vec_each(const struct batch_allocation, a, &b->allocations) {
        struct run_allocator *to = run_allocator(r, b->line->plane->host, str(l, a->allocator));

        vec_push(&to->events, ((struct run_allocation){
                     .at_ps = a->at_ps, .in_use_bytes = a->in_use_bytes, .bytes = a->bytes,
                     .address = a->address, .order = to->events.n, .is_free = a->is_free,
                     .name = a->tf_op.len ? str(l, a->tf_op) : STRID_EMPTY}));
        KEEP_MAX(to->lifetime_peak_bytes, a->lifetime_peak_bytes);
        if (a->in_use_bytes <= to->peak_bytes)
            continue;
        to->peak_bytes = a->in_use_bytes;
        to->capacity_bytes = clamp_add(a->in_use_bytes, a->available_bytes);
        to->fragmentation = a->fragmentation;
    }
}

static void join_marks(struct run *r, struct loader *l, const struct event_batch *b)
{
    struct run_host *host = &r->hosts.data[b->line->plane->host];

    for (size_t i = 0; i < b->marks.n; i++) {
        struct run_mark mark = b->marks.data[i].mark;

        mark.name = str(l, b->marks.data[i].name);
        vec_push(&host->marks, mark);
    }
    for (size_t i = 0; i < b->compiles.n; i++)
        vec_push(&host->compiles, b->compiles.data[i]);
    for (size_t i = 0; i < b->dispatches.n; i++) {
        struct run_dispatch dispatch = b->dispatches.data[i].dispatch;

        dispatch.name = dispatch_key(l, b->dispatches.data[i].name, !dispatch.executes);
        vec_push(&host->dispatches, dispatch);
    }
}

void join_events(struct run *r, struct loader *l, const struct event_batch *b)
{
    const struct plane *p = b->line->plane;
    uint32_t *ops = xreallocarray(NULL, b->ops.n + 1, sizeof *ops);
    uint32_t *tracks = xreallocarray(NULL, b->ops.n + 1, sizeof *tracks);
    strid *names = xcalloc(b->ops.n + 1, sizeof *names); /* names of launch calls */
    struct track track = {.host = p->host, .device = p->device, .id = b->line->id};

    track.plane = str(l, p->name);
    track.name = str(l, b->line->name);
    for (size_t i = 0; i < b->ops.n; i++) {
        ops[i] = join_op(r, l, p, &b->ops.data[i]);
        track.use = use_of(b->line, &r->ops.data[ops[i]]);
        tracks[i] = run_track(r, &track);
    }
    vec_each(const struct batch_event, e, &b->found) {
        struct run_event event = {.start_ps = e->start_ps, .dur_ps = e->dur_ps, .op = ops[e->op]};
        const struct run_op *op = &r->ops.data[event.op];

        if (e->is_launch) {
            if (!names[e->op] && b->ops.data[e->op].kind)
                names[e->op] = str(l, b->ops.data[e->op].kind->name);
            join_launch(r, p, e, event.op, names[e->op]);
            continue;
        }
        event.correlation = e->link;
        if (b->line->use == TRACK_OPS && op->kind == OP_HLO)
            event.step = run_of_program(r, op->device, op->program, e->link, e->start_ps);
        vec_push(&r->tracks.data[tracks[e->op]].events, event);
    }
    join_marks(r, l, b);
    join_allocations(r, l, b);
    EACH(free, names, tracks, ops);
}
