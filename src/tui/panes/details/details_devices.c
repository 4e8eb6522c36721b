/* details_devices.c: time of a row of a capture on each host and device. */
#include "tui/panes/details/details_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "model/capture.h"
#include "model/format.h"
#include "tui/panes/spread.h"
#include "view/step_times.h"

/* Maximum of times to add up while the cursor moves over a row. */
enum { MAX_SUMMANDS = 1 << 18, LIST_MAX = 12 };

/* Appends "h GPU:0" for "/host:h/device:GPU:0". */
static void put_device(struct lines *l, const struct profile *p, strid device)
{
    static const char host[] = "/host:", part[] = "/device:";
    const char *name = intern_text(&p->strings, device), *end = name;
    const size_t len = intern_len(&p->strings, device);
    struct strbuf sb = {0};

    for (const char *at = strstr(name, part); at; at = strstr(at + 1, part))
        end = at;
    if (end > name && strncmp(name, host, strlen(host)) == 0) {
        utf8_escape(&sb, name + strlen(host), (size_t)(end - name) - strlen(host));
        sb_addc(&sb, ' ');
        utf8_escape(&sb, end + strlen(part), len - (size_t)(end - name) - strlen(part));
    } else {
        utf8_escape(&sb, name, len);
    }
    lines_fit(l, ROLE_TEXT, sb_text(&sb), sb.len, l->cols);
    sb_done(&sb);
}

static void put_time(struct lines *l, const char *before, int64_t ps)
{
    struct strbuf time = {0};

    format_time(&time, ps);
    lines_putf(l, ROLE_NUMBER, "%s%s", before, sb_text(&time));
    sb_done(&time);
}

/* Executions of a node on a device, in total and single ones. */
struct device_use {
    strid device;
    uint64_t n;
    int64_t self_ps, min_ps, median_ps, max_ps;
    bool has_times; /* durations of single executions are known */
};

COMPARE_VALUES(by_value, int64_t)

/* Durations of executions from the events of E on the device of USE. Unknown if an operation
 * launches several kernels, since events are not executions then. */
static void measure(const struct profile *p, const struct exec *e, struct device_use *use)
{
    struct exec_lists lists = {0};
    VEC(int64_t) times_ps = {0};

    profile_exec_lists(p, e, &lists);
    for (size_t i = 0; i < lists.times.n; i++)
        if (lists.times.data[i].device == use->device)
            vec_push(&times_ps, clamp_mul(lists.times.data[i].dur_ticks, p->clock.tick_ps));
    vec_sort(&times_ps, by_value);
    use->has_times = times_ps.n && times_ps.n == use->n;
    if (use->has_times) {
        use->min_ps = times_ps.data[0];
        use->median_ps = times_ps.data[(times_ps.n - 1) / 2];
        use->max_ps = times_ps.data[times_ps.n - 1];
    }
    vec_done(&times_ps);
    exec_lists_done(&lists);
}

/* False if NODE did not run at STEP on the device of USE. */
static bool use_at_step(const struct profile *p, node_id node, int64_t step, struct device_use *use)
{
    struct exec_walk walk = profile_execs(p, node);
    uint8_t *counted = xcalloc(p->strings.n, sizeof *counted);
    struct exec e = {.step = STEP_OUTSIDE};

    counted[use->device] = 1;
    while (exec_next_on(&walk, counted, &e) && e.step < step)
        ;
    free(counted);
    if (e.step != step)
        return false;
    use->n = (uint64_t)e.run_count;
    use->self_ps = clamp_add(e.accelerator_ps, e.cpu_ps);
    measure(p, &e, use);
    return true;
}

/* Use of the device at index I by NODE. */
static bool use_of(const struct result *r, node_id node, uint32_t i, struct device_use *use)
{
    const struct capture *c = r->profile->capture;
    const struct capture_executions *e = &c->executions[i];

    *use = (struct device_use){.device = c->node_devices[i], .n = e->n, .self_ps = e->self_ps,
                               .min_ps = e->min_ps, .median_ps = e->median_ps, .max_ps = e->max_ps,
                               .has_times = true};
    return r->options.step < 0 || use_at_step(r->profile, node, r->options.step, use);
}

