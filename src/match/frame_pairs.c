/* frame_pairs.c: pairs frames of two profiles, from the outermost ones on. */
#include <stdlib.h>

#include "base/compare.h"
#include "base/hash.h"
#include "base/xalloc.h"
#include "match/frames.h"

/* A child of one of two paired frames. */
struct callee {
    uint64_t key; /* file and function */
    frame_id row;
    bool is_now;
};

typedef VEC(struct callee) callee_list;

/* Number of node pairs below both of two children. */
struct shared {
    frame_id base, now;
    uint32_t n;
};

typedef VEC(struct shared) shared_list;

struct frame_pairing {
    struct frames *base, *now;
    struct line_maps *maps;
    uint32_t *child_begin[2]; /* CSR by row: children, ascending */
    frame_id *children[2];
    shared_list shared;       /* by base row, then by now row */
};

static void list_children(const struct frames *f, uint32_t **begin, frame_id **children)
{
    const size_t n = f->rows.n;

    *begin = xcalloc(n + 2, sizeof **begin);
    *children = xcalloc(n + 1, sizeof **children);
    for (frame_id i = 1; i < n; i++)
        (*begin)[f->rows.data[i].parent + 2]++;
    for (size_t i = 1; i < n + 2; i++)
        (*begin)[i] += (*begin)[i - 1];
    for (frame_id i = 1; i < n; i++)
        (*children)[(*begin)[f->rows.data[i].parent + 1]++] = i;
}

/* ---- pairs of nodes below pairs of frames */

COMPARE_BY_TWO(by_rows, struct shared, base, now)

/* Sorts pairs of frames, and adds up equal ones. */
static void add_up(shared_list *list)
{
    vec_sort(list, by_rows);
    vec_merge(list, last, next, !by_rows(next, last), last->n += next->n);
}

static stack_id stack_of(const struct profile *p, node_id node)
{
    if (!p->n_parts || p->part_begin[node] == p->part_begin[node + 1])
        return p->stack[node];
    return p->part_begin[node] + 1 == p->part_begin[node + 1] ? p->stack[p->n_nodes + p->part_begin[node]]
                                                              : STACK_NONE;
}

/* Counts node pairs by innermost frames, then adds them to the callers, level by level while both
 * sides have one. */
static void count_shared(struct frame_pairing *c, const node_id *now_of)
{
    shared_list level = {0};

    for (node_id node = 0; node < c->base->p->n_nodes; node++) {
        frame_id a, b;

        if (now_of[node] == NODE_NONE)
            continue;
        a = c->base->row_of[profile_stack(c->base->p, stack_of(c->base->p, node))->leaf];
        b = c->now->row_of[profile_stack(c->now->p, stack_of(c->now->p, now_of[node]))->leaf];
        while (c->base->rows.data[a].depth > c->now->rows.data[b].depth)
            a = c->base->rows.data[a].parent;
        while (c->now->rows.data[b].depth > c->base->rows.data[a].depth)
            b = c->now->rows.data[b].parent;
        if (a != FRAME_ROOT)
            vec_push(&level, ((struct shared){a, b, 1}));
    }
    while (level.n) {
        size_t n = 0;

        add_up(&level);
        for (size_t i = 0; i < level.n; i++) {
            struct shared at = level.data[i];

            vec_push(&c->shared, at);
            at.base = c->base->rows.data[at.base].parent;
            at.now = c->now->rows.data[at.now].parent;
            if (at.base != FRAME_ROOT)
                level.data[n++] = at;
        }
        level.n = n;
    }
    vec_done(&level);
    add_up(&c->shared);
}

static uint32_t n_shared(const struct frame_pairing *c, frame_id base, frame_id now)
{
    const struct shared key = {base, now, 0};
    const struct shared *found =
        c->shared.n ? bsearch(&key, c->shared.data, c->shared.n, sizeof key, by_rows) : NULL;

    return found ? found->n : 0;
}

/* ---- one group: calls of one function in one file by one caller */

static void join(struct frame_pairing *c, frame_id base, frame_id now)
{
    c->base->rows.data[base].partner = now;
    c->now->rows.data[now].partner = base;
}

