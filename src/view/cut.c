/* cut.c: the executions of a profile within a time range, found in parallel by node. */
#include "view/cut.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "model/exec.h"

/* ids per work item */
enum { IDS_A_PIECE = 16384 };

/* ---- cutting */

/* Executions of a range of ids within the time range. */
struct piece {
    VEC(uint32_t) positions;
    /* indices of executions that were shortened: they are in `records`, not in the profile */
    VEC(uint32_t) cut;
    struct exec_pack records;
};

struct cutting {
    const struct profile *p;
    const struct cut *cut;
    struct cancel_mark cancel;
    struct piece *pieces;
    uint32_t *begin; /* by id + 1: number of its remaining records */
};

static int64_t ticks_up(int64_t ps, int64_t tick_ps)
{
    return ps / tick_ps + (ps % tick_ps != 0);
}

bool cut_window(const struct cut *c, int64_t step, uint32_t host, int64_t *from_ticks,
                int64_t *to_ticks)
{
    const struct profile *p = &c->profile;
    int64_t origin = origins_at(&c->origins, p, step, host);

    if (origin == INT64_MAX)
        return false;
    origin = clamp_sub(origin, origins_shift(&c->origins, p, step));
    *from_ticks = clamp_add(origin, ticks_up(c->range.from_ps, p->clock.tick_ps));
    *to_ticks = c->range.to_ps == TIME_RANGE_OPEN
                    ? INT64_MAX
                    : clamp_add(origin, ticks_up(c->range.to_ps, p->clock.tick_ps));
    return true;
}

static void cut_id(const struct cutting *c, struct piece *piece, uint32_t id,
                   struct exec_lists *scratch)
{
    const struct profile *p = c->p;
    const size_t before = piece->positions.n;
    int64_t from_ticks = 0, to_ticks = 0, step = 0;
    uint32_t host = 0;
    bool is_known = false, has_window = false;

    for (struct exec_walk walk = profile_execs(p, id); walk.at < walk.end; walk.at++) {
        const uint32_t position = p->exec_positions[walk.at];
        const struct packed_exec record = profile_record(p, position);
        const uint32_t of_host = host_clock_of_record(&c->cut->origins.hosts, record);
        enum exec_share share;

        if (!is_known || exec_step(record) != step || of_host != host) {
            is_known = true;
            step = exec_step(record);
            host = of_host;
            has_window = cut_window(c->cut, step, host, &from_ticks, &to_ticks);
        }
        share = has_window ? exec_share_in(record, from_ticks, to_ticks, scratch) : EXEC_OUTSIDE;
        if (share == EXEC_INSIDE) {
            vec_push(&piece->positions, position);
        } else if (share == EXEC_PARTLY) {
            vec_push(&piece->cut, (uint32_t)piece->positions.n);
            vec_push(&piece->positions, (uint32_t)(piece->records.bytes.n / EXEC_ALIGN));
            exec_pack_clip(&piece->records, record, from_ticks, to_ticks, scratch);
        }
    }
    c->begin[id + 1] = (uint32_t)(piece->positions.n - before);
}

static void cut_pieces(void *arg, size_t from, size_t to)
{
    const struct cutting *c = arg;
    const uint32_t n_ids = profile_n_ids(c->p);
    struct exec_lists scratch = {0};

    for (size_t at = from; at < to && !cancel_asked(c->cancel); at++) {
        const uint32_t end = (uint32_t)(at + 1) * IDS_A_PIECE;

        for (uint32_t id = (uint32_t)at * IDS_A_PIECE; id < end && id < n_ids; id++)
            cut_id(c, &c->pieces[at], id, &scratch);
    }
    exec_lists_done(&scratch);
}

