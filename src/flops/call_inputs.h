/* call_inputs.h: shapes and values of the inputs of an operator's call, from the JSON of a trace. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CALL_ARGS_MAX = 16, CALL_DIMS_MAX = 8 };

struct call_list {
    int64_t item[CALL_DIMS_MAX];
    unsigned n;
    bool is_there;    /* true: a list of at most CALL_DIMS_MAX numbers */
    bool in_brackets; /* the value was written as a list */
};

struct call {
    struct call_list dims[CALL_ARGS_MAX];
    struct call_list values[CALL_ARGS_MAX]; /* a list of numbers, or a single number; True is 1 */
    unsigned n_dims, n_values;
};

/* Adds the dims in the JSON at AT, "" when absent; false: it is not a list of lists. */
bool call_read_dims(struct call *call, const char *at);
/* The same for values. */
bool call_read_values(struct call *call, const char *at);

/* The dims of argument I if there are at least MIN; else NULL. */
const struct call_list *call_dims(const struct call *call, unsigned i, unsigned min);
