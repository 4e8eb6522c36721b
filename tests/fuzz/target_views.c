/* target_views.c: an input of any kind, all the way: every view, every output, the advice and the
 * summary of it, with operations counted. */
#include <unistd.h>

#include "export/output.h"
#include "load/load.h"
#include "fixtures/memory_file.h"
#include "session/summary.h"
#include "targets.h"
#include "view/advise/advise.h"

static const struct cancel_mark never;

/* Forgets what it is given, all of which it looks at. */
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

static void settle(bool ok, struct err *err)
{
    FUZZ_REQUIRE(ok == (err->kind == ERR_NONE));
    err_done(err);
}

static void set(struct options *o, const char *name, const char *value)
{
    struct err err = {0};

    FUZZ_REQUIRE(option_set(o, option_find(name), value, &err));
}

static void write_all(struct result *r)
{
    struct sink sink = {.write = forget};

    for (size_t i = 0; outputs[i]; i++) {
        struct err err = {0};

        if (outputs[i]->write && output_fits(outputs[i], r->view_id, r, &err))
            settle(outputs[i]->write(r, 0, &sink, &err), &err);
        err_done(&err);
    }
}

/* The shapes of all outputs, and the terms of the counts, that the details show. */
static void look_at_details(struct result *r)
{
    enum { MOST_NODES = 500 };
    struct err err = {0};
    const struct flops *f = result_flops(r, &err);
    const struct known_shape *shapes;

    settle(f != NULL, &err);
    for (node_id node = 0; f && node < r->profile->n_nodes && node < MOST_NODES; node++) {
        struct arena arena = {0};
        struct strbuf text = {0};
        const size_t n = flops_shapes(f, r->profile, node, &arena, &shapes);
        volatile int64_t last = 0;

        for (size_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < shapes[i].n_dims; k++)
                last = shapes[i].dims[k];
        (void)last;
        flops_explain(f, node, &text);
        sb_done(&text);
        arena_done(&arena);
    }
}

static void look(struct query *q, enum view_id view, const struct options *o)
{
    struct err err = {0};
    struct result *r = query_run(q, view, o, never, &err);

    settle(r != NULL, &err);
    if (r) {
        FUZZ_REQUIRE(r->n_shown < r->tree->n_rows);
        write_all(r);
        if (view == VIEW_SCOPE)
            look_at_details(r);
    }
    result_free(r);
}

static void advise(const struct profile *p, struct query *q)
{
    struct err err = {0};
    struct advice *a = advise_run(p, q, never, &err);

    settle(a != NULL, &err);
    advice_free(a);
}

static void summarise(const struct profile *p)
{
    struct strbuf text = {0};
    struct summary *s = summary_new(p, NULL);

    summary_print(&text, s);
    summary_free(s);
    sb_done(&text);
}

static void look_at_all(const struct profile *p)
{
    struct query *q = query_new_threads(p, 1);
    struct options o;

    options_init(&o);
    set(&o, "max_depth", "1000");
    set(&o, "flops", "full");
    set(&o, "batch", "3");
    set(&o, "select",
        "params,float_ops,micros,bytes,peak_bytes,residual_bytes,output_bytes,accelerator_micros,"
        "cpu_micros,occurrence,device,op_types,input_shapes,tensor_value");
    for (int view = 0; view < VIEW_ADVISE; view++)
        look(q, (enum view_id)view, &o);
    /* The same again from what is kept, other than asked first. */
    set(&o, "flops", "compat");
    set(&o, "hide_name_regexes", ".*a.*,[^b]*");
    set(&o, "account_displayed_op_only", "true");
    set(&o, "order_by", "bytes");
    set(&o, "min_params", "1");
    for (int view = VIEW_ADVISE - 1; view >= 0; view--)
        look(q, (enum view_id)view, &o);
    advise(p, q);
    summarise(p);
    options_done(&o);
    query_free(q);
}

void target_views(const uint8_t *bytes, size_t size)
{
    struct memory_file file = memory_file(bytes, size);
    const char *path = file.path;
    const struct load_request request = {.files = &path, .n_files = 1};
    struct err err = {0};
    struct profile *p = load_profile(&request, NULL, never, &err);

    settle(p != NULL, &err);
    if (p)
        look_at_all(p);
    profile_free(p);
    close(file.fd);
}
