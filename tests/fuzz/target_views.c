/* target_views.c: an input of any kind with every view, every output, the advice and the summary,
 * with operations counted. */
#include <unistd.h>

#include "fixtures/load_with.h"
#include "fixtures/memory_file.h"
#include "look.h"
#include "targets.h"

static void set(struct options *o, const char *name, const char *value)
{
    struct err err = {0};

    FUZZ_REQUIRE(option_set(o, option_find(name), value, &err));
}

static void inspect_all(const struct profile *p)
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
    look_at_views(q, &o);
    /* Again with cached results, in another order. */
    set(&o, "flops", "compat");
    set(&o, "hide_name_regexes", ".*a.*,[^b]*");
    set(&o, "account_displayed_op_only", "true");
    set(&o, "order_by", "bytes");
    set(&o, "min_params", "1");
    look_at_views(q, &o);
    look_at_advice(p, q);
    inspect_summary(p, NULL);
    options_done(&o);
    query_free(q);
}

void target_views(const uint8_t *bytes, size_t size)
{
    struct memory_file file = memory_file(bytes, size);
    struct err err = {0};
    struct profile *p = load_with(SETTINGS(NULL), file.path, &err);

    look_settle(p != NULL, &err);
    if (p)
        inspect_all(p);
    profile_free(p);
    close(file.fd);
}
