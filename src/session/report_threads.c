/* report_threads.c: device work, work and waits of threads of a trace, as JSON. */
#include <stdlib.h>

#include "base/satmath.h"
#include "base/xalloc.h"
#include "export/json_text.h"
#include "session/report.h"

/* Sums over the device work of a trace. */
struct device_sums {
    int64_t busy_ns; /* of the unions, one for each device */
    int64_t no_launch_ns;
    uint32_t n_devices;
};

static struct device_sums sum_devices(const struct recording *r)
{
    struct device_sums s = {0};
    int64_t end_ns = INT64_MIN;
    uint32_t device = UINT32_MAX; /* the last that is counted */

    for (uint32_t i = 0; i < r->n_works; i++) { /* by device, then start */
        const struct device_work *w = &r->works[i];
        const int64_t start_ns =
            i && w->device == w[-1].device && w->start_ns < end_ns ? end_ns : w->start_ns;
        const int64_t work_end_ns = clamp_add(w->start_ns, w->dur_ns);

        if (i && w->device != w[-1].device)
            end_ns = INT64_MIN;
        if (w->dur_ns > 0 && device != w->device) {
            device = w->device;
            s.n_devices++;
        }
        if (w->launch_ns == INSTANT_NONE)
            s.no_launch_ns = clamp_add(s.no_launch_ns, w->dur_ns);
        if (work_end_ns <= end_ns)
            continue;
        s.busy_ns = clamp_add(s.busy_ns, clamp_sub(work_end_ns, start_ns));
        end_ns = work_end_ns;
    }
    return s;
}

static void add_device(struct strbuf *sb, const struct recording *r)
{
    const struct device_sums s = sum_devices(r);

    report_key(sb, "device");
    sb_addc(sb, '{');
    report_integer(sb, "count", s.n_devices);
    report_time(sb, "sum", r->accelerator_ns);
    report_time(sb, "busy", s.busy_ns);
    report_time(sb, "no_recorded_launch", s.no_launch_ns);
    report_time(sb, "outside_steps", r->outside_accelerator_ns);
    sb_addc(sb, '}');
}

static int by_wait(const void *x, const void *y)
{
    const struct thread_time *const *a = x, *const *b = y;

    if ((*a)->wait_ns != (*b)->wait_ns)
        return (*a)->wait_ns > (*b)->wait_ns ? -1 : 1;
    return (*a > *b) - (*a < *b); /* else as the file has them */
}

static void add_thread(struct strbuf *sb, const struct profile *p, const struct thread_time *t)
{
    struct strbuf name = {0};

    sb_add(&name, profile_text(p, t->process), intern_len(&p->strings, t->process));
    sb_addc(&name, '/');
    sb_add(&name, profile_text(p, t->thread), intern_len(&p->strings, t->thread));
    report_key(sb, "thread");
    json_add_string(sb, name.data, name.len);
    report_string(sb, "name", p, t->name);
    report_time(sb, "cpu", t->cpu_ns);
    report_time(sb, "wait", t->wait_ns);
    sb_done(&name);
}

static void add_threads(struct strbuf *sb, const struct profile *p, const struct recording *r)
{
    const struct thread_time **threads = xcalloc(r->n_thread_times + 1, sizeof *threads);

    for (uint32_t i = 0; i < r->n_thread_times; i++)
        threads[i] = &r->thread_times[i];
    qsort(threads, r->n_thread_times, sizeof *threads, by_wait);
    report_key(sb, "cpu_threads");
    sb_addc(sb, '[');
    for (uint32_t i = 0; i < r->n_thread_times; i++) {
        sb_adds(sb, i ? ",{" : "{");
        add_thread(sb, p, threads[i]);
        sb_addc(sb, '}');
    }
    sb_addc(sb, ']');
    free(threads);
}

void report_threads(struct strbuf *sb, const struct profile *p, const struct recording *r)
{
    const int64_t wait_ns = recording_wait_ns(r);

    add_device(sb, r);
    report_time(sb, "cpu_work", r->cpu_ns - wait_ns);
    report_time(sb, "cpu_wait", wait_ns);
    report_key(sb, "wait");
    sb_addc(sb, '{');
    for (int i = WAIT_NONE + 1; i < WAIT_KINDS; i++)
        report_time(sb, wait_key((enum wait_kind)i), r->wait_ns[i]);
    sb_addc(sb, '}');
    add_threads(sb, p, r);
}
