/* first_options.h: defaults of the screen that depend on the profile. */
#pragma once

#include "model/profile.h"
#include "opt/options.h"
#include "session/words.h"

/* Properties of a profile that the defaults depend on. */
struct first_facts {
    field_set figures;  /* metrics that are nonzero for any node */
    bool has_libraries; /* call stacks contain frames of libraries */
    uint8_t kind;       /* enum profile_kind */
};

/* Computes the facts of P. FLOPs count as present if P has a graph. May scan all nodes for each
 * metric: do not call it from the screen's thread. */
struct first_facts first_facts(const struct profile *p);

/* Sets -select, -order_by, -max_depth and -hide_frames in O, except for options in SAID. Metrics
 * are those preferred for the kind of input, else time or parameters, and FLOPs; order is
 * descending; all levels are shown; library frames are hidden. RUNS_COME: a run is still loading,
 * so time will be available. */
void first_options(struct options *o, const struct words *given, const struct first_facts *facts,
                   bool runs_come);

/* True for the options that first_options() sets. */
bool option_depends_on_profile(const struct option *opt);

/* Sets -select and -order_by, except for options in SAID, to the defaults of KIND (enum
 * profile_kind). False if the kind has none. */
bool kind_options(struct options *o, const struct words *given, unsigned kind);

/* Sets -max_depth so that JSON output of a list view has all rows, unless SAID has the option. */
void list_options(struct options *o, const struct words *given);
