/* event_names.h: parses names of host events (formats-xplane.md section 4). */
#pragma once

#include <stdbool.h>

#include "load/loader.h"

enum event_name_kind {
    EVENT_NAME_OTHER,
    EVENT_NAME_OP,       /* op of a framework: NAME:TYPE */
    EVENT_NAME_PIPELINE, /* Iterator::..., the complete name */
    EVENT_NAME_PYTHON,   /* $FILE:LINE FUNCTION */
};

struct event_name {
    enum event_name_kind kind;
    struct span name, type; /* of an op; type is empty if unknown */
};

/* Key-value pairs inside the name: NAME#KEY=VALUE,KEY=VALUE#. */
struct event_pairs {
    struct span left;
};

/* Removes trailing blanks and the pairs from TEXT; the pairs go to *PAIRS. */
struct span event_name_trim(struct span text, struct event_pairs *pairs);
/* Gets the next pair; malformed pairs are skipped.  False at the end. */
bool event_pairs_next(struct event_pairs *pairs, struct span *key, struct span *value);

/* Parses TEXT, which is trimmed.  All results point into TEXT. */
struct event_name event_name_parse(struct span text);

/* Calls of which more than the time is kept. */
enum event_call {
    EVENT_CALL_OTHER,
    EVENT_CALL_DISPATCH, /* of a compiled function: "PjitFunction(f)" */
    EVENT_CALL_EXECUTES, /* of a program inside it: "...Executable::ExecuteHelper..." */
    EVENT_CALL_COMPILE,  /* of a compiler */
};
enum event_call event_name_call(struct span text, enum event_name_kind kind);

/* The parts of a Python call, $FILE:LINE FUNCTION.  Built-in functions have line -1 and no file. */
struct python_frame {
    struct span file, function;
    int32_t line;
};
struct python_frame event_name_frame(struct span text);
