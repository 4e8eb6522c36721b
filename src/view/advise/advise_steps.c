/* advise_steps.c: slow steps of a capture, and the op whose time grew most in them. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/satmath.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "model/events.h"
#include "model/format.h"
#include "view/advise/advise_items.h"

static const double SLOW = 1.5; /* slow: this multiple of the median */
/* Shares of a step's growth: large enough to explain it, too small to explain it. */
static const double LARGE_PART = 0.5, SMALL_PART = 0.1;

struct step_time {
    int64_t step, dur_ps;
};

typedef VEC(struct step_time) step_times;

COMPARE_BY_TWO(by_step_and_host, struct profile_mark, step, host)

static void add_step(step_times *times, int64_t step, int64_t dur_ps)
{
    struct step_time *last = times->n ? &times->data[times->n - 1] : NULL;

    if (!last || last->step != step)
        vec_push(times, ((struct step_time){step, dur_ps}));
    else if (dur_ps > last->dur_ps)
        last->dur_ps = dur_ps;
}

/* True when DEVICE ran programs of MARK's step after the mark's end, as when the host only
 * dispatches them. Both have the same host. */
static bool outlasts(const struct profile *p, const struct program_step_device *device,
                     const struct profile_mark *mark)
{
    return p->programs->devices[device->device].host == p->events->hosts.data[mark->host].name &&
           device->end_ps >= device->begin_ps &&
           (device->begin_ps < mark->start_ps || device->end_ps > mark->end_ps);
}

/* Length of a step on a host that was marked for DUR_PS: that time, or longer if a device outlasts
 * MARK, one of the marks of STEP. */
static int64_t step_ps(const struct profile *p, const struct profile_mark *mark, int64_t step,
                       int64_t dur_ps)
{
    const struct programs *c = p->programs;
    size_t at = 0;

    LOWER_BOUND(at, c->n_step_devices, i, c->step_devices[i].step < step);
    for (; at < c->n_step_devices && c->step_devices[at].step == step; at++) {
        const struct program_step_device *d = &c->step_devices[at];

        if (outlasts(p, d, mark) && clamp_sub(d->end_ps, d->begin_ps) > dur_ps)
            dur_ps = clamp_sub(d->end_ps, d->begin_ps);
    }
    return dur_ps;
}

/* Adds marks of a step on one host; of several hosts the longest counts. */
static void find_marked(const struct profile *p, step_times *times)
{
    VEC(struct profile_mark) marks = {0};

    vec_each(const struct profile_mark, m, &p->events->marks)
        vec_push(&marks, *m);
    vec_sort(&marks, by_step_and_host);
    for (size_t i = 0, end; i < marks.n; i = end) {
        const int64_t step = p->events->steps.data[marks.data[i].step].number;
        int64_t dur_ps = 0;

        for (end = i; end < marks.n && by_step_and_host(&marks.data[i], &marks.data[end]) == 0; end++)
            dur_ps = clamp_add(dur_ps, clamp_sub(marks.data[end].end_ps, marks.data[end].start_ps));
        add_step(times, step, step_ps(p, &marks.data[i], step, dur_ps));
    }
    vec_done(&marks);
}

/* Without step marks, the busiest device determines the step time. */
static void find_busy(const struct programs *c, step_times *times)
{
    for (size_t i = 0; i < c->n_step_devices; i++)
        if (device_counts(c, &c->devices[c->step_devices[i].device]))
            add_step(times, c->step_devices[i].step, c->step_devices[i].self_ps);
}

COMPARE_BY_TWO(by_duration, struct step_time, dur_ps, step)

static int64_t ps_at(const struct profile *p, node_id node, int64_t step)
{
    struct exec e;

    return profile_exec(p, node, step, &e) ? clamp_add(e.accelerator_ps, e.cpu_ps) : 0;
}

/* Node whose time in step SLOW exceeds that in step USUAL most; growth 0: none. */
static struct ranked_node find_grown(const struct profile *p, int64_t slow, int64_t usual)
{
    struct ranked_node most[1] = {{0}};
    size_t n = 0;

    for (node_id node = 0; node < p->n_nodes; node++) {
        const int64_t grown_ps = clamp_sub(ps_at(p, node, slow), ps_at(p, node, usual));

        if (grown_ps > 0)
            rank_node(most, &n, 1, (struct ranked_node){node, grown_ps});
    }
    return most[0];
}

