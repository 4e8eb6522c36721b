/* tree.c: functions shared by all tree builders. */
#include "view/build/tree.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

struct tree *tree_new(const struct profile *p)
{
    struct tree *t = xcalloc(1, sizeof *t);

    t->profile = p;
    t->n_base = (strid)p->strings.n;
    intern_init(&t->store);
    atomic_init(&t->refs, 1);
    return t;
}

struct tree *tree_ref(struct tree *t)
{
    atomic_fetch_add(&t->refs, 1);
    return t;
}

void tree_unref(struct tree *t)
{
    if (!t || atomic_fetch_sub(&t->refs, 1) != 1)
        return;
    tree_unref(t->under);
    arena_done(&t->arena);
    intern_done(&t->store);
    notes_done(&t->notes);
    free(t);
}

struct naming {
    const struct profile *profile;
    struct text *names;
};

static void name_nodes(void *arg, size_t from, size_t to)
{
    enum { AHEAD = 16 };
    const struct naming *n = arg;
    const struct profile *p = n->profile;

    for (size_t i = from; i < to; i++) {
        const struct intern_entry *e = &p->strings.entries[p->name[p->by_name[i]]];

        if (i + AHEAD < to)
            __builtin_prefetch(&p->strings.entries[p->name[p->by_name[i + AHEAD]]]);
        n->names[i] = (struct text){e->bytes, e->len};
    }
}

struct text *tree_sorted_names(const struct profile *p, struct workers *workers)
{
    enum { NAMES_A_CHUNK = 16384 };
    struct naming n = {p, xalloc_huge(p->n_nodes, sizeof *n.names)};

    workers_run(workers, p->n_nodes, NAMES_A_CHUNK, name_nodes, &n);
    return n.names;
}

void tree_mark_names(struct tree *t)
{
    t->is_name = arena_calloc(&t->arena, (size_t)t->n_base + t->n_own, sizeof *t->is_name);
    for (row_id row = 0; row < t->n_rows; row++)
        t->is_name[t->name[row]] = 1;
}

uint32_t tree_chunk_ancestors(const struct tree *t, uint32_t chunk, uint32_t max, row_id *rows)
{
    uint32_t n = 0;

    for (uint64_t first = chunk; first < t->n_rows; first += chunk) {
        uint32_t begin = n, end;

        /* Walks up from the row before the chunk; rows further up are also above the first row. */
        for (row_id row = (row_id)first; row > first - chunk; row = t->parent[row]) {
            if (n == max)
                return max + 1;
            rows[n++] = row;
        }
        for (end = n; begin + 1 < end; begin++) {
            const row_id row = rows[--end];

            rows[end] = rows[begin];
            rows[begin] = row;
        }
    }
    return n;
}

row_id tree_find(const struct tree *t, const char *name, size_t len)
{
    const struct text wanted = {name, (uint32_t)len};

    for (row_id row = 1; row < t->n_rows; row++)
        if (text_equals(tree_text(t, row), wanted))
            return row;
    return ROW_NONE;
}

/* Numbers the draft rows in pre-order along their child lists. */
static void number_rows(struct tree *t, const struct tree_draft *d, const row_id *first,
                        const row_id *next, row_id *number)
{
    row_id row = 0;
    row_id count = 0;

    for (;;) {
        row_id at = count++;

        number[row] = at;
        t->parent[at] = row ? number[d->parent[row]] : ROW_NONE;
        t->depth[at] = row ? t->depth[t->parent[at]] + 1 : 0;
        t->name[at] = d->name[row];
        if (first[row] != ROW_NONE) {
            row = first[row];
            continue;
        }
        while (row && next[row] == ROW_NONE) {
            t->end[number[row]] = count;
            row = d->parent[row];
        }
        t->end[number[row]] = count;
        if (!row)
            return;
        row = next[row];
    }
}

static row_id *sort_rows(struct tree *t, const struct tree_draft *d)
{
    row_id *number = xalloc_huge(d->n, sizeof *number);
    row_id *first = xalloc_huge(d->n, sizeof *first);
    row_id *next = xalloc_huge(d->n, sizeof *next);

    t->parent = ARENA_NEW(&t->arena, row_id, d->n);
    t->name = ARENA_NEW(&t->arena, strid, d->n);
    memset(first, 0xff, d->n * sizeof *first);
    for (uint32_t i = d->n - 1; i-- > 0;) {
        row_id row = d->siblings[i];

        next[row] = first[d->parent[row]];
        first[d->parent[row]] = row;
    }
    number_rows(t, d, first, next, number);
    EACH(free, first, next);
    return number;
}

row_id *tree_number(struct tree *t, const struct tree_draft *d)
{
    t->n_rows = d->n;
    t->end = ARENA_NEW(&t->arena, row_id, d->n);
    t->depth = ARENA_NEW(&t->arena, uint32_t, d->n);
    return sort_rows(t, d);
}

/* Calls ADD for every member in name order: for a node with parts, its parts. */
static void each_member(struct tree *t, const row_id *row_of_id,
                        void (*add)(struct tree *t, row_id row, node_id id, void *to), void *to)
{
    const struct profile *p = t->profile;

    for (uint32_t i = 0; i < p->n_nodes; i++) {
        const node_id node = p->by_name[i];
        const bool has_parts =
            row_of_id != t->row_of_node && p->part_begin[node] < p->part_begin[node + 1];
        const node_id from = has_parts ? p->n_nodes + p->part_begin[node] : node;
        const node_id end = has_parts ? p->n_nodes + p->part_begin[node + 1] : node + 1;

        for (node_id id = from; id < end; id++)
            if (row_of_id[id] != ROW_NONE)
                add(t, row_of_id[id], id, to);
    }
}

static void count_member(struct tree *t, row_id row, node_id id UNUSED, void *n)
{
    t->member_begin[row]++;
    ++*(uint32_t *)n;
}

/* member_begin serves as write cursor and is shifted back afterwards. */
static void put_member(struct tree *t, row_id row, node_id id, void *members)
{
    ((node_id *)members)[t->member_begin[row]++] = id;
}

static void fill_members(struct tree *t, const row_id *row_of_id)
{
    node_id *members;
    uint32_t n_members = 0, n = 0;

    t->member_begin = arena_calloc(&t->arena, (size_t)t->n_rows + 1, sizeof *t->member_begin);
    each_member(t, row_of_id, count_member, &n_members);
    for (row_id row = 0; row <= t->n_rows; row++) {
        uint32_t count = row < t->n_rows ? t->member_begin[row] : 0;

        t->member_begin[row] = n;
        n += count;
    }
    members = ARENA_NEW(&t->arena, node_id, n_members);
    t->members = members;
    each_member(t, row_of_id, put_member, members);
    for (row_id row = t->n_rows; row > 0; row--)
        t->member_begin[row] = t->member_begin[row - 1];
    t->member_begin[0] = 0;
}

void tree_fill_members(struct tree *t)
{
    fill_members(t, t->row_of_node);
}

void tree_fill_part_members(struct tree *t, const row_id *row_of_id)
{
    const struct profile *p = t->profile;

    for (node_id node = 0; node < p->n_nodes; node++) {
        const uint32_t part = p->part_begin[node];

        t->row_of_node[node] = row_of_id[part < p->part_begin[node + 1] ? p->n_nodes + part : node];
    }
    fill_members(t, row_of_id);
}