/* Header "WHAT, step 3". */
static const char *header(const struct result *r, const char *what, struct strbuf *sb)
{
    sb_clear(sb);
    sb_adds(sb, what);
    if (r->options.step >= 0)
        sb_addf(sb, ", step %" PRId64, r->options.step);
    else
        sb_adds(sb, ", all steps");
    return sb_text(sb);
}

static void add_use(struct lines *l, const struct profile *p, const struct device_use *use)
{
    lines_next(l);
    put_device(l, p, use->device);
    lines_next(l);
    lines_putf(l, ROLE_NUMBER, "  %" PRIu64 "x", use->n);
    put_time(l, " ", use->self_ps);
    if (use->has_times) {
        put_time(l, ": ", use->min_ps);
        put_time(l, ", ", use->median_ps);
        put_time(l, ", ", use->max_ps);
    }
}

static void add_executions(struct lines *l, const struct result *r, node_id node)
{
    const struct capture *c = r->profile->capture;
    const uint32_t begin = c->device_begin[node], end = c->device_begin[node + 1];
    struct strbuf text = {0};
    bool any = false;

    for (uint32_t i = begin; i < end && i - begin < LIST_MAX; i++) {
        struct device_use use;

        if (!use_of(r, node, i, &use))
            continue;
        if (!any) {
            lines_next(l);
            lines_puts(l, ROLE_HEADER, header(r, "on each device", &text));
        }
        any = true;
        add_use(l, r->profile, &use);
    }
    if (end - begin > LIST_MAX)
        lines_field(l, "", ROLE_DIM, "and %u more", end - begin - LIST_MAX);
    sb_done(&text);
}

/* Times of the devices of a capture by index; -1: nothing ran there. */
struct device_times {
    int64_t *ps;
    uint32_t *place_of; /* by strid of a device: index + 1 */
};

static void add_to(struct device_times *t, uint32_t device, int64_t ps)
{
    t->ps[device] = clamp_add(t->ps[device] < 0 ? 0 : t->ps[device], ps);
}

/* Adds the times of NODE at the step. Returns their number. */
static size_t add_step(const struct result *r, node_id node, struct exec_lists *lists,
                       struct device_times *t)
{
    const struct profile *p = r->profile;
    struct exec e;

    if (!profile_exec(p, node, r->options.step, &e))
        return 0;
    profile_exec_lists(p, &e, lists);
    for (size_t i = 0; i < lists->times.n; i++)
        if (t->place_of[lists->times.data[i].device])
            add_to(t, t->place_of[lists->times.data[i].device] - 1,
                   clamp_mul(lists->times.data[i].dur_ticks, p->clock.tick_ps));
    return lists->times.n;
}

/* False if there are too many nodes and times to add up. */
static bool add_up(const struct result *r, row_id row, struct device_times *times)
{
    const struct capture *c = r->profile->capture;
    const struct tree *t = r->tree;
    const uint32_t end = t->member_begin[t->end[row]];
    struct exec_lists lists = {0};
    size_t n = 0;

    for (uint32_t m = t->member_begin[row]; m < end && n <= MAX_SUMMANDS; m++) {
        const node_id node = t->members[m];

        n++;
        if (node >= c->n_costs || !r->node_accounted[node])
            continue;
        if (r->options.step >= 0) {
            n += add_step(r, node, &lists, times);
            continue;
        }
        for (uint32_t i = c->device_begin[node]; i < c->device_begin[node + 1]; i++, n++)
            add_to(times, c->executions[i].device, c->executions[i].self_ps);
    }
    exec_lists_done(&lists);
    return n <= MAX_SUMMANDS;
}

static void put_place(struct lines *l, const void *profile, uint32_t device)
{
    const struct profile *p = profile;

    put_device(l, p, p->capture->devices[device].name);
}

