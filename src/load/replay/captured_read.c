/* captured_read.c: finds captured graphs and their launches in the slices of a trace
 * (formats-trace.md section 11). */
#include <stdlib.h>

#include "base/compare.h"
#include "base/xalloc.h"
#include "load/replay/captured.h"
#include "load/replay/log_tracks.h"
#include "load/replay/name_flags.h"

/* A time range of a track in which launches are captured. */
struct range {
    int64_t start_ns, end_ns;
};

/* A slice of the swept track. */
struct swept {
    uint32_t parent, call; /* call: the innermost operator around it, or itself */
    uint32_t stack;        /* index in reading.frames */
    uint32_t graph;        /* graph in whose range it begins, or GRAPH_NONE */
    uint32_t kept;         /* index in the capture + 1; 0: not kept */
};

/* A Python frame.  shared: its id in captures.stack_ids; 0: not looked up yet. */
struct frame_node {
    uint32_t caller, shared;
    strid name;
};

/* Path ids in struct captures.  outer: of the modules around and including the slice; inner: of the
 * slice within its graph. */
struct kept_paths {
    uint32_t outer, inner;
};

struct reading {
    struct captures *all;
    struct captured_file *c;
    const struct trace_log *log;
    uint8_t *kinds;
    name_flags flags;
    struct idmap works;      /* keys: correlations of device work */
    uint32_t n_graphs;       /* number of graph ids used */
    /* state of the current track */
    const uint32_t *slices;  /* indexes in the log */
    nested_slices nested;
    VEC(struct range) ranges;
    size_t range;            /* the first range that has not ended */
    VEC(struct swept) swept;
    VEC(struct frame_node) frames;
    struct idmap frame_of;   /* Python id -> frame */
    VEC(uint32_t) launches;  /* captured launches, as slices of the track */
    VEC(uint32_t) climb, stack_climb; /* scratch */
    VEC(struct kept_paths) paths; /* by slice of the capture */
    int64_t last_end_ns;     /* end of the last captured launch */
};

static const struct trace_slice *slice_at(const struct reading *r, uint32_t id)
{
    return &r->log->slices.data[r->slices[id]];
}

static enum category_kind kind_at(const struct reading *r, const struct trace_slice *slice)
{
    return (enum category_kind)r->kinds[slice->category];
}

static uint8_t flags_at(struct reading *r, const struct trace_slice *slice)
{
    return name_flags_of(&r->flags, r->log, slice->name);
}

static bool is_module(const struct reading *r, const struct trace_slice *slice)
{
    return slice_layers(r->log, slice, kind_at(r, slice)) == (LAYER_TIMED | LAYER_FRAME);
}

/* ---- sweep of a track */

/* Adds the frame SLICE; its caller is found by its recorded parent id, else it is CALLER. */
static uint32_t add_frame(struct reading *r, const struct trace_slice *slice, uint32_t caller)
{
    const uint32_t id = (uint32_t)r->frames.n;
    uint32_t found;

    if (slice->link != NUMBER_NONE) {
        found = (uint32_t)slice->link == FRAME_NONE ? IDMAP_NONE
                                                    : idmap_get(&r->frame_of, (uint32_t)slice->link);
        caller = found == IDMAP_NONE ? 0 : found;
        idmap_put(&r->frame_of, (int64_t)((uint64_t)slice->link >> 32), id, 0);
    }
    vec_push(&r->frames, ((struct frame_node){.caller = caller, .name = slice->name}));
    return id;
}

static uint32_t range_at(struct reading *r, int64_t ns)
{
    while (r->range < r->ranges.n && r->ranges.data[r->range].end_ns <= ns)
        r->range++;
    return r->range < r->ranges.n && r->ranges.data[r->range].start_ns <= ns
               ? r->n_graphs + (uint32_t)r->range
               : GRAPH_NONE;
}

static bool is_launch(struct reading *r, const struct trace_slice *slice, uint32_t graph)
{
    return graph != GRAPH_NONE && kind_at(r, slice) == KIND_RUNTIME &&
           flags_at(r, slice) & (NAME_MEMCPY | NAME_MEMSET | NAME_KERNEL) &&
           slice->start_ns >= r->last_end_ns &&
           (slice->link == NUMBER_NONE || idmap_get(&r->works, slice->link) == IDMAP_NONE);
}

