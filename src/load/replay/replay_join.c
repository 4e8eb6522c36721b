/* replay_join.c: chooses the captured graph of each replay (formats-trace.md section 11). */

#include "base/compare.h"
#include "load/replay/replay.h"

/* The replays of one iteration, or a single replay outside iterations. */
struct group {
    uint32_t first, n; /* range in the list of replays */
    uint32_t first_work, n_works;
};

/* Result of aligning a group with a capture. */
struct trial {
    uint32_t capture, graph;
    bool is_pairwise; /* pairs replay K with captured graph K; else all replays with `graph` */
    bool fits;
    enum join_reason reason;
    uint64_t n_equal;
    VEC(struct alignment) alignments; /* by replay of the group */
    VEC(uint32_t) placed;             /* by work of the group */
};

struct joining {
    struct trace_replays *r;
    struct replay_state *state;
    VEC(uint32_t) candidates; /* indexes of captures */
    struct trial best, next;
    bool is_ambiguous;
    uint32_t other;           /* a second capture that fits as well */
};

static struct captured_file *capture_at(const struct joining *j, uint32_t i)
{
    return &j->state->files.all.list.data[i];
}

static bool can_be_used(const struct captured_file *c)
{
    return !c->is_bad && !(c->listed_size != SIZE_UNKNOWN && c->noted_size != SIZE_UNKNOWN &&
                           c->listed_size != c->noted_size);
}

/* ---- sizes */

/* The number of distinct known sizes, at most 2; *NEXT is the smallest size >= N. */
static unsigned known_sizes(const struct joining *j, int64_t n, int64_t *next)
{
    const struct capture_files *files = &j->state->files;
    int64_t first = SIZE_UNKNOWN;
    unsigned n_sizes = 0;

    *next = SIZE_UNKNOWN;
    for (size_t i = 0; i < files->all.list.n + files->listed.n; i++) {
        const size_t k = i - files->all.list.n;
        const int64_t size = i >= files->all.list.n        ? files->listed.data[k].size
                             : files->all.list.data[i].is_bad ? SIZE_UNKNOWN
                                                              : capture_size(&files->all.list.data[i]);

        if (size == SIZE_UNKNOWN)
            continue;
        n_sizes += n_sizes == 0 || (n_sizes == 1 && size != first);
        first = n_sizes == 1 ? size : first;
        if (size >= n && (*next == SIZE_UNKNOWN || size < *next))
            *next = size;
    }
    return n_sizes;
}

/* The batch size of an iteration: its padded size, else the next larger captured size. */
static int64_t wanted_size(const struct joining *j, const struct iteration_counts *counts)
{
    const int64_t n = counts->context.tokens + counts->generation.tokens;
    int64_t next;
    unsigned n_sizes;

    if (counts->padded_size >= 0)
        return counts->padded_size;
    n_sizes = known_sizes(j, n, &next);
    return (j->state->files.listed.n || n_sizes > 1) && next != SIZE_UNKNOWN ? next : n;
}

/* ---- candidates */

static bool is_listed(const struct joining *j, int64_t size)
{
    for (size_t i = 0; i < j->state->files.listed.n; i++)
        if (j->state->files.listed.data[i].size == size)
            return true;
    return false;
}

static bool has_capture(const struct joining *j, int64_t size)
{
    for (size_t i = 0; i < j->state->files.all.list.n; i++)
        if (capture_size(&j->state->files.all.list.data[i]) == size)
            return true;
    return false;
}

/* Drops candidates of other ranks if any has RANK. */
static void prefer_rank(struct joining *j, int64_t rank)
{
    size_t n = 0;

    for (size_t i = 0; i < j->candidates.n; i++)
        n += capture_at(j, j->candidates.data[i])->rank == rank;
    if (!n || rank < 0)
        return;
    vec_keep(&j->candidates, i, capture_at(j, j->candidates.data[i])->rank == rank);
}

/* Opens the captures of SIZE and of unknown size, and makes them candidates; SIZE_UNKNOWN: all. */
static bool find_candidates(struct joining *j, int64_t size, struct err *err)
{
    struct capture_files *files = &j->state->files;

    j->candidates.n = 0;
    for (uint32_t i = 0; i < files->all.list.n; i++) {
        struct captured_file *c = &files->all.list.data[i];

        if (size != SIZE_UNKNOWN && capture_size(c) != size && capture_size(c) != SIZE_UNKNOWN)
            continue;
        if (!capture_open(files, c, err))
            return false;
        if (can_be_used(c) && (size == SIZE_UNKNOWN || capture_size(c) == size ||
                               capture_size(c) == SIZE_UNKNOWN))
            vec_push(&j->candidates, i);
    }
    prefer_rank(j, j->r->log->recording->rank);
    return true;
}