static void put_host(struct lines *l, const void *profile, uint32_t device)
{
    const struct profile *p = profile;
    const strid host = p->capture->devices[device].host;
    struct strbuf sb = {0};

    utf8_escape(&sb, intern_text(&p->strings, host), intern_len(&p->strings, host));
    lines_fit(l, ROLE_TEXT, sb_text(&sb), sb.len, l->cols);
    sb_done(&sb);
}

static void add_places(struct lines *l, const struct result *r, const char *what,
                       struct spread_item *items, size_t n,
                       void (*put)(struct lines *l, const void *profile, uint32_t device))
{
    struct strbuf count = {0}, text = {0};

    sb_addf(&count, "%zu %s", n, what);
    spread_add(l, header(r, sb_text(&count), &text), items, n, put, r->profile);
    sb_done(&count);
    sb_done(&text);
}

/* Adds up hosts: devices of one host are adjacent. */
static void add_hosts(struct lines *l, const struct result *r, const struct device_times *times)
{
    const struct capture *c = r->profile->capture;
    struct spread_item *hosts = xcalloc(c->n_devices + 1, sizeof *hosts);
    size_t n = 0, n_devices = 0;

    for (uint32_t d = 0; d < c->n_devices; d++) {
        if (times->ps[d] < 0)
            continue;
        n_devices++;
        if (!n || c->devices[hosts[n - 1].which].host != c->devices[d].host)
            hosts[n++] = (struct spread_item){0, d};
        hosts[n - 1].ps = clamp_add(hosts[n - 1].ps, times->ps[d]);
    }
    if (n < n_devices)
        add_places(l, r, "hosts", hosts, n, put_host);
    free(hosts);
}

static void add_devices(struct lines *l, const struct result *r, const struct device_times *times)
{
    const struct capture *c = r->profile->capture;
    struct spread_item *devices = xcalloc(c->n_devices + 1, sizeof *devices);
    size_t n = 0;

    for (uint32_t d = 0; d < c->n_devices; d++)
        if (times->ps[d] >= 0)
            devices[n++] = (struct spread_item){times->ps[d], d};
    add_places(l, r, "devices", devices, n, put_place);
    free(devices);
}

static void add_spread(struct lines *l, const struct result *r, row_id row)
{
    const struct capture *c = r->profile->capture;
    struct device_times times = {
        .ps = xreallocarray(NULL, c->n_devices + 1, sizeof *times.ps),
        .place_of = xcalloc(r->profile->strings.n, sizeof *times.place_of)};

    for (uint32_t d = 0; d < c->n_devices; d++) {
        times.ps[d] = -1;
        times.place_of[c->devices[d].name] = d + 1;
    }
    if (add_up(r, row, &times)) {
        add_devices(l, r, &times);
        add_hosts(l, r, &times);
    } else {
        lines_field(l, "devices", ROLE_DIM, "too many to add up: -devices split");
    }
    free(times.ps);
    free(times.place_of);
}

/* Adds the step marks of the whole run. */
static void add_marks(struct lines *l, const struct profile *p)
{
    const struct capture *c = p->capture;

    for (size_t i = 0; i < c->n_marks && i < LIST_MAX; i++) {
        struct strbuf time = {0};

        format_time(&time, c->marks[i].dur_ps);
        step_add_name(&time, p, c->marks[i].step);
        lines_field(l, i ? "" : "marks", ROLE_NUMBER, "step %" PRId64 ": %s", c->marks[i].step,
                    sb_text(&time));
        sb_done(&time);
    }
    if (c->n_marks > LIST_MAX)
        lines_field(l, "", ROLE_DIM, "and %zu more", c->n_marks - LIST_MAX);
}

void details_devices(struct lines *l, const struct result *r, row_id row, bool single)
{
    const struct capture *c = r->profile->capture;
    const node_id node = single ? tree_node(r->tree, row) : NODE_NONE;

    if (!c || c->plans)
        return;
    if (node != NODE_NONE && node < c->n_costs)
        add_executions(l, r, node);
    add_spread(l, r, row);
    if (row == 0)
        add_marks(l, r->profile);
}
