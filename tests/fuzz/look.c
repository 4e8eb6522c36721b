/* look.c: computes everything that depends on a profile. */
#include "look.h"

#include <stdlib.h>
#include <string.h>

#include "export/output.h"
#include "scratch.h"
#include "session/summary/summary.h"
#include "view/advise/advise.h"
#include "view/explain/explain.h"

static const struct cancel_mark never;

/* A sink that reads and drops all bytes. */
static bool forget(struct sink *s, const void *bytes, size_t len, struct err *err)
{
    const char *p = bytes;
    volatile char sum = 0;

    (void)s;
    (void)err;
    for (size_t i = 0; i < len; i++)
        sum = (char)(sum ^ p[i]);
    return true;
}

void look_settle(bool ok, struct err *err)
{
    FUZZ_REQUIRE(ok == (err->kind == ERR_NONE));
    FUZZ_REQUIRE(ok || (*err_text(err) && !strchr(err_text(err), '\n')));
    err_done(err);
}

static void write_all(struct result *r)
{
    struct sink sink = {.write = forget};

    for (size_t i = 0; outputs[i]; i++) {
        struct err err = {0};

        if (outputs[i]->write && output_fits(outputs[i], r->view_id, r, &err))
            look_settle(outputs[i]->write(r, &sink, &err), &err);
        err_done(&err);
    }
}

static void explain(const struct result *r)
{
    struct strbuf text = {0};

    for (row_id row = 0; row < r->tree->n_rows; row++)
        explain_row(&text, r, row);
    explain_empty(r, &text);
    explain_name(&text, r, "nobody", 6);
    sb_done(&text);
}

static void inspect_view(struct query *q, enum view_id view, const struct options *o)
{
    struct err err = {0};
    struct result *r = query_run(q, view, o, never, &err);

    look_settle(r != NULL, &err);
    if (r) {
        FUZZ_REQUIRE(r->n_shown < r->tree->n_rows);
        write_all(r);
        explain(r);
        if (view == VIEW_SCOPE)
            look_at_flops(r);
    }
    result_free(r);
}

void look_at_views(struct query *q, const struct options *o)
{
    for (int view = 0; view < VIEW_ADVISE; view++)
        inspect_view(q, (enum view_id)view, o);
}

void look_at_advice(const struct profile *p, struct query *q)
{
    struct err err = {0};
    struct advice *a = advise_run(p, q, NULL, true, never, &err);
    struct sink sink = {.write = forget};

    look_settle(a != NULL, &err);
    for (size_t i = 0; a && outputs[i]; i++)
        if (outputs[i]->write_advice)
            look_settle(outputs[i]->write_advice(a, &sink, &err), &err);
    advice_free(a);
}

void inspect_summary(const struct profile *p, const struct flops *flops)
{
    struct strbuf text = {0};
    struct options o;
    struct summary *s;

    options_init(&o);
    s = summary_new(p, flops, &o);
    summary_print(&text, s);
    summary_free(s);
    options_done(&o);
    sb_done(&text);
}

void look_at_flops(struct result *r)
{
    struct err err = {0};
    const struct flops *f = result_flops(r, &err);
    struct strbuf text = {0};
    size_t n_without_rule;

    look_settle(f != NULL, &err);
    for (node_id node = 0; f && node < r->profile->n_nodes; node++) {
        struct arena arena = {0};
        const struct known_shape *shapes;
        const size_t n = flops_shapes(f, r->profile, node, UINT32_MAX, &arena, &shapes);
        volatile int64_t last = 0;

        for (size_t i = 0; i < n && i < SHAPE_OUTPUTS_MAX; i++)
            for (uint32_t k = 0; k < shapes[i].n_dims; k++)
                last = shapes[i].dims[k];
        (void)last;
        flops_explain(f, node, &text);
        sb_clear(&text);
        arena_done(&arena);
    }
    if (f) {
        flops_coverage(f, &text);
        flops_limits(f, &text);
        free(flops_types_without_rule(f, &n_without_rule));
    }
    sb_done(&text);
}
