/* naive_query.c: the views as semantics.md section 4 says them. */
#include "naive_query.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/regexes.h"
#include "base/vec.h"
#include "base/xalloc.h"

struct row;
typedef VEC(struct row *) row_list;

struct row {
    char *name;
    size_t len;
    VEC(node_id) nodes;
    row_list children; /* in the order of the original's walk */
    size_t met;        /* when the display met it */
    bool accounted, kept, shown;
    long own;
    int64_t self[METRIC_COUNT], total[METRIC_COUNT], shown_total[METRIC_COUNT];
    int64_t defs, shown_defs;
    row_list kept_children, shown_children;
    bool visited[3]; /* account, start, display */
};

struct naive {
    const struct profile *p;
    const struct options *o;
    enum view_id view;
    struct regexes *account, *start, *trim, *show, *hide, *device;
    row_list all; /* for freeing and looking up */
    struct row *root;
    size_t met;
};

static struct row *new_row(struct naive *n, const char *name, size_t len)
{
    struct row *r = xcalloc(1, sizeof *r);

    r->name = xmemdupz(name, len);
    r->len = len;
    vec_push(&n->all, r);
    return r;
}

static int compare_bytes(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t least = a_len < b_len ? a_len : b_len;
    int order = memcmp(a, b, least);

    return order ? order : (a_len > b_len) - (a_len < b_len);
}

static int by_name(const void *a, const void *b)
{
    const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;

    return compare_bytes(x->name, x->len, y->name, y->len);
}

static void sort_names(row_list *rows)
{
    if (rows->n)
        qsort(rows->data, rows->n, sizeof *rows->data, by_name);
}

static bool matches(const struct regexes *r, const char *text, size_t len)
{
    return regexes_is_wildcard(r) || regexes_match(r, text, len) >= 0;
}

static struct row *find_row(row_list *rows, const char *name, size_t len)
{
    for (size_t i = 0; i < rows->n; i++)
        if (compare_bytes(rows->data[i]->name, rows->data[i]->len, name, len) == 0)
            return rows->data[i];
    return NULL;
}

static const char *node_name(const struct naive *n, node_id node, size_t *len)
{
    *len = intern_len(&n->p->strings, n->p->name[node]);
    return profile_text(n->p, n->p->name[node]);
}

/* ---- the rows of each view */

static struct row *scope_row(struct naive *n, const char *name, size_t len)
{
    struct row *parent = n->root;
    struct row *found;
    size_t slash = len;

    while (slash > 0 && name[slash - 1] != '/')
        slash--;
    if (slash > 0)
        parent = scope_row(n, name, slash - 1);
    found = find_row(&parent->children, name, len);
    if (!found) {
        found = new_row(n, name, len);
        vec_push(&parent->children, found);
        sort_names(&parent->children);
    }
    return found;
}

static void build_scope(struct naive *n)
{
    for (node_id node = 0; node < n->p->n_nodes; node++) {
        size_t len;
        const char *name = node_name(n, node, &len);

        vec_push(&scope_row(n, name, len)->nodes, node);
    }
}

static void build_graph(struct naive *n)
{
    const struct profile *p = n->p;
    struct row **of = xcalloc(p->n_nodes, sizeof *of);
    bool *named = xcalloc(p->n_nodes, sizeof *named);

    for (node_id node = 0; node < p->n_nodes; node++) {
        size_t len;
        const char *name = node_name(n, node, &len);

        of[node] = new_row(n, name, len);
        vec_push(&of[node]->nodes, node);
    }
    for (node_id node = 0; node < p->n_nodes; node++)
        for (uint32_t i = p->input_begin[node]; i < p->input_begin[node + 1]; i++)
            if (p->inputs[i].source != NODE_NONE) {
                vec_push(&of[node]->children, of[p->inputs[i].source]);
                named[p->inputs[i].source] = true;
            }
    for (node_id node = 0; node < p->n_nodes; node++)
        if (!named[node])
            vec_push(&n->root->children, of[node]);
    sort_names(&n->root->children);
    free(of);
    free(named);
}

