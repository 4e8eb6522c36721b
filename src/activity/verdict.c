/* verdict.c: computes the bottleneck of a run. */
#include "activity/verdict.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "activity/kernel_name.h"
#include "base/compare.h"
#include "base/interval_set.h"
#include "base/xalloc.h"
#include "model/format.h"

/* ---- the words of a verdict */

/* ---- figures */

static int64_t percent_of(int64_t part, int64_t whole)
{
    if (whole <= 0)
        return 0;
    return part > INT64_MAX / 100 ? part / (whole / 100) : 100 * part / whole;
}

/* "1.84 ms of 2.40 ms (76 %)". */
static void add_share(struct strbuf *sb, const struct verdict *v, int64_t ps)
{
    format_time_apart(sb, ps);
    sb_adds(sb, " of ");
    format_time_apart(sb, v->span_ps);
    sb_addf(sb, " (%" PRId64 " %%)", percent_of(ps, v->span_ps));
}

/* ---- names */

/* Returns "GPU" if all devices with work are GPUs. */
static const char *device_noun(const struct selection *sel)
{
    static const char *const nouns[] = {
        [DEVICE_CPU] = "CPU", [DEVICE_GPU] = "GPU", [DEVICE_TPU] = "TPU", [DEVICE_OTHER] = "device"};
    const char *noun = NULL;

    for (size_t d = 0; d < sel->s->devices.n; d++) {
        const char *other = nouns[sel->s->devices.data[d].kind];

        if (sel->devices[d])
            noun = noun && noun != other ? nouns[DEVICE_OTHER] : other;
    }
    return noun ? noun : nouns[DEVICE_OTHER];
}

/* The name of the collective, the kernel, or the node's type. */
static strid name_of(const struct selection *sel, const struct event_kind *kind)
{
    if (kind->detail)
        return sel->s->collectives.data[kind->detail - 1].name;
    return kind->name != STRID_EMPTY || kind->id == NODE_NONE
               ? kind->name
               : sel->p->op[profile_node_of_part(sel->p, kind->id)];
}

/* Appends ", most in NAME": the communication, or else copy, that takes the most time. */
static void add_most(struct strbuf *sb, const struct selection *sel, bool communicates)
{
    const struct event_store *s = sel->s;
    int64_t *sums_ps = xcalloc((size_t)sel->p->strings.n + 1, sizeof *sums_ps);
    strid most = STRID_EMPTY;

    for (uint32_t d = 0; d < s->devices.n; d++) {
        struct work_reader r;

        if (!sel->devices[d])
            continue;
        work_begin(&r, sel, d);
        while (work_next(&r)) {
            const struct event_kind *kind = &s->kinds[r.work.kind];
            int64_t *sum_ps = &sums_ps[name_of(sel, kind)];

            if (kind->event_class != EVENT_COMPUTE &&
                (kind->event_class == EVENT_COMMUNICATION) == communicates)
                *sum_ps = clamp_add(*sum_ps, r.work.end_ps - r.work.start_ps);
        }
        work_end(&r);
    }
    for (strid i = 0; i < sel->p->strings.n; i++)
        most = sums_ps[i] > sums_ps[most] ? i : most;
    if (sums_ps[most] > 0 && most != STRID_EMPTY) {
        sb_adds(sb, ", most in ");
        kernel_name_add(sb, intern_string(&sel->p->strings, most));
    }
    free(sums_ps);
}

/* ---- the line */

static void add_exposed(struct strbuf *sb, const struct verdict *v, const struct selection *sel,
                        const char *what, bool communicates)
{
    sb_addf(sb, "exposed %s %" PRId64 " %%: ", what, v->percent);
    format_time_apart(sb, v->value_ps);
    add_most(sb, sel, communicates);
}

static void add_text(struct strbuf *sb, const struct verdict *v, const struct selection *sel)
{
    const char *noun = v->noun;

    switch (v->verdict_class) {
    case VERDICT_LATE:
        sb_addf(sb, "%s late: ", v->who);
        stragglers_add_delay(sb, &v->stragglers);
        return;
    case VERDICT_COMPUTE:
        sb_addf(sb, "compute-bound: %" PRId64 " %% compute", v->percent);
        return;
    case VERDICT_COMMUNICATION:
        add_exposed(sb, v, sel, "communication", true);
        return;
    case VERDICT_COPIES:
        add_exposed(sb, v, sel, "copies", false);
        return;
    case VERDICT_INPUT:
        sb_addf(sb, "input-bound: %s waits for input ", noun);
        break;
    case VERDICT_CPU:
        sb_adds(sb, "CPU-bound: launch queue empty for ");
        break;
    case VERDICT_IDLE:
        sb_addf(sb, "%s idle for ", noun);
        add_share(sb, v, v->value_ps);
        sb_adds(sb, ": launches are not recorded");
        return;
    default:
        sb_adds(sb, "stalled: queued work waits ");
        break;
    }
    add_share(sb, v, v->value_ps);
    sb_addf(sb, "; %s idle %" PRId64 " %%", noun, percent_of(v->idle_ps, v->span_ps));
}

