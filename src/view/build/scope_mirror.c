/* scope_mirror.c: the scope view with the backward pass placed below the forward pass whose names
 * it mirrors: `transpose(jvp(layer))` in JAX, `gradients/layer/MatMul_grad` in TensorFlow 1,
 * `gradient_tape/layer` in TensorFlow 2 (doc/semantics.md section 4.1). */
#include "view/build/scope_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "model/profile_kind.h"
#include "view/build/childmap.h"

#define BACKWARD_ROW "(backward)"
#define RECOMPUTE_ROW "(recompute)"

enum { CANCEL_EVERY = 4096 };

struct mirror_row {
    row_id parent;
    strid name; /* in the tree's string store: the whole path */
};

typedef VEC(struct text) component_list;

/* Naming conventions of the backward pass. */
enum mirror_style { STYLE_NONE, STYLE_JAX, STYLE_GRADIENTS, STYLE_TAPE };

struct mirror {
    const struct profile *profile;
    struct tree *tree;
    VEC(struct mirror_row) rows;
    row_id n_forward;         /* rows below this belong to the forward pass */
    struct intern components;
    struct childmap children; /* by row and component */
    component_list path;      /* components of the current name */
    row_id *row_of_node;
    struct strbuf name;
};

/* ---- components */

/* True for WORD or WORD_N. */
static bool is_numbered(struct text a, const char *word)
{
    uint32_t n = (uint32_t)strlen(word);

    if (!text_begins(a, word))
        return false;
    if (a.len > n && (a.bytes[n++] != '_' || a.len == n))
        return false;
    for (; n < a.len; n++)
        if (a.bytes[n] < '0' || a.bytes[n] > '9')
            return false;
    return true;
}

/* Removes FUNCTION( and ) from A. */
static bool unwrap(struct text *a, const char *function)
{
    const uint32_t n = (uint32_t)strlen(function);

    if (a->len < n + 2 || !text_begins(*a, function) || a->bytes[n] != '(' || !text_ends(*a, ")"))
        return false;
    *a = (struct text){a->bytes + n + 1, a->len - n - 2};
    return true;
}

static void split(component_list *path, struct text name)
{
    const char *end = name.bytes + name.len, *slash;

    path->n = 0;
    while ((slash = memchr(name.bytes, '/', (size_t)(end - name.bytes)))) {
        vec_push(path, ((struct text){name.bytes, (uint32_t)(slash - name.bytes)}));
        name.bytes = slash + 1;
    }
    vec_push(path, ((struct text){name.bytes, (uint32_t)(end - name.bytes)}));
}

/* Replaces JAX components by those of the forward pass; true if any belonged to the backward
 * pass. */
static bool plain_components(component_list *path)
{
    bool is_backward = false;
    size_t n = 0;

    for (size_t i = 0; i < path->n; i++) {
        struct text c = path->data[i];
        const bool is_transposed = unwrap(&c, "transpose");
        const bool is_wrapped = unwrap(&c, "jvp") || is_transposed;

        is_backward |= is_transposed;
        if (text_is(c, "rematted_computation"))
            c = text_from(RECOMPUTE_ROW);
        if (c.len || !is_wrapped)
            path->data[n++] = c;
    }
    path->n = n;
    return is_backward;
}

/* Splits the name of NODE into s->path. *AT: index of `gradients` or `gradient_tape`. Constants
 * that TensorFlow's optimizer folded mirror no layer. */
static enum mirror_style split_name(struct mirror *s, node_id node, size_t *at)
{
    split(&s->path, intern_string(&s->profile->strings, s->profile->name[node]));
    if (plain_components(&s->path))
        return STYLE_JAX;
    if (text_is(s->path.data[0], "ConstantFolding"))
        return STYLE_NONE;
    for (*at = 0; *at < s->path.n; ++*at) {
        if (is_numbered(s->path.data[*at], "gradients"))
            return STYLE_GRADIENTS;
        if (text_is(s->path.data[*at], "gradient_tape"))
            return STYLE_TAPE;
    }
    return STYLE_NONE;
}