static void begin_slice(void *context, const struct nested_slice *nested, uint32_t parent,
                        uint32_t frame, bool partly UNUSED)
{
    struct reading *r = context;
    const struct trace_slice *slice = slice_at(r, nested->id);
    struct swept *s = &r->swept.data[nested->id];

    s->stack = frame == SLICE_NONE ? 0 : r->swept.data[frame].stack;
    if (nested->layers & LAYER_FRAME)
        s->stack = add_frame(r, slice, s->stack);
    if (!(nested->layers & LAYER_TIMED))
        return;
    s->parent = parent;
    s->call = kind_at(r, slice) == KIND_CALL ? nested->id
              : parent == SLICE_NONE         ? SLICE_NONE
                                             : r->swept.data[parent].call;
    s->graph = range_at(r, slice->start_ns);
    if (is_launch(r, slice, s->graph)) {
        r->last_end_ns = slice->start_ns + slice->dur_ns;
        vec_push(&r->launches, nested->id);
    }
}

/* ---- slices to keep */

static uint32_t shared_stack(struct reading *r, uint32_t frame)
{
    r->stack_climb.n = 0;
    for (; frame && !r->frames.data[frame].shared; frame = r->frames.data[frame].caller)
        vec_push(&r->stack_climb, frame);
    while (r->stack_climb.n) {
        struct frame_node *node = &r->frames.data[r->stack_climb.data[--r->stack_climb.n]];
        const struct captured_stack stack = {
            .caller = node->caller ? r->frames.data[node->caller].shared : 0,
            .name = log_copy_string(&r->all->log, r->log, node->name),
        };

        node->shared = intern_put(&r->all->stack_ids, &stack, sizeof stack);
        frame = (uint32_t)(node - r->frames.data);
    }
    return frame ? r->frames.data[frame].shared : 0;
}

static void note_size(struct reading *r, const struct trace_slice *slice)
{
    const struct profile *p = builder_profile(r->log->builder);
    int64_t size;

    if (r->c->noted_size == SIZE_UNKNOWN && kind_at(r, slice) == KIND_ANNOTATION &&
        flags_at(r, slice) & NAME_CAPTURE &&
        capture_name_read(intern_string(&p->strings, slice->name), &size))
        r->c->noted_size = size;
}

/* Adds slice ID to the capture; its parent was added before. */
static void keep_slice(struct reading *r, uint32_t id)
{
    const struct trace_slice *slice = slice_at(r, id);
    struct swept *s = &r->swept.data[id];
    const struct captured_slice kept = {
        .name = log_copy_string(&r->all->log, r->log, slice->name),
        .args = log_copy_args(&r->all->log, r->log, slice->args),
        .parent = s->parent == SLICE_NONE ? SLICE_NONE : r->swept.data[s->parent].kept - 1,
        .graph = s->graph,
        .stack = shared_stack(r, s->stack),
        .category = log_copy_category(&r->all->log, r->log, slice->category),
        .kind = (uint8_t)kind_at(r, slice),
        .is_module = is_module(r, slice),
    };

    note_size(r, slice);
    vec_push(&r->c->slices, kept);
    s->kept = (uint32_t)r->c->slices.n;
}

/* Adds slice ID and the slices around it, outermost first. */
static void keep_around(struct reading *r, uint32_t id)
{
    r->climb.n = 0;
    for (; id != SLICE_NONE && !r->swept.data[id].kept; id = r->swept.data[id].parent)
        vec_push(&r->climb, id);
    while (r->climb.n)
        keep_slice(r, r->climb.data[--r->climb.n]);
}

static uint32_t path_below(struct reading *r, uint32_t above, strid name)
{
    const uint32_t key[2] = {above, name};

    return intern_put(&r->all->paths, key, sizeof key);
}

