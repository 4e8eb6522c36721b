/* first_options.h: what the screen shows of a profile where the user said nothing. */
#pragma once

#include "model/profile.h"
#include "opt/options.h"
#include "session/words.h"

/* What the first screen depends on. */
struct first_facts {
    field_set figures;  /* the metrics that have a figure for any node */
    bool has_libraries; /* lines of libraries are in call stacks */
    uint8_t kind;       /* enum profile_kind */
};

/* Those of P.  Operations that are not counted yet are taken to be there when the graph says
 * what its nodes compute.  One look at all nodes where a metric has none: not for the screen's
 * thread. */
struct first_facts first_facts(const struct profile *p);

/* Sets -select, -order_by, -max_depth and -hide_frames in O, each where SAID does not name it, for
 * a profile with FACTS: what its kind has first, else the time of runs or parameters, and operations;
 * largest first; all levels; lines of libraries folded.  With RUNS_COME a run is still being read, whose time will be
 * there. */
void first_options(struct options *o, const struct words *said, const struct first_facts *facts,
                   bool runs_come);

/* True for the options that first_options() sets. */
bool option_is_first(const struct option *opt);

/* Sets -select and -order_by in O, each where SAID does not name it, for inputs of KIND (enum
 * profile_kind); false: this kind has the defaults of the option table. */
bool kind_options(struct options *o, const struct words *said, unsigned kind);

/* Sets -max_depth in O, for a view that is a list, when SAID does not name it and the output is JSON:
 * all rows, because nothing tells a program that there are more. */
void list_options(struct options *o, const struct words *said);
