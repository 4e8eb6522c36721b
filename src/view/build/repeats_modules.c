/* repeats_modules.c: repeated modules in traces of PyTorch.
 *
 * Modules of a class are numbered through the whole model, so "Linear_56" of one layer
 * corresponds to "Linear_84" of another. Within the subtree of a module, each number is replaced
 * by its rank among the numbers of its class. Subtrees are equal if they have the same set of
 * such paths. */

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "view/build/childmap.h"
#include "view/build/repeats.h"

#define MODULE_TYPE "nn.Module: "

enum { NO_CLASS = 0, MAX_DIGITS = 18, ROWS_UNASKED = 4096 };

/* A row of the tree. */
struct module_row {
    strid name;      /* last component of its path; for a module its class */
    bool is_module;  /* with a number */
    uint64_t number;
    /* Within the current subtree: */
    uint32_t label; /* of the name, with the rank of a module */
    uint32_t path;  /* of labels, below the root of the subtree */
    uint64_t hash;  /* hash of that path */
};

struct sibling {
    strid class;
    uint32_t n_rows; /* below it */
    uint64_t hash;   /* hash of the set of paths below it */
    row_id row;
};

struct modules {
    const struct tree *t;
    struct module_row *rows;
    struct intern names, labels;
    VEC(row_id) numbered; /* modules of the current subtree */
    VEC(struct sibling) siblings;
    struct childmap paths;
};

/* ---- names */

static bool is_module(const struct tree *t, row_id row)
{
    static const size_t n = sizeof MODULE_TYPE - 1;
    const node_id node = tree_node(t, row);
    struct text op;

    if (node == NODE_NONE)
        return false;
    op = intern_string(&t->profile->strings, t->profile->op[node]);
    return op.len > n && memcmp(op.bytes, MODULE_TYPE, n) == 0;
}

bool repeats_have_modules(const struct tree *t)
{
    for (row_id row = 1; row < t->n_rows && t->profile->n_recorders; row++)
        if (is_module(t, row))
            return true;
    return false;
}

/* Splits "Linear_56" into name and number; false if it has no such number. */
static bool split_number(struct text *name, uint64_t *number)
{
    uint32_t n = name->len;

    while (n && name->bytes[n - 1] >= '0' && name->bytes[n - 1] <= '9')
        n--;
    if (n == name->len || name->len - n > MAX_DIGITS || n < 2 || name->bytes[n - 1] != '_')
        return false;
    *number = 0;
    for (uint32_t i = n; i < name->len; i++)
        *number = *number * 10 + (uint64_t)(name->bytes[i] - '0');
    name->len = n - 1;
    return true;
}

static bool name_rows(struct modules *m, struct cancel_mark cancel)
{
    for (row_id row = 1; row < m->t->n_rows; row++) {
        struct module_row *r = &m->rows[row];
        struct text name = repeats_relative_name(m->t, VIEW_SCOPE, row);

        if (row % ROWS_UNASKED == 0 && cancel_asked(cancel))
            return false;
        r->is_module = is_module(m->t, row) && split_number(&name, &r->number);
        r->name = intern_put(&m->names, name.bytes, name.len);
    }
    return true;
}

/* ---- subtrees */

COMPARE_WITH(by_class_and_number, row_id, struct module_row,
             THEN(COMPARE(with[*a].name, with[*b].name)) || THEN(COMPARE(with[*a].number, with[*b].number)))

static void label_row(struct modules *m, row_id row, uint32_t rank)
{
    const uint32_t key[2] = {m->rows[row].name, rank};

    m->rows[row].label = intern_put(&m->labels, key, sizeof key);
}

static void label_subtree(struct modules *m, row_id root)
{
    uint32_t rank = 0;

    m->numbered.n = 0;
    for (row_id row = root + 1; row < m->t->end[root]; row++)
        if (m->rows[row].is_module)
            vec_push(&m->numbered, row);
        else
            label_row(m, row, UINT32_MAX);
    vec_sort_arg(&m->numbered, by_class_and_number, m->rows);
    for (size_t i = 0; i < m->numbered.n; i++) {
        const struct module_row *r = &m->rows[m->numbered.data[i]];
        const struct module_row *before = i ? &m->rows[m->numbered.data[i - 1]] : NULL;

        if (!before || before->name != r->name)
            rank = 0;
        else
            rank += before->number != r->number;
        label_row(m, m->numbered.data[i], rank);
    }
}

/* Sums the hashes of the paths, independent of their order. */
static uint64_t hash_subtree(struct modules *m, row_id root)
{
    uint64_t sum = 0;

    m->rows[root].hash = 0;
    for (row_id row = root + 1; row < m->t->end[root]; row++) {
        struct module_row *r = &m->rows[row];

        r->hash = hash_pair(m->rows[m->t->parent[row]].hash, r->label);
        sum += r->hash;
    }
    return sum;
}