/* ---- rows */

static strid component_id(struct mirror *s, struct text c)
{
    return intern_put(&s->components, c.bytes, c.len);
}

/* Child of PARENT in the forward pass; 0: none. */
static row_id forward_child(struct mirror *s, row_id parent, struct text c)
{
    const strid id = intern_find(&s->components, c.bytes, c.len);
    const row_id row = id == STRID_NONE ? 0 : *childmap_at(&s->children, parent, id);

    return row < s->n_forward ? row : 0;
}

static row_id child(struct mirror *s, row_id parent, struct text c)
{
    row_id *at = childmap_at(&s->children, parent, component_id(s, c));
    struct text above;

    if (*at)
        return *at;
    *at = (row_id)s->rows.n;
    sb_clear(&s->name);
    if (parent) {
        above = intern_string(&s->tree->store, s->rows.data[parent].name);
        sb_add(&s->name, above.bytes, above.len);
        sb_addc(&s->name, '/');
    }
    sb_add(&s->name, c.bytes, c.len);
    vec_push(&s->rows, ((struct mirror_row){
                           parent, intern_put(&s->tree->store, sb_text(&s->name), s->name.len)}));
    return (row_id)s->rows.n - 1;
}

/* Follows the components [FROM, TO) below *ROW as long as the forward pass has them. Returns their
 * number. */
static size_t follow(struct mirror *s, size_t from, size_t to, row_id *row)
{
    size_t i = from;

    for (row_id next; i < to && (next = forward_child(s, *row, s->path.data[i])); i++)
        *row = next;
    return i - from;
}

/* Adds rows for the components [FROM, PATH.n) below ROW. */
static row_id append(struct mirror *s, row_id row, size_t from)
{
    for (size_t i = from; i < s->path.n; i++)
        row = child(s, row, s->path.data[i]);
    return row;
}

/* End of the forward path in a TensorFlow name: after OP of `OP_grad`, which is cut to OP; else
 * before the last component. */
static size_t end_of_forward(struct mirror *s, size_t from, enum mirror_style style, bool *is_cut)
{
    static const char suffix[] = "_grad";
    const uint32_t len = sizeof suffix - 1;

    *is_cut = false;
    if (style == STYLE_TAPE)
        return s->path.n;
    for (size_t i = from; i < s->path.n; i++) {
        struct text *c = &s->path.data[i];

        if (c->len > len && memcmp(c->bytes + c->len - len, suffix, len) == 0) {
            c->len -= len;
            *is_cut = true;
            return i + 1;
        }
    }
    return s->path.n - 1;
}

/* Row of a TensorFlow name; AT is the component that marks the backward pass. 0: the forward pass
 * has no part of its path. */
static row_id mirrored_row(struct mirror *s, size_t at, enum mirror_style style)
{
    const size_t from = at + 1;
    row_id row = 0, scoped = 0;
    size_t to, n, n_scoped = 0;
    bool is_cut;

    if (from >= s->path.n)
        return 0;
    to = end_of_forward(s, from, style, &is_cut);
    n = follow(s, from, to, &row);
    if (at && n < to - from && follow(s, 0, at, &scoped) == at)
        n_scoped = follow(s, from, to, &scoped);
    if (n_scoped > n) {
        n = n_scoped;
        row = scoped;
    }
    if (is_cut && from + n < to)
        s->path.data[to - 1].len += (uint32_t)strlen("_grad");
    return n ? append(s, child(s, row, text_from(BACKWARD_ROW)), from + n) : 0;
}

/* ---- nodes */

