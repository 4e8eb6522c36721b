/* advise_graphs.c: graph replays without modules, and tokens per second by phase. */
#include <inttypes.h>

#include "base/satmath.h"
#include "view/advise/advise_places.h"
#include "view/advise/advise_priv.h"

/* minimum share of the accelerator time for a report */
static const double MUCH = 0.1;

struct phase_sum {
    uint64_t n;
    int64_t tokens, busy_ns;
};

static void sum_phases(const struct profile *p, struct phase_sum *sums)
{
    for (uint32_t i = 0; i < p->n_recorders; i++)
        for (uint32_t k = 0; k < p->recorders[i].n_iterations; k++) {
            const struct iteration *it = &p->recorders[i].iterations[k];
            struct phase_sum *sum = &sums[iteration_phase_of(&it->counts)];

            sum->n++;
            sum->tokens = clamp_add(sum->tokens, clamp_add(it->counts.context.tokens,
                                                           it->counts.generation.tokens));
            sum->busy_ns = clamp_add(sum->busy_ns, it->busy_ns);
        }
}

/* True when there are prefill iterations and decode-only iterations. */
static bool has_both(const struct phase_sum *sums)
{
    return sums[PHASE_DECODE].n && sums[PHASE_PREFILL].n + sums[PHASE_MIXED].n;
}

static bool applies(const struct profile *p)
{
    struct phase_sum sums[PHASE_COUNT] = {{0}};

    sum_phases(p, sums);
    return has_both(sums) || (p->graphs && p->graphs->n_rows);
}

/* Reason with the most unassigned time; JOIN_FITS: kernels of joined replays. */
static enum join_reason main_reason(const struct graph_replays *g)
{
    int64_t ns[JOIN_REASON_COUNT] = {0};
    enum join_reason most = JOIN_FITS;

    for (uint32_t i = 0; i < g->n_rows; i++)
        ns[g->rows[i].reason] =
            clamp_add(ns[g->rows[i].reason], g->rows[i].accelerator_ns - g->rows[i].placed_ns);
    for (int i = 0; i < JOIN_REASON_COUNT; i++)
        if (ns[i] > ns[most])
            most = (enum join_reason)i;
    return most;
}

static const char *words_of(enum join_reason reason)
{
    static const char *const words[JOIN_REASON_COUNT] = {
        [JOIN_FITS] = "their kernels are not in the capture, or ambiguous",
        [JOIN_NO_CAPTURE] = "there is no graph capture",
        [JOIN_SIZE] = "there is no graph capture of their batch size",
        [JOIN_MISSING] = "a listed graph capture is missing",
        [JOIN_GRAPHS] = "the capture has another number of graphs",
        [JOIN_NAMES] = "the capture has other kernels",
        [JOIN_STREAMS] = "streams do not follow the order of launches",
        [JOIN_AMBIGUOUS] = "several captured graphs fit",
    };

    return words[reason];
}

static void report_unplaced(struct advise *a)
{
    const struct graph_replays *g = a->profile->graphs;
    struct strbuf line = {0};
    const int64_t all_ns = profile_recorders(a->profile).accelerator_ps / PS_PER_NS;
    int64_t unplaced_ns;
    struct graph_totals totals;

    if (!g)
        return;
    totals = graph_totals_of(g);
    unplaced_ns = clamp_sub(totals.accelerator_ns, totals.placed_ns);
    if (unplaced_ns <= 0 || (double)unplaced_ns < MUCH * (double)all_ns)
        return;
    advise_report(a);
    sb_adds(&line, "graph replays without modules: ");
    advise_add_share(&line, UNIT_TIME_PS, clamp_mul(unplaced_ns, PS_PER_NS), clamp_mul(all_ns, PS_PER_NS));
    sb_addf(&line, " of the accelerator time: %s", words_of(main_reason(g)));
    advise_line(a, &line);
    sb_adds(&line, "record graph captures: vLLM with --profiler-config.capture_torch_profiler True, SGLang "
                   "with --enable-profile-cuda-graph (since 0.5.13 also "
                   "SGLANG_GRAPH_BATCH_CAPTURE=1); then give them with -capture");
    advise_line(a, &line);
}

static void report_rates(struct advise *a)
{
    struct phase_sum sums[PHASE_COUNT] = {{0}};
    struct strbuf line = {0};
    const char *between = "tokens per second of busy time: ";

    sum_phases(a->profile, sums);
    if (!has_both(sums))
        return;
    for (int i = 0; i < PHASE_COUNT; i++) {
        if (sums[i].busy_ns <= 0)
            continue;
        sb_addf(&line, "%s%s %.1f (%" PRIu64 " iteration%s)", between,
                iteration_phase_name((enum iteration_phase)i),
                1e9 * (double)sums[i].tokens / (double)sums[i].busy_ns, sums[i].n,
                sums[i].n == 1 ? "" : "s");
        between = ", ";
    }
    if (!line.len)
        return;
    advise_report(a);
    advise_line(a, &line);
}

static bool check(struct advise *a, struct err *err UNUSED)
{
    report_unplaced(a);
    report_rates(a);
    return true;
}

const struct checker checker_graphs = {
    .name = "GraphChecker",
    .id = "graphs",
    .command = "iterations",
    .help = "replays of graphs without modules, and tokens per second by phase",
    .applies = applies,
    .check = check,
};
