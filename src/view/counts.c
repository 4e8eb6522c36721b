/* counts.c: FLOP counts for -flops and its options. */
#include "view/counts.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "load/graph/attrs.h"
#include "model/attr.h"
#include "model/profile_kind.h"

struct counts {
    const struct profile *profile;
    int mode; /* enum flops_mode */
    struct flops_request request; /* its `bind` is that of this object */
    char *bind; /* NULL: none */
    _Atomic uint32_t refs;
    pthread_mutex_t lock; /* held while flops or tensor_bytes are computed */
    _Atomic(struct flops *) flops;
    int64_t *tensor_bytes; /* NULL: not computed yet */
};

static bool has_recorded_counts(const struct profile *p)
{
    for (node_id node = 0; node < p->n_nodes; node++)
        if (p->static_float_ops[node])
            return true;
    return false;
}

/* Recorded counts take precedence; rules apply to other nodes. */
static enum flops_rules rules_of(const struct profile *p, const struct options *o)
{
    static const enum flops_rules by_mode[] = {
        [FLOPS_LOG] = FLOPS_RULES_LOG,
        [FLOPS_COMPAT] = FLOPS_RULES_COMPAT,
        [FLOPS_FULL] = FLOPS_RULES_FULL,
    };

    _Static_assert(sizeof by_mode / sizeof *by_mode == FLOPS_MODE_COUNT, "rules for each mode");
    _Static_assert((int)FLOPS_SINCE_COUNT == (int)FLOPS_RELEASE_COUNT,
                   "a release for each word of the option");

    if (o->flops != FLOPS_DEFAULT)
        return by_mode[o->flops];
    if (p->stored_rules)
        return (enum flops_rules)(p->stored_rules - 1);
    if (p->n_parts)
        return FLOPS_RULES_COMPAT;
    return has_recorded_counts(p) || !profile_has_definitions(p) ? FLOPS_RULES_LOG : FLOPS_RULES_COMPAT;
}

struct counts *counts_new(const struct profile *p, const struct options *o)
{
    struct counts *c = xcalloc(1, sizeof *c);

    c->profile = p;
    c->mode = o->flops;
    c->bind = o->bind ? xstrdup(o->bind) : NULL;
    c->request = (struct flops_request){
        .rules = rules_of(p, o),
        .macs = o->flops_unit == FLOPS_UNIT_MACS,
        .loops = o->flops_loops,
        .release = (enum flops_release)o->flops_release,
        .transcendental = o->flops_transcendental,
        .division = o->flops_division,
        .batch = o->batch,
        .bind = c->bind,
        .attrs = &attrs_source,
        .functions = p->functions,
    };
    atomic_init(&c->refs, 1);
    pthread_mutex_init(&c->lock, NULL);
    return c;
}

struct counts *counts_ref(struct counts *c)
{
    if (c)
        atomic_fetch_add(&c->refs, 1);
    return c;
}

void counts_unref(struct counts *c)
{
    if (!c || atomic_fetch_sub(&c->refs, 1) != 1)
        return;
    flops_free(atomic_load(&c->flops));
    free(c->tensor_bytes);
    pthread_mutex_destroy(&c->lock);
    EACH(free, c->bind, c);
}

bool counts_fits(const struct counts *c, const struct options *o)
{
    const struct flops_request *r = &c->request;
    const char *mine = c->bind ? c->bind : "", *asked = o->bind ? o->bind : "";

    return c->mode == o->flops && r->macs == (o->flops_unit == FLOPS_UNIT_MACS) &&
           r->loops == o->flops_loops && (int)r->release == o->flops_release &&
           r->transcendental == o->flops_transcendental && r->division == o->flops_division &&
           r->batch == o->batch && strcmp(mine, asked) == 0;
}

const struct flops *counts_get(struct counts *c, struct cancel_mark cancel, struct err *err)
{
    struct flops *flops;

    pthread_mutex_lock(&c->lock);
    flops = atomic_load(&c->flops);
    if (!flops) {
        flops = flops_compute(c->profile, &c->request, cancel, err);
        atomic_store(&c->flops, flops);
    }
    pthread_mutex_unlock(&c->lock);
    return flops;
}

const int64_t *counts_tensor_bytes(struct counts *c)
{
    const int64_t *bytes;

    pthread_mutex_lock(&c->lock);
    if (!c->tensor_bytes)
        c->tensor_bytes = tensor_bytes_new(c->profile);
    bytes = c->tensor_bytes;
    pthread_mutex_unlock(&c->lock);
    return bytes;
}

const struct flops *counts_made(struct counts *c)
{
    return atomic_load(&c->flops); /* does not block on a computation in progress */
}

const int64_t *counts_column(struct counts *c)
{
    const struct flops *flops = counts_made(c);

    if (flops)
        return flops->count;
    return c->request.rules == FLOPS_RULES_LOG ? c->profile->static_float_ops : NULL;
}