static enum join_reason reason_without(const struct joining *j, int64_t size)
{
    const struct capture_files *files = &j->state->files;
    bool any = files->listed.n > 0;

    for (size_t i = 0; i < files->all.list.n; i++)
        any |= !files->all.list.data[i].is_bad;
    if (files->is_off || !any)
        return JOIN_NO_CAPTURE;
    return size != SIZE_UNKNOWN && is_listed(j, size) && !has_capture(j, size) ? JOIN_MISSING
                                                                               : JOIN_SIZE;
}

/* ---- trials */

/* The captured graph paired with replay I of the group. */
static uint32_t graph_of(const struct trial *t, uint32_t i)
{
    return t->is_pairwise ? i : t->graph;
}

static struct kernel_token token_of(struct joining *j, const struct trace_slice *slice)
{
    struct trace_replays *r = j->r;
    const struct profile *p = builder_profile(r->log->builder);
    const struct text name = intern_string(&p->strings, slice->name);
    const enum category_kind kind = (enum category_kind)r->kinds[slice->category];
    const uint32_t key[2] = {slice->name, kind};
    const uint32_t at = intern_put(&r->token_keys, key, sizeof key) - 1;

    if (at == r->token_of.n)
        vec_push(&r->token_of,
                 kernel_token_of(&j->state->files.all.names, name,
                                 work_class_of(kind, name.bytes, name.len, false)));
    return r->token_of.data[at];
}

/* A number for the stream of SLICE, unique within REPLAY. */
static uint32_t stream_of(struct trace_replays *r, uint32_t replay, const struct trace_slice *slice)
{
    const strid given = trace_args_of(r->log, slice->args).stream;
    const uint32_t name = given ? given : r->log->tracks.data[slice->track].tid;
    const int64_t key = (int64_t)((uint64_t)replay << 32 | name);
    uint32_t stream = idmap_get(&r->stream_of, key);

    if (stream == IDMAP_NONE) {
        stream = r->n_streams++;
        idmap_put(&r->stream_of, key, stream, 0);
    }
    return stream;
}

/* Fills the scratch lists of R with the work of REPLAY; false if some work has no graph node id. */
static bool collect_works(struct joining *j, uint32_t replay)
{
    struct trace_replays *r = j->r;
    const struct graph_launch *of = &r->list.data[replay];
    bool has_nodes = r->log->graph_nodes.n > 0;

    r->tokens.n = r->streams.n = r->nodes.n = 0;
    r->n_streams = 0;
    for (uint32_t i = 0; i < of->n_works; i++) {
        const uint32_t index = r->works.data[of->first_work + i].slice;
        const struct trace_slice *slice = &r->log->slices.data[index];

        vec_push(&r->tokens, token_of(j, slice));
        vec_push(&r->streams, stream_of(r, replay, slice));
        if (has_nodes) {
            vec_push(&r->nodes, log_graph_node(r->log, index));
            has_nodes = r->nodes.data[i] != NUMBER_NONE;
        }
    }
    idmap_done(&r->stream_of);
    return has_nodes;
}

static struct alignment align_replay(struct joining *j, uint32_t replay, uint32_t capture,
                                     uint32_t graph, uint32_t *placed)
{
    struct trace_replays *r = j->r;
    const struct captured_file *c = capture_at(j, capture);
    const struct captured_graph *g = &c->graphs.data[graph];
    const bool has_nodes = collect_works(j, replay);

    return align(&(struct align_request){
                     .launches = c->tokens.data + g->first_launch,
                     .works = r->tokens.data,
                     .n_launches = g->n_launches,
                     .n_works = r->tokens.n,
                     .row_of = c->rows.data + g->first_launch,
                     .stream_of = r->streams.data,
                     .n_streams = r->n_streams,
                     .launch_nodes = g->has_nodes ? c->nodes.data + g->first_launch : NULL,
                     .work_nodes = has_nodes ? r->nodes.data : NULL,
                     .steps_left = &j->state->steps_left,
                     .count_steps_left = &j->state->count_steps_left,
                 },
                 placed);
}

