/* lanes_priv.h: the steps in which lanes are made. */
#ifndef TFPROF_VIEW_PICTURES_LANES_PRIV_H
#define TFPROF_VIEW_PICTURES_LANES_PRIV_H

#include "view/pictures/lanes.h"

/* Fills lanes, spans without groups, and the ends of time; false: CANCEL was asked. */
bool lanes_collect(struct lanes *l, const struct options *options, struct cancel_mark cancel);
/* Fills groups and those of spans. */
void lanes_group(struct lanes *l);
/* Fills what ran alone. */
void lanes_find_alone(struct lanes *l);

#endif
