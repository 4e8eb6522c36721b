/* function_library.h: the functions of a model and their definitions. */
#pragma once

#include <pthread.h>

#include "base/budget.h"
#include "load/loader.h"
#include "model/function.h"

enum function_state { FUNCTION_NOT_BUILT, FUNCTION_BUILT, FUNCTION_BROKEN };

struct library_function {
    strid name;      /* in names */
    struct span def; /* FunctionDef */
    struct span file;
    uint16_t file_index;
    enum function_state state;
    struct function_body body;
};

struct function_library {
    pthread_mutex_t lock; /* held while bodies are built */
    struct arena arena;   /* memory of results of functions */
    struct intern names;
    VEC(struct library_function) functions;
    VEC(uint32_t) function_of; /* by name: index + 1, 0: no function */
    VEC(struct span) op_of;    /* by name: OpDef; bytes NULL: unknown */
    VEC(struct op_outputs *) outputs_of; /* by name: outputs; NULL: not decoded yet */
};

/* The function named NAME; NULL when there is none. */
struct library_function *library_find(struct function_library *lib, const void *name, size_t len);
/* Its body, built on first use.  NULL when it is malformed; also when BUDGET is exhausted or
 * cancelled, and its state is then FUNCTION_NOT_BUILT. */
const struct function_body *library_body(struct function_library *lib,
                                         struct library_function *function,
                                         struct budget *budget);

/* Builds function->body, with the lock held.  Returns the new state of the function. */
enum function_state function_body_build(struct function_library *lib,
                                        struct library_function *function,
                                        struct budget *budget);