/* Concatenates the pieces. */
static void join(struct profile *to, const struct cutting *c, size_t n_pieces)
{
    const uint32_t n_ids = profile_n_ids(to);
    struct exec_pack all = {.bits = {0}};
    size_t n = 0;

    for (size_t i = 0; i < n_pieces; i++)
        n += c->pieces[i].positions.n;
    vec_reserve(&all.layouts, to->n_exec_layouts);
    for (uint32_t i = 0; i < to->n_exec_layouts; i++)
        vec_push(&all.layouts, to->exec_layouts[i]);
    to->exec_positions = xreallocarray(NULL, n + 1, sizeof *to->exec_positions);
    n = 0;
    array_each(const struct piece, piece, c->pieces, n_pieces) {
        for (size_t k = 0; k < piece->positions.n; k++)
            to->exec_positions[n + k] = piece->positions.data[k];
        for (size_t k = 0; k < piece->cut.n; k++) {
            uint32_t *position = &to->exec_positions[n + piece->cut.data[k]];
            const size_t from = (size_t)*position * EXEC_ALIGN;
            const size_t end = k + 1 < piece->cut.n
                                   ? (size_t)piece->positions.data[piece->cut.data[k + 1]] * EXEC_ALIGN
                                   : piece->records.bytes.n;

            *position = (uint32_t)((to->exec_records_bytes + all.bytes.n) / EXEC_ALIGN);
            exec_pack_append(&all, &piece->records, from, end - from);
        }
        n += piece->positions.n;
    }
    exec_pack_end(&all);
    to->cut_records = all.bytes.data;
    to->exec_layouts = all.layouts.data;
    to->n_exec_layouts = (uint32_t)all.layouts.n;
    slots_done(&all.by_layout);
    for (uint32_t id = 0; id < n_ids; id++)
        c->begin[id + 1] += c->begin[id];
    to->exec_begin = c->begin;
    to->part_execs = xcalloc(to->n_parts, sizeof *to->part_execs);
    for (uint32_t i = 0; i < to->n_parts; i++)
        to->part_execs[i] = (struct exec_range){c->begin[to->n_nodes + i], c->begin[to->n_nodes + i + 1]};
}

static void cut_executions(struct profile *to, struct cutting *c, struct workers *workers)
{
    const size_t n_pieces = (profile_n_ids(to) + IDS_A_PIECE - 1) / IDS_A_PIECE;

    c->pieces = xcalloc(n_pieces, sizeof *c->pieces);
    c->begin = xcalloc((size_t)profile_n_ids(to) + 1, sizeof *c->begin);
    workers_run(workers, n_pieces, 1, cut_pieces, c);
    join(to, c, n_pieces);
    for (size_t i = 0; i < n_pieces; i++) {
        EACH(vec_done, &c->pieces[i].positions, &c->pieces[i].cut);
        exec_pack_done(&c->pieces[i].records);
    }
    free(c->pieces);
}

/* ---- objects */

static bool origins_are_of(const struct cut *c, int64_t step)
{
    const bool is_one = step >= 0 || step == STEP_OUTSIDE;

    return !steps_share_clock(&c->profile) || c->origins.step == (is_one ? step : STEP_ALL);
}

struct cut *cut_new(const struct profile *p, struct time_range range, int64_t step,
                    const struct cut *old, struct workers *workers, struct cancel_mark cancel)
{
    struct cut *c = xcalloc(1, sizeof *c);
    struct cutting cutting = {.p = p, .cut = c, .cancel = cancel};

    c->profile = *p;
    c->range = range;
    atomic_init(&c->refs, 1);
    if (old && origins_are_of(old, step))
        origins_copy(&c->origins, &old->origins);
    else
        origins_find(&c->origins, p, step, workers, cancel);
    cut_executions(&c->profile, &cutting, workers);
    if (!cancel_asked(cancel))
        return c;
    cut_unref(c);
    return NULL;
}

struct cut *cut_ref(struct cut *c)
{
    if (c)
        atomic_fetch_add(&c->refs, 1);
    return c;
}

void cut_unref(struct cut *c)
{
    if (!c || atomic_fetch_sub(&c->refs, 1) > 1)
        return;
    origins_done(&c->origins);
    EACH(free, c->profile.exec_begin, c->profile.part_execs, c->profile.exec_positions,
         c->profile.exec_layouts,
         (uint8_t *)(uintptr_t)c->profile.cut_records, c);
}

bool cut_matches(const struct cut *c, struct time_range range, int64_t step)
{
    return time_range_equal(c->range, range) && origins_are_of(c, step);
}