/* Adds paths for the slices added since the last call. */
static void add_paths(struct reading *r)
{
    for (size_t i = r->paths.n; i < r->c->slices.n; i++) {
        const struct captured_slice *s = &r->c->slices.data[i];
        const bool is_top = s->parent == SLICE_NONE;
        const struct kept_paths above = is_top ? (struct kept_paths){0, 0} : r->paths.data[s->parent];
        const bool is_same = !is_top && r->c->slices.data[s->parent].graph == s->graph;
        const struct kept_paths paths = {
            .outer = s->is_module ? path_below(r, above.outer, s->name) : above.outer,
            .inner = path_below(r, is_same ? above.inner : above.outer, s->name),
        };

        vec_push(&r->paths, paths);
    }
}

/* ---- launches */

/* Two launches have the same row if these fields are equal. */
struct row_key {
    uint32_t path, stack;
    strid op, dims;
};

static uint32_t row_of(struct reading *r, uint32_t owner, uint32_t stack)
{
    const struct captured_slice *s = &r->c->slices.data[owner];
    const struct row_key key = {.path = r->paths.data[owner].inner,
                                .stack = stack,
                                .op = s->name,
                                .dims = trace_args_of(&r->all->log, s->args).dims};

    return intern_put(&r->all->rows, &key, sizeof key);
}

static struct kernel_token token_of(struct reading *r, const struct trace_slice *slice)
{
    const strid kernel = trace_args_of(r->log, slice->args).kernel;
    const uint8_t flags = flags_at(r, slice);

    if (flags & (NAME_MEMCPY | NAME_MEMSET))
        return (struct kernel_token){.work_class = flags & NAME_MEMCPY ? WORK_MEMCPY : WORK_MEMSET};
    if (!kernel)
        return (struct kernel_token){.work_class = WORK_COMPUTE};
    return kernel_token_of(&r->all->names,
                           intern_string(&builder_profile(r->log->builder)->strings, kernel),
                           WORK_COMPUTE);
}

static void add_launch(struct reading *r, uint32_t id)
{
    struct captured_file *c = r->c;
    const struct trace_slice *slice = slice_at(r, id);
    const struct swept *s = &r->swept.data[id];
    const uint32_t call =
        s->call != SLICE_NONE && r->swept.data[s->call].graph == s->graph ? s->call : id;
    const struct captured_launch launch = {.slice = s->kept - 1, .owner = r->swept.data[call].kept - 1};
    struct captured_graph *graph = c->graphs.n ? &c->graphs.data[c->graphs.n - 1] : NULL;

    if (!graph || graph->id != s->graph) {
        const struct range *range = &r->ranges.data[s->graph - r->n_graphs];

        vec_push(&c->graphs, ((struct captured_graph){
                                 .start_ns = range->start_ns,
                                 .end_ns = range->end_ns,
                                 .id = s->graph,
                                 .track = slice->track,
                                 .first_launch = (uint32_t)c->launches.n,
                                 .has_nodes = true}));
        graph = &c->graphs.data[c->graphs.n - 1];
    }
    graph->n_launches++;
    vec_push(&c->launches, launch);
    vec_push(&c->tokens, token_of(r, slice));
    vec_push(&c->rows, row_of(r, launch.owner, c->slices.data[launch.slice].stack));
    vec_push(&c->nodes, log_graph_node(r->log, r->slices[id]));
    graph->has_nodes &= c->nodes.data[c->nodes.n - 1] != NUMBER_NONE;
}

/* ---- tracks */

/* Finds the capture ranges of the track: between calls that begin and end a capture; without such
 * calls, annotations. */
static void find_ranges(struct reading *r)
{
    int64_t begin_ns = 0;
    bool is_open = false;

    r->ranges.n = r->range = 0;
    for (size_t i = 0; i < r->nested.n; i++) {
        const struct trace_slice *slice = slice_at(r, r->nested.data[i].id);
        const uint8_t flags = kind_at(r, slice) == KIND_RUNTIME ? flags_at(r, slice) : 0;

        if (flags & NAME_END && is_open)
            vec_push(&r->ranges, ((struct range){begin_ns, slice->start_ns}));
        if (flags & NAME_BEGIN)
            begin_ns = slice->start_ns + slice->dur_ns;
        is_open = flags & NAME_BEGIN || (is_open && !(flags & NAME_END));
    }
    for (size_t i = 0, n = r->ranges.n; i < r->nested.n && !n; i++) {
        const struct trace_slice *slice = slice_at(r, r->nested.data[i].id);

        if (kind_at(r, slice) == KIND_ANNOTATION && flags_at(r, slice) & NAME_CAPTURE)
            vec_push(&r->ranges,
                     ((struct range){slice->start_ns, slice->start_ns + slice->dur_ns}));
    }
}

