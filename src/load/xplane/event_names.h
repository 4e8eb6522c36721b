/* event_names.h: what the name of an event on a host says (formats-xplane.md section 4). */
#ifndef TFPROF_LOAD_EVENT_NAMES_H
#define TFPROF_LOAD_EVENT_NAMES_H

#include <stdbool.h>

#include "load/loader.h"

enum event_name_kind {
    EVENT_NAME_OTHER,
    EVENT_NAME_OP,       /* of a framework: NAME:TYPE */
    EVENT_NAME_PIPELINE, /* Iterator::..., the name as a whole */
    EVENT_NAME_PYTHON,   /* $FILE:LINE FUNCTION */
};

struct event_name {
    enum event_name_kind kind;
    struct span name, type; /* of an op; type is empty where none can be told */
};

/* Pairs that stand in the name itself: NAME#KEY=VALUE,KEY=VALUE#. */
struct event_pairs {
    struct span left;
};

/* Cuts trailing blanks off TEXT, and the pairs, which come in *PAIRS. */
struct span event_name_trim(struct span text, struct event_pairs *pairs);
/* The next pair; what is not one is left out. */
bool event_pairs_next(struct event_pairs *pairs, struct span *key, struct span *value);

/* TEXT is trimmed; all results are parts of it. */
struct event_name event_name_parse(struct span text);

/* The parts of a Python call, FILE:LINE FUNCTION behind the dollar sign; line -1 and file empty for
 * what is built in. */
struct python_frame {
    struct span file, function;
    int32_t line;
};
struct python_frame event_name_frame(struct span text);

#endif
