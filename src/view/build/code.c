/* code.c: the code view: one row for every line of a call stack, below the
 * line that called it (semantics.md section 4.4). */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "view/build/builders.h"
#include "view/build/childmap.h"

#define GRADIENT_SUFFIX " (gradient)"
#define NO_FRAME_NAME "(no Python frame)"

enum { CANCEL_EVERY = 4096, LONGEST_TEXT = 20, CUT_TEXT = 17 };

/* A gradient node with frames of its own, and the name of its forward node. */
struct gradient {
    struct text forward;
    node_id node;
    uint32_t place; /* of the node in name order */
};

struct code_row {
    row_id parent;
    strid name; /* in the tree's store */
    const struct frame *frame;
    bool is_gradient;
};

struct stacks {
    const struct profile *profile;
    struct tree *tree;
    bool with_text;
    VEC(struct code_row) rows;
    struct childmap children;
    row_id *row_of_id; /* [profile_n_ids()] */
    row_id *leaf[2]; /* by trace, plain and gradient; 0: not inserted yet */
    VEC(struct gradient) gradients;
    struct strbuf line; /* scratch */
};

static struct text profile_name(const struct profile *p, strid id)
{
    return (struct text){intern_text(&p->strings, id), intern_len(&p->strings, id)};
}

static uint32_t find_bytes(struct text text, const char *what, uint32_t len)
{
    const char *at = memmem(text.bytes, text.len, what, len);

    return at ? (uint32_t)(at - text.bytes) : UINT32_MAX;
}

/* True when NAME is that of a gradient node; *FORWARD is then its forward
 * node's name. */
static bool is_gradient_name(struct text name, struct text *forward)
{
    static const char before[] = "gradients/", behind[] = "_grad/";
    uint32_t p = find_bytes(name, before, sizeof before - 1);
    uint32_t q = p == UINT32_MAX ? p : find_bytes(name, behind, sizeof behind - 1);

    if (q == UINT32_MAX)
        return false;
    p += (uint32_t)sizeof before - 1;
    if (p == q)
        return false;
    forward->bytes = name.bytes + p;
    forward->len = (q > p ? q : name.len) - p;
    return true;
}

/* Appends TEXT, cut before a character when it is long. */
static void add_cut(struct strbuf *sb, struct text text)
{
    uint32_t cut = CUT_TEXT;

    if (text.len < LONGEST_TEXT) {
        sb_add(sb, text.bytes, text.len);
        return;
    }
    while (cut > CUT_TEXT - 3 && ((unsigned char)text.bytes[cut] & 0xc0) == 0x80)
        cut--;
    sb_add(sb, text.bytes, cut);
    sb_adds(sb, "...");
}

static strid frame_name(struct stacks *s, const struct frame *frame, bool is_gradient)
{
    struct text file = profile_name(s->profile, frame->file);
    const char *slash = memrchr(file.bytes, '/', file.len);
    size_t skip = slash ? (size_t)(slash + 1 - file.bytes) : 0;

    sb_clear(&s->line);
    if (frame->lineno == LINE_NO_PLACE) {
        sb_add(&s->line, intern_text(&s->profile->strings, frame->function),
               intern_len(&s->profile->strings, frame->function));
        return intern_put(&s->tree->store, s->line.data, s->line.len);
    }
    sb_add(&s->line, file.bytes + skip, file.len - skip);
    sb_addf(&s->line, ":%d:", (int)frame->lineno);
    add_cut(&s->line, profile_name(s->profile, frame->function));
    if (s->with_text) {
        sb_addc(&s->line, ':');
        add_cut(&s->line, profile_name(s->profile, frame->text));
    }
    if (is_gradient)
        sb_adds(&s->line, GRADIENT_SUFFIX);
    return intern_put(&s->tree->store, s->line.data, s->line.len);
}

/* The row of the last frame of a trace that has frames; rows are made as
 * needed, once for each distinct trace. */
