/* details_devices.c: time of a row on each rank, host and device. */
#include "tui/panes/details/details_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "model/events.h"
#include "model/programs.h"
#include "model/format.h"
#include "view/step_times.h"

/* Limits on nodes and records that are summed while the cursor moves over a row. */
enum { MAX_SUMMANDS = 1 << 20, LIST_MAX = 12 };

bool details_is_of_step(const struct result *r, int64_t step)
{
    const int64_t number = profile_step_number(r->profile, step);

    if (r->options.step >= 0 || r->options.step == STEP_OUTSIDE)
        return number == r->options.step;
    return r->options.step == STEP_ALL || number != STEP_OUTSIDE;
}

void details_header(struct lines *l, const struct result *r, const char *what)
{
    lines_next(l);
    if (r->options.step >= 0)
        lines_putf(l, ROLE_HEADER, "%s, step %" PRId64, what, r->options.step);
    else
        lines_putf(l, ROLE_HEADER, "%s, %s", what,
                   r->options.step == STEP_OUTSIDE ? "outside steps" : "all steps");
}

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

    format_spaced(&time, UNIT_TIME_PS, ps);
    lines_putf(l, ROLE_NUMBER, "%s%s", before, sb_text(&time));
    sb_done(&time);
}

/* ---- the executions of one node */

/* Executions of a node on a device: total and single durations. */
struct device_use {
    strid device;
    uint64_t n;
    int64_t self_ps;
    VEC(int64_t) times_ps; /* durations of events; an execution that launches several kernels has
                            * several */
};

COMPARE_VALUES(by_value, int64_t)

/* Adds the executions of NODE at the displayed steps on the device of USE; COUNTED is zeroed, by strid. */
static void measure(const struct result *r, node_id node, uint8_t *counted, struct device_use *use)
{
    const struct profile *p = r->profile;
    struct exec_walk walk = profile_execs(p, node);
    struct exec_lists lists = {0};
    struct exec e;

    counted[use->device] = 1;
    while (exec_next_on(&walk, counted, &e)) {
        if (!details_is_of_step(r, e.step))
            continue;
        use->n += (uint64_t)e.run_count;
        use->self_ps = clamp_add(use->self_ps, clamp_add(e.accelerator_ps, e.cpu_ps));
        profile_exec_lists(p, &e, &lists);
        for (size_t i = 0; i < lists.times.n && use->times_ps.n < MAX_SUMMANDS; i++)
            if (lists.times.data[i].device == use->device)
                vec_push(&use->times_ps, clamp_mul(lists.times.data[i].dur_ticks, p->clock.tick_ps));
    }
    counted[use->device] = 0;
    vec_sort(&use->times_ps, by_value);
    exec_lists_done(&lists);
}

static void add_use(struct lines *l, const struct profile *p, const struct device_use *use)
{
    const size_t n = use->times_ps.n;

    lines_next(l);
    put_device(l, p, use->device);
    lines_next(l);
    lines_putf(l, ROLE_NUMBER, "  %" PRIu64 "x", use->n);
    put_time(l, " ", use->self_ps);
    if (n && n == use->n) {
        put_time(l, ": ", use->times_ps.data[0]);
        put_time(l, ", ", use->times_ps.data[(n - 1) / 2]);
        put_time(l, ", ", use->times_ps.data[n - 1]);
    }
}

static void add_executions(struct lines *l, const struct result *r, node_id node)
{
    const struct profile *p = r->profile;
    uint8_t *counted = xcalloc(p->strings.n, sizeof *counted);
    uint32_t n, n_used = 0;
    const strid *devices = profile_devices(p, node, &n);

    for (uint32_t i = 0; i < n && i < LIST_MAX && profile_ran(p, node); i++) {
        struct device_use use = {.device = devices[i]};

        measure(r, node, counted, &use);
        if (use.n && !n_used++)
            details_header(l, r, "on each device");
        if (use.n)
            add_use(l, p, &use);
        vec_done(&use.times_ps);
    }
    if (n > LIST_MAX)
        lines_field(l, "", ROLE_DIM, "and %u more", n - LIST_MAX);
    free(counted);
}

