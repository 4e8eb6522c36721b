/* timeline_text.c: text for tracks of a timeline. */
#include "view/pictures/timeline_text.h"

#include <inttypes.h>
#include <string.h>

#include "activity/kernel_name.h"
#include "base/utf8.h"
#include "model/events.h"
#include "model/format.h"

void timeline_time(const struct timeline *l, struct strbuf *sb, int64_t ticks)
{
    format_spaced(sb, UNIT_TIME_PS, clock_ps_between(l->profile->clock, 0, ticks));
}

static void add_string(const struct timeline *l, struct strbuf *sb, strid id)
{
    utf8_escape(sb, profile_text(l->profile, id), intern_len(&l->profile->strings, id));
}

void timeline_name(const struct timeline *l, size_t at, struct strbuf *sb, strid name)
{
    struct strbuf text = {0};

    if (!l->tracks.data[at].is_accelerator) {
        add_string(l, sb, name);
        return;
    }
    kernel_name_add(&text, intern_string(&l->profile->strings, name));
    utf8_escape(sb, sb_text(&text), text.len);
    sb_done(&text);
}

void timeline_track_name(const struct timeline *l, struct strbuf *sb, const struct timeline_track *track)
{
    const struct profile *p = l->profile;
    const char *device = profile_text(p, track->device);
    const uint32_t len = intern_len(&p->strings, track->device);
    uint32_t from = 0;

    for (uint32_t i = 0; i < len; i++)
        if (device[i] == '/')
            from = i + 1;
    if (len - from > 7 && !memcmp(device + from, "device:", 7))
        from += 7;
    if (track->rank >= 0)
        sb_addf(sb, "rank %" PRId64 " ", track->rank);
    utf8_escape(sb, device + from, len - from);
    sb_adds(sb, track->is_stream ? " stream " : " ");
    if (track->name)
        add_string(l, sb, track->name);
    else
        sb_addf(sb, "#%" PRIu32, track->thread);
}

/* Appends "only MatMul for 54.81 ms". */
static void add_only(const struct timeline *l, struct strbuf *sb, strid type, int64_t ticks)
{
    sb_adds(sb, "only ");
    add_string(l, sb, type);
    sb_adds(sb, " for ");
    timeline_time(l, sb, ticks);
}

void timeline_alone_text(const struct timeline *l, struct strbuf *sb)
{
    enum { NOTABLE = 100 }; /* reported from 1 / NOTABLE of the time on */
    const struct timeline_alone *alone = &l->alone;
    const int64_t all = l->end_ticks - l->begin_ticks, least = all / NOTABLE;

    if (alone->compute_type && alone->before_ticks > least) {
        sb_adds(sb, "input bound: ");
        timeline_time(l, sb, alone->before_ticks);
        sb_adds(sb, " before the first ");
        add_string(l, sb, alone->compute_type);
    } else if (alone->input_ticks > least) {
        sb_adds(sb, "input bound: ");
        add_only(l, sb, alone->input_type, alone->input_ticks);
    } else if (alone->idle_ticks > least) {
        sb_adds(sb, "all tracks idle for ");
        timeline_time(l, sb, alone->idle_ticks);
        sb_addf(sb, " (%.1f %%)", 100.0 * (double)alone->idle_ticks / (double)all);
    } else if (alone->type) {
        add_only(l, sb, alone->type, alone->alone_ticks);
    }
}

/* ---- the verdict of a run */

/* The text for a run of ops, heap; NULL: none. */
static char *alone_line(const struct profile *p, const struct options *options,
                        struct cancel_mark cancel)
{
    struct timeline *l = timeline_new(p, options, TIMELINE_BY_TYPE, NULL, cancel);
    struct strbuf words = {0}, text = {0};

    if (l)
        timeline_alone_text(l, &words);
    if (words.len && p->n_steps > 1 && l->step >= 0)
        sb_addf(&text, "step %" PRId64 "  ", l->step);
    if (words.len)
        sb_add(&text, sb_text(&words), words.len);
    timeline_free(l);
    sb_done(&words);
    return text.len ? sb_take(&text) : NULL;
}

bool verdict_make_of_run(struct verdict *v, const struct profile *p, const struct options *options,
                         struct cancel_mark cancel, struct err *err)
{
    const struct selection_request all = {.step = STEP_ALL, .rank = RANK_ALL};

    if (!verdict_make(v, p, &all, false, cancel, err))
        return false;
    if (!v->text && timeline_exists(p))
        v->text = alone_line(p, options, cancel);
    return true;
}

bool verdict_is_likely(const struct profile *p)
{
    if (timeline_exists(p))
        return true;
    for (uint32_t i = 0; p->events && i < p->events->n_kinds; i++)
        if (p->events->kinds[i].is_work)
            return true;
    return false;
}
