/* advise_trace_waits.c: blocking synchronization: time of threads in calls that wait for an
 * accelerator. */
#include <inttypes.h>

#include "base/satmath.h"
#include "model/profile_kind.h"
#include "model/recorder.h"
#include "view/advise/advise_places.h"

/* reported from this share of the CPU time on */
static const double MUCH = 0.02;

/* Adds time and count of part ID over all steps. */
static void add_part(amounts *all, const struct profile *p, node_id id)
{
    struct exec_walk walk = profile_execs(p, id);
    int64_t cpu_ps = 0, runs = 0;
    struct exec e;

    while (exec_next(&walk, &e)) {
        cpu_ps = clamp_add(cpu_ps, e.cpu_ps);
        runs = clamp_add(runs, e.run_count);
    }
    amounts_add(all, profile_node_of_part(p, id), p->stack[id], cpu_ps, (uint64_t)(runs > 0 ? runs : 0));
}

static bool check(struct advise *a, struct err *err UNUSED)
{
    const struct profile *p = a->profile;
    const int64_t cpu_ps = profile_recorders(p).cpu_ps;
    int64_t waited_ps = 0;
    uint64_t n = 0;
    amounts all = {0};
    struct strbuf line = {0};

    for (node_id id = p->n_nodes; id < profile_n_ids(p); id++)
        if (call_waits(profile_text(p, p->op[id])))
            add_part(&all, p, id);
    amounts_merge(&all);
    for (size_t i = 0; i < all.n; i++) {
        waited_ps = clamp_add(waited_ps, all.data[i].amount);
        n += all.data[i].count;
    }
    if (n && (double)waited_ps >= MUCH * (double)cpu_ps) {
        advise_report(a);
        sb_addf(&line, "%" PRIu64 " call%s for an accelerator: ", n, n == 1 ? " waits" : "s wait");
        advise_add_share(&line, UNIT_TIME_PS, waited_ps, cpu_ps);
        sb_adds(&line, " of the time on CPUs");
        advise_line(a, &line);
        amounts_report(a, &all, UNIT_TIME_PS, waited_ps, "waiting call", "waits for an accelerator");
    }
    vec_done(&all);
    return true;
}

const struct checker checker_waits = {
    .name = "SynchronizationChecker",
    .id = "sync",
    .command = "op",
    .help = "blocking synchronization",
    .applies = advise_has_trace,
    .check = check,
};