/* Adds the paths below ROOT to m->paths. Returns the number of new paths. */
static uint32_t number_paths(struct modules *m, row_id root)
{
    uint32_t n_new = 0;

    m->rows[root].path = 0;
    for (row_id row = root + 1; row < m->t->end[root]; row++) {
        struct module_row *r = &m->rows[row];
        row_id *path = childmap_at(&m->paths, m->rows[m->t->parent[row]].path, r->label);

        if (!*path) {
            *path = (row_id)m->paths.n;
            n_new++;
        }
        r->path = *path;
    }
    return n_new;
}

/* True if labelled siblings have the same paths; equal hashes do not suffice. */
static bool are_equal(struct modules *m, const struct sibling *a, const struct sibling *b)
{
    bool equal;

    if (a->class != b->class || a->n_rows != b->n_rows || a->hash != b->hash)
        return false;
    number_paths(m, a->row);
    equal = number_paths(m, b->row) == 0;
    childmap_done(&m->paths);
    return equal;
}

/* ---- siblings */

COMPARE_CHAIN(by_class_and_hash, struct sibling, UP(class) || UP(n_rows) || UP(hash) || UP(row))

/* Collects the modules directly below PARENT, by class and row. */
static void collect_siblings(struct modules *m, row_id parent)
{
    const struct tree *t = m->t;

    m->siblings.n = 0;
    for (row_id row = parent + 1; row < t->end[parent]; row = t->end[row])
        if (m->rows[row].is_module)
            vec_push(&m->siblings, ((struct sibling){.class = m->rows[row].name,
                                                     .n_rows = t->end[row] - row - 1, .row = row}));
    vec_sort(&m->siblings, by_class_and_hash);
}

/* Labels and hashes siblings whose class occurs more than once. */
static void hash_siblings(struct modules *m)
{
    struct sibling *all = m->siblings.data;

    for (size_t i = 0; i < m->siblings.n; i++) {
        if ((!i || all[i - 1].class != all[i].class) &&
            (i + 1 == m->siblings.n || all[i + 1].class != all[i].class))
            continue;
        label_subtree(m, all[i].row);
        all[i].hash = hash_subtree(m, all[i].row);
    }
}

static void fold_siblings(struct modules *m, row_id parent, row_id *shape)
{
    size_t first = 0;

    collect_siblings(m, parent);
    hash_siblings(m);
    vec_sort(&m->siblings, by_class_and_hash);
    for (size_t i = 0; i < m->siblings.n; i++) {
        if (!i || !are_equal(m, &m->siblings.data[first], &m->siblings.data[i]))
            first = i;
        shape[m->siblings.data[i].row] = m->siblings.data[first].row;
    }
}

static struct modules modules_new(const struct tree *t)
{
    struct modules m = {.t = t, .rows = xcalloc(t->n_rows, sizeof *m.rows)};

    EACH(intern_init, &m.names, &m.labels);
    return m;
}

static void modules_free(struct modules *m)
{
    free(m->rows);
    EACH(intern_done, &m->names, &m->labels);
    EACH(vec_done, &m->numbered, &m->siblings);
    childmap_done(&m->paths);
}

bool repeats_modules(const struct tree *t, row_id *shape, struct cancel_mark cancel)
{
    struct modules m = modules_new(t);
    bool ok = name_rows(&m, cancel);

    for (row_id row = 0; row < t->n_rows && ok; row++) {
        ok = row % ROWS_UNASKED || !cancel_asked(cancel);
        if (t->end[row] > row + 1)
            fold_siblings(&m, row, shape);
    }
    modules_free(&m);
    return ok;
}

uint32_t repeats_topmost(const struct tree *t, struct cancel_mark cancel)
{
    row_id *shape;
    uint32_t *n, most = 0, depth = UINT32_MAX;

    if (!repeats_have_modules(t))
        return 0;
    shape = xcalloc(t->n_rows, sizeof *shape);
    n = xcalloc(t->n_rows, sizeof *n);
    if (repeats_modules(t, shape, cancel))
        for (row_id row = 1; row < t->n_rows; row++)
            n[shape[row]] += shape[row] != 0; /* 0: not a module */
    for (row_id row = 1; row < t->n_rows; row++)
        if (n[row] > 1 && (t->depth[row] < depth || (t->depth[row] == depth && n[row] > most))) {
            depth = t->depth[row];
            most = n[row];
        }
    EACH(free, shape, n);
    return most;
}

/* ---- why there are none */

/* Two siblings of a class, and their number of common paths. */
struct pair {
    row_id a, b; /* a < b; ROW_NONE: none so far */
    uint32_t n_common;
};

