/* advise_operations.c: operations for which a faster variant exists. */
#include <string.h>

#include "load/graph/attrs.h"
#include "view/advise/advise_priv.h"

enum { CANCEL_EVERY = 1024 };

static bool name_contains(const struct profile *p, node_id node, const char *what)
{
    return memmem(profile_text(p, p->name[node]), intern_len(&p->strings, p->name[node]), what,
                  strlen(what)) != NULL;
}

/* True when a type of some node contains WHAT. */
static bool type_contains(const struct profile *p, const char *what)
{
    for (uint32_t i = 0; i < p->typeset_begin[p->n_typesets]; i++) {
        const struct text type = intern_string(&p->strings, p->typeset_types[i]);

        if (memmem(type.bytes, type.len, what, strlen(what)))
            return true;
    }
    return false;
}

/* Fused types have several names: FusedBatchNormV3, _FusedBatchNormEx,
 * _MklNativeFusedBatchNormV3. */
static void check_batch_norm(struct advise *a)
{
    const struct profile *p = a->profile;
    bool found = false;

    if (type_contains(p, "FusedBatchNorm"))
        return;
    for (node_id node = 0; node < p->n_nodes; node++)
        if (name_contains(p, node, "BatchNorm")) {
            found = true;
            advise_mark(a, node, "BatchNorm, try FusedBatchNorm");
        }
    if (found)
        advise_report_text(a, "Maybe use faster FusedBatchNorm instead of BatchNorm");
}

static bool is_nhwc(const struct profile *p, node_id node, struct arena *arena)
{
    size_t n;
    const struct attr *attrs = attrs_decode(p, node, arena, &n);
    const struct attr_value *format = attrs_find(attrs, n, "data_format");

    return format && format->kind == ATTR_STRING && format->v.s.len == 4 &&
           memcmp(format->v.s.bytes, "NHWC", 4) == 0;
}

/* Returns false when cancelled. */
static bool check_data_format(struct advise *a)
{
    const struct profile *p = a->profile;
    struct arena arena = {0};
    bool found = false, cancelled = false;

    for (node_id node = 0; node < p->n_nodes && !cancelled; node++) {
        cancelled = node % CANCEL_EVERY == 0 && cancel_asked(a->cancel);
        if (!profile_on_accelerator(p, node))
            continue;
        arena_reset(&arena);
        if (is_nhwc(p, node, &arena)) {
            found = true;
            advise_mark(a, node, "NHWC on GPU, try NCHW");
        }
    }
    arena_done(&arena);
    if (found && !cancelled)
        advise_report_text(a, "Found operation using NHWC data_format on GPU. Maybe NCHW is faster.");
    return !cancelled;
}

static bool check(struct advise *a, struct err *err)
{
    check_batch_norm(a);
    return check_data_format(a) || err_set(err, ERR_CANCELLED, "cancelled");
}

const struct checker checker_operations = {
    .name = "OperationChecker",
    .id = "operation",
    .help = "operations that have a faster form",
    .applies = advise_has_graph,
    .check = check,
};