static void build_op(struct naive *n)
{
    for (node_id node = 0; node < n->p->n_nodes; node++) {
        const char *op = profile_text(n->p, n->p->op[node]);
        size_t len = intern_len(&n->p->strings, n->p->op[node]);
        struct row *row = find_row(&n->root->children, op, len);

        if (!row) {
            row = new_row(n, op, len);
            vec_push(&n->root->children, row);
        }
        vec_push(&row->nodes, node);
    }
    sort_names(&n->root->children);
}

static void add_cut(struct strbuf *sb, const char *text)
{
    if (strlen(text) < 20)
        sb_adds(sb, text);
    else
        sb_addf(sb, "%.17s...", text);
}

static struct row *stack_row(struct naive *n, trace_id trace, const char *suffix)
{
    const struct trace *t = &n->p->traces[trace];
    struct row *at = n->root;

    for (uint32_t i = 0; i < t->n_frames; i++) {
        const char *file = profile_text(n->p, t->frames[i].file);
        const char *slash = strrchr(file, '/');
        struct strbuf name = {0};
        struct row *child;

        sb_addf(&name, "%s:%d:", slash ? slash + 1 : file, (int)t->frames[i].lineno);
        add_cut(&name, profile_text(n->p, t->frames[i].function));
        if (n->o->trace_text) {
            sb_addc(&name, ':');
            add_cut(&name, profile_text(n->p, t->frames[i].text));
        }
        sb_adds(&name, suffix);
        child = find_row(&at->children, name.data, name.len);
        if (!child) {
            child = new_row(n, name.data, name.len);
            vec_push(&at->children, child);
        }
        at = child;
        sb_done(&name);
    }
    return at;
}

static bool forward_name(const char *name, const char **forward, size_t *len)
{
    const char *p = strstr(name, "gradients/");
    const char *q = strstr(name, "_grad/");

    if (!p || !q || p + 10 == q)
        return false;
    *forward = p + 10;
    *len = q > *forward ? (size_t)(q - *forward) : strlen(*forward);
    return true;
}

static void build_code(struct naive *n)
{
    const struct profile *p = n->p;

    for (int gradients = 0; gradients < 2; gradients++)
        for (uint32_t i = 0; i < p->n_nodes; i++) {
            node_id node = p->by_name[i];
            trace_id trace = p->trace[node];
            size_t len;
            const char *forward = node_name(n, node, &len);
            bool is_gradient = forward_name(forward, &forward, &len);

            if (p->traces[trace].n_frames == 0 || is_gradient != (gradients == 1))
                continue;
            if (gradients) {
                const char *unused;
                node_id fn = profile_find(p, forward, len);

                if (fn == NODE_NONE || p->traces[p->trace[fn]].n_frames == 0 ||
                    forward_name(profile_text(p, p->name[fn]), &unused, &len))
                    continue;
                trace = p->trace[fn];
            }
            vec_push(&stack_row(n, trace, gradients ? " (gradient)" : "")->nodes, node);
        }
}

/* ---- account */

static bool node_accounted(const struct naive *n, node_id node)
{
    const struct profile *p = n->p;

    for (uint32_t i = p->typeset_begin[p->typeset[node]];
         i < p->typeset_begin[p->typeset[node] + 1]; i++)
        if (matches(n->account, profile_text(p, p->typeset_types[i]),
                    intern_len(&p->strings, p->typeset_types[i])))
            return true;
    return false;
}

static void count_self(const struct naive *n, struct row *r)
{
    const bool multi = n->view == VIEW_OP || n->view == VIEW_CODE;
    struct figures f = {n->p, n->p->static_float_ops, n->o->step};
    bool saturated = false;

    for (size_t i = 0; i < r->nodes.n; i++) {
        bool counts = node_accounted(n, r->nodes.data[i]);

        r->own += counts;
        for (int m = 0; m < METRIC_COUNT; m++)
            if (counts || !multi)
                r->self[m] += metric_self(&f, (enum metric_id)m, r->nodes.data[i], &saturated);
    }
    r->accounted = r->own > 0;
    if (!r->nodes.n && n->view == VIEW_SCOPE)
        r->accounted = matches(n->account, "_kTFScopeParent", strlen("_kTFScopeParent"));
    if (n->view == VIEW_CODE && regexes_is_wildcard(n->account))
        r->accounted = true;
}

