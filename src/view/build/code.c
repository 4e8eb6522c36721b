/* code.c: the code view: a row for each frame of a call stack, below the row of its caller
 * (semantics.md section 4.4). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/regex/regexes.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "view/build/builders.h"
#include "view/build/childmap.h"
#include "view/build/hidden_frames.h"

#define NO_FRAME_NAME "(no Python stack)"

enum { CANCEL_EVERY = 4096 };

/* A gradient node that has a call stack, and the name of its forward node. */
struct gradient {
    struct text forward;
    node_id node;
    uint32_t rank; /* of the node by name */
};

struct code_row {
    row_id parent;
    strid name; /* in the tree's string store */
    const struct frame *frame; /* first frame that was folded into the row, if it is a folded one */
    bool is_gradient;
    uint32_t n_folded; /* number of rows folded into this one; 0: an ordinary row */
    /* child rows that hidden frames are folded into, plain and gradient; 0: none */
    row_id folded[2];
};

/* A frame with its callers. */
struct row_ref {
    row_id row;    /* 0: not inserted yet */
    row_id folded; /* the row that was folded away into `row`; 0: none */
};

struct stacks {
    const struct profile *profile;
    struct tree *tree;
    bool with_text;
    VEC(struct code_row) rows;
    struct childmap children;
    struct hidden_frames hidden;
    /* Rows that were folded away. Their numbers count down from ROW_NONE, to differ from real rows,
     * and can be parents in this map. */
    struct childmap folded;
    uint32_t n_folded;
    row_id *row_of_id; /* [profile_n_ids()] */
    struct row_ref *row_of_node[2]; /* by node of the tree of stacks, plain and gradient */
    VEC(uint32_t) calls;           /* scratch */
    VEC(struct gradient) gradients;
    struct strbuf line; /* scratch buffer */
};

static uint32_t find_bytes(struct text text, const char *what, uint32_t len)
{
    const char *at = memmem(text.bytes, text.len, what, len);

    return at ? (uint32_t)(at - text.bytes) : UINT32_MAX;
}

/* True when NAME is the name of a gradient node; *FORWARD is then its forward node's name. */
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

static strid name_of(struct stacks *s, const struct frame *frame, bool is_gradient)
{
    sb_clear(&s->line);
    frame_name(&s->line, s->profile, frame, s->with_text);
    if (is_gradient && frame->lineno != LINE_NONE)
        sb_adds(&s->line, GRADIENT_SUFFIX);
    return intern_put(&s->tree->store, s->line.data, s->line.len);
}

/* Returns the child of PARENT for FRAME. A frame that only the baseline has gets its own row, even
 * if its name is not unique. */
static row_id *child_of(const struct stacks *s, struct childmap *map, row_id parent,
                        const struct frame *frame, strid name)
{
    const uint32_t first = s->profile->first_base_frame;
    const bool is_of_base = first && frame >= &s->profile->call_stacks.frames[first];

    return childmap_at(map, parent, is_of_base ? ~name : name);
}

/* The child of PARENT into which hidden frames are folded; FRAME is one of them. */
static row_id folded_child(struct stacks *s, row_id parent, const struct frame *frame,
                           bool is_gradient)
{
    row_id child = s->rows.data[parent].folded[is_gradient];

    if (!child) {
        const struct code_row row = {.parent = parent, .frame = frame, .is_gradient = is_gradient};

        child = (row_id)s->rows.n;
        vec_push(&s->rows, row); /* named by name_folded_rows() */
        s->rows.data[parent].folded[is_gradient] = child;
    }
    return child;
}

/* Folds a hidden FRAME called from CALLER, and counts the distinct rows that are folded. */
static struct row_ref fold_frame(struct stacks *s, struct row_ref caller,
                                 const struct frame *frame, bool is_gradient)
{
    const row_id into =
        caller.folded ? caller.row : folded_child(s, caller.row, frame, is_gradient);
    row_id *folded = child_of(s, &s->folded, caller.folded ? caller.folded : into, frame,
                              name_of(s, frame, is_gradient));

    if (!*folded) {
        *folded = ROW_NONE - ++s->n_folded;
        s->rows.data[into].n_folded++;
    }
    return (struct row_ref){into, *folded};
}

/* Inserts ROW as the one at *CHILD unless there is one. */
static row_id insert_row(struct stacks *s, row_id *child, struct code_row row)
{
    if (!*child) {
        *child = (row_id)s->rows.n;
        vec_push(&s->rows, row);
    }
    return *child;
}