/* ---- the places of a row */

/* Times of ranks or devices, by index. */
struct places {
    const struct profile *profile;
    int64_t *ps;        /* -1: nothing ran */
    uint32_t *place_of; /* devices: index + 1 by strid; NULL: ranks */
    uint32_t n;
};

static void places_init(struct places *s, const struct profile *p, uint32_t n)
{
    *s = (struct places){.profile = p, .ps = xreallocarray(NULL, (size_t)n + 1, sizeof *s->ps), .n = n};
    for (uint32_t i = 0; i < n; i++)
        s->ps[i] = -1;
}

/* Adds RECORD if its step is displayed. */
static void add_record(struct places *s, struct packed_exec record)
{
    const uint32_t place = s->place_of ? s->place_of[exec_device(record)] : rank_of_ranked(exec_step(record)) + 1;
    bool saturated = false;
    struct exec e = {0};

    if (!place || place > s->n)
        return;
    exec_add(&e, record, s->profile->clock, &saturated);
    s->ps[place - 1] = clamp_add(s->ps[place - 1] < 0 ? 0 : s->ps[place - 1],
                                 clamp_add(e.accelerator_ps, e.cpu_ps));
}

/* Sums ROW's accounted nodes and those below; false if they are too many. */
static bool add_up(struct places *s, const struct result *r, row_id row)
{
    const struct profile *p = r->profile;
    const struct tree *t = r->tree;
    const uint32_t end = t->member_begin[t->end[row]];
    size_t n = 0;

    for (uint32_t m = t->member_begin[row]; m < end; m++) {
        const node_id node = t->members[m];
        const struct exec_range range = profile_exec_range(p, node);

        n += 1 + range.end - range.begin;
        if (n > MAX_SUMMANDS)
            return false;
        if (!r->node_accounted[profile_node_of_part(p, node)])
            continue;
        for (uint32_t i = range.begin; i < range.end; i++)
            if (details_is_of_step(r, profile_record_step(p, p->exec_positions[i])))
                add_record(s, profile_record(p, p->exec_positions[i]));
    }
    return true;
}

struct spread_item {
    int64_t ps;
    uint32_t which; /* breaks ties: the lowest comes first */
};

typedef VEC(struct spread_item) spread_items;

COMPARE_BY_TWO(by_time, struct spread_item, ps, which)

/* Adds minimum, median and maximum of ITEMS; sorts and empties ITEMS. PUT appends an item's
 * name. */
static void add_spread(struct lines *l, const struct result *r, const char *what, spread_items *items,
                       void (*put)(struct lines *l, const struct profile *p, uint32_t which))
{
    static const char *const labels[] = {"least", "median", "most"};
    const size_t n = items->n;
    struct strbuf count = {0};

    sb_addf(&count, "%zu %s", n, what);
    vec_sort(items, by_time);
    for (size_t i = 0; i < 3 && n > 1; i++) {
        const struct spread_item *item = &items->data[i == 0 ? 0 : i == 1 ? (n - 1) / 2 : n - 1];

        if (!i)
            details_header(l, r, sb_text(&count));
        lines_field(l, labels[i], ROLE_NUMBER, "%s", "");
        put_time(l, "", item->ps);
        lines_puts(l, ROLE_NUMBER, " ");
        put(l, r->profile, item->which);
    }
    items->n = 0;
    sb_done(&count);
}

static void put_place(struct lines *l, const struct profile *p, uint32_t device)
{
    put_device(l, p, p->programs->devices[device].name);
}

static void put_host(struct lines *l, const struct profile *p, uint32_t device)
{
    details_text(l, ROLE_TEXT, p, p->programs->devices[device].host);
}