/* Adds forward rows first, so that backward rows find them. */
static bool add_nodes(struct mirror *s, const struct tree_request *request, bool of_backward)
{
    const struct profile *p = s->profile;

    for (uint32_t i = 0; i < p->n_nodes; i++) {
        const node_id node = p->by_name[i];
        size_t at = 0, n;
        row_id row = 0;
        enum mirror_style style;

        if (i % CANCEL_EVERY == 0 && cancel_asked(request->cancel))
            return false;
        style = split_name(s, node, &at);
        if ((style != STYLE_NONE) != of_backward)
            continue;
        if (style == STYLE_JAX) {
            n = follow(s, 0, s->path.n, &row);
            row = n ? append(s, child(s, row, text_from(BACKWARD_ROW)), n) : 0;
        } else if (style != STYLE_NONE) {
            row = mirrored_row(s, at, style);
        } else {
            row = append(s, 0, 0);
        }
        if (!row) { /* keep the path as recorded */
            split(&s->path, intern_string(&p->strings, p->name[node]));
            row = append(s, 0, 0);
        }
        s->row_of_node[node] = row;
    }
    return true;
}

COMPARE_WITH(by_name, row_id, struct mirror,
             THEN(intern_compare(&with->tree->store, with->rows.data[*a].name, with->rows.data[*b].name)))

static void make_tree(struct mirror *s)
{
    struct tree *t = s->tree;
    const uint32_t n = (uint32_t)s->rows.n;
    row_id *sorted = xreallocarray(NULL, n, sizeof *sorted);
    row_id *parent = xreallocarray(NULL, n, sizeof *parent);
    strid *name = xreallocarray(NULL, n, sizeof *name);
    struct tree_draft draft = {n, parent, name, sorted};
    row_id *number;

    for (row_id row = 0; row < n; row++) {
        sorted[row] = row + 1;
        parent[row] = s->rows.data[row].parent;
        name[row] = t->n_base + s->rows.data[row].name;
    }
    if (n > 1)
        qsort_r(sorted, n - 1, sizeof *sorted, by_name, s);
    number = tree_number(t, &draft);
    t->rank = ARENA_NEW(&t->arena, uint32_t, n);
    t->rank[0] = 0;
    for (uint32_t i = 0; i + 1 < n; i++)
        t->rank[number[sorted[i]]] = i;
    t->n_own = (strid)t->store.n;
    t->own = ARENA_NEW(&t->arena, struct text, t->n_own);
    for (strid id = 0; id < t->store.n; id++)
        t->own[id] = intern_string(&t->store, id);
    for (node_id node = 0; node < s->profile->n_nodes; node++)
        t->row_of_node[node] = number[s->row_of_node[node]];
    tree_fill_members(t);
    tree_mark_names(t);
    EACH(free, number, name, parent, sorted);
}

bool scope_is_mirrored(const struct tree_request *request)
{
    const struct profile *p = request->profile;

    return !profile_recorders(p).is_torch && request->options && request->options->backward == BACKWARD_FORWARD;
}

struct tree *scope_mirror_build(const struct tree_request *request, struct err *err)
{
    const struct profile *p = request->profile;
    struct mirror s = {.profile = p, .tree = tree_new(p)};
    struct mirror_row root = {.parent = 0};
    bool is_whole;

    intern_init(&s.components);
    root.name = intern_put(&s.tree->store, ROOT_NAME, sizeof ROOT_NAME - 1);
    vec_push(&s.rows, root);
    s.row_of_node = s.tree->row_of_node = ARENA_NEW(&s.tree->arena, row_id, p->n_nodes);
    s.n_forward = ROW_NONE;
    is_whole = add_nodes(&s, request, false);
    s.n_forward = (row_id)s.rows.n;
    is_whole = is_whole && add_nodes(&s, request, true);
    if (is_whole) {
        make_tree(&s);
    } else {
        err_set(err, ERR_CANCELLED, "cancelled");
        tree_unref(s.tree);
        s.tree = NULL;
    }
    intern_done(&s.components);
    childmap_done(&s.children);
    EACH(vec_done, &s.rows, &s.path);
    sb_done(&s.name);
    return s.tree;
}
