/* timeline_priv.h: the stages that build a timeline; private to view/pictures. */
#pragma once

#include "view/origins.h"
#include "view/pictures/timeline.h"

/* Limit for instants in hostile files: differences of larger ones would overflow. */
#define FARTHEST_TICKS (INT64_C(1) << 61)

static inline int64_t timeline_near(int64_t ticks)
{
    return ticks < -FARTHEST_TICKS ? -FARTHEST_TICKS : ticks > FARTHEST_TICKS ? FARTHEST_TICKS : ticks;
}

/* Fills tracks, spans (without groups) and the time range, with hosts aligned by ORIGINS; false when
 * cancelled. */
bool timeline_collect(struct timeline *l, const struct origins *origins,
                      const struct options *options, struct cancel_mark cancel);
/* Appends the tracks of BASE, a collected timeline with its idle times. */
void timeline_append_base(struct timeline *l, const struct timeline *base);
/* Fills the idle times of accelerators, without those of the baseline. */
void timeline_find_idle(struct timeline *l);
/* Fills sections, order and short names. */
void timeline_make_order(struct timeline *l);
/* Fills the groups, and the group of each span. */
void timeline_make_groups(struct timeline *l);
/* Fills `alone`, without the baseline. */
void timeline_find_alone(struct timeline *l);
