/* repeats.c: finds sibling subtrees of equal structure, and adds a row for each such set. */
#include "view/build/repeats.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"

/* Slot of a hash table of rows. */
struct slot {
    uint32_t hash;
    row_id row; /* ROW_NONE: free */
};

struct folding {
    struct tree *t;
    enum view_id view;
    struct slot *slots; /* open addressing, at least twice the rows */
    size_t n_slots;
    /* [n_rows] hash of the name without the parts in which repeated layers differ */
    uint32_t *name_hash;
    /* [n_rows] first row with an equal subtree below it; equal structures have equal values */
    row_id *shape;
    int32_t *n_of_type;  /* [strings.n] scratch array, all zero between uses */
    /* [n_rows] first of the repeated layers that the row belongs to, maybe the row itself */
    row_id *first;
    uint32_t *n_repeats;   /* [n_rows] number of repeated layers with this first row */
    uint32_t n_sets;     /* number of sets with at least two layers */
    struct strbuf key, other; /* scratch buffers */
};

static void slots_clear(struct folding *f)
{
    memset(f->slots, 0xff, f->n_slots * sizeof *f->slots);
}

/* Node names in the graph view contain the numbers of their layer and tower, so they are compared
 * without numbers. */
static struct text compared_name(struct folding *f, row_id row, struct strbuf *scratch)
{
    const struct text name = repeats_relative_name(f->t, f->view, row);

    if (f->view != VIEW_GRAPH)
        return name;
    repeats_key(scratch, f->view, name);
    return (struct text){sb_text(scratch), (uint32_t)scratch->len};
}

/* ---- shapes */

static uint64_t hash_types(const struct folding *f, row_id row)
{
    const struct tree *t = f->t;
    uint64_t hash = 0;

    /* A sum is independent of the order of the members. */
    for (uint32_t i = t->member_begin[row]; i < t->member_begin[row + 1]; i++)
        hash += hash_pair(t->profile->op[t->members[i]], 1);
    return hash;
}

static uint64_t hash_shape(const struct folding *f, row_id row)
{
    uint64_t hash = hash_types(f, row);

    for (row_id child = row + 1; child < f->t->end[row]; child = f->t->end[child])
        hash = hash_pair(hash, hash_pair(f->name_hash[child], f->shape[child]));
    return hash;
}

static bool same_types(struct folding *f, row_id a, row_id b)
{
    const struct tree *t = f->t;
    const strid *op = t->profile->op;
    const uint32_t n = t->member_begin[a + 1] - t->member_begin[a];
    bool same = n == t->member_begin[b + 1] - t->member_begin[b];

    if (!same || n == 0)
        return same;
    for (uint32_t i = 0; i < n; i++) {
        f->n_of_type[op[t->members[t->member_begin[a] + i]]]++;
        f->n_of_type[op[t->members[t->member_begin[b] + i]]]--;
    }
    for (uint32_t i = 0; i < n; i++) {
        same = same && f->n_of_type[op[t->members[t->member_begin[a] + i]]] == 0;
        f->n_of_type[op[t->members[t->member_begin[a] + i]]] = 0;
        f->n_of_type[op[t->members[t->member_begin[b] + i]]] = 0;
    }
    return same;
}

/* Compares the shape numbers of the children, which cover all rows further below. */
static bool same_shape(struct folding *f, row_id a, row_id b)
{
    const struct tree *t = f->t;
    row_id x = a + 1, y = b + 1;

    while (x < t->end[a] && y < t->end[b] && f->shape[x] == f->shape[y] &&
           f->name_hash[x] == f->name_hash[y] &&
           text_equals(compared_name(f, x, &f->key), compared_name(f, y, &f->other))) {
        x = t->end[x];
        y = t->end[y];
    }
    return x == t->end[a] && y == t->end[b] && same_types(f, a, b);
}

/* The slot of the first row with this HASH that IS_SAME as ROW, or a free slot. */
static struct slot *find(struct folding *f, row_id row, uint64_t hash,
                         bool (*is_same)(struct folding *f, row_id a, row_id b))
{
    size_t at = hash & (f->n_slots - 1);

    while (f->slots[at].row != ROW_NONE &&
           !(f->slots[at].hash == hash >> 32 && is_same(f, f->slots[at].row, row)))
        at = (at + 1) & (f->n_slots - 1);
    return &f->slots[at];
}

static row_id find_or_put(struct folding *f, row_id row, uint64_t hash,
                          bool (*is_same)(struct folding *f, row_id a, row_id b))
{
    struct slot *slot = find(f, row, hash, is_same);

    if (slot->row == ROW_NONE)
        *slot = (struct slot){(uint32_t)(hash >> 32), row};
    return slot->row;
}