/* Aligns all replays of GROUP. */
static void run_trial(struct joining *j, const struct group *group, struct trial *t)
{
    uint32_t n_fit = 0;

    t->alignments.n = 0;
    t->n_equal = 0;
    t->reason = JOIN_FITS;
    vec_resize_zero(&t->placed, group->n_works);
    for (uint32_t i = 0; i < group->n; i++) {
        const uint32_t at = j->r->list.data[group->first + i].first_work - group->first_work;
        const struct alignment a = align_replay(j, group->first + i, t->capture, graph_of(t, i),
                                                t->placed.data + at);

        vec_push(&t->alignments, a);
        t->n_equal += a.n_equal;
        n_fit += a.reason == JOIN_FITS;
        if (a.reason != JOIN_FITS && t->reason == JOIN_FITS)
            t->reason = a.reason;
    }
    t->fits = t->is_pairwise ? n_fit == group->n : n_fit > 0;
}

/* The row of work K, which belongs to replay I of the group. */
static uint32_t row_at(const struct joining *j, const struct trial *t, uint32_t i, uint32_t k)
{
    const struct captured_file *c = capture_at(j, t->capture);

    if (t->alignments.data[i].reason != JOIN_FITS || t->placed.data[k] >= ALIGN_AMBIGUOUS)
        return ALIGN_UNMATCHED;
    return c->rows.data[c->graphs.data[graph_of(t, i)].first_launch + t->placed.data[k]];
}

/* True if both trials, which fit, assign the same rows. */
static bool gives_same_rows(const struct joining *j, const struct group *group)
{
    if (capture_at(j, j->best.capture)->has_modules != capture_at(j, j->next.capture)->has_modules)
        return false;
    for (uint32_t i = 0; i < group->n; i++) {
        const struct graph_launch *replay = &j->r->list.data[group->first + i];
        const uint32_t at = replay->first_work - group->first_work;

        for (uint32_t k = at; k < at + replay->n_works; k++)
            if (row_at(j, &j->best, i, k) != row_at(j, &j->next, i, k))
                return false;
    }
    return true;
}

/* Runs j->next and keeps the better trial as j->best. */
static void compare_trial(struct joining *j, const struct group *group, bool is_first)
{
    const struct trial spare = j->best;

    run_trial(j, group, &j->next);
    if (!is_first && j->best.fits && j->next.fits) {
        if (!gives_same_rows(j, group) && !j->is_ambiguous) {
            j->is_ambiguous = true;
            j->other = j->next.capture;
        }
        return;
    }
    if (!is_first && (j->best.fits || (!j->next.fits && j->next.n_equal <= j->best.n_equal)))
        return;
    j->best = j->next;
    j->next = spare;
}

/* Tries all candidates for GROUP.  IS_ALONE: it is a replay outside iterations.  False if no
 * candidate has the required number of graphs. */
static bool try_candidates(struct joining *j, const struct group *group, bool is_alone)
{
    bool is_first = true;

    j->is_ambiguous = false;
    for (size_t i = 0; i < j->candidates.n; i++) {
        const struct captured_file *c = capture_at(j, j->candidates.data[i]);
        const bool is_pairwise = !is_alone && c->graphs.n == group->n;

        if (!is_alone && !is_pairwise && c->graphs.n != 1)
            continue;
        for (uint32_t g = 0; g < (is_pairwise ? 1 : c->graphs.n); g++) {
            j->next.capture = j->candidates.data[i];
            j->next.graph = g;
            j->next.is_pairwise = is_pairwise && c->graphs.n > 1;
            compare_trial(j, group, is_first);
            is_first = false;
        }
    }
    return !is_first;
}

/* ---- results */

/* Refuses all replays of GROUP. */
static void refuse_group(struct joining *j, const struct group *group, struct refusal refusal)
{
    refusal.n_replays = group->n;
    replay_refuse(j->state, refusal);
    for (uint32_t i = 0; i < group->n; i++) {
        struct graph_launch *replay = &j->r->list.data[group->first + i];

        replay->alignment = (struct alignment){.reason = refusal.reason};
        replay_add_row(j->r, replay);
    }
}

/* Joins or refuses each replay of GROUP as in the best trial. */
static void apply_best(struct joining *j, const struct group *group)
{
    const struct trial *t = &j->best;
    struct captured_file *c = capture_at(j, t->capture);

    memcpy(j->r->placed.data + group->first_work, t->placed.data,
           group->n_works * sizeof *t->placed.data);
    for (uint32_t i = 0; i < group->n; i++) {
        struct graph_launch *replay = &j->r->list.data[group->first + i];
        const struct captured_graph *g = &c->graphs.data[graph_of(t, i)];
        const uint64_t n_of = g->n_launches > replay->n_works ? g->n_launches : replay->n_works;

        replay->alignment = t->alignments.data[i];
        if (!t->fits && replay->alignment.reason == JOIN_FITS)
            replay->alignment.reason = t->reason; /* another replay of the iteration does not fit */
        if (replay->alignment.reason == JOIN_FITS) {
            replay->capture = t->capture;
            replay->graph = graph_of(t, i);
            c->is_used = j->state->any_joined = true;
            j->r->has_own |= c->is_own && capture_files_find(&j->state->files, j->r->path) == c;
        } else {
            replay_refuse(j->state, (struct refusal){.reason = replay->alignment.reason,
                                       .capture = t->capture,
                                       .other = CAPTURE_NONE,
                                       .size = SIZE_UNKNOWN,
                                       .n_replays = 1,
                                       .n = replay->alignment.n_equal,
                                       .of = n_of,
                                       .is_count = replay->alignment.how == JOIN_BY_COUNT});
        }
        replay_add_row(j->r, replay);
    }
}

