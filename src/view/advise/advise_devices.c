/* advise_devices.c: devices and hosts of a capture that are slower than others in the same step. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/compare.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "model/format.h"
#include "view/advise/advise_items.h"

static const double SLOW = 1.1; /* slow: this multiple of the median */

/* A device in one step; for hosts, the slowest device of the host in that step. */
struct competitor {
    strid name;
    int64_t self_ps;
};

typedef VEC(struct competitor) competitors;

/* Number of steps in which a device or host was the slowest and exceeded SLOW, and the worst one;
 * `worst` is the ratio to the median. */
struct slowness {
    strid name;
    uint32_t n_steps;
    int64_t worst_step, worst_ps, median_ps;
    double worst;
};

struct race {
    const char *what;     /* "device" or "host" */
    bool of_hosts;
    uint32_t n_steps;     /* number of steps with at least two competitors */
    uint32_t *index_of_name;      /* [strings.n] by name: index in slow + 1; 0: none */
    VEC(struct slowness) slow;
};

COMPARE_CHAIN(by_self, struct competitor, UP(self_ps) || DOWN(name))

static struct slowness *slowness_of(struct race *race, strid name)
{
    if (!race->index_of_name[name]) {
        vec_push(&race->slow, ((struct slowness){.name = name}));
        race->index_of_name[name] = (uint32_t)race->slow.n;
    }
    return &race->slow.data[race->index_of_name[name] - 1];
}

static void run(struct race *race, int64_t step, competitors *of)
{
    const struct competitor *median, *slowest;
    struct slowness *slow;
    double factor;

    if (of->n < 2)
        return;
    race->n_steps++;
    vec_sort(of, by_self);
    median = &of->data[(of->n - 1) / 2];
    slowest = &of->data[of->n - 1];
    if (median->self_ps <= 0)
        return;
    factor = (double)slowest->self_ps / (double)median->self_ps;
    if (factor <= SLOW)
        return;
    slow = slowness_of(race, slowest->name);
    slow->n_steps++;
    if (factor <= slow->worst)
        return;
    slow->worst = factor;
    slow->worst_step = step;
    slow->worst_ps = slowest->self_ps;
    slow->median_ps = median->self_ps;
}

static void add_competitor(competitors *of, uint32_t *index_of_name, strid name,
                           const struct program_step_device *from)
{
    struct competitor *to;

    if (!index_of_name[name]) {
        vec_push(of, ((struct competitor){name, from->self_ps}));
        index_of_name[name] = (uint32_t)of->n;
        return;
    }
    to = &of->data[index_of_name[name] - 1];
    if (from->self_ps > to->self_ps)
        *to = (struct competitor){name, from->self_ps};
}

/* Finds the slowest competitor of each step. */
static void find(const struct advise *a, struct race *race)
{
    const struct programs *c = a->profile->programs;
    uint32_t *index_of_name = xcalloc((size_t)a->profile->strings.n + 1, sizeof *index_of_name);
    competitors of = {0};

    for (size_t from = 0, to; from < c->n_step_devices; from = to) {
        const int64_t step = c->step_devices[from].step;

        of.n = 0;
        for (to = from; to < c->n_step_devices && c->step_devices[to].step == step; to++) {
            const struct program_device *d = &c->devices[c->step_devices[to].device];

            if (device_counts(c, d))
                add_competitor(&of, index_of_name, race->of_hosts ? d->host : d->name,
                               &c->step_devices[to]);
        }
        for (size_t i = 0; i < of.n; i++)
            index_of_name[of.data[i].name] = 0;
        run(race, step, &of);
    }
    vec_done(&of);
    free(index_of_name);
}

COMPARE_CHAIN(by_steps, struct slowness, DOWN(n_steps) || DOWN(worst))

static void report_slow(struct advise *a, const struct race *race, const struct slowness *slow)
{
    struct strbuf line = {0};

    sb_addf(&line, "%s ", race->what);
    add_text(&line, a->profile, slow->name);
    sb_addf(&line, " is the slowest in %" PRIu32 " of %" PRIu32 " steps, in step %" PRId64 " ",
            slow->n_steps, race->n_steps, slow->worst_step);
    format_time(&line, slow->worst_ps);
    sb_addf(&line, ", %.2f times the median of ", slow->worst);
    format_time(&line, slow->median_ps);
    advise_line(a, &line);
}

static void check_race(struct advise *a, const char *what, bool of_hosts)
{
    const size_t n_strings = (size_t)a->profile->strings.n + 1;
    struct race race = {.what = what, .of_hosts = of_hosts};

    race.index_of_name = xcalloc(n_strings, sizeof *race.index_of_name);
    find(a, &race);
    vec_sort(&race.slow, by_steps);
    if (race.slow.n)
        advise_report(a);
    for (size_t i = 0; i < race.slow.n && i < ADVICE_MAX_LINES; i++)
        report_slow(a, &race, &race.slow.data[i]);
    if (race.slow.n)
        advise_more(a, race.slow.n);
    vec_done(&race.slow);
    free(race.index_of_name);
}

static bool check(struct advise *a, struct err *err UNUSED)
{
    check_race(a, "device", false);
    check_race(a, "host", true);
    return true;
}

const struct checker checker_devices = {
    .name = "DeviceChecker",
    .id = "device",
    .command = "hosts",
    .help = "devices and hosts slower than others in the same step",
    .applies = profile_ran_programs,
    .check = check,
};