static char *name_culprit(const struct verdict *v)
{
    const struct stragglers *s = &v->stragglers;
    char buffer[HOST_OF_RANK_BYTES];
    const struct text name = straggler_name(s, &s->rows.data[s->culprit], buffer);
    struct strbuf sb = {0};

    sb_adds(&sb, s->by_rank ? "" : "host ");
    sb_add(&sb, name.bytes, name.len);
    return sb_take(&sb);
}

static const char *evidence_of(const struct verdict *v)
{
    return v->verdict_class != VERDICT_LATE ? "tfprof breakdown FILE"
           : v->stragglers.by_rank          ? "tfprof ranks FILE"
                                            : "tfprof hosts FILE";
}

/* Sets name, percent, who, text and evidence of V from its class, value and sums. SEL is at the
 * store that V describes. */
static void verdict_add_words(struct verdict *v, const struct selection *sel)
{
    struct strbuf sb = {0};

    v->name = verdict_class_name(v->verdict_class);
    if (v->verdict_class == VERDICT_NONE)
        return;
    v->noun = device_noun(sel);
    v->percent = percent_of(v->value_ps, v->span_ps);
    if (v->verdict_class == VERDICT_LATE)
        v->who = name_culprit(v);
    v->evidence = evidence_of(v);
    add_text(&sb, v, sel);
    v->text = sb_take(&sb);
}

const char *verdict_class_name(enum verdict_class verdict_class)
{
#define VERDICT_NAME(id, name) [VERDICT_##id] = name,
    static const char *const names[VERDICT_CLASSES + 1] = {VERDICT_LIST(VERDICT_NAME)};
#undef VERDICT_NAME

    return names[verdict_class];
}

#define OF(field) MEMBER_OF(struct verdict, field)
const struct table_column verdict_columns[VERDICT_COLUMNS] = {
    {"class", .unit = VALUE_TEXT, OF(name)},
    {"value", .unit = VALUE_TIME_PS, OF(value_ps)},
    {"percent", OF(percent)},
    {"who", .unit = VALUE_TEXT, OF(who)},
    {"text", .unit = VALUE_TEXT, OF(text)},
    {"evidence", .unit = VALUE_TEXT, OF(evidence)},
};
#undef OF

/* ---- sums */

static void sum_rows(struct verdict *v)
{
    size_t kept = 0;

    for (size_t i = 0; i < v->rows.n; i++) {
        const struct breakdown_row *row = &v->rows.data[i];

        if (row->step >= 0 && row->device != STRID_EMPTY) {
            v->n_steps++;
            v->wall_ps = row->wall_ps < 0 || v->wall_ps < 0 ? INT64_MIN
                                                            : clamp_add(v->wall_ps, row->wall_ps);
        }
        if (row->step != STEP_ALL || row->device == STRID_EMPTY)
            continue;
        v->rows.data[kept++] = *row;
        v->span_ps = clamp_add(v->span_ps, row->span_ps);
        v->exposed_communication_ps =
            clamp_add(v->exposed_communication_ps, row->exposed_communication_ps);
        v->exposed_memory_ps = clamp_add(v->exposed_memory_ps, row->exposed_memory_ps);
        v->idle_ps = clamp_add(v->idle_ps, row->idle_ps);
        v->idle_host_ps = clamp_add(v->idle_host_ps, row->idle_by_cause_ps[IDLE_HOST]);
        v->idle_unknown_ps = clamp_add(v->idle_unknown_ps, row->idle_by_cause_ps[IDLE_UNKNOWN]);
    }
    v->rows.n = kept;
    v->n_devices = (uint32_t)kept;
}

/* ---- reading of input */

COMPARE_BY(by_start, struct interval, start_ps)

static bool kinds_have_input(const struct event_store *s)
{
    for (uint32_t i = 0; i < s->n_kinds; i++)
        if (s->kinds[i].event_class == EVENT_INPUT)
            return true;
    return false;
}

/* Adds the time in which any thread of HOST reads input. */
static void read_input(interval_set *input, const struct selection *sel, uint32_t host)
{
    const struct event_store *s = sel->s;
    interval_set all = {0};

    for (uint32_t t = 0; t < s->tracks.n; t++) {
        struct event_reader r = event_reader_of(s, t);

        if (s->devices.data[s->tracks.data[t].device].host != host)
            continue;
        while (event_next(&r))
            if (s->kinds[r.event.kind].event_class == EVENT_INPUT)
                vec_push(&all, ((struct interval){
                                   selection_instant(sel, t, r.event.start_ps),
                                   selection_instant(sel, t, event_end_ps(&r.event)), 0}));
    }
    vec_sort(&all, by_start);
    for (size_t i = 0; i < all.n; i++)
        interval_set_add(input, all.data[i].start_ps, all.data[i].end_ps);
    vec_done(&all);
}

struct input_wait {
    interval_set input;
    int64_t sum_ps;
};

static void add_gap(void *context, const struct idle_gap *gap)
{
    struct input_wait *wait = context;

    if (gap->cause == IDLE_HOST)
        wait->sum_ps =
            clamp_add(wait->sum_ps, interval_set_within(&wait->input, gap->start_ps,
                                                        clamp_add(gap->start_ps, gap->dur_ps)));
}

