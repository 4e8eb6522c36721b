/* lanes_text.c: lanes of what ran when in words. */
#include "view/pictures/lanes_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "model/format.h"

void lanes_time(const struct lanes *l, struct strbuf *sb, int64_t ticks)
{
    format_time(sb, clock_ps_between(l->profile->clock, 0, ticks));
}

static void add_string(const struct lanes *l, struct strbuf *sb, strid id)
{
    utf8_escape(sb, profile_text(l->profile, id), intern_len(&l->profile->strings, id));
}

void lane_name(const struct lanes *l, struct strbuf *sb, const struct span_lane *lane)
{
    const struct profile *p = l->profile;
    const char *device = profile_text(p, lane->device);
    const uint32_t len = intern_len(&p->strings, lane->device);
    uint32_t from = 0;

    for (uint32_t i = 0; i < len; i++)
        if (device[i] == '/')
            from = i + 1;
    if (len - from > 7 && !memcmp(device + from, "device:", 7))
        from += 7;
    if (lane->rank >= 0)
        sb_addf(sb, "rank %" PRId64 " ", lane->rank);
    utf8_escape(sb, device + from, len - from);
    sb_adds(sb, lane->is_stream ? " stream " : " ");
    if (lane->name)
        add_string(l, sb, lane->name);
    else
        sb_addf(sb, "#%" PRIu32, lane->thread);
}

void lanes_alone_text(const struct lanes *l, struct strbuf *sb)
{
    enum { NOTABLE = 100 }; /* a hundredth of the time */
    const struct lanes_alone *alone = &l->alone;
    const int64_t least = (l->end_ticks - l->begin_ticks) / NOTABLE;

    if (alone->compute_type && alone->before_ticks > least) {
        sb_adds(sb, "input bound: ");
        lanes_time(l, sb, alone->before_ticks);
        sb_adds(sb, " before the first ");
        add_string(l, sb, alone->compute_type);
    } else if (alone->input_ticks > least) {
        sb_adds(sb, "input bound: ");
        lanes_time(l, sb, alone->input_ticks);
        sb_adds(sb, " of nothing but ");
        add_string(l, sb, alone->input_type);
    } else if (alone->idle_ticks > least) {
        lanes_time(l, sb, alone->idle_ticks);
        sb_adds(sb, " without any work");
    } else if (alone->type) {
        lanes_time(l, sb, alone->alone_ticks);
        sb_adds(sb, " of nothing but ");
        add_string(l, sb, alone->type);
    }
}