/* ---- groups */

/* The refusal if no candidate has the right number of graphs; names the first one. */
static struct refusal refusal_of_graphs(const struct joining *j, const struct group *group)
{
    const uint32_t capture = j->candidates.data[0];

    return (struct refusal){.reason = JOIN_GRAPHS,
                            .capture = capture,
                            .other = CAPTURE_NONE,
                            .size = SIZE_UNKNOWN,
                            .n = capture_at(j, capture)->graphs.n,
                            .of = group->n};
}

static bool join_group(struct joining *j, const struct group *group, struct err *err)
{
    const uint32_t mark = j->r->list.data[group->first].mark;
    struct iteration *iteration = mark == MARK_NONE ? NULL : &j->r->marks.data[mark].iteration;
    const int64_t size = iteration ? wanted_size(j, &iteration->counts) : SIZE_UNKNOWN;
    struct refusal refusal = {.capture = CAPTURE_NONE, .other = CAPTURE_NONE, .size = size};

    for (uint32_t i = 0; i < group->n; i++)
        j->r->list.data[group->first + i].wanted_size = size;
    if (iteration) {
        iteration->batch_size = size;
        iteration->n_replays = group->n;
    }
    if (!j->state->files.is_off && !find_candidates(j, size, err))
        return false;
    if (!j->candidates.n) {
        refusal.reason = reason_without(j, size);
        refuse_group(j, group, refusal);
    } else if (!try_candidates(j, group, !iteration)) {
        refuse_group(j, group, refusal_of_graphs(j, group));
    } else if (j->is_ambiguous) {
        refusal = (struct refusal){JOIN_AMBIGUOUS, j->best.capture, j->other, SIZE_UNKNOWN,
                                   0, 0, 0, false};
        refuse_group(j, group, refusal);
    } else {
        apply_best(j, group);
    }
    return true;
}

/* Sorts replays and their work by iteration; replays outside iterations come last. */
COMPARE_CHAIN(by_mark, struct graph_launch, UP(mark) || UP(start_ns) || UP(path))

static void order_by_mark(struct trace_replays *r)
{
    VEC(struct replay_work) works = {0};

    vec_sort(&r->list, by_mark);
    idmap_done(&r->by_correlation);
    for (size_t i = 0; i < r->list.n; i++) {
        struct graph_launch *replay = &r->list.data[i];
        const uint32_t first = (uint32_t)works.n;

        for (uint32_t k = 0; k < replay->n_works; k++)
            vec_push(&works, r->works.data[replay->first_work + k]);
        replay->first_work = first;
        idmap_put(&r->by_correlation, replay->correlation, (uint32_t)i, 0);
    }
    vec_done(&r->works);
    r->works.data = works.data;
    r->works.n = works.n;
    r->works.capacity = works.capacity;
}

/* The group that starts at replay FIRST. */
static struct group group_at(const struct trace_replays *r, uint32_t first)
{
    struct group g = {.first = first, .first_work = r->list.data[first].first_work};

    do
        g.n_works += r->list.data[first + g.n++].n_works;
    while (r->list.data[first].mark != MARK_NONE && first + g.n < r->list.n &&
           r->list.data[first + g.n].mark == r->list.data[first].mark);
    return g;
}

static void trial_done(struct trial *t)
{
    EACH(vec_done, &t->alignments, &t->placed);
}

bool replays_join(struct trace_replays *r, struct err *err)
{
    struct joining j = {.r = r, .state = r->state};
    bool ok = true;

    order_by_mark(r);
    vec_resize_zero(&r->placed, r->works.n);
    for (uint32_t i = 0; i < r->list.n && ok;) {
        const struct group group = group_at(r, i);

        ok = join_group(&j, &group, err);
        i += group.n;
    }
    EACH(trial_done, &j.best, &j.next);
    vec_done(&j.candidates);
    return ok;
}