enum { ROWS_UNASKED = 4096 }; /* rows between two checks for cancellation */

/* Computes shapes from the last row to the first, so that children come before their parents. */
static bool find_shapes(struct folding *f, struct cancel_mark cancel)
{
    slots_clear(f);
    for (row_id row = f->t->n_rows; row-- > 1;) {
        const struct text name = compared_name(f, row, &f->key);

        if (row % ROWS_UNASKED == 0 && cancel_asked(cancel))
            return false;
        f->name_hash[row] = intern_hash(name.bytes, name.len);
        f->shape[row] = find_or_put(f, row, hash_shape(f, row), same_shape);
    }
    return true;
}

/* ---- repeated layers */

static bool are_repeats(struct folding *f, row_id a, row_id b)
{
    if (f->t->parent[a] != f->t->parent[b] || f->shape[a] != f->shape[b])
        return false;
    repeats_key(&f->key, f->view, repeats_relative_name(f->t, f->view, a));
    repeats_key(&f->other, f->view, repeats_relative_name(f->t, f->view, b));
    return f->key.len == f->other.len &&
           memcmp(sb_text(&f->key), sb_text(&f->other), f->key.len) == 0;
}

static bool find_repeats(struct folding *f, struct cancel_mark cancel)
{
    slots_clear(f);
    for (row_id row = 1; row < f->t->n_rows; row++) {
        uint64_t hash = hash_pair(f->t->parent[row], f->shape[row]);
        row_id first;

        if (row % ROWS_UNASKED == 0 && cancel_asked(cancel))
            return false;
        repeats_key(&f->key, f->view, repeats_relative_name(f->t, f->view, row));
        hash = hash_pair(hash, hash_bytes(sb_text(&f->key), f->key.len));
        f->first[row] = first = find_or_put(f, row, hash, are_repeats);
        f->n_sets += f->n_repeats[first]++ == 1;
    }
    return true;
}

/* ---- the tree */

/* Appends a row for each set after all other rows, as a sibling before its first repeated layer. */
static row_id *number_rows(struct folding *f, struct tree *to)
{
    const struct tree *t = f->t;
    const uint32_t n = t->n_rows + f->n_sets;
    row_id *parent = xalloc_huge(n, sizeof *parent), *siblings = xalloc_huge(n, sizeof *siblings);
    strid *name = xalloc_huge(n, sizeof *name);
    struct tree_draft draft = {n, parent, name, siblings};
    row_id *number, set = t->n_rows;
    uint32_t at = 0;

    parent[0] = 0;
    memcpy(name, t->name, t->n_rows * sizeof *name);
    for (row_id row = 1; row < t->n_rows; row++) {
        const row_id first = f->first[row];

        parent[row] = t->parent[row];
        if (f->n_repeats[first] > 1) {
            if (first == row) {
                siblings[at++] = set;
                parent[set] = t->parent[row];
                name[set] = t->n_base + t->n_own + (set - t->n_rows);
                /* the shape is no longer needed: the slot holds the row of the set */
                f->shape[first] = set++;
            }
            parent[row] = f->shape[first];
        }
        siblings[at++] = row;
    }
    number = tree_number(to, &draft);
    EACH(free, parent, siblings, name);
    return number;
}

/* Reorders data of rows to the new numbers; a set is placed before its first repeated layer. */
static void move_rows(const struct folding *f, struct tree *to, const row_id *number)
{
    const struct tree *t = f->t;
    uint32_t *begin = arena_calloc(&to->arena, (size_t)to->n_rows + 1, sizeof *begin);
    node_id *members = ARENA_NEW(&to->arena, node_id, t->member_begin[t->n_rows]);

    to->rank = ARENA_NEW(&to->arena, uint32_t, to->n_rows);
    to->under_row = ARENA_NEW(&to->arena, row_id, to->n_rows);
    to->n_repeats = arena_calloc(&to->arena, to->n_rows, sizeof *to->n_repeats);
    if (t->frame)
        to->frame = ARENA_NEW(&to->arena, const struct frame *, to->n_rows);
    if (t->frame)
        to->n_folded = arena_calloc(&to->arena, to->n_rows, sizeof *to->n_folded);
    if (t->is_gradient)
        to->is_gradient = arena_calloc(&to->arena, to->n_rows, sizeof *to->is_gradient);
    for (row_id row = 0; row < t->n_rows; row++) {
        const bool leads = row && f->first[row] == row && f->n_repeats[row] > 1;
        const row_id at = number[row];

        for (row_id i = leads ? at - 1 : at; i <= at; i++) {
            to->rank[i] = tree_rank(t, row);
            to->under_row[i] = row;
            if (t->frame)
                to->frame[i] = t->frame[row];
            if (t->is_gradient)
                to->is_gradient[i] = t->is_gradient[row];
        }
        if (leads)
            to->n_repeats[at - 1] = f->n_repeats[row];
        if (t->n_folded)
            to->n_folded[at] = t->n_folded[row];
        begin[at + 1] = t->member_begin[row + 1] - t->member_begin[row];
    }
    for (row_id row = 0; row < to->n_rows; row++)
        begin[row + 1] += begin[row];
    for (row_id row = 0; row < t->n_rows; row++)
        memcpy(members + begin[number[row]], t->members + t->member_begin[row],
               (t->member_begin[row + 1] - t->member_begin[row]) * sizeof *members);
    to->member_begin = begin;
    to->members = members;
}