/* The row of FRAME called from CALLER; inserted when it is missing. */
static struct row_ref row_of_call(struct stacks *s, struct row_ref caller,
                                  const struct frame *frame, bool is_gradient)
{
    struct code_row row = {.parent = caller.row, .frame = frame, .is_gradient = is_gradient};

    if (frame_is_hidden(&s->hidden, frame))
        return fold_frame(s, caller, frame, is_gradient);
    row.name = name_of(s, frame, is_gradient);
    return (struct row_ref){
        .row = insert_row(s, child_of(s, &s->children, caller.row, frame, row.name), row)};
}

/* Row of the innermost frame of a non-empty stack.  Frames that stacks share are placed once. */
static row_id leaf_of(struct stacks *s, stack_id stack, bool is_gradient)
{
    const struct call_stacks *stacks = &s->profile->call_stacks;
    struct row_ref *row_of_node = s->row_of_node[is_gradient], caller;
    uint32_t at = profile_stack(s->profile, stack)->leaf;

    s->calls.n = 0;
    for (; at != STACK_ROOT && !row_of_node[at].row; at = stacks->nodes[at].caller)
        vec_push(&s->calls, at);
    caller = row_of_node[at];
    while (s->calls.n) {
        at = s->calls.data[--s->calls.n];
        caller = row_of_node[at] = row_of_call(s, caller, stack_frame(stacks, at), is_gradient);
    }
    return caller.row;
}

COMPARE_CHAIN(by_forward, struct gradient, THEN(text_compare(a->forward, b->forward)) || UP(rank))

/* The forward node of a gradient node, if the view has it and it is not a gradient node itself. */
static node_id forward_node(const struct stacks *s, struct text name)
{
    const struct profile *p = s->profile;
    node_id node = profile_find(p, name.bytes, name.len);
    struct text unused;

    if (node == NODE_NONE || profile_stack(p, p->stack[node])->n_frames == 0 ||
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
        if (i == 0 || !text_equals(g[i].forward, g[i - 1].forward)) {
            node_id node = forward_node(s, g[i].forward);

            row = node == NODE_NONE ? ROW_NONE : leaf_of(s, s->profile->stack[node], true);
            unknown += node == NODE_NONE;
        }
        s->row_of_id[g[i].node] = row;
    }
    if (unknown)
        note_add(&s->tree->notes, "%zu gradient nodes not accounted", unknown);
}

static void note_missing_stacks(struct stacks *s)
{
    const struct profile *p = s->profile;
    bool any = !p->n_recorders;

    for (uint32_t i = 1; i < p->call_stacks.n_frames && !any; i++)
        any = !frame_is_row_name(&p->call_stacks.frames[i],
                                 intern_string(&p->strings, p->call_stacks.frames[i].function));
    if (!any)
        note_add(&s->tree->notes, "no Python stacks in %s: with_stack=True records them",
                 p->n_recorders == 1 ? "this file" : "these files");
}

/* The row for time without a call stack; it makes the totals of all views equal. */
static row_id frameless_row(struct stacks *s)
{
    static const struct frame frame = {.lineno = LINE_NONE};
    const strid name = intern_put(&s->tree->store, NO_FRAME_NAME, sizeof NO_FRAME_NAME - 1);

    return insert_row(s, childmap_at(&s->children, 0, name),
                      (struct code_row){.name = name, .frame = &frame});
}

/* Nodes of a trace consist of parts, each of which has its own stack. */
static bool insert_parts(struct stacks *s, node_id node)
{
    const struct profile *p = s->profile;

    if (!p->n_parts || p->part_begin[node] == p->part_begin[node + 1])
        return false;
    for (uint32_t i = p->part_begin[node]; i < p->part_begin[node + 1]; i++) {
        const stack_id stack = p->stack[p->n_nodes + i];
        const row_id row =
            profile_stack(p, stack)->n_frames ? leaf_of(s, stack, false) : frameless_row(s);

        s->row_of_id[p->n_nodes + i] = row;
    }
    return true;
}

/* Returns false when cancelled. */
static bool insert_nodes(struct stacks *s, const struct tree_request *request)
{
    const struct profile *p = s->profile;
    struct text *names = tree_sorted_names(p, request->workers);
    bool cancelled = false;

    for (uint32_t i = 0; i < p->n_nodes && !cancelled; i++) {
        node_id node = p->by_name[i];
        struct gradient g = {.node = node, .rank = i};

        cancelled = i % CANCEL_EVERY == 0 && cancel_asked(request->cancel);
        tree_prefetch(names, i, p->n_nodes);
        s->row_of_id[node] = ROW_NONE;
        if (insert_parts(s, node))
            continue;
        if (profile_stack(p, p->stack[node])->n_frames == 0)
            continue;
        if (is_gradient_name(names[i], &g.forward))
            vec_push(&s->gradients, g);
        else
            s->row_of_id[node] = leaf_of(s, p->stack[node], false);
    }
    free(names);
    return !cancelled;
}

/* Names folded rows "6 library frames" after all frames are counted. In traces a single folded
 * frame keeps its row. */
