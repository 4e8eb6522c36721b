/* replay_find.c: finds graph launches with their work, and the iterations around them
 * (formats-trace.md section 11). */
#include <stdlib.h>

#include "base/compare.h"
#include "base/xalloc.h"
#include "load/replay/iteration_name.h"
#include "load/replay/log_tracks.h"
#include "load/replay/replay.h"

static enum category_kind kind_at(const struct trace_replays *r, const struct trace_slice *slice)
{
    return (enum category_kind)r->kinds[slice->category];
}

static struct text name_at(const struct trace_replays *r, const struct trace_slice *slice)
{
    const struct profile *p = builder_profile(r->log->builder);

    return intern_string(&p->strings, slice->name);
}

/* ---- launches and work */

/* Adds a replay for each correlation of a graph launch. */
static void find_launches(struct trace_replays *r)
{
    for (size_t i = 0; i < r->log->slices.n; i++) {
        const struct trace_slice *slice = &r->log->slices.data[i];

        if (kind_at(r, slice) != KIND_RUNTIME || slice->link == NUMBER_NONE ||
            !(name_flags_of(&r->flags, r->log, slice->name) & NAME_REPLAY) ||
            idmap_get(&r->by_correlation, slice->link) != IDMAP_NONE)
            continue;
        idmap_put(&r->by_correlation, slice->link, (uint32_t)r->list.n, 0);
        vec_push(&r->list, ((struct graph_launch){.correlation = slice->link,
                                            .start_ns = INT64_MIN,
                                            .mark = MARK_NONE,
                                            .capture = CAPTURE_NONE,
                                            .wanted_size = SIZE_UNKNOWN}));
    }
}

/* Sets the launch of each replay: the last call to start with its correlation. */
static void set_launches(struct trace_replays *r)
{
    for (size_t i = 0; i < r->log->slices.n && r->list.n; i++) {
        const struct trace_slice *slice = &r->log->slices.data[i];
        uint32_t at;

        if (kind_at(r, slice) != KIND_RUNTIME || slice->link == NUMBER_NONE ||
            (at = idmap_get(&r->by_correlation, slice->link)) == IDMAP_NONE ||
            slice->start_ns < r->list.data[at].start_ns)
            continue;
        r->list.data[at].start_ns = slice->start_ns;
        r->list.data[at].launch = slice->name;
        r->list.data[at].path = (uint32_t)i; /* slice index, until the tracks are swept */
    }
}

/* The replay that device work SLICE belongs to, or IDMAP_NONE. */
static uint32_t replay_of(const struct trace_replays *r, const struct trace_slice *slice)
{
    const struct profile *p = builder_profile(r->log->builder);

    if (!kind_is_work(kind_at(r, slice)) || slice->link == NUMBER_NONE)
        return IDMAP_NONE;
    if (strcmp(profile_text(p, slice->name), "event_wait") == 0)
        return IDMAP_NONE;
    return idmap_get(&r->by_correlation, slice->link);
}

/* Sorts the work of each replay by time. */
static void sort_works(struct trace_replays *r)
{
    VEC(struct nested_slice) order = {0};
    VEC(struct replay_work) sorted = {0};

    for (size_t i = 0; i < r->list.n; i++) {
        const struct graph_launch *replay = &r->list.data[i];

        if (!replay->n_works)
            continue;
        order.n = sorted.n = 0;
        for (uint32_t k = 0; k < replay->n_works; k++) {
            const struct replay_work *work = &r->works.data[replay->first_work + k];
            const struct trace_slice *slice = &r->log->slices.data[work->slice];

            vec_push(&order, ((struct nested_slice){.start = slice->start_ns,
                                                    .end = slice->start_ns + slice->dur_ns,
                                                    .id = replay->first_work + k}));
        }
        nesting_sort(order.data, order.n);
        for (size_t k = 0; k < order.n; k++)
            vec_push(&sorted, r->works.data[order.data[k].id]);
        memcpy(r->works.data + replay->first_work, sorted.data, sorted.n * sizeof *sorted.data);
    }
    EACH(vec_done, &order, &sorted);
}

static void find_works(struct trace_replays *r)
{
    uint32_t at, place = 0, n = 0;

    for (size_t i = 0; i < r->log->slices.n; i++) {
        const struct trace_slice *slice = &r->log->slices.data[i];

        if ((at = replay_of(r, slice)) == IDMAP_NONE)
            continue;
        r->list.data[at].n_works++;
        r->list.data[at].work_ns = clamp_add(r->list.data[at].work_ns, slice->dur_ns);
    }
    for (size_t i = 0; i < r->list.n; i++) {
        r->list.data[i].first_work = n;
        n += r->list.data[i].n_works;
        r->list.data[i].n_works = 0;
    }
    vec_resize_zero(&r->works, n);
    for (size_t i = 0; i < r->log->slices.n; i++) {
        const struct trace_slice *slice = &r->log->slices.data[i];

        if ((at = replay_of(r, slice)) != IDMAP_NONE) {
            struct graph_launch *replay = &r->list.data[at];

            r->works.data[replay->first_work + replay->n_works++] =
                (struct replay_work){(uint32_t)i, place};
        }
        place += kind_at(r, slice) >= KIND_KERNEL;
    }
    vec_resize_zero(&r->launch_of_place, place);
    sort_works(r);
}

COMPARE_BY_TWO(by_launch, struct graph_launch, start_ns, path)