static void account(struct naive *n, struct row *r, row_list *kept);

static void account_children(struct naive *n, struct row *r, row_list *kept)
{
    for (size_t i = 0; i < r->children.n; i++)
        if (!r->children.data[i]->visited[0])
            account(n, r->children.data[i], kept);
}

/* Appends what stays of R and below to KEPT. */
static void account(struct naive *n, struct row *r, row_list *kept)
{
    row_list below = {0};

    r->visited[0] = true;
    account_children(n, r, &below);
    count_self(n, r);
    r->kept = r->accounted || (below.n && n->view != VIEW_GRAPH);
    if (r->kept) {
        memcpy(r->total, r->self, sizeof r->total);
        r->defs = 1;
        for (size_t i = 0; i < below.n; i++) {
            for (int m = 0; m < METRIC_COUNT; m++)
                r->total[m] += below.data[i]->total[m];
            r->defs += below.data[i]->defs;
        }
        r->kept_children = below;
        vec_push(kept, r);
    } else {
        for (size_t i = 0; i < below.n; i++)
            vec_push(kept, below.data[i]);
        vec_done(&below);
    }
}

/* ---- start */

static void search_start(struct naive *n, const row_list *rows, row_list *found)
{
    for (size_t i = 0; i < rows->n; i++) {
        struct row *r = rows->data[i];

        if (r->visited[1])
            continue;
        r->visited[1] = true;
        if (matches(n->start, r->name, r->len))
            vec_push(found, r);
        else
            search_start(n, &r->kept_children, found);
    }
}

/* ---- display */

static bool passes_min(const struct naive *n, const struct row *r)
{
    const bool single = n->view == VIEW_SCOPE || n->view == VIEW_GRAPH;

    for (int m = 0; m < METRIC_COUNT; m++) {
        bool on_self = single && (m == METRIC_PARAMS || m == METRIC_FLOAT_OPS ||
                                  m == METRIC_OCCURRENCE);
        int64_t value;

        if (n->o->min_on != MIN_ON_DEFAULT)
            on_self = n->o->min_on == MIN_ON_SELF;
        value = on_self ? r->self[m] : r->total[m];
        if (m == METRIC_OCCURRENCE && n->view == VIEW_OP)
            value = r->own;
        if (m == METRIC_OCCURRENCE && n->view == VIEW_CODE)
            continue;
        if (value < n->o->min[m])
            return false;
    }
    return true;
}

static bool passes_device(const struct naive *n, const struct row *r)
{
    const bool multi = n->view == VIEW_OP || n->view == VIEW_CODE;
    bool any = false;

    for (size_t i = 0; i < r->nodes.n; i++) {
        strid device = n->p->device[r->nodes.data[i]];

        if (multi && !node_accounted(n, r->nodes.data[i]))
            continue;
        any = true;
        if (matches(n->device, profile_text(n->p, device), intern_len(&n->p->strings, device)))
            return true;
    }
    return !any && matches(n->device, "", 0);
}

static bool should_show(const struct naive *n, const struct row *r, int64_t depth)
{
    if (r == n->root)
        return true;
    return passes_min(n, r) && depth <= n->o->max_depth && matches(n->show, r->name, r->len) &&
           !matches(n->hide, r->name, r->len) && passes_device(n, r) &&
           (r->accounted || !n->o->hide_unaccounted);
}

static const struct naive *sort_context;

static int by_order(const void *a, const void *b)
{
    const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;
    const int order = sort_context->o->order_by;
    const bool list = sort_context->view == VIEW_OP;
    int names;

    if (order == ORDER_METRIC + METRIC_OCCURRENCE) {
        if ((list || sort_context->view == VIEW_CODE) && x->own != y->own)
            return x->own > y->own ? -1 : 1;
    } else if (order >= ORDER_METRIC) {
        const int m = order - ORDER_METRIC;
        int64_t vx = list ? x->self[m] : x->shown_total[m];
        int64_t vy = list ? y->self[m] : y->shown_total[m];

        if (vx != vy)
            return vx > vy ? -1 : 1;
    }
    names = by_name(a, b);
    return names ? names : (x->met > y->met) - (x->met < y->met);
}