static void read_track(struct reading *r, uint32_t n_slices)
{
    static const struct nesting_calls calls = {begin_slice, NULL, NULL};

    find_ranges(r);
    if (!r->ranges.n)
        return;
    r->last_end_ns = INT64_MIN;
    r->launches.n = r->swept.n = r->frames.n = 0;
    vec_resize_zero(&r->swept, n_slices);
    vec_push(&r->frames, ((struct frame_node){.caller = 0}));
    nesting_sweep(r->nested.data, r->nested.n, &calls, r);
    for (size_t i = 0; i < r->launches.n; i++) {
        keep_around(r, r->launches.data[i]);
        add_paths(r);
        add_launch(r, r->launches.data[i]);
    }
    idmap_done(&r->frame_of);
    r->n_graphs += (uint32_t)r->ranges.n;
}

/* Sets TRACKS[I] for tracks that may have captured graphs; false if there are none. */
static bool mark_tracks(struct reading *r, bool *tracks)
{
    bool any = false;

    for (size_t i = 0; i < r->log->slices.n; i++) {
        const struct trace_slice *slice = &r->log->slices.data[i];
        const enum category_kind kind = kind_at(r, slice);
        const uint8_t wanted = kind == KIND_RUNTIME      ? NAME_BEGIN
                               : kind == KIND_ANNOTATION ? NAME_CAPTURE
                                                         : 0;

        if (wanted && flags_at(r, slice) & wanted)
            any = tracks[slice->track] = true;
    }
    return any;
}

static void find_works(struct reading *r)
{
    for (size_t i = 0; i < r->log->slices.n; i++) {
        const struct trace_slice *slice = &r->log->slices.data[i];
        const enum category_kind kind = kind_at(r, slice);

        if (kind_is_work(kind) && slice->link != NUMBER_NONE)
            idmap_put(&r->works, slice->link, 0, 0);
        r->c->has_modules |= kind == KIND_FRAME && is_module(r, slice);
    }
}

/* Reads the marked tracks. */
static void read_tracks(struct reading *r, const bool *tracks)
{
    struct log_tracks by_track;

    log_tracks_init(&by_track, r->log, r->kinds, tracks);
    for (uint32_t i = 0; i < r->log->tracks.n; i++)
        if (tracks[i]) {
            log_tracks_nest(&by_track, i, LAYER_TIMED | LAYER_FRAME, &r->nested);
            r->slices = log_track_slices(&by_track, i);
            read_track(r, by_track.n_of[i]);
        }
    log_tracks_done(&by_track);
}

COMPARE_BY_TWO(by_start, struct captured_graph, start_ns, id)

static void reading_done(struct reading *r)
{
    free(r->kinds);
    EACH(vec_done, &r->flags, &r->nested, &r->ranges, &r->swept, &r->frames, &r->launches,
         &r->climb, &r->stack_climb, &r->paths);
    idmap_done(&r->works);
}

bool log_may_have_captures(const struct trace_log *log)
{
    struct reading r = {.log = log, .kinds = category_kinds(log)};
    bool *tracks = xcalloc(log->tracks.n + 1, sizeof *tracks);
    const bool any = mark_tracks(&r, tracks);

    free(tracks);
    reading_done(&r);
    return any;
}

bool captured_read(struct captures *all, struct captured_file *c, const struct trace_log *log)
{
    struct reading r = {.all = all, .c = c, .log = log, .kinds = category_kinds(log)};
    bool *tracks = xcalloc(log->tracks.n + 1, sizeof *tracks);

    if (mark_tracks(&r, tracks)) {
        find_works(&r);
        read_tracks(&r, tracks);
        vec_sort(&c->graphs, by_start);
    }
    free(tracks);
    reading_done(&r);
    return c->graphs.n > 0;
}