static bool both_free(const struct frame_pairing *c, frame_id base, frame_id now)
{
    return c->base->rows.data[base].partner == FRAME_NONE && c->now->rows.data[now].partner == FRAME_NONE;
}

COMPARE_CHAIN(by_count, struct shared, DOWN(n) || THEN(by_rows(a, b)))

/* Pairs children, those with the most shared node pairs first. */
static void join_shared(struct frame_pairing *c, const struct callee *base, size_t n_base,
                        const struct callee *now, size_t n_now)
{
    shared_list list = {0};

    for (size_t i = 0; i < n_base && c->shared.n; i++)
        for (size_t k = 0; k < n_now; k++) {
            const uint32_t n = n_shared(c, base[i].row, now[k].row);

            if (n)
                vec_push(&list, ((struct shared){base[i].row, now[k].row, n}));
        }
    vec_sort(&list, by_count);
    for (size_t i = 0; i < list.n; i++)
        if (both_free(c, list.data[i].base, list.data[i].now))
            join(c, list.data[i].base, list.data[i].now);
    vec_done(&list);
}

/* Pairs equal source lines in order, then lines that the file's line map pairs. */
static void join_lines(struct frame_pairing *c, const struct callee *base, size_t n_base,
                       const struct callee *now, size_t n_now)
{
    for (int by_map = 0; by_map < 2; by_map++)
        for (size_t i = 0; i < n_base; i++) {
            const struct frame_row *x = &c->base->rows.data[base[i].row];
            const int32_t line = by_map ? line_maps_line(c->maps, x) : -1;

            if ((!by_map && !intern_len(&c->base->p->strings, x->frame->text)) || (by_map && line < 0))
                continue;
            for (size_t k = 0; k < n_now; k++) {
                const struct frame_row *y = &c->now->rows.data[now[k].row];

                if (!both_free(c, base[i].row, now[k].row) ||
                    (by_map ? y->frame->lineno != line : y->text != x->text))
                    continue;
                join(c, base[i].row, now[k].row);
                break;
            }
        }
}

COMPARE_CHAIN(by_key, struct callee, UP(key) || UP(is_now) || UP(row))

static void join_group(struct frame_pairing *c, const struct callee *group, size_t n)
{
    size_t n_base = 0;

    while (n_base < n && !group[n_base].is_now)
        n_base++;
    if (n_base == 1 && n == 2) {
        join(c, group[0].row, group[1].row);
        return;
    }
    join_shared(c, group, n_base, group + n_base, n - n_base);
    join_lines(c, group, n_base, group + n_base, n - n_base);
}

static void add_callees(const struct frame_pairing *c, callee_list *list, frame_id row, bool is_now)
{
    const struct frames *f = is_now ? c->now : c->base;
    const uint32_t *begin = c->child_begin[is_now];

    for (uint32_t i = begin[row]; i < begin[row + 1]; i++) {
        const struct frame_row *at = &f->rows.data[c->children[is_now][i]];
        const uint64_t file = is_now ? line_maps_file(c->maps, at->file) : at->file;

        vec_push(list, ((struct callee){hash_pair(file, at->function), c->children[is_now][i], is_now}));
    }
}

void frames_pair(struct frames *base, struct frames *now, const node_id *now_of)
{
    struct frame_pairing c = {.base = base, .now = now};
    callee_list list = {0};

    c.maps = line_maps_new(base, now);
    list_children(base, &c.child_begin[0], &c.children[0]);
    list_children(now, &c.child_begin[1], &c.children[1]);
    count_shared(&c, now_of);
    for (frame_id row = 0; row < base->rows.n; row++) { /* callers have smaller ids */
        size_t from = 0;

        if (base->rows.data[row].partner == FRAME_NONE)
            continue;
        list.n = 0;
        add_callees(&c, &list, row, false);
        add_callees(&c, &list, base->rows.data[row].partner, true);
        vec_sort(&list, by_key);
        for (size_t i = 1; i <= list.n; i++)
            if (i == list.n || list.data[i].key != list.data[from].key) {
                join_group(&c, list.data + from, i - from);
                from = i;
            }
    }
    EACH(vec_done, &list, &c.shared);
    for (int side = 0; side < 2; side++)
        EACH(free, c.child_begin[side], c.children[side]);
    line_maps_free(c.maps);
}
