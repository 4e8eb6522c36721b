/* scope_parts.c: builds the scope view in parallel from parts of the sorted names.
 *
 * The scopes that a name opens follow from it and the previous name: one for each '/' after their
 * common prefix. The first pass finds them and counts rows. The scopes that are open at the start
 * of each part follow from the parts before it. The second pass writes the rows to their final
 * positions. Only a scope that spans several parts gets its end afterwards. */
#include "view/build/scope_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"

/* Small profiles are split as well, so that tests cover it. */
enum { PARTS = 32, PART_MIN = 16, PART_MAX = 32768, AHEAD = 16 };

/* A '/' that opens a scope. */
struct opening {
    uint32_t at;  /* the node whose name contains it */
    uint32_t len; /* length of the scope's name */
    bool is_node; /* the previous node is the scope */
};

struct open_scope {
    uint32_t len;
    row_id row;
};

typedef VEC(struct open_scope) scope_stack;

struct part {
    VEC(struct opening) openings;
    uint32_t n_rows, n_own;  /* number of rows, and of rows without a node */
    /* scopes open at the start that are at least this long are closed in the part */
    uint32_t least_common;
    /* opened in the part and still open at its end; rows are relative to the row before the part */
    scope_stack opened;
    scope_stack open;        /* open at the start of the part */
    scope_stack ends;        /* scopes of earlier parts that end here; `len` is the end */
    row_id first_row;
    uint32_t first_own;
};

struct scope_parts {
    const struct profile *profile;
    const struct text *names;
    uint32_t *common;
    struct tree *tree;
    struct cancel_mark cancel;
    uint32_t part_nodes;
    struct part *parts;
    uint32_t n_parts;
    _Atomic bool is_unordered;
};

/* Index after the last node of part K. */
static uint32_t part_end(const struct scope_parts *s, size_t k)
{
    const uint32_t n = s->profile->n_nodes, from = (uint32_t)k * s->part_nodes;

    return n - from < s->part_nodes ? n : from + s->part_nodes;
}

static void close_longer(scope_stack *open, uint32_t common)
{
    while (open->n && open->data[open->n - 1].len >= common)
        open->n--;
}

/* Records the scopes that name I opens. */
static void find_openings(struct scope_parts *s, struct part *part, uint32_t i)
{
    const struct text text = s->names[i];
    const uint32_t common = s->common[i];
    const char *slash = text.bytes + common;

    while ((slash = memchr(slash, '/', (size_t)(text.bytes + text.len - slash)))) {
        struct opening o = {i, (uint32_t)(slash - text.bytes), false};
        struct open_scope open = {o.len, part->n_rows}; /* n_rows: the previous row */

        if (i && o.len == common && s->names[i - 1].len > common)
            s->is_unordered = true;
        o.is_node = i && o.len == common && s->names[i - 1].len == common;
        if (!o.is_node) {
            part->n_own++;
            open.row = ++part->n_rows;
        }
        vec_push(&part->openings, o);
        vec_push(&part->opened, open);
        slash++;
    }
}

static void scan_parts(void *arg, size_t from, size_t to)
{
    struct scope_parts *s = arg;

    for (size_t k = from; k < to; k++) {
        struct part *part = &s->parts[k];
        const uint32_t end = part_end(s, k);

        if (cancel_asked(s->cancel))
            return;
        part->least_common = UINT32_MAX;
        for (uint32_t i = (uint32_t)k * s->part_nodes; i < end; i++) {
            tree_prefetch(s->names, i, end);
            s->common[i] = i ? text_common(s->names[i - 1], s->names[i]) : 0;
            KEEP_MIN(part->least_common, s->common[i]);
            close_longer(&part->opened, s->common[i]);
            find_openings(s, part, i);
            part->n_rows++;
        }
    }
}

static void copy_scopes(scope_stack *to, const scope_stack *from, row_id first_row)
{
    for (size_t i = 0; i < from->n; i++) {
        struct open_scope open = from->data[i];

        open.row += first_row;
        vec_push(to, open);
    }
}

/* Terminates the program if the number of rows exceeds 32 bits, as for lack of memory. */
static void check_rows(const struct scope_parts *s)
{
    uint64_t n_rows = 1;

    for (uint32_t k = 0; k < s->n_parts; k++)
        n_rows += (uint64_t)s->parts[k].openings.n + s->part_nodes;
    if (n_rows >= UINT32_MAX)
        xreallocarray(NULL, SIZE_MAX, 2);
}

/* Computes the first row of each part and the scopes open there; returns the number of rows. */
static uint32_t join_parts(struct scope_parts *s, uint32_t *n_own)
{
    scope_stack open = {0};
    uint32_t n_rows = 1;

    check_rows(s);

    *n_own = 1; /* the root */
    array_each(struct part, part, s->parts, s->n_parts) {
        part->first_row = n_rows;
        part->first_own = *n_own;
        copy_scopes(&part->open, &open, 0);
        close_longer(&open, part->least_common);
        copy_scopes(&open, &part->opened, n_rows - 1);
        n_rows += part->n_rows;
        *n_own += part->n_own;
    }
    vec_done(&open);
    return n_rows;
}