static void put_rank(struct lines *l, const struct profile *p, uint32_t index)
{
    lines_putf(l, ROLE_TEXT, "rank %" PRId64, p->recorders[index].rank);
}

/* Adds the ranks or devices on which something ran. */
static void add_places(struct lines *l, const struct result *r, const char *what, const struct places *s,
                       void (*put)(struct lines *l, const struct profile *p, uint32_t which))
{
    spread_items items = {0};

    for (uint32_t i = 0; i < s->n; i++)
        if (s->ps[i] >= 0)
            vec_push(&items, ((struct spread_item){s->ps[i], i}));
    add_spread(l, r, what, &items, put);
    vec_done(&items);
}

/* Sums the devices of each host, which are adjacent. */
static void add_hosts(struct lines *l, const struct result *r, const struct places *s)
{
    const struct programs *c = r->profile->programs;
    spread_items hosts = {0};
    size_t n_devices = 0;

    for (uint32_t d = 0; d < s->n; d++) {
        if (s->ps[d] < 0)
            continue;
        n_devices++;
        if (!hosts.n || c->devices[hosts.data[hosts.n - 1].which].host != c->devices[d].host)
            vec_push(&hosts, ((struct spread_item){0, d}));
        hosts.data[hosts.n - 1].ps = clamp_add(hosts.data[hosts.n - 1].ps, s->ps[d]);
    }
    if (hosts.n < n_devices)
        add_spread(l, r, "hosts", &hosts, put_host);
    vec_done(&hosts);
}

static void add_devices(struct lines *l, const struct result *r, row_id row)
{
    const struct programs *c = r->profile->programs;
    struct places s;

    places_init(&s, r->profile, (uint32_t)c->n_devices);
    s.place_of = xcalloc(r->profile->strings.n, sizeof *s.place_of);
    for (uint32_t d = 0; d < c->n_devices; d++)
        s.place_of[c->devices[d].name] = d + 1;
    if (add_up(&s, r, row)) {
        add_places(l, r, "devices", &s, put_place);
        add_hosts(l, r, &s);
    } else {
        lines_field(l, "devices", ROLE_DIM, "too many to sum: -devices split");
    }
    EACH(free, s.ps, s.place_of);
}

void details_ranks(struct lines *l, const struct result *r, row_id row)
{
    const struct profile *p = r->profile;
    struct places s;

    if (p->n_recorders < 2 || r->options.rank >= 0)
        return;
    places_init(&s, p, p->n_recorders);
    if (add_up(&s, r, row))
        add_places(l, r, "ranks", &s, put_rank);
    else
        lines_field(l, "ranks", ROLE_DIM, "too many to sum: -rank N");
    free(s.ps);
}

/* Adds the step marks of the whole run. */
static void add_marks(struct lines *l, const struct profile *p)
{
    const size_t n = p->events ? p->events->marks.n : 0;

    for (size_t i = 0; i < n && i < LIST_MAX; i++) {
        const struct profile_mark *m = &p->events->marks.data[i];
        const int64_t step = p->events->steps.data[m->step].number;
        struct strbuf time = {0};

        format_spaced(&time, UNIT_TIME_PS, clamp_sub(m->end_ps, m->start_ps));
        step_add_name(&time, p, step);
        lines_field(l, i ? "" : "marks", ROLE_NUMBER, "step %" PRId64 ": %s", step, sb_text(&time));
        sb_done(&time);
    }
    if (n > LIST_MAX)
        lines_field(l, "", ROLE_DIM, "and %zu more", n - LIST_MAX);
}

void details_devices(struct lines *l, const struct result *r, row_id row, bool single)
{
    const struct programs *c = r->profile->programs;
    const node_id node = single ? tree_node(r->tree, row) : NODE_NONE;

    if (!c || c->plans)
        return;
    if (node != NODE_NONE && node < c->n_costs)
        add_executions(l, r, node);
    add_devices(l, r, row);
    if (row == 0)
        add_marks(l, r->profile);
}