/* Drops replays without work, and those whose launch is not a graph launch. */
static void drop_empty(struct trace_replays *r)
{
    vec_keep(&r->list, i,
             r->list.data[i].n_works &&
                 name_flags_of(&r->flags, r->log, r->list.data[i].launch) & NAME_REPLAY);
    vec_sort(&r->list, by_launch);
    idmap_done(&r->by_correlation);
    for (size_t i = 0; i < r->list.n; i++)
        idmap_put(&r->by_correlation, r->list.data[i].correlation, (uint32_t)i, 0);
}

/* ---- marks */

struct marks_sweep {
    struct trace_replays *r;
    const uint32_t *slices; /* slices of the track, as indexes in the log */
    VEC(uint32_t) mark_of;  /* by slice of the track */
    struct idmap replay_of; /* slice index of a launch -> replay */
};

static void begin_slice(void *context, const struct nested_slice *nested, uint32_t parent,
                        uint32_t frame UNUSED, bool partly UNUSED)
{
    struct marks_sweep *s = context;
    struct trace_replays *r = s->r;
    const uint32_t index = s->slices[nested->id];
    const struct trace_slice *slice = &r->log->slices.data[index];
    struct iteration_mark mark = {.slice = index};
    uint32_t at = parent == SLICE_NONE ? MARK_NONE : s->mark_of.data[parent], replay;

    if (at == MARK_NONE && kind_at(r, slice) == KIND_ANNOTATION &&
        iteration_name_read(name_at(r, slice), &mark.iteration.counts)) {
        mark.iteration.start_ns = slice->start_ns;
        mark.iteration.end_ns = slice->start_ns + slice->dur_ns;
        mark.iteration.name = slice->name;
        at = (uint32_t)r->marks.n;
        vec_push(&r->marks, mark);
    }
    s->mark_of.data[nested->id] = at;
    if (kind_at(r, slice) == KIND_RUNTIME && slice->link != NUMBER_NONE &&
        (replay = idmap_get(&s->replay_of, index)) != IDMAP_NONE)
        r->list.data[replay].mark = at;
}

/* Sets TRACKS[I] for tracks with marks of iterations; false if there are none. */
static bool mark_tracks(struct trace_replays *r, bool *tracks)
{
    struct iteration_counts counts;
    bool any = false;

    for (size_t i = 0; i < r->log->slices.n; i++) {
        const struct trace_slice *slice = &r->log->slices.data[i];

        if (kind_at(r, slice) == KIND_ANNOTATION && !tracks[slice->track] &&
            iteration_name_read(name_at(r, slice), &counts))
            any = tracks[slice->track] = true;
    }
    return any;
}

COMPARE_BY_TWO(by_start, struct iteration_mark, iteration.start_ns, slice)

/* Sorts the marks and updates the replays' indexes. */
static void sort_marks(struct trace_replays *r)
{
    struct idmap place_of = {0};

    vec_each(struct graph_launch, replay, &r->list) {
        if (replay->mark != MARK_NONE) /* slice index, for now */
            replay->mark = r->marks.data[replay->mark].slice;
    }
    vec_sort(&r->marks, by_start);
    for (size_t i = 0; i < r->marks.n; i++) {
        idmap_put(&place_of, r->marks.data[i].slice, (uint32_t)i, 0);
        r->marks.data[i].iteration.number = (int64_t)i + 1;
        r->marks.data[i].iteration.step = r->marks.data[i].iteration.batch_size = INT64_MIN;
    }
    for (size_t i = 0; i < r->list.n; i++)
        if (r->list.data[i].mark != MARK_NONE)
            r->list.data[i].mark = idmap_get(&place_of, r->list.data[i].mark);
    idmap_done(&place_of);
}

static void find_marks(struct trace_replays *r)
{
    static const struct nesting_calls calls = {begin_slice, NULL, NULL};
    bool *tracks = xcalloc(r->log->tracks.n + 1, sizeof *tracks);
    struct marks_sweep sweep = {.r = r};
    struct log_tracks by_track;
    nested_slices nested = {0};

    if (mark_tracks(r, tracks)) {
        for (size_t i = 0; i < r->list.n; i++)
            idmap_put(&sweep.replay_of, r->list.data[i].path, (uint32_t)i, 0);
        log_tracks_init(&by_track, r->log, r->kinds, tracks);
        for (uint32_t i = 0; i < r->log->tracks.n; i++) {
            if (!tracks[i])
                continue;
            log_tracks_nest(&by_track, i, LAYER_TIMED, &nested);
            sweep.slices = log_track_slices(&by_track, i);
            vec_resize_zero(&sweep.mark_of, by_track.n_of[i]);
            nesting_sweep(nested.data, nested.n, &calls, &sweep);
        }
        log_tracks_done(&by_track);
        sort_marks(r);
    }
    EACH(vec_done, &nested, &sweep.mark_of);
    idmap_done(&sweep.replay_of);
    free(tracks);
}

/* Finds the graph launches that have work. */
static void find_replays(struct trace_replays *r)
{
    r->kinds = category_kinds(r->log);
    find_launches(r);
    set_launches(r);
    if (r->list.n)
        find_works(r);
    drop_empty(r);
}

void replays_find(struct trace_replays *r)
{
    find_replays(r);
    find_marks(r);
}

bool log_has_replays(struct trace_log *log)
{
    struct trace_replays r = {.log = log};
    bool any;

    intern_init(&r.token_keys);
    find_replays(&r);
    any = r.list.n > 0;
    replays_done(&r);
    return any;
}

void replays_done(struct trace_replays *r)
{
    free(r->kinds);
    EACH(vec_done, &r->flags, &r->list, &r->works, &r->placed, &r->marks, &r->spans, &r->token_of,
         &r->launch_of_place, &r->tokens, &r->streams, &r->nodes);
    EACH(idmap_done, &r->by_correlation, &r->stream_of);
    intern_done(&r->token_keys);
}