static row_id leaf_of(struct stacks *s, trace_id trace, bool is_gradient)
{
    const struct trace *t = &s->profile->traces[trace];
    row_id at = s->leaf[is_gradient][trace];

    if (at)
        return at;
    for (uint32_t i = 0; i < t->n_frames; i++) {
        strid name = frame_name(s, &t->frames[i], is_gradient);
        row_id *child = childmap_at(&s->children, at, name);

        if (!*child) {
            struct code_row row = {at, name, &t->frames[i], is_gradient};

            *child = (row_id)s->rows.n;
            vec_push(&s->rows, row);
        }
        at = *child;
    }
    s->leaf[is_gradient][trace] = at;
    return at;
}

static int by_forward(const void *a, const void *b)
{
    const struct gradient *x = a, *y = b;
    uint32_t min = x->forward.len < y->forward.len ? x->forward.len : y->forward.len;
    int order = memcmp(x->forward.bytes, y->forward.bytes, min);

    if (order)
        return order;
    if (x->forward.len != y->forward.len)
        return x->forward.len < y->forward.len ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static bool same_text(struct text a, struct text b)
{
    return a.len == b.len && memcmp(a.bytes, b.bytes, a.len) == 0;
}

/* The forward node of a gradient node, when it is in the view and no gradient
 * node itself. */
static node_id forward_node(const struct stacks *s, struct text name)
{
    const struct profile *p = s->profile;
    node_id node = profile_find(p, name.bytes, name.len);
    struct text unused;

    if (node == NODE_NONE || p->traces[p->trace[node]].n_frames == 0 ||
        is_gradient_name(name, &unused))
        return NODE_NONE;
    return node;
}

static void insert_gradients(struct stacks *s)
{
    size_t unknown = 0;
    const struct gradient *g = s->gradients.data;
    row_id row = 0;

    if (s->gradients.n)
        qsort(s->gradients.data, s->gradients.n, sizeof *g, by_forward);
    for (size_t i = 0; i < s->gradients.n; i++) {
        if (i == 0 || !same_text(g[i].forward, g[i - 1].forward)) {
            node_id node = forward_node(s, g[i].forward);

            row = node == NODE_NONE ? ROW_NONE : leaf_of(s, s->profile->trace[node], true);
            unknown += node == NODE_NONE;
        }
        s->row_of_id[g[i].node] = row;
    }
    if (unknown)
        note_add(&s->tree->notes, "%zu gradient nodes not accounted", unknown);
}

/* The row of time that no frame has, so that the totals of all views are equal. */
static row_id frameless_row(struct stacks *s)
{
    static const struct frame frame = {.lineno = LINE_NO_PLACE};
    const strid name = intern_put(&s->tree->store, NO_FRAME_NAME, sizeof NO_FRAME_NAME - 1);
    row_id *child = childmap_at(&s->children, 0, name);
    const struct code_row row = {0, name, &frame, false};

    if (!*child) {
        *child = (row_id)s->rows.n;
        vec_push(&s->rows, row);
    }
    return *child;
}

/* What a trace says comes in parts, each with a stack of its own. */
static bool insert_parts(struct stacks *s, node_id node)
{
    const struct profile *p = s->profile;

    if (!p->n_parts || p->part_begin[node] == p->part_begin[node + 1])
        return false;
    for (uint32_t i = p->part_begin[node]; i < p->part_begin[node + 1]; i++) {
        const trace_id trace = p->trace[p->n_nodes + i];
        const row_id row =
            p->traces[trace].n_frames ? leaf_of(s, trace, false) : frameless_row(s);

        s->row_of_id[p->n_nodes + i] = row;
    }
    return true;
}

/* False when cancelled. */
static bool insert_nodes(struct stacks *s, const struct tree_request *request)
{
    const struct profile *p = s->profile;
    struct text *names = tree_sorted_names(p, request->workers);
    bool cancelled = false;

    for (uint32_t i = 0; i < p->n_nodes && !cancelled; i++) {
        node_id node = p->by_name[i];
        struct gradient g = {.node = node, .place = i};

        cancelled = i % CANCEL_EVERY == 0 && cancel_asked(request->cancel);
        tree_prefetch(names, i, p->n_nodes);
        s->row_of_id[node] = ROW_NONE;
        if (insert_parts(s, node))
            continue;
        if (p->traces[p->trace[node]].n_frames == 0)
            continue;
        if (is_gradient_name(names[i], &g.forward))
            vec_push(&s->gradients, g);
        else
            s->row_of_id[node] = leaf_of(s, p->trace[node], false);
    }
    free(names);
    return !cancelled;
}

static int by_text(const void *a, const void *b, void *strings)
{
    return intern_compare(strings, *(const strid *)a, *(const strid *)b);
}

/* Place of every distinct row name among all of them; heap memory. */
static uint32_t *name_ranks(struct intern *names)
{
    strid *sorted = xreallocarray(NULL, names->n, sizeof *sorted);
    uint32_t *rank = xreallocarray(NULL, names->n, sizeof *rank);

    for (strid id = 0; id < names->n; id++)
        sorted[id] = id;
    qsort_r(sorted, names->n, sizeof *sorted, by_text, names);
    for (strid i = 0; i < names->n; i++)
        rank[sorted[i]] = i;
    free(sorted);
    return rank;
}

static void take_names(struct tree *t)
{
    t->own = ARENA_NEW(&t->arena, struct text, t->store.n);
    t->n_own = (strid)t->store.n;
    for (strid id = 0; id < t->store.n; id++)
        t->own[id] = (struct text){intern_text(&t->store, id), intern_len(&t->store, id)};
}

static void make_tree(struct stacks *s)
{
    struct tree *t = s->tree;
    uint32_t n = (uint32_t)s->rows.n;
    uint32_t *rank = name_ranks(&t->store);
    row_id *inserted = xreallocarray(NULL, n, sizeof *inserted);
    row_id *parent = xreallocarray(NULL, n, sizeof *parent);
    strid *name = xreallocarray(NULL, n, sizeof *name);
    struct tree_draft draft = {n, parent, name, inserted};
    row_id *number;

    /* The walk meets siblings in the order in which they were inserted, which
     * decides between rows of one name from different parents. */
    for (row_id row = 0; row < n; row++) {
        inserted[row] = row + 1;
        parent[row] = s->rows.data[row].parent;
        name[row] = t->n_base + s->rows.data[row].name;
    }
    number = tree_number(t, &draft);
    t->rank = ARENA_NEW(&t->arena, uint32_t, n);
    t->frame = ARENA_NEW(&t->arena, const struct frame *, n);
    t->is_gradient = ARENA_NEW(&t->arena, bool, n);
    for (row_id row = 0; row < n; row++) {
        t->rank[number[row]] = rank[s->rows.data[row].name];
        t->frame[number[row]] = s->rows.data[row].frame;
        t->is_gradient[number[row]] = s->rows.data[row].is_gradient;
    }
    for (node_id node = 0; node < profile_n_ids(s->profile); node++)
        if (s->row_of_id[node] != ROW_NONE)
            s->row_of_id[node] = number[s->row_of_id[node]];
    take_names(t);
    if (s->profile->n_parts)
        tree_fill_part_members(t, s->row_of_id);
    else
        tree_fill_members(t);
    tree_mark_names(t);
    free(rank);
    free(number);
    free(inserted);
    free(parent);
    free(name);
}

struct tree *code_build(const struct tree_request *request, struct err *err)
{
    const struct profile *p = request->profile;
    struct stacks s = {.profile = p, .tree = tree_new(p), .with_text = request->options->trace_text};
    struct code_row root = {.frame = NULL};
    bool done;

    root.name = intern_put(&s.tree->store, ROOT_NAME, sizeof ROOT_NAME - 1);
    vec_push(&s.rows, root);
    s.leaf[false] = xcalloc(p->n_traces, sizeof *s.leaf[false]);
    s.leaf[true] = xcalloc(p->n_traces, sizeof *s.leaf[true]);
    s.row_of_id = ARENA_NEW(&s.tree->arena, row_id, profile_n_ids(p));
    s.tree->row_of_node = p->n_parts ? ARENA_NEW(&s.tree->arena, row_id, p->n_nodes) : s.row_of_id;
    done = insert_nodes(&s, request);
    if (done) {
        insert_gradients(&s);
        make_tree(&s);
    } else {
        err_set(err, ERR_CANCELLED, "cancelled");
        tree_unref(s.tree);
        s.tree = NULL;
    }
    vec_done(&s.rows);
    vec_done(&s.gradients);
    childmap_done(&s.children);
    sb_done(&s.line);
    free(s.leaf[false]);
    free(s.leaf[true]);
    return s.tree;
}
