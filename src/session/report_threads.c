/* report_threads.c: device work, and work and waits of threads, as JSON. */
#include <stdlib.h>

#include "activity/work.h"
#include "base/compare.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "export/sinks/escape.h"
#include "export/sinks/json_members.h"
#include "session/report.h"

/* Sums over the devices of a trace. */
struct device_sums {
    int64_t busy_ps; /* sum over devices of their busy time */
    uint32_t n_devices;
};

/* Length of the union of DEVICE's work; 0: none. */
static int64_t busy_of(const struct selection *sel, uint32_t device)
{
    struct work_reader reader;
    int64_t busy_ps = 0, end_ps = INT64_MIN;

    work_begin(&reader, sel, device);
    while (work_next(&reader)) {
        const int64_t from_ps = reader.work.start_ps > end_ps ? reader.work.start_ps : end_ps;

        if (reader.work.end_ps <= end_ps)
            continue;
        end_ps = reader.work.end_ps;
        busy_ps = clamp_add(busy_ps, end_ps - from_ps);
    }
    work_end(&reader);
    return busy_ps;
}

static struct device_sums sum_devices(const struct profile *p, const struct recorder *r)
{
    const struct cancel_mark never = {NULL, 0};
    struct device_sums sums = {0};
    struct selection sel;

    selection_open_all(&sel, p, never);
    while (r->has_event_host && selection_next(&sel))
        for (uint32_t i = 0; i < sel.s->devices.n; i++) {
            const bool is_ours = sel.devices[i] && sel.s->devices.data[i].is_accelerator &&
                                 sel.s->devices.data[i].host == r->event_host;
            const int64_t busy_ps = is_ours ? busy_of(&sel, i) : 0;

            sums.busy_ps = clamp_add(sums.busy_ps, busy_ps);
            sums.n_devices += busy_ps > 0;
        }
    selection_done(&sel);
    return sums;
}

static void add_device(struct strbuf *sb, const struct profile *p, const struct recorder *r)
{
    const struct device_sums s = sum_devices(p, r);

    member_open(sb, "device", '{');
    member_integer(sb, "count", s.n_devices);
    report_time(sb, "sum", r->accelerator_ns);
    report_time(sb, "busy", s.busy_ps / PS_PER_NS);
    report_time(sb, "no_recorded_launch", r->unlaunched_ns);
    report_time(sb, "outside_steps", r->outside_accelerator_ns);
    sb_addc(sb, '}');
}

/* Ties keep the order of the file. */
COMPARE_POINTERS(by_wait, struct thread_time, DOWN(wait_ns) || THEN(COMPARE(a, b)))

static void add_thread(struct strbuf *sb, const struct profile *p, const struct thread_time *t)
{
    struct strbuf name = {0};

    sb_add(&name, profile_text(p, t->process), intern_len(&p->strings, t->process));
    sb_addc(&name, '/');
    sb_add(&name, profile_text(p, t->thread), intern_len(&p->strings, t->thread));
    member_key(sb, "thread");
    json_add_string(sb, name.data, name.len);
    member_name(sb, "name", p, t->name);
    report_time(sb, "cpu", t->cpu_ns);
    report_time(sb, "wait", t->wait_ns);
    sb_done(&name);
}

static void add_threads(struct strbuf *sb, const struct profile *p, const struct recorder *r)
{
    const struct thread_time **threads = xcalloc(r->n_thread_times + 1, sizeof *threads);

    for (uint32_t i = 0; i < r->n_thread_times; i++)
        threads[i] = &r->thread_times[i];
    qsort(threads, r->n_thread_times, sizeof *threads, by_wait);
    member_open(sb, "cpu_threads", '[');
    for (uint32_t i = 0; i < r->n_thread_times; i++) {
        sb_adds(sb, i ? ",{" : "{");
        add_thread(sb, p, threads[i]);
        sb_addc(sb, '}');
    }
    sb_addc(sb, ']');
    free(threads);
}

void report_threads(struct strbuf *sb, const struct profile *p, const struct recorder *r)
{
    const int64_t wait_ns = recorder_wait_ns(r);

    add_device(sb, p, r);
    report_time(sb, "cpu_work", r->cpu_ns - wait_ns);
    report_time(sb, "cpu_wait", wait_ns);
    member_open(sb, "wait", '{');
    for (int i = WAIT_NONE + 1; i < WAIT_KINDS; i++)
        report_time(sb, wait_key((enum wait_kind)i), r->wait_ns[i]);
    sb_addc(sb, '}');
    add_threads(sb, p, r);
}