static void name_folded_rows(struct stacks *s)
{
    for (row_id row = 1; row < s->rows.n; row++) {
        struct code_row *folded = &s->rows.data[row];

        if (!folded->n_folded)
            continue;
        if (folded->n_folded == 1 && s->profile->n_recorders) {
            folded->n_folded = 0;
            folded->name = name_of(s, folded->frame, folded->is_gradient);
            continue;
        }
        sb_clear(&s->line);
        sb_addf(&s->line, "%" PRIu32 " library frame%s%s", folded->n_folded,
                folded->n_folded == 1 ? "" : "s", folded->is_gradient ? GRADIENT_SUFFIX : "");
        folded->name = intern_put(&s->tree->store, s->line.data, s->line.len);
    }
}

/* Rank of each distinct row name; the caller frees the array. */
static uint32_t *name_ranks(struct intern *names)
{
    strid *sorted = xreallocarray(NULL, names->n, sizeof *sorted);
    uint32_t *rank = xreallocarray(NULL, names->n, sizeof *rank);

    for (strid id = 0; id < names->n; id++)
        sorted[id] = id;
    intern_sort(names, sorted, names->n);
    for (strid i = 0; i < names->n; i++)
        rank[sorted[i]] = i;
    free(sorted);
    return rank;
}

static void set_own_names(struct tree *t)
{
    t->own = ARENA_NEW(&t->arena, struct text, t->store.n);
    t->n_own = (strid)t->store.n;
    for (strid id = 0; id < t->store.n; id++)
        t->own[id] = intern_string(&t->store, id);
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

    /* Siblings are visited in insertion order, which orders equal names below different parents. */
    for (row_id row = 0; row < n; row++) {
        inserted[row] = row + 1;
        parent[row] = s->rows.data[row].parent;
        name[row] = t->n_base + s->rows.data[row].name;
    }
    number = tree_number(t, &draft);
    t->rank = ARENA_NEW(&t->arena, uint32_t, n);
    t->frame = ARENA_NEW(&t->arena, const struct frame *, n);
    t->n_folded = ARENA_NEW(&t->arena, uint32_t, n);
    t->is_gradient = ARENA_NEW(&t->arena, bool, n);
    for (row_id row = 0; row < n; row++) {
        t->rank[number[row]] = rank[s->rows.data[row].name];
        t->frame[number[row]] = s->rows.data[row].frame;
        t->n_folded[number[row]] = s->rows.data[row].n_folded;
        t->is_gradient[number[row]] = s->rows.data[row].is_gradient;
    }
    for (node_id node = 0; node < profile_n_ids(s->profile); node++)
        if (s->row_of_id[node] != ROW_NONE)
            s->row_of_id[node] = number[s->row_of_id[node]];
    set_own_names(t);
    if (s->profile->n_parts)
        tree_fill_part_members(t, s->row_of_id);
    else
        tree_fill_members(t);
    tree_mark_names(t);
    EACH(free, rank, number, inserted, parent, name);
}

struct tree *code_build(const struct tree_request *request, struct err *err)
{
    const struct profile *p = request->profile;
    struct stacks s = {.profile = p, .tree = tree_new(p), .with_text = request->options->trace_text};
    struct code_row root = {.frame = NULL};
    bool done;

    root.name = intern_put(&s.tree->store, ROOT_NAME, sizeof ROOT_NAME - 1);
    vec_push(&s.rows, root);
    hidden_frames_init(&s.hidden, p, request->options->hide_frames);
    s.row_of_node[false] = xcalloc(p->call_stacks.n_nodes, sizeof *s.row_of_node[false]);
    s.row_of_node[true] = xcalloc(p->call_stacks.n_nodes, sizeof *s.row_of_node[true]);
    s.row_of_id = ARENA_NEW(&s.tree->arena, row_id, profile_n_ids(p));
    s.tree->row_of_node = p->n_parts ? ARENA_NEW(&s.tree->arena, row_id, p->n_nodes) : s.row_of_id;
    done = insert_nodes(&s, request);
    if (done) {
        insert_gradients(&s);
        name_folded_rows(&s);
        note_missing_stacks(&s);
        make_tree(&s);
    } else {
        err_set(err, ERR_CANCELLED, "cancelled");
        tree_unref(s.tree);
        s.tree = NULL;
    }
    EACH(vec_done, &s.rows, &s.gradients);
    EACH(childmap_done, &s.children, &s.folded);
    if (s.tree && s.hidden.regexes)
        regexes_note_undecided(s.hidden.regexes, "-hide_frames", p->call_stacks.n_stacks, &s.tree->notes);
    hidden_frames_done(&s.hidden);
    sb_done(&s.line);
    vec_done(&s.calls);
    EACH(free, s.row_of_node[false], s.row_of_node[true]);
    return s.tree;
}
