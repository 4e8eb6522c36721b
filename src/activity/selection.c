/* selection.c: selects events. */
#include "activity/selection.h"

#include <stdlib.h>
#include <string.h>

#include "base/regex/regexes.h"
#include "base/xalloc.h"

/* ---- what is selected of a store */

static bool is_selected_step(const struct selection *sel, int64_t number)
{
    const int64_t step = sel->request.step;

    return (step < 0 && step != STEP_OUTSIDE) || number == step;
}

static bool is_selected_track(const struct selection *sel, const struct event_track *t)
{
    const struct profile_device *device = &sel->s->devices.data[t->device];
    const int64_t rank = sel->s->ranks.data[device->rank].number;
    const struct text name = intern_string(&sel->p->strings, device->name);
    struct strbuf sb = {0};
    bool matches;

    if (sel->request.rank >= 0 && rank >= 0 && rank != sel->request.rank)
        return false;
    matches = !sel->regexes || regexes_match(sel->regexes, name.bytes, name.len) >= 0;
    if (!matches && t->name_is_number) {
        sb_add(&sb, name.bytes, name.len);
        sb_addf(&sb, "/stream:%s", profile_text(sel->p, t->name));
        matches = regexes_match(sel->regexes, sb_text(&sb), sb.len) >= 0;
    }
    sb_done(&sb);
    return matches;
}

static bool has_work(const struct selection *sel, uint32_t track)
{
    struct event_reader r = event_reader_of(sel->s, track);

    while (event_next(&r))
        if (sel->s->kinds[r.event.kind].is_work)
            return true;
    return false;
}

/* Selects devices with work: accelerators, or all devices if no accelerator has work. */
static void select_devices(struct selection *sel)
{
    const struct event_store *s = sel->s;
    bool any = false;

    for (uint32_t t = 0; t < s->tracks.n; t++) {
        uint8_t *device = &sel->devices[s->tracks.data[t].device];

        *device = *device || has_work(sel, t);
    }
    for (size_t d = 0; d < s->devices.n; d++)
        any = any || (sel->devices[d] && s->devices.data[d].is_accelerator);
    for (size_t d = 0; d < s->devices.n; d++)
        sel->devices[d] = sel->devices[d] && (s->devices.data[d].is_accelerator || !any);
    for (size_t d = 0; d < s->devices.n; d++)
        sel->has_devices |= sel->devices[d];
}

static void list_tracks(struct selection *sel)
{
    const struct event_store *s = sel->s;
    uint32_t *at = sel->track_begin;

    for (uint32_t t = 0; t < s->tracks.n; t++)
        at[s->tracks.data[t].device + 1] += sel->tracks[t];
    for (size_t d = 0; d < s->devices.n; d++)
        at[d + 1] += at[d];
    for (uint32_t t = 0; t < s->tracks.n; t++)
        if (sel->tracks[t])
            sel->device_tracks[at[s->tracks.data[t].device]++] = t;
    memmove(at + 1, at, s->devices.n * sizeof *at); /* shifts the begins by one entry */
    at[0] = 0;
}

int64_t selection_instant(const struct selection *sel, uint32_t track, int64_t ps)
{
    const struct event_store *s = sel->s;
    const int64_t at_ps =
        clamp_add(ps, s->clocks.data[s->tracks.data[track].clock].shift_ps);

    return at_ps < -EVENT_FARTHEST_PS  ? -EVENT_FARTHEST_PS
           : at_ps > EVENT_FARTHEST_PS ? EVENT_FARTHEST_PS
                                       : at_ps;
}

struct event_reader selection_reader(const struct selection *sel, uint32_t track)
{
    const struct event_store *s = sel->s;
    const int64_t shift_ps = s->clocks.data[s->tracks.data[track].clock].shift_ps;

    return sel->has_range ? event_reader_in(s, track, clamp_sub(sel->from_ps, shift_ps),
                                            clamp_sub(sel->to_ps, shift_ps))
                          : event_reader_of(s, track);
}

int64_t selection_first_start(const struct selection *sel)
{
    const struct event_store *s = sel->s;
    int64_t first_ps = INT64_MAX;

    for (uint32_t t = 0; t < s->tracks.n; t++) {
        struct event_reader r = event_reader_of(s, t);

        if (s->tracks.data[t].kind == TRACK_LAUNCHES || s->tracks.data[t].kind == TRACK_INPUT)
            continue;
        while (event_next(&r))
            if (r.event.dur_ps > 0 && sel->steps[r.event.step]) {
                const int64_t ps = selection_instant(sel, t, r.event.start_ps);

                first_ps = ps < first_ps ? ps : first_ps;
                break;
            }
    }
    return first_ps == INT64_MAX ? 0 : first_ps;
}