static void sort_rows(const struct naive *n, row_list *rows)
{
    sort_context = n;
    if (rows->n)
        qsort(rows->data, rows->n, sizeof *rows->data, by_order);
}

static void finish_shown(struct naive *n, struct row *r, row_list *below)
{
    const bool again = n->o->account_displayed_op_only && n->view != VIEW_CODE;

    r->shown = true;
    memcpy(r->shown_total, again ? r->self : r->total, sizeof r->total);
    r->shown_defs = again ? 1 : r->defs;
    for (size_t i = 0; again && i < below->n; i++) {
        for (int m = 0; m < METRIC_COUNT; m++)
            r->shown_total[m] += below->data[i]->shown_total[m];
        r->shown_defs += below->data[i]->shown_defs;
    }
    sort_rows(n, below);
    r->shown_children = *below;
}

static void display(struct naive *n, const row_list *rows, int64_t depth, row_list *out)
{
    for (size_t i = 0; i < rows->n; i++) {
        struct row *r = rows->data[i];
        bool trimmed = matches(n->trim, r->name, r->len);
        row_list below = {0};

        if (r->visited[2])
            continue;
        r->visited[2] = true;
        r->met = n->met++;
        if (!trimmed && depth <= n->o->max_depth)
            display(n, &r->kept_children, depth + 1, &below);
        if (n->view == VIEW_CODE && r != n->root && (trimmed || depth > n->o->max_depth)) {
            vec_done(&below);
            continue;
        }
        if (should_show(n, r, depth)) {
            finish_shown(n, r, &below);
            vec_push(out, r);
        } else {
            for (size_t k = 0; k < below.n; k++)
                vec_push(out, below.data[k]);
            vec_done(&below);
        }
    }
}

/* Accounted nodes below R in the kept tree that are not displayed. */
static int64_t hidden_below(const struct row *r)
{
    int64_t hidden = 0;

    for (size_t i = 0; i < r->kept_children.n; i++) {
        const struct row *child = r->kept_children.data[i];

        hidden += hidden_below(child) + (child->shown ? 0 : child->own);
    }
    return hidden;
}

void naive_print(struct strbuf *out, const struct naive_line *line)
{
    sb_addf(out, "%*s%.*s acc %d own %ld", line->depth * 2, "", (int)line->name_len, line->name,
            line->accounted, line->own);
    for (int m = 0; m < METRIC_COUNT; m++)
        sb_addf(out, " %" PRId64 "/%" PRId64, line->self[m], line->total[m]);
    sb_addf(out, " defs %" PRId64 " hidden %" PRId64 "\n", line->defs, line->hidden);
}

static void print(const struct naive *n, struct strbuf *out, const struct row *r, int depth)
{
    const bool single = n->view == VIEW_SCOPE || n->view == VIEW_GRAPH;
    struct naive_line line = {depth,  r->name, r->len, r->accounted, r->own, {0}, {0},
                              single ? r->shown_defs : 0, 0};

    memcpy(line.self, r->self, sizeof line.self);
    memcpy(line.total, r->shown_total, sizeof line.total);
    if (n->view != VIEW_OP) {
        /* The start rows replaced the root's children for display only. */
        line.hidden = hidden_below(r);
        naive_print(out, &line);
        for (size_t i = 0; i < r->shown_children.n; i++)
            print(n, out, r->shown_children.data[i], depth + 1);
    } else {
        naive_print(out, &line);
    }
}

/* ---- op: the list */

