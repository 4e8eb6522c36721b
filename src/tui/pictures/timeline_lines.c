/* timeline_lines.c: the rows of the timeline. */
#include "tui/pictures/timeline_lines.h"

/* Lists headings, and the tracks of unfolded sections. A single section has no heading. */
static void list_lines(struct timeline_pane *p)
{
    const struct timeline *l = p->timeline;

    p->lines.n = 0;
    for (uint32_t s = 0; s < l->sections.n; s++) {
        const struct timeline_section *section = &l->sections.data[s];

        if (l->sections.n > 1)
            vec_push(&p->lines,
                     ((struct timeline_line){l->order.data[section->first], s, true}));
        for (uint32_t i = 0; i < section->n && !p->folded.data[s]; i++)
            vec_push(&p->lines,
                     ((struct timeline_line){l->order.data[section->first + i], s, false}));
    }
}

void timeline_lines_select(struct timeline_pane *p, size_t at)
{
    p->at = at < p->lines.n ? at : p->lines.n - 1;
    p->track = p->lines.data[p->at].track;
}

/* Returns the section of TRACK. */
static uint32_t section_of(const struct timeline *l, size_t track)
{
    for (uint32_t s = 0; s < l->sections.n; s++)
        for (uint32_t i = 0; i < l->sections.data[s].n; i++)
            if (l->order.data[l->sections.data[s].first + i] == track)
                return s;
    return 0;
}

void timeline_lines_select_track(struct timeline_pane *p, size_t track)
{
    const uint32_t section = section_of(p->timeline, track);

    if (p->folded.data[section]) {
        p->folded.data[section] = 0;
        list_lines(p);
    }
    for (size_t at = 0; at < p->lines.n; at++)
        if (p->lines.data[at].track == track && !p->lines.data[at].is_head)
            timeline_lines_select(p, at);
}

bool timeline_on_head(const struct timeline_pane *p)
{
    return p->lines.data[p->at].is_head;
}

void timeline_lines_fold(struct timeline_pane *p)
{
    const uint32_t section = p->lines.data[p->at].section;

    if (p->timeline->sections.n < 2)
        return;
    p->folded.data[section] = !p->folded.data[section];
    list_lines(p);
    for (size_t at = 0; at < p->lines.n; at++)
        if (p->lines.data[at].is_head && p->lines.data[at].section == section)
            timeline_lines_select(p, at);
}

/* The busiest track of an accelerator, else of a thread; of the baseline only if there is no other. */
static size_t busiest_track(const struct timeline *l)
{
    size_t best = 0;

    for (size_t i = 1; i < l->tracks.n; i++) {
        const struct timeline_track *a = &l->tracks.data[i], *b = &l->tracks.data[best];

        if (a->is_base != b->is_base                 ? b->is_base
            : a->is_accelerator != b->is_accelerator ? a->is_accelerator
                                                     : a->busy_ticks > b->busy_ticks)
            best = i;
    }
    return best;
}

/* Unfolds the section of TRACK, and that of the same rank or host in the baseline, or now. */
static void unfold_both_sides(struct timeline_pane *p, size_t track)
{
    const struct timeline *l = p->timeline;

    for (size_t s = 0; s < l->sections.n; s++)
        p->folded.data[s] &= l->tracks.data[l->order.data[l->sections.data[s].first]].place !=
                             l->tracks.data[track].place;
}

void timeline_lines_begin(struct timeline_pane *p, int page)
{
    const struct timeline *l = p->timeline;
    const size_t n = l->tracks.n + (l->sections.n > 1 ? l->sections.n : 0);
    const size_t busiest = busiest_track(l);

    p->folded.n = 0;
    vec_resize_zero(&p->folded, l->sections.n);
    for (size_t s = 0; s < l->sections.n; s++)
        p->folded.data[s] = l->sections.n > 1 && n > (size_t)page;
    unfold_both_sides(p, busiest);
    list_lines(p);
    p->top = 0;
    timeline_lines_select_track(p, busiest);
}