static void make_columns(struct tree *t, uint32_t n_rows, uint32_t n_own)
{
    const struct profile *p = t->profile;

    t->n_rows = n_rows;
    t->n_own = n_own;
    t->own = ARENA_NEW(&t->arena, struct text, n_own);
    t->parent = ARENA_NEW(&t->arena, row_id, n_rows);
    t->name = ARENA_NEW(&t->arena, strid, n_rows);
    t->end = ARENA_NEW(&t->arena, row_id, n_rows);
    t->depth = ARENA_NEW(&t->arena, uint32_t, n_rows);
    t->member_begin = ARENA_NEW(&t->arena, uint32_t, (size_t)n_rows + 1);
    t->is_name = arena_calloc(&t->arena, (size_t)t->n_base + n_own, sizeof *t->is_name);
    memset(t->is_name + t->n_base, 1, n_own);
    t->members = p->by_name;
    t->member_begin[n_rows] = p->n_nodes;
    t->own[0] = (struct text){ROOT_NAME, sizeof ROOT_NAME - 1};
    t->name[0] = t->n_base;
    t->parent[0] = ROW_NONE;
    t->end[0] = n_rows;
    t->depth[0] = 0;
    t->member_begin[0] = 0;
}

/* Closes scopes outside of a name that shares COMMON bytes with its predecessor; ROW is next. */
static void end_scopes(struct tree *t, struct part *part, uint32_t common, row_id row)
{
    scope_stack *open = &part->open;

    while (open->n && open->data[open->n - 1].len >= common) {
        struct open_scope ended = open->data[--open->n];

        if (ended.row >= part->first_row) {
            t->end[ended.row] = row;
        } else { /* other threads may write the same byte */
            ended.len = row;
            vec_push(&part->ends, ended);
        }
    }
}

static void put_row(struct tree *t, const scope_stack *open, row_id row, uint32_t position, strid name)
{
    t->parent[row] = open->n ? open->data[open->n - 1].row : 0;
    t->depth[row] = (uint32_t)open->n + 1;
    t->name[row] = name;
    t->member_begin[row] = position;
    t->end[row] = row + 1;
}

/* Writes the rows of the nodes of part K and of the scopes they open. */
static void put_part(const struct scope_parts *s, size_t k)
{
    const struct profile *p = s->profile;
    struct part *part = &s->parts[k];
    struct tree *t = s->tree;
    const struct opening *o = part->openings.data, *last = o + part->openings.n;
    const uint32_t end = part_end(s, k);
    row_id row = part->first_row;
    uint32_t own = part->first_own;

    for (uint32_t i = (uint32_t)k * s->part_nodes; i < end; i++) {
        const node_id node = p->by_name[i];

        if (i + AHEAD < end) {
            __builtin_prefetch(&p->name[p->by_name[i + AHEAD]]);
            __builtin_prefetch(&t->row_of_node[p->by_name[i + AHEAD]], 1);
        }
        end_scopes(t, part, s->common[i], row);
        for (; o < last && o->at == i; o++) {
            struct open_scope open = {o->len, row - 1};

            if (!o->is_node) {
                open.row = row;
                t->own[own] = (struct text){s->names[i].bytes, o->len};
                put_row(t, &part->open, row++, i, t->n_base + own++);
            }
            vec_push(&part->open, open);
        }
        t->row_of_node[node] = row;
        __atomic_store_n(&t->is_name[p->name[node]], 1, __ATOMIC_RELAXED); /* of equal names any */
        put_row(t, &part->open, row++, i, p->name[node]);
    }
}

static void put_parts(void *arg, size_t from, size_t to)
{
    const struct scope_parts *s = arg;

    for (size_t k = from; k < to && !cancel_asked(s->cancel); k++)
        put_part(s, k);
}

/* Sets the ends of scopes that span several parts. */
static void end_across_seams(const struct scope_parts *s)
{
    struct tree *t = s->tree;

    for (uint32_t k = 0; k < s->n_parts; k++) {
        const scope_stack *ends = &s->parts[k].ends;

        for (size_t i = 0; i < ends->n; i++)
            t->end[ends->data[i].row] = ends->data[i].len;
    }
    if (s->n_parts) {
        const scope_stack *open = &s->parts[s->n_parts - 1].open;

        for (size_t i = 0; i < open->n; i++)
            t->end[open->data[i].row] = t->n_rows;
    }
}

static void free_parts(struct scope_parts *s)
{
    for (uint32_t k = 0; k < s->n_parts; k++) {
        EACH(vec_done, &s->parts[k].openings, &s->parts[k].opened, &s->parts[k].open,
             &s->parts[k].ends);
    }
    free(s->parts);
}

static uint32_t nodes_per_part(uint32_t n_nodes)
{
    const uint32_t n = n_nodes / PARTS + 1;

    return n < PART_MIN ? PART_MIN : n > PART_MAX ? PART_MAX : n;
}

bool scope_parts_build(struct tree *t, const struct tree_request *request, const struct text *names,
                       uint32_t *common)
{
    const uint32_t n_nodes = request->profile->n_nodes, part_nodes = nodes_per_part(n_nodes);
    struct scope_parts s = {.profile = request->profile, .names = names, .common = common,
                            .tree = t, .cancel = request->cancel, .part_nodes = part_nodes,
                            .n_parts = n_nodes / part_nodes + (n_nodes % part_nodes != 0)};
    uint32_t n_rows, n_own;
    bool is_ordered;

    s.parts = xcalloc((size_t)s.n_parts + 1, sizeof *s.parts);
    workers_run(request->workers, s.n_parts, 1, scan_parts, &s);
    is_ordered = !s.is_unordered;
    if (is_ordered && !cancel_asked(s.cancel)) {
        n_rows = join_parts(&s, &n_own);
        make_columns(t, n_rows, n_own);
        workers_run(request->workers, s.n_parts, 1, put_parts, &s);
        if (!cancel_asked(s.cancel))
            end_across_seams(&s);
    }
    free_parts(&s);
    return is_ordered;
}