/* Compile time within the marks of STEP, on the host where it is longest. */
static int64_t compile_ps(const struct event_store *s, int64_t step)
{
    int64_t *of_host = xcalloc(s->hosts.n, sizeof *of_host), longest_ps = 0;

    vec_each(const struct profile_mark, m, &s->marks) {
        if (s->steps.data[m->step].number != step)
            continue;
        of_host[m->host] = clamp_add(of_host[m->host], m->compile_ps);
        KEEP_MAX(longest_ps, of_host[m->host]);
    }
    free(of_host);
    return longest_ps;
}

/* Appends the op's times in the usual step and in the slow one. */
static void add_growth(struct strbuf *line, int64_t usual_ps, int64_t slow_ps)
{
    if (usual_ps > 0) {
        sb_adds(line, " grew most, from ");
        format_time(line, usual_ps);
        sb_adds(line, " to ");
        format_time(line, slow_ps);
        return;
    }
    sb_adds(line, " ran in it for ");
    format_time(line, slow_ps);
    sb_adds(line, ", and not in the median one");
}

/* Appends the op that grew most, or that no op explains the growth if its share is small. */
static void add_grown(struct advise *a, struct strbuf *line, const struct step_time *slow,
                      const struct step_time *usual)
{
    const struct profile *p = a->profile;
    const struct ranked_node most = find_grown(p, slow->step, usual->step);

    if (!most.ps) {
        sb_adds(line, "; none of its ops took longer: look at the time between ops");
        return;
    }
    if ((double)most.ps < SMALL_PART * (double)clamp_sub(slow->dur_ps, usual->dur_ps))
        sb_adds(line, "; no op explains it: look at the time between ops");
    sb_adds(line, "; ");
    add_text(line, p, p->name[most.node]);
    add_growth(line, ps_at(p, most.node, usual->step), ps_at(p, most.node, slow->step));
    advise_mark(a, most.node, "grew most in the slowest step");
}

/* Appends the cause of the slow step: compilation, or an op. */
static void add_cause(struct advise *a, struct strbuf *line, const struct step_time *slow,
                      const struct step_time *usual)
{
    const struct event_store *s = a->profile->events;
    const int64_t slow_ps = compile_ps(s, slow->step);
    const int64_t more_ps = clamp_sub(slow_ps, compile_ps(s, usual->step));

    if ((double)more_ps < LARGE_PART * (double)clamp_sub(slow->dur_ps, usual->dur_ps)) {
        add_grown(a, line, slow, usual);
        return;
    }
    sb_adds(line, "; programs were compiled for ");
    format_time(line, slow_ps);
    sb_adds(line, " of it: changed shapes or constants cause recompilation");
}

static void report(struct advise *a, const step_times *times)
{
    const struct step_time *median = &times->data[(times->n - 1) / 2];
    const struct step_time *slowest = &times->data[times->n - 1];
    const double factor =
        median->dur_ps > 0 ? (double)slowest->dur_ps / (double)median->dur_ps : 1;
    struct strbuf line = {0};

    advise_report(a);
    sb_addf(&line, "%zu steps take ", times->n);
    format_time(&line, median->dur_ps);
    sb_addf(&line, "%s, the slowest one, %" PRId64 ", ",
            a->profile->events->marks.n ? "" : " on the busiest device", slowest->step);
    format_time(&line, slowest->dur_ps);
    sb_addf(&line, ", %.2f times as long", factor);
    if (factor > SLOW)
        add_cause(a, &line, slowest, median);
    advise_line(a, &line);
}

static bool check(struct advise *a, struct err *err UNUSED)
{
    step_times times = {0};

    if (a->profile->events->marks.n)
        find_marked(a->profile, &times);
    else
        find_busy(a->profile->programs, &times);
    vec_sort(&times, by_duration);
    if (times.n > 1)
        report(a, &times);
    vec_done(&times);
    return true;
}

const struct checker checker_steps = {
    .name = "StepChecker",
    .id = "step",
    .command = "breakdown",
    .help = "steps that took much longer than others, and which op grew",
    .applies = profile_ran_programs,
    .check = check,
};
