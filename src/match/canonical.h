/* canonical.h: strips what frameworks and styles of writing add to components of names: "convBn_3.kd"
 * becomes "convbn" with the number 3. */
#ifndef TFPROF_MATCH_CANONICAL_H
#define TFPROF_MATCH_CANONICAL_H

#include "base/strbuf.h"
#include "base/text.h"

/* Number of a component without one. */
#define CANONICAL_NO_NUMBER UINT32_MAX

/* Appends the canonical form of a component: in lower case, without separators ('_', '-', '.', ' '),
 * trailing ".kd" and ".clone", and trailing numbers ("_3", ".1", "12"). Returns the number. */
uint32_t canonical_component(struct strbuf *sb, struct text part);

#endif