static void move_nodes(const struct tree *t, struct tree *to, const row_id *number)
{
    const uint32_t n = t->profile->n_nodes;

    to->row_of_node = ARENA_NEW(&to->arena, row_id, n);
    for (node_id node = 0; node < n; node++)
        to->row_of_node[node] =
            t->row_of_node[node] == ROW_NONE ? ROW_NONE : number[t->row_of_node[node]];
}

static void name_sets(const struct folding *f, struct tree *to)
{
    VEC(row_id) rows = {0};
    struct strbuf name = {0};

    to->n_own = f->t->n_own + f->n_sets;
    to->own = ARENA_NEW(&to->arena, struct text, to->n_own);
    if (f->t->n_own)
        memcpy(to->own, f->t->own, f->t->n_own * sizeof *to->own);
    for (row_id set = 1; set < to->n_rows; set++) {
        if (!to->n_repeats[set])
            continue;
        rows.n = 0;
        sb_clear(&name);
        for (row_id row = set + 1; row < to->end[set]; row = to->end[row])
            vec_push(&rows, row);
        repeats_name(&name, to, rows.data, (uint32_t)rows.n);
        to->own[to->name[set] - to->n_base] = (struct text){
            arena_memdupz(&to->arena, sb_text(&name), name.len), (uint32_t)name.len};
    }
    sb_done(&name);
    vec_done(&rows);
}

static struct tree *make_tree(struct folding *f)
{
    struct tree *to;
    row_id *number;

    if (!f->n_sets)
        return tree_ref(f->t);
    to = tree_new(f->t->profile);
    to->under = tree_ref(f->t);
    to->row_of_under = number = number_rows(f, to);
    to->outside = number[f->t->outside];
    arena_adopt(&to->arena, number, f->t->n_rows * sizeof *number);
    move_rows(f, to, number);
    move_nodes(f->t, to, number);
    name_sets(f, to);
    tree_mark_names(to);
    notes_add_all(&to->notes, &f->t->notes, "");
    return to;
}

static const struct tree *without_repeats(const struct tree *t)
{
    return t->under ? t->under : t;
}

bool repeats_share_tree(const struct tree *from, const struct tree *to)
{
    return without_repeats(from) == without_repeats(to);
}

row_id repeats_row(const struct tree *from, row_id row, const struct tree *to)
{
    const row_id under = from->under ? from->under_row[row] : row;
    const row_id there = to->under ? to->row_of_under[under] : under;

    return tree_n_repeats(from, row) && tree_n_repeats(to, to->parent[there]) ? to->parent[there]
                                                                          : there;
}

struct tree *repeats_fold(struct tree *built, enum view_id view, struct cancel_mark cancel,
                        struct err *err)
{
    const uint32_t n = built->n_rows;
    struct folding f = {.t = built, .view = view, .n_slots = 16};
    struct tree *to = NULL;

    while (f.n_slots < 2 * (size_t)n)
        f.n_slots *= 2;
    f.slots = xalloc_huge(f.n_slots, sizeof *f.slots);
    f.name_hash = xalloc_huge(n, sizeof *f.name_hash);
    f.shape = xalloc_huge(n, sizeof *f.shape);
    f.first = xalloc_huge(n, sizeof *f.first);
    f.n_repeats = xcalloc(n, sizeof *f.n_repeats);
    f.n_of_type = xcalloc(built->profile->strings.n, sizeof *f.n_of_type);
    if (find_shapes(&f, cancel) &&
        (view != VIEW_SCOPE || !repeats_have_modules(built) ||
         repeats_modules(built, f.shape, cancel)) &&
        find_repeats(&f, cancel))
        to = make_tree(&f);
    else
        err_set(err, ERR_CANCELLED, "cancelled");
    EACH(free, f.slots, f.name_hash, f.shape, f.first, f.n_repeats, f.n_of_type);
    EACH(sb_done, &f.key, &f.other);
    return to;
}