static void query_list(struct naive *n, struct strbuf *out)
{
    row_list rows = {0};
    size_t start = 0;
    int64_t depth = 0;

    for (size_t i = 0; i < n->root->children.n; i++) {
        count_self(n, n->root->children.data[i]);
        if (n->root->children.data[i]->own)
            vec_push(&rows, n->root->children.data[i]);
    }
    sort_rows(n, &rows);
    for (size_t i = rows.n; i-- > 0;)
        for (int m = 0; m < METRIC_COUNT; m++)
            rows.data[i]->total[m] =
                rows.data[i]->self[m] + (i + 1 < rows.n ? rows.data[i + 1]->total[m] : 0);
    if (regexes_count(n->start))
        while (start < rows.n && !matches(n->start, rows.data[start]->name, rows.data[start]->len))
            start++;
    for (size_t i = start; i < rows.n; i++, depth++) {
        struct row *r = rows.data[i];

        if (matches(n->trim, r->name, r->len) || depth > n->o->max_depth)
            break;
        r->shown = should_show(n, r, depth);
    }
    for (size_t i = 0; i < rows.n; i++) {
        struct row *r = rows.data[i];

        memcpy(r->shown_total, r->total, sizeof r->total);
        if (!r->shown || !n->o->account_displayed_op_only)
            continue;
        memset(r->shown_total, 0, sizeof r->shown_total);
        for (size_t k = i; k < rows.n; k++)
            for (int m = 0; m < METRIC_COUNT; m++)
                r->shown_total[m] += rows.data[k]->shown ? rows.data[k]->self[m] : 0;
    }
    for (size_t i = 0; i < rows.n; i++)
        if (rows.data[i]->shown)
            print(n, out, rows.data[i], 1);
    vec_done(&rows);
}

static void query_tree(struct naive *n, struct strbuf *out)
{
    row_list top = {0}, all_kept = {0};
    struct row *root = n->root;

    root->visited[0] = true;
    account_children(n, root, &all_kept);
    for (size_t i = 0; i < all_kept.n; i++) {
        for (int m = 0; m < METRIC_COUNT; m++)
            root->total[m] += all_kept.data[i]->total[m];
        root->defs += all_kept.data[i]->defs;
    }
    root->kept_children = all_kept;
    if (!regexes_is_wildcard(n->start)) {
        row_list started = {0};

        search_start(n, &all_kept, &started);
        root->kept_children = started;
    }
    display(n, &(row_list){&root, 1, 1}, 1, &top);
    if (!regexes_is_wildcard(n->start)) {
        vec_done(&root->kept_children);
        root->kept_children = all_kept;
    }
    print(n, out, root, 0);
    vec_done(&top);
}

static struct regexes *compile(const char *list)
{
    struct err err = {0};
    struct regexes *r = regexes_new(list, &err);

    if (!r)
        abort();
    return r;
}

void naive_query(struct strbuf *out, const struct profile *p, enum view_id view,
                 const struct options *o)
{
    static void (*const build[])(struct naive *n) = {
        [VIEW_SCOPE] = build_scope,
        [VIEW_GRAPH] = build_graph,
        [VIEW_OP] = build_op,
        [VIEW_CODE] = build_code,
    };
    struct naive n = {.p = p, .o = o, .view = view};

    n.account = compile(o->account_type_regexes);
    n.start = compile(o->start_name_regexes);
    n.trim = compile(o->trim_name_regexes);
    n.show = compile(o->show_name_regexes);
    n.hide = compile(o->hide_name_regexes);
    n.device = compile(o->device_regexes);
    n.root = new_row(&n, "_TFProfRoot", strlen("_TFProfRoot"));
    build[view](&n);
    if (view == VIEW_OP)
        query_list(&n, out);
    else
        query_tree(&n, out);
    for (size_t i = 0; i < n.all.n; i++) {
        struct row *r = n.all.data[i];

        free(r->name);
        vec_done(&r->nodes);
        vec_done(&r->children);
        vec_done(&r->kept_children);
        vec_done(&r->shown_children);
        free(r);
    }
    vec_done(&n.all);
    regexes_free(n.account);
    regexes_free(n.start);
    regexes_free(n.trim);
    regexes_free(n.show);
    regexes_free(n.hide);
    regexes_free(n.device);
}