/* Sums gaps on devices of all hosts during which the host was late and read input. */
static int64_t input_wait(const struct selection *sel)
{
    const struct event_store *s = sel->s;
    struct input_wait wait = {.sum_ps = 0};

    for (uint32_t host = 0; host < s->hosts.n; host++) {
        bool is_read = false;

        for (uint32_t d = 0; d < s->devices.n; d++) {
            if (!sel->devices[d] || s->devices.data[d].host != host)
                continue;
            if (!is_read)
                read_input(&wait.input, sel, host);
            is_read = true;
            breakdown_gaps(sel, d, 0, add_gap, &wait);
        }
        wait.input.n = 0;
    }
    vec_done(&wait.input);
    return wait.sum_ps;
}

/* ---- the rules */

bool is_part_of(int64_t part, int64_t whole, int64_t n)
{
    return part >= whole / n + (whole % n > 0);
}

/* Waits count up to the exposed communication time. */
static bool is_late(const struct verdict *v)
{
    const struct stragglers *s = &v->stragglers;
    const int64_t waits_ps = s->made_wait_ps;

    return s->rows.n > 1 && s->culprit >= 0 &&
           is_part_of(s->rows.data[s->culprit].made_wait_ps, waits_ps, 2) &&
           is_part_of(waits_ps < v->exposed_communication_ps ? waits_ps
                                                             : v->exposed_communication_ps,
                      v->span_ps, 20);
}

static enum verdict_class classify(const struct verdict *v)
{
    const int64_t x = v->exposed_communication_ps, y = v->exposed_memory_ps, idle = v->idle_ps;
    const int64_t most = larger_of(larger_of(x, y), idle);

    if (!v->n_devices)
        return VERDICT_NONE;
    if (is_late(v))
        return VERDICT_LATE;
    if (!is_part_of(most, v->span_ps, 5))
        return VERDICT_COMPUTE;
    if (x == most)
        return VERDICT_COMMUNICATION;
    if (y == most)
        return VERDICT_COPIES;
    return is_part_of(v->input_ps, idle, 2)          ? VERDICT_INPUT
           : is_part_of(v->idle_host_ps, idle, 2)    ? VERDICT_CPU
           : is_part_of(v->idle_unknown_ps, idle, 2) ? VERDICT_IDLE
                                                     : VERDICT_STALLED;
}

static int64_t value_of(const struct verdict *v)
{
    switch (v->verdict_class) {
    case VERDICT_LATE:
        return v->stragglers.rows.data[v->stragglers.culprit].made_wait_ps;
    case VERDICT_COMPUTE:
        return v->span_ps - v->exposed_communication_ps - v->exposed_memory_ps - v->idle_ps;
    case VERDICT_COMMUNICATION:
        return v->exposed_communication_ps;
    case VERDICT_COPIES:
        return v->exposed_memory_ps;
    case VERDICT_INPUT:
        return v->input_ps;
    case VERDICT_CPU:
        return v->idle_host_ps;
    case VERDICT_IDLE:
        return v->idle_ps;
    case VERDICT_STALLED:
        return v->idle_ps - v->idle_host_ps;
    default:
        return INT64_MIN;
    }
}

static bool read_events(struct verdict *v, const struct selection_request *request,
                        const struct profile *p, bool align_clocks, struct cancel_mark cancel,
                        struct err *err)
{
    const struct breakdown_request plain = {.by_stream = false};
    struct selection sel;

    if (!selection_open(&sel, p, request, cancel, err))
        return false;
    breakdown_make(&sel, &plain, &v->rows);
    sum_rows(v);
    selection_rewind(&sel);
    stragglers_make(&v->stragglers, &sel, align_clocks);
    selection_rewind(&sel);
    if (selection_next(&sel)) {
        for (uint32_t d = 0; d < sel.s->devices.n; d++)
            v->has_accelerators |= sel.devices[d] && sel.s->devices.data[d].is_accelerator;
        if (kinds_have_input(sel.s))
            v->input_ps = input_wait(&sel);
        v->verdict_class = classify(v);
        v->value_ps = value_of(v);
        verdict_add_words(v, &sel);
    }
    selection_done(&sel);
    return selection_is_whole(&sel, err);
}

bool verdict_make(struct verdict *v, const struct profile *p,
                  const struct selection_request *request, bool align_clocks,
                  struct cancel_mark cancel, struct err *err)
{
    *v = (struct verdict){.value_ps = INT64_MIN, .percent = INT64_MIN, .stragglers = {.culprit = -1}};
    v->name = verdict_class_name(VERDICT_NONE);
    if (!p->events || read_events(v, request, p, align_clocks, cancel, err))
        return true;
    verdict_done(v);
    return false;
}

void verdict_done(struct verdict *v)
{
    EACH(free, v->who, v->text);
    vec_done(&v->rows);
    stragglers_done(&v->stragglers);
}

void verdict_free(struct verdict *v)
{
    if (v)
        verdict_done(v);
    free(v);
}
