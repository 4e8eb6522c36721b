/* verdict_text.c: the words of a verdict. */
#include "activity/verdict_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "activity/kernel_name.h"
#include "base/xalloc.h"
#include "model/format.h"

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

/* "GPU", where all devices that work are GPUs. */
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

/* The collective, the kernel, or the type of the node. */
static strid name_of(const struct selection *sel, const struct event_kind *kind)
{
    if (kind->detail)
        return sel->s->collectives.data[kind->detail - 1].name;
    return kind->name != STRID_EMPTY || kind->id == NODE_NONE
               ? kind->name
               : sel->p->op[profile_whole(sel->p, kind->id)];
}

/* Appends ", most in NAME": what takes the longest of communication, or else of copies. */
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

void verdict_add_words(struct verdict *v, const struct selection *sel)
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