static bool is_better(struct pair x, struct pair y)
{
    if (y.a == ROW_NONE || x.n_common != y.n_common)
        return y.a == ROW_NONE || x.n_common > y.n_common;
    return x.a != y.a ? x.a < y.a : x.b < y.b;
}

/* Numbers the paths of A, then those of B; numbers up to N_OF_A belong to A. Returns the number of
 * common paths. */
static uint32_t count_common(struct modules *m, row_id a, row_id b, uint32_t *n_of_a)
{
    const uint32_t n_b = m->t->end[b] - b - 1;
    uint32_t n_common;

    number_paths(m, a);
    *n_of_a = (uint32_t)m->paths.n;
    n_common = n_b - number_paths(m, b);
    childmap_done(&m->paths);
    return n_common;
}

static void compare_siblings(struct modules *m, row_id parent, struct budget *budget,
                             struct pair *best)
{
    const struct sibling *all;
    uint32_t n_of_a;

    collect_siblings(m, parent);
    hash_siblings(m);
    all = m->siblings.data;
    for (size_t i = 0; i < m->siblings.n; i++)
        for (size_t k = i + 1; k < m->siblings.n && all[k].class == all[i].class; k++) {
            const bool in_order = all[i].row < all[k].row;
            struct pair pair = {in_order ? all[i].row : all[k].row,
                                in_order ? all[k].row : all[i].row, 0};

            if (!budget_take(budget, 0, (uint64_t)all[i].n_rows + all[k].n_rows + 1))
                return;
            pair.n_common = count_common(m, pair.a, pair.b, &n_of_a);
            if (is_better(pair, *best))
                *best = pair;
        }
}

/* Sets SB to the labels from ROOT to ROW: "Linear_0/aten::linear". */
static void join_labels(struct strbuf *sb, const struct modules *m, row_id root, row_id row)
{
    VEC(row_id) rows = {0};

    sb_clear(sb);
    for (; row != root; row = m->t->parent[row])
        vec_push(&rows, row);
    for (size_t i = rows.n; i-- > 0;) {
        uint32_t label[2];
        struct text name;

        memcpy(label, intern_text(&m->labels, m->rows[rows.data[i]].label), sizeof label);
        name = intern_string(&m->names, label[0]);
        sb_add(sb, name.bytes, name.len);
        if (label[1] != UINT32_MAX)
            sb_addf(sb, "_%u", (unsigned)label[1]);
        sb_adds(sb, i ? "/" : "");
    }
    vec_done(&rows);
}

/* Sets FIRST to the lesser of itself (unless empty) and the path of ROW. */
static void keep_least(struct strbuf *first, const struct modules *m, row_id root, row_id row)
{
    struct strbuf path = {0};
    int order;

    join_labels(&path, m, root, row);
    order = first->len ? memcmp(sb_text(&path), sb_text(first),
                                path.len < first->len ? path.len : first->len)
                       : -1;
    if (order < 0 || (order == 0 && path.len < first->len)) {
        sb_clear(first);
        sb_add(first, sb_text(&path), path.len);
    }
    sb_done(&path);
}

/* Sets FIRST to the first path in byte order that only one of the pair has. */
static void first_difference(struct modules *m, struct pair pair, struct strbuf *first)
{
    uint8_t *in_both;
    uint32_t n;

    label_subtree(m, pair.a);
    label_subtree(m, pair.b);
    count_common(m, pair.a, pair.b, &n);
    in_both = xcalloc((size_t)n + 1, sizeof *in_both);
    for (row_id row = pair.b + 1; row < m->t->end[pair.b]; row++) {
        const uint32_t path = m->rows[row].path;

        if (path <= n)
            in_both[path] = 1;
        else
            keep_least(first, m, pair.b, row);
    }
    for (row_id row = pair.a + 1; row < m->t->end[pair.a]; row++)
        if (!in_both[m->rows[row].path])
            keep_least(first, m, pair.a, row);
    free(in_both);
}

void repeats_explain_none(struct strbuf *sb, const struct tree *t, struct cancel_mark cancel)
{
    struct budget budget = budget_of(0, cancel);
    struct modules m = modules_new(t);
    struct pair best = {.a = ROW_NONE};
    struct strbuf first = {0};

    if (name_rows(&m, cancel))
        for (row_id row = 0; row < t->n_rows; row++)
            if (t->end[row] > row + 1)
                compare_siblings(&m, row, &budget, &best);
    if (best.a != ROW_NONE) {
        const struct text a = repeats_relative_name(t, VIEW_SCOPE, best.a);
        const struct text b = repeats_relative_name(t, VIEW_SCOPE, best.b);

        first_difference(&m, best, &first);
        sb_addf(sb, "no equal siblings: %.*s and %.*s differ first in %s", (int)a.len, a.bytes,
                (int)b.len, b.bytes, sb_text(&first));
    }
    sb_done(&first);
    modules_free(&m);
}