static void select_range(struct selection *sel)
{
    const struct time_range range = sel->request.range;
    int64_t first_ps;

    sel->has_range = range.to_ps != 0 && !time_range_is_all(range);
    if (!sel->has_range)
        return;
    first_ps = selection_first_start(sel);
    sel->from_ps = clamp_add(first_ps, range.from_ps);
    sel->to_ps = range.to_ps == TIME_RANGE_OPEN ? INT64_MAX : clamp_add(first_ps, range.to_ps);
}

static void free_store(struct selection *sel)
{
    EACH(free, sel->tracks, sel->steps, sel->devices, sel->track_begin, sel->device_tracks);
    event_store_free(sel->made);
    sel->tracks = sel->steps = sel->devices = NULL;
    sel->track_begin = sel->device_tracks = NULL;
    sel->made = NULL;
    sel->s = NULL;
}

static void init_store(struct selection *sel, const struct event_store *s)
{
    sel->s = s;
    sel->tracks = xcalloc(s->tracks.n + 1, 1);
    sel->steps = xcalloc(s->steps.n + 1, 1);
    sel->devices = xcalloc(s->devices.n + 1, 1);
    sel->track_begin = xcalloc(s->devices.n + 1, sizeof *sel->track_begin);
    sel->device_tracks = xcalloc(s->tracks.n + 1, sizeof *sel->device_tracks);
    for (size_t t = 0; t < s->tracks.n; t++)
        sel->tracks[t] = is_selected_track(sel, &s->tracks.data[t]);
    for (size_t i = 0; i < s->steps.n; i++)
        sel->steps[i] = is_selected_step(sel, s->steps.data[i].number);
    select_devices(sel);
    list_tracks(sel);
    select_range(sel);
}

/* ---- stores */

/* True if steps are marked, or events belong to several steps. */
static bool store_has_steps(const struct event_store *s)
{
    int64_t number = -1;

    for (size_t i = 0; i < s->steps.n; i++) {
        const int64_t other = s->steps.data[i].number;

        if (other >= 0 && number >= 0 && other != number)
            return true;
        number = other >= 0 ? other : number;
    }
    return s->marks.n > 0;
}

bool selection_open(struct selection *sel, const struct profile *p,
                    const struct selection_request *request, struct cancel_mark cancel,
                    struct err *err)
{
    *sel = (struct selection){.p = p, .request = *request, .cancel = cancel};
    sel->has_steps = p->events ? store_has_steps(p->events) : p->n_steps > 1;
    if (request->device_regexes)
        sel->regexes = regexes_new(request->device_regexes, err);
    return sel->regexes || !request->device_regexes;
}

void selection_open_all(struct selection *sel, const struct profile *p, struct cancel_mark cancel)
{
    selection_open(sel, p, &(struct selection_request){.step = STEP_ALL, .rank = RANK_ALL}, cancel,
                   NULL);
}

bool selection_next(struct selection *sel)
{
    const struct profile *p = sel->p;
    const struct event_store *only = p->events ? p->events : sel->request.made;

    free_store(sel);
    if (only) {
        if (sel->next++ || cancel_asked(sel->cancel))
            return false;
        init_store(sel, only);
        return true;
    }
    while (sel->next < p->n_steps && !is_selected_step(sel, p->steps[sel->next]))
        sel->next++;
    if (sel->next >= p->n_steps || cancel_asked(sel->cancel))
        return false;
    sel->made = step_events_new(p, p->steps[sel->next++], sel->cancel);
    if (sel->made)
        init_store(sel, sel->made);
    return sel->made != NULL;
}

void selection_rewind(struct selection *sel)
{
    free_store(sel);
    sel->next = 0;
}

bool selection_is_whole(const struct selection *sel, struct err *err)
{
    return !cancel_asked(sel->cancel) || err_set(err, ERR_CANCELLED, "cancelled");
}

void selection_done(struct selection *sel)
{
    free_store(sel);
    regexes_free(sel->regexes);
    sel->regexes = NULL;
}
