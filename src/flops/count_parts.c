/* count_parts.c: operation counts of the calls in traces (formats-trace.md section 6). */
#include <inttypes.h>
#include <string.h>

#include "base/lower_bound.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "flops/flops_priv.h"
#include "model/profile_kind.h"

/* The state of a node with parts: the highest in says_max that one of its parts has. */
static uint8_t state_of_parts(const struct flops *f, const struct profile *p, node_id node)
{
    static const uint8_t says_max[] = {FLOPS_UNKNOWN_SHAPE, FLOPS_COUNTED, FLOPS_NO_RULE};

    for (size_t s = 0; s < sizeof says_max; s++)
        for (uint32_t i = p->part_begin[node]; i < p->part_begin[node + 1]; i++)
            if (f->state[p->n_nodes + i] == says_max[s])
                return says_max[s];
    return FLOPS_NO_COMPUTE;
}

/* NAME without its last component. */
static struct text parent_of(struct text name)
{
    const char *slash = memrchr(name.bytes, '/', name.len);

    return (struct text){name.bytes, slash ? (uint32_t)(slash - name.bytes) : 0};
}

static struct text name_of(const struct profile *p, node_id node)
{
    return intern_string(&p->strings, p->name[node]);
}

static bool ends_with(struct text name, struct text end)
{
    return name.len >= end.len &&
           memcmp(name.bytes + name.len - end.len, end.bytes, end.len) == 0 &&
           (name.len == end.len || name.bytes[name.len - end.len - 1] == '/');
}

/* True when NAME sorts before PREFIX followed by the byte BEHIND. */
static bool is_before(struct text name, struct text prefix, char behind)
{
    const uint32_t n = name.len < prefix.len ? name.len : prefix.len;
    const int order = memcmp(name.bytes, prefix.bytes, n);

    return order ? order < 0 : name.len <= prefix.len || name.bytes[prefix.len] < behind;
}

/* The number of nodes below the node named NAME. */
static size_t n_below(const struct profile *p, struct text name)
{
    size_t begin = 0, end = 0;

    LOWER_BOUND(begin, p->n_nodes, i, is_before(name_of(p, p->by_name[i]), name, '/'));
    LOWER_BOUND(end, p->n_nodes, i, is_before(name_of(p, p->by_name[i]), name, '/' + 1));
    return end - begin;
}

/* True when NODE and its caller are the same operator and the caller has no other child, as
 * aten::mul has for scalars: torch counts this as one call. */
static bool repeats_caller(const struct profile *p, node_id node)
{
    const struct text name = name_of(p, node), caller = parent_of(name);
    const struct text op = intern_string(&p->strings, p->op[node]);

    return ends_with(name, op) && ends_with(caller, op) && n_below(p, caller) == n_below(p, name) + 1;
}

static void count_part(struct flops *f, const struct profile *p, uint32_t i,
                       const struct flops_request *request)
{
    const node_id id = p->n_nodes + i;
    int64_t bytes;

    f->state[id] =
        (uint8_t)count_aten(profile_text(p, p->op[id]), profile_text(p, p->call_dims[i]),
                            profile_text(p, p->call_values[i]),
                            request->rules == FLOPS_RULES_FULL, &f->count[id], &bytes);
    if (bytes && !f->bytes)
        f->bytes = xcalloc(profile_n_ids(p), sizeof *f->bytes);
    if (bytes)
        f->bytes[id] = bytes;
    if (request->macs)
        f->count[id] = quotient(f->count[id], 2);
}

void count_parts(struct flops *f, const struct profile *p, const struct flops_request *request)
{
    for (node_id node = 0; node < p->n_nodes; node++) {
        const uint32_t end = p->part_begin[node + 1];
        bool counts = false;

        for (uint32_t i = p->part_begin[node]; i < end; i++) {
            count_part(f, p, i, request);
            counts |= f->count[p->n_nodes + i] != 0;
        }
        if (counts && request->rules != FLOPS_RULES_FULL && repeats_caller(p, node))
            for (uint32_t i = p->part_begin[node]; i < end; i++)
                f->count[p->n_nodes + i] = 0;
        f->state[node] = state_of_parts(f, p, node);
    }
}

/* Sums over parts, in all steps. */
struct share {
    int64_t n_runs, cpu_ps, accelerator_ps;
};

static void add_runs(struct share *share, const struct profile *p, node_id id)
{
    struct exec_walk walk = profile_execs(p, id);
    struct exec e;

    while (exec_next(&walk, &e)) {
        share->n_runs = clamp_add(share->n_runs, e.run_count);
        share->cpu_ps = clamp_add(share->cpu_ps, e.cpu_ps);
        share->accelerator_ps = clamp_add(share->accelerator_ps, e.accelerator_ps);
    }
}

static double percent(int64_t part, int64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

/* Appends how many calls have a rule but lack shapes or arguments in the trace. */
static void add_without_shapes(struct strbuf *sb, const struct profile *p, const struct flops *f)
{
    struct share without_shapes = {0}, with_shapes = {0};
    bool has_shapes = profile_recorders(p).has_shapes;

    for (uint32_t i = 0; i < p->n_parts; i++) {
        has_shapes |= p->call_dims[i] != STRID_EMPTY;
        if (f->state[p->n_nodes + i] == FLOPS_UNKNOWN_SHAPE)
            add_runs(p->call_dims[i] == STRID_EMPTY ? &without_shapes : &with_shapes, p,
                     p->n_nodes + i);
    }
    if (without_shapes.n_runs)
        sb_addf(sb, "; %" PRId64 " have a rule but no shapes%s", without_shapes.n_runs,
                has_shapes ? "" : ": record_shapes=True records them");
    if (with_shapes.n_runs)
        sb_addf(sb, "; %" PRId64 " have a rule but not all arguments that it needs",
                with_shapes.n_runs);
}

void parts_coverage(const struct flops *f, const struct profile *p, struct strbuf *sb)
{
    struct share all = {0}, by_state[FLOPS_NO_RULE + 1] = {{0}};
    const struct share *counted = &by_state[FLOPS_COUNTED];

    for (uint32_t i = 0; i < p->n_parts; i++) {
        add_runs(&all, p, p->n_nodes + i);
        add_runs(&by_state[f->state[p->n_nodes + i]], p, p->n_nodes + i);
    }
    sb_addf(sb,
            "counted %" PRId64 " calls, which have %.1f%% of the time on CPUs and %.1f%% on "
            "accelerators",
            counted->n_runs, percent(counted->cpu_ps, all.cpu_ps),
            percent(counted->accelerator_ps, all.accelerator_ps));
    add_without_shapes(sb, p, f);
    sb_addf(sb, "; %" PRId64 " are of operators without a rule", by_state[FLOPS_NO_RULE].n_runs);
}
