/* timeline_priv.h: the stages that build a timeline; private to view/pictures. */
#pragma once

#include "view/origins.h"
#include "view/pictures/timeline.h"

/* Fills tracks, spans (without groups) and the time range, with hosts aligned by ORIGINS; false when
 * cancelled. */
bool timeline_collect(struct timeline *l, const struct origins *origins,
                      const struct options *options, struct cancel_mark cancel);
/* Fills the idle times of accelerators. */
void timeline_find_idle(struct timeline *l);
/* Fills sections, order and short names. */
void timeline_make_order(struct timeline *l);
/* Fills the groups, and the group of each span. */
void timeline_make_groups(struct timeline *l);
/* Fills `alone`. */
void timeline_find_alone(struct timeline *l);
